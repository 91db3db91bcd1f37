"""Whether anything is left to use: a remark beside the verdict, which is about people only."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

from discreet.core.clusters import BAG, Clusters
from discreet.core.findings import rounded_percent
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions

NEARLY_ALL: Final = 0.9
"""A loss from 0, nothing, to 1, everything, that leaves next to nothing."""

RULE: Final = (
    "Independently of the verdict: a measure that runs from 0 (nothing lost) to 1 (all lost) is "
    f"at {rounded_percent(NEARLY_ALL)} or more, or the release holds nothing that tells people "
    "apart (no item, every quasi-identifier suppressed, one class, everything at the root, no "
    "edge): nearly useless. So is a release that loses more than a trivial alternative would, in "
    "the same unit. The verdict is about risk to people, not about usefulness."
)
"""The rule, in words."""

LOST: Final = {
    "ncp": (
        "the certainty penalty is {share}: nearly every item was generalised almost completely "
        "or suppressed"
    ),
    "deleted_share": "{share} of all occurrences of items were deleted",
    "occurrences_suppressed": "{share} of all occurrences of items were left out",
    "suppressed_share": "{share} of the rows were left out of a table",
    "association_loss_ratio": "{share} of the association between sensitive attributes is lost",
    "query_error_existing": "counts of sets that people hold are off by {share} on average",
}
"""What a measure says where nearly all is lost, by its name; 1 is everything."""
KEPT: Final = {"edges_kept_share": "{share} of the friendships were lost"}
"""The same for measures of what is left; 0 is everything lost."""


def remarks_on_use(measured: Mapping[str, Any]) -> Iterator[str]:
    """Give a sentence for each measure by which nearly everything was lost.

    >>> list(remarks_on_use({"sets": {"deleted_share": 0.95, "ncp": 0.2}}))
    ['nearly useless: 95 % of all occurrences of items were deleted']
    """
    for name, value in measured.items():
        if isinstance(value, Mapping):
            yield from remarks_on_use(value)
        elif isinstance(value, int | float) and (name in LOST or name in KEPT):
            lost = float(value) if name in LOST else 1 - float(value)
            words = (LOST | KEPT)[name]
            if lost >= NEARLY_ALL:
                yield f"nearly useless: {words.format(share=rounded_percent(lost))}"


def remarks_on_content(release: Release[Any]) -> Iterator[str]:
    """Give a sentence for each way in which a release by itself tells next to nothing."""
    for fault in _emptied(release.content):
        yield f"nearly useless: {fault}"


def _emptied(content: Any) -> Iterator[str]:
    match content:
        case ItemsetHistogram():
            if not content.sets.sizes.any():
                yield "no itemset with an item is published"
        case ProjectedTables():
            yield from _of_tables(content)
        case Clusters():
            yield from _of_clusters(content)
        case GeneralisedSets() | Transactions() | SetsWithNetwork() | Network():
            yield from _of_people(content)


def _of_people(
    content: GeneralisedSets | Transactions | SetsWithNetwork | Network,
) -> Iterator[str]:
    if isinstance(content, GeneralisedSets):
        yield from _of_sets(content.sets, None)
        if len(content.blocks) == 1 and len(content.blocks[0]) > 1:
            yield "all items became one"
    elif not isinstance(content, Network):
        yield from _of_sets(content.sets, content.applied)
    if isinstance(content, SetsWithNetwork | Network):
        yield from ["no edge is published"] if len(content) > 1 and not len(content.edges) else []


def _of_clusters(content: Clusters) -> Iterator[str]:
    if content.count == 1 and len(content) > 1:
        yield "all people are in one cluster"
    if len(content.private_cluster) and (content.private_cluster == BAG).all():
        yield "no private term is in a cluster: all of them are in the bag"


def _of_sets(sets: Itemsets, applied: Hierarchy | None) -> Iterator[str]:
    if len(sets) and not len(sets.items):
        yield "every occurrence of an item is hidden"
    elif applied is not None and len(sets.items):
        occurring = {sets.vocabulary[item] for item in np.unique(sets.items)}
        if occurring == {applied.root}:
            yield "every item became the root of the hierarchy"


def _of_tables(content: ProjectedTables) -> Iterator[str]:
    for number, table in enumerate(content.parts, start=1):
        qids = [table[name].n_unique() for name in content.qids]
        if table.height > 1 and qids and max(qids) == 1:
            yield f"every quasi-identifier of table {number} is the same for all: one class"
