"""What published sets of items promise: that nobody is nearly alone with what is known of them."""

from dataclasses import dataclass

from discreet.core.exact import at_least_one

__all__ = ["ConstraintSupport", "KmAnonymity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintSupport:
    """Every part of every privacy constraint fits at least k published records, or none.

    A part is a non-empty subset without suppressed items; it fits a record that holds the block
    of each of its items (Loukides, Gkoulalas-Divanis and Malin 2011). A constraint that names a
    larger support of its own needs that instead of k.
    """

    k: int
    """Least number of records that a protected itemset must fit."""

    def __post_init__(self) -> None:
        at_least_one(k=self.k)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            "whoever knows items of a person that the owner chose to protect together is left "
            f"with at least {self.k} records, or with none"
        )

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        return (
            "items that no constraint names, and knowledge across constraints, are not covered; "
            "and plain items around a hidden one can tell which of the possible items it is"
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
        at_least_one(k=self.k, m=self.m)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return (
            f"whoever knows up to {self.m} items of a person is left with at least {self.k} "
            "records, or with none"
        )

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        return (
            f"who knows more than {self.m} items, or that a person does not have an item, may "
            "single a record out; and the records that are left may agree in a further item"
        )
