"""What an attack on generalised sets uncovers, counted one candidate at a time."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Transactions, rng
from discreet.core.findings import Claim, Findings
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.publication import LinkageKey
from discreet.errors import DataError
from discreet.generalised import score_generalised
from discreet.generalised.scoring import eliminations
from tests.releases import as_released

BLOCKS = (("a",), ("b", "c"), ("d", "e", "f"))
BLOCK_OF = {item: block for block in BLOCKS for item in block}
SETS = st.lists(st.frozensets(st.sampled_from("abcdef")), min_size=1, max_size=8)


def published(people: list[frozenset[str]], seed: int) -> tuple[GeneralisedSets, LinkageKey]:
    order = rng.seeded(seed).permutation(len(people)).tolist()
    content = GeneralisedSets.of([{BLOCK_OF[item] for item in people[who]} for who in order])
    rows = pl.DataFrame({"row": range(len(order)), "record": order})
    return content, LinkageKey({"rows": rows})


@given(SETS, st.integers(0, 5), st.data())
def test_every_candidate_is_counted_as_by_hand(
    people: list[frozenset[str]], seed: int, data: st.DataObject
) -> None:
    content, key = published(people, seed)
    records = key.tables["rows"]["record"].to_list()
    cells = [
        (row, item)
        for row, who in enumerate(records)
        for block in BLOCKS[1:]
        if people[who] & set(block)
        for item in block
    ]
    gone = data.draw(st.lists(st.sampled_from(cells), unique=True) if cells else st.just([]))
    told = eliminations(
        Transactions.of(people),
        content,
        key,
        np.array([row for row, _ in gone], dtype=np.int64),
        [item for _, item in gone],
    )
    original = {(row, item) for row, item in cells if item in people[records[row]]}
    added = set(cells) - original
    assert (told.total.all, told.total.added) == (len(cells), len(added))
    assert (told.total.eliminated, told.total.right) == (len(gone), len(added & set(gone)))
    assert told.total.people == len({row for row, _ in gone})
    rows = {row for row, _ in cells}
    exact = [row for row in rows if {c for c in cells if c[0] == row} - set(gone)
             == {c for c in original if c[0] == row}]  # fmt: skip
    assert told.reconstructed.share == pytest.approx(len(exact) / max(1, len(rows)))
    assert told.excluded.share == pytest.approx(len(original & set(gone)) / max(1, len(original)))
    before = [sum(other == item for _, other in cells) for _, item in original]
    after = [sum(o == item for r, o in cells if (r, o) not in set(gone)) for _, item in original]
    assert told.candidates_before == pytest.approx(sum(before) / max(1, len(before)))
    assert told.candidates_after == pytest.approx(sum(after) / max(1, len(after)))
    assert sum(part.all for _, part in told.by_density) == len(cells)
    assert sum(part.right for _, part in told.by_density) == told.total.right


PEOPLE = [frozenset("ab"), frozenset("c"), frozenset("abd")]


def claims(*eliminated: tuple[int, tuple[str, ...]]) -> Findings:
    made = [
        Claim(row=row, known=(), inferred=(), eliminated=items, confidence=0.6, people=1)
        for row, items in eliminated
    ]
    return Findings(attack="semantic", claims=tuple(made))


def test_claims_are_scored_through_the_key() -> None:
    content, key = published(PEOPLE, 1)
    records = key.tables["rows"]["record"].to_list()
    findings = claims((records.index(0), ("c",)), (records.index(2), ("d", "e")))
    score = score_generalised(findings, [Transactions.of(PEOPLE)], [as_released(content)], [key])
    figures = score.record()
    assert (figures["eliminated"], figures["added"], figures["f"]) == (3, 5, pytest.approx(4 / 8))
    assert figures["precision"]["share"] == score.success.share == pytest.approx(2 / 3)
    assert figures["precision_at_random"] == score.baseline.share == pytest.approx(5 / 9)
    assert figures["recall_at_random"] == pytest.approx(3 / 9)
    assert figures["reconstructed"]["share"] == pytest.approx(1 / 3)
    assert len(score.rates) == 7
    assert "F 0.500 at density 0.444." in score.remarks


def test_without_eliminations_precision_is_one_and_recall_zero() -> None:
    content, key = published(PEOPLE, 1)
    score = score_generalised(claims(), [Transactions.of(PEOPLE)], [as_released(content)], [key])
    figures = score.record()
    assert (score.success.share, figures["recall"]["share"], figures["f"]) == (1, 0, 0)
    assert score.success.people == 0


def test_what_does_not_belong_together_is_refused() -> None:
    content, key = published(PEOPLE, 1)
    truth = Transactions.of(PEOPLE)
    with pytest.raises(DataError, match="one truth and one key for each"):
        score_generalised(claims(), [truth], [as_released(content)], [])
    with pytest.raises(DataError, match="items that are not in it"):
        score_generalised(claims((0, ("z",))), [truth], [as_released(content)], [key])
    with pytest.raises(DataError, match="does not fit its rows"):
        score_generalised(claims(), [truth], [as_released(content)], [LinkageKey({})])
    with pytest.raises(DataError, match="it has fewer records"):
        score_generalised(claims(), [Transactions.of(PEOPLE[:2])], [as_released(content)], [key])
    others = Transactions.of([frozenset("bd")] * 3)
    with pytest.raises(DataError, match="a row lacks what a person holds"):
        score_generalised(claims(), [others], [as_released(content)], [key])
