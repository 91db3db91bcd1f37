"""What leaves next to nothing to use is said so."""

from typing import Any

import polars as pl
import pytest

from discreet import Hierarchy, Transactions
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.study.usefulness import remarks_on_content
from tests.releases import as_released

TREE = Hierarchy.of_pairs([("a", "*"), ("b", "*")])
NOTHING = pl.DataFrame(schema={"child": pl.String, "parent": pl.String})


def table(*ages: str) -> ProjectedTables:
    rows = pl.DataFrame({"age": ages, "ill": ["flu", "hiv"] * (len(ages) // 2)})
    return ProjectedTables((rows,), {"age": NOTHING}, {})


def recoded(*records: list[str]) -> Transactions:
    return Transactions(Transactions.of(records).sets, applied=TREE)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (ItemsetHistogram.of({(): 9}), "no itemset"),
        (GeneralisedSets.of([[], []]), "every occurrence"),
        (GeneralisedSets.of([[["a", "b"]], [["a", "b"]]]), "all items became one"),
        (recoded([], []), "every occurrence"),
        (recoded(["*"], ["*"], []), "the root of the hierarchy"),
        (SetsWithNetwork.of([["a"], ["b"]], [0, 0], []), "no edge"),
        (Network.of_edges(3, []), "no edge"),
        (table("*", "*"), "one class"),
    ],
)
def test_a_release_that_tells_nothing_is_remarked(content: Any, words: str) -> None:
    (remark,) = remarks_on_content(as_released(content))
    assert remark.startswith("nearly useless: ")
    assert words in remark


@pytest.mark.parametrize(
    "content",
    [
        ItemsetHistogram.of({("a",): 9}),
        GeneralisedSets.of([[["a"]], [["b"]]]),
        recoded(["*"], ["a"]),
        Network.of_edges(3, [(0, 1)]),
        table("30", "40"),
    ],
)
def test_a_release_that_tells_something_is_not(content: Any) -> None:
    assert not list(remarks_on_content(as_released(content)))
