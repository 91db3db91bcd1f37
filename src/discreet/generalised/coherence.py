"""(h,k,p)-coherence and LKC-privacy: one promise under two names, kept by leaving items out."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import compress
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact, in_range, in_small_terms
from discreet.core.fields import check_fields
from discreet.core.fold import fold
from discreet.core.guarantee import Guarantee
from discreet.core.guarantees.sets import Coherence as CoherencePromise
from discreet.core.guarantees.sets import Lkc as LkcPromise
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.publication import Publication
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest
from discreet.core.statistics import FoldedSets
from discreet.core.transactions import Transactions
from discreet.errors import DataError, InfeasibleError
from discreet.generalised.kernels.blocks import MOST_ITEMS, Rows
from discreet.generalised.kernels.coherent_items import Secrets, coherent_items, too_sure
from discreet.generalised.kernels.matching import matched
from discreet.generalised.kernels.occurrences import Occurrences
from discreet.generalised.kernels.secret_occurrences import put_beside_secrets
from discreet.generalised.recoding.constraint_search import rows_of
from discreet.generalised.recoding.plan import Recoding, carried_out
from discreet.generalised.recoding.suppressing import Suppressing
from discreet.kernels.ragged import runs
from discreet.rng import Rng

Suppression: TypeAlias = Literal["occurrences", "items"]
"""What of public items may be left out."""
Plan: TypeAlias = Literal["best", "all-secrets"]
"""Whether sensitive items may be deleted too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Coherent(ABC):
    """Sets of which known public items tell neither who somebody is nor what is sensitive."""

    called: ClassVar[str]

    suppression: Annotated[
        Suppression,
        Doc("What may be suppressed of non-sensitive items: single occurrences, or whole items."),
    ] = "occurrences"
    plan: Annotated[
        Plan,
        Doc(
            "Whether a sensitive item is deleted for everybody where more occurrences are kept "
            "that way (best), or all sensitive items stay (all-secrets)."
        ),
    ] = "best"

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
        """Return what is published of every set: of two ways the one that keeps more.

        All secrets stay and public items go; or the public items stay that k^m-anonymity lets
        stay, and of the secrets those that do not follow from them too surely.
        """
        k, _, h = self.bounds
        people = _People.of(statistics, h)
        folded, secret = people.folded, people.secret
        _refuse(folded.total, folded.supports[secret], k, h)
        ways = [self._beside_all_secrets(people)]
        if self.plan == "best":
            # of equals the first: no secret goes for nothing
            ways.append(self._beside_some_secrets(people, rng))
        weights = np.repeat(folded.counts, folded.sets.sizes)
        shown = max(ways, key=lambda way: int(weights[way].sum()))
        left = np.bincount(folded.sets.items[shown], minlength=len(secret)) > 0
        deleted = np.flatnonzero(secret & ~left & (folded.supports > 0)).tolist()
        plan = Recoding.without(folded.sets, shown)
        return replace(plan, deleted=tuple(plan.universe[item] for item in deleted))

    def _beside_all_secrets(self, people: "_People") -> NDArray[np.bool_]:
        """Return what is published where no secret goes."""
        k, p, _ = self.bounds
        order = np.argsort(-people.folded.supports[~people.secret], kind="stable")
        shared = rows_of(ItemsetHistogram(people.public, people.folded.counts))
        published = coherent_items(shared, people.secrets, order, k, p)[shared.items]
        if self.suppression == "occurrences":
            published = _most(shared, people.secrets, order, published, (k, p))
        return people.shown(published, np.zeros(people.secrets.width, dtype=np.bool_))

    def _beside_some_secrets(self, people: "_People", rng: Rng) -> NDArray[np.bool_]:
        """Return what is published where public items stay as if there were no secrets.

        A secret then stays for everybody or for nobody: a release in which it is named of some
        people only would say less of the others than it seems to.
        """
        k, p, _ = self.bounds
        public = fold(people.public, people.folded.counts)
        task = Suppressing(public, np.ones(len(public.sets.vocabulary)), k, p)
        mask = task.of_items() if self.suppression == "items" else task.of_occurrences(rng)
        published = _in_each(people.public, public.sets, mask)
        exposed = too_sure(
            rows_of(ItemsetHistogram(people.public.only(published), people.folded.counts)),
            people.secrets,
            p,
        )
        return people.shown(published, exposed)

    def apply(self, plan: Recoding, data: Transactions) -> Transactions:
        """Return the records of ``data`` without the items that are left out."""
        content = plan.lifted(data)
        # what is left out everywhere is not named
        occurs = content.supports > 0
        names = [
            item
            for item, present in zip(content.universe, occurs, strict=True)
            if present or item in data.sensitive
        ]
        return Transactions(content.sets.over(names), sensitive=data.sensitive)

    def claims(
        self, plan: Recoding, data: Transactions, rng: Rng
    ) -> tuple[tuple[Guarantee, ...], Manifest]:
        """Return what a release by the plan promises, and how it was made; it names the secrets."""
        notes = {"plan": _said(len(plan.deleted), len(data.held & data.sensitive))}
        return self.guarantees, manifest_of(self, self.called, rng, notes, sensitive=_secrets(data))

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Transactions]:
        """Publish the records of ``data`` without items that tell too much."""
        return self.carry_out(None, data, rng)

    def carry_out(
        self, plan: Recoding | None, data: Transactions, rng: Rng | None = None
    ) -> Publication[Transactions]:
        """Publish by a plan, which is decided on where it is None."""
        return carried_out(self, data, rng, plan)[0]


@dataclass(frozen=True, eq=False)
class _People:
    """Folded sets with their secrets apart."""

    folded: ItemsetHistogram
    secret: NDArray[np.bool_]
    """For each item whether it is sensitive."""
    h: Fraction

    @classmethod
    def of(cls, statistics: FoldedSets, h: Fraction) -> "_People":
        """Take the items as text sorts, so that nothing depends on the order of the universe."""
        folded, hidden = statistics.histogram, statistics.sensitive
        occurring = compress(folded.sets.vocabulary, (folded.supports > 0).tolist())
        names = sorted(hidden.union(occurring))
        return cls(folded.over(names), np.array([name in hidden for name in names], bool), h)

    @cached_property
    def public(self) -> Itemsets:
        """The sets without their secrets, row by row."""
        names = self.folded.sets.vocabulary
        return self.folded.sets.over([names[item] for item in np.flatnonzero(~self.secret)])

    @cached_property
    def secrets(self) -> Secrets:
        """The secrets, row by row."""
        hidden = self.folded.sets.only(self.secret[self.folded.sets.items])
        number = (np.cumsum(self.secret) - 1)[hidden.items].astype(np.int32)
        width = int(self.secret.sum())
        # a bound of many digits would not fit the machine words in which it is compared
        h = in_small_terms(self.h, self.folded.total)
        return Secrets(hidden.offsets.copy(), number, width, h.numerator, h.denominator)

    def shown(self, public: NDArray[np.bool_], exposed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which occurrences are published: these public, and secrets not ``exposed``."""
        hidden = self.secret[self.folded.sets.items]
        shown = np.empty(len(hidden), dtype=np.bool_)
        shown[~hidden], shown[hidden] = public, ~exposed[self.secrets.items]
        return shown


def _in_each(rows: Itemsets, distinct: Itemsets, published: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return what is published in each row, where it is known for the distinct sets."""
    which = matched(
        distinct.offsets.copy(), distinct.items.copy(), rows.offsets.copy(), rows.items.copy()
    )
    return published[runs(distinct.offsets[which], rows.sizes)]


def _secrets(data: Transactions) -> tuple[str, ...]:
    """Return the sensitive items, sorted, refusing data that name none."""
    if not data.sensitive:
        msg = "say which items are sensitive: give a file that lists them with --sensitive"
        raise DataError(msg)
    return tuple(sorted(data.sensitive))


def _said(deleted: int, total: int) -> str:
    """Say what became of the secrets."""
    if not deleted:
        return "all sensitive items stay"
    some = "all" if deleted == total else f"{deleted} of {total}"
    return f"{some} sensitive items deleted, for more occurrences are kept without them"


def _refuse(people: int, supports: NDArray[np.int64], k: int, h: Fraction) -> None:
    """Refuse what leaving out public items cannot mend: what follows from knowing nothing."""
    if people < k:
        msg = f"there must be at least `k` = {k} records, and there are {people}"
        raise InfeasibleError(msg, parameter="k")
    common = Fraction(int(supports.max(initial=0)), people)
    if common > h:
        least = -(-common * 1000 // 1)
        msg = (
            "a sensitive item is so common that a guess without any knowledge is right with a "
            f"confidence above {float(h):g}; the lowest that would do is {least / 1000:g}"
        )
        raise InfeasibleError(msg)


def _most(
    sets: Rows,
    secrets: Secrets,
    order: NDArray[np.int64],
    items: NDArray[np.bool_],
    bounds: tuple[int, int],
) -> NDArray[np.bool_]:
    """Return what is published when single occurrences may go: no less than by items alone."""
    positions = np.argsort(sets.items, kind="stable")
    people = np.repeat(sets.counts, np.diff(sets.offsets))
    ways = []
    for start in (items, np.zeros_like(items)):
        state = Occurrences(*sets, positions, start.copy())
        while put_beside_secrets(state, secrets, order, *bounds):
            pass
        ways.append(state.published)
    return max(ways, key=lambda published: int(people[published].sum()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Coherence(_Coherent):
    """(h,k,p)-coherence: p known items match k people, at most a share h with any one secret.

    Xu, Wang, Fu and Yu 2008. Items that are not sensitive are suppressed. The commonest are
    examined first; each is published if it makes no set of up to p items that matches too few
    people or reveals a secret with too high a confidence. By default this is decided record by
    record. Sensitive items stay, except those without which more can be kept.
    """

    called: ClassVar[str] = "coherence"

    h: Annotated[Exact, Doc("Largest confidence in a sensitive item, above 0 and at most 1.")]
    k: Annotated[
        int, Doc("Least number of records that known items must match, unless they match none.")
    ]
    p: Annotated[int, Doc("How many non-sensitive items of a person someone may know, at most.")]

    def __post_init__(self) -> None:
        check_fields(self)
        CoherencePromise(h=self.h, k=self.k, p=self.p)
        in_range(1, MOST_ITEMS, p=self.p)

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
    """LKC-privacy: L known items match K people, at most a share C with any one secret.

    Mohammed, Fung, Hung and Lee 2009; the same promise as coherence, in the letters of this paper.
    """

    called: ClassVar[str] = "lkc"

    l: Annotated[int, Doc("How many non-sensitive items of a person someone may know, at most.")]  # noqa: E741
    k: Annotated[
        int, Doc("Least number of records that known items must match, unless they match none.")
    ]
    c: Annotated[Exact, Doc("Largest confidence in a sensitive item, above 0 and at most 1.")]

    def __post_init__(self) -> None:
        check_fields(self)
        LkcPromise(l=self.l, k=self.k, c=self.c)
        in_range(1, MOST_ITEMS, l=self.l)

    @property
    def bounds(self) -> tuple[int, int, Fraction]:
        """The people that known items must fit, how many are known, and the largest confidence."""
        return self.k, self.l, exact("c", self.c)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """LKC-privacy."""
        return (LkcPromise(l=self.l, k=self.k, c=self.c),)
