"""What the owner calls sensitive, held against what a release protects as such.

A release says itself which items it protects. Where the original names others that the release
shows, alone or under a name of its hierarchy, a promise about secrets is not about these.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from discreet.core.clusters import Clusters
from discreet.core.guarantee import (
    Coherence,
    GroupedRhoUncertainty,
    Lkc,
    MInvariant,
    RhoUncertainty,
    SeriallyPreserving,
    SPreserving,
    TermDiversity,
)
from discreet.core.itemsets import Itemsets
from discreet.core.network import people_of
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict

OF_SECRETS = (
    Coherence,
    GroupedRhoUncertainty,
    Lkc,
    MInvariant,
    RhoUncertainty,
    SPreserving,
    SeriallyPreserving,
    TermDiversity,
)
"""Promises about sensitive items."""


def unless_unprotected(
    verdicts: tuple[Verdict, ...], release: Release[Any], original: object
) -> tuple[Verdict, ...]:
    """Return the verdicts; a promise about secrets is broken where the release protects others."""
    people = people_of(original)
    if not isinstance(people, Transactions) or not people.sensitive:
        return verdicts
    exposed = sorted(people.sensitive & frozenset(_unprotected(release)))
    if not exposed:
        return verdicts
    checked = "whether every item that is named as sensitive is protected as such"
    witness = f"{exposed[0]} is named as sensitive, and not protected here"
    return tuple(
        Verdict(guarantee=verdict.guarantee, holds=False, checked=checked, witness=witness)
        if isinstance(verdict.guarantee, OF_SECRETS) and verdict.holds is not False
        else verdict
        for verdict in verdicts
    )


def _unprotected(release: Release[Any]) -> Iterator[str]:
    """Name the items that a release shows and does not call sensitive, and those below them."""
    content = release.content
    if isinstance(content, Clusters):
        # private terms stand apart from the sets; in a set they are in clear
        yield from _occurring(content.sets)
    elif isinstance(content, Transactions | SetsWithNetwork):
        secrets, tree = release.sensitive or frozenset(), content.applied
        for name in _occurring(content.sets):
            if name not in secrets:
                yield name
                if tree is not None and name in tree.numbers:
                    yield from (leaf for leaf in tree.leaves(name) if leaf not in secrets)


def _occurring(sets: Itemsets) -> Iterator[str]:
    return (sets.vocabulary[item] for item in np.unique(sets.items).tolist())
