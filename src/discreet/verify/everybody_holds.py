"""Whether everybody in the clusters of a disassociated release can hold something, and by what."""

from typing import NamedTuple

import numpy as np

from discreet.verify.chunk_index import ChunkIndex

NAMED = 3
"""How many clusters of a contradiction are named."""


class Dealt(NamedTuple):
    """Shared sub-records given to people who can hold nothing else, to as many as can be."""

    given: dict[tuple[int, int], int]
    """For a cluster and a shared chunk how many of its sub-records these people get, if any."""
    spare: dict[int, int]
    """For each shared chunk how many sub-records are left."""
    contradiction: str
    """Where somebody is left with nothing in every deal, so that no data is behind it; or ''."""


def deal(index: ChunkIndex) -> Dealt:
    """Deal shared sub-records to the people for whom record chunks and terms have nothing.

    People who hold nothing are a cluster without content, so wherever there is content and no term
    everybody has a sub-record. As many people as a cluster's record chunks have sub-records get one
    of these; the others need shared ones, each of which is one person's: a flow.
    """
    spare = {chunk: index.sizes[chunk] for chunk in index.clusters_of}
    needy = [cluster for cluster, people in enumerate(index.needed) if people]
    for cluster in needy:
        if contradiction := _alone(index, cluster):
            return Dealt({}, spare, contradiction)
    flow = _flow(index, needy) if needy else {}
    got = dict.fromkeys(needy, 0)
    for (cluster, chunk), count in flow.items():
        spare[chunk] -= count
        got[cluster] += count
    short = [cluster for cluster in needy if got[cluster] < index.needed[cluster]]
    return Dealt(flow, spare, _together(index, flow, short[0]) if short else "")


def _alone(index: ChunkIndex, cluster: int) -> str:
    """Say where a cluster needs more than lies over it; or ''."""
    people, needed = index.people[cluster], index.needed[cluster]
    over = sum(index.sizes[chunk] for chunk in index.shared_over[cluster])
    if needed <= over:
        return ""
    there = f"{people - needed + over:,} sub-records are there for {people:,} people"
    return f"cluster {cluster}: {there}, and no terms for the others"


def _flow(index: ChunkIndex, needy: list[int]) -> dict[tuple[int, int], int]:
    """Deal to all clusters at once, none needing more than lies over it.

    The nodes are a source, the clusters in need, the shared chunks over them, and a sink.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    ties = [(cluster, chunk) for cluster in needy for chunk in index.shared_over[cluster]]
    node = {cluster: 1 + number for number, cluster in enumerate(needy)}
    chunks = sorted({chunk for _, chunk in ties})
    supply = {chunk: 1 + len(needy) + number for number, chunk in enumerate(chunks)}
    sink = 1 + len(needy) + len(chunks)
    edges = [(0, node[cluster], index.needed[cluster]) for cluster in needy]
    edges += [(node[cluster], supply[chunk], index.sizes[chunk]) for cluster, chunk in ties]
    edges += [(supply[chunk], sink, index.sizes[chunk]) for chunk in chunks]
    # scipy 1.14 has the flow of 32-bit numbers in places of 32 bits only
    begin, end, room = np.array(edges, dtype=np.int32).T
    graph = coo_array((room, (begin, end)), (sink + 1, sink + 1)).tocsr()
    # a tie without any flow is 0 there
    flow = maximum_flow(graph, 0, sink).flow.todok()
    counts = ((tie, int(flow[node[tie[0]], supply[tie[1]]])) for tie in ties)
    return {tie: count for tie, count in counts if count}


def _together(index: ChunkIndex, flow: dict[tuple[int, int], int], short: int) -> str:
    """Name clusters that need more than lies over all of them: a short one and those beside it.

    What lies over a short cluster was given to others in need, or it would have got it.
    """
    receivers: dict[int, list[int]] = {}
    for cluster, chunk in flow:
        receivers.setdefault(chunk, []).append(cluster)
    clusters, chunks, waiting = {short}, set[int](), [short]
    while waiting:
        for chunk in set(index.shared_over[waiting.pop()]) - chunks:
            chunks.add(chunk)
            beside = set(receivers.get(chunk, ())) - clusters
            clusters |= beside
            waiting += beside
    people = sum(index.needed[cluster] for cluster in clusters)
    parts = sum(index.sizes[chunk] for chunk in chunks)
    more = " and others" if len(clusters) > NAMED else ""
    names = ", ".join(map(str, sorted(clusters)[:NAMED]))
    return (
        f"clusters {names}{more}: {people:,} people can hold nothing but a shared sub-record, "
        f"and {parts:,} of these are there"
    )
