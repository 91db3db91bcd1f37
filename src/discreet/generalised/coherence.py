"""(h,k,p)-coherence and LKC-privacy: one promise under two names, kept by leaving items out."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact
from discreet.core.fields import check_fields
from discreet.core.guarantee import Guarantee
from discreet.core.guarantees.sets import Coherence as CoherencePromise
from discreet.core.guarantees.sets import Lkc as LkcPromise
from discreet.core.itemsets import Itemsets
from discreet.core.publication import Publication
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest
from discreet.core.statistics import FoldedSets
from discreet.core.transactions import Transactions
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.generalised.kernels.blocks import MOST_ITEMS
from discreet.generalised.kernels.coherent_items import Secrets, Shared, coherent_items
from discreet.generalised.kernels.occurrences import Occurrences
from discreet.generalised.kernels.secret_occurrences import put_beside_secrets
from discreet.generalised.recoding import Recoding, carried_out
from discreet.generalised.suppressing import only
from discreet.rng import Rng

__all__ = ["Coherence", "Lkc"]

Suppression: TypeAlias = Literal["occurrences", "items"]
"""What of public items may be left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Coherent(ABC):
    """Sets of which known public items tell neither who somebody is nor what is sensitive."""

    called: ClassVar[str]

    suppression: Annotated[
        Suppression, Doc("What may be left out of public items: single occurrences, or all of one.")
    ] = "occurrences"

    @property
    @abstractmethod
    def bounds(self) -> tuple[int, int, Fraction]:
        """The people that known items must fit, how many are known, and the largest confidence."""

    @property
    @abstractmethod
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What every release promises."""

    def statistics(self, data: Transactions, rng: Rng) -> FoldedSets:
        """Return the distinct sets with their counts, and which items are sensitive."""
        _secrets(data)
        return FoldedSets.of(data)

    def decide(self, statistics: FoldedSets, rng: Rng) -> Recoding:
        """Return which public items are published; sensitive ones all are."""
        k, p, h = self.bounds
        folded = statistics.histogram
        universe = folded.sets.vocabulary
        secret = np.array([item in statistics.sensitive for item in universe], dtype=np.bool_)
        _refuse(folded.total, folded.supports[secret], k, h)
        public = only(folded.sets, ~secret[folded.sets.items])
        hidden = only(folded.sets, secret[folded.sets.items])
        number = np.cumsum(secret) - 1
        secrets = Secrets(
            hidden.offsets.copy(),
            number[hidden.items].astype(np.int32),
            int(secret.sum()),
            h.numerator,
            h.denominator,
        )
        order = np.argsort(-folded.supports, kind="stable")
        order = order[~secret[order]]
        shared = _shared(public, folded.counts)
        kept = coherent_items(shared, secrets, order, k, p)
        published = kept[public.items]
        if self.suppression == "occurrences":
            published = _most(shared, secrets, order, published, (k, p))
        shown = np.ones(len(folded.sets.items), dtype=np.bool_)
        shown[~secret[folded.sets.items]] = published
        return Recoding.without(folded.sets, shown)

    def apply(self, plan: Recoding, data: Transactions) -> Transactions:
        """Return the records of ``data`` without the items that are left out."""
        content = plan.lifted(data)
        # what is left out everywhere is not named
        held = content.supports > 0
        names = [
            item
            for item, some in zip(content.universe, held, strict=True)
            if some or item in data.sensitive
        ]
        return Transactions(content.sets.over(names), sensitive=data.sensitive)

    def claims(
        self, plan: Recoding, data: Transactions, rng: Rng
    ) -> tuple[tuple[Guarantee, ...], Manifest]:
        """Return what a release by the plan promises, and how it was made; it names the secrets."""
        return self.guarantees, manifest_of(self, self.called, rng, sensitive=_secrets(data))

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Transactions]:
        """Publish the records of ``data``, secrets included, without items that tell too much."""
        return self.carry_out(None, data, rng)

    def carry_out(
        self, plan: Recoding | None, data: Transactions, rng: Rng | None = None
    ) -> Publication[Transactions]:
        """Publish by a plan, which is decided on where it is None."""
        return carried_out(self, data, rng, plan)[0]


def _secrets(data: Transactions) -> tuple[str, ...]:
    """Return the sensitive items, sorted, refusing data that name none."""
    if not data.sensitive:
        msg = "which items are sensitive must be said: give a list of them by --sensitive"
        raise DataError(msg)
    return tuple(sorted(data.sensitive))


def _refuse(people: int, supports: NDArray[np.int64], k: int, h: Fraction) -> None:
    """Refuse what leaving out public items cannot mend: what follows from knowing nothing."""
    if people < k:
        msg = f"there must be at least `k` = {k} records, and there are {people}"
        raise InfeasibleError(msg, parameter="k")
    common = Fraction(int(supports.max(initial=0)), people)
    if common > h:
        least = -(-common * 1000 // 1)
        msg = (
            "a sensitive item is so common that it follows from knowing nothing with a confidence "
            f"above {float(h):g}; it can be met with {least / 1000:g}"
        )
        raise InfeasibleError(msg)


def _most(
    sets: Shared,
    secrets: Secrets,
    order: NDArray[np.int64],
    items: NDArray[np.bool_],
    bounds: tuple[int, int],
) -> NDArray[np.bool_]:
    """Return what is published when single occurrences may go: no less than by items alone."""
    places = np.argsort(sets.items, kind="stable")
    people = np.repeat(sets.counts, np.diff(sets.offsets))
    ways = []
    for start in (items, np.zeros_like(items)):
        state = Occurrences(*sets, places, start.copy())
        while put_beside_secrets(state, secrets, order, *bounds):
            pass
        ways.append(state.published)
    return max(ways, key=lambda published: int(people[published].sum()))


def _shared(sets: Itemsets, counts: NDArray[np.int64]) -> Shared:
    width = len(sets.vocabulary)
    starts = np.zeros(width + 1, dtype=np.int64)
    np.cumsum(np.bincount(sets.items, minlength=width), out=starts[1:])
    rows = np.repeat(np.arange(len(sets)), sets.sizes)
    holders = rows[np.argsort(sets.items, kind="stable")]
    return Shared(sets.offsets.copy(), sets.items.copy(), counts.copy(), starts, holders)


def _check(name: str, known: int) -> None:
    if known > MOST_ITEMS:
        msg = f"`{name}` must be from 1 to {MOST_ITEMS}, got {known}"
        raise ParameterError(msg, parameter=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coherence(_Coherent):
    """(h,k,p)-coherence: known public items fit k people, of whom a share h has any one secret.

    Xu, Wang, Fu and Yu 2008. Public items are suppressed: the commonest come first, and each is
    published where it makes no set of up to p items that fits too few people or tells a secret
    too surely, by default in some records and not in others. Sensitive items stay.
    """

    called: ClassVar[str] = "coherence"

    h: Annotated[Exact, Doc("Largest confidence in a sensitive item, above 0 and at most 1.")]
    k: Annotated[
        int, Doc("Least number of records that known items must fit, unless they fit none.")
    ]
    p: Annotated[int, Doc("Most public items of a person that someone may know.")]

    def __post_init__(self) -> None:
        check_fields(self)
        CoherencePromise(h=self.h, k=self.k, p=self.p)
        _check("p", self.p)

    @property
    def bounds(self) -> tuple[int, int, Fraction]:
        """The people that known items must fit, how many are known, and the largest confidence."""
        return self.k, self.p, exact("h", self.h)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """(h,k,p)-coherence."""
        return (CoherencePromise(h=self.h, k=self.k, p=self.p),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lkc(_Coherent):
    """LKC-privacy: up to L known items fit K people, of whom a share C has any one secret.

    Mohammed, Fung, Hung and Lee 2009; the same promise as coherence, with the letters of its paper.
    """

    called: ClassVar[str] = "lkc"

    l: Annotated[int, Doc("Most public items of a person that someone may know.")]  # noqa: E741
    k: Annotated[
        int, Doc("Least number of records that known items must fit, unless they fit none.")
    ]
    c: Annotated[Exact, Doc("Largest confidence in a sensitive item, above 0 and at most 1.")]

    def __post_init__(self) -> None:
        check_fields(self)
        LkcPromise(l=self.l, k=self.k, c=self.c)
        _check("l", self.l)

    @property
    def bounds(self) -> tuple[int, int, Fraction]:
        """The people that known items must fit, how many are known, and the largest confidence."""
        return self.k, self.l, exact("c", self.c)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """LKC-privacy."""
        return (LkcPromise(l=self.l, k=self.k, c=self.c),)
