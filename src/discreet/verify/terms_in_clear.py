"""A private term in the set that a person is known by tells for certain who holds it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from discreet.core.clusters import Clusters
from discreet.core.lineage import content_of
from discreet.core.release import Release
from discreet.core.verdict import Verdict


def unless_in_clear(verdict: Verdict, series: Sequence[Release[Any]]) -> Verdict:
    """Return a verdict about clusters; broken where a set of the releases names a private term."""
    contents = [content_of(release, index) for index, release in enumerate(series, start=1)]
    terms = {term for content in contents for term in content.terms}
    named = min((term for content in contents for term in _shown(content) & terms), default=None)
    if named is None or verdict.holds is False:
        return verdict
    checked = "whether a set that a person is known by names a private term"
    witness = f"{named} is a private term, and one of the published sets names it"
    return replace(verdict, holds=False, checked=checked, witness=witness, needs=())


def _shown(content: Clusters) -> set[str]:
    """Return the items that the sets name."""
    return {content.sets.vocabulary[item] for item in np.unique(content.sets.items).tolist()}
