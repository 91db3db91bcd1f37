"""Promises that hold of whatever is published, so that they protect nobody."""

from typing import Any

from discreet.core.clusters import Clusters
from discreet.core.disassociated import Disassociated as DisassociatedSets
from discreet.core.exact import exact
from discreet.core.guarantee import (
    Coherence,
    ConstraintSupport,
    Disassociated,
    GroupedDegree,
    GroupedRhoUncertainty,
    Guarantee,
    KAnonymity,
    KDegree,
    KmAnonymity,
    LDiversity,
    Lkc,
    MInvariant,
    NTCloseness,
    RhoUncertainty,
    RtAnonymity,
    SeriallyPreserving,
    SPreserving,
    TCloseness,
    TermDiversity,
)
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.core.synthetic_people import SyntheticPeople


def promises_nothing(claim: Guarantee, release: Release[Any]) -> bool:
    """Whether a promise would hold of any data as they are: one of one, a confidence up to 1."""
    if isinstance(claim, SPreserving | SeriallyPreserving):
        return _any_rate(release.content, claim)
    return _of_one(claim) or _any_share(claim)


def _of_one(claim: Guarantee) -> bool:
    """Whether a promise is of one person at least, and nothing else is bounded."""
    match claim:
        case KAnonymity() | KmAnonymity() | ConstraintSupport() | RtAnonymity() | KDegree():
            return claim.k == 1
        case Disassociated():
            return claim.k == 1 and claim.cover in (None, 1)
        case Coherence():
            return claim.k == 1 and claim.h == 1
        case Lkc():
            return claim.k == 1 and claim.c == 1
        case GroupedDegree():
            return claim.least == 1
        case _:
            return isinstance(claim, MInvariant) and claim.m == 1


def _any_share(claim: Guarantee) -> bool:
    """Whether a bound on shares or distances lets every value through."""
    match claim:
        case RhoUncertainty() | GroupedRhoUncertainty():
            return claim.rho == 1 and not claim.strict and not claim.no_secret_left
        case LDiversity():
            # the commonest value is always rarer than more than all together
            any_value = claim.kind != "recursive" or exact("c", claim.c or 0) > 1
            return any_value and all(
                exact("l", least) == 1 for least in (claim.l, *(own for _, own in claim.own))
            )
        case TCloseness():
            return all(exact("t", t) == 1 for t in (claim.t, *(own for _, own in claim.own)))
        case NTCloseness():
            return claim.n == 1
        case TermDiversity():
            return claim.factor == 1
        case _:
            return False


def _any_rate(content: Any, claim: SPreserving | SeriallyPreserving) -> bool:
    """Whether every private term is so frequent that it may be seen of anyone."""
    rates = content.rates if isinstance(content, Clusters) else ()
    return bool(rates) and all(claim.factor * rate >= 1 for rate in rates)


def people_in(release: Release[Any]) -> int | None:
    """Return how many people a release is about; None where its counts are not those of people."""
    content = release.content
    if isinstance(content, ItemsetHistogram | SyntheticPeople):
        return None
    if isinstance(content, ProjectedTables):
        return max(table.height for table in content.parts)
    if isinstance(content, DisassociatedSets):
        return int(content.people.sum())
    if isinstance(content, Clusters):
        return len(content) - int(content.counterfeits.sum())
    return len(content)
