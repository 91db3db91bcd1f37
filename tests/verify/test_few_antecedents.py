"""The search among antecedents of up to so many items, held against all of them by brute force."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.verify.few_antecedents import Sought, _count_beside, _count_later, first_too_sure

MANY = 10**9
"""More steps than any of these searches takes."""


@dataclass(frozen=True)
class Searched:
    """Records of items, of which some are sensitive, and how many of them may be known at once."""

    records: tuple[frozenset[int], ...]
    secrets: frozenset[int]
    known: int
    mixed: bool = True
    """Whether sensitive items may be known as well."""

    @property
    def n_items(self) -> int:
        return max(self.secrets.union(*self.records)) + 1

    def may_be_known(self, record: frozenset[int]) -> list[int]:
        return sorted(record if self.mixed else record - self.secrets)

    @cached_property
    def antecedents(self) -> list[frozenset[int]]:
        """Every antecedent of so many items that a record holds."""
        return sorted(
            {
                frozenset(items)
                for record in self.records
                for size in range(self.known + 1)
                for items in combinations(self.may_be_known(record), size)
            },
            key=sorted,
        )

    def counted(self, antecedent: frozenset[int], secret: int) -> tuple[int, int]:
        """Return how many records hold an antecedent with the item, and in all."""
        fitting = [record for record in self.records if antecedent <= record]
        return sum(secret in record for record in fitting), len(fitting)

    @cached_property
    def confidences(self) -> list[Fraction]:
        """The confidence of each rule, ascending, each once."""
        rules = (
            Fraction(*self.counted(antecedent, secret))
            for antecedent in self.antecedents
            for secret in self.secrets - antecedent
        )
        return sorted(set(rules))

    @property
    def met(self) -> int:
        """How many antecedents there are to look at, the empty one among them.

        A sensitive item follows from an antecedent only where a record holds both, and an
        antecedent grows by later items: from one that no such record holds nothing can follow.
        """
        holders = [record for record in self.records if record & self.secrets]
        return sum(
            not items or any(items - {max(items)} <= record for record in holders)
            for items in self.antecedents
        )

    def search(
        self, bound: Fraction, *, strict: bool = False, cap: int = MANY
    ) -> tuple[int, int, frozenset[int], tuple[int, int]]:
        """Search as the verifier does."""
        offsets, items = _table([self.may_be_known(record) for record in self.records])
        secret_offsets, secrets = _table([sorted(each & self.secrets) for each in self.records])
        told = np.array([bound.numerator, bound.denominator, strict, len(self.records)])
        sought = Sought(offsets, items, secret_offsets, secrets, told, self.known, cap)
        met, secret, antecedent, counts = first_too_sure(sought, self.n_items)
        return int(met), int(secret), frozenset(antecedent.tolist()), counts


def _table(rows: list[list[int]]) -> tuple[NDArray[Any], NDArray[Any]]:
    lengths = np.array([0, *map(len, rows)], dtype=np.int64)
    return np.cumsum(lengths), np.array([item for row in rows for item in row], dtype=np.int64)


def drawn(
    records: int, items: int, share: float, secrets: set[int], known: int, seed: int, *,
    mixed: bool = True,
) -> Searched:  # fmt: skip
    """Records that hold each item with a chance; the first one holds every secret."""
    held = np.random.default_rng(seed).random((records, items)) < share
    held[0, sorted(secrets)] = True
    rows = tuple(frozenset(np.flatnonzero(row).tolist()) for row in held)
    return Searched(rows, frozenset(secrets), known, mixed)


def written(positives: list[str], negatives: list[str], known: int) -> Searched:
    """Records of letters, with a sensitive item, the last of all, and without."""
    rows = [frozenset(map(ord, row)) for row in negatives]
    rows += [frozenset({*map(ord, row), ord("~")}) for row in positives]
    return Searched(tuple(rows), frozenset({ord("~")}), known)


CASES = {
    **{f"one known {seed}": drawn(12, 6, 0.5, {1, 4}, 1, seed) for seed in range(4)},
    **{f"two known {seed}": drawn(15, 7, 0.5, {0, 3}, 2, seed) for seed in range(4)},
    **{f"three known {seed}": drawn(20, 7, 0.6, {2, 6}, 3, seed) for seed in range(4)},
    **{f"sparse {seed}": drawn(40, 9, 0.25, {4, 5, 8}, 3, seed) for seed in range(3)},
    **{f"dense {seed}": drawn(25, 6, 0.85, {0, 5}, 4, seed) for seed in range(3)},
    **{f"more than a record holds {seed}": drawn(9, 4, 0.5, {1}, 6, seed) for seed in range(3)},
    **{f"harmless {seed}": drawn(18, 7, 0.6, {1, 2}, 3, seed, mixed=False) for seed in range(4)},
    "one record": drawn(1, 3, 1.0, {1}, 2, 1),
    "three at once": written(
        ["abc"] * 3, ["ab", "bc", "ac", "ab", "bc", "ac", "a", "b", "c", "d"], 3
    ),
    "only two at once": written(
        ["abc"] * 3, ["ab", "bc", "ac", "ab", "bc", "ac", "a", "b", "c", "d"], 2
    ),
    "nothing beside the secret": written(["", ""], ["ab", "abc", "bc"], 2),
}


@pytest.mark.parametrize("name", CASES)
def test_the_bound_turns_at_the_highest_confidence(name: str) -> None:
    data = CASES[name]
    highest = data.confidences[-1]
    assert data.search(highest) == (data.met, -1, frozenset(), (0, 0))
    met, secret, antecedent, counts = data.search(highest, strict=True)
    assert 1 <= met <= data.met
    assert secret in data.secrets - antecedent
    assert counts == data.counted(antecedent, secret)
    assert Fraction(*counts) == highest


@pytest.mark.parametrize("name", CASES)
def test_whatever_is_told_to_break_a_bound_does(name: str) -> None:
    data = CASES[name]
    for bound in (Fraction(0), *data.confidences[:-1]):
        _, secret, antecedent, counts = data.search(bound)
        assert secret in data.secrets - antecedent
        assert antecedent in data.antecedents
        assert counts == data.counted(antecedent, secret)
        assert Fraction(*counts) > bound


@pytest.mark.parametrize("name", CASES)
def test_a_search_that_may_take_fewer_steps_stops_or_tells_the_same(name: str) -> None:
    data = CASES[name]
    occurrences = sum(len(data.may_be_known(record)) for record in data.records)
    highest = data.confidences[-1]
    # to count every item of every record takes as many steps
    assert data.search(highest, cap=occurrences - 1) == (-1, -1, frozenset(), (0, 0))
    told = [data.search(highest, cap=times * occurrences)[0] for times in (2, 8, 30, 200, MANY)]
    assert set(told) <= {-1, data.met}
    assert told == sorted(told)
    assert told[-1] == data.met


@pytest.mark.parametrize("name", [f"one known {seed}" for seed in range(4)])
def test_a_step_is_an_item_of_a_record_or_an_item_that_is_tried(name: str) -> None:
    data = CASES[name]
    # every item of every record; then for each secret those beside it, and each item once
    steps = sum(map(len, data.records))
    for secret in data.secrets:
        steps += sum(len(record) for record in data.records if secret in record)
        steps += len(frozenset[int]().union(*data.records))
    highest = data.confidences[-1]
    assert data.search(highest, cap=steps)[0] == data.met
    assert data.search(highest, cap=steps - 1)[0] == -1


def test_records_are_gone_through_from_their_later_items_on() -> None:
    offsets, items = _table([[0, 1, 3], [1, 2], [0, 2, 3]])
    sought = Sought(offsets, items, offsets, items, np.array([1, 1, 0, 3]), 1, MANY)
    rows, later = np.array([0, 2]), np.array([1, 6])
    counts, touched = np.zeros(4, dtype=np.int64), np.empty(4, dtype=np.int64)
    # of the first record 1 and 3, of the last 2 and 3, each in a step
    assert _count_later(sought, rows, later, counts, touched) == (3, 4)
    assert counts.tolist() == [0, 1, 1, 2]
    assert touched[:3].tolist() == [1, 3, 2]
    beside = np.zeros(4, dtype=np.int64)
    assert _count_beside(sought, rows, later, np.array([1]), beside) == 2
    assert beside.tolist() == [0, 0, 1, 1]


def test_where_nobody_holds_a_secret_one_antecedent_and_each_item_are_met() -> None:
    data = Searched((frozenset({0, 1}), frozenset({1})), frozenset({2}), 2)
    assert data.search(Fraction(0), strict=True) == (3, -1, frozenset(), (0, 0))


def test_the_cases_have_rules_of_several_items_that_are_surest() -> None:
    few, more = CASES["only two at once"], CASES["three at once"]
    assert (few.confidences[-1], more.confidences[-1]) == (Fraction(3, 5), Fraction(1))
