"""The search among closed antecedents, held against all intersections of records by brute force."""

import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.verify.closed_antecedents import CAPPED, HOLDS, VIOLATED, _with_room, search

MANY = 10**9
"""More closed sets than any of these data have."""


@dataclass(frozen=True)
class Searched:
    """Records of an item that follows, the last one, and of others that may be known."""

    held: NDArray[np.bool_]

    @cached_property
    def positives(self) -> list[frozenset[int]]:
        return [_items(row[:-1]) for row in self.held if row[-1]]

    @cached_property
    def negatives(self) -> list[frozenset[int]]:
        return [_items(row[:-1]) for row in self.held if not row[-1]]

    @cached_property
    def closed(self) -> dict[frozenset[int], tuple[int, int]]:
        """Every intersection of positives, with how many of both kinds of records hold it."""
        met: set[frozenset[int]] = set()
        for record in set(self.positives):
            met |= {record & other for other in met} | {record}
        return {
            known: (_holding(self.positives, known), _holding(self.negatives, known))
            for known in met
        }

    @property
    def highest(self) -> Fraction:
        return max(Fraction(with_it, with_it + rest) for with_it, rest in self.closed.values())

    @property
    def shared(self) -> int:
        """How many of them several positives share, with the one that all do."""
        return len(
            {known for known, (with_it, _) in self.closed.items() if with_it > 1}
            | {frozenset.intersection(*self.positives)}
        )

    def search(
        self, bound: Fraction, *, strict: bool = False, cap: int = MANY, run: Any = search
    ) -> tuple[int, int, Fraction]:
        """Search as the verifier does; beside the antecedent stands its true confidence."""
        records, items = self.held.shape
        bits = np.zeros((items, (records + 63) // 64), dtype=np.uint64)
        for record, item in zip(*np.nonzero(self.held), strict=True):
            bits[item, record // 64] |= np.uint64(1) << np.uint64(record % 64)
        usable = np.arange(items) < items - 1
        told = np.array([bound.numerator, bound.denominator, strict, records])
        state, met, known = run(bits, items - 1, usable, told, cap)
        return state, met, self.confidence(frozenset(known.tolist()))

    def confidence(self, known: frozenset[int]) -> Fraction:
        with_it, without = (_holding(part, known) for part in (self.positives, self.negatives))
        return Fraction(with_it, with_it + without)


def _items(row: NDArray[np.bool_]) -> frozenset[int]:
    return frozenset(np.flatnonzero(row).tolist())


def _holding(records: list[frozenset[int]], known: frozenset[int]) -> int:
    return sum(known <= record for record in records)


def shares(records: int, items: int, share: float, secret: float, seed: int) -> Searched:
    """Records that hold each item, and the one that follows, with a chance."""
    drawn = np.random.default_rng(seed)
    held = drawn.random((records, items + 1)) < np.append(np.full(items, share), secret)
    held[0, -1] = True
    return Searched(held)


def together(records: int, items: int, wanted: int, seed: int) -> Searched:
    """Records where the item follows mostly from several others at once, never from one."""
    drawn = np.random.default_rng(seed)
    held = drawn.random((records, items + 1)) < 0.6
    held[:, -1] = held[:, :wanted].all(axis=1) ^ (drawn.random(records) < 0.2)
    return Searched(held)


def deep(positives: int, items: int, negatives: int, seed: int) -> Searched:
    """Few records of nearly all items, so that the search goes deep; the others hold every one."""
    drawn = np.random.default_rng(seed)
    held = np.ones((positives + negatives, items + 1), dtype=np.bool_)
    held[:positives, :items] = drawn.random((positives, items)) < 0.85
    held[positives:, -1] = False
    return Searched(held[drawn.permutation(len(held))])


def implied(records: int, items: int, seed: int) -> Searched:
    """Among positives every second item follows from the one before, and all share three."""
    drawn = np.random.default_rng(seed)
    held = drawn.random((records, items + 4)) < 0.55
    held[:, -1] = (held[:, 0] & held[:, 2]) ^ (drawn.random(records) < 0.3)
    positive = held[:, -1]
    held[:, items - 1] = held[:, items - 2]
    before, after = held[:, 0 : items - 2 : 2], held[:, 1 : items - 1 : 2]
    after |= before & positive[:, None]
    held[positive, items : items + 3] = True
    return Searched(held)


def alike(positives: int, negatives: int, seed: int) -> Searched:
    """Positives that hold four items and no other; nothing follows surer than from all four."""
    drawn = np.random.default_rng(seed)
    held = np.ones((positives + negatives, 5), dtype=np.bool_)
    held[positives:] = drawn.random((negatives, 5)) < 0.6
    held[positives:, -1] = False
    return Searched(held)


def of_items(positives: list[str], negatives: list[str]) -> Searched:
    """Records of letters, with the item that follows and without."""
    letters = sorted({letter for record in (*positives, *negatives) for letter in record})
    rows = [
        [*(letter in record for letter in letters), follows]
        for records, follows in ((positives, True), (negatives, False))
        for record in records
    ]
    return Searched(np.array(rows, dtype=np.bool_))


def half_of(positives: int, first: int, items: int, seed: int) -> Searched:
    """Positives of which exactly so many hold the first item; one other record holds all of them.

    Below that item the positives are renumbered, into fewer words.
    """
    drawn = np.random.default_rng(seed)
    held = np.ones((positives + 1, items + 1), dtype=np.bool_)
    held[:positives, 1:items] = drawn.random((positives, items - 1)) < 0.8
    held[:positives, 0] = drawn.permutation(positives) < first
    held[positives, -1] = False
    return Searched(held)


def last_of_a_word() -> Searched:
    """Positives of which a full word hold one item, and the last of these another one as well."""
    held = np.zeros((80 + 121, 3), dtype=np.bool_)
    held[:64, 0], held[10:76, 1], held[:80, 2] = True, True, True
    held[80:110, 0], held[110:140, 1], held[140, :2] = True, True, True
    return Searched(held)


CASES = {
    "the last of a word": last_of_a_word(),
    # a comes with b; a or b alone are held by many others, y and b too
    "the next one follows": of_items(
        ["abt", "abu", "by", "y", "y"], ["abtuy", *["a"] * 5, *["b"] * 5, *["y"] * 5]
    ),
    "a word below two": half_of(80, 64, 5, 1),
    "two words below three": half_of(150, 100, 5, 1),
    "two full words below three": half_of(150, 128, 5, 2),
    **{f"few records {seed}": shares(12, 7, 0.5, 0.5, seed) for seed in range(8)},
    **{f"sparse {seed}": shares(150, 8, 0.3, 0.6, seed) for seed in range(3)},
    **{f"dense {seed}": shares(90, 7, 0.8, 0.9, seed) for seed in range(3)},
    **{f"three at once {seed}": together(200, 7, 3, seed) for seed in range(3)},
    **{f"four at once {seed}": together(300, 8, 4, seed) for seed in range(2)},
    **{f"deep {seed}": deep(8, 40, 30, seed) for seed in range(3)},
    **{f"deeper {seed}": deep(10, 60, 40, seed) for seed in range(2)},
    **{f"implied {seed}": implied(30, 6, seed) for seed in range(4)},
    **{f"implied, in words {seed}": implied(300, 8, seed) for seed in range(3)},
    "alike": alike(5, 60, 1),
    "alike, in words": alike(70, 300, 1),
    "one positive": shares(40, 6, 0.6, 0.0, 1),
    "a word of positives": deep(64, 4, 65, 1),
    "a word and one": deep(65, 4, 64, 1),
    "two words": deep(128, 4, 3, 1),
    "two words and one": deep(129, 4, 3, 1),
}


@pytest.mark.parametrize("name", CASES)
def test_the_bound_turns_at_the_highest_confidence(name: str) -> None:
    data = CASES[name]
    assert data.search(data.highest)[0] == HOLDS
    state, _, confidence = data.search(data.highest, strict=True)
    assert (state, confidence) == (VIOLATED, data.highest)


@pytest.mark.parametrize("name", CASES)
def test_whatever_is_told_to_break_a_bound_does(name: str) -> None:
    data = CASES[name]
    for bound in sorted({Fraction(p, p + n) for p, n in data.closed.values()})[-6:-1]:
        state, _, confidence = data.search(bound)
        assert state == VIOLATED
        assert confidence > bound


@pytest.mark.parametrize("name", CASES)
def test_each_closed_set_that_several_share_is_met_once(name: str) -> None:
    data = CASES[name]
    assert data.search(Fraction(1))[:2] == (HOLDS, data.shared)


@pytest.mark.parametrize("name", CASES)
def test_a_search_ends_behind_its_cap(name: str) -> None:
    data = CASES[name]
    last = data.shared - 1
    assert data.search(Fraction(1), cap=data.shared)[0] == HOLDS
    assert not last or data.search(Fraction(1), cap=last)[0] == CAPPED


def test_the_cases_go_deep() -> None:
    assert max(data.shared for data in CASES.values()) > 200
    assert CASES["three at once 0"].highest > max(
        Fraction(p, p + n) for known, (p, n) in CASES["three at once 0"].closed.items()
        if len(known) < 2
    )  # fmt: skip


def test_the_first_record_alone_is_a_record() -> None:
    # the only other one that holds a is record 0
    held = np.array([[True, False], [True, True]])
    assert Searched(held).search(Fraction(1, 2))[0] == HOLDS
    assert Searched(held).search(Fraction(1, 2), strict=True)[0] == VIOLATED


def test_where_nobody_holds_the_item_nothing_is_met() -> None:
    bits = np.array([[3], [0]], dtype=np.uint64)
    usable = np.array([True, False])
    state, met, known = search(bits, 1, usable, np.array([1, 2, 0, 2]), MANY)
    assert (state, met, known.tolist()) == (HOLDS, 0, [])


def test_what_all_positives_share_is_the_first_that_is_met() -> None:
    data = CASES["alike"]
    alone = Fraction(1, 1 + data.closed[frozenset(range(4))][1])
    assert data.highest > alone
    assert data.search(alone) == (VIOLATED, 1, data.highest)


def test_many_items_of_many_positives_have_room() -> None:
    # each item is held by fewer than the one before: as many closed sets as items
    positives, items = 500, 40
    rank = np.arange(positives)[:, np.newaxis] * items // positives
    held = np.column_stack([rank >= np.arange(items), np.ones(positives, dtype=np.bool_)])
    assert Searched(held).search(Fraction(1))[:2] == (HOLDS, items)


def one_missing(copies: int, items: int = 20) -> Searched:
    """Return records that each lack one item, and people who hold all but the last three.

    All subsets are closed, so that the search goes down one item at a time with nearly all items
    left at each level, far beyond the room it begins with. Others hold the last three, so that
    these are the most frequent and come last.
    """
    lacking = ~np.eye(items, dtype=np.bool_)
    deep = np.arange(items) < items - 3
    often = np.where(deep, 10, 1) * copies
    alike = [np.tile(deep, (10 * copies, 1)), np.tile(~deep, (20 * copies, 1))]
    positives = np.vstack([np.repeat(lacking, copies, axis=0), *alike])
    negatives = np.repeat(lacking, often, axis=0)
    held = np.vstack([positives, negatives])
    return Searched(np.column_stack([held, np.arange(len(held)) < len(positives)]))


@pytest.mark.parametrize("copies", [1, 4])
def test_a_deep_search_with_many_items_left_at_each_level_has_room(copies: int) -> None:
    """With four copies of each record the positives no longer fit one machine word."""
    people = one_missing(copies)
    state, met, confidence = people.search(Fraction(3, 5), cap=60)
    assert (state, confidence) == (VIOLATED, Fraction(13, 16))
    assert met > 15
    assert people.search(Fraction(13, 16), cap=60)[0] == CAPPED


CANARY, BEHIND = 77, 4096
"""What stands behind the room that was asked for, and how much of it."""


@pytest.mark.parametrize("case", ["deep", "in words", "half"])
def test_the_room_that_is_asked_for_is_enough(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Usually more is given, and a search that asks for too little would hardly ever show it."""
    module: Any = sys.modules[search.__module__]
    given: list[tuple[NDArray[Any], int]] = []

    def no_more(numbers: NDArray[Any], used: int, more: int) -> NDArray[Any]:
        arena = np.full(used + more + BEHIND, CANARY, dtype=numbers.dtype)
        arena[:used] = numbers[:used]
        given.append((arena, used + more))
        return arena[: used + more]

    data = {
        "deep": deep(10, 12, 20, 1), "in words": one_missing(4, 9), "half": half_of(150, 100, 6, 1),
    }[case]  # fmt: skip
    expected = data.search(data.highest)
    for name in ("search", "_closed_search"):
        kernel = getattr(module, name)
        monkeypatch.setattr(module, name, getattr(kernel, "__wrapped__", kernel))
    monkeypatch.setattr(module, "_with_room", no_more)
    assert data.search(data.highest, run=module.search) == expected
    assert given
    assert all((arena[room:] == CANARY).all() for arena, room in given)


@pytest.mark.parametrize(("used", "more"), [(3, 2), (3, 3), (0, 9), (5, 1), (4, 40)])
def test_room_is_made_and_what_is_there_stays(used: int, more: int) -> None:
    numbers = np.arange(5, 10)
    roomy = _with_room(numbers, used, more)
    assert len(roomy) >= used + more
    assert roomy[:used].tolist() == numbers[:used].tolist()
    assert (roomy is numbers) == (used + more <= 5)
