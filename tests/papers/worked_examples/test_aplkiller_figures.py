"""Figures 2 and 6 of Wang et al. 2022, traced with the noise off.

Noise is off by way of an enormous budget, so that the very code of a real run is what is traced.
"""

from fractions import Fraction

import pytest

from discreet import Transactions, rng
from discreet.counts import AplKiller, DiffPart
from discreet.counts.kernels.layout import ALPHA, BUDGET, CUT, HIGH, LOW, WIDTH
from discreet.counts.levels import levels_of
from discreet.counts.partition.running import HALF, Partitioned, records_of
from discreet.counts.partition.taxonomy import taxonomy

ITEMS = ("beer", "toothpaste", "scissor", "hanger")
RETAIL = {
    ("beer", "toothpaste", "scissor", "hanger"): 20,
    ("beer", "toothpaste"): 4,
    ("beer",): 1,
    ("beer", "toothpaste", "scissor"): 12,
    ("scissor", "hanger"): 3,
}
SILENT = 10**8


@pytest.fixture
def retail() -> Transactions:
    records = [itemset for itemset, count in RETAIL.items() for _ in range(count)]
    return Transactions.of(records, universe=ITEMS)


def visits(run: Partitioned) -> dict[tuple[str, ...], tuple[Fraction, Fraction]]:
    """Each visited cut, as ranges of item numbers from 1, with B and alpha as parts of epsilon."""
    nodes = taxonomy(4, 2, 4).nodes

    def spoken(node: int) -> str:
        low, high = int(nodes[node, LOW]) + 1, int(nodes[node, HIGH])
        return str(low) if low == high else f"{low}-{high}"

    return {
        tuple(sorted(spoken(node) for node in row[CUT : CUT + row[WIDTH]])): (
            Fraction(int(row[BUDGET]), 2 * HALF),
            Fraction(int(row[ALPHA]), 2 * HALF),
        )
        for row in run.trace
    }


def test_figure_2_diffpart_publishes_the_input(retail: Transactions) -> None:
    method = DiffPart(epsilon=SILENT, fan_out=2, c1=0, universe=ITEMS)
    assert method.publish(retail, rng.seeded(1)).release.content.as_dict() == RETAIL


def test_figure_2_cuts_and_budgets(retail: Transactions) -> None:
    method = DiffPart(epsilon=SILENT, fan_out=2, c1=0, universe=ITEMS)
    levels = levels_of(retail.folded.over(ITEMS), len(ITEMS))
    records = records_of(levels[1:])
    run = method.partitioner(4, 4).partition(records, rng.seeded(1), trace=99)
    sixth, third, half = Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)
    assert visits(run) == {
        ("1-4",): (half, sixth),
        ("1-2", "3-4"): (third, sixth),
        ("1-2", "3", "4"): (sixth, sixth),
        ("1-2", "3"): (sixth, sixth),
        ("3-4",): (third, third),
        ("1-2",): (third, third),
    }


def test_figure_6_levelpart_prunes_what_is_too_large() -> None:
    method = AplKiller(epsilon=SILENT, fan_out=2, c1=0, universe=ITEMS)
    singles = Transactions.of([["beer"], ["toothpaste"], ["toothpaste"]], universe=ITEMS)
    levels = levels_of(singles.folded, len(ITEMS))
    records = records_of([levels[1]])
    run = method.partitioner(4, 1).partition(records, rng.seeded(1), trace=99)
    # the cut {1-2, 3-4} holds itemsets of two items and more: it is never visited
    assert visits(run) == {
        ("1-4",): (Fraction(1, 2), Fraction(1, 4)),
        ("1-2",): (Fraction(1, 4), Fraction(1, 4)),
    }
    found = run.level(1)
    assert dict(zip(found.rows[:, 0].tolist(), found.counts.tolist(), strict=True)) == {0: 1, 1: 2}


def test_the_example_ends_without_leakage(retail: Transactions) -> None:
    method = AplKiller(epsilon=SILENT, fan_out=2, c1=0, universe=ITEMS)
    content = method.publish(retail, rng.seeded(1)).release.content.as_dict()
    # size 4 finds one itemset, whose boundary takes up all of size 3; size 2 finds two more
    boundary_of_four = {
        ("beer", "toothpaste", "scissor"): 12,
        ("beer", "toothpaste", "hanger"): 1,
        ("beer", "scissor", "hanger"): 1,
        ("toothpaste", "scissor", "hanger"): 1,
    }
    boundary_of_two = {("beer",): 1, ("toothpaste",): 1, ("scissor",): 1, ("hanger",): 1}
    assert content == RETAIL | boundary_of_four | boundary_of_two
