"""Which columns a promise about tables is about: by the release, and by the original.

A release says which of its columns are quasi-identifiers and which are published as they are; all
others are sensitive. Where none is of the kind that a promise is about, there was nothing to check;
and what the original calls by another role is not protected as its owner asked.
"""

from discreet.core.guarantee import TableGuarantee
from discreet.core.guarantees.distributions import (
    BetaLikeness,
    DeltaDisclosure,
    LDiversity,
    NTCloseness,
    TCloseness,
)
from discreet.core.guarantees.tables import (
    KAnonymity,
    MConfidentiality,
    ProjectionPlan,
    RtAnonymity,
)
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.verdict import Verdict
from discreet.lazy import pl

OF_SECRETS = (
    BetaLikeness,
    DeltaDisclosure,
    LDiversity,
    MConfidentiality,
    NTCloseness,
    TCloseness,
)
"""Promises about the values of sensitive attributes."""


def by_roles(
    content: ProjectedTables, claim: TableGuarantee, original: Microdata | None
) -> Verdict | None:
    """Judge a promise that needs no count: about no column, or about others than it should be."""
    if original is not None and (witness := _other_role(content, claim, original)):
        checked = "whether the columns of the release have the roles that they have in the original"
        return Verdict(guarantee=claim, holds=False, checked=checked, witness=witness)
    missing = _missing(content, claim)
    if missing is None or (original is not None and _left_out(missing, original)):
        return None
    checked = f"nothing: no column of the release is {missing} (--against tells which should be)"
    return Verdict(guarantee=claim, holds=None, checked=checked, needs=("--against",))


def _other_role(content: ProjectedTables, claim: TableGuarantee, original: Microdata) -> str | None:
    """Find a column that the release does not treat as its owner calls it."""
    published = {name for table in content.parts for name in table.columns}
    if foreign := sorted(published.difference(_columns(original, content))):
        return f"{foreign[0]} is no column of the original"
    secrets = {name for names in content.sensitive for name in names}
    known = {*content.qids, content.set_column}
    # where nobody holds a value, the bitmap has no column for it
    original = original.bitmap
    for name in (*original.qids, *original.set_columns):
        if name in published - known:
            return f"{name} is a quasi-identifier in the original, and none here"
    if isinstance(claim, KAnonymity | RtAnonymity):
        return None
    for name in original.sensitive:
        if name in published - secrets:
            return f"{name} is sensitive in the original, and not protected here"
    return None


def _columns(original: Microdata, content: ProjectedTables) -> set[str]:
    """Return the published names that stand for columns of the original, whatever their role.

    The values of a multi-valued attribute have a column of 0 and 1 each, ``NAME=VALUE``. What is
    known of people has none, and what holds anything else says more than who has the value.
    """
    own = {*original.table.columns, *original.left_out}
    secrets = {*original.sensitive, *original.left_out}
    # the original may be at hand as columns of 0 and 1 as well
    secrets |= {name.partition("=")[0] for name in original.sensitive}
    known = {*original.qids, *original.set_columns, *original.kept}
    return own | {
        name
        for table in content.parts
        for name in table.columns
        if (secrets - known) & _beginnings(name) and _is_bit(table[name])
    }


def _beginnings(name: str) -> set[str]:
    """Return what stands before each equals sign.

    >>> sorted(_beginnings("a=b=c"))
    ['a', 'a=b']
    """
    return {name[:at] for at, mark in enumerate(name) if mark == "="}


def _is_bit(column: "pl.Series") -> bool:
    return column.dtype.is_integer() and bool(column.is_in([0, 1]).all())


def _missing(content: ProjectedTables, claim: TableGuarantee) -> str | None:
    """Return which kind of column the promise is about where the release has none; or None."""
    if isinstance(claim, OF_SECRETS) and not any(content.sensitive):
        return "sensitive"
    if not isinstance(claim, ProjectionPlan) and not content.qids and content.set_column is None:
        return "a quasi-identifier"
    return None


def _left_out(missing: str, original: Microdata) -> bool:
    """Whether the original has such columns, which were all left out."""
    known = (*original.qids, *original.set_columns)
    return bool(original.sensitive if missing == "sensitive" else known)
