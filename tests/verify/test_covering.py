"""What must follow from an item of another chunk: told below its share, and not at it."""

import sys
from fractions import Fraction
from typing import Any

import pytest

from discreet import Transactions, rng
from discreet.core.disassociated import Disassociated
from discreet.generalised import Disassociation
from discreet.verify.covering import covered

module = sys.modules[covered.__module__]

Clusters = list[tuple[int, list[list[list[str]]], list[str]]]
Shared = list[tuple[list[int], list[list[str]]]]

FREE: Clusters = [(4, [[["z"]] * 2, [["y"]] * 2], ["w"])]
"""A cluster in which nothing follows, so that what is looked for is not in the first."""

CASES: dict[str, tuple[Clusters, Shared, Fraction, str]] = {
    # one of the four with b may be the one without a
    "from a record chunk to another": (
        [*FREE, (5, [[["a"]] * 4, [["b"]] * 4], ["t"])],
        [],
        Fraction(3, 4),
        "of 4 people with a at least 3 hold b",
    ),
    "from the item that most people hold": (
        [*FREE, (5, [[["a"], ["b"], ["b"], ["b"]], [["c"]] * 3], ["t"])],
        [],
        Fraction(1, 3),
        "of 3 people with b at least 1 hold c",
    ),
    # at most four of the six with x are in the other cluster, and one of this may be without n
    "from a record chunk to a shared one": (
        [(4, [[["o"]] * 2], ["w"]), (4, [[["n"]] * 3], ["w"])],
        [([0, 1], [["x"]] * 6)],
        Fraction(1, 3),
        "of 3 people with n at least 1 hold x",
    ),
    "from a shared chunk to the record chunks of both clusters": (
        [*FREE, (4, [[["o"]] * 3], ["w"]), (4, [[["o"]] * 3], ["w"])],
        [([0, 1], [["v"]]), ([1, 2], [["x"]] * 6)],
        Fraction(2, 3),
        "of 6 people with x at least 4 hold o",
    ),
    "from a shared chunk to the terms of both clusters": (
        [(2, [], ["w"]), (2, [], ["w"])],
        [([0, 1], [["x"]] * 3)],
        Fraction(1, 3),
        "of 3 people with x at least 1 hold w",
    ),
    # the largest of three clusters may lack what all of the others hold
    "from a shared chunk to what its largest cluster lacks": (
        [*FREE, (5, [], []), (4, [[["x"]] * 4], []), (4, [[["x"]] * 4], [])],
        [([1, 2, 3], [["v"]] * 9)],
        Fraction(4, 9),
        "of 9 people with v at least 4 hold x",
    ),
}


@pytest.mark.parametrize(("clusters", "shared", "share", "said"), CASES.values(), ids=CASES)
def test_what_follows_is_told_below_its_share_and_not_at_it(
    clusters: Clusters, shared: Shared, share: Fraction, said: str
) -> None:
    content = Disassociated.of(clusters, shared)
    assert covered(content, share) == ""
    assert covered(content, share - Fraction(1, 1000)) == said


def test_what_may_all_be_in_other_clusters_follows_from_nothing() -> None:
    shared: Shared = [([0, 1, 2], [["v"]] * 6), ([0, 3], [["y"]] * 2)]
    content = Disassociated.of([(2, [], [])] * 4, shared)
    assert covered(content, Fraction(1, 7)) == ""
    shared[1] = [0, 3], [["y"]] * 3
    content = Disassociated.of([(2, [], [])] * 4, shared)
    assert covered(content, Fraction(1, 7)) == "of 6 people with v at least 1 hold y"


def test_what_everybody_holds_follows_from_a_term() -> None:
    everybody = Disassociated.of([*FREE, (2, [[["a"]] * 2], ["t"])])
    assert covered(everybody, Fraction(1)) == ""
    assert covered(everybody, Fraction(99, 100)) == "whoever holds t in cluster 1 holds a"
    # and the term follows for one of the two
    assert covered(everybody, Fraction(1, 2)) == "whoever holds t in cluster 1 holds a"
    assert covered(everybody, Fraction(49, 100)) == "of 2 people with a at least 1 hold t"
    for people, terms, said in (
        (1, ["t", "u"], "whoever holds u in cluster 0 holds t"),
        (2, ["t", "u"], ""),
        (1, ["t"], ""),
    ):
        assert covered(Disassociated.of([(people, [], terms)]), Fraction(1, 2)) == said


def test_few_items_are_counted_for_each_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    people = [[f"{(7 * row + step * step) % 97:02d}" for step in range(4)] for row in range(300)]
    made = Disassociation(k=5, m=2, cover="0.9").publish(Transactions.of(people), rng.seeded(1))
    content, listed, suspects = made.release.content, [], module._Seen.suspects

    def listing(*asked: Any) -> Any:
        listed.append(len(suspects(*asked)))
        return suspects(*asked)

    monkeypatch.setattr(module._Seen, "suspects", listing)
    assert covered(content, Fraction(9, 10)) == ""
    # a cluster has some thirty items, and one or two of them are nearly everybody's
    assert 0 < sum(listed) < 3 * len(listed)
