"""Finding people in a published graph from a few whose nodes are known, by who knows whom."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Releases, each_of
from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, in_range, positive, positive_share
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.network import SocialNetwork
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork, both_ways
from discreet.errors import DataError
from discreet.kernels.ragged import runs
from discreet.networks.linking.acquaintance import Seen
from discreet.rng import Rng, seeded

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Whole = NDArray[np.int64]
ROUNDS = 50
"""Most rounds; a mapping that still changes then is taken as it is."""
WELL_KNOWN = 10
"""Friends that a person has at least whose node is known from the start, where enough do."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """What the attacker may know at worst: all people with friends and items, and their nodes.

    Of the nodes only those of the people drawn as seeds are used; the others tell what was right.
    """

    network: SocialNetwork
    """The people, as the owner knows them."""
    node: Whole
    """The node of each person."""

    @classmethod
    def by_owner(cls, network: SocialNetwork, key: LinkageKey) -> "Placed":
        """Take it from the private data and the key of their release.

        Parameters
        ----------
        network
            The private data.
        key
            The owner's key, if there is one.

        Returns
        -------
        Placed
            The network with the node that each person is in the release.

        Raises
        ------
        DataError
            Where the private data are no people with their friendships.
        """
        if not isinstance(network, SocialNetwork):
            msg = (
                "propagation needs the people with their sets and friendships, got a "
                f"{type(network).__name__}; give the file of the people, and the friendships by "
                "`edges`"
            )
            raise DataError(msg, parameter="truth")
        return cls(network, np.argsort(key.records(len(network), len(network))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Propagation:
    """Find people by their friends: from a few known nodes to their neighbours, and onwards.

    Narayanan and Shmatikov 2009. The attacker has the friendships of the people, or a part of them,
    and knows the nodes of a few. Every pair of a person and a node is scored by how many friends of
    the person are mapped to neighbours of the node, and pairs that stand out in both directions are
    accepted. No promise of this family covers it. It is the owner's worst case and needs the
    private data and the key.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("singling out", "inference")

    seeds: Annotated[int, Doc("How many people the attacker can place at the start.")] = 50
    knows_items: Annotated[
        int, Doc("How many non-sensitive items of each person the attacker also knows.")
    ] = 0
    overlap: Annotated[
        Exact, Doc("The share of the friendships that the attacker knows, above 0 and up to 1.")
    ] = 1
    theta: Annotated[
        Exact,
        Doc("How far the best node must stand out from the second best, in standard deviations."),
    ] = "0.5"

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(seeds=self.seeds)
        positive_share("overlap", self.overlap)
        positive("theta", self.theta)
        in_range(0, None, knows_items=self.knows_items)

    def attack(
        self, releases: Releases[SetsWithNetwork], knowledge: Placed | None = None
    ) -> Findings:
        """Return whose node is found and what it holds; beside it the same with wrong seeds."""
        released = each_of(releases, SetsWithNetwork)
        if knowledge is None or len(released) != 1:
            msg = (
                "propagation is the owner's worst case for one release: it needs the private data "
                "and the key; give `truth` and `key`"
            )
            raise DataError(msg, parameter="truth")
        rng = seeded(0)
        graphs = _Graphs.of(released[0], knowledge, self, rng)
        seeds = graphs.drawn(self.seeds, rng)
        mapping = graphs.propagated(
            seeds, knowledge.node[seeds], float(positive("theta", self.theta))
        )
        wrong = knowledge.node[seeds][rng.permutation(len(seeds))]
        control = graphs.propagated(seeds, wrong, float(positive("theta", self.theta)))
        others = np.setdiff1d(np.flatnonzero(mapping >= 0), seeds)
        claims = [claim for person in others.tolist() for claim in graphs.claims(person, mapping)]
        secrets = [claim for claim in claims if claim.inferred]
        right = [claim for claim in secrets if graphs.holds(claim)]
        summary: Summary = {
            "people": len(mapping),
            "seeds": len(seeds),
            "mapped": len(others),
            "mapped_right": int((mapping[others] == knowledge.node[others]).sum()),
            "secrets_read": len(secrets),
            "secrets_read_right": len(right),
            "people_with_a_secret_read_right": len({claim.person for claim in right}),
            "mapped_from_wrong_seeds": int((control >= 0).sum()) - len(seeds),
        }
        return Findings(attack="propagation", claims=tuple(claims), summary=summary)


@dataclass(frozen=True, eq=False)
class _Graphs:
    """The graph that the attacker holds beside the one that was published."""

    people: SocialNetwork
    seen: Seen
    mine: "csr_array"
    """Who knows whom, as the attacker knows it."""
    published: "csr_array"
    """Which nodes are joined."""
    known: Whole
    """For each person some item numbers, -1 where there are fewer."""

    @classmethod
    def of(
        cls, release: Release[SetsWithNetwork], placed: Placed, attack: Propagation, rng: Rng
    ) -> "_Graphs":
        """Draw what the attacker knows of the friendships and of everyone's items."""
        network, content = placed.network, release.content
        order = rng.permutation(len(network.edges))
        share = positive_share("overlap", attack.overlap)
        some = network.edges[np.sort(order[: int(len(order) * share)])]
        seen = Seen.of(release, None)
        return cls(
            people=network,
            seen=seen,
            mine=_matrix(some, len(network)),
            published=_matrix(content.edges, len(content)),
            known=_known_items(network, seen.sensitive, attack.knows_items, rng),
        )

    def drawn(self, seeds: int, rng: Rng) -> Whole:
        """Return some people to begin with, of those with many friends where there are enough."""
        degrees = np.diff(self.mine.indptr)
        order = rng.permutation(len(degrees))
        known = degrees[order] >= WELL_KNOWN
        fitting = order[known] if known.sum() >= seeds else order[degrees[order] > 0]
        return np.sort(fitting[:seeds])

    def propagated(self, seeds: Whole, nodes: Whole, theta: float) -> Whole:
        """Return the node of each person that is found from the seeds, -1 for the others."""
        mapping = np.full(len(self.people), -1, dtype=np.int64)
        mapping[seeds] = nodes
        for _ in range(ROUNDS):
            person, node = self._best(mapping, theta)
            new = np.full_like(mapping, -1)
            new[person] = node
            new[np.isin(new, nodes)] = -1
            new[seeds] = nodes
            if np.array_equal(new, mapping):
                break
            mapping = new
        return mapping

    def _best(self, mapping: Whole, theta: float) -> tuple[Whole, Whole]:
        """Return pairs of a person and a node that are each other's best and stand out."""
        from scipy.sparse import csr_array

        mapped = np.flatnonzero(mapping >= 0)
        scores = csr_array(self.mine[:, mapped] @ self.published[mapping[mapped], :])
        person = np.repeat(np.arange(scores.shape[0]), np.diff(scores.indptr))
        node = scores.indices.astype(np.int64)
        degree = np.diff(self.published.indptr)
        score = scores.data / np.sqrt(np.maximum(degree[node], 1))
        fits = self._fitting(person, node)
        person, node, score = person[fits], node[fits], score[fits]
        best, second = _two_best(person, score, len(mapping))
        for_node, _ = _two_best(node, score, len(degree))
        mean = np.bincount(person, weights=score, minlength=len(mapping)) / len(degree)
        square = np.bincount(person, weights=score**2, minlength=len(mapping)) / len(degree)
        deviation = np.sqrt(np.maximum(square - mean**2, 1e-12))
        top = (score == best[person]) & (score == for_node[node])
        top &= (best - second)[person] > theta * deviation[person]
        # two people whose best node is the same, at the same score, are not told apart
        person, node = person[top], node[top]
        alone = np.bincount(node, minlength=len(degree))[node] == 1
        return person[alone], node[alone]

    def _fitting(self, person: Whole, node: Whole) -> NDArray[np.bool_]:
        """Tell which nodes hold what is known of the person, itself or by a more general name."""
        fits = np.ones(len(person), dtype=np.bool_)
        for known in self.known.T:
            ways = self._ways[known[person]]
            matched = np.zeros(len(person), dtype=np.bool_)
            for step in range(ways.shape[1]):
                wanted = np.where(ways[:, step] >= 0, ways[:, step] * self.seen.people + node, -1)
                matched |= np.isin(wanted, self._occurrences)
            fits &= matched | (known[person] < 0)
        return fits

    @cached_property
    def _occurrences(self) -> Whole:
        sets = self.seen.sets
        return (
            np.empty(0, np.int64)
            if sets is None
            else sets.items * self.seen.people + self.seen.rows
        )

    @cached_property
    def _ways(self) -> Whole:
        """For each item the published names that may stand for it, -1 beyond; last, for none."""
        tree, sets = self.seen.hierarchy, self.seen.sets
        number = {name: index for index, name in enumerate(sets.vocabulary if sets else ())}
        ways = [
            [
                number.get(name, -1)
                for name in (item, *(tree.ancestors(item) if tree and item in tree.numbers else ()))
            ]
            for item in self.people.people.universe
        ]
        table = np.full((len(ways) + 1, max(map(len, ways), default=1)), -1, dtype=np.int64)
        for index, way in enumerate(ways):
            table[index, : len(way)] = way
        return table

    def claims(self, person: int, mapping: Whole) -> Iterator[Claim]:
        """Yield that a person is behind a node, and each secret that stands there."""
        node = int(mapping[person])
        universe = self.people.people.universe
        items = tuple(universe[item] for item in self.known[person].tolist() if item >= 0)
        claim = Claim(
            row=node,
            known=(*items, "a place among friends"),
            inferred=(),
            confidence=1.0,
            people=1,
            person=person,
        )
        yield claim
        for item in self.seen.sets[node] if self.seen.sets else ():
            if item in self.seen.sensitive:
                yield replace(claim, inferred=(item,))

    def holds(self, claim: Claim) -> bool:
        """Whether the person that a claim is about holds what it infers."""
        return (
            claim.person is not None and claim.inferred[0] in self.people.people.sets[claim.person]
        )


def _known_items(network: SocialNetwork, sensitive: frozenset[str], count: int, rng: Rng) -> Whole:
    """Return for each person so many harmless items, drawn at random."""
    sets = network.people.sets
    rows = sets.rows
    harmless = np.array([item not in sensitive for item in sets.vocabulary], dtype=np.bool_)
    order = rng.permutation(len(sets.items))
    order = order[harmless[sets.items[order]]]
    order = order[np.argsort(rows[order], kind="stable")]
    sizes = np.bincount(rows[order], minlength=len(sets))
    within = runs(0, sizes)
    known = np.full((len(sets), count), -1, dtype=np.int64)
    some = within < count
    known[rows[order][some], within[some]] = sets.items[order][some]
    return known


def _matrix(edges: Whole, count: int) -> "csr_array":
    from scipy.sparse import csr_array

    ends = both_ways(edges)
    return csr_array((np.ones(2 * len(edges)), ends), shape=(count, count))


def _two_best(
    owner: Whole, score: NDArray[np.float64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the highest and the next score of each owner, 0 where there is none.

    >>> best, second = _two_best(np.array([0, 0, 1]), np.array([2.0, 3.0, 1.0]), 3)
    >>> best.tolist(), second.tolist()
    ([3.0, 1.0, 0.0], [2.0, 0.0, 0.0])
    """
    order = np.lexsort((-score, owner))
    first_of_owner = np.diff(owner[order], prepend=-1) != 0
    best, second = np.zeros(count), np.zeros(count)
    best[owner[order][first_of_owner]] = score[order][first_of_owner]
    following = np.flatnonzero(first_of_owner)[np.flatnonzero(first_of_owner) + 1 < len(order)] + 1
    following = following[~first_of_owner[following]]
    second[owner[order][following]] = score[order][following]
    return best, second
