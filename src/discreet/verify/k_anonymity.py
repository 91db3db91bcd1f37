"""Every class has at least k rows: the definition read aloud."""

from discreet.core.guarantees.tables import KAnonymity
from discreet.core.projected_tables import ProjectedTables
from discreet.core.verdict import Verdict
from discreet.verify.classes import classes_of, named

_CHECKED = "for every table, how many rows share each combination of quasi-identifiers"


def k_anonymity(content: ProjectedTables, claim: KAnonymity) -> Verdict:
    """Count the rows of every class of every table."""
    for where, classes in classes_of(content):
        small = classes.filter(classes["rows"] < claim.k)
        if small.height:
            *key, rows = small.sort("rows").row(0)
            witness = f"{where}: {named(content, tuple(key))} has {rows} rows, not {claim.k}"
            return Verdict(guarantee=claim, holds=False, checked=_CHECKED, witness=witness)
    return Verdict(guarantee=claim, holds=True, checked=_CHECKED)
