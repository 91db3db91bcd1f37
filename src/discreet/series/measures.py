"""What published clusters keep of the data, and what that costs."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.kernels.ragged import offsets_of, runs
from discreet.rng import Rng, seeded

Whole = NDArray[np.int64]

CLASSES = {"low": (1, 10), "medium": (20, 40), "high": (70, 200)}
"""The supports of the queries, by the name of their class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssociationError:
    """The relative error of the support of pairs, one private and one not, by class of support."""

    errors: dict[str, float]
    """For each class the mean over queries and reconstructions, from 0 to 2."""
    queries: dict[str, int]
    """For each class how many pairs there were to ask about, up to the number wanted."""


def cluster_measures(
    data: Transactions, release: Release[Clusters], *, key: LinkageKey | None = None
) -> dict[str, Any]:
    """Return what a release keeps of the links between people and private terms.

    With the owner's key also the counterfeits that are not declared, and the people left out.
    """
    content = release.content
    bag, copies = int(content.bag.sum()), int(content.total.sum())
    measured: dict[str, Any] = {
        "published transactions": len(content),
        "clusters": content.count,
        "declared counterfeits, share": float(content.counterfeits.sum() / max(1, len(content))),
        "share of private copies in the bag": bag / max(1, copies),
        "private terms": len(content.terms),
        "private terms seen in clusters": len(set(content.private[1].tolist())),
    }
    if key is not None:
        real, _ = key.real_records(len(content), len(data))
        measured["perturbation rate"] = 1 - len(real) / max(1, len(content))
        measured["withheld, share"] = 1 - len(real) / max(1, len(data))
    association = association_error(data, content, seeded(2019))
    for name, (low, high) in CLASSES.items():
        if association.queries[name]:
            measured[f"relative error of pairs held by {low} to {high}"] = association.errors[name]
    return measured


def association_error(
    data: Transactions, content: Clusters, rng: Rng, *, queries: int = 10, rounds: int = 20
) -> AssociationError:
    """Return how far supports of pairs are off when private terms are handed out at random.

    Bewong, Liu, Liu and Li 2019, Formula 21: the difference over the mean of the true and the
    reconstructed support. In a reconstruction the copies of a cluster go to different members of
    it, and those of the bag to different people of the release, counterfeits included.

    Parameters
    ----------
    data
        The original data.
    content
        The published clusters.
    rng
        Where the randomness comes from.
    queries
        Most pairs of a class that are asked for.
    rounds
        How many reconstructions there are for each.

    Returns
    -------
    AssociationError
        For each class of pairs the mean error, and how many pairs were asked for.
    """
    first, second, supports = _pairs(data, content.terms)
    errors, asked = {}, {}
    for name, (low, high) in CLASSES.items():
        fitting = np.flatnonzero((supports >= low) & (supports <= high))
        chosen = fitting[rng.permutation(len(fitting))[:queries]]
        asked[name] = len(chosen)
        each = [
            _error(
                int(supports[query]),
                _rebuilt(content, data.universe[first[query]], int(second[query]), rng, rounds),
            )
            for query in chosen.tolist()
        ]
        errors[name] = float(np.mean(each)) if each else 0.0
    return AssociationError(errors=errors, queries=asked)


def _error(true: int, published: Whole) -> float:
    return float(np.mean(np.abs(true - published) / ((true + published) / 2)))


def _pairs(data: Transactions, private: tuple[str, ...]) -> tuple[Whole, Whole, Whole]:
    """Return the pairs of a plain item and a private term that people hold, and how many do."""
    number = {term: index for index, term in enumerate(private)}
    secret = np.array([number.get(item, -1) for item in data.universe], dtype=np.int64)
    hidden = np.array([item in data.sensitive or item in number for item in data.universe], bool)
    rows = data.sets.rows
    plain = ~hidden[data.items]
    starts = offsets_of(np.bincount(rows[plain], minlength=len(data)))
    occurrences = np.flatnonzero(secret[data.items] >= 0)
    count = np.diff(starts)[rows[occurrences]]
    items = data.items[plain][runs(starts[rows[occurrences]], count)].astype(np.int64)
    keys = items * max(1, len(private)) + np.repeat(secret[data.items[occurrences]], count)
    pairs, supports = np.unique(keys, return_counts=True)
    return pairs // max(1, len(private)), pairs % max(1, len(private)), supports


def _rebuilt(content: Clusters, item: str, term: int, rng: Rng, rounds: int) -> Whole:
    """Return for each reconstruction how many people hold both the item and the term."""
    holders = np.bincount(content.cluster[content.sets.holding([item])], minlength=content.count)
    offsets, terms, copies = content.private
    there = np.flatnonzero(terms == term)
    cluster = np.searchsorted(offsets, there, side="right") - 1
    met = _drawn(content.size[cluster], holders[cluster], copies[there], rng, rounds)
    everyone = np.array([len(content)]), holders.sum(keepdims=True), content.bag[[term]]
    return met + _drawn(everyone[0], everyone[1], everyone[2], rng, rounds)


def _drawn(size: Whole, holders: Whole, copies: Whole, rng: Rng, rounds: int) -> Whole:
    """Hand out copies to different members of groups; return how many holders got one."""
    if (copies > size).any():
        raise DataError("a private term must not have more copies than there are people to hold it")
    left = np.repeat(holders[None, :], rounds, axis=0).astype(np.int64)
    for copy in range(int(copies.max(initial=0))):
        going = np.flatnonzero(copies > copy)
        words = rng.words(rounds * len(going)).reshape(rounds, -1)
        chance = (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
        left[:, going] -= chance * (size[going] - copy) < left[:, going]
    got: Whole = (holders[None, :] - left).sum(axis=1)
    return got
