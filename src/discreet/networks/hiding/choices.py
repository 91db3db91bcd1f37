"""The choices of the publishers that keep secrets from being inferred, and how they publish."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.fields import check_fields
from discreet.core.guarantee import GroupedRhoUncertainty, Guarantee, RhoUncertainty
from discreet.core.guarantees.rho import Antecedents, rho_of
from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.core.spelling import refuse_disjoint
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.lazy import pl
from discreet.networks.hiding.suppression import Bound, Records
from discreet.rng import Rng

Plan: TypeAlias = Literal["best", "paper"]
"""Whether secrets alone, or rare names alone, may go too, or only what the paper deletes."""
DELETED = "nothing but secrets deleted, for anything else lost more"
"""What a manifest says of a plan that the paper's search did not find."""
DROPPED = "nothing but rare names deleted, for anything else lost more"
"""What it says of the other one."""
ROOT = "ALL"
"""What stands for every item where no hierarchy is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hiding:
    """Sets from which no sensitive item follows too surely."""

    rho: Annotated[
        Exact,
        Doc("Largest confidence with which a sensitive item may follow from known items, up to 1."),
    ]
    hierarchy: Annotated[
        Hierarchy | None,
        Doc("The public hierarchy of the items; without one, an item stays or becomes ALL."),
    ] = field(default=None, metadata={"unwritten": True})
    antecedents: Annotated[
        Antecedents,
        Doc(
            "What an attacker may know: any items (mixed), the stronger promise, or only "
            "non-sensitive ones."
        ),
    ] = "mixed"
    strict: Annotated[
        bool, Doc("Refuse a confidence of exactly `rho` too, not only a higher one.")
    ] = False

    def __post_init__(self) -> None:
        check_fields(self)
        _ = self.guarantees

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """No sensitive item follows too surely."""
        return (self.uncertainty,)

    @property
    def uncertainty(self) -> RhoUncertainty:
        """The uncertainty that is promised."""
        return RhoUncertainty(rho=self.rho, antecedents=self.antecedents, strict=self.strict)

    @property
    def bound(self) -> Bound:
        """The bound on confidences, as the search for rules wants it."""
        return Bound(rho=rho_of(self.rho), mixed=self.antecedents == "mixed", strict=self.strict)


def sensitive_of(data: Transactions) -> tuple[str, ...]:
    """Return the sensitive items, which the manifest must name. Refuse data that name none."""
    if not len(data):
        raise DataError("there must be at least one record to publish, got none")
    if not data.sensitive:
        msg = "the data must name sensitive items, and name none; name them with `sensitive`"
        raise DataError(msg, parameter="sensitive")
    return tuple(sorted(data.sensitive))


def flat_over(data: Transactions, hierarchy: Hierarchy | None) -> Hierarchy:
    """Return the hierarchy, or the one that keeps an item or replaces it by a single name."""
    if hierarchy is not None:
        return hierarchy
    plain = [item for item in data.universe if item not in data.sensitive]
    root = ROOT
    while root in data.universe or root in data.sensitive:
        root += "*"
    return Hierarchy.flat(plain or [f"{root} of nothing"], root)


def what_is_left(records: Records, applied: Hierarchy | None) -> Transactions:
    """Return the records with what is left of them; items of which nothing is are not named."""
    left = records.left()
    if applied is not None:
        refuse_disjoint("the hierarchy", applied.values, left.vocabulary)
    hidden = (left.vocabulary[item] for item in np.flatnonzero(records.secret))
    sets = left.over([left.vocabulary[item] for item in np.unique(left.items)])
    return Transactions(sets, sensitive=frozenset(hidden), applied=applied)


def promised(
    guarantees: tuple[Guarantee, ...], data: Transactions, published: frozenset[str]
) -> tuple[Guarantee, ...]:
    """Return the guarantees, which say so where no secret of the data is among published names."""
    gone = bool(data.held & data.sensitive) and not published & data.sensitive
    return tuple(
        replace(claim, no_secret_left=gone)
        if isinstance(claim, RhoUncertainty | GroupedRhoUncertainty)
        else claim
        for claim in guarantees
    )


def worth_of_a_secret(share: Fraction, data: Transactions) -> Fraction:
    """Return the names that one secret is worth, by the share of a person's names: one at least."""
    plain = [item not in data.sensitive for item in data.universe]
    average = Fraction(int(data.supports[plain].sum()), len(data))
    return max(Fraction(1), share * average)


def picking(rng: Rng) -> Callable[[int], int]:
    """Return a function that draws a number below its argument."""
    # one of one needs no chance
    return lambda bound: int(rng.integers(bound, 1)[0]) if bound > 1 else 0


def keep_rows(order: NDArray[np.int64], report: Mapping[str, int] | None = None) -> LinkageKey:
    """Return the owner's key: row ``i`` of the release is record ``order[i]``.

    The ``report`` is for the owner's eyes only.
    """
    rows = {"row": np.arange(len(order), dtype=np.int64), "record": order}
    return LinkageKey({"rows": pl.DataFrame(rows)}, {"report": dict(report)} if report else {})


def named_sets(
    rows: NDArray[np.int64], names: list[str], numbers: NDArray[np.int64], count: int
) -> Itemsets:
    """Return the sets of occurrences ``(row, name)`` over the names that occur, as text sorts."""
    used = np.unique(numbers)
    order = sorted(used.tolist(), key=lambda number: names[number])
    index = np.zeros(len(names), dtype=np.int64)
    index[order] = np.arange(len(order))
    return Itemsets.of_pairs(rows, index[numbers], count, tuple(names[number] for number in order))
