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
from discreet.core.network import SocialNetwork
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.measure.score import Gain, Rate

__all__ = ["Found", "score_with_friends", "score_with_items"]

Whole = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What claims about people are worth against their true items and friends."""

    claims: int
    """Claims scored."""
    tested: int
    """Claims whose known facts at least one real person has; the others are about nobody."""
    success: Rate
    """How often an inference is right about those who have the known facts."""
    baseline: Rate
    """How often the base rate of the inferred items would have been right about them."""
    exposed: Rate
    """Share of all people of whom a sensitive item that they hold is claimed."""
    identified: Rate
    """Share of all people whose own row is the only one that fits what is known of them."""

    def rates(self) -> list[tuple[str, Rate]]:
        """Return the shares that matter, each with its words."""
        return [
            ("right about people who have what is known", self.success),
            ("the base rate would have been", self.baseline),
            ("of all people, a secret is told", self.exposed),
            ("of all people, the row is found", self.identified),
        ]

    @property
    def by_chance(self) -> float:
        """The probability that a row guessed blindly is the right one."""
        return 1 / max(1, self.identified.people)

    def gains(self) -> list[Gain]:
        """Return inferences beside the base rate, and rows found beside blind guesses."""
        inferred = "is right about {share} of those it speaks of"
        found = "finds the very row of {share} of all people"
        return [
            Gain(words=inferred, success=self.success, chance=self.baseline.share),
            Gain(words=found, success=self.identified, chance=self.by_chance),
        ]

    def remarks(self) -> list[str]:
        """Return what else is to be said."""
        return [
            f"{self.tested:,} of {self.claims:,} claims are about somebody.",
            f"A row guessed blindly would be right with probability {self.by_chance:.2g}.",
        ]

    def record(self) -> dict[str, Any]:
        """Return the score as a plain mapping."""
        return {
            "claims": self.claims,
            "tested": self.tested,
            "success": self.success.record(),
            "baseline": self.baseline.record(),
            "exposed": self.exposed.record(),
            "identified": self.identified.record(),
        }


def score_with_friends(
    findings: Findings,
    truth: Sequence[SocialNetwork],
    releases: Sequence[Release[SetsWithNetwork | Network | Transactions]],
    keys: Sequence[LinkageKey],
) -> Found:
    """Score claims about people known by items and friends, through the owner's keys.

    A claim is about everyone who truly holds the known items and has so many friends, and right
    about those who hold what it infers; who fits several counts once, by the share that is right. A
    claim that a row is alone is right if the person behind it has what is known.
    """
    if len(truth) != 1 or len(keys) != len(releases):
        msg = (
            f"claims about people and friends are scored against one truth, with a key for each of "
            f"the {len(releases)} releases, got {len(truth)} and {len(keys)}"
        )
        raise DataError(msg)
    people = _People(truth[0])
    behind = [_behind(people.network, *pair) for pair in zip(releases, keys, strict=True)]
    trees = [_tree(release) for release in releases]
    tally = _Tally.of(len(people.network))
    for claim in findings.claims:
        fits = people.fitting(claim, trees[claim.release])
        tally.add(claim, fits, people, int(behind[claim.release][claim.row]))
    return tally.found(len(findings.claims))


def score_with_items(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Sequence[Release[Transactions]],
    keys: Sequence[LinkageKey],
) -> Found:
    """Score claims about people known by items alone, where nobody's friends were published."""
    alone = [SocialNetwork(people, np.empty((0, 2), dtype=np.int64)) for people in truth]
    held: list[Release[Any]] = [*releases]
    return score_with_friends(findings, alone, held, keys)


@dataclass(slots=True)
class _Tally:
    """Counts for each person, filled claim by claim."""

    made: Whole
    right: Whole
    base: NDArray[np.float64]
    identified: Mask
    tested: int = 0

    @classmethod
    def of(cls, many: int) -> "_Tally":
        none = np.zeros(many, dtype=np.int64)
        return cls(none, none.copy(), np.zeros(many), np.zeros(many, dtype=np.bool_))

    def add(self, claim: Claim, fits: Whole, people: "_People", behind: int) -> None:
        """Count a claim for everyone who fits it."""
        self.tested += len(fits) > 0
        if not claim.inferred:
            self.identified[behind] |= behind in fits
            return
        holds = people.holding(claim.inferred, None)
        self.made[fits] += 1
        self.right[fits] += holds[fits]
        self.base[fits] += holds.mean()

    def found(self, claims: int) -> Found:
        about = np.flatnonzero(self.made)
        share = self.right[about] / self.made[about]
        base = self.base[about] / self.made[about]
        everyone = len(self.made)
        return Found(
            claims=claims,
            tested=self.tested,
            success=Rate(share=_mean(share), people=len(about)),
            baseline=Rate(share=_mean(base), people=len(about)),
            exposed=Rate(share=_mean(self.right > 0), people=everyone),
            identified=Rate(share=_mean(self.identified), people=everyone),
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
        edges, degrees = self.network.edges, self.network.degrees
        one = np.concatenate([edges[:, 0], edges[:, 1]])
        theirs = degrees[np.concatenate([edges[:, 1], edges[:, 0]])]
        theirs = theirs[np.lexsort((theirs, one))]
        found: dict[tuple[int, ...], list[int]] = {}
        for person, part in enumerate(np.split(theirs, np.cumsum(degrees)[:-1])):
            found.setdefault(tuple(part.tolist()), []).append(person)
        return found

    @cached_property
    def holders(self) -> tuple[Whole, Whole]:
        """Return people sorted by item, and where each item begins."""
        sets = self.network.people.sets
        rows = np.repeat(np.arange(len(sets)), sets.sizes)
        order = np.argsort(sets.items, kind="stable")
        return rows[order], np.searchsorted(sets.items[order], np.arange(len(sets.vocabulary) + 1))

    @cached_property
    def number(self) -> dict[str, int]:
        return {item: place for place, item in enumerate(self.network.people.universe)}

    def fitting(self, claim: Claim, tree: Hierarchy | None) -> Whole:
        """Return everyone who truly has what the claim takes as known, or whom it names."""
        if claim.person is not None:
            return np.array([claim.person])
        items = claim.known if claim.degree is None else claim.known[:-1]
        if claim.friends and claim.degree == len(claim.friends):
            alike = np.array(self.by_circle.get(claim.friends, []), dtype=np.int64)
        elif claim.degree is not None:
            alike = self.by_degree.get(claim.degree, np.empty(0, dtype=np.int64))
        else:
            alike = np.arange(len(self.network))
        return alike[self.holding(items, tree)[alike]] if items else alike

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
            for place in (self.number[leaf] for leaf in below if leaf in self.number):
                mask[rows[begin[place] : begin[place + 1]]] = True
            if len(self.known) * len(mask) > MEMORY:
                self.known.clear()
            self.known[asked] = mask
        return self.known[asked]


MEMORY = 1 << 28
"""Most bytes for what is remembered of who holds what."""


def _tree(release: Release[Any]) -> Hierarchy | None:
    content = release.content
    return content.applied if isinstance(content, SetsWithNetwork | Transactions) else None


def _behind(network: SocialNetwork, release: Release[Any], key: LinkageKey) -> Whole:
    """Return the person behind each row: by number, or for a graph by itself by name."""
    content = release.content
    if not isinstance(content, Network):
        return key.records(len(content), len(network))
    ids = network.people.ids
    if ids is None or not key.names_people:
        msg = "a graph's key must name its nodes, and the truth its people, to be put together"
        raise DataError(msg)
    return key.records_by_name(len(content), ids)
