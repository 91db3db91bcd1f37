"""How often claims about people known by their items and friends are right."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.findings import Claim, Findings
from discreet.core.graph import Network
from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.network import SocialNetwork
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.score import Advantage, Rate, Score
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.networks.linking.acquaintance import degrees_of_friends, with_friends

Whole = NDArray[np.int64]
Mask = NDArray[np.bool_]


def score_with_friends(
    findings: Findings,
    truth: Sequence[SocialNetwork],
    releases: Sequence[Release[SetsWithNetwork | Network | Transactions]],
    keys: Sequence[LinkageKey],
) -> Score:
    """Score claims about people known by items and friends, through the owner's keys.

    A claim is about everyone who truly holds the known items and has so many friends, and right
    about those who hold what it infers; who fits several counts once, by the share that is right. A
    claim that a row is alone is right if the person behind it has what is known.
    """
    if len(truth) != 1 or len(keys) != len(releases):
        msg = (
            f"claims about people and friends are scored against one truth, with a key for each of "
            f"the {len(releases)} releases, got {len(truth)} and {len(keys)}; name one `truth` "
            "and a `key` for each release"
        )
        raise DataError(msg, parameter="key")
    people = _People(truth[0])
    record_of = [
        _record_of_each_row(people.network, *pair) for pair in zip(releases, keys, strict=True)
    ]
    trees = [_tree(release) for release in releases]
    tally = _Tally.of(len(people.network))
    for claim in findings.claims:
        fits = people.fitting(claim, trees[claim.release - 1])
        tally.add(claim, fits, people, int(record_of[claim.release - 1][claim.row]))
    return tally.score(len(findings.claims))


def score_with_items(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Sequence[Release[Transactions]],
    keys: Sequence[LinkageKey],
) -> Score:
    """Score claims about people known by items alone, where nobody's friends were published."""
    alone = [SocialNetwork(people, np.empty((0, 2), dtype=np.int64)) for people in truth]
    published: list[Release[Any]] = [*releases]
    return score_with_friends(findings, alone, published, keys)


def score_with_edges(
    findings: Findings,
    truth: Sequence[Network],
    releases: Sequence[Release[Network]],
    keys: Sequence[LinkageKey],
) -> Score:
    """Score claims about people known by friends alone, where nobody's sets were published."""
    published: list[Release[Any]] = [*releases]
    return score_with_friends(findings, [*map(_without_sets, truth)], published, keys)


def _without_sets(network: Network) -> SocialNetwork:
    """Return the people of a graph as if nobody held anything."""
    nothing = Itemsets(np.zeros(len(network) + 1, np.int64), np.empty(0, np.int32), ())
    return SocialNetwork(Transactions(nothing, network.ids), network.edges)


@dataclass(slots=True)
class _Tally:
    """Counts for each person, filled claim by claim."""

    made: Whole
    right: Whole
    base: NDArray[np.float64]
    identified: Mask
    tested: int = 0

    @classmethod
    def of(cls, count: int) -> "_Tally":
        none = np.zeros(count, dtype=np.int64)
        return cls(none, none.copy(), np.zeros(count), np.zeros(count, dtype=np.bool_))

    def add(self, claim: Claim, fits: Whole, people: "_People", person: int) -> None:
        """Count a claim for everyone who fits it."""
        self.tested += len(fits) > 0
        if not claim.inferred:
            self.identified[person] |= person in fits
            return
        holds = people.holding(claim.inferred, None)
        self.made[fits] += 1
        self.right[fits] += holds[fits]
        self.base[fits] += holds.mean()

    def score(self, claims: int) -> Score:
        """Return inferences beside the base rate, and rows identified beside blind guesses."""
        about = np.flatnonzero(self.made)
        right = _mean(self.right[about] / self.made[about])
        base = _mean(self.base[about] / self.made[about])
        everyone = len(self.made)
        return score_of_rates(
            claims,
            tested=self.tested,
            success=Rate(share=right, people=len(about)),
            baseline=Rate(share=base, people=len(about)),
            exposed=Rate(share=_mean(self.right > 0), people=everyone),
            identified=Rate(share=_mean(self.identified), people=everyone),
        )


def score_of_rates(
    claims: int, *, tested: int, success: Rate, baseline: Rate, exposed: Rate, identified: Rate
) -> Score:
    """Return the score of inferences about people and of rows said to be theirs.

    ``exposed`` is the share of all people of whom a sensitive item that they hold is claimed,
    ``identified`` the share whose own row is the only one that fits what is known of them.
    """
    blind = Rate(share=1 / max(1, identified.people), people=identified.people)
    inferred = "is right about {share} of the people it makes claims about"
    row = "finds the exact row of {share} of all people"
    return Score(
        claims=claims,
        advantages=(
            Advantage(words=inferred, success=success, baseline=baseline),
            Advantage(words=row, success=identified, baseline=blind),
        ),
        rates=(
            ("right about people who match what is known", success),
            ("the base rate would have been", baseline),
            ("of all people, a secret is inferred", exposed),
            ("of all people, the row is found", identified),
        ),
        remarks=(
            f"{tested:,} of {claims:,} claims match somebody.",
            f"A row guessed blindly would be right with probability {blind.share:.2g}.",
        ),
        figures={
            "tested": tested,
            "success": success,
            "baseline": baseline,
            "exposed": exposed,
            "identified": identified,
        },
    )


def _mean(values: NDArray[Any]) -> float:
    return min(1.0, float(values.mean())) if len(values) else 0.0


class _People:
    """The true items and friends of everyone, asked claim by claim."""

    def __init__(self, network: SocialNetwork) -> None:
        self.network = network
        self.known: dict[tuple[str, bool], Mask] = {}

    @cached_property
    def by_degree(self) -> dict[int, Whole]:
        order = np.argsort(self.network.degrees, kind="stable")
        degrees, begin = np.unique(self.network.degrees[order], return_index=True)
        return dict(zip(degrees.tolist(), np.split(order, begin[1:]), strict=True))

    @cached_property
    def by_circle(self) -> dict[tuple[int, ...], list[int]]:
        """Return who has friends with just these numbers of friends."""
        degrees = self.network.degrees
        theirs = degrees_of_friends(self.network.edges, degrees)
        groups: dict[tuple[int, ...], list[int]] = {}
        for person, circle in enumerate(np.split(theirs, np.cumsum(degrees)[:-1])):
            groups.setdefault(tuple(circle.tolist()), []).append(person)
        return groups

    @cached_property
    def holders(self) -> tuple[Whole, Whole]:
        """Return people sorted by item, and where each item begins."""
        starts, positions = self.network.people.sets.by_item
        return self.network.people.sets.rows[positions], starts

    @cached_property
    def number(self) -> dict[str, int]:
        return {item: index for index, item in enumerate(self.network.people.universe)}

    def fitting(self, claim: Claim, tree: Hierarchy | None) -> Whole:
        """Return everyone who truly has what the claim takes as known, or whom it names."""
        if claim.person is not None:
            return np.array([claim.person])
        by_graph = claim.degree is not None or bool(claim.friends)
        items, alike = claim.known[:-1] if by_graph else claim.known, self._alike(claim)
        return alike[self.holding(items, tree)[alike]] if items else alike

    def _alike(self, claim: Claim) -> Whole:
        """Return everyone who truly has the place in the graph that the claim takes as known."""
        if claim.friends and claim.degree == len(claim.friends):
            return np.array(self.by_circle.get(claim.friends, []), dtype=np.int64)
        alike = np.arange(len(self.network))
        if claim.degree is not None:
            alike = self.by_degree.get(claim.degree, np.empty(0, dtype=np.int64))
        if claim.friends:
            alike = alike[
                with_friends(self.network.edges, self.network.degrees, claim.friends)[alike]
            ]
        return alike

    def holding(self, items: tuple[str, ...], tree: Hierarchy | None) -> Mask:
        """Tell who holds all of these, or for a general name something below it."""
        masks = [self._holding(item, tree) for item in items]
        return np.logical_and.reduce(masks) if masks else np.ones(len(self.network), np.bool_)

    def _holding(self, item: str, tree: Hierarchy | None) -> Mask:
        asked = item, tree is None
        if asked not in self.known:
            rows, begin = self.holders
            general = tree is not None and item in tree.numbers and item not in self.number
            below = tree.leaves(item) if general and tree else (item,)
            mask = np.zeros(len(self.network), dtype=np.bool_)
            for index in (self.number[leaf] for leaf in below if leaf in self.number):
                mask[rows[begin[index] : begin[index + 1]]] = True
            if len(self.known) * len(mask) > MEMORY:
                self.known.clear()
            self.known[asked] = mask
        return self.known[asked]


MEMORY = 1 << 28
"""Most bytes for what is remembered of who holds what."""


def _tree(release: Release[Any]) -> Hierarchy | None:
    content = release.content
    return content.applied if isinstance(content, SetsWithNetwork | Transactions) else None


def _record_of_each_row(network: SocialNetwork, release: Release[Any], key: LinkageKey) -> Whole:
    """Return the person behind each row: by number, or for a graph by itself by name."""
    content = release.content
    if not isinstance(content, Network):
        return key.records(len(content), len(network))
    ids = network.people.ids
    if ids is None or not key.names_people:
        msg = (
            "a graph's key must name its nodes, and the truth its people, to be put together; give "
            "with `truth` a file with an id column"
        )
        raise DataError(msg, parameter="truth")
    return key.records_by_name(len(content), ids)
