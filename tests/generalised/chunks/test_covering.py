"""What follows from items of other chunks, beside all pairs of items counted one by one."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Transactions, rng
from discreet.core.disassociated import Disassociated
from discreet.generalised import Cover, Disassociation
from discreet.generalised.chunks.covering import Covering


@st.composite
def contents(draw: Any) -> Disassociated:
    clusters = []
    for _ in range(draw(st.integers(1, 3))):
        people = draw(st.integers(1, 5))
        items = draw(st.permutations("abcdef"))
        bags = [
            [draw(st.sets(st.sampled_from(part), min_size=1)) for _ in range(count)]
            for part in (items[:2], items[2:3])
            if (count := draw(st.integers(0, people)))
        ]
        clusters.append((people, bags, items[3 : 3 + draw(st.integers(0, 2))]))
    shared = []
    for part in ("xy", "z"):
        over = sorted(draw(st.sets(st.sampled_from(range(len(clusters))), min_size=1)))
        room = sum(clusters[each][0] for each in over)
        bag = [
            draw(st.sets(st.sampled_from(part), min_size=1))
            for _ in range(draw(st.integers(0, room)))
        ]
        shared += [(over, bag)] if bag else []
    return Disassociated.of(clusters, shared)


def holders(content: Disassociated, item: str, clusters: set[int]) -> int:
    """Count how many people of some clusters hold an item at least."""
    count = 0
    for cluster in clusters:
        count += item in content.terms[cluster]
    for chunks in (content.chunks, content.shared):
        for chunk in range(len(chunks)):
            over = set(chunks.over(chunk).tolist())
            elsewhere = int(content.people[sorted(over - clusters)].sum())
            if over & clusters:
                rows = [chunks.sets[row] for row in (chunks.chunk == chunk).nonzero()[0].tolist()]
                count += max(0, sum(item in row for row in rows) - elsewhere)
    return count


def followed(content: Disassociated, limit: Fraction) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """Go through all pairs of an item of a place and one of another place."""
    places = [((cluster,), {term: 1}) for cluster, row in enumerate(content.terms) for term in row]
    for chunks in (content.chunks, content.shared):
        for chunk in range(len(chunks)):
            rows = [chunks.sets[row] for row in (chunks.chunk == chunk).nonzero()[0].tolist()]
            names = sorted({item for row in rows for item in row})
            supports = {item: sum(item in row for row in rows) for item in names}
            places.append((tuple(chunks.over(chunk).tolist()), supports))
    for clusters, supports in places:
        people = int(content.people[list(clusters)].sum())
        for inferred in set(content.universe) - set(supports):
            least = holders(content, inferred, set(clusters))
            for known, support in supports.items():
                if least and least - (people - support) >= limit * support:
                    yield clusters, known, inferred


@given(contents(), st.sampled_from(["1", "0.9", "0.5", "0.2", "0.01"]))
def test_what_follows_is_what_all_pairs_tell(content: Disassociated, share: str) -> None:
    limit, names = Fraction(share), content.universe
    links = [(tuple(sorted(each.clusters)), each) for each in Covering(content).links(limit)]
    found = [(clusters, names[link.known], names[link.inferred]) for clusters, link in links]
    assert sorted(found) == sorted(followed(content, limit))
    for clusters, link in links:
        count = holders(content, names[link.inferred], set(clusters))
        assert link.both == count - (int(content.people[list(clusters)].sum()) - link.people)


def test_of_large_clusters_only_items_of_nearly_everybody_are_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = [[f"{(7 * row + step * step) % 97:02d}" for step in range(4)] for row in range(300)]
    made = Disassociation(k=5, m=2).publish(Transactions.of(people), rng.seeded(1))
    assert len(made.release.content.shared) > 50

    def never(*_: object) -> None:
        pytest.fail("every item of a cluster is counted for each chunk over it")

    monkeypatch.setattr(Covering, "least", never)
    assert Cover().attack([made.release]).attack == "cover"
