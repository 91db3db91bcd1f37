"""How right eliminations from generalised sets are, through the owner's key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.findings import Findings
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.score import Advantage, Rate, Score
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.measure.score import one_for_each

STEPS = 10
"""Classes of density, of equal width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The members of generalised items as candidates for what a person holds, counted."""

    all: int
    """Members of the generalised items of all rows."""
    added: int
    """Those that the person does not hold."""
    eliminated: int
    """Those that the attack took for added."""
    right: int
    """Those of them that were added."""
    people: int
    """Rows of which something was eliminated."""

    @property
    def density(self) -> float:
        """The share of candidates that are original."""
        return 1 - self.added / max(1, self.all)

    @property
    def precision(self) -> Rate:
        """How many of the eliminated were added; 1 where nothing was eliminated."""
        share = self.right / self.eliminated if self.eliminated else 1.0
        return Rate(share=share, people=self.people)

    @property
    def recall(self) -> Rate:
        """How many of the added were eliminated."""
        return Rate(share=self.right / max(1, self.added), people=self.people)

    @property
    def f(self) -> float:
        """The harmonic mean of the two."""
        return 2 * self.right / max(1, self.eliminated + self.added)

    @property
    def by_chance(self) -> tuple[float, float]:
        """Precision and recall of as many eliminations at random."""
        return self.added / max(1, self.all), self.eliminated / max(1, self.all)

    def record(self) -> dict[str, Any]:
        """Return the counts and shares as a plain mapping."""
        precision, recall = self.by_chance
        return {
            "candidates": self.all,
            "added": self.added,
            "density": self.density,
            "eliminated": self.eliminated,
            "precision": self.precision.record(),
            "recall": self.recall.record(),
            "f": self.f,
            "precision_at_random": precision,
            "recall_at_random": recall,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Eliminations:
    """How much of what generalisation hid an attack brings to light."""

    total: Candidates
    """All generalised items together: counts are summed, not averaged (micro)."""
    by_density: tuple[tuple[float, Candidates], ...]
    """The same for generalised items of like density, each with the lower end of its class."""
    reconstructed: Rate
    """Rows with generalised items that are now exactly the original, apart from what is missing."""
    before: Rate
    """Rows of which that was so without the attack: nothing had been added."""
    candidates_before: float
    """People who could hold an item that was hidden, on average over everyone who holds one."""
    candidates_after: float
    """The same after elimination."""
    excluded: Rate
    """How often the person who holds it is wrongly no longer among them."""

    def score(self, claims: int) -> Score:
        """Return the precision beside that of as many eliminations at random, and what follows."""
        total = self.total
        at_random = [Rate(share=share, people=total.people) for share in total.by_chance]
        words = "is right about {share} of what it eliminates"
        return Score(
            claims=claims,
            advantages=(Advantage(words=words, success=total.precision, baseline=at_random[0]),),
            rates=(
                ("of the eliminated were added (precision)", total.precision),
                ("as many at random would have been", at_random[0]),
                ("of the added were eliminated (recall)", total.recall),
                ("as many at random would have been", at_random[1]),
                ("transactions fully reconstructed", self.reconstructed),
                ("without the attack", self.before),
                ("originals wrongly eliminated", self.excluded),
            ),
            remarks=(
                f"F {total.f:.3f} at density {total.density:.3f}.",
                f"Who holds a hidden item is one of {self.candidates_before:,.1f} people on "
                f"average before the attack, and of {self.candidates_after:,.1f} after it.",
            ),
            figures=self._figures(),
        )

    def _figures(self) -> dict[str, Any]:
        return self.total.record() | {
            "by_density": [{"from": low} | counts.record() for low, counts in self.by_density],
            "reconstructed": self.reconstructed,
            "reconstructed_before": self.before,
            "candidate_people_before": self.candidates_before,
            "candidate_people_after": self.candidates_after,
            "wrongly_excluded": self.excluded,
        }


def score_generalised(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Sequence[Release[GeneralisedSets]],
    keys: Sequence[LinkageKey],
) -> Score:
    """Score what was eliminated from generalised items against what each person holds."""
    one_for_each(truth, releases, keys)
    per_release = [
        _Cells.of(people, release.content, key, *_eliminated(findings, index, release.content))
        for index, (people, release, key) in enumerate(zip(truth, releases, keys, strict=True))
    ]
    return _joined(per_release).score(len(findings))


def eliminations(
    truth: Transactions,
    content: GeneralisedSets,
    key: LinkageKey,
    rows: NDArray[np.int64],
    items: Sequence[str],
) -> Eliminations:
    """Return how right it is to eliminate these ``items`` from these ``rows`` of a release."""
    return _joined([_Cells.of(truth, content, key, rows, items)])


def _eliminated(
    findings: Findings, index: int, content: GeneralisedSets
) -> tuple[NDArray[np.int64], list[str]]:
    """Return the row and the item of everything eliminated from one release."""
    rows: list[int] = []
    items: list[str] = []
    for claim in findings.claims:
        if claim.release == index + 1:
            rows += [claim.row] * len(claim.eliminated)
            items += claim.eliminated
    if any(item not in content.block_of for item in items):
        msg = "the claims must be about this release, and they name items that are not in it"
        raise DataError(msg)
    return np.array(rows, dtype=np.int64), items


@dataclass(frozen=True, slots=True)
class _Cells:
    """Candidates of one release, counted for each row and for each generalised item."""

    rows: NDArray[np.int64]
    """For each row with generalised items: candidates, added, eliminated, right."""
    blocks: NDArray[np.int64]
    """The same for each generalised item."""
    people: NDArray[np.int64]
    """For each generalised item the rows of which something was eliminated."""
    touched: int
    """Rows of which something was eliminated."""
    before: float
    """Candidate people summed over the original items of all rows."""
    after: float

    @classmethod
    def of(
        cls,
        truth: Transactions,
        content: GeneralisedSets,
        key: LinkageKey,
        rows: NDArray[np.int64],
        items: Sequence[str],
    ) -> "_Cells":
        count, blocks = len(content), len(content.blocks)
        row, item, block = _originals(truth, content, key)
        sizes = np.array([len(members) for members in content.blocks], dtype=np.int64)
        sets = content.sets
        hidden = ~content.trivial[sets.items]
        cell_row = sets.rows[hidden]
        cell_block = sets.items[hidden]
        number = {name: index for index, name in enumerate(truth.universe)}
        gone = np.array([number.get(name, len(number)) for name in items], dtype=np.int64)
        home = np.array([content.block_of[name] for name in items], dtype=np.int64)
        wide = len(truth.universe) + 1
        wrong = np.isin(rows * wide + gone, row * wide + item)
        by_row = _counted(cell_row, sizes[cell_block], row, rows, wrong, count)
        by_block = _counted(cell_block, sizes[cell_block], block, home, wrong, blocks)
        pairs = np.unique(rows * blocks + home)
        # how many rows an item was eliminated from is how many people are no candidates any more
        fewer = np.bincount(gone, minlength=wide)[item]
        support = content.supports[block]
        return cls(
            by_row[by_row[:, 0] > 0],
            by_block[~content.trivial],
            np.bincount(pairs % blocks, minlength=blocks)[~content.trivial],
            len(np.unique(rows)),
            float(support.sum()),
            float((support - fewer).sum()),
        )


def _counted(
    at: NDArray[Any],
    sizes: NDArray[np.int64],
    original: NDArray[np.int64],
    gone: NDArray[np.int64],
    wrong: NDArray[np.bool_],
    count: int,
) -> NDArray[np.int64]:
    """Return candidates, added, eliminated and right, for each row or each block."""
    counts = np.zeros((count, 4), dtype=np.int64)
    counts[:, 0] = np.bincount(at, weights=sizes, minlength=count)
    counts[:, 1] = counts[:, 0] - np.bincount(original, minlength=count)
    counts[:, 2] = np.bincount(gone, minlength=count)
    counts[:, 3] = counts[:, 2] - np.bincount(gone[wrong], minlength=count)
    return counts


def _originals(
    truth: Transactions, content: GeneralisedSets, key: LinkageKey
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return row, item and block of everything people hold that stands in a generalised item."""
    records = truth.sets.take(key.records(len(content), len(truth)))
    block_of = np.array([content.block_of.get(name, -1) for name in truth.universe], dtype=np.int64)
    rows = records.rows
    items = records.items.astype(np.int64)
    block = block_of[items]
    kinds = np.append(~content.trivial, False)  # in no block: not hidden
    hidden = kinds[block]
    rows, items, block = rows[hidden], items[hidden], block[hidden]
    wide = len(content.blocks)
    every = content.sets.rows * wide + content.sets.items
    present = np.isin(rows * wide + block, every)
    if not present.all():
        msg = "the truth must be the data that were published, and a row lacks what a person holds"
        raise DataError(msg)
    return rows, items, block


def _joined(per_release: Sequence[_Cells]) -> Eliminations:
    rows = np.concatenate([cells.rows for cells in per_release])
    blocks = np.concatenate([cells.blocks for cells in per_release])
    people = np.concatenate([cells.people for cells in per_release])
    original = int((rows[:, 0] - rows[:, 1]).sum())
    wrong = int((rows[:, 2] - rows[:, 3]).sum())
    exact = (rows[:, 1] == rows[:, 3]) & (rows[:, 2] == rows[:, 3])
    count = len(rows)
    return Eliminations(
        total=_candidates(blocks, sum(cells.touched for cells in per_release)),
        by_density=tuple(_by_density(blocks, people)),
        reconstructed=Rate(share=float(exact.mean()) if count else 0.0, people=count),
        before=Rate(share=float((rows[:, 1] == 0).mean()) if count else 0.0, people=count),
        candidates_before=sum(cells.before for cells in per_release) / max(1, original),
        candidates_after=sum(cells.after for cells in per_release) / max(1, original),
        excluded=Rate(share=wrong / max(1, original), people=count),
    )


def _candidates(counts: NDArray[np.int64], people: int) -> Candidates:
    every, added, gone, right = counts.sum(axis=0).tolist()
    return Candidates(all=every, added=added, eliminated=gone, right=right, people=people)


def _by_density(
    blocks: NDArray[np.int64], people: NDArray[np.int64]
) -> "list[tuple[float, Candidates]]":
    original = blocks[:, 0] - blocks[:, 1]
    # a density of exactly 1 belongs to the last class
    step = np.minimum(STEPS - 1, STEPS * original // np.maximum(1, blocks[:, 0]))
    return [
        (each / STEPS, _candidates(blocks[step == each], int(people[step == each].sum())))
        for each in np.unique(step).tolist()
    ]
