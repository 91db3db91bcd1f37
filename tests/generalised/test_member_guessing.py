"""How far beyond chance hidden members are guessed, beside the same counted person by person."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Transactions, rng
from discreet.core.itemsets import Itemsets
from discreet.generalised import Coat, eliminated_members
from discreet.semantics import Embedding

SETS = st.lists(
    st.sets(st.sampled_from("abcdef"), min_size=1, max_size=2), min_size=12, max_size=24
)


def by_hand(data: Transactions, made: object, kind: str) -> tuple[float, float]:
    """The share of right guesses, and by chance, over the people whom nothing was counted of."""
    content, key = made.release.content, made.linkage_key  # type: ignore[attr-defined]
    held = [set(data[int(record)]) for record in key.records(len(content), len(data))]
    rows = rng.seeded(1).permutation(len(content)).tolist()
    known, asked = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    right, chance, cells = 0.0, 0.0, 0
    for row in asked:
        blocks = [content.blocks[number] for number in _numbers(content, row)]
        plain = [block[0] for block in blocks if len(block) == 1]
        for block in (block for block in blocks if len(block) > 1):
            scores = [_score(item, plain, [held[each] for each in known], kind) for item in block]
            best = [
                item
                for item, score in zip(block, scores, strict=True)
                if score > max(scores) - 1e-9
            ]
            right += sum(item in held[row] for item in best) / len(best)
            chance += sum(item in held[row] for item in block) / len(block)
            cells += 1
    return right / cells, chance / cells


def _numbers(content: object, row: int) -> list[int]:
    sets = content.sets  # type: ignore[attr-defined]
    numbers: list[int] = sets.items[sets.offsets[row] : sets.offsets[row + 1]].tolist()
    return numbers


def by_points(data: Transactions, made: object, *, common: bool) -> float:
    """The share of right guesses by vectors learnt from the known half."""
    content, key = made.release.content, made.linkage_key  # type: ignore[attr-defined]
    held = [set(data[int(record)]) for record in key.records(len(content), len(data))]
    rows = rng.seeded(1).permutation(len(content)).tolist()
    known, asked = rows[: len(rows) // 2], rows[len(rows) // 2 :]
    people = [held[row] for row in known]
    learnt = Embedding.of(Itemsets.of([sorted(row) for row in people], sorted(data.universe)))
    point = dict(zip(learnt.terms, learnt.vectors, strict=True))
    rights = []
    for row in asked:
        blocks = [content.blocks[number] for number in _numbers(content, row)]
        plain = [block[0] for block in blocks if len(block) == 1]
        for block in (block for block in blocks if len(block) > 1):
            scores = [
                sum(float(point[item] @ point[other]) for other in plain)
                + (_score(item, [], people, "frequency") if common else 0.0)
                for item in block
            ]
            best = [n for n, score in enumerate(scores) if score > max(scores) - 1e-9]
            rights.append(sum(block[n] in held[row] for n in best) / len(best))
    return sum(rights) / len(rights)


def _score(item: str, plain: list[str], people: list[set[str]], kind: str) -> float:
    common = sum(item in held for held in people)
    score = float(np.log(common + 0.5)) if kind != "context" else 0.0
    for other in plain if kind != "frequency" else ():
        both = sum({item, other} <= held for held in people)
        others = sum(other in held for held in people)
        score += float(np.log1p(len(people) * both / (common * others))) if both else 0.0
    return score


@settings(max_examples=40, deadline=None)
@given(SETS)
def test_guesses_are_those_of_an_attacker_who_knows_the_other_half(records: list[set[str]]) -> None:
    data = Transactions.of([sorted(record) for record in records])
    made = Coat(k=7, protect="items", suppress=100).publish(data, rng.seeded(2))
    told = eliminated_members(data, made.release, key=made.linkage_key)
    assume(told)
    for kind in ("frequency", "context", "both"):
        right, chance = by_hand(data, made, kind)
        assert told[f"elimination_by_{kind}"] == pytest.approx(right - chance)
    assert told["elimination_chance"] == pytest.approx(chance)
    for name, common in (("embedding", False), ("embedding_and_frequency", True)):
        right = by_points(data, made, common=common)
        assert told[f"elimination_by_{name}"] == pytest.approx(right - chance)


def test_without_a_key_or_hidden_items_nothing_is_told() -> None:
    data = Transactions.of([["a"]] * 3 + [["b"]] * 5)
    made = Coat(k=4, protect="items").publish(data, rng.seeded(2))
    assert eliminated_members(data, made.release) == {}
    plain = Coat(k=2, protect="items").publish(data, rng.seeded(2))
    assert eliminated_members(data, plain.release, key=plain.linkage_key) == {}


def test_a_common_member_is_guessed() -> None:
    data = Transactions.of([["a"]] * 200 + [["b"]] * 2)
    made = Coat(k=3, protect="items").publish(data, rng.seeded(2))
    told = eliminated_members(data, made.release, key=made.linkage_key)
    assert told["elimination_chance"] == pytest.approx(0.5)
    assert told["elimination_by_frequency"] > 0.45
