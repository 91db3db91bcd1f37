"""What published clusters of transactions promise."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias

from discreet.core.exact import Exact, at_least_one, exact
from discreet.core.fields import check_fields
from discreet.errors import ParameterError

RateOf: TypeAlias = Literal["own", "largest"]
"""Against which rate a posterior is held: of its own release, or of any that holds the set."""


def _threshold(name: str, value: Exact) -> Fraction:
    fraction = exact(name, value)
    if fraction < 1:
        raise ParameterError(f"`{name}` must be at least 1, got {value}", parameter=name)
    return fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class SPreserving:
    """In no cluster is a private term more than r_th times as frequent as in the population.

    Bewong, Liu, Liu and Li 2019, Definition 3: the copies of a term in the cluster and the
    cluster's share of its copies in the bag, over the cluster's size, against the term's rate.
    """

    r_th: Exact
    """How many times the population rate a cluster may reach."""

    limit: ClassVar[str] = (
        "it considers this release alone and each private term alone, and assumes that the "
        "population rates are known"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "r_th", _threshold("r_th", self.r_th))

    @property
    def factor(self) -> Fraction:
        """The threshold as an exact fraction."""
        return exact("r_th", self.r_th)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            "anyone who finds a person's cluster can link that person to a private term with at "
            f"most {float(self.factor):g} times the probability that it has for anybody"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriallyPreserving:
    """Whoever holds all releases of a series learns no more of a private term than r_th allows.

    Bewong, Liu, Liu and Li 2019, Definition 12, with the posterior over all overlaps at once
    instead of their product (soundness note 003).
    """

    r_th: Exact
    """How many times the population rate a posterior probability may reach."""
    rate: RateOf = "own"
    """The rate in the release itself, or the largest of it and earlier ones that hold the set."""
    chains: bool = False
    """Whether it also covers what all clusters of all releases tell together."""

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "r_th", _threshold("r_th", self.r_th))

    @property
    def factor(self) -> Fraction:
        """The threshold as an exact fraction."""
        return exact("r_th", self.r_th)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        whose = (
            "" if self.rate == "own" else (", the largest among the releases that contain the set")
        )
        chains = ", also along chains of them" if self.chains else ""
        return (
            f"by comparing the clusters of all releases so far{chains}, nobody can be linked to "
            f"a private term with more than {float(self.factor):g} times its population "
            f"rate{whose}"
        )

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        if self.chains:
            return (
                "it assumes that equal non-private sets are the same people with the same terms "
                "in every release, and that a cluster's share of the bag consists of whole "
                "copies; anyone who knows more about people or counterfeits may learn more"
            )
        return (
            "it covers direct comparison only: what follows along a chain of releases, from the "
            "rest of a cluster (transitive composition), is not promised, and `attack "
            "composition` measures it; it assumes that equal non-private sets are the same people"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MInvariant:
    """A person's group shows the same m or more private values in every release.

    Xiao and Tao 2007: each group holds at least m different values, each once, and a person meets
    the same set of values, the signature, as long as one of them is his. Whoever changes to another
    value meets none of the earlier ones, and the earlier signature again on coming back to it.
    """

    m: int
    """Least number of different values in a group."""

    limit: ClassVar[str] = (
        "it covers only releases that name each other, so a release made without the key of the "
        "earlier ones promises nothing about them; a person known to be left out probably holds "
        "the most frequent value; a rare value becomes far more likely for the people of its "
        "group than for anybody else; having no private term counts as a value, and different "
        "values may share a term, which everybody in the group then holds for certain"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(m=self.m)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            f"in every release a person may have any of the same {self.m} or more private "
            "values, so comparing releases rules out none of them"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TermDiversity:
    """At most one in l of a cluster's people holds any one private term.

    Probabilistic l-diversity (Xiao and Tao 2006), said of each private term by itself.
    """

    l: Exact  # noqa: E741 (the parameter's name in every paper)
    """A private term has at most size / l copies in a cluster."""

    limit: ClassVar[str] = (
        "it considers this release alone: anyone who compares two may find out more; a rare term "
        "may become far more likely than it is for anybody else; and anyone who knows how clusters "
        "are joined can tell which of their people were too many with one term to stand alone, "
        "which `attack composition` measures"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "l", _threshold("l", self.l))

    @property
    def factor(self) -> Fraction:
        """The parameter as an exact fraction."""
        return exact("l", self.l)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            "anyone who finds a person's cluster can link that person to a private term with a "
            f"probability of at most 1/{float(self.factor):g}"
        )
