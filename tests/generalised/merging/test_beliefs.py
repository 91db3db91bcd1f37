"""Merges that an attacker can hardly see through, and what they cost."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng, verify
from discreet.errors import ParameterError
from discreet.generalised import Coat, Pcta
from discreet.generalised.merging import beliefs as module
from discreet.generalised.merging.beliefs import Resist, belief_of

SETS = st.lists(st.sets(st.sampled_from("abcdef"), min_size=1), min_size=6, max_size=25)


@settings(max_examples=40)
@given(SETS, st.sampled_from(get_args(Resist)), st.sampled_from([Coat, Pcta]))
def test_constraints_are_met_whatever_is_resisted(
    records: list[set[str]], resist: Resist, method: type[Coat]
) -> None:
    data = Transactions.of([sorted(record) for record in records])
    made = method(k=2, protect="items", suppress=100, resist=resist).publish(data, rng.seeded(1))
    assert verify(made.release, key=made.linkage_key).by_parts is True


def test_a_rare_item_hides_behind_one_as_rare() -> None:
    # a may hide with b, of whom there are as many, or with c, which is cheaper and half as common
    data = Transactions.of([["a"]] * 4 + [["b"]] * 4 + [["c"]] * 2 + [["d"]] * 30)
    plain = Coat(k=5, protect="file", privacy=_only("a")).publish(data, rng.seeded(1))
    assert ("a", "c") in plain.release.content.blocks
    resisting = Coat(k=5, privacy=_only("a"), resist="frequency").publish(data, rng.seeded(1))
    assert ("a", "b") in resisting.release.content.blocks


def test_a_rare_item_hides_behind_one_in_the_same_company() -> None:
    records = [["a", "x"]] * 3 + [["b", "x"]] * 3 + [["c", "y"]] * 3 + [["x"]] * 9 + [["y"]] * 9
    data = Transactions.of(records)
    alike = belief_of(data.folded, "context").alike
    number = data.universe.index
    assert alike[number("a"), number("b")] == pytest.approx(1)
    assert alike[number("a"), number("c")] == pytest.approx(0)
    made = Coat(k=5, privacy=_only("a"), resist="context").publish(data, rng.seeded(1))
    assert ("a", "b") in made.release.content.blocks


def test_what_is_compared_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_COMPARED", 2)
    with pytest.raises(ParameterError, match="up to 2 items, and there are 3; use frequency"):
        belief_of(Transactions.of([["a", "b", "c"]]).folded, "both")
    assert not len(belief_of(Transactions.of([["a", "b", "c"]]).folded, "frequency").alike)


def _only(item: str) -> object:
    from discreet.core.constraints import Constraints

    return Constraints.of([[item]])


def test_alike_is_the_cosine_of_what_items_occur_with() -> None:
    data = Transactions.of([["a", "x", "y"]] * 4 + [["b", "x"]] * 9 + [["a"], ["z"]])
    alike = belief_of(data.folded, "context").alike
    pairs = np.zeros((5, 5))
    for record in data:
        for one in record:
            for other in record:
                if one != other:
                    pairs[data.universe.index(one), data.universe.index(other)] += 1
    roots = np.sqrt(pairs)
    length = np.linalg.norm(roots, axis=1, keepdims=True)
    unit = roots / np.where(length > 0, length, 1)
    assert np.allclose(alike, unit @ unit.T, atol=1e-6)
