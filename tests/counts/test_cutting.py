from collections import Counter
from hashlib import md5
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.counts.cutting import cut_to, random_key
from discreet.counts.kernels.cutting import cut_sets
from discreet.counts.levels import limited
from discreet.rng import seeded

UNIVERSE = ("ä b", "c", "d|e", "f", "g", "h")
NAMES = [f"{'Zoë € 𝄞'[row % 8 :]} {row}" for row in range(12)]
KEY = "00112233445566778899aabbccddeeff"

people = st.lists(st.frozensets(st.sampled_from([*UNIVERSE, "outside"])), max_size=12)


def hashed(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()


def words(digits: str) -> list[int]:
    return [int(digits[at : at + 8], 16) % (2**31 - 1) for at in range(0, 32, 8)]


def cut_by_hand(owner: list[int], held: list[str], size: int) -> tuple[str, ...]:
    """The definition, as an engine spells it."""
    a, b, c, d = owner

    def value(item: str) -> int:
        x = words(hashed(f"{KEY}|{item}"))[0]
        return (a * x**3 + b * x**2 + c * x + d) % (2**31 - 1)

    least = sorted(held, key=value)[:size]
    return tuple(item for item in UNIVERSE if item in least)


def transactions(records: list[frozenset[str]], *, ids: bool) -> Transactions:
    names = np.array(NAMES[: len(records)], dtype=np.str_) if ids else None
    return Transactions(Itemsets.of(records, [*UNIVERSE, "outside"]), names)


def cut(data: Transactions, size: int) -> list[tuple[str, ...]]:
    return list(cut_to(data, data.folded.over(UNIVERSE), size, KEY))


@given(records=people, size=st.integers(1, 5))
def test_people_are_cut_by_the_hash_of_key_id_and_item(
    records: list[frozenset[str]], size: int
) -> None:
    held = [[item for item in UNIVERSE if item in record] for record in records]
    expected = [
        cut_by_hand(words(hashed(f"{KEY}|{NAMES[row]}")), items, size)
        for row, items in enumerate(held)
        if len(items) > size
    ]
    assert cut(transactions(records, ids=True), size) == expected


@given(records=people, size=st.integers(1, 5))
def test_sets_without_ids_are_cut_by_their_number_among_equals(
    records: list[frozenset[str]], size: int
) -> None:
    held = [tuple(item for item in UNIVERSE if item in record) for record in records]
    seen: Counter[tuple[str, ...]] = Counter()
    expected: Counter[tuple[str, ...]] = Counter()
    for items in held:
        if len(items) > size:
            seen[items] += 1
            parts = [f"{KEY}#{seen[items]}", *(f"{KEY}|{item}" for item in items)]
            owner = np.sum([words(hashed(part)) for part in parts], axis=0) % (2**31 - 1)
            expected[cut_by_hand(owner.tolist(), list(items), size)] += 1
    assert Counter(cut(transactions(records, ids=False), size)) == expected


@given(records=people.filter(bool), ids=st.booleans(), size=st.integers(1, 5), data=st.data())
def test_data_that_differ_by_one_person_still_do_after_the_cut(
    records: list[frozenset[str]], ids: bool, size: int, data: st.DataObject
) -> None:
    gone = data.draw(st.integers(0, len(records) - 1))
    everyone = transactions(records, ids=ids)
    without = np.array([row for row in range(len(records)) if row != gone], dtype=np.int64)
    others = Transactions(
        everyone.sets.take(without), None if everyone.ids is None else everyone.ids[without]
    )
    more, fewer = (
        Counter(limited(some, UNIVERSE, size, "cut", seeded(4)).as_dict())
        for some in (everyone, others)
    )
    assert fewer <= more
    assert (more - fewer).total() == 1


@given(records=people, ids=st.booleans(), order=st.randoms(use_true_random=False))
def test_what_is_counted_does_not_depend_on_the_order_of_the_records(
    records: list[frozenset[str]], ids: bool, order: Random
) -> None:
    one = transactions(records, ids=ids)
    moved = np.array(order.sample(range(len(records)), len(records)), dtype=np.int64)
    other = Transactions(one.sets.take(moved), None if one.ids is None else one.ids[moved])
    first, second = (limited(some, UNIVERSE, 2, "cut", seeded(4)) for some in (one, other))
    assert list(first.as_dict().items()) == list(second.as_dict().items())


@given(
    hashes=st.lists(st.integers(0, 2), min_size=2, max_size=20),
    people=st.integers(1, 70),
    size=st.integers(1, 18),
)
def test_of_items_with_the_same_value_the_first_ones_stay(
    hashes: list[int], people: int, size: int
) -> None:
    size = min(size, len(hashes) - 1)
    offsets = np.array([0, len(hashes)])
    items, words = np.arange(len(hashes), dtype=np.int32), np.array([[each] * 4 for each in hashes])
    # the value is the hash itself, for every holder
    holder, nothing = np.array([[0, 0, 1, 0]]), np.zeros((people, 4), dtype=np.int64)
    count = np.array([people])
    cut = cut_sets(offsets, items, np.array([0]), words, holder, count, nothing, size)
    expected = sorted(sorted(range(len(hashes)), key=lambda item: (hashes[item], item))[:size])
    assert cut.tolist() == [expected] * people


def test_a_key_is_128_bits_from_the_stream() -> None:
    key = random_key(seeded(1))
    assert (len(key), set(key) <= set("0123456789abcdef")) == (32, True)
    assert key != random_key(seeded(2))


def test_ids_are_hashed_as_their_texts_however_their_array_holds_them() -> None:
    sets = Itemsets.of([list("abcdefgh")] * 3)

    def cut_as(ids: np.ndarray) -> list[tuple[str, ...]]:
        return cut(Transactions(sets, ids), 3)

    due = cut_as(np.array(["1", "2", "30"]))
    assert due != cut_as(np.array(["4", "5", "6"]))
    assert cut_as(np.array([1, 2, 30])) == due
    assert cut_as(np.array(["1", "2", "30"], dtype=object)) == due
    assert cut_as(np.array(["1", "2", "30"], dtype=">U2")) == due
