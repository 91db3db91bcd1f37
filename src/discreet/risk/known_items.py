"""How many people fit a few known items of a person: a random choice of them, and the worst."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.kernels.supersets import holders_of
from discreet.measure.queries import answers, shared_items
from discreet.risk.reidentification import FEW
from discreet.rng import Rng, seeded

SAMPLE = 10_000
"""People looked at with a random choice of their items."""
SEARCHED = 1_000
"""Distinct sets looked at with the worst choice of their items."""
MOST_ITEMS = 100
"""Items of a person, the rarest, among which the worst are searched."""
RANDOM, WORST = 5, 3
"""Up to so many known items are tried, chosen at random and chosen to be the worst."""

Numbers = dict[str, int | float]


def singled_out(folded: ItemsetHistogram) -> dict[str, Numbers]:
    """Say for 1 to 5 known items how many people fit them: ``knowing_1`` ... ``knowing_5``.

    Of 10,000 people drawn among those with enough items, and a random choice of their items: how
    many fit nobody else, how many fit fewer than five people, for how many a further item follows
    with certainty, and ``mean_risk``, how often whoever picks one of those who fit has picked the
    right one. Up to three items also ``share_alone_by_worst`` and ``share_below_5_by_worst``: the
    same where an adversary happens to know the items that tell most, over all choices of everybody
    where there are up to 1,000 distinct sets with enough items, else of so many people drawn. Of
    a person with more than 100 items the rarest 100 are tried, so the share is at least that. All
    is drawn with a fixed seed: the same data have the same numbers.

    Parameters
    ----------
    folded
        The distinct sets with their counts.

    Returns
    -------
    dict of str to dict
        For each number of known items how many people they fit.
    """
    rng = seeded(0)
    return {
        f"knowing_{known}": _random_items(folded, known, rng)
        | (_worst_items(folded, known, rng) if known <= WORST else {})
        for known in range(1, RANDOM + 1)
    }


def _random_items(folded: ItemsetHistogram, known: int, rng: Rng) -> Numbers:
    people = _people(folded, known)
    drawn = people.drawn(SAMPLE, rng)
    asked = random_subsets(folded.sets, drawn, known, rng)
    fitting = answers(folded, asked)
    return {
        "people": people.total,
        "share_alone": _share(fitting == 1),
        "share_below_5": _share(fitting < FEW),
        "median_fitting": float(np.median(fitting)) if len(drawn) else 0.0,
        "mean_risk": float((1 / fitting).mean()) if len(drawn) else 0.0,
        "share_further_item_certain": _share(shared_items(folded, asked) > 0),
    }


def _worst_items(folded: ItemsetHistogram, known: int, rng: Rng) -> Numbers:
    from discreet.risk.kernels.worst_items import fewest_fitting

    sets, people = folded.sets, _people(folded, known)
    all_of_them = len(people.sets) <= SEARCHED
    chosen = people.sets if all_of_them else people.drawn(SEARCHED, rng)
    weights = people.counts if all_of_them else np.ones(SEARCHED, dtype=np.int64)
    holders = holders_of(sets.offsets, sets.items, len(sets.vocabulary))
    fewest = fewest_fitting(
        sets.offsets,
        sets.items,
        folded.counts,
        holders.starts,
        holders.rows,
        chosen,
        known,
        MOST_ITEMS,
    )
    total = max(1, int(weights.sum()))
    return {
        "share_alone_by_worst": int(weights[fewest == 1].sum()) / total,
        "share_below_5_by_worst": int(weights[fewest < FEW].sum()) / total,
    }


class _People(NamedTuple):
    """Those who hold enough items."""

    sets: NDArray[np.int64]
    """Their sets, by number."""
    counts: NDArray[np.int64]
    """How many have each."""

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def drawn(self, count: int, rng: Rng) -> NDArray[np.int64]:
        """Draw people, each as likely as any other, and return their sets."""
        if not len(self.sets):
            return self.sets
        numbers = rng.integers(self.total, count)
        return self.sets[np.searchsorted(np.cumsum(self.counts), numbers, side="right")]


def _people(folded: ItemsetHistogram, known: int) -> _People:
    able = np.flatnonzero((folded.sets.sizes >= known) & (folded.counts > 0))
    return _People(able, folded.counts[able])


def _share(hits: NDArray[np.bool_]) -> float:
    return float(hits.mean()) if len(hits) else 0.0


def random_subsets(sets: Itemsets, people: NDArray[np.int64], size: int, rng: Rng) -> Itemsets:
    """Choose ``size`` items of each person's set, every choice equally likely.

    Only the chosen items are touched, however long the sets are.
    """
    chosen: list[NDArray[np.int64]] = []
    for taken in range(size):
        left = (sets.sizes[people] - taken).astype(np.uint64)
        index = (rng.words(len(people)) % left).astype(np.int64)
        # the position among the items not chosen yet becomes one among all of them
        for before in np.sort(np.array(chosen).reshape(taken, len(people)), axis=0):
            index += index >= before
        chosen.append(index)
    positions = np.sort(np.array(chosen).reshape(size, len(people)), axis=0)
    items = sets.items[(sets.offsets[people] + positions).T.ravel()]
    return Itemsets(np.arange(len(people) + 1, dtype=np.int64) * size, items, sets.vocabulary)
