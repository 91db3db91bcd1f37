"""What published sets of items promise: that nobody is nearly alone with what is known of them."""

from dataclasses import dataclass
from typing import ClassVar

from discreet.core.exact import Exact, at_least_one, exact, positive_share
from discreet.core.fields import check_fields
from discreet.core.findings import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintSupport:
    """Every part of every privacy constraint fits at least k published records, or none.

    A part is a non-empty subset without suppressed items; it fits a record that holds the block
    of each of its items (Loukides, Gkoulalas-Divanis and Malin 2011). A constraint that names a
    larger support of its own needs that instead of k.
    """

    k: int
    """Least number of records that a protected itemset must fit."""

    limit: ClassVar[str] = (
        "items that no constraint names, and knowledge that spans several constraints, are not "
        "covered; and the visible items of a record can hint at which item a generalised one "
        "stands for"
    )
    """What the promise leaves open."""

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(k=self.k)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            "anyone who knows items of a person that the owner chose to protect together finds "
            f"at least {self.k} matching records, or none"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class KmAnonymity:
    """Any m items that are known of a person fit at least k published records, or none.

    Terrovitis, Mamoulis and Kalnis 2008. Fewer than m known items fit at least as many.
    """

    k: int
    """Least number of records that known items must fit."""
    m: int
    """Most items of a person that are known."""

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(k=self.k, m=self.m)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        items = counted(self.m, "item")
        return (
            f"anyone who knows up to {items} of a person finds at least {self.k} matching "
            "records, or none"
        )

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        items = counted(self.m, "item")
        return (
            f"anyone who knows more than {items}, or that a person does not have an item, "
            "may single out a record; and all matching records may share a further item"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Coherence:
    """Up to p public items fit at least k records, of which at most a share h has any one secret.

    Xu, Wang, Fu and Yu 2008: for every set of at most p items that are not sensitive, the empty one
    too, that some record holds. Which items are sensitive the release says.
    """

    h: Exact
    """Largest confidence in a sensitive item, above 0 and at most 1."""
    k: int
    """Least number of records that known items must fit."""
    p: int
    """Most public items of a person that are known."""

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "h", positive_share("h", self.h))
        at_least_one(k=self.k, p=self.p)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return _coherent(self.p, self.k, self.h)

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        return _incoherent(self.p)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lkc:
    """Up to L public items fit at least K records, of which at most a share C has any one secret.

    Mohammed, Fung, Hung and Lee 2009, for sets: the same promise as ``Coherence``.
    """

    l: int  # noqa: E741
    """Most public items of a person that are known."""
    k: int
    """Least number of records that known items must fit."""
    c: Exact
    """Largest confidence in a sensitive item, above 0 and at most 1."""

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "c", positive_share("c", self.c))
        at_least_one(l=self.l, k=self.k)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return _coherent(self.l, self.k, self.c)

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        return _incoherent(self.l)


@dataclass(frozen=True, slots=True, kw_only=True)
class Disassociated:
    """Any up to m items that somebody could have, k people have in some possible original.

    Terrovitis, Liagouris, Mamoulis and Skiadopoulos 2012. A possible original puts the sub-records
    of the release together again, each on a person of its clusters, gives every term of a cluster
    to somebody there, and leaves nobody of them with nothing. With ``cover`` also: of those who
    hold an item no larger share must, in every possible original, hold one of another chunk.
    """

    k: int
    """Least number of people who must be able to hold known items together."""
    m: int
    """Most items of a person that are known."""
    cover: Exact | None = None
    """Largest confidence in an item of another chunk; None where nothing is promised of it."""

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(k=self.k, m=self.m)
        if self.cover is not None:
            object.__setattr__(self, "cover", positive_share("cover", self.cover))

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        items = counted(self.m, "item")
        known = (
            f"for any up to {items} that a person could have, some possible original of "
            f"the release has at least {self.k} people with all of them"
        )
        if self.cover is None:
            return known
        share = float(exact("cover", self.cover))
        return (
            f"{known}; and no item of one chunk necessarily follows from an item of another with "
            f"a confidence above {share:g}"
        )

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        covered = (
            ""
            if self.cover
            else ("an item that nearly everybody in a cluster holds can be inferred; ")
        )
        items = counted(self.m, "item")
        return (
            "it is about which originals are possible, not how probable they are: "
            f"{covered}anyone who weighs them, knows more than {items}, or knows how "
            "clusters are formed may learn more"
        )


def _coherent(known: int, k: int, share: Exact) -> str:
    items = counted(known, "non-sensitive item")
    return (
        f"anyone who knows up to {items} of a person finds at least {k} "
        f"matching records, or none, and at most a share of {float(exact('h', share)):g} of them "
        "contain any one sensitive item"
    )


def _incoherent(known: int) -> str:
    items = counted(known, "item")
    return (
        f"anyone who knows more than {items}, or a sensitive one, or that a person does "
        "not have an item, may learn more; and that a person has one of several sensitive items "
        "may follow with more confidence than any one of them"
    )
