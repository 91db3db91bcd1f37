"""What it tells that clusters were joined: the first of them was too crowded by itself.

Whoever knows the method can cut the published sets as it did, in the public order, and sees which
parts it joined again. It would have published the first part of a cluster by itself if every term
had been rare enough there; so one was not, and its copies are rather with these people than with
those who come after.
"""

from fractions import Fraction
from math import expm1, log1p
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.guarantee import TermDiversity
from discreet.core.release import Release
from discreet.series.clusters.public_order import public_order, runs
from discreet.series.evidence.posterior_bounds import within

Whole = NDArray[np.int64]
Real = NDArray[np.float64]
ENDING = 2
"""The last clusters are left out: they may have been joined for what was left behind them."""
RARE = 1e-9
"""Of numbers no larger, and of no larger differences, rounding is left."""


class Crowded(NamedTuple):
    """Sets whose people hold a term more often than their cluster shows."""

    sets: Whole
    """The number of a set."""
    term: Whole
    """The term."""
    prior: Real
    """Its share of the cluster."""
    posterior: Real
    """Its probability if the first part of the cluster was too crowded by itself."""


def joined_clusters(release: Release[Clusters], numbers: Whole) -> Crowded:
    """Return who holds a term likelier than the cluster shows, by what was not published.

    ``numbers`` are those of the sets of the rows. Nothing follows from a release that does not say
    how it was cut, or whose clusters are not joined so.
    """
    chunks = [Crowded(*(np.empty(0, dtype=kind) for kind in (int, int, float, float)))]
    promised = [each.factor for each in release.guarantees if isinstance(each, TermDiversity)]
    cluster_size = release.manifest.parameters.get("cluster_size")
    cut: list[_Joined] = []
    if promised and isinstance(cluster_size, int):
        cut = _cut(release.content, numbers, cluster_size)
    offsets, terms, copies = release.content.private
    for joined in cut:
        here = slice(offsets[joined.cluster], offsets[joined.cluster + 1])
        posterior = _posteriors(joined.first, joined.people, copies[here], max(promised))
        prior = copies[here] / joined.people
        likelier = np.flatnonzero(posterior > prior * (1 + RARE))
        sets, term = (axis.ravel() for axis in np.meshgrid(joined.sets, likelier, indexing="ij"))
        chunks.append(Crowded(sets, terms[here][term], prior[term], posterior[term]))
    return Crowded(*(np.concatenate(column) for column in zip(*chunks, strict=True)))


class _Joined(NamedTuple):
    """A cluster of several parts."""

    cluster: int
    """Its number."""
    people: int
    """How many people it has."""
    first: int
    """How many of them are in its first part."""
    sets: Whole
    """The sets of the first part."""


def _cut(content: Clusters, numbers: Whole, cluster_size: int) -> list[_Joined]:
    """Cut the sets into parts as the method did; return the clusters that hold several."""
    names, row, which, counts = np.unique(
        numbers, return_index=True, return_inverse=True, return_counts=True
    )
    order = public_order(content.sets.take(row))
    part = np.empty(len(order), dtype=np.int64)
    part[order] = runs(counts[order], cluster_size)
    cluster = content.cluster[row]
    if (cluster[which] != content.cluster).any():
        return []
    size = np.bincount(part, counts).astype(np.int64)
    sets = np.split(names[np.argsort(part, kind="stable")], np.cumsum(np.bincount(part))[:-1])
    return [
        _Joined(home, int(size[begin:end].sum()), int(size[begin]), sets[begin])
        for begin, end, home in _spans(part, cluster)[:-ENDING]
        if end > begin + 1
    ]


def _spans(part: Whole, cluster: Whole) -> list[tuple[int, int, int]]:
    """Return where the parts of each cluster begin and end; nothing where they do not follow."""
    owner = np.empty(int(part.max(initial=-1)) + 1, dtype=np.int64)
    owner[part] = cluster
    begins = np.append(0, np.flatnonzero(np.diff(owner)) + 1)
    if (owner[part] != cluster).any() or len(begins) != len(np.unique(cluster)):
        return []
    ends = np.append(begins[1:], len(owner))
    return list(zip(begins.tolist(), ends.tolist(), owner[begins].tolist(), strict=True))


def _posteriors(first: int, people: int, copies: Whole, diversity: Fraction) -> Real:
    """Return for each term how likely one of the first people holds it.

    Some term has more copies than these may hold, whichever it is; nothing is known of the others.
    """
    chances = copies / people
    least = first // diversity + 1
    terms = np.flatnonzero(copies >= least).tolist()
    crowds = [within(people, int(copies[term]), first, least, first) for term in terms]
    some = _any_of(crowds)
    if some < RARE:
        return chances
    for index, term in enumerate(terms):
        others = _any_of([*crowds[:index], *crowds[index + 1 :]])
        own = within(people - 1, int(copies[term]) - 1, first - 1, least - 1, first - 1)
        chances[term] *= _any_of([own, others]) / some
    return np.minimum(chances, 1.0)


def _any_of(chances: list[float]) -> float:
    """Return the probability that one of some independent events happens.

    >>> _any_of([0.5, 0.5]), _any_of([1.0, 0.1]), _any_of([])
    (0.75, 1.0, 0.0)
    """
    if max(chances, default=0.0) >= 1:
        return 1.0
    return 0.0 - expm1(sum(log1p(-chance) for chance in chances))
