"""GpASN: sets and the graph of the same people, safe when they are put together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, prod
from typing import Annotated, ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, share
from discreet.core.fields import check_fields
from discreet.core.guarantee import (
    GroupedDegree,
    GroupedRhoUncertainty,
    Guarantee,
    RhoUncertainty,
)
from discreet.core.guarantees.rho import rho_of
from discreet.core.itemsets import Itemsets
from discreet.core.network import SocialNetwork
from discreet.core.publication import Publication
from discreet.core.publisher import manifest_of, refuse_misfits
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions
from discreet.errors import InfeasibleError, ParameterError
from discreet.networks.graphs.communities import algorithm_for, communities
from discreet.networks.graphs.equal_degrees import Edits, equal_degrees, targets_of
from discreet.networks.graphs.rewiring import rewired
from discreet.networks.hiding.choices import (
    DELETED,
    Hiding,
    flat_over,
    keep_rows,
    named_sets,
    picking,
    promised,
    sensitive_of,
    worth_of_a_secret,
)
from discreet.networks.hiding.local_recoding import (
    Group,
    Ladder,
    Pick,
    Sparing,
    State,
    by_deletion,
    by_frequent_names,
    by_name,
    specialised,
)
from discreet.networks.hiding.parents import groups_by_parents, split_by_degree
from discreet.networks.hiding.suppression import Bound, Heuristic
from discreet.networks.record_order import in_order, random_order
from discreet.rng import Rng, secure

WHOLE, SPLIT = "by the kinds of items", "by the kinds of items and by degree"
"""What a manifest says of the groups."""
SEARCHED = "generalised, and single occurrences deleted"
WHICHEVER = "in each group generalised and deleted, or secrets or rare names, whichever loses less"
"""What a manifest says of how groups were made safe."""
ONE_KNOWN, MORE_KNOWN = Fraction(3, 10), Fraction(1, 2)
"""Share of a person's names that a secret is worth if one item is known, and if more are."""
TOGETHER = "everybody in one group, so that all have the same number of friends"
"""What a manifest says where there is one group."""
APART = f"{SPLIT}, for the kinds tell nobody apart"
"""What it says where groups by kinds would be one."""
ALONE = "by degree alone, which keeps more than by the kinds of items"
"""What it says where few items are known and nothing was generalised."""
STEP = 8
"""How many times as large the next parts are that are tried where kinds tell nobody apart."""
LEAST = 5
"""Least number of people in a group, unless rho asks for more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GpAsn(Hiding):
    """Sets and friendships of the same people, both protected in groups of equal degree.

    Wang, Lin, Bai, Chang, Li and Liu 2020, with the fixes of soundness note 004. People whose items
    have the same parents in the hierarchy form a group. Within it, items are generalised as far as
    the secrets demand, single occurrences are deleted, and edges are changed until everybody has
    the same number of friends.
    """

    in_memory: ClassVar[str] = "it goes by the whole network"

    g_min: Annotated[
        int | None,
        Doc("Least number of people in a group; by default 5, or 1/rho + 1 if that is more."),
    ] = None
    heuristic: Annotated[
        Heuristic,
        Doc(
            "How occurrences to delete are chosen: fewest now (num), or sparing rare items (dist)."
        ),
    ] = "num"
    secrets: Annotated[
        Sparing | None,
        Doc(
            "Whether further secrets may be deleted to publish finer items: never (spare), or "
            "where the NCP falls by it (ncp). By default spare (ncp where few items are known), "
            "except that a group gives up its secrets and keeps all other items by name where "
            "that loses less."
        ),
    ] = None
    known: Annotated[
        int | None,
        Doc("How many items of a person somebody may know, at most; by default any number."),
    ] = None
    names_first: Annotated[
        Exact | None,
        Doc(
            "With `known`: the share of a person's other items that may be lost to keep one "
            "secret; beyond that the secret is deleted. By default 0.3 if one item is known, 0.5 "
            "if more are."
        ),
    ] = None
    split: Annotated[
        int | None,
        Doc(
            "Split groups by degree into parts of at least this many people: more edges and names "
            "stay, more secrets go; 0 for whole groups, as in the paper. By default groups are "
            "split as far as possible where that keeps more (a secret counts what `names_first` "
            "says) or where no edge would be left otherwise; if all people would be one group, as "
            "far as it costs no names, secrets or edges. Where few items are known, people are "
            "grouped by degree alone if more of the three stays."
        ),
    ] = None
    rewire: Annotated[
        Exact,
        Doc(
            "Share of the edges of which one end is moved to another node of its group, against "
            "attackers who know friendships; degrees stay the same."
        ),
    ] = 0

    def __post_init__(self) -> None:
        check_fields(self)
        if self.g_min is not None and self.g_min < 2:
            msg = f"`g_min` must be at least 2, for a group of one hides nobody, got {self.g_min}"
            raise ParameterError(msg, parameter="g_min")
        at_least_one(known=self.known)
        if self.names_first is not None:
            share("names_first", self.names_first)
        share("rewire", self.rewire)
        Hiding.__post_init__(self)
        if self.split and self.split < self.least:
            msg = f"`split` must be 0 or at least `g_min`, here {self.least}, got {self.split}"
            raise ParameterError(msg, parameter="split")

    @property
    def least(self) -> int:
        """The least number of people in a group."""
        return self.g_min or max(LEAST, ceil(1 / rho_of(self.rho)) + 1)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """No sensitive item follows too surely, in a group and in all; one degree a group."""
        grouped = GroupedRhoUncertainty(
            rho=self.rho, antecedents=self.antecedents, strict=self.strict, known=self.known
        )
        return grouped, self.uncertainty, GroupedDegree(least=self.least)

    @property
    def uncertainty(self) -> RhoUncertainty:
        """The uncertainty that is promised of all records."""
        return RhoUncertainty(
            rho=self.rho, antecedents=self.antecedents, strict=self.strict, known=self.known
        )

    @property
    def bound(self) -> Bound:
        """The bound on confidences within a group."""
        return Bound(
            rho=rho_of(self.rho),
            mixed=self.antecedents == "mixed",
            strict=self.strict,
            known=self.known,
            names_first=self.worth,
        )

    @property
    def worth(self) -> Fraction:
        """The share of a person's names that one secret is worth; 0 where any may be known."""
        if self.known is None:
            return Fraction(0)
        if self.names_first is None:
            return ONE_KNOWN if self.known == 1 else MORE_KNOWN
        return share("names_first", self.names_first)

    def publish(self, data: SocialNetwork, rng: Rng | None = None) -> Publication[SetsWithNetwork]:
        """Publish the sets and the graph under fresh node numbers."""
        refuse_misfits(data, SocialNetwork, rng)
        rng = rng or secure()
        sensitive = sensitive_of(data.people)
        if len(data) < self.least:
            msg = f"there must be at least {self.least} people for one group, got {len(data)}"
            cure = f"; `g_min` = {len(data)} would do" if len(data) > 1 else ""
            raise InfeasibleError(msg + cure, parameter="g_min")
        hierarchy = flat_over(data.people, self.hierarchy)
        order = random_order(data, rng)
        mixed = in_order(data, order)
        ladder = Ladder(mixed.people, hierarchy)
        group, sets, why = self._best_groups(ladder, mixed, rng)
        edits = self.graph(mixed, group, rng)
        edges = rewired(edits.edges, group, share("rewire", self.rewire), rng)
        content = SetsWithNetwork(sets, _shuffled(group, rng), edges, hierarchy)
        notes = {
            "groups": why,
            "plan": self._plan(sets, data),
            "communities": algorithm_for(data.edges),
            "graph": "made anew from its degrees" if edits.rebuilt else "edges changed",
            "hierarchy": "given" if self.hierarchy else "flat, over the items of the data",
        }
        manifest = manifest_of(self, "gp-asn", rng, notes, sensitive=sensitive)
        counts = {"friendships given": len(data.edges), "friendships published": len(edges)}
        keep = keep_rows(order, data.folded_edges.report | counts)
        claims = promised(self.guarantees, data.people, frozenset(sets.vocabulary))
        return Publication(Release(content, claims, manifest), keep)

    def _plan(self, sets: Itemsets, data: SocialNetwork) -> str:
        """Return what a manifest says of how groups were made safe."""
        if self.secrets is not None:
            return SEARCHED
        names, secrets = _named(sets, data)
        all_names, all_secrets = _named(data.people.sets, data)
        return DELETED if names == all_names and secrets < all_secrets else WHICHEVER

    def _best_groups(self, ladder: Ladder, data: SocialNetwork, rng: Rng) -> "Grouped":
        """Return groups by kinds, or by degree alone and all by name where that keeps more.

        Whoever knows few items learns little from rare names, and what few of a small group hold
        costs more of them than the kinds are worth: a hierarchy must not make a release worse.
        """
        search = partial(self._searched, pick=picking(rng))
        by_kinds = self._grouped(ladder, data, search)
        asked = self.known is None or self.secrets is not None or self.split is not None
        if asked or self.hierarchy is None or len(data) < 2 * self.least:
            return by_kinds
        deletion = partial(by_deletion, heuristic=self.heuristic)
        by_degree = self._in_parts(ladder, data, deletion)._replace(why=ALONE)
        return max(by_kinds, by_degree, key=lambda made: _balance(made, data))

    def _grouped(self, ladder: Ladder, data: SocialNetwork, search: "Search") -> "Grouped":
        """Return groups by kinds, whole or in parts, with the sets that are safe in them."""
        whole = groups_by_parents(ladder, self.least)
        bare = len(data.edges) > 0 and not targets_of(data.degrees, whole).any()
        together = len(data.edges) > 0 and not bare and not whole.any()
        if together and self.split is None and len(data) >= 2 * self.least:
            return self._in_parts(ladder, data, search)
        parts = split_by_degree(whole, data.degrees, self.split or self.least)
        if self.split:
            return Grouped(parts, self.sets(ladder, parts, search), SPLIT)
        if self.split is None and bare:
            why = f"{SPLIT}, for else no edge would be left"
            return Grouped(parts, self.sets(ladder, parts, search), why)
        sets = self.sets(ladder, whole, search)
        if self.split is None and parts.max() > whole.max():
            finer = self.sets(ladder, parts, search)
            if self._value(finer, parts, data) > self._value(sets, whole, data):
                return Grouped(parts, finer, f"{SPLIT}, which keeps more")
        why = f"{WHOLE}; no edge is left" if bare else WHOLE
        return Grouped(whole, sets, TOGETHER if together else why)

    def _in_parts(self, ladder: Ladder, data: SocialNetwork, search: "Search") -> "Grouped":
        """Return parts of similar degree where kinds of items tell nobody apart.

        A flat hierarchy has no kinds, and one group would have one degree. Of small parts and ever
        larger ones those are taken that give up neither names nor secrets nor friendships.
        """
        one = np.zeros(len(data), dtype=np.int64)
        groups = (
            split_by_degree(one, data.degrees, size) for size in _part_sizes(self.least, len(data))
        )
        made = (Grouped(group, self.sets(ladder, group, search), APART) for group in groups)
        return max(made, key=lambda each: _balance(each, data))

    def _value(self, sets: Itemsets, group: NDArray[np.int64], data: SocialNetwork) -> Fraction:
        """Return how many items are published as they are, a secret counted as names it is worth.

        Where all names may stay in any groups, friendships tell the groups apart.
        """
        names, secrets = _named(sets, data)
        value = names + self._price(data.people) * secrets
        any_known = self.secrets is None and self.known is None
        return value * _share_of_edges(data, group) if any_known else value

    def _price(self, people: Transactions) -> Fraction:
        """Return how many names a secret is worth where it is weighed against names.

        Where secrets are to be spared whatever names that costs, the names alone choose the groups.
        """
        if self.secrets is not None and self.known is None:
            return Fraction(0)
        return worth_of_a_secret(self.worth, people)

    def sets(self, ladder: Ladder, group: NDArray[np.int64], search: "Search") -> Itemsets:
        """Return the sets of all people, each group at its own cut and safe."""
        names = [*ladder.hierarchy.names, *ladder.data.universe]
        parts = list(self._groups(ladder, group, search))
        rows, numbers = (np.concatenate(column) for column in zip(*parts, strict=True))
        return named_sets(rows, names, numbers, len(ladder.data))

    def _groups(
        self, ladder: Ladder, group: NDArray[np.int64], search: "Search"
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield for each group who holds what: record numbers and symbols."""
        bound = self.bound
        loss = partial(State.loss, total=ladder.total, worth=self._price(ladder.data))
        everybody = np.argsort(group, kind="stable")
        for rows in np.split(everybody, np.flatnonzero(np.diff(group[everybody])) + 1):
            people = Group(ladder, rows, bound)
            state = search(people)
            if self.secrets is None and state.cost:
                state = min(state, by_name(people), key=loss)
                if self.names_first is None:
                    state = by_frequent_names(people, loss(state)) or state
            left = state.records.left()
            yield np.repeat(rows, left.sizes), state.symbols[left.items]

    def _searched(self, people: Group, pick: Pick) -> State:
        """Return a group after the steps down the hierarchy that pay."""
        # how few names are worth a secret is said already where few items are known
        sparing = self.secrets or ("spare" if self.known is None else "ncp")
        return specialised(people, self.heuristic, sparing, pick)

    def graph(self, data: SocialNetwork, group: NDArray[np.int64], rng: Rng) -> Edits:
        """Return the graph in which each group has one degree."""
        seed = int(rng.integers(1 << 62, 1)[0])
        member = communities(len(data), data.edges, seed)
        return equal_degrees(data.edges, targets_of(data.degrees, group), member, picking(rng))


class Grouped(NamedTuple):
    """People in groups, and sets that are safe in them."""

    group: NDArray[np.int64]
    """The group of each person."""
    sets: Itemsets
    """What each person publishes."""
    why: str
    """What a manifest says of the groups."""


Search: TypeAlias = Callable[[Group], State]
"""Makes a group safe."""


def _part_sizes(least: int, people: int) -> Iterator[int]:
    """Yield sizes of parts that are tried: the least, ever larger ones, and halves."""
    size = least
    while 2 * size < people:
        yield size
        size *= STEP
    yield people // 2


def _named(sets: Itemsets, data: SocialNetwork) -> tuple[int, int]:
    """Return how many occurrences have their own name: of items that are no secret, of secrets."""
    secrets = data.people.sensitive
    own = frozenset(data.people.universe) - secrets
    is_own, is_secret = (
        np.array([name in names for name in sets.vocabulary], dtype=np.bool_)
        for names in (own, secrets)
    )
    return int(is_own[sets.items].sum()), int(is_secret[sets.items].sum())


def _shares_named(sets: Itemsets, data: SocialNetwork) -> tuple[Fraction, ...]:
    """Return the shares of names and of secrets that are left; 1 where there were none."""
    given = _named(data.people.sets, data)
    return tuple(
        Fraction(left, before) if before else Fraction(1)
        for left, before in zip(_named(sets, data), given, strict=True)
    )


def _balance(made: Grouped, data: SocialNetwork) -> tuple[Fraction, Fraction]:
    """Return what is left of names, secrets and friendships: the shares' product, then their sum.

    The product is low where any of the three is given up.
    """
    shares = (*_shares_named(made.sets, data), _share_of_edges(data, made.group))
    return prod(shares, start=Fraction(1)), sum(shares, start=Fraction(0))


def _share_of_edges(data: SocialNetwork, group: NDArray[np.int64]) -> Fraction:
    """Return the share of the friendships that can stay where each group has one degree."""
    gone = np.maximum(data.degrees - targets_of(data.degrees, group), 0).sum()
    return 1 - Fraction(int(gone), max(1, 2 * len(data.edges)))


def _shuffled(group: NDArray[np.int64], rng: Rng) -> NDArray[np.int64]:
    """Return the groups under random numbers, so that a number tells nothing of the input."""
    return rng.permutation(int(group.max()) + 1)[group]
