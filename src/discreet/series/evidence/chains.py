"""What chains of releases tell: the posterior over all worlds that fit every cluster at once."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.release import Release
from discreet.kernels.ragged import runs
from discreet.series.evidence.before_and_after import against_largest
from discreet.series.evidence.joint_evidence import Series
from discreet.series.evidence.joint_worlds import NONE, Fitted, Linked, fitted

Whole = NDArray[np.int64]
Real = NDArray[np.float64]
Columns: TypeAlias = tuple[Whole, Whole, Whole, Real, Real, Real]


class Chained(NamedTuple):
    """Sets and terms that go together with too high a probability, given all releases."""

    release: Whole
    sets: Whole
    term: Whole
    prior: Real
    """By the cluster alone."""
    posterior: Real
    rate: Real
    """The population rate that the posterior is held against."""
    people: int
    """How many transactions are meant."""
    components: dict[str, int]
    """How the components were counted."""


def chained(series: Series, releases: Sequence[Release[Clusters]], bounds: Real) -> Chained:
    """Return who is above the bound; ``bounds`` is that of each release, in times of the rate."""
    groups = series.clusters
    linked = Linked.of(
        series.numbers,
        [each.cluster for each in series.releases],
        [each.count for each in series.releases],
    )
    order = np.argsort(groups.terms, kind="stable")
    starts = np.searchsorted(groups.terms[order], np.arange(len(series.terms) + 1))
    # what a term is held against goes by the releases that people are in, and these are few
    inside, presence = np.unique(linked.clusters != NONE, axis=0, return_inverse=True)
    rates = _rates(series, releases, inside)
    chunks: list[Columns] = []
    counted = np.zeros(4, dtype=np.int64)
    risky_rows = np.zeros(linked.clusters.shape, dtype=np.bool_)
    for term in range(len(series.terms)):
        own = rates(term)
        if (own * bounds >= 1)[inside].all():
            continue
        slots = order[starts[term] : starts[term + 1]]
        copies = np.zeros(linked.count, dtype=np.int64)
        copies[groups.slot_owner[slots]] = groups.copies[slots]
        fit = fitted(linked, copies)
        counted += [fit.exact, fit.scaled, fit.not_converged, fit.contradictory]
        held_against = own[presence.reshape(-1)[fit.kind]]
        kind, release, prior, posterior, rate = _risky(
            linked, fit, copies / groups.size, held_against, bounds
        )
        risky_rows[kind, release] = True
        chunks.append((kind, release, np.full(len(kind), term), prior, posterior, rate))
    people = int((risky_rows * linked.people[:, None]).sum())
    names = ("exact", "by_entropy", "not_converged", "contradictory")
    components = {f"chains_{name}": int(n) for name, n in zip(names, counted, strict=True)}
    return Chained(*_by_set(linked, chunks), people, components)


def _risky(
    linked: Linked, fit: Fitted, alone: Real, rates: Real, bounds: Real
) -> tuple[Whole, Whole, Real, Real, Real]:
    """Return the kinds of people that are above a bound in a release, with prior and posterior.

    ``alone`` is what every cluster says by itself, which is no news of a chain; ``rates`` are
    those of each kind that is told of, by release, and ``bounds`` multiples of them. Of a set in
    several clusters nobody can say who is in which, so nothing is claimed of its component.
    """
    clusters = linked.clusters[fit.kind]
    inside = clusters != NONE
    unclear = (linked.unclear[clusters] & inside).any(axis=1)
    clear = inside & ~np.isin(fit.component, fit.component[unclear])[:, None]
    least = np.maximum(rates * bounds, alone[clusters]) * (1 + 1e-9)
    risky, release = np.nonzero(clear & (fit.posterior[:, None] > least))
    kind = fit.kind[risky]
    prior = alone[clusters[risky, release]]
    return kind, release, prior, fit.posterior[risky], rates[risky, release]


def _rates(
    series: Series, releases: Sequence[Release[Clusters]], inside: NDArray[np.bool_]
) -> Callable[[int], Real]:
    """Return a function that gives the rate that a term is held against in every release.

    ``inside`` says in which releases people are; there is a row of rates for each of its rows.
    """
    largest = against_largest(releases)

    def rates(term: int) -> Real:
        own = np.where(inside, series.rates[:, term], 0.0)
        return np.where(largest, np.maximum.accumulate(own, axis=1), series.rates[:, term])

    return rates


def _by_set(linked: Linked, chunks: list[Columns]) -> Columns:
    """Return each belief about a kind of people once for every set that they have."""
    empty = np.empty(0, dtype=np.int64)
    columns = [np.concatenate([empty, *each]) for each in zip(*chunks, strict=True)] or [empty] * 6
    sets, kinds = linked.rows
    order = np.argsort(kinds, kind="stable")
    starts = np.searchsorted(kinds[order], np.arange(len(linked.people) + 1))
    kind = columns[0].astype(np.int64)
    counts = np.diff(starts)[kind]
    names = sets[order[runs(starts[kind], counts)]]
    release, term, prior, posterior, rate = (np.repeat(column, counts) for column in columns[1:])
    return release.astype(np.int64), names, term.astype(np.int64), prior, posterior, rate
