"""How far beyond chance hidden members are guessed, beside the same counted person by person."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet import Transactions, rng
from discreet.core.constraints import Constraints
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.itemsets import Itemsets
from discreet.errors import ParameterError
from discreet.generalised import Coat, WordKnowledge, eliminated_members
from discreet.generalised.member_guessing import right_by_relatedness
from discreet.semantics import Embedding

SETS = st.lists(
    st.sets(st.sampled_from("abcdef"), min_size=1, max_size=2), min_size=12, max_size=24
)


def by_hand(data: Transactions, made: object, kind: str) -> tuple[float, float]:
    """The share of right guesses, and by chance, over the people whom nothing was counted of."""
    content, key = made.release.content, made.linkage_key
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
    sets = content.sets
    numbers: list[int] = sets.items[sets.offsets[row] : sets.offsets[row + 1]].tolist()
    return numbers


def by_points(data: Transactions, made: object, *, common: bool) -> float:
    """The share of right guesses by vectors learnt from the known half."""
    content, key = made.release.content, made.linkage_key
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


@settings(max_examples=40)
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


ITEMS = "abcdef"
FAR = st.one_of(st.just(math.nan), st.sampled_from([0.1, 0.3, 0.5, 0.9]))
NUMBERS = st.lists(st.lists(FAR, min_size=6, max_size=6), min_size=6, max_size=6)
RELATED = st.lists(st.sets(st.sampled_from(ITEMS), min_size=1, max_size=3), min_size=1, max_size=6)
BLOCKS = (("a", "b", "c"), ("d", "e"), ("f",))


class Table:
    """Distances that are written down."""

    def __init__(self, numbers: Sequence[Sequence[float]]) -> None:
        self.numbers = numbers

    def far(self, one: str, other: str) -> float:
        return self.numbers[ITEMS.index(one)][ITEMS.index(other)]

    def distances(self, one: Sequence[str], other: Sequence[str]) -> NDArray[np.float64]:
        table = [[self.far(term, member) for member in other] for term in one]
        return np.array(table, dtype=np.float64).reshape(len(one), len(other))


def tables(
    records: list[set[str]], blocks: list[tuple[str, ...]], near: Table
) -> dict[int, dict[int, list[float]]]:
    """For each hidden block the mean distances of its members, for each record that has it."""
    made: dict[int, dict[int, list[float]]] = {}
    for number, block in enumerate(blocks):
        if len(block) == 1:
            continue
        for row, record in enumerate(records):
            if not record & set(block):
                continue
            plain = [each[0] for each in blocks if len(each) == 1 and each[0] in record]
            cells = []
            for member in block:
                known = [
                    far for far in (near.far(item, member) for item in plain) if not math.isnan(far)
                ]
                cells.append(sum(known) / len(known) if known else math.nan)
            made.setdefault(number, {})[row] = cells
    return made


def best_guess_by_hand(
    records: list[set[str]],
    blocks: list[tuple[str, ...]],
    near: Table,
    counts: Mapping[str, float] | None,
) -> float:
    right = 0.0
    for number, rows in tables(records, blocks, near).items():
        block = blocks[number]
        held = [counts[item] + 0.5 for item in block] if counts else [1.0]
        known = [cell for cells in rows.values() for cell in cells if not math.isnan(cell)]
        mean = sum(known) / len(known) if known else 0.0
        for row, cells in rows.items():
            if len(set(held)) > 1:
                rare = [-math.log(each / sum(held)) for each in held]
                usual = sum(rare) / len(rare)
                cells = [
                    (1.0 if math.isnan(cell) or not mean else cell / mean) + each / usual
                    for cell, each in zip(cells, rare, strict=True)
                ]
            own = [cell for cell in cells if not math.isnan(cell)]
            middle = sum(own) / len(own) if own else 0.0
            cells = [cell if not math.isnan(cell) else middle for cell in cells]
            best = [block[at] for at, cell in enumerate(cells) if cell < min(cells) + 1e-9]
            right += len(records[row].intersection(best)) / len(best)
    return right


@settings(max_examples=80)
@given(RELATED, NUMBERS, st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_guesses_are_those_made_cell_by_cell(
    records: list[set[str]], numbers: list[list[float]], common: list[int]
) -> None:
    near, counts = Table(numbers), dict(zip(ITEMS, map(float, common), strict=True))
    shown = [[list(block) for block in BLOCKS if record.intersection(block)] for record in records]
    content = GeneralisedSets.of(shown)
    order = [item for block in content.blocks for item in block]
    held = Itemsets.of([sorted(record) for record in records], order).over(order)
    guessed = right_by_relatedness(content, near, counts, held)
    blocks = list(content.blocks)
    made = tables(records, blocks, near)
    nothing = all(
        math.isnan(cell) for rows in made.values() for cells in rows.values() for cell in cells
    )
    wanted = (
        best_guess_by_hand(records, blocks, near, None),
        best_guess_by_hand(records, blocks, near, counts),
    )
    assert guessed == (None if nothing else pytest.approx(wanted))


def test_whoever_knows_what_goes_together_is_right_about_people_never_counted() -> None:
    data = Transactions.of([["a", "d"], ["b", "e"]] * 30)
    hidden = Constraints.of([["d", "e"]])
    made = Coat(k=40, privacy=Constraints.of([["d"], ["e"]]), utility=hidden).publish(data)
    far = [[0.1 if abs(one - other) == 3 else 0.9 for other in range(6)] for one in range(6)]
    known = WordKnowledge(relatedness=Table(far))
    told = eliminated_members(data, made.release, key=made.linkage_key, knowledge=known)
    assert told["elimination_by_relatedness"] == pytest.approx(0.5)
    assert told["elimination_by_relatedness_and_frequency"] == pytest.approx(0.5)
    without = eliminated_members(data, made.release, key=made.linkage_key)
    assert told.keys() - without.keys() == {
        "elimination_by_relatedness",
        "elimination_by_relatedness_and_frequency",
    }
    assert {name: told[name] for name in without} == without


def test_words_that_tell_nothing_are_not_measured() -> None:
    data = Transactions.of([["a", "d"], ["b", "e"]] * 30)
    hidden = Constraints.of([["d", "e"]])
    made = Coat(k=40, privacy=Constraints.of([["d"], ["e"]]), utility=hidden).publish(data)
    mute = WordKnowledge(relatedness=Table([[math.nan] * 6] * 6))
    told = eliminated_members(data, made.release, key=made.linkage_key, knowledge=mute)
    assert told["elimination_by_relatedness"] is None
    assert told["elimination_by_relatedness_and_frequency"] is None
    assert told["elimination_by_frequency"] is not None


def test_without_meanings_of_words_the_cure_is_told() -> None:
    data = Transactions.of([["a"]] * 3 + [["b"]] * 5)
    made = Coat(k=4, protect="items").publish(data, rng.seeded(2))
    with pytest.raises(ParameterError, match="give texts by corpus"):
        eliminated_members(data, made.release, key=made.linkage_key, knowledge=WordKnowledge())
