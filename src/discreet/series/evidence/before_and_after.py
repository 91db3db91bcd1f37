"""How likely people of a series of releases hold private terms, before and after comparing them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.guarantee import SeriallyPreserving
from discreet.core.release import Release
from discreet.errors import ParameterError
from discreet.series.evidence.joint_evidence import (
    Cover,
    Grouping,
    Posteriors,
    Series,
    cover_of,
    derived,
    judged,
)

Whole = NDArray[np.int64]
Real = NDArray[np.float64]

Links: TypeAlias = Literal["unique", "all"]
Reading: TypeAlias = Literal["exact", "merged", "paper"]

MOST_STEPS = 3_000_000_000
"""Steps through derived clusters that are still taken."""


@dataclass(frozen=True, eq=False)
class Beliefs:
    """Of some positions and terms of a grouping how likely they go together."""

    groups: Grouping
    """The grouping."""
    position: Whole
    """Of each belief the position of its set."""
    slot: Whole
    """Of each belief its group and term."""
    prior: Real
    """From the group alone."""
    direct: Posteriors
    """From overlaps with other releases."""
    through: Posteriors
    """Also through derived clusters."""
    overlaps: int
    """Overlaps looked at, each once."""
    clashes: int
    """Ranges that cannot be about the same people."""

    @cached_property
    def release(self) -> Whole:
        """Of each belief its release."""
        release: Whole = self.groups.release[self.groups.owner[self.position]]
        return release

    @cached_property
    def term(self) -> Whole:
        """Of each belief its term."""
        term: Whole = self.groups.terms[self.slot]
        return term

    def people(self, risky: NDArray[np.bool_]) -> int:
        """Return how many transactions have a risky belief about them."""
        positions = np.unique(self.position[risky])
        return int((self.groups.counts[positions] * self.groups.weights[positions]).sum())


def compared(series: Series, *, overlaps: Links, links: Links, depth: int, effort: int) -> Beliefs:
    """Compare the clusters of all releases, directly and ``depth`` steps through derived ones."""
    groups = series.clusters
    linked, where = groups.linking()
    cover = cover_of(groups) if overlaps == "all" else cover_of(linked).moved(where)
    direct = judged(groups, cover, effort=effort)
    through = direct
    if depth:
        chain = groups if links == "all" else linked
        further = _further(chain, depth)
        further = further if links == "all" else further.moved(where)
        slots = np.unique(further.slot)
        through = direct.updated(judged(groups, cover.joined(further), slots, effort=effort))
    return _beliefs(groups, cover, direct, through)


def _beliefs(groups: Grouping, cover: Cover, direct: Posteriors, through: Posteriors) -> Beliefs:
    index, slot = direct.positions(groups), direct.slot()
    return Beliefs(
        *(groups, index, slot, groups.prior[slot], direct, through),
        *(cover.overlaps // 2, cover.clashes),
    )


def _further(chain: Grouping, depth: int) -> Cover:
    """Return what follows through derived clusters, step by step."""
    known = cover_of(chain)
    whole: Cover | None = None
    for _ in range(depth):
        _refuse_explosion(chain, known)
        known = derived(chain, known)
        whole = known if whole is None else whole.joined(known)
    return whole if whole is not None else known


def _refuse_explosion(chain: Grouping, known: Cover) -> None:
    offsets, _ = chain.index
    meets = np.add.reduceat(
        np.append(np.diff(offsets)[chain.sets], 0),
        np.minimum(chain.set_offsets[:-1], len(chain.sets)),
    )
    meets = np.where(np.diff(chain.set_offsets) > 0, meets, 0)
    steps = int(meets[chain.slot_owner[known.slot]].sum())
    if steps > MOST_STEPS:
        msg = (
            f"following derived clusters would take {steps:,} steps; follow unique sets only "
            "(`links` unique), or fewer of them (a smaller `depth`)"
        )
        raise ParameterError(msg, parameter="links")


def compared_whole(series: Series, *, effort: int) -> tuple[Beliefs, Whole]:
    """Compare the releases as wholes; also return of each set the position that stands for it."""
    groups, kind = series.corpora
    cover = cover_of(groups)
    posteriors = judged(groups, cover, effort=effort)
    return _beliefs(groups, cover, posteriors, posteriors), kind


def holding_rates(
    series: Series,
    releases: Sequence[Release[Clusters]],
    beliefs: Beliefs,
    holds: NDArray[np.bool_],
) -> Real:
    """Return of each belief the population rate that its term is held against.

    The rate of its own release, or the largest of it and earlier ones with the same set where
    that is what was promised. ``holds`` says for each number of a set which releases have it.
    """
    term, release = beliefs.term, beliefs.release
    rates: Real = series.rates[release, term]
    largest = against_largest(releases)
    if largest.any():
        sets = beliefs.groups.sets[beliefs.position]
        best = rates.copy()
        for number in range(len(releases)):
            since = holds[sets, number] & (release > number)
            best = np.maximum(best, np.where(since, series.rates[number, term], 0.0))
        rates = np.where(largest[release], best, rates)
    return rates


def against_largest(releases: Sequence[Release[Clusters]]) -> NDArray[np.bool_]:
    """Return for each release whether its terms are held against the largest rate so far."""
    return np.array(
        [
            any(isinstance(p, SeriallyPreserving) and p.rate == "largest" for p in each.guarantees)
            for each in releases
        ]
    )
