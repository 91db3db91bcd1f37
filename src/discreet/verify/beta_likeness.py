"""No value gains much in a class: the definition read aloud, in exact numbers."""

from fractions import Fraction
from math import log

from discreet.core.guarantees.distributions import BetaLikeness
from discreet.core.projected_tables import ProjectedTables
from discreet.core.verdict import Verdict
from discreet.verify.classes import counts_of, named

_CHECKED = (
    "for every table, class and sensitive attribute, how much the share of each value is above "
    "that in the table"
)


def beta_likeness(content: ProjectedTables, claim: BetaLikeness) -> Verdict:
    """Compare the share of every value in every class with its share in the table."""
    for tally in counts_of(content):
        everyone = sum(tally.whole.values())
        for key, counts in tally.classes.items():
            rows = sum(counts.values())
            for value, count in counts.items():
                p, q = Fraction(tally.whole[value], everyone), Fraction(count, rows)
                increase = (q - p) / p
                # -ln p is irrational for every p below 1, so no rounding decides
                over = increase > claim.most or (claim.enhanced and q > p and increase > -log(p))
                if over:
                    witness = (
                        f"{tally.where}: in {named(content, key)} a value has {float(increase):g} "
                        "times its share more than in the table"
                    )
                    return Verdict(guarantee=claim, holds=False, checked=_CHECKED, witness=witness)
    return Verdict(guarantee=claim, holds=True, checked=_CHECKED)
