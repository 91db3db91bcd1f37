"""Every class holds well-represented sensitive values: the definitions read aloud."""

from collections.abc import Collection
from math import log

from discreet.core.exact import exact
from discreet.core.guarantees.distributions import LDiversity
from discreet.core.microdata import GAP
from discreet.core.projected_tables import ProjectedTables
from discreet.core.verdict import Verdict
from discreet.lazy import pl
from discreet.verify.classes import by_class, counts_of, named

_CHECKED = (
    "for every table, class and sensitive attribute, the values, gaps apart, and how often they "
    "occur"
)
_ROUNDING = 1e-9
"""Entropies are compared up to the rounding of logarithms."""


def l_diversity(content: ProjectedTables, claim: LDiversity) -> Verdict:
    """Look at the values of every sensitive attribute in every class."""
    if claim.kind == "distinct":
        poor = _poor(content, claim)
        return Verdict(guarantee=claim, holds=poor is None, checked=_CHECKED, witness=poor)
    for where, attribute, classes, _ in counts_of(content):
        for key, counts in classes.items():
            frequencies = [count for value, count in counts.items() if value != GAP]
            if not diverse(frequencies, claim.of(attribute)):
                witness = f"{where}: {named(content, key)} is not diverse enough"
                return Verdict(guarantee=claim, holds=False, checked=_CHECKED, witness=witness)
    return Verdict(guarantee=claim, holds=True, checked=_CHECKED)


def _poor(content: ProjectedTables, claim: LDiversity) -> str | None:
    """Find a class with too few distinct values."""
    for number, (table, names) in enumerate(zip(content.parts, content.sensitive, strict=True), 1):
        keys = [pl.col(name).alias(f"q{index}") for index, name in enumerate(content.qids)]
        # a gap is no value: it adds nothing
        distinct = [
            pl.col(name).filter(pl.col(name).cast(pl.String) != GAP).n_unique().alias(f"s{index}")
            for index, name in enumerate(names)
        ]
        classes = by_class(table, keys, distinct)
        for index, name in enumerate(names):
            few = classes.filter(classes[f"s{index}"] < int(claim.of(name).least))
            if few.height:
                key = few.row(0)[: len(content.qids)]
                return f"table {number}, {name}: {named(content, key)} is not diverse enough"
    return None


def diverse(counts: Collection[int], claim: LDiversity) -> bool:
    """Whether values that occur so often are diverse in the sense of the claim.

    >>> diverse([9, 1], LDiversity(l=2)), diverse([9, 1], LDiversity(l=2, kind="entropy"))
    (True, False)
    """
    if claim.kind == "distinct" or not counts:
        return len(counts) >= claim.least
    if claim.kind == "entropy":
        rows = sum(counts)
        entropy = -sum(count / rows * log(count / rows) for count in counts)
        return entropy >= log(claim.least) - _ROUNDING
    commonest_first = sorted(counts, reverse=True)
    rare = sum(commonest_first[int(claim.least) - 1 :])
    return commonest_first[0] < exact("c", claim.c or 0) * rare
