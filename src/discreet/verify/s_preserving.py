"""In no cluster is a private term more than r_th times as frequent as in the population."""

from fractions import Fraction

import numpy as np

from discreet.core.clusters import Clusters
from discreet.core.guarantees.clusters import SPreserving
from discreet.core.verdict import Verdict

_CHECKED = (
    "for every cluster and private term, copies in the cluster and its share of the bag over its "
    "size, against r_th times the published rate; and that all rates are of one population"
)


def s_preserving(content: Clusters, claim: SPreserving) -> Verdict:
    """Hold the rate of every term in every cluster against its population rate."""
    witness = _strange_rate(content) or _exceeding(content, claim.factor)
    return Verdict(guarantee=claim, holds=witness is None, checked=_CHECKED, witness=witness)


def _strange_rate(content: Clusters) -> str | None:
    """Find a rate that is not copies over people, the same people for every term."""
    people = {
        Fraction(int(total)) / rate
        for total, rate in zip(content.total, content.rates, strict=True)
    }
    if len(people) > 1:
        return "the published rates are not rates of one population"
    if people and not 0 < max(people) <= len(content):
        return "the published rates are of more people than are published"
    return None


def _exceeding(content: Clusters, factor: Fraction) -> str | None:
    """Find a cluster in which a term is too frequent."""
    size, real = content.size, content.size - content.counterfeits
    people = max(int(real.sum()), 1)
    for number, term in enumerate(content.terms):
        counts = np.zeros(content.count, dtype=np.int64)
        mask = (content.private_term == number) & (content.private_cluster >= 0)
        counts[content.private_cluster[mask]] = content.private_copies[mask]
        bound = factor * content.rates[number]
        # (copies + share of the bag) / size > bound, without a fraction
        copies = counts * people + real * int(content.bag[number])
        allowed = size * people
        most = max(int(copies.max()), int(allowed.max()))
        if most * max(bound.as_integer_ratio()) >= 1 << 62:
            copies, allowed = copies.astype(object), allowed.astype(object)
        above = np.flatnonzero(copies * bound.denominator > allowed * bound.numerator)
        if len(above):
            return f"cluster {above[0]}: {term} is more than r_th times as frequent as anywhere"
    return None
