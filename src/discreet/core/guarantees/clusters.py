"""What published clusters of transactions promise."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias, get_args

from discreet.core.exact import Exact, at_least_one, exact
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
        "it looks at one release alone and at each private term alone, and takes the "
        "population rates as known"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "r_th", _threshold("r_th", self.r_th))

    @property
    def factor(self) -> Fraction:
        """The threshold as an exact fraction."""
        return exact("r_th", self.r_th)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            "whoever finds a person's cluster can link that person to a private term with at most "
            f"{float(self.factor):g} times the probability it has for anyone"
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
        object.__setattr__(self, "r_th", _threshold("r_th", self.r_th))
        if self.rate not in get_args(RateOf):
            msg = f"`rate` must be one of {', '.join(get_args(RateOf))}, got {self.rate!r}"
            raise ParameterError(msg, parameter="rate")

    @property
    def factor(self) -> Fraction:
        """The threshold as an exact fraction."""
        return exact("r_th", self.r_th)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        whose = "" if self.rate == "own" else ", the largest of the releases that hold the set"
        chains = ", also through chains of them" if self.chains else ""
        return (
            f"comparing the clusters of all releases so far{chains}, nobody can be linked to a "
            f"private term with more than {float(self.factor):g} times its population rate{whose}"
        )

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        if self.chains:
            return (
                "equal non-private sets are taken for the same people who hold the same terms in "
                "every release, a cluster's share of the bag for whole copies; whoever knows more "
                "of people or of counterfeits may learn more"
            )
        return (
            "it covers direct comparison only: what follows by a chain of releases, from the rest "
            "of a cluster (transitive composition), is not promised, and `attack composition` "
            "measures it; equal non-private sets are taken for the same people"
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
        "only for releases that name each other, so a release without the key of those before "
        "it promises nothing about them; whoever is known to be left out is likely to hold the "
        "most frequent value; "
        "a rare value becomes far likelier for the people of its group than for anyone else; "
        "having no private term counts as a value, and different values may share a term, "
        "which all of the group then hold for certain"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        at_least_one(m=self.m)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            f"in every release a person may have any of the same {self.m} or more private values, "
            "so comparing releases excludes none of them"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TermDiversity:
    """At most one in l of a cluster's people holds any one private term.

    Probabilistic l-diversity (Xiao and Tao 2006), said of each private term by itself.
    """

    l: Exact  # noqa: E741 (the parameter's name in every paper)
    """A private term has at most size / l copies in a cluster."""

    limit: ClassVar[str] = (
        "it looks at one release alone: whoever compares two can find out more; and a rare "
        "term may become far likelier than it is for anyone"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "l", _threshold("l", self.l))

    @property
    def factor(self) -> Fraction:
        """The parameter as an exact fraction."""
        return exact("l", self.l)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            "whoever finds a person's cluster can link that person to a private term with a "
            f"probability of at most 1/{float(self.factor):g}"
        )
