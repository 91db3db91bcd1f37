"""What a release promises: values that check their own ranges and say what they mean."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from re import findall
from typing import Any, ClassVar, Final, Literal, TypeAlias, get_args

from discreet.core.exact import Exact, exact, plain, positive
from discreet.core.factors import factor
from discreet.core.fields import check_fields
from discreet.core.guarantees.clusters import (
    MInvariant,
    SeriallyPreserving,
    SPreserving,
    TermDiversity,
)
from discreet.core.guarantees.counts import BoundedConfidence
from discreet.core.guarantees.distributions import (
    BetaLikeness,
    DeltaDisclosure,
    LDiversity,
    NTCloseness,
    TCloseness,
)
from discreet.core.guarantees.graphs import KDegree
from discreet.core.guarantees.rho import GroupedDegree, GroupedRhoUncertainty, RhoUncertainty
from discreet.core.guarantees.sets import (
    Coherence,
    ConstraintSupport,
    Disassociated,
    KmAnonymity,
    Lkc,
)
from discreet.core.guarantees.tables import (
    KAnonymity,
    MConfidentiality,
    ProjectionPlan,
    RtAnonymity,
)
from discreet.errors import DataError, ParameterError

__all__ = [
    "BetaLikeness",
    "BoundedConfidence",
    "ClusterGuarantee",
    "Coherence",
    "ConstraintSupport",
    "DeltaDisclosure",
    "DifferentialPrivacy",
    "Disassociated",
    "DistributionGuarantee",
    "GroupedDegree",
    "GroupedRhoUncertainty",
    "Guarantee",
    "KAnonymity",
    "KDegree",
    "KmAnonymity",
    "LDiversity",
    "Lkc",
    "MConfidentiality",
    "MInvariant",
    "NTCloseness",
    "Neighbours",
    "NoAttributeLeakage",
    "ProjectionPlan",
    "RhoGuarantee",
    "RhoUncertainty",
    "RtAnonymity",
    "SPreserving",
    "SeriallyPreserving",
    "SetGuarantee",
    "TCloseness",
    "TableGuarantee",
    "TermDiversity",
    "epsilon_of",
    "guarantee_of",
    "record_of",
    "spoken",
]

Neighbours: TypeAlias = Literal["add-remove", "replace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoAttributeLeakage:
    """No known itemset singles out one published itemset that tells more.

    An attribute privacy leakage is a set Q for which exactly one published set S has Q within S,
    and S holds more than Q (Wang, Li, Lui and Sun 2022, Definition 4, read with a subset that
    may be equal; see soundness note 000).
    """

    promise: ClassVar[str] = (
        "whatever items of a person are known, they never match exactly one published itemset "
        "that contains more: no further item follows with certainty"
    )
    """The promise in words."""

    limit: ClassVar[str] = (
        "an item may still follow with high probability, where one of the matching itemsets has "
        "a far larger count than the others"
    )
    """What the promise leaves open."""


WEAK_EPSILON: Final = 10
"""Above this epsilon differential privacy bounds next to nothing: exp(10) is 22,026."""
VOID_EPSILON: Final = 20
"""Above this one it is a word only: exp(20) is 485 million."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferentialPrivacy:
    """One person more or less changes the probability of any release by at most exp(epsilon)."""

    epsilon: Exact
    """The privacy budget; smaller is safer."""
    neighbours: Neighbours = "add-remove"
    """Which data sets count as neighbours: one record more or less, or one record replaced."""
    public: tuple[str, ...] = ()
    """What the promise takes as known to everyone, such as the item universe."""

    limit: ClassVar[str] = (
        "what can be learned about the population as a whole can be learned about each of its "
        "members too; and no single release can prove this promise, only an analysis of the "
        "method that made it"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "epsilon", positive("epsilon", self.epsilon))

    @property
    def budget(self) -> Fraction:
        """Epsilon as an exact fraction."""
        return exact("epsilon", self.epsilon)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        move = (
            "whether or not one person takes part"
            if self.neighbours == "add-remove"
            else "whatever one person's record is (the number of people is public)"
        )
        known = f"; assumed public: {', '.join(self.public)}" if self.public else ""
        weak = ", which is next to no protection" if self.budget > WEAK_EPSILON else ""
        return (
            f"{move}, the probability of every possible release changes by at most a factor of "
            f"{factor(float(self.budget))} (epsilon = {float(self.budget):g}){weak}{known}"
        )


DistributionGuarantee: TypeAlias = (
    LDiversity | TCloseness | NTCloseness | BetaLikeness | DeltaDisclosure
)
"""What the classes of a table can promise about the values in them."""

TableGuarantee: TypeAlias = (
    KAnonymity | RtAnonymity | DistributionGuarantee | MConfidentiality | ProjectionPlan
)
"""What a release of tables can promise."""

SetGuarantee: TypeAlias = ConstraintSupport | KmAnonymity | Coherence | Lkc | Disassociated
"""What a release of generalised sets can promise."""

ClusterGuarantee: TypeAlias = SPreserving | SeriallyPreserving | MInvariant | TermDiversity
"""What a release of clusters can promise."""

RhoGuarantee: TypeAlias = RhoUncertainty | GroupedRhoUncertainty | GroupedDegree
"""What sets with sensitive items can promise, alone and beside a graph of their people."""

Guarantee: TypeAlias = (
    NoAttributeLeakage
    | BoundedConfidence
    | DifferentialPrivacy
    | TableGuarantee
    | KDegree
    | SetGuarantee
    | ClusterGuarantee
    | RhoGuarantee
)
"""Everything a release can promise."""


def epsilon_of(guarantees: Iterable[Guarantee]) -> Fraction | None:
    """Return what is spent in all; None where differential privacy is not promised.

    Parameters
    ----------
    guarantees
        What a release promises.

    Returns
    -------
    Fraction or None
        The sum of the budgets.

    Examples
    --------
    >>> epsilon_of([DifferentialPrivacy(epsilon=1), DifferentialPrivacy(epsilon="0.5")])
    Fraction(3, 2)
    """
    spent = [claim.budget for claim in guarantees if isinstance(claim, DifferentialPrivacy)]
    return sum(spent, Fraction()) if spent else None


def record_of(guarantee: Guarantee) -> dict[str, Any]:
    """Return the guarantee as the manifest writes it.

    Parameters
    ----------
    guarantee
        What is promised.

    Returns
    -------
    dict of str to object
        Its name and its parameters, as texts and numbers.

    Examples
    --------
    >>> record_of(DifferentialPrivacy(epsilon="0.5"))
    {'name': 'DifferentialPrivacy', 'epsilon': '1/2', 'neighbours': 'add-remove', 'public': []}
    """
    values = {field.name: plain(getattr(guarantee, field.name)) for field in fields(guarantee)}
    return {"name": type(guarantee).__name__} | values


def spoken(name: str) -> str:
    """Return the name of a guarantee as a person says it.

    Parameters
    ----------
    name
        The name of its class.

    Returns
    -------
    str
        Its words.

    Examples
    --------
    >>> spoken("DifferentialPrivacy"), spoken("KmAnonymity"), spoken("NoAttributeLeakage")
    ('differential privacy', 'km-anonymity', 'no attribute leakage')
    """
    words = findall("[A-Z]+(?![a-z])|[A-Z][a-z]*", name)
    joined = (word.lower() + ("-" if len(word) < 3 and word != "No" else " ") for word in words)
    return "".join(joined)[:-1]


def guarantee_of(record: Mapping[str, Any]) -> Guarantee:
    """Read a guarantee back from the manifest.

    Parameters
    ----------
    record
        A guarantee as the manifest writes it.

    Returns
    -------
    Guarantee
        The promise that was written.
    """
    known = {kind.__name__: kind for kind in get_args(Guarantee)}
    values = dict(record)
    name = values.pop("name", None)
    if name not in known:
        msg = f"a manifest's guarantee must be one of {', '.join(sorted(known))}, got {name!r}"
        raise DataError(msg)
    empty = [each.name for each in fields(known[name]) if each.default is not None]
    if any(values.get(each, "") is None for each in empty):
        raise DataError(f"the manifest's guarantee {name} is malformed: a value of it is missing")
    try:
        guarantee: Guarantee = known[name](**values)
    except (TypeError, ParameterError) as error:
        raise DataError(f"the manifest's guarantee {name} is malformed: {error}") from None
    return guarantee
