"""TDControl: items generalised for all records alike, and whole items suppressed."""

from collections import Counter
from dataclasses import replace

from discreet import Hierarchy, Transactions, verify
from discreet.core.itemsets import Itemsets
from discreet.networks import TdControl
from discreet.rng import seeded
from discreet.verify.rho_uncertainty import rho_uncertainty

TREE = Hierarchy.of_pairs(
    [("a1", "A"), ("a2", "A"), ("b1", "B"), ("b2", "BB"), ("b3", "BB"), ("BB", "B")]
    + [(top, "ALL") for top in ("A", "B", "c")]
)


def test_td_control_suppresses_no_item_that_could_come_back() -> None:
    records = [["a1", "x"], ["a1"], ["a2"], ["b1", "x"], ["b1"], ["c"]]
    data = Transactions.of(records, sensitive=["x"])
    for rho in ("0.3", "0.4", "0.5"):
        release = TdControl(rho=rho, hierarchy=TREE).publish(data, seeded(1)).release
        assert verify(release).by_parts is not False
        present = {name for held in release.content for name in held}
        if "x" not in present:
            told = [
                [*(name for name in held), *(["x"] if "x" in records[row] else [])]
                for row, held in zip(_records(data), release.content, strict=True)
            ]
            claim = release.guarantees[0]
            assert rho_uncertainty(Itemsets.of(told), claim, ["x"]).holds is False


def test_rare_names_alone_go_where_anything_else_loses_more() -> None:
    """Everybody with a or with c and d holds the secret: the search ends with no name at all."""
    kinds = [("a", "AB"), ("b", "AB"), ("c", "CD"), ("d", "CD")]
    tree = Hierarchy.of_pairs([*kinds, ("AB", "ALL"), ("CD", "ALL")])
    records = [["a", "x"], ["b", "c", "x"], ["b", "x"], ["c", "d", "x"], ["x"], ["b"], [], []]
    data = Transactions.of(records, sensitive=["x"])
    method = TdControl(rho="0.7", hierarchy=tree, antecedents="nonsensitive")
    release = method.publish(data, seeded(1)).release
    assert release.manifest.notes["plan"].startswith("nothing but rare names deleted")
    assert Counter(release.content) == {("x",): 3, ("b", "x"): 2, ("b",): 1, (): 2}
    assert verify(release).by_parts is True
    paper = replace(method, plan="paper").publish(data, seeded(1)).release
    assert Counter(paper.content) == {("x",): 5, (): 3}


def test_a_step_that_tells_nobody_apart_is_taken_for_the_steps_below_it() -> None:
    """Everything is under A too, so that name loses as much as the root."""
    tree = Hierarchy.of_pairs([("a", "A"), ("b", "A"), ("A", "ALL")])
    records = [["a", "x"]] * 4 + [["a"]] * 2 + [["b", "x"], ["x"], ["x"], []]
    data = Transactions.of(records, sensitive=["x"])
    release = TdControl(rho="0.9", hierarchy=tree, plan="paper").publish(data, seeded(1)).release
    assert Counter(release.content) == {("a", "x"): 4, ("a",): 2, ("x",): 3, (): 1}
    assert verify(release).by_parts is True


def _records(data: Transactions) -> list[int]:
    """The record behind each row, which the same seed tells."""
    order: list[int] = seeded(1).permutation(len(data)).tolist()
    return order
