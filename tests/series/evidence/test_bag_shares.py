"""What of the bag falls to a cluster, by exact fractions."""

from fractions import Fraction
from math import floor

from hypothesis import given
from hypothesis import strategies as st

from discreet.core.clusters import Clusters
from discreet.series.evidence.bag_shares import bag_shares

CLUSTERS = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 2)), min_size=1, max_size=5)


@given(CLUSTERS, st.integers(1, 9), st.integers(1, 9))
def test_shares_are_rounded_half_up(sizes: list[tuple[int, int]], s: int, t: int) -> None:
    people = [real for real, _ in sizes]
    fakes = [fake for _, fake in sizes]
    rows = [([["a"]] * (real + fake), {}) for real, fake in sizes]
    bag = {"s": min(s, sum(people)), "t": min(t, sum(people))}
    content = Clusters.of(rows, bag=bag, counterfeits=fakes)
    keys, shares = bag_shares(content)
    found = dict(zip(keys.tolist(), shares.tolist(), strict=True))
    wanted = {
        cluster * len(content.terms) + number: share
        for number, copies in enumerate(content.bag.tolist())
        for cluster, real in enumerate(people)
        if (share := floor(Fraction(real * copies, sum(people)) + Fraction(1, 2)))
    }
    assert found == wanted
