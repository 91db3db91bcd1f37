"""Every value is nearly as frequent in a class as in its table: the definition read aloud."""

from math import inf, log

from discreet.core.guarantees.distributions import DeltaDisclosure
from discreet.core.projected_tables import ProjectedTables
from discreet.core.verdict import Verdict
from discreet.verify.classes import counts_of, named

_CHECKED = (
    "for every table, class and sensitive attribute, the logarithm of the ratio of each value's "
    "shares in the class and in the table"
)


def delta_disclosure(content: ProjectedTables, claim: DeltaDisclosure) -> Verdict:
    """Compare the share of every value of the table in every class with that in the table."""
    for tally in counts_of(content):
        everyone = sum(tally.whole.values())
        for key, counts in tally.classes.items():
            rows = sum(counts.values())
            for value, total in tally.whole.items():
                # the logarithm of a rational other than 1 is irrational, so no rounding decides
                count = counts.get(value, 0)
                ratio = abs(log(count * everyone / (rows * total))) if count else inf
                if ratio >= claim.most:
                    witness = f"{tally.where}: in {named(content, key)} |ln(q/p)| is {ratio:g}"
                    return Verdict(guarantee=claim, holds=False, checked=_CHECKED, witness=witness)
    return Verdict(guarantee=claim, holds=True, checked=_CHECKED)
