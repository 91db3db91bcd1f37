"""Girvan and Newman's communities of a large graph: long work, done once and kept."""

from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from discreet.core.sets_with_network import ascending
from discreet.networks.communities import communities
from discreet.papers.sampling import Lab
from discreet.study.result_cache import ResultCache

__all__ = ["kept_communities"]

ALGORITHM = "Girvan-Newman"


def kept_communities(lab: Lab, count: int, edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the community of each of ``count`` nodes, from the lab's folder if it is there.

    No chance is involved and nothing but the graph decides, so that is all the key holds: what was
    found once stays found, whatever else changes in the house.
    """
    ordered = ascending(edges)
    graph = sha256(ordered.astype("<i8").tobytes()).hexdigest()
    key = {"communities": ALGORITHM, "nodes": count, "edges": graph}
    cache = ResultCache(lab.folder)
    kept = cache.find(key)
    if kept is not None:
        return np.array(kept["member"], dtype=np.int64)
    member = communities(count, ordered, 0, algorithm=ALGORITHM)
    cache.keep(key, {"member": member.tolist()})
    return member
