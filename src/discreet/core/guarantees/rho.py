"""What published sets with sensitive items promise, alone and beside a graph of their people."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias

from discreet.core.exact import Exact, at_least_one, exact, positive
from discreet.core.fields import check_fields
from discreet.errors import ParameterError

Antecedents: TypeAlias = Literal["mixed", "nonsensitive"]
"""What an adversary may know: any items, or only items that are not sensitive."""


def rho_of(rho: Exact) -> Fraction:
    """Return rho as a fraction, refusing what is no confidence.

    >>> rho_of(".7")
    Fraction(7, 10)
    """
    value = positive("rho", rho)
    if value > 1:
        msg = f"`rho` must be a confidence above 0 and up to 1, got {rho}"
        raise ParameterError(msg, parameter="rho")
    return value


def _items(number: int, kind: str = "") -> str:
    """Return so many items in words.

    >>> _items(1), _items(2, "non-sensitive ")
    ('1 item', '2 non-sensitive items')
    """
    return f"{number} {kind}{'item' if number == 1 else 'items'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bounded:
    """A bound on what follows from known items."""

    rho: Exact
    """The largest confidence, above 0 and up to 1."""
    antecedents: Antecedents = "mixed"
    """Whether q may hold sensitive items too, the stronger promise, or only others."""
    strict: bool = False
    """Whether rho itself is already too high."""
    known: int | None = None
    """Most items that q may hold; None: any number, the strongest promise."""
    no_secret_left: bool = False
    """Whether the data held sensitive items and every occurrence of them was deleted."""

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "rho", rho_of(self.rho))
        at_least_one(known=self.known)

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        more = (
            ""
            if self.known is None
            else (
                f"anyone who knows more than {_items(self.known)} of a person may infer a "
                "sensitive one; "
            )
        )
        return more + (
            "published items may have been deleted from single records or replaced by more "
            "general ones, so a person may have an item that their record lacks; anyone who "
            "knows a person's whole set may still recognise the record, and several sensitive "
            "items together may follow from other kinds of knowledge"
        )

    @property
    def _bound(self) -> str:
        kind = "" if self.antecedents == "mixed" else "non-sensitive "
        known = f"whatever {kind}items"
        if self.known is not None:
            known = f"if at most {_items(self.known, kind)}"
        comparison = "less than" if self.strict else "at most"
        share = f"{float(exact('rho', self.rho)):g}"
        verb = "is" if self.known == 1 else "are"
        return (
            f"{known} of a person {verb} known, {comparison} a share of {share} of the matching "
            "records"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RhoUncertainty(_Bounded):
    """No sensitive item follows from known items with a confidence above rho.

    Cao, Karras, Raissi and Tan 2010: for every set of items q that some record contains, the
    empty set too, and every sensitive item s outside it, at most a share rho of the records with q
    hold s. Larger consequents have smaller confidences. Which items are sensitive the release says.
    With ``known`` the sets q have at most so many items: the second half of (h,k,p)-coherence
    (Xu, Wang, Fu and Yu 2008).
    """

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        if self.no_secret_left:
            return "no record contains a sensitive item: every occurrence was deleted"
        return f"{self._bound} contain any one further sensitive item"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedRhoUncertainty(_Bounded):
    """Within each published group no sensitive item follows with a confidence above rho.

    Wang, Lin, Bai, Chang, Li and Liu 2020, Theorem 1: then the same holds for all records
    together, and for any union of groups, such as the groups of one degree.
    """

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        if self.no_secret_left:
            return "no record of any group contains a sensitive item: every occurrence was deleted"
        return f"{self._bound} in the person's group contain any one further sensitive item"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupedDegree:
    """All nodes of a group have the same degree (Wang and others 2020, Definition 3)."""

    least: int = 1
    """Least number of nodes in a group: a group of one would hide nobody."""

    limit: ClassVar[str] = (
        "anyone who knows more about the graph than the number of friends, such as how many "
        "friends the friends have or who knows whom, may still find a person's node"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(least=self.least)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        among = f" of at least {self.least} people" if self.least > 1 else ""
        return f"within a published group{among}, everybody has the same number of friends"
