"""Verifiers: one file per guarantee, the definition read aloud; they owe nothing to publishers."""

from collections.abc import Sequence
from typing import Any, TypeVar, assert_never

from discreet.data.constraints import Constraints
from discreet.data.contents import ItemsetHistogram
from discreet.data.guarantee import (
    DifferentialPrivacy,
    Guarantee,
    KAnonymity,
    LDiversity,
    NoAttributeLeakage,
    NTCloseness,
    ProjectionPlan,
    TableGuarantee,
    TCloseness,
)
from discreet.data.publication import Keep
from discreet.data.release import Release
from discreet.data.tables import ProjectedTables
from discreet.data.transactions import Transactions
from discreet.data.verdict import Verdict, Verdicts
from discreet.errors import DataError
from discreet.verify.k_anonymity import k_anonymity
from discreet.verify.l_diversity import l_diversity
from discreet.verify.no_attribute_leakage import no_attribute_leakage
from discreet.verify.nt_closeness import nt_closeness
from discreet.verify.projection_plan import projection_plan
from discreet.verify.t_closeness import t_closeness

__all__ = ["verify"]

C = TypeVar("C")


def verify(
    release: Release[Any],
    *,
    against: Transactions | None = None,
    after: Sequence[Release[Any]] = (),
    key: Keep | None = None,
    privacy: Constraints | None = None,
) -> Verdicts:
    """Check every guarantee that ``release`` claims, from its definition.

    Most guarantees need the release alone; ``against``, ``after``, ``key`` and ``privacy`` hand
    over what the others need. A guarantee that cannot be told is said to be so, never assumed.
    """
    return Verdicts(parts=tuple(_verdict(release, claim) for claim in release.guarantees))


def _verdict(release: Release[Any], claim: Guarantee) -> Verdict:
    match claim:
        case NoAttributeLeakage():
            return no_attribute_leakage(_content(release, ItemsetHistogram), claim)
        case DifferentialPrivacy():
            needed = (
                "cannot be told from a release: it is a property of the method, and "
                "`discreet audit-mechanism` tests that"
            )
            return Verdict(guarantee=claim, holds=None, checked=needed)
        case KAnonymity() | LDiversity() | TCloseness() | NTCloseness() | ProjectionPlan():
            return _of_tables(_content(release, ProjectedTables), claim)
        case _:
            assert_never(claim)


def _of_tables(content: ProjectedTables, claim: TableGuarantee) -> Verdict:
    match claim:
        case KAnonymity():
            return k_anonymity(content, claim)
        case LDiversity():
            return l_diversity(content, claim)
        case TCloseness():
            return t_closeness(content, claim)
        case NTCloseness():
            return nt_closeness(content, claim)
        case ProjectionPlan():
            return projection_plan(content, claim)
        case _:
            assert_never(claim)


def _content(release: Release[Any], kind: type[C]) -> C:
    if not isinstance(release.content, kind):
        held = type(release.content).__name__
        msg = f"this guarantee is about {kind.__name__}, but the release holds {held}"
        raise DataError(msg)
    return release.content
