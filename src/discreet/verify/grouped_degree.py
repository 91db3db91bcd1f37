"""Equal degrees within each group, read from the published edges."""

import numpy as np

from discreet.core.guarantees.rho import GroupedDegree
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.verdict import Verdict

_CHECKED = "the number of edges at every node, and the size of every group"


def grouped_degree(content: SetsWithNetwork, claim: GroupedDegree) -> Verdict:
    """Look for two nodes of a group that differ in degree, and for a group that is too small."""
    degree: dict[int, int] = {}
    size: dict[int, int] = {}
    ends = np.bincount(content.edges.ravel(), minlength=len(content))
    for group, edges in zip(content.group.tolist(), ends.tolist(), strict=True):
        size[group] = size.get(group, 0) + 1
        if degree.setdefault(group, edges) != edges:
            witness = f"group {group} has nodes with {degree[group]} and with {edges} friends"
            return Verdict(guarantee=claim, holds=False, checked=_CHECKED, witness=witness)
    for group, count in sorted(size.items()):
        if count < claim.least:
            witness = f"group {group} has {count} nodes, fewer than {claim.least}"
            return Verdict(guarantee=claim, holds=False, checked=_CHECKED, witness=witness)
    return Verdict(guarantee=claim, holds=True, checked=_CHECKED)
