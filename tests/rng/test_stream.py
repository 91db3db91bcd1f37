"""Where chance comes from: one stream of random words, cryptographic, from the system or a seed."""

import copy
import multiprocessing
import os
import pickle
import threading
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import ParameterError
from discreet.rng import secure, seeded, stream
from discreet.rng.stream import _Keystream, bits, drawn, fill
from tests.rng.laws import QUICK, depends_on_words_only, follows


def test_the_labels_say_what_it_is():
    assert secure().label == "operating system entropy through AES-CTR"
    assert seeded(3).label == "seeded: not for publication"


def test_a_seed_names_the_same_words_on_every_machine():
    assert [hex(word) for word in seeded(0).words(3).tolist()] == [
        "0xf071a2bd260fc8aa",
        "0xea193984e174b050",
        "0x85805981128d04ee",
    ]


def test_a_seed_names_the_same_numbers_on_every_machine():
    rng = seeded(5)
    assert rng.integers(10, 6).tolist() == [4, 6, 8, 8, 6, 5]
    assert rng.integers(2**63, 2).tolist() == [127689205556426830, 9126306435484833934]
    assert rng.permutation(9).tolist() == [5, 4, 0, 3, 2, 1, 7, 8, 6]
    assert (bits(rng, 70), bits(rng, 64)) == (403274711295848000281, 13205560794311600430)
    assert rng.words(1).tolist() == [3936001823712624769]


@given(st.integers(), st.integers())
def test_seeds_differ(a, b):
    same = bool((seeded(a).words(4) == seeded(b).words(4)).all())
    assert same == (a == b)


def test_secure_words_never_repeat():
    assert not set(secure().words(1000).tolist()) & set(secure().words(1000).tolist())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_process_does_not_repeat_its_parents_words():
    rng = secure()
    ahead = rng.peek(64)[:64].tolist()
    parent, child = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(
        target=lambda: child.send(rng.words(64).tolist())
    )
    process.start()
    drawn = parent.recv()
    process.join()
    assert not set(drawn) & set(ahead)
    assert rng.words(64).tolist() == ahead


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_every_fork_is_counted_once():
    parent, child = multiprocessing.Pipe()
    context = multiprocessing.get_context("fork")

    def fork_again():
        child.send(stream.this_process())
        process = context.Process(target=lambda: child.send(stream.this_process()))
        process.start()
        process.join()

    process = context.Process(target=fork_again)
    process.start()
    process.join()
    number, forks = stream.this_process()
    seen = [(number, forks), parent.recv(), parent.recv()]
    assert [each for _, each in seen] == [forks, forks + 1, forks + 2]
    assert len({each for each, _ in seen}) == 3


def test_a_process_of_a_number_that_was_used_before_has_words_of_its_own(monkeypatch):
    rng = secure()
    ahead = rng.peek(64)[:64].tolist()
    monkeypatch.setattr(stream, "FORKS", [stream.FORKS[0] + 2])
    assert not set(rng.words(64).tolist()) & set(ahead)


def drawn_by_threads(rng, threads):
    """Draw word by word in several threads at once; return what each got."""
    got = [[] for _ in range(threads)]
    start = threading.Barrier(threads)

    def draw(mine):
        start.wait()
        for _ in range(2000):
            mine.append(int(rng.peek(1)[0]))
            rng.advance(1)

    workers = [threading.Thread(target=draw, args=(mine,)) for mine in got]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return got


def test_threads_that_share_a_secure_stream_never_draw_the_same_word():
    words = [word for mine in drawn_by_threads(secure(), 8) for word in mine]
    assert (len(words), len(set(words))) == (16_000, 16_000)


def test_a_seeded_stream_serves_the_thread_that_first_drew_from_it():
    rng = seeded(1)
    first = rng.words(3).tolist()
    refused = []

    def draw():
        with pytest.raises(ParameterError, match="belongs to the thread that first drew"):
            rng.words(1)
        refused.append(True)

    other = threading.Thread(target=draw)
    other.start()
    other.join()
    assert refused == [True]
    assert first + rng.words(2).tolist() == seeded(1).words(5).tolist()


@pytest.mark.parametrize("repeat", [copy.copy, copy.deepcopy, pickle.dumps])
@pytest.mark.parametrize("rng", [secure(), seeded(1)])
def test_chance_cannot_be_copied(rng, repeat):
    with pytest.raises(TypeError, match="a copy would repeat it"):
        repeat(rng)


@given(
    st.integers(1, 200),
    st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), max_size=8),
)
def test_peeking_uses_nothing_and_advancing_uses_exactly(block, moves):
    stream = seeded(11).words(8 * 300 + 1)
    rng = _Keystream(11, block)
    used = 0
    for peeked, steps in moves:
        ahead = rng.peek(peeked)
        assert len(ahead) >= peeked
        assert (ahead[:peeked] == stream[used : used + peeked]).all()
        rng.advance(min(steps, len(ahead)))
        used += min(steps, len(ahead))
    assert rng.words(1)[0] == seeded(11).words(used + 1)[-1]


def test_words_are_fetched_in_growing_blocks():
    """Little is used of most streams; where much is, a block is half a megabyte at most."""
    rng, blocks = seeded(1), []
    for _ in range(13):
        blocks.append(len(rng.peek(1)))
        rng.advance(blocks[-1])
    assert blocks == [64 << min(number, 10) for number in range(13)]


def test_what_is_there_is_not_fetched_again():
    rng = seeded(1)
    assert [len(rng.peek(n)) for n in (1, 64, 65, 192, 193, 512)] == [64, 64, 192, 192, 448, 960]


def test_words_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        seeded(1).peek(1)[0] = 0


def test_advancing_beyond_the_words_is_refused():
    rng = _Keystream(1, 4)
    rng.peek(1)
    with pytest.raises(ParameterError, match="within the 4 words"):
        rng.advance(5)


@pytest.mark.parametrize("bound", [0, -1, 2**63 + 1])
def test_a_bound_out_of_range_is_refused(bound):
    with pytest.raises(ParameterError, match="bound"):
        seeded(1).integers(bound, 1)


@pytest.mark.parametrize("bound", [1, 2, 3, 10, 100])
def test_integers_are_uniform(bound):
    numbers = seeded(bound).integers(bound, 100_000)
    assert follows(numbers, dict.fromkeys(range(bound), 1 / bound))


@pytest.mark.parametrize("bound", [2**62 + 1, 3 * 2**61, 2**63])
def test_large_integers_are_uniform(bound):
    numbers = seeded(2).integers(bound, 100_000)
    assert numbers.min() >= 0
    assert int(numbers.max()) < bound
    tenths = [int(number) * 10 // bound for number in numbers]
    assert follows(tenths, dict.fromkeys(range(10), 0.1))


def test_integers_of_one_take_no_word():
    rng = seeded(4)
    assert rng.integers(1, 9).tolist() == [0] * 9
    assert rng.words(1) == seeded(4).words(1)


@given(st.integers(0, 200))
def test_a_permutation_holds_each_number_once(n):
    assert sorted(seeded(n).permutation(n).tolist()) == list(range(n))


def test_every_order_is_equally_likely():
    rng = seeded(6)
    number = {order: index for index, order in enumerate(permutations(range(4)))}
    drawn = [number[tuple(rng.permutation(4).tolist())] for _ in range(QUICK)]
    assert follows(drawn, dict.fromkeys(range(24), 1 / 24))


def test_every_place_of_a_long_permutation_is_equally_likely():
    rng = seeded(7)
    orders = np.array([rng.permutation(100) for _ in range(QUICK // 10)])
    for place in (0, 1, 50, 98, 99):
        assert follows(orders[:, place], dict.fromkeys(range(100), 0.01))


@given(st.integers(0, 300))
def test_bits_are_as_many_as_asked_for(n):
    rng = seeded(n)
    assert 0 <= bits(rng, n) < 1 << n
    used = -(-n // 64)
    assert rng.words(1)[0] == seeded(n).words(used + 1)[-1]


def test_every_bit_is_fair():
    rng = seeded(8)
    numbers = [bits(rng, 100) for _ in range(20_000)]
    for place in (0, 35, 36, 63, 64, 99):
        assert follows([number >> place & 1 for number in numbers], {0: 0.5, 1: 0.5})


def test_integers_and_permutations_depend_on_the_words_only():
    assert depends_on_words_only(lambda rng: rng.integers(10, 500).tolist())
    assert depends_on_words_only(lambda rng: rng.integers(2**62 + 1, 100).tolist())
    assert depends_on_words_only(lambda rng: rng.permutation(500).tolist())
    assert depends_on_words_only(lambda rng: [bits(rng, 100) for _ in range(9)])


def sum_of(count):
    """Return a sampler that adds up so many words, asking for more where they do not suffice."""

    def sampler(words, pos):
        start = int(pos[0])
        pos[0] += count
        return int(words[start : start + count].sum())

    return sampler


@given(st.lists(st.integers(0, 300), max_size=6), st.integers(1, 200))
def test_a_draw_takes_exactly_the_words_it_needs(counts, block):
    rng, words = _Keystream(5, block), seeded(5).words(6 * 300 + 1)
    used = 0
    for count in counts:
        assert drawn(rng, sum_of(count)) == int(words[used : used + count].sum())
        used += count
    assert rng.words(1) == words[used]


def sums(out, counts):
    """Return a step that adds up so many words for each index, as long as there are enough."""

    def step(start, words, pos):
        for index in range(start, len(counts)):
            after = int(pos[0]) + counts[index]
            if after > words.size:
                return index
            out.append(int(words[pos[0] : after].sum()))
            pos[0] = after
        return len(counts)

    return step


@given(
    st.lists(st.sampled_from([0, 1, 2, 70, 500]), max_size=12),
    st.integers(0, 3),
    st.integers(1, 200),
)
def test_steps_go_on_where_the_words_ended(counts, words_each, block):
    rng, words = _Keystream(6, block), seeded(6).words(12 * 500 + 1)
    out = []
    assert fill(rng, len(counts), words_each, sums(out, counts)) == len(counts)
    ends = np.cumsum([0, *counts])
    expected = [int(words[start:end].sum()) for start, end in pairwise(ends)]
    assert out == expected
    assert rng.words(1) == words[ends[-1]]


def test_a_step_ends_what_is_filled_by_a_negative_number():
    rng = seeded(9)
    assert fill(rng, 3, 1, lambda *_: -7) == -7
    assert rng.words(1) == seeded(9).words(1)


@pytest.mark.parametrize(
    ("block", "draw", "left"),
    [
        # two words for a number of which one in two is turned away, and 64: blocks of 64
        (None, lambda rng: rng.integers(2, 100), 320 - 100),
        (None, lambda rng: rng.integers(2, 32), 128 - 32),
        # at most 65,536 at once, and then for those that are missing
        (None, lambda rng: rng.integers(2, 40_000), 65_536 - 40_000),
        (None, lambda rng: rng.integers(2**62 + 1, 40_000), 180),
        # a word for each place, and 64
        (None, lambda rng: rng.permutation(100), 93),
        # as many words as each step is said to take, and 64 for chance
        (None, lambda rng: fill(rng, 100, 3, sums([], [3] * 100)), 384 - 300),
        (None, lambda rng: fill(rng, 1000, 1, sums([], [5] * 1000)), 1336),
        # twice as many where a draw or a step did not come to its end
        (1, lambda rng: drawn(rng, sum_of(300)), 512 - 300),
        (1, lambda rng: fill(rng, 1, 1, sums([], [500])), 520 - 500),
    ],
)
def test_few_more_words_are_fetched_than_are_used(block, draw, left):
    rng = _Keystream(1, block)
    draw(rng)
    assert len(rng.peek(1)) == left
