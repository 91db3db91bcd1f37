"""Every degree that a node has, at least k nodes have: the definition read aloud."""

import numpy as np

from discreet.core.graph import Network
from discreet.core.guarantees.graphs import KDegree
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.verdict import Verdict

_CHECKED = "how many nodes have each degree, nodes without edges included"


def k_degree(content: Network | SetsWithNetwork, claim: KDegree) -> Verdict:
    """Count the nodes of every degree."""
    # by the nodes that have edges: how many have none, a number in a file may say as it likes
    degrees = np.unique(content.edges, return_counts=True)[1]
    distinct, nodes = np.unique(degrees, return_counts=True)
    if alone := len(content) - len(degrees):
        distinct, nodes = np.append(distinct, 0), np.append(nodes, alone)
    few = np.flatnonzero(nodes < claim.k)
    if len(few):
        worst = few[np.argmin(nodes[few])]
        witness = f"{nodes[worst]} nodes have degree {distinct[worst]}, not {claim.k}"
        return Verdict(guarantee=claim, holds=False, checked=_CHECKED, witness=witness)
    return Verdict(guarantee=claim, holds=True, checked=_CHECKED)
