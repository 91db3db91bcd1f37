"""Which item must be held by whoever holds one of another chunk: the cover problem, counted."""

from fractions import Fraction
from functools import cached_property
from math import floor

import numpy as np

from discreet.core.disassociated import Chunks, Disassociated


def covered(content: Disassociated, limit: Fraction) -> str:
    """Return an item that must follow from another one with too high a confidence; or ''.

    Among the n people of a chunk's clusters some number hold, at least, an item of other chunks; of
    the s who hold an item of this chunk all but ``n - least`` do. Of a term that is one person, who
    may be any, so what follows from a term is what everybody holds.
    """
    seen = _Seen(content)
    for kind, chunks in enumerate((content.chunks, content.shared)):
        for number in range(len(chunks)):
            clusters = chunks.over(number).tolist()
            own = seen.supports[kind][number]
            if not own:
                continue
            known = max(own, key=lambda item: own[item])
            missing = int(content.people[clusters].sum()) - own[known]
            for other in seen.suspects(clusters, own[known] - limit * own[known]):
                both = seen.least(other, clusters) - missing
                if other not in own and both > limit * own[known]:
                    one, another = content.universe[known], content.universe[other]
                    return f"of {own[known]} people with {one} at least {both} hold {another}"
    return _following_from_terms(content, seen, limit)


def _following_from_terms(content: Disassociated, seen: "_Seen", limit: Fraction) -> str:
    for cluster in np.flatnonzero(content.terms.sizes).tolist() if limit < 1 else []:
        for item in seen.suspects([cluster], Fraction(1)):
            name = content.universe[item]
            companions = [term for term in content.terms[cluster] if term != name]
            if seen.least(item, [cluster]) == content.people[cluster] and companions:
                return f"whoever holds {companions[0]} in cluster {cluster} holds {name}"
    return ""


class _Seen:
    """What a release says of items, chunk by chunk."""

    def __init__(self, content: Disassociated) -> None:
        self.content = content
        self.supports = [_supports(content.chunks), _supports(content.shared)]

    @cached_property
    def over(self) -> tuple[list[set[int]], list[set[int]]]:
        """The record chunks and the shared chunks of each cluster."""
        by_cluster: tuple[list[set[int]], list[set[int]]] = ([], [])
        for lists, chunks in zip(
            by_cluster, (self.content.chunks, self.content.shared), strict=True
        ):
            lists += [set() for _ in range(self.content.count)]
            for chunk, cluster in np.column_stack(chunks.places).tolist():
                lists[cluster].add(chunk)
        return by_cluster

    @cached_property
    def people_over(self) -> list[dict[int, int]]:
        """The clusters of each shared chunk, and how many people each has."""
        people, shared = self.content.people.tolist(), self.content.shared
        return [
            {cluster: people[cluster] for cluster in shared.over(chunk).tolist()}
            for chunk in range(len(shared))
        ]

    @cached_property
    def most(self) -> list[int]:
        """How many people hold the commonest item of each shared chunk."""
        return [max(supports.values(), default=0) for supports in self.supports[1]]

    def suspects(self, clusters: list[int], spare: Fraction) -> list[int]:
        """Return the items, ascending, without which fewer than ``spare`` of the people may be.

        Then fewer of the largest cluster are without it, in which an item has one place: its
        chunks, its terms, or a shared chunk, that tells what has no room in other clusters.
        """
        largest = max(clusters, key=lambda cluster: int(self.content.people[cluster]))
        people, shared = int(self.content.people[largest]), self.over[1][largest]
        # of people fewer than that nobody need be known to hold it
        least = max(0, floor(people - spare) + 1)
        certain = set(self._terms(largest)) if least <= 1 else set[int]()
        for chunk in self.over[0][largest]:
            certain |= {item for item, n in self.supports[0][chunk].items() if n >= least}
        beside = set[int]().union(
            *(self.over[1][cluster] for cluster in clusters if cluster != largest)
        )
        for chunk in shared:
            if chunk in beside or self.most[chunk] + people > sum(self.people_over[chunk].values()):
                elsewhere = self._elsewhere(chunk, clusters)
                certain |= {item for item, n in self.supports[1][chunk].items() if n > elsewhere}
        return sorted(certain) if least else list(range(len(self.content.universe)))

    def least(self, item: int, clusters: list[int]) -> int:
        """Return how many people of these clusters hold an item at least."""
        holders = 0
        for cluster in clusters:
            holders += item in self._terms(cluster)
            holders += sum(self.supports[0][chunk].get(item, 0) for chunk in self.over[0][cluster])
        for chunk in set[int]().union(*(self.over[1][cluster] for cluster in clusters)):
            if item in self.supports[1][chunk]:
                elsewhere = self._elsewhere(chunk, clusters)
                holders += max(0, self.supports[1][chunk][item] - elsewhere)
        return holders

    def _terms(self, cluster: int) -> list[int]:
        offsets, items = self.content.terms.offsets, self.content.terms.items
        own: list[int] = items[offsets[cluster] : offsets[cluster + 1]].tolist()
        return own

    def _elsewhere(self, chunk: int, clusters: list[int]) -> int:
        """Return how many people are in the other clusters of a shared chunk."""
        return sum(n for cluster, n in self.people_over[chunk].items() if cluster not in clusters)


def _supports(chunks: Chunks) -> list[dict[int, int]]:
    """Return for each chunk its items with the number of their sub-records."""
    supports: list[dict[int, int]] = [{} for _ in range(len(chunks))]
    for chunk, item, support in np.column_stack(chunks.supports).tolist():
        supports[chunk][item] = support
    return supports
