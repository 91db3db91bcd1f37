"""At most one in l of a cluster's people holds any one private term."""

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import BAG, Clusters
from discreet.core.exact import in_small_terms
from discreet.core.guarantees.clusters import TermDiversity
from discreet.core.verdict import Verdict

_CHECKED = (
    "for every cluster and private term, that copies times l are at most the cluster's size, also "
    "if all copies in the bag were those of its people"
)


def term_diversity(content: Clusters, claim: TermDiversity) -> Verdict:
    """Compare the copies of every term with the size of its cluster."""
    # in small terms, for an l of many digits would not fit the machine words of the comparison
    share = in_small_terms(1 / claim.factor, int(content.size.max(initial=1)))
    most = content.size * share.numerator // share.denominator
    witness = _crowded(content, most) or _crowded_by_bag(content, most)
    return Verdict(guarantee=claim, holds=witness is None, checked=_CHECKED, witness=witness)


def _crowded(content: Clusters, most: NDArray[np.int64]) -> str | None:
    """Find a cluster that shows more copies of a term than its people may hold."""
    inside = np.flatnonzero(content.private_cluster != BAG)
    cluster = content.private_cluster[inside]
    above = inside[content.private_copies[inside] > most[cluster]]
    if not len(above):
        return None
    term = content.terms[content.private_term[above[0]]]
    return f"cluster {content.private_cluster[above[0]]}: {term} has too many copies"


def _crowded_by_bag(content: Clusters, most: NDArray[np.int64]) -> str | None:
    """Find a cluster whose people hold too many copies if those in the bag are theirs."""
    for term in np.flatnonzero(content.bag).tolist():
        copies = np.full(content.count, content.bag[term])
        here = (content.private_term == term) & (content.private_cluster != BAG)
        copies[content.private_cluster[here]] += content.private_copies[here]
        above = np.flatnonzero(np.minimum(copies, content.size) > most)
        if len(above):
            name = content.terms[term]
            return f"cluster {above[0]}: {name} has too many copies, those in the bag among them"
    return None
