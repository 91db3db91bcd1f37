"""How many people can hold a set of items in a possible original of a disassociated release."""

from collections.abc import Collection
from typing import NamedTuple

from discreet.core.disassociated import Disassociated
from discreet.verify.best_original import Program
from discreet.verify.chunk_index import ChunkIndex, Demand
from discreet.verify.everybody_holds import Dealt, deal


class Range(NamedTuple):
    """Between which numbers the most people are."""

    least: int
    """So many people hold the items in some possible original."""
    most: int
    """No possible original has more."""


class Originals:
    """The data sets that can be behind a release, which it counts without listing them."""

    def __init__(self, index: ChunkIndex, dealt: Dealt) -> None:
        self.index = index
        self.dealt = dealt
        self.looked = 0
        """How many clusters were looked at for a set of items so far, which takes time."""
        self.solved = 0
        """How many unknowns were solved for so far, which takes more of it."""

    @classmethod
    def of(cls, content: Disassociated) -> "Originals":
        """Return the possible originals of a release."""
        index = ChunkIndex(content)
        return cls(index, deal(index))

    def most(self, items: Collection[int]) -> int | None:
        """Return how many people hold all of ``items`` in that possible original with the most.

        None where the search for it came to its limit.
        """
        demands = [
            demand for cluster in self._clusters(items) if (demand := self._demand(cluster, items))
        ]
        program = Program(self.index, demands)
        self.solved += len(program.unknowns)
        return program.solve() if demands else 0

    def between(self, items: Collection[int], enough: int) -> Range:
        """Return between which numbers the most people are; at once where some are ``enough``.

        Everybody else keeps what was dealt to them in one possible original, which gives the lower
        number; for the upper one a cluster uses what lies over it as if no other did.
        """
        deal = _Deal(self.index, self.dealt)
        upper: dict[int, int] = {}
        least = most = 0
        for cluster in self._clusters(items):
            demand = self._demand(cluster, items)
            if demand is None:
                continue
            least += deal.take(demand)
            if least >= enough:
                break
            tied = min(demand.shared, default=None)
            if tied is None:
                most += demand.most
            else:
                upper[tied] = min(demand.shared[tied], upper.get(tied, 0) + demand.most)
        return Range(least, max(least, most + sum(upper.values())))

    def _clusters(self, items: Collection[int]) -> list[int]:
        """Return clusters in which one of the items could be held, the item with the fewest."""
        return min((self.index.clusters_with.get(item, []) for item in items), key=len)

    def _demand(self, cluster: int, items: Collection[int]) -> Demand | None:
        self.looked += 1
        return self.index.demand(cluster, items)


class _Deal:
    """Shared sub-records that are left in one possible original, used up cluster by cluster."""

    def __init__(self, index: ChunkIndex, dealt: Dealt) -> None:
        self.index = index
        self.dealt = dealt
        self.used: dict[int, int] = {}

    def take(self, demand: Demand) -> int:
        """Return how many people of a cluster can hold the items beside those counted before."""
        people = demand.most
        for chunk, fitting in demand.shared.items():
            people = min(people, fitting - self.used.get(chunk, 0), self._left(chunk))
        people = self._leaving_enough(demand, people)
        for chunk in demand.shared:
            self.used[chunk] = self.used.get(chunk, 0) + people
        return people

    def _leaving_enough(self, demand: Demand, people: int) -> int:
        """Return how many of the people can take their sub-records and leave one for all others.

        Those from whom one is taken get shared ones that are left.
        """
        index, cluster, further = self.index, demand.cluster, demand.record_chunks - 1
        if further < 1 or index.has_terms[cluster]:
            return people
        own = index.own_parts[cluster] + index.needed[cluster] - index.people[cluster]
        left = {
            chunk: self._left(chunk)
            for chunk in index.shared_over[cluster]
            if chunk not in demand.shared
        }
        people = min(people, (own + sum(left.values())) // further)
        lacking = further * people - own
        for chunk, count in left.items():
            taken = min(count, max(0, lacking))
            self.used[chunk] = self.used.get(chunk, 0) + taken
            lacking -= taken
        return people

    def _left(self, chunk: int) -> int:
        """Return how many sub-records of a shared chunk nobody got so far."""
        return self.dealt.spare[chunk] - self.used.get(chunk, 0)
