"""Shao and Ong 2017, number by number: Figures 1, 2, 4 to 6, 8 and 9, and the attacks of 2014."""

import numpy as np
import pytest

from discreet import Transactions, rng
from discreet.core.constraints import Constraints
from discreet.generalised import Coat, Meaning, Semantic, score_generalised
from discreet.generalised.elimination.rules import Method, eliminate
from discreet.semantics import Corpus, DistanceTable, Ngd
from tests.generalised.naive_elimination import Attacked, by_groups

ITEMS = ("bp", "icd", "limbs", "injury")
CONTEXTS = ("heart disease", "anesthesia", "gangrene", "knee")
FIGURE_1 = Transactions.of(
    [
        ["heart disease", "bp", "icd", "weakness", "dizziness"],
        ["anesthesia", "icd", "pain", "diabetes"],
        ["gangrene", "limbs", "injury"],
        ["knee", "injury"],
    ]
)
FIGURE_4 = np.array(
    [
        [0.56, 0.78, 1.57, 2.19],
        [1.75, 0.58, 1.74, 1.53],
        [2.60, 2.93, 1.78, 1.49],
        [1.60, 1.51, 1.89, 1.03],
    ]
)
MEANING = Meaning(
    relatedness=DistanceTable.of(
        {
            (context, item): float(FIGURE_4[row, column])
            for row, context in enumerate(CONTEXTS)
            for column, item in enumerate(ITEMS)
        }
    )
)
GBA = [("T3", "icd"), ("T3", "bp"), ("T2", "limbs"), ("T2", "bp"), ("T1", "injury")]
RBA = [
    ("T3", "icd"), ("T3", "bp"), ("T2", "bp"), ("T4", "bp"), ("T2", "limbs"), ("T2", "injury"),
    ("T1", "injury"), ("T1", "limbs"), ("T4", "limbs"), ("T4", "icd"),
]  # fmt: skip
TBA = {
    ("T1", "injury"), ("T2", "bp"), ("T2", "limbs"), ("T3", "bp"), ("T3", "icd"), ("T3", "limbs"),
    ("T4", "bp"), ("T4", "limbs"),
}  # fmt: skip
WBA = [("T3", "icd"), ("T3", "bp"), ("T1", "injury"), ("T4", "limbs")]
GONE = float("nan")


def named(method: Method) -> list[tuple[str, str]]:
    gone = eliminate(FIGURE_4, method, rng.seeded(1))
    return [(f"T{row + 1}", ITEMS[column]) for row, column in zip(gone.rows, gone.columns)]  # noqa: B905


def left(table: Attacked) -> list[list[float]]:
    return [
        [
            table.weighted((row, column)) if (row, column) in table.live else GONE
            for column in range(4)
        ]
        for row in range(4)
    ]


def test_figure_4_has_the_vulnerabilities_of_the_text() -> None:
    gaps = [np.diff(np.sort(row)).max() for row in FIGURE_4]
    assert gaps[1:3] == pytest.approx([0.95, 0.82])


def test_gba_eliminates_as_in_figures_5_and_6() -> None:
    gone = eliminate(FIGURE_4, "gba", rng.seeded(1))
    assert named("gba") == GBA
    assert gone.threshold == pytest.approx(0.445078125)
    assert gone.evidence == pytest.approx([0.79875, 0.585, 0.570625, 0.507222, 0.6525], abs=1e-6)
    assert gone.stopped == pytest.approx(0.413333, abs=1e-6)


def test_rba_eliminates_as_in_figures_8_and_9() -> None:
    gone = eliminate(FIGURE_4, "rba", rng.seeded(1))
    assert named("rba") == RBA
    assert gone.threshold == pytest.approx(0.445078125)
    steps = [
        0.79875,
        0.628125,
        0.69,
        0.795,
        0.667292,
        0.763958,
        0.76625,
        0.558125,
        0.840625,
        0.62625,
    ]
    assert gone.evidence == pytest.approx(steps, abs=1e-6)
    assert gone.stopped == pytest.approx(0.3725)


@pytest.mark.parametrize(
    ("redistribute", "steps", "printed"),
    [
        (
            False,
            1,
            [
                [0.3150, 0.3900, 0.8831, 1.2319],
                [0.9844, 0.2900, 0.9788, 0.8606],
                [1.3000, GONE, 0.8900, 0.7450],
                [0.9000, 0.7550, 1.0631, 0.5794],
            ],
        ),
        (
            False,
            5,
            [
                [0.1867, 0.3467, 0.6978, GONE],
                [GONE, 0.1933, GONE, 0.5100],
                [GONE, GONE, 0.5933, 0.4967],
                [0.6000, 0.7550, 0.9450, 0.5150],
            ],
        ),
        (
            True,
            1,
            [
                [0.3150, 0.3900, 0.8831, 1.2319],
                [0.9844, 0.2900, 0.9788, 0.8606],
                [1.4625, GONE, 0.8344, 0.6984],
                [0.9000, 0.7550, 1.0631, 0.5794],
            ],
        ),
        (
            True,
            10,
            [
                [0, 0.195, GONE, GONE],
                [GONE, 0, GONE, GONE],
                [GONE, GONE, 0, 0.3725],
                [GONE, GONE, GONE, 0],
            ],
        ),
    ],
)
def test_weighted_tables_are_those_of_figures_5_6_8_and_9(
    redistribute: bool, steps: int, printed: list[list[float]]
) -> None:
    gone, _, _, table = by_groups(FIGURE_4, redistribute=redistribute, most=steps)
    assert len(gone) == steps
    assert np.array(left(table)) == pytest.approx(np.array(printed), abs=6e-5, nan_ok=True)


def test_weights_end_as_in_figure_9() -> None:
    table = by_groups(FIGURE_4, redistribute=True)[3]
    weights = {cell: (table.by_row[cell], table.by_column[cell]) for cell in sorted(table.live)}
    printed = {
        (0, 0): (0.5, 1), (0, 1): (0.5, 0.5), (1, 1): (1, 0.5), (2, 2): (0.5, 1),
        (2, 3): (0.5, 0.5), (3, 3): (1, 0.5),
    }  # fmt: skip
    assert weights.keys() == printed.keys()
    for cell, pair in printed.items():
        assert weights[cell] == pytest.approx(pair)


def test_the_attacks_of_2014() -> None:
    assert named("mda") == [("T3", "icd")]
    assert set(named("tba")) == TBA
    assert named("wba") == WBA
    assert eliminate(FIGURE_4, "tba", rng.seeded(1)).threshold == pytest.approx(1.5956, abs=5e-5)
    assert eliminate(FIGURE_4, "wba", rng.seeded(1)).threshold == pytest.approx(0.8975, abs=5e-5)


@pytest.mark.parametrize(
    ("method", "precision", "recall", "rebuilt"),
    [
        ("mda", 1, 0.1, 0),
        ("tba", 0.875, 0.7, 0),
        ("wba", 1, 0.4, 0.25),
        ("gba", 1, 0.5, 0.25),
        ("rba", 1, 1, 1),
    ],
)
def test_from_figure_1_to_the_score(
    method: Method, precision: float, recall: float, rebuilt: float
) -> None:
    publisher = Coat(
        k=4, privacy=Constraints.of([["bp"], ["icd"]]), utility=Constraints.of([ITEMS])
    )
    publication = publisher.publish(FIGURE_1, rng.seeded(5))
    assert publication.linkage_key is not None
    release = publication.release
    findings = Semantic(eliminate=method).attack([release], MEANING)
    score = score_generalised(findings, [FIGURE_1], [release], [publication.linkage_key])
    figures = score.record()
    assert figures["precision"]["share"] == pytest.approx(precision)
    assert figures["recall"]["share"] == pytest.approx(recall)
    assert (figures["candidates"], figures["added"]) == (16, 10)
    assert figures["reconstructed"]["share"] == rebuilt
    assert figures["reconstructed_before"]["share"] == 0


def test_rba_brings_figure_1_back() -> None:
    publisher = Coat(
        k=4, privacy=Constraints.of([["bp"], ["icd"]]), utility=Constraints.of([ITEMS])
    )
    release = publisher.publish(FIGURE_1, rng.seeded(5)).release
    findings = Semantic().attack([release], MEANING)
    plain = [
        {block[0] for block in map(release.content.blocks.__getitem__, row) if len(block) == 1}
        for row in np.split(release.content.sets.items, release.content.sets.offsets[1:-1])
    ]
    rebuilt = {frozenset(plain[claim.row] | set(claim.inferred)) for claim in findings.claims}
    assert rebuilt == set(map(frozenset, FIGURE_1))


def test_ngd_of_the_worked_example() -> None:
    measure = Ngd(Corpus.build(["a b", "a b c", "a", "b c", "c d", "d", "a c", "e"]))
    found = measure.distances(["a", "b", "c"], ["b", "c", "d"])
    assert found[0] == pytest.approx([0.7067, 1.0, 1.5], abs=5e-5)
    assert found[1, 1] == pytest.approx(0.7067, abs=5e-5)
    assert found[2] == pytest.approx([0.7067, 0.0, 1.0], abs=5e-5)
