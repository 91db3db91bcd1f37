"""What a published table of people promises of its rows and of its columns."""

from dataclasses import dataclass
from typing import ClassVar

from discreet.core.exact import at_least_one, in_range
from discreet.core.fields import check_fields
from discreet.core.findings import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class KAnonymity:
    """Every row shares its quasi-identifiers with at least k - 1 others of its table."""

    k: int
    """Least number of rows in a class."""

    limit: ClassVar[str] = (
        "all rows that match a person may share a sensitive value, and anyone who knows one "
        "sensitive value of the person can tell the rows apart by it"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(k=self.k)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            f"anyone who knows all quasi-identifiers of a person finds at least {self.k} "
            "matching rows in each table"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MConfidentiality:
    """Not even whoever knows the method links anybody to a sensitive value with more than 1/m.

    Wong, Fu, Wang and Pei 2007. What the attacker may know, and why it holds, soundness note 002
    says.
    """

    m: int
    """One over the largest probability of a sensitive value."""
    non_sensitive: tuple[tuple[str, str], ...] = ()
    """Attributes with a value that was declared to need no protection."""

    limit: ClassVar[str] = (
        "it assumes an attacker to whom everybody looks alike before the release: anyone who "
        "knows sensitive values of people, or how they depend on quasi-identifiers, can infer "
        "more; and the sensitive values of people left out because too few others are like them "
        "were not read, so about these people it promises nothing beyond what was known before"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        in_range(2, None, m=self.m)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            "anyone who knows everybody's quasi-identifiers, and how this release was made, "
            f"finds no sensitive value of a person more likely than 1/{self.m}"
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
        check_fields(self)
        at_least_one(k=self.k, m=self.m)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        items = counted(self.m, "item")
        return (
            f"anyone who knows all quasi-identifiers of a person and up to {items} of the "
            f"person's set finds at least {self.k} matching rows, or none"
        )

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        items = counted(self.m, "item")
        return (
            f"anyone who knows more than {items}, or that a person does not have an item, "
            "may single out a row; and all matching rows may share a further item or a sensitive "
            "value"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectionPlan:
    """Each sensitive attribute stands in exactly one table, and no row ids join the tables."""

    promise: ClassVar[str] = (
        "each sensitive attribute is in one table only, and the tables can be joined by the "
        "generalised quasi-identifiers only"
    )
    """The promise in words."""

    limit: ClassVar[str] = (
        "attributes in the same table can still be joined with what is known of a person; the "
        "information exposure ratio says how much that may reveal"
    )
    """What the promise leaves open."""
