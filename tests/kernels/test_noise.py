"""The samplers' kernels: exact laws, and the protocol for running out of words."""

from fractions import Fraction
from itertools import permutations
from math import exp, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import rng
from discreet.counts.kernels import exchangeable_trials as binomial
from discreet.kernels import noise
from tests.rng.laws import QUICK, binomial_law, follows, laplace_law, sample

LAWS = {
    "below 1": (lambda w, p: noise.below(1, w, p), {0: 1.0}),
    "below 6": (lambda w, p: noise.below(6, w, p), dict.fromkeys(range(6), 1 / 6)),
    "below 2**62": (
        lambda w, p: noise.below(2**62, w, p) >> 59,
        dict.fromkeys(range(8), 1 / 8),
    ),
    "below 5 * 2**59": (
        lambda w, p: noise.below(5 * 2**59, w, p) >> 59,
        dict.fromkeys(range(5), 1 / 5),
    ),
    "below 2**31 + 1": (
        lambda w, p: noise.below(2**31 + 1, w, p) >> 28,
        dict.fromkeys(range(8), 1 / 8),
    ),
    "below 3 * 2**29": (
        lambda w, p: noise.below(3 * 2**29, w, p) >> 29,
        dict.fromkeys(range(3), 1 / 3),
    ),
}
for num, den in ((0, 1), (1, 1), (1, 3), (1, 2), (3, 5), (7, 2), (2**60, 2**61 + 1), (2**61, 5)):
    p = exp(-num / den)
    LAWS[f"bernoulli_exp {num}/{den}"] = (
        lambda w, pos, num=num, den=den: noise.bernoulli_exp(num, den, w, pos),
        {0: 1 - p, 1: p},
    )
for s, t in ((1, 1), (3, 10), (5, 2), (1, 40)):
    q = exp(-s / t)
    LAWS[f"geometric_exp {s}/{t}"] = (
        lambda w, pos, s=s, t=t: noise.geometric_exp(s, t, w, pos),
        {k: (1 - q) * q**k for k in range(1000)},
    )
    LAWS[f"discrete_laplace {s}/{t}"] = (
        lambda w, pos, s=s, t=t: noise.discrete_laplace(s, t, w, pos),
        laplace_law(s / t),
    )
for n in (0, 1, 5, 64, 65, 130):
    LAWS[f"binomial_half {n}"] = (
        lambda w, pos, n=n: binomial.binomial_half(n, w, pos),
        binomial_law(n, 0.5),
    )
for n, num, den in (
    (1, 1, 3),
    (10, 1, 3),
    (10, 3, 8),
    (7, 0, 5),
    (7, 5, 5),
    (100, 2**60, 2**62 - 1),
    (70, 99, 100),
):
    LAWS[f"binomial_ratio {n} of {num}/{den}"] = (
        lambda w, pos, n=n, num=num, den=den: binomial.binomial_ratio(n, num, den, w, pos),
        binomial_law(n, num / den),
    )
UNDER_EXP = (
    (1, 1, 2), (1, 5, 2), (2, 5, 2), (8, 1, 2), (8, 0, 3), (8, 1, 1), (30, 5, 2),
    (90, 2**60, 2**61 + 1),
)  # fmt: skip
for n, num, den in UNDER_EXP:
    LAWS[f"binomial_exp {n} of {num}/{den}"] = (
        lambda w, pos, n=n, num=num, den=den: binomial.binomial_exp(n, num, den, w, pos),
        binomial_law(n, exp(-num / den)),
    )
for n, m, s, t in ((1, 1, 1, 1), (20, 2, 3, 10), (200, 3, 1, 1), (60, 1, 2, 1), (5, 1, 1, 100)):
    LAWS[f"binomial_tail {n} from {m} at {s}/{t}"] = (
        lambda w, pos, n=n, m=m, s=s, t=t: binomial.binomial_tail(n, m, s, t, w, pos),
        binomial_law(n, exp(-m * s / t) / (1 + exp(-s / t))),
    )

SAMPLERS = pytest.mark.parametrize("sampler", [s for s, _ in LAWS.values()], ids=list(LAWS))


def words_of(seed, n):
    return rng.seeded(seed).words(n)


def these(numbers):
    words = np.array(numbers, dtype=np.uint64)
    # as the words of chance are, or the kernels would be compiled once more
    words.setflags(write=False)
    return words


def position(at=0):
    return np.full(1, at, dtype=np.int64)


@pytest.mark.parametrize(("sampler", "law"), LAWS.values(), ids=list(LAWS))
def test_a_sampler_follows_its_law(sampler, law):
    assert follows(sample(sampler, QUICK // 2), law)


def test_a_tail_count_is_the_count_of_the_tail():
    counts = sample(lambda w, p: binomial.binomial_tail(30, 4, 3, 10, w, p), QUICK // 4, seed=2)
    draws = rng.discrete_laplace(30 * (QUICK // 4), Fraction(3, 10), rng.seeded(3))
    q = exp(-0.3)
    law = binomial_law(30, q**4 / (1 + q))
    assert follows(counts, law)
    assert follows((draws.reshape(-1, 30) >= 4).sum(axis=1), law)


@SAMPLERS
@given(seed=st.integers(0, 10**6), data=st.data())
def test_a_sampler_says_when_it_is_out_of_words(sampler, seed, data):
    words = words_of(seed, 4096)
    pos = position()
    value = sampler(words, pos)
    used = int(pos[0])
    assert used <= words.size
    again = position()
    assert sampler(words[:used], again) == value
    assert again[0] == used
    cut = data.draw(st.integers(0, used))
    short = position()
    sampler(words[:cut], short)
    assert short[0] == min(cut + 1, used)
    sampler(words[:cut], short)
    assert short[0] == cut + bool(used)


@SAMPLERS
def test_a_sampler_begins_where_it_is_told(sampler):
    words = words_of(9, 4096)
    pos, shifted = position(), position(100)
    assert sampler(words[100:], pos) == sampler(words, shifted)
    assert shifted[0] == pos[0] + 100


# words that lead into rare corners: nothing, everything, the edges of shares
CORNERS = st.sampled_from(
    [0, 1, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1, int(noise.WHOLE) - 1, int(noise.WHOLE)]
    + [int(noise.WHOLE) // factorial(k) for k in range(2, 19)]
)


@given(
    st.lists(CORNERS | st.integers(0, 2**64 - 1), max_size=120),
    st.sampled_from([(1, 1), (1, 2), (3, 10), (7, 2), (1, 2**40), (2**40, 3)]),
    st.integers(0, 6),
    st.integers(0, 4),
)
def test_filling_gives_what_drawing_one_by_one_gives(numbers, rate, size, first):
    words = these(numbers)
    filled, one_by_one = np.zeros(size, np.int64), np.zeros(size, np.int64)
    pos, end = position(), 0
    index = min(first, size)
    while index < size:
        drawn = noise.discrete_laplace(*rate, words, pos)
        if pos[0] > words.size:
            break
        one_by_one[index] = drawn
        end = int(pos[0])
        index += 1
    start, at = min(first, size), position()
    assert noise.fill_discrete_laplace(filled, start, *rate, words, at) == index
    assert filled.tolist() == one_by_one.tolist()
    assert at[0] == end


def test_very_many_steps_end_without_an_overflow():
    # u is as large as can be and accepted, then every trial of exp(-1) succeeds
    t = 2**56 - 1
    words = these([t - 1, t - 1, *[int(noise.WHOLE) // 3] * 64, 0])
    pos = position()
    assert noise.discrete_laplace(1, t, words, pos) == t - 1 + 64 * t < 2**63
    assert pos[0] == words.size
    at, out = position(), np.zeros(1, np.int64)
    assert noise.fill_discrete_laplace(out, 0, 1, t, words, at) == 1
    assert out.tolist() == [t - 1 + 64 * t]
    assert at[0] == words.size
    # the last step may be one of those that take words of their own
    words = these([t - 1, t - 1, *[int(noise.WHOLE) // 3] * 63, 0, SECOND_OF_19, 0])
    pos, at, out = position(), position(), np.zeros(1, np.int64)
    assert noise.discrete_laplace(1, t, words, pos) == t - 1 + 64 * t
    assert noise.fill_discrete_laplace(out, 0, 1, t, words, at) == 1
    assert pos[0] == at[0] == words.size
    assert out.tolist() == [t - 1 + 64 * t]


@pytest.mark.parametrize("k", range(2, 19))
def test_a_word_is_shared_out_exactly(k):
    whole = int(noise.WHOLE)
    assert whole % factorial(k) == 0
    assert noise._first_failure(np.uint64(whole // factorial(k))) == k
    assert noise._first_failure(np.uint64(whole // factorial(k) - 1)) == k + 1


@pytest.mark.parametrize("k", [19, 20, 21])
def test_the_nineteenth_trial_and_the_next_take_words_of_their_own(k):
    # 0 says that the trials up to 18 succeed; 2**40 is not turned away and says 0
    numbers = [0, *[2**40] * (k - 19), 2**64 - 1, 5]
    words = these(numbers)
    pos = position()
    assert noise._bernoulli_exp_one(words, pos) == k % 2
    assert pos[0] == len(numbers) - 1


@pytest.mark.parametrize("n", [3, 7, 10, 2**31 - 1])
def test_surplus_words_are_turned_away(n):
    # of 2**32 halves, the lowest 2**32 % n products are surplus: x = 0 is one of them
    pos = position()
    words = these([0, 2**64 - 1])
    assert noise.below(n, words, pos) == n - 1
    assert pos[0] == 2


@pytest.mark.parametrize("n", [3 * 2**20 + 1, 2**29 + 1, 5 * 2**28, 2**31 - 1, 2**31])
def test_every_value_has_as_many_halves_of_a_word_as_every_other(n):
    for value in (0, 1, 2, 3, n // 3, n // 2, n - 2, n - 1):
        # n * x // 2**32 is the value; the halves before and after belong to its neighbours
        first, after = (-(-(each << 32) // n) for each in (value, value + 1))
        halves = range(max(0, first - 1), min(after + 1, 2**32))
        made = [noise._uniform(n, np.uint64(half << 32)) for half in halves]
        assert made.count(value) == 2**32 // n
        assert set(made) <= {-1, value - 1, value, value + 1}


@given(st.lists(st.integers(0, 2**64 - 1), min_size=3, max_size=3), st.integers(0, 192))
def test_heads_are_the_bits_set(numbers, n):
    words = these(numbers)
    whole, rest = divmod(n, 64)
    heads = sum(number.bit_count() for number in numbers[:whole])
    heads += (numbers[whole] >> (64 - rest)).bit_count() if rest else 0
    pos = position()
    assert binomial.binomial_half(n, words, pos) == heads
    assert pos[0] == whole + (rest > 0)


def test_shuffling_goes_on_where_it_stopped():
    words = words_of(4, 60)
    at_once, in_parts = np.arange(50), np.arange(50)
    assert noise.shuffle(at_once, 0, words, position()) == 50
    reached = at = 0
    for end in (0, 1, 9, 33, 60):
        pos = position(at)
        reached = noise.shuffle(in_parts, reached, words[:end], pos)
        at = int(pos[0])
    assert reached == 50
    assert in_parts.tolist() == at_once.tolist()


def test_permute_and_flip_goes_on_where_it_stopped():
    words = words_of(4, 4096)
    costs = np.full(300, 7)
    costs[17] = 0
    at_once, in_parts = np.arange(300), np.arange(300)
    whole = noise.permute_and_flip(at_once, 0, costs, 1, words, position())
    reached = at = 0
    for end in range(4097):
        pos = position(at)
        reached = noise.permute_and_flip(in_parts, reached, costs, 1, words[:end], pos)
        at = int(pos[0])
        if reached < 0:
            break
    assert reached == whole < 0
    assert in_parts.tolist() == at_once.tolist()


@pytest.mark.parametrize("n", [2**31 + 1, 2**40 + 1, 3 * 2**50 + 1, 2**62])
def test_a_large_bound_takes_the_lowest_bits_and_turns_away_what_is_beyond_it(n: int) -> None:
    bits = (n - 1).bit_length()
    for value in (0, n - 1, *(1 << bit for bit in range(bits) if 1 << bit < n)):
        for above in range(bits, 64):
            pos = np.zeros(1, dtype=np.int64)
            assert noise.below(n, np.array([1 << above | value], dtype=np.uint64), pos) == value
            assert pos[0] == 1
    for beyond in range(n, min(n + 2, 1 << bits)):
        pos = np.zeros(1, dtype=np.int64)
        assert noise.below(n, np.array([beyond, 5], dtype=np.uint64), pos) == 5
        assert pos[0] == 2


def test_a_word_beyond_the_even_shares_is_turned_away():
    # the next word says that the trial of 1 / 2 succeeds and that of 1 / 3 fails
    words = these([int(noise.WHOLE), int(noise.WHOLE) // 6, 0])
    pos = position()
    assert noise._bernoulli_exp_one(words, pos) == 1
    assert pos[0] == 2
    drawn, filled = position(), np.zeros(1, np.int64)
    words = these([int(noise.WHOLE), int(noise.WHOLE) // 6, int(noise.WHOLE) // 2, 0])
    assert noise.fill_discrete_laplace(filled, 0, 1, 1, words, drawn) == 1
    assert filled.tolist() == [1]
    assert drawn[0] == 4


# halves of words: of 19 shares the second, of 18 the first and of 20 the second
SECOND_OF_19, FIRST_OF_18 = (2**32 * 3 // 38) << 32, (2**32 // 19) << 32


def test_the_second_share_ends_the_trials_as_every_later_one_does():
    pos = position()
    assert noise._bernoulli_exp_one(these([0, SECOND_OF_19, 5]), pos) == 1
    assert pos[0] == 2


@pytest.mark.parametrize(
    ("numbers", "steps"),
    [
        ([0, SECOND_OF_19, 2**63, 0], 1),
        ([0, 2**40, FIRST_OF_18, 0], 0),
        ([0, 2**40, 2**40, SECOND_OF_19, 2**63, 0], 1),
    ],
    ids=["nineteenth", "twentieth", "twenty-first"],
)
def test_filling_takes_words_of_their_own_for_late_trials(numbers, steps):
    words, pos, filled = these(numbers), position(), np.zeros(1, np.int64)
    assert noise.fill_discrete_laplace(filled, 0, 1, 1, words, pos) == 1
    assert filled.tolist() == [steps]
    assert pos[0] == len(numbers)


def share(value, n):
    """Return a word by which the draw below ``n`` is ``value``."""
    return ((2 * value + 1) * 2**31 // n) << 32


def test_every_order_comes_from_words_of_its_own_and_from_no_more():
    orders = []
    for first in range(3):
        for second in range(2):
            order, pos = np.arange(3), position()
            words = these([share(first, 3), share(second, 2)])
            assert noise.shuffle(order, 0, words, pos) == 3
            assert pos[0] == 2
            orders.append(tuple(order.tolist()))
    assert sorted(orders) == sorted(permutations(range(3)))


@pytest.mark.parametrize("taken", [0, 1])
def test_who_is_taken_first_is_told_by_one_word(taken):
    order, pos = np.arange(2), position()
    words = these([share(taken, 2)])
    assert noise.permute_and_flip(order, 0, np.zeros(2, np.int64), 1, words, pos) == -1
    assert order.tolist() == [taken, 1 - taken]
    assert pos[0] == 1


def test_who_is_taken_second_and_that_nobody_is():
    costs = np.array([5, 0])
    order = np.arange(2)
    # the first is visited and turned down, then the second, which costs nothing
    words = these([share(0, 2), 2**63])
    assert noise.permute_and_flip(order, 0, costs, 1, words, position()) == -2
    order = np.arange(1)
    assert noise.permute_and_flip(order, 0, costs, 1, these([2**63]), position()) == 1


# trials of num / den, then of 1 / 2, again of num / den, of 1 / 3 and so on: "+" says that one
# succeeds, "-" that it fails and ends them; 1 is drawn where the trial with an odd number failed
TRIALS = {
    "-": 1,
    "+-": 0,
    "++-": 0,
    "+++-": 1,
    "++++-": 1,
    "+++++-": 0,
    "++++++-": 0,
    "+++++++-": 1,
}


def trials(told, num, den):
    """Return words by which trials come out, each as close to the other side as it can be."""
    # of shares that succeed the last, of those that fail the first
    sides = [(num - 1, num) if at % 2 == 0 else (0, 1) for at in range(len(told))]
    among = [den if at % 2 == 0 else 2 + at // 2 for at in range(len(told))]
    values = [side["+-".index(one)] for one, side in zip(told, sides, strict=True)]
    return [
        share(value, n) if n <= noise.SMALL else value
        for value, n in zip(values, among, strict=True)
    ]


@pytest.mark.parametrize("told", TRIALS)
@pytest.mark.parametrize(("num", "den"), [(1, 2), (2, 3), (3, 7), (6, 7), (2**40, 2**60 + 1)])
def test_the_trial_that_fails_first_tells_what_is_drawn(told, num, den):
    words, pos = these([*trials(told, num, den), 5]), position()
    assert noise.bernoulli_exp(num, den, words, pos) == TRIALS[told]
    assert pos[0] == len(told)


# words by which a trial of exp(-1) comes out: that of 1 / 3 fails, or that of 1 / 2
YES, NO = int(noise.WHOLE) // 6, int(noise.WHOLE) // 2
PLUS, MINUS = 0, 2**63


def test_above_one_every_whole_is_a_trial_of_its_own():
    for numbers, drawn in (([NO], 0), ([YES, NO], 0), ([YES, YES, *trials("-", 1, 2)], 1)):
        pos = position()
        assert noise.bernoulli_exp(5, 2, these([*numbers, 5]), pos) == drawn
        assert pos[0] == len(numbers)
    out = position()
    assert noise.bernoulli_exp(5, 2, these([YES]), out) == 0
    assert out[0] == 2


DRAWS = [
    # t, the words, and u + t * v of which the size is made
    (1, [NO], 0),
    (1, [YES, NO], 1),
    (1, [YES, YES, YES, NO], 3),
    (2, [share(0, 2), NO], 0),
    (2, [share(1, 2), *trials("-", 1, 2), NO], 1),
    (2, [share(1, 2), *trials("+++-", 1, 2), YES, NO], 3),
    (2, [share(1, 2), *trials("++-", 1, 2), share(0, 2), YES, NO], 2),
    (2, [share(1, 2), *trials("+-", 1, 2), share(1, 2), *trials("-", 1, 2), NO], 1),
    (7, [share(5, 7), *trials("++++-", 5, 7), YES, YES, NO], 19),
    (7, [share(6, 7), *trials("+++++-", 6, 7), share(3, 7), *trials("-", 3, 7), YES, NO], 10),
    (7, [0, share(2, 7), 0, *trials("-", 2, 7), NO], 2),
]
"""Draws told by their words; a word of zeros is turned away where 7 shares are made."""


@pytest.mark.parametrize("s", [1, 2, 3, 5])
@pytest.mark.parametrize(("t", "numbers", "reached"), DRAWS)
def test_a_draw_is_told_by_its_words(t, numbers, reached, s):
    size = reached // s
    pos = position()
    assert noise.geometric_exp(s, t, these([*numbers, 5]), pos) == size
    assert pos[0] == len(numbers)
    for sign, drawn in ((PLUS, size), (MINUS, -size)):
        # zero with the sign minus is drawn again
        more = [*numbers, PLUS] if not size and sign == MINUS else []
        words = these([*numbers, sign, *more, 5])
        pos, at, out = position(), position(), np.full(3, 99)
        assert noise.discrete_laplace(s, t, words, pos) == drawn
        assert noise.fill_discrete_laplace(out[:2], 1, s, t, words, at) == 2
        assert out.tolist() == [99, drawn, 99]
        assert pos[0] == at[0] == len(words) - 1


@pytest.mark.parametrize(("t", "numbers", "reached"), DRAWS)
def test_filling_begins_each_draw_afresh_and_keeps_the_unfinished(t, numbers, reached):
    words = these([*numbers, PLUS] * 3 + numbers)
    at, out = position(), np.full(5, 99)
    assert noise.fill_discrete_laplace(out, 0, 1, t, words, at) == 3
    assert out.tolist() == [reached] * 3 + [99] * 2
    assert at[0] == 3 * (len(numbers) + 1)
    # where it is told to begin, and where nothing is left to fill
    later = position(len(numbers) + 1)
    assert noise.fill_discrete_laplace(out, 4, 1, t, words, later) == 5
    assert out.tolist() == [reached] * 3 + [99, reached]
    assert later[0] == 2 * (len(numbers) + 1)
    full = position(1)
    assert noise.fill_discrete_laplace(out, 5, 1, t, words, full) == 5
    assert full[0] == 1


def out_of_words(sampler, numbers):
    """Whether a sampler that needs all these words says so when it gets fewer, and stays so."""
    for cut in range(len(numbers)):
        words, pos = these(numbers[:cut]), position()
        for _ in range(2):
            sampler(words, pos)
            assert pos[0] == cut + 1
    pos = position()
    sampler(these(numbers), pos)
    return int(pos[0]) == len(numbers)


@pytest.mark.parametrize(("t", "numbers"), [draw[:2] for draw in DRAWS])
def test_a_draw_whose_words_end_early_says_so(t, numbers):
    assert out_of_words(lambda w, p: noise.geometric_exp(1, t, w, p), numbers)
    assert out_of_words(lambda w, p: noise.discrete_laplace(1, t, w, p), [*numbers, PLUS])


@pytest.mark.parametrize("told", TRIALS)
def test_trials_whose_words_end_early_say_so(told):
    assert out_of_words(lambda w, p: noise.bernoulli_exp(3, 7, w, p), trials(told, 3, 7))
    more = [YES, YES, *trials(told, 3, 7)]
    assert out_of_words(lambda w, p: noise.bernoulli_exp(17, 7, w, p), more)
    assert out_of_words(lambda w, p: noise.below(7, w, p), [0, 0, share(3, 7)])


@pytest.mark.parametrize("k", range(2, 19))
def test_one_word_ends_the_trials_up_to_the_eighteenth(k):
    word = int(noise.WHOLE) // factorial(k)
    pos = position()
    assert noise._bernoulli_exp_one(these([word, 5]), pos) == k % 2
    assert pos[0] == 1
    # of an odd one a step is made, and then comes a trial more
    words = these([word, NO, PLUS] if k % 2 else [word, PLUS])
    at, out = position(), np.full(1, 99)
    assert noise.fill_discrete_laplace(out, 0, 1, 1, words, at) == 1
    assert out.tolist() == [k % 2]
    assert at[0] == len(words)
