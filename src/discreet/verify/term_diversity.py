"""At most one in l of a cluster's people holds any one private term."""

import numpy as np

from discreet.core.clusters import BAG, Clusters
from discreet.core.exact import in_small_terms
from discreet.core.guarantees.clusters import TermDiversity
from discreet.core.verdict import Verdict

_CHECKED = "for every cluster and private term, that copies times l are at most the cluster's size"


def term_diversity(content: Clusters, claim: TermDiversity) -> Verdict:
    """Compare the copies of every term with the size of its cluster."""
    inside = content.private_cluster != BAG
    size = content.size[content.private_cluster[inside]]
    copies = content.private_copies[inside]
    # in small terms, for an l of many digits would not fit the machine words of the comparison
    most = in_small_terms(1 / claim.factor, int(size.max(initial=1)))
    poor = np.flatnonzero(copies * most.denominator > size * most.numerator)
    witness = None
    if len(poor):
        entry = np.flatnonzero(inside)[poor[0]]
        term = content.terms[content.private_term[entry]]
        witness = f"cluster {content.private_cluster[entry]}: {term} has too many copies"
    return Verdict(guarantee=claim, holds=witness is None, checked=_CHECKED, witness=witness)
