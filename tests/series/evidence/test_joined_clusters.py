"""What follows from clusters that were joined, against all ways to hand out the copies."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet import Release, Transactions, rng
from discreet.core.clusters import Clusters
from discreet.core.guarantee import TermDiversity
from discreet.core.itemsets import Itemsets
from discreet.series import Anatomy, Composition
from discreet.series.clusters.public_order import public_order
from discreet.series.evidence.joined_clusters import joined_clusters
from tests.releases import as_released

NAMES = [f"set {number}" for number in range(24)]
ORDER = [NAMES[number] for number in public_order(Itemsets.of([[name] for name in NAMES])).tolist()]
"""Sets in the public order."""


def anatomised(joined: list[int], copies: dict[str, int], diversity: Fraction) -> Release[Clusters]:
    """A release whose first cluster holds so many pairs of sets, and is followed by two others."""
    members = np.split(np.arange(2 * sum(joined)), np.cumsum([2 * pairs for pairs in joined])[:-1])
    content = Clusters.of(
        [
            ([[ORDER[place]] for place in places.tolist()], copies if number == 0 else {})
            for number, places in enumerate(members)
        ]
    )
    release = as_released(content, TermDiversity(l=diversity), method="anatomy")
    said = {"cluster_size": 2, "l": str(diversity)}
    return replace(release, manifest=replace(release.manifest, parameters=said))


def numbers(content: Clusters) -> NDArray[np.int64]:
    return np.array([NAMES.index(items[0]) for items in content.sets], dtype=np.int64)


@given(
    pairs=st.integers(2, 4),
    copies=st.fixed_dictionaries({"s": st.integers(0, 4), "t": st.integers(0, 3)}),
    diversity=st.sampled_from([Fraction(3, 2), Fraction(2), Fraction(3)]),
)
def test_the_first_part_holds_more_by_all_ways_in_which_it_is_crowded(
    pairs: int, copies: dict[str, int], diversity: Fraction
) -> None:
    held = {term: count for term, count in copies.items() if count}
    assume(held)
    people, hits, ways = range(2 * pairs), dict.fromkeys(held, 0), 0
    for holders in product(*(combinations(people, count) for count in held.values())):
        if max(len({0, 1} & {*chosen}) for chosen in holders) * diversity <= 2:
            continue
        ways += 1
        for term, chosen in zip(held, holders, strict=True):
            hits[term] += 0 in chosen
    release = anatomised([pairs, 1, 1], held, diversity)
    found = joined_clusters(release, numbers(release.content))
    told = {
        (NAMES[name], release.content.terms[term]): (prior, posterior)
        for name, term, prior, posterior in zip(*(each.tolist() for each in found), strict=True)
    }
    likelier = {
        (name, term): (count / (2 * pairs), hits[term] / ways)
        for term, count in held.items()
        for name in ORDER[:2]
        if ways and Fraction(hits[term], ways) > Fraction(count, 2 * pairs)
    }
    assert told.keys() == likelier.keys()
    for who, chances in told.items():
        assert chances == pytest.approx(likelier[who])


def test_nothing_follows_from_what_was_not_joined_so() -> None:
    crowded = anatomised([2, 1, 1], {"s": 2}, Fraction(2))
    assert len(joined_clusters(crowded, numbers(crowded.content)).sets) == 2
    by_itself = anatomised([1, 1, 1], {"s": 1}, Fraction(2))
    at_the_end = replace(crowded, content=anatomised([2, 1], {"s": 2}, Fraction(2)).content)
    out_of_order = replace(
        crowded, content=replace(crowded.content, cluster=np.array([0, 1, 0, 0, 0, 1, 2, 2]))
    )
    torn = replace(
        crowded, content=replace(crowded.content, cluster=np.array([0, 1, 0, 1, 0, 0, 2, 2]))
    )
    unpromised = replace(crowded, guarantees=())
    unsaid = replace(crowded, manifest=replace(crowded.manifest, parameters={"l": "2"}))
    for release in (by_itself, at_the_end, out_of_order, torn, unpromised, unsaid):
        assert not len(joined_clusters(release, numbers(release.content)).sets)


def test_whoever_knows_the_method_reads_more_than_one_in_l() -> None:
    # two crowded sets and two calm ones become one cluster; then come others
    held = [["s"], ["s"], [], [], *([[]] * 12)]
    records = [[name, *terms] for name, terms in zip(ORDER, held, strict=False)]
    made = Anatomy(l=2, cluster_size=2).publish(
        Transactions.of(records, sensitive=["s"]), rng.seeded(1)
    )
    found = Composition().attack([made.release])
    sure = {claim.known[0] for claim in found.claims if claim.confidence == 1}
    assert sure == set(ORDER[:2])
    assert {claim.how for claim in found.claims if claim.confidence == 1} == {"minimality"}
    assert found.summary["at_risk_minimality"] == 2
