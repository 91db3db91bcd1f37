"""What a published table promises of the sensitive values in every class."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias, get_args

from discreet.core.exact import Exact, at_least_one, exact, positive
from discreet.core.factors import factor
from discreet.core.fields import check_fields
from discreet.errors import ParameterError

Distance: TypeAlias = Literal["equal", "ordered", "hierarchical"]
"""How far two values are apart: all alike, by their rank, or by their place in a hierarchy."""
Distances: TypeAlias = tuple[tuple[str, Distance], ...]
"""Attribute and distance, for the attributes whose distance is not ``equal``."""
Diversity: TypeAlias = Literal["distinct", "entropy", "recursive"]
"""What makes a class diverse."""
Own: TypeAlias = tuple[tuple[str, Exact], ...]
"""Attributes with a bound of their own."""


EACH_BY_ITSELF = (
    "each attribute is protected on its own: anyone who knows one sensitive value of a person "
    "can link it to the others in the same table"
)
"""What a promise about the distribution of each attribute leaves open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LDiversity:
    """Every class holds well-represented values of every sensitive attribute."""

    l: Exact  # noqa: E741 (the parameter's name in every paper)
    """How many values, or how many they are worth."""
    kind: Diversity = "distinct"
    """Distinct values; entropy at least log(l); or recursive, with c."""
    c: Exact | None = None
    """For recursive: the commonest value is rarer than c times the l-th and rarer ones together."""
    own: Own = ()
    """Attributes with an l of their own."""

    limit: ClassVar[str] = (
        "a value may still be far more likely than others, or than in the whole table; l "
        "distinct values in a class of n rows limit a guess to (n - l + 1) / n only"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "own", _pairs(self.own))
        check_fields(self)
        object.__setattr__(self, "l", exact("l", self.l))
        object.__setattr__(self, "own", own_bounds("l", self.own))
        for _, bound in self.own:
            LDiversity(l=bound, kind=self.kind, c=self.c)
        if self.least < 1 or (self.kind != "entropy" and self.least.denominator != 1):
            raise ParameterError(f"`l` must be a whole number from 1, got {self.l}", parameter="l")
        if self.c is not None:
            object.__setattr__(self, "c", positive("c", self.c))
        if (self.kind == "recursive") != (self.c is not None):
            msg = f"`c` must be given for recursive l-diversity and only there, got {self.c}"
            raise ParameterError(msg, parameter="c")

    @property
    def least(self) -> Fraction:
        """The l as an exact number."""
        return exact("l", self.l)

    def of(self, attribute: str) -> "LDiversity":
        """Return what is promised of one attribute.

        Parameters
        ----------
        attribute
            A sensitive attribute.

        Returns
        -------
        LDiversity
            The same promise with this attribute's own bound.
        """
        return LDiversity(l=bound_of(attribute, self.own, self.l), kind=self.kind, c=self.c)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        requirement = {
            "distinct": f"at least {self.least} values",
            "entropy": f"values with an entropy of at least log({float(self.least):g})",
            "recursive": (
                f"values of which the most common is rarer than {self.c} times the "
                f"{self.least}th and rarer ones together"
            ),
        }[self.kind]
        return (
            f"among the rows that match a person, each sensitive attribute has {requirement}"
            + _own_bounds("l", self.own)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Close:
    """A bound on how far the distribution in a class may be from that in a larger group."""

    t: Exact
    """Largest earth mover's distance."""
    distance: Distances = ()
    """The ground distance of an attribute, where it is not the equal distance."""
    own: Own = ()
    """Attributes with a t of their own."""

    def __post_init__(self) -> None:
        for name in ("distance", "own"):
            object.__setattr__(self, name, _pairs(getattr(self, name)))
        check_fields(self)
        object.__setattr__(self, "t", exact("t", self.t))
        object.__setattr__(self, "distance", distances_of(self.distance))
        object.__setattr__(self, "own", own_bounds("t", self.own))
        for bound in (self.most, *(exact("t", own) for _, own in self.own)):
            if not 0 <= bound <= 1:
                raise ParameterError(f"`t` must be from 0 to 1, got {bound}", parameter="t")

    def most_of(self, attribute: str) -> Fraction:
        """Return the t of one attribute."""
        return exact("t", bound_of(attribute, self.own, self.t))

    @property
    def most(self) -> Fraction:
        """The t as an exact number."""
        return exact("t", self.t)


@dataclass(frozen=True, slots=True, kw_only=True)
class TCloseness(_Close):
    """In every class each sensitive attribute is distributed nearly as in the whole table."""

    t: Exact
    """Largest earth mover's distance between a class and its table."""

    limit: ClassVar[str] = EACH_BY_ITSELF
    """What the promise leaves open."""

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            "among the rows that match a person, each sensitive attribute is distributed as in "
            "the whole table, within a distance of "
            f"{float(self.most):g}{_own_bounds('t', self.own)}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class NTCloseness(_Close):
    """In every class each sensitive attribute is distributed nearly as in a larger, natural group.

    Li, Li and Venkatasubramanian 2010. The group is a class of the same table generalised further;
    soundness note 002 says how this is read.
    """

    n: int
    """Least number of rows of the larger group."""
    t: Exact
    """Largest earth mover's distance between a class and such a group."""

    def __post_init__(self) -> None:
        # slots make a new class, which the short form of super() does not find
        _Close.__post_init__(self)
        at_least_one(n=self.n)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            "among the rows that match a person, each sensitive attribute is distributed as in a "
            f"more general class of at least {self.n} rows, within a distance of "
            f"{float(self.most):g}{_own_bounds('t', self.own)}"
        )

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        return (
            f"what is true of a group of {self.n} people is not hidden: a class of that many "
            "rows may have any distribution; and attributes in the same table can still be joined"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BetaLikeness:
    """In no class is a sensitive value much more frequent than in the whole table.

    Cao and Karras 2012: with share q in a class and p < q in the table, (q - p) / p is at most
    beta; enhanced, at most -ln p as well, which keeps a frequent value from becoming certain.
    """

    beta: Exact
    """Largest relative gain of a value's share."""
    enhanced: bool = False
    """Whether the gain of a value with share p is at most -ln p, too."""

    limit: ClassVar[str] = (
        "a value may be rarer than in the whole table, or absent, so that it can be ruled out; "
        "and each attribute is protected on its own"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "beta", positive("beta", self.beta))

    @property
    def most(self) -> Fraction:
        """The beta as an exact number."""
        return exact("beta", self.beta)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        bound = ", or -ln(p) times p where that is less" if self.enhanced else ""
        return (
            "among the rows that match a person, the share p that a sensitive value has in the "
            f"whole table grows by at most {float(self.most):g} times p{bound}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaDisclosure:
    """In every class every sensitive value is nearly as frequent as in the whole table.

    Brickell and Shmatikov 2008: with share q in a class and p in the table, the logarithm of q / p
    is between -delta and delta for every value; a value that a class lacks breaks it.
    """

    delta: Exact
    """Bound on the logarithm of the ratio of shares."""

    limit: ClassVar[str] = EACH_BY_ITSELF
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "delta", positive("delta", self.delta))

    @property
    def most(self) -> Fraction:
        """The delta as an exact number."""
        return exact("delta", self.delta)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            "among the rows that match a person, the share of every sensitive value differs from "
            f"its share in the whole table by at most a factor of {factor(float(self.most))} "
            f"(delta = {float(self.most):g})"
        )


def _pairs(chosen: object) -> object:
    """Return the pairs of a mapping, for which it stands; anything else is as it is."""
    return tuple(chosen.items()) if isinstance(chosen, Mapping) else chosen


def own_bounds(name: str, chosen: Mapping[str, Exact] | Iterable[tuple[str, Exact]] | None) -> Own:
    """Return bounds by attribute, in the order of the attributes.

    >>> own_bounds("t", {"pay": "0.1"})
    (('pay', Fraction(1, 10)),)
    """
    pairs = dict(chosen or ())
    return tuple((attribute, exact(name, bound)) for attribute, bound in sorted(pairs.items()))


def bound_of(attribute: str, own: Own, bound: Exact) -> Exact:
    """Return the bound of an attribute; a column ``NAME=VALUE`` has that of its attribute."""
    bounds = dict(own)
    return bounds.get(attribute, bounds.get(attribute.partition("=")[0], bound))


def _own_bounds(name: str, own: Own) -> str:
    bounds = (f"{name} {float(exact(name, bound)):g} of {attribute}" for attribute, bound in own)
    return f" ({', '.join(bounds)})" if own else ""


def distances_of(chosen: Mapping[str, str] | Iterable[tuple[str, str]] | None) -> Distances:
    """Return the chosen ground distances in the order of their attributes, refusing others.

    >>> distances_of({"pay": "ordered", "job": "equal"})
    (('pay', 'ordered'),)
    """
    pairs = dict(chosen or ())
    known: tuple[Distance, ...] = get_args(Distance)
    distances: list[tuple[str, Distance]] = []
    for name, asked in sorted(pairs.items()):
        kind = next((each for each in known if each == asked), None)
        if kind is None:
            msg = f"the distance of {name!r} must be one of {', '.join(known)}, got {asked!r}"
            raise ParameterError(msg, parameter="distance")
        if kind != "equal":
            distances.append((name, kind))
    return tuple(distances)
