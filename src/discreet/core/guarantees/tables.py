"""What a published table of people promises of its rows and of its columns."""

from dataclasses import dataclass
from typing import ClassVar

from discreet.core.exact import at_least_one, in_range


@dataclass(frozen=True, slots=True, kw_only=True)
class KAnonymity:
    """Every row shares its quasi-identifiers with at least k - 1 others of its table."""

    k: int
    """Least number of rows in a class."""

    limit: ClassVar[str] = (
        "the rows a person may be in can agree in a sensitive value, and whoever knows one "
        "sensitive value of a person can tell rows apart by it"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        at_least_one(k=self.k)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            f"whoever knows all quasi-identifiers of a person is left with at least {self.k} rows "
            "of each table"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MConfidentiality:
    """Nobody is linked to a sensitive value with more than 1/m, even by who knows the method.

    Wong, Fu, Wang and Pei 2007. What the attacker may know, and why it holds, soundness note 002
    says.
    """

    m: int
    """One over the largest probability of a sensitive value."""
    non_sensitive: tuple[tuple[str, str], ...] = ()
    """Attributes with a value that was declared to need no protection."""

    limit: ClassVar[str] = (
        "it is about an attacker to whom everyone is alike before the release: whoever knows "
        "sensitive values of people, or how they depend on quasi-identifiers, can tell more; "
        "and of people left out because too few are like them nothing was read, so about them "
        "it promises nothing that was not known before"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        pairs = tuple((str(name), str(value)) for name, value in self.non_sensitive)
        object.__setattr__(self, "non_sensitive", pairs)
        in_range(2, None, m=self.m)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            "whoever knows the quasi-identifiers of everyone, and how this release was made, finds "
            f"no sensitive value of a person likelier than 1/{self.m}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RtAnonymity:
    """Quasi-identifiers and any m items of a person fit at least k rows, or none.

    The (k, k^m)-anonymity of Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos 2013: every class
    has at least k rows, and in every class any up to m items fit at least k of them or none.
    """

    k: int
    """Least number of rows that what is known must fit."""
    m: int
    """Most items of a person's set that are known."""

    def __post_init__(self) -> None:
        at_least_one(k=self.k, m=self.m)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            f"whoever knows all quasi-identifiers of a person and up to {self.m} items of the "
            f"person's set is left with at least {self.k} rows, or with none"
        )

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        return (
            f"whoever knows more than {self.m} items, or that a person does not have an item, may "
            "single a row out; and the rows that are left may agree in a further item or in a "
            "sensitive value"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectionPlan:
    """Each sensitive attribute stands in exactly one table, and no row ids join the tables."""

    promise: ClassVar[str] = (
        "each sensitive attribute stands in one table only, and nothing but the generalised "
        "quasi-identifiers joins the tables"
    )
    """The promise in words."""

    limit: ClassVar[str] = (
        "attributes of the same table can still be joined to what is known of a person; how "
        "much that may tell is the information exposure ratio"
    )
    """What the promise leaves open."""
