"""Which rows of a release are counterfeits: a classifier on what a set looks like.

The worst case: the attacker knows half of the counterfeits and learns from them. What counts is
the area under the curve on the rest: the probability that a counterfeit looks more like one than
a real row does; one half is chance.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Annotated, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Releases, each_of
from discreet.core.clusters import Clusters
from discreet.core.doc import Doc
from discreet.core.exact import at_least_one
from discreet.core.fields import check_fields
from discreet.core.findings import Findings, Summary, Threat
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.truth import ANOTHER, names_rows_of
from discreet.errors import DataError
from discreet.series.composition import Composition
from discreet.series.evidence.joint_evidence import Series

Real: TypeAlias = NDArray[np.float64]
Whole: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Set: TypeAlias = frozenset[str]

LEAST = 12
"""Fewest counterfeits, and fewest people, to learn from and to test on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRows:
    """What the attacker knows of the rows: the owner's view, of which half is used to learn."""

    rows: Annotated[
        LinkageKey | None,
        Doc("The owner's key of the last release: rows that are in it are people."),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterfeits:
    """Tell counterfeits from people by size, rare items and pairs, persistence and similarity.

    With the owner's key, it learns from half of the counterfeits and is tested on the others.
    Without the key, it picks short sets with unusual pairs that occur in one release only.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("linkability",)

    halves: Annotated[
        int,
        Doc(
            "How many times the rows are divided anew, one half to learn from and one to be tested "
            "on; the mean is reported."
        ),
    ] = 5

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(halves=self.halves)

    def attack(self, releases: Releases[Clusters], knowledge: KnownRows | None = None) -> Findings:
        """Return how well the counterfeits of the last release are told from people."""
        releases = each_of(releases, Clusters)
        contents = tuple(each.content for each in releases)
        seen = features(Series(contents))
        summary: Summary = {
            "releases": len(contents),
            "rows": len(contents[-1]),
            "declared_counterfeits": int(contents[-1].counterfeits.sum()),
        }
        key = knowledge.rows if knowledge else None
        if key is not None:
            if not names_rows_of(key, releases[-1]):
                raise DataError(ANOTHER, parameter="rows")
            fake = _fakes(key, len(contents[-1]))
            summary["counterfeits"] = int(fake.sum())
            if LEAST <= fake.sum() <= len(fake) - LEAST:
                tested = [_tested(seen, fake, number) for number in range(self.halves)]
                summary["auc"] = float(np.mean(tested))
                # short, with an odd pair, seen once
                summary["auc_untaught"] = area(-seen[:, [0, 2, 3]].sum(axis=1), fake)
                summary |= _composition_risks(releases, seen, fake)
        return Findings(attack="counterfeits", claims=(), summary=summary)


def _fakes(key: LinkageKey, rows: int) -> Flags:
    fake = np.ones(rows, dtype=np.bool_)
    fake[key.real_records(rows)[0]] = False
    return fake


def features(series: Series) -> Real:
    """Return for each row of the last release numbers that may tell a counterfeit.

    Size; rarity of its rarest item; of its rarest pair of items; how many other releases have the
    set; how many rows of this one; the largest likeness to another set of its cluster.
    """
    content, number, times = series.releases[-1], series.numbers[-1], series.times
    sets, first, back = np.unique(number, return_index=True, return_inverse=True)
    distinct = [frozenset(items) for items in content.sets.take(first)]
    item, pair = _supports(distinct, times[-1, sets].tolist())
    rows = np.column_stack(
        [
            [len(one) for one in distinct],
            [min((item[name] for name in one), default=0) for one in distinct],
            [min((pair[two] for two in _pairs(one)), default=len(number)) for one in distinct],
            (times[:-1, sets] > 0).sum(axis=0),
            times[-1, sets],
            _likeness(distinct, content.cluster[first]),
        ]
    ).astype(np.float64)
    rows[:, [0, 1, 2, 4]] = np.log1p(rows[:, [0, 1, 2, 4]])
    rows = rows[back]
    deviation = rows.std(axis=0)
    scaled: Real = (rows - rows.mean(axis=0)) / np.where(deviation > 0, deviation, 1)
    return scaled


def _pairs(items: Set) -> Iterator[tuple[str, ...]]:
    return combinations(sorted(items), 2)


def _supports(
    distinct: list[Set], times: list[int]
) -> tuple[Counter[str], Counter[tuple[str, ...]]]:
    """Return how many rows hold each item and each pair."""
    item: Counter[str] = Counter()
    pair: Counter[tuple[str, ...]] = Counter()
    for one, rows in zip(distinct, times, strict=True):
        for name in one:
            item[name] += rows
        for two in _pairs(one):
            pair[two] += rows
    return item, pair


def _likeness(distinct: list[Set], cluster: NDArray[np.int64]) -> Real:
    """Return for each set the largest Jaccard similarity to another set of its cluster."""
    order = np.argsort(cluster, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(cluster[order])) + 1)
    best = np.zeros(len(distinct))
    for group in groups:
        for one, two in combinations(group.tolist(), 2):
            either = len(distinct[one] | distinct[two])
            like = len(distinct[one] & distinct[two]) / max(either, 1)
            best[one], best[two] = max(best[one], like), max(best[two], like)
    return best


def _composition_risks(releases: Sequence[Release[Clusters]], seen: Real, fake: Flags) -> Summary:
    """Return what composition gains by leaving out the rows of the last release that look made up.

    As many as there are counterfeits, by what both halves teach: the best guess there is. Also what
    it would gain from a list of all counterfeits.
    """
    score = np.empty(len(fake))
    half = np.arange(len(fake)) % 2 == 0
    for taught in (half, ~half):
        score[~taught] = _terms(seen[~taught]) @ _learnt(seen[taught], fake[taught])
    guessed = np.zeros(len(fake), dtype=np.bool_)
    guessed[np.argsort(-score, kind="stable")[: int(fake.sum())]] = True
    risks: Summary = {
        f"at_risk{name}": Composition(chains="none").at_risk(releases, _left_out(releases, rows))
        for name, rows in (("", np.zeros_like(fake)), ("_by_guess", guessed), ("_by_list", fake))
    }
    right = float(fake[guessed].mean())
    return {"guesses_right": right, **risks}


def _left_out(releases: Sequence[Release[Clusters]], rows: Flags) -> tuple[Whole, ...]:
    """Return for each release and cluster how many rows are left out, never all of a cluster."""
    *before, last = [each.content for each in releases]
    counts = np.bincount(last.cluster[rows], minlength=last.count)
    nobody = [np.zeros(each.count, dtype=np.int64) for each in before]
    return (*nobody, np.minimum(counts, last.size - 1))


def _tested(seen: Real, fake: Flags, number: int) -> float:
    """Learn from one half of the rows; return the area on the other."""
    half = np.zeros(len(fake), dtype=np.bool_)
    for kind in (fake, ~fake):
        rows = np.flatnonzero(kind)
        # halves that differ from time to time, and need no chance
        half[rows[(np.arange(len(rows)) * (2 * number + 3) // (number + 2)) % 2 == 0]] = True
    weights = _learnt(seen[half], fake[half])
    return area(_terms(seen[~half]) @ weights, fake[~half])


def _terms(seen: Real) -> Real:
    """Return a constant, the numbers and their products."""
    columns = combinations_with_replacement(seen.T, 2)
    return np.column_stack([np.ones(len(seen)), seen, *(one * two for one, two in columns)])


def _learnt(seen: Real, fake: Flags) -> Real:
    """Return the weights of a logistic regression, both kinds of rows weighing the same."""
    terms = _terms(seen)
    balance = np.where(fake, 0.5 / fake.sum(), 0.5 / (~fake).sum())
    weights = np.zeros(terms.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-np.clip(terms @ weights, -30, 30)))
        slope = terms.T @ (balance * (fake - chance)) - 1e-3 * weights
        curve = (terms * (balance * chance * (1 - chance))[:, None]).T @ terms
        weights = weights + np.linalg.solve(curve + 1e-3 * np.eye(len(weights)), slope)
    return weights


def area(score: Real, fake: Flags) -> float:
    """Return the probability that a counterfeit's score is above that of a real row.

    >>> area(np.array([3.0, 2.0, 1.0]), np.array([True, False, False]))
    1.0
    >>> area(np.zeros(4), np.array([True, False, True, False]))
    0.5
    """
    _, index, times = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(times) - (times - 1) / 2)[index]
    fakes, others = int(fake.sum()), int((~fake).sum())
    return float((rank[fake].sum() - fakes * (fakes + 1) / 2) / (fakes * others))
