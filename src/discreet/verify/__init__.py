"""Checks what releases promise, by the definitions, with no code of the methods that made them."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar, assert_never

from discreet.core.clusters import Clusters
from discreet.core.constraints import Constraints
from discreet.core.disassociated import Disassociated as DisassociatedSets
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.guarantee import (
    BetaLikeness,
    BoundedConfidence,
    ClusterGuarantee,
    Coherence,
    ConstraintSupport,
    DeltaDisclosure,
    DifferentialPrivacy,
    Disassociated,
    DistributionGuarantee,
    GroupedDegree,
    GroupedRhoUncertainty,
    Guarantee,
    KAnonymity,
    KDegree,
    KmAnonymity,
    LDiversity,
    Lkc,
    MConfidentiality,
    MInvariant,
    NoAttributeLeakage,
    NTCloseness,
    ProjectionPlan,
    RhoGuarantee,
    RhoUncertainty,
    RtAnonymity,
    SeriallyPreserving,
    SetGuarantee,
    SPreserving,
    TableGuarantee,
    TCloseness,
    TermDiversity,
)
from discreet.core.histogram import ItemsetHistogram
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork, people_of
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey, Publication, key_beside, release_of, releases_of
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.synthetic_people import SyntheticPeople, counts_in
from discreet.core.transactions import Transactions
from discreet.core.truth import confirmed, names_rows_of, refuse_key_of_another
from discreet.core.verdict import Verdict, Verdicts
from discreet.errors import DataError, ParameterError
from discreet.verify.added_rows import unless_added
from discreet.verify.beta_likeness import beta_likeness
from discreet.verify.bounded_confidence import bounded_confidence
from discreet.verify.coherence import coherence
from discreet.verify.constraint_support import constraint_support
from discreet.verify.declared_counterfeits import believing_less
from discreet.verify.delta_disclosure import delta_disclosure
from discreet.verify.disassociated import disassociated
from discreet.verify.emptied import unless_emptied
from discreet.verify.grouped_degree import grouped_degree
from discreet.verify.k_anonymity import k_anonymity
from discreet.verify.k_degree import k_degree
from discreet.verify.km_anonymity import km_anonymity
from discreet.verify.l_diversity import l_diversity
from discreet.verify.lifted_secrets import with_names_above
from discreet.verify.m_confidentiality import m_confidentiality
from discreet.verify.m_invariant import m_invariant
from discreet.verify.nested_names import unless_nested
from discreet.verify.no_attribute_leakage import no_attribute_leakage
from discreet.verify.nt_closeness import nt_closeness
from discreet.verify.owners_secrets import unless_unprotected
from discreet.verify.projection_plan import projection_plan
from discreet.verify.rho_uncertainty import rho_uncertainty
from discreet.verify.roles import by_roles
from discreet.verify.rt_anonymity import rt_anonymity
from discreet.verify.s_preserving import s_preserving
from discreet.verify.serially_preserving import serially_preserving
from discreet.verify.t_closeness import t_closeness
from discreet.verify.term_diversity import term_diversity
from discreet.verify.terms_in_clear import unless_in_clear

__all__ = ["verify"]

C = TypeVar("C")


def verify(
    release: Release[Any] | Publication[Any],
    *,
    against: Transactions | Microdata | SocialNetwork | Network | None = None,
    after: Sequence[Release[Any]] = (),
    key: LinkageKey | None = None,
    privacy: Constraints | None = None,
) -> Verdicts:
    """Check every guarantee that ``release`` claims, from its definition.

    Most guarantees need the release alone. One that cannot be checked is said to be so.

    Parameters
    ----------
    release
        What is checked; of a publication the release, with its key.
    against
        The original data; items that they name as sensitive must be protected as such.
    after
        The releases before it, oldest first, where it is one of a series.
    key
        The owner's key.
    privacy
        The owner's privacy constraints.

    Returns
    -------
    Verdicts
        ``holds`` is True, False or None: cannot be checked. It is no truth value.

    Raises
    ------
    DataError
        Where the content or what is handed in does not fit the guarantee.
    ParameterError
        Where something else is handed in than what is asked for.

    Examples
    --------
    >>> from discreet.generalised import Km
    >>> baskets = Transactions.of([["beer", "bread"]] * 3 + [["bread"]] * 3)
    >>> verify(Km(k=3, m=2).publish(baskets).release).holds
    True
    """
    _refuse_misfits(against, privacy)
    key, release = key_beside(release, key), release_of(release)
    refuse_key_of_another(key, release)
    if against is not None and names_rows_of(key, release):
        # refuses other data than were published
        confirmed(key, against, release)
    beside = Beside(against, tuple(releases_of(after, "after")), key, privacy)
    parts = tuple(_verdict(release, claim, beside) for claim in release.guarantees)
    parts = unless_emptied(parts, release, against, key)
    parts = unless_added(parts, release, against)
    parts = unless_unprotected(parts, release, against)
    return Verdicts.on(release, parts)


def _refuse_misfits(against: object, privacy: object) -> None:
    """Refuse what is no evidence: left aside in silence, it would seem to have been looked at."""
    # what a method makes of a release has that release for its original
    if not isinstance(against, Transactions | Microdata | SocialNetwork | Network | Release | None):
        msg = (
            "`against` must be the original as Transactions, Microdata, SocialNetwork or Network, "
            f"got something of type {type(against).__name__}"
        )
        raise ParameterError(msg, parameter="against")
    if not isinstance(privacy, Constraints | None):
        msg = f"`privacy` must be Constraints, got something of type {type(privacy).__name__}"
        raise ParameterError(msg, parameter="privacy")


class Beside(NamedTuple):
    """What lies beside the release when it is checked."""

    against: Transactions | Microdata | SocialNetwork | Network | None
    """The original data."""
    after: tuple[Release[Any], ...]
    """The releases before this one."""
    key: LinkageKey | None
    """The owner's key."""
    privacy: Constraints | None
    """The owner's privacy constraints."""


def _verdict(release: Release[Any], claim: Guarantee, beside: Beside) -> Verdict:
    match claim:
        case NoAttributeLeakage() | BoundedConfidence() | DifferentialPrivacy():
            return _of_counts(release, claim)
        case (
            KAnonymity()
            | LDiversity()
            | TCloseness()
            | NTCloseness()
            | BetaLikeness()
            | DeltaDisclosure()
            | MConfidentiality()
            | ProjectionPlan()
            | RtAnonymity()
        ):
            return _of_tables(release, claim, beside)
        case ConstraintSupport() | KmAnonymity() | Coherence() | Lkc() | Disassociated():
            return _of_sets(release, claim, beside)
        case RhoUncertainty() | GroupedRhoUncertainty() | GroupedDegree() | KDegree():
            return _of_friends(release, claim, beside.against)
        case SPreserving() | SeriallyPreserving() | MInvariant() | TermDiversity():
            return _of_clusters(release, claim, beside)
        case _:
            assert_never(claim)


def _of_counts(
    release: Release[Any], claim: NoAttributeLeakage | BoundedConfidence | DifferentialPrivacy
) -> Verdict:
    match claim:
        case NoAttributeLeakage():
            return no_attribute_leakage(_counts(release), claim)
        case BoundedConfidence():
            return bounded_confidence(_counts(release), claim)
        case DifferentialPrivacy():
            _counts(release)  # nothing else is noisy, so the claim would excuse attacks on people
            needed = (
                "cannot be checked from the files: it is a property of the method, which "
                "`discreet audit-mechanism` tests"
            )
            return Verdict(guarantee=claim, holds=None, checked=needed)
        case _:
            assert_never(claim)


def _of_sets(release: Release[Any], claim: SetGuarantee, beside: Beside) -> Verdict:
    match claim:
        case ConstraintSupport():
            sets = _content(release, GeneralisedSets)
            return constraint_support(sets, claim, beside.privacy, beside.key, beside.against)
        case KmAnonymity():
            return km_anonymity(_sets(release), claim)
        case Coherence() | Lkc():
            people = _content(release, Transactions)
            original = beside.against if isinstance(beside.against, Transactions) else None
            secrets = with_names_above(release.sensitive, people.applied)
            return coherence(people.sets, claim, secrets, original, people.applied)
        case Disassociated():
            return disassociated(_content(release, DisassociatedSets), claim)
        case _:
            assert_never(claim)


def _of_tables(release: Release[Any], claim: TableGuarantee, beside: Beside) -> Verdict:
    content = _content(release, ProjectedTables)
    people = beside.against if isinstance(beside.against, Microdata) else None
    if (verdict := by_roles(content, claim, people)) is not None:
        return verdict
    match claim:
        case KAnonymity():
            return k_anonymity(content, claim)
        case MConfidentiality():
            return m_confidentiality(release, claim, people)
        case ProjectionPlan():
            return projection_plan(content, claim)
        case RtAnonymity():
            return rt_anonymity(content, claim)
        case _:
            return _of_distributions(content, claim)


def _of_distributions(content: ProjectedTables, claim: DistributionGuarantee) -> Verdict:
    match claim:
        case LDiversity():
            return l_diversity(content, claim)
        case TCloseness():
            return t_closeness(content, claim)
        case NTCloseness():
            return nt_closeness(content, claim)
        case BetaLikeness():
            return beta_likeness(content, claim)
        case DeltaDisclosure():
            return delta_disclosure(content, claim)
        case _:
            assert_never(claim)


def _of_friends(release: Release[Any], claim: RhoGuarantee | KDegree, against: object) -> Verdict:
    if isinstance(claim, KDegree):
        return k_degree(_graph(release), claim)
    if isinstance(claim, GroupedDegree):
        return grouped_degree(_content(release, SetsWithNetwork), claim)
    data = release.content
    tree = data.applied if isinstance(data, Transactions | SetsWithNetwork) else None
    sensitive = with_names_above(release.sensitive, tree)
    people = people_of(against)
    original = people if isinstance(people, Transactions) else None
    if isinstance(claim, GroupedRhoUncertainty):
        grouped = _content(release, SetsWithNetwork)
        sets, group = grouped.sets, grouped.group
    else:
        whole = data if isinstance(data, SetsWithNetwork) else _content(release, Transactions)
        sets, group = whole.sets, None
    verdict = rho_uncertainty(sets, claim, sensitive, group, original=original)
    return unless_nested(verdict, sets, tree)


def _of_clusters(release: Release[Any], claim: ClusterGuarantee, beside: Beside) -> Verdict:
    content = _content(release, Clusters)
    match claim:
        case SPreserving():
            return unless_in_clear(_of_bags(release, claim, beside), [release])
        case SeriallyPreserving():
            verdict = _of_bags(release, claim, beside)
            return unless_in_clear(verdict, [*beside.after, release])
        case MInvariant():
            verdict = m_invariant(release, claim, beside.after, beside.key)
            return unless_in_clear(verdict, [*beside.after, release])
        case TermDiversity():
            return unless_in_clear(term_diversity(content, claim), [release])
        case _:
            assert_never(claim)


def _of_bags(
    release: Release[Clusters], claim: SPreserving | SeriallyPreserving, beside: Beside
) -> Verdict:
    original = beside.against if isinstance(beside.against, Transactions) else None

    def check(believed: Release[Clusters]) -> Verdict:
        if isinstance(claim, SPreserving):
            return s_preserving(believed.content, claim)
        return serially_preserving(believed, claim, beside.after)

    return believing_less(release, check, beside.key, original)


def _counts(release: Release[Any]) -> ItemsetHistogram:
    content = release.content
    if isinstance(content, SyntheticPeople):
        return counts_in(content)
    return _content(release, ItemsetHistogram)


def _sets(release: Release[Any]) -> GeneralisedSets | Transactions:
    content = release.content
    return content if isinstance(content, Transactions) else _content(release, GeneralisedSets)


def _graph(release: Release[Any]) -> Network | SetsWithNetwork:
    content = release.content
    return content if isinstance(content, SetsWithNetwork) else _content(release, Network)


def _content(release: Release[Any], kind: type[C]) -> C:
    if not isinstance(release.content, kind):
        actual = type(release.content).__name__
        raise DataError(f"this guarantee is about {kind.__name__}, but the release holds {actual}")
    return release.content
