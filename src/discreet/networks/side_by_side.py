"""Sets and a graph of the same people, each anonymised as if the other were not there."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.fields import check_fields
from discreet.core.graph import Network
from discreet.core.guarantee import Guarantee, KDegree, RhoUncertainty
from discreet.core.hierarchy import Hierarchy
from discreet.core.network import SocialNetwork
from discreet.core.publication import LinkageKey, Publication
from discreet.core.publisher import manifest_of, refuse_misfits
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork, ascending
from discreet.networks.dist import Dist
from discreet.networks.greedy_swap import GreedySwap
from discreet.networks.hiding.choices import keep_rows, sensitive_of
from discreet.networks.record_order import in_order, random_order
from discreet.networks.td_control import TdControl
from discreet.rng import Rng, secure

ForSets: TypeAlias = Literal["dist", "td-control"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySide:
    """Sets by Dist or TDControl and a graph by Greedy_Swap under the same numbers, for study.

    Wang, Lin, Bai, Chang, Li and Liu 2020, Example 1: what is published if nobody considers sets
    and friendships together. Each part keeps its own promise, and together they promise nothing: an
    item and the number of friends may single a person out. The attack `sets-and-degree` shows it,
    and `gp-asn` prevents it.
    """

    in_memory: ClassVar[str] = "it goes by the whole network"

    rho: Annotated[
        Exact,
        Doc("Largest confidence with which a sensitive item may follow from known items alone."),
    ]
    k: Annotated[int, Doc("Least number of people who have the same number of friends.")]
    sets: Annotated[ForSets, Doc("The method for the sets.")] = "dist"
    hierarchy: Annotated[
        Hierarchy | None,
        Doc("The public hierarchy of the items, for td-control and for comparisons."),
    ] = field(default=None, metadata={"unwritten": True})

    def __post_init__(self) -> None:
        check_fields(self)
        _ = self.guarantees

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What the sets promise by themselves, and what the graph promises by itself."""
        return (RhoUncertainty(rho=self.rho), KDegree(k=self.k))

    def publish(self, data: SocialNetwork, rng: Rng | None = None) -> Publication[SetsWithNetwork]:
        """Publish both under the row numbers of the sets."""
        refuse_misfits(data, SocialNetwork, rng)
        rng = rng or secure()
        method = Dist if self.sets == "dist" else TdControl
        order = random_order(data, rng)
        mixed = in_order(data, order)
        # as the paper has it: with every secret gone there would be nothing left to find together
        sets = method(rho=self.rho, hierarchy=self.hierarchy, plan="paper").publish(
            mixed.people, rng
        )
        graph = GreedySwap(k=self.k).publish(Network.of_people(mixed), rng)
        records = _records(sets.linkage_key, len(data))
        number = np.argsort(records)[_records(graph.linkage_key, len(data))]
        content = SetsWithNetwork(
            sets.release.content.sets,
            np.zeros(len(data), dtype=np.int64),
            ascending(number[graph.release.content.edges]),
            sets.release.content.applied,
        )
        notes = dict(sets.release.manifest.notes) | {"together": "nothing is promised"}
        sensitive = sensitive_of(data.people)
        manifest = manifest_of(self, "side-by-side", rng, notes, sensitive=sensitive)
        return Publication(Release(content, self.guarantees, manifest), keep_rows(order[records]))


def _records(key: LinkageKey | None, people: int) -> NDArray[np.int64]:
    """Return the record behind each row, by a key that these methods always leave."""
    if key is None:
        raise TypeError("a publication without a key cannot be joined to another")
    return key.records(people, people)
