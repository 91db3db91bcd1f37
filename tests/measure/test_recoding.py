"""What recoding costs: the worked numbers of the paper, and every number by its definition."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from math import log

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Release, Transactions, rng
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.errors import DataError
from discreet.measure import Recoded, association_rules, divergences, losses, recoding_measures
from discreet.networks import Dist
from tests.releases import as_released

ITEMS = ("a1", "a2", "b1", "b2", "b3", "s", "t")
SECRETS = ("s", "t")
TREE = Hierarchy.of_pairs(
    [("a1", "A"), ("a2", "A"), ("b1", "B"), ("b2", "B"), ("b3", "B"), ("A", "ALL"), ("B", "ALL")]
)


def recoded(original: list[list[str]], published: list[list[str]]) -> Recoded:
    data = Transactions.of(original, universe=ITEMS, sensitive=SECRETS)
    return Recoded(original=data, published=Itemsets.of(published), hierarchy=TREE)


def ncp(original: list[list[str]], published: list[list[str]]) -> float:
    return losses(recoded(original, published), np.arange(len(original))).ncp


@pytest.mark.parametrize(
    ("original", "published", "expected"),
    [
        # section V.D, group g[0]: alpha is s, gamma is t
        ([["a1"], ["a2", "s"]], [["ALL"], ["ALL", "s"]], "2/3"),
        ([["a1"], ["a2", "s"]], [["A"], ["A", "s"]], "4/15"),
        ([["a1"], ["a2", "s"]], [["a1"], ["s"]], "1/3"),
        # g[1]
        ([["b1", "b3", "s"], ["b1", "b3"]], [["ALL", "s"], ["ALL"]], "4/5"),
        ([["b1", "b3", "s"], ["b1", "b3"]], [["B", "s"], ["B"]], "12/25"),
        ([["b1", "b3", "s"], ["b1", "b3"]], [["b1", "b3", "s"], ["b1", "b3"]], "0"),
        # g[2], with the alpha of record 5 deleted, as in Table 3(b)
        (
            [["a1", "b1", "s", "t"], ["a1", "b3"], ["a1", "b2", "t"]],
            [["a1", "B", "t"], ["a1", "B"], ["a1", "B", "t"]],
            "14/45",
        ),
    ],
)
def test_the_penalties_of_the_paper(
    original: list[list[str]], published: list[list[str]], expected: str
) -> None:
    assert ncp(original, published) == pytest.approx(float(Fraction(expected)))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[list[str]], list[list[str]]]:
    original = draw(st.lists(st.sets(st.sampled_from(ITEMS)), min_size=1, max_size=6))
    published = []
    for record in original:
        way = {item: (item, *TREE.ancestors(item)) for item in record if item not in SECRETS}
        shown = {draw(st.sampled_from([*way[item], ""])) for item in way}
        shown |= {item for item in record if item in SECRETS and draw(st.booleans())}
        # of two items on one branch the higher stands for both
        published.append([x for x in shown if x and not {*_above(x)} & shown])
    return [sorted(record) for record in original], published


def _above(item: str) -> tuple[str, ...]:
    return TREE.ancestors(item) if item in TREE.numbers else ()


@settings(max_examples=150)
@given(pairs(), st.randoms(use_true_random=False))
def test_every_loss_is_what_the_definition_gives(
    both: tuple[list[list[str]], list[list[str]]], chance: object
) -> None:
    original, published = both
    order = list(range(len(original)))
    chance.shuffle(order)
    found = losses(recoded(original, [published[record] for record in order]), np.array(order))
    total = Fraction(0)
    gone = general = secret_gone = 0
    for record, shown in zip(original, published, strict=True):
        for item in record:
            stands = next((name for name in (item, *_above(item)) if name in shown), None)
            if stands is None:
                total, gone, secret_gone = total + 1, gone + 1, secret_gone + (item in SECRETS)
            elif stands != item:
                total, general = total + Fraction(len(TREE.leaves(stands)), 5), general + 1
    occurrences = sum(map(len, original))
    assert found.ncp == pytest.approx(float(total / max(1, occurrences)))
    assert (found.deleted, found.generalised, found.sensitive_deleted) == (
        gone,
        general,
        secret_gone,
    )
    assert found.sensitive == sum(item in SECRETS for record in original for item in record)


def test_a_generalised_item_counts_in_parts_and_nothing_is_infinite() -> None:
    kl, shannon = divergences(recoded([["a1"], ["a2"], ["s"]], [["A"], ["A"], []]))
    before = [1.5, 1.5, 0.5, 0.5, 0.5, 1.5, 0.5]
    after = [1.5, 1.5, 0.5, 0.5, 0.5, 0.5, 0.5]
    p, q = [x / sum(before) for x in before], [x / sum(after) for x in after]
    assert kl == pytest.approx(sum(x * log(x / y) for x, y in zip(p, q, strict=True)))
    mixed = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
    halves = [sum(x * log(x / m) for x, m in zip(one, mixed, strict=True)) / 2 for one in (p, q)]
    assert shannon == pytest.approx(sum(halves))
    assert divergences(recoded([["a1"]], [["a1"]])) == pytest.approx((0, 0))


def test_a_name_costs_at_most_a_deletion_where_the_hierarchy_lists_more_than_occurs() -> None:
    data = Transactions.of([["a1"], ["a2", "s"]], sensitive=["s"])
    wide = Recoded(original=data, published=Itemsets.of([["ALL"], ["ALL"]]), hierarchy=TREE)
    assert losses(wide, np.arange(2)).ncp == pytest.approx(1)
    narrow = replace(wide, published=Itemsets.of([["A"], ["A", "s"]]))
    assert losses(narrow, np.arange(2)).ncp == pytest.approx((2 / 5 + 2 / 5) / 3)


def test_a_general_name_never_stands_for_a_secret_below_it() -> None:
    tree = Hierarchy.of_pairs([("a1", "A"), ("a2", "A"), ("s", "A")])
    data = Transactions.of([["a1"], ["a2", "s"]], sensitive=["s"])
    general = Recoded(original=data, published=Itemsets.of([["A"], ["A", "s"]]), hierarchy=tree)
    assert losses(general, np.arange(2)).ncp == pytest.approx((1 + 1) / 3)
    assert divergences(general) == pytest.approx((0, 0))


@settings(max_examples=60)
@given(st.lists(st.sets(st.sampled_from("abcde")), max_size=12), st.sampled_from([0.01, 0.3]))
def test_rules_by_counting(records: list[set[str]], support: float) -> None:
    expected = set()
    for one, other in permutations("abcde", 2):
        first = [record for record in records if one in record]
        both = sum(other in record for record in first)
        if both >= max(2, support * len(records)) and 2 * both >= len(first):
            expected.add((one, other))
    assert association_rules(Itemsets.of(records), support=support) == expected


def release(published: list[list[str]]) -> Release[Transactions]:
    content = Transactions(Itemsets.of(published), applied=TREE)
    return as_released(content)


def test_all_numbers_need_the_key_and_what_does_not_needs_none() -> None:
    data = Transactions.of([["a1", "s"], ["b1"]], universe=ITEMS, sensitive=SECRETS)
    key = LinkageKey({"rows": pl.DataFrame({"row": [0, 1], "record": [1, 0]})})
    told = recoding_measures(data, release([["B"], ["a1"]]), key=key)
    assert told["ncp"] == pytest.approx((3 / 5 + 1) / 3)
    assert (told["sensitive_deleted"], told["sensitive_deleted_if_all_were"]) == (1, 1)
    assert told["deleted_share_if_all_sensitive_were"] == pytest.approx(1 / 3)
    assert "ncp" not in recoding_measures(data, release([["B"], ["a1"]]))
    other = LinkageKey({"rows": pl.DataFrame({"row": [0], "record": [1]})})
    with pytest.raises(DataError, match="must belong to this release"):
        recoding_measures(data, release([["B"], ["a1"]]), key=other)
    far = LinkageKey({"rows": pl.DataFrame({"row": [0, 1], "record": [1, 7]})})
    with pytest.raises(DataError, match="it has fewer records"):
        recoding_measures(data, release([["B"], ["a1"]]), key=far)


def test_what_is_sensitive_is_what_the_release_says() -> None:
    people = Transactions.of([["a", "s"], ["a", "s"], ["b"], ["b"]], sensitive=["s"])
    made = Dist(rho="0.5").publish(people, rng.seeded(1))
    assert made.release.sensitive == {"s"}
    told = recoding_measures(people, made.release, key=made.linkage_key)
    assert told["sensitive_deleted_if_all_were"] == 2
    assert told["sensitive_deleted"] > 0
    # read again without the list of sensitive items, as an auditor may
    plain = replace(people, sensitive=frozenset())
    assert recoding_measures(plain, made.release, key=made.linkage_key) == told


def test_a_secret_that_the_hierarchy_lists_is_deleted_and_never_generalised() -> None:
    tree = Hierarchy.of_pairs([("a1", "A"), ("s", "A"), ("A", "ALL"), ("b1", "ALL")])
    data = Transactions.of([["a1", "s"], ["s"]], universe=ITEMS, sensitive=SECRETS)
    seen = Recoded(original=data, published=Itemsets.of([["A"], ["A"]]), hierarchy=tree)
    lost = losses(seen, np.arange(2))
    assert (lost.sensitive_deleted, lost.deleted, lost.generalised) == (2, 2, 1)
