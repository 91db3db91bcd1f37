"""Which item must be held by whoever holds one of another chunk: the cover problem, counted."""

from fractions import Fraction
from functools import cached_property

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
            for other, least in seen.least(clusters).items():
                if other not in own and least - missing > limit * own[known]:
                    one, another = content.universe[known], content.universe[other]
                    both = least - missing
                    return f"of {own[known]} people with {one} at least {both} hold {another}"
    return _following_from_terms(content, seen, limit)


def _following_from_terms(content: Disassociated, seen: "_Seen", limit: Fraction) -> str:
    for cluster in np.flatnonzero(content.terms.sizes).tolist() if limit < 1 else []:
        for item, least in seen.least([cluster]).items():
            name = content.universe[item]
            others = [term for term in content.terms[cluster] if term != name]
            if least == content.people[cluster] and others:
                return f"whoever holds {others[0]} in cluster {cluster} holds {name}"
    return ""


class _Seen:
    """What a release says of items, chunk by chunk."""

    def __init__(self, content: Disassociated) -> None:
        self.content = content
        self.supports = [_supports(content.chunks), _supports(content.shared)]

    @cached_property
    def over(self) -> tuple[list[list[int]], list[list[int]]]:
        """The record chunks and the shared chunks of each cluster."""
        by_cluster: tuple[list[list[int]], list[list[int]]] = ([], [])
        for lists, chunks in zip(
            by_cluster, (self.content.chunks, self.content.shared), strict=True
        ):
            lists += [[] for _ in range(self.content.count)]
            for chunk, cluster in np.column_stack(chunks.places).tolist():
                lists[cluster].append(chunk)
        return by_cluster

    def least(self, clusters: list[int]) -> dict[int, int]:
        """Return for each item how many people of these clusters hold it at least."""
        holders: dict[int, int] = {}
        terms, people = self.content.terms, self.content.people
        for each in clusters:
            for item in terms.items[terms.offsets[each] : terms.offsets[each + 1]].tolist():
                holders[item] = holders.get(item, 0) + 1
            for chunk in self.over[0][each]:
                for item, support in self.supports[0][chunk].items():
                    holders[item] = holders.get(item, 0) + support
        for chunk in {chunk for each in clusters for chunk in self.over[1][each]}:
            others = set(self.content.shared.over(chunk).tolist()).difference(clusters)
            elsewhere = int(people[sorted(others)].sum())
            for item, support in self.supports[1][chunk].items():
                if support > elsewhere:
                    holders[item] = holders.get(item, 0) + support - elsewhere
        return holders


def _supports(chunks: Chunks) -> list[dict[int, int]]:
    """Return for each chunk its items with the number of their sub-records."""
    supports: list[dict[int, int]] = [{} for _ in range(len(chunks))]
    for chunk, item, support in np.column_stack(chunks.supports).tolist():
        supports[chunk][item] = support
    return supports
