"""m-invariance by hand: releases, the owner's key of their rows, and one fault at a time."""

from typing import Any

import polars as pl
import pytest

from discreet import Release, verify
from discreet.core.clusters import Clusters
from discreet.core.guarantees.clusters import MInvariant
from discreet.core.lineage import fingerprint
from discreet.core.publication import LinkageKey
from discreet.core.verdict import Verdict
from discreet.errors import DataError
from tests.releases import as_released

Row = tuple[str | None, str]
"""Who a row is, and the value: terms with a zero byte between them."""
FIRST = Clusters.of([([["a"], ["b"]], ["s", "t"]), ([["c"], ["d"]], ["u", "s", "t"])])
FIRST_ROWS: list[Row] = [("A", "s"), ("B", "t"), ("C", "u"), ("D", "s\x00t")]
SECOND = Clusters.of(
    [([["d"], ["x"]], ["u", "s", "t"]), ([["a"], ["e"], ["y"]], ["v", "w"])], counterfeits=[1, 0]
)
# D keeps the signature; A, with another value, meets none of the earlier ones
SECOND_ROWS: list[Row] = [("D", "s\x00t"), (None, "u"), ("A", "v"), ("E", ""), ("F", "w")]


def history(*rows: list[Row]) -> pl.DataFrame:
    listed = [
        (release, place, *row)
        for release, part in enumerate(rows)
        for place, row in enumerate(part)
    ]
    kinds = {"release": pl.Int64, "row": pl.Int64, "id": pl.String, "value": pl.String}
    return pl.DataFrame(listed, schema=kinds, orient="row")


def made(*contents: Clusters, m: int = 2) -> list[Release[Any]]:
    told = [fingerprint(content) for content in contents]
    return [
        as_released(content, MInvariant(m=m), method="m-invariance", follows=tuple(told[:place]))
        for place, content in enumerate(contents)
    ]


def checked(
    contents: list[Clusters], rows: list[list[Row]], *, m: int = 2, table: Any = None
) -> Verdict:
    *after, last = made(*contents, m=m)
    told = history(*rows) if table is None else table
    key = LinkageKey({"history": told}, {"releases": [fingerprint(each) for each in contents]})
    return verify(last, after=after, key=key).parts[0]


def test_groups_of_the_same_values_or_of_none_in_common_keep_it() -> None:
    assert checked([FIRST, SECOND], [FIRST_ROWS, SECOND_ROWS]).holds is True
    few = checked([FIRST, SECOND], [FIRST_ROWS, SECOND_ROWS], m=3)
    assert few.witness == "release 1, cluster 0 does not hold m values, each once"
    assert few.checked.startswith("for every group of 2 releases")


@pytest.mark.parametrize(
    ("content", "rows", "witness"),
    [
        (
            Clusters.of([([["d"], ["x"]], ["u", "s", "t"]), ([["a"], ["e"]], {"v": 2})]),
            [("D", "s\x00t"), ("C", "u"), ("A", "v"), ("E", "v")],
            "release 2, cluster 1 does not hold m values, each once",
        ),
        (
            Clusters.of([([["d"], ["x"]], ["u", "s", "t"]), ([["a"], ["e"]], ["v", "w", "z"])]),
            [("D", "s\x00t"), ("C", "u"), ("A", "v"), ("E", "w")],
            "release 2, cluster 1 does not publish the terms of its rows",
        ),
        (
            Clusters.of([([["d"], ["x"]], ["u", "s", "t"]), ([["a"], ["e"]], ["v", "w"])]),
            [("D", "s\x00t"), ("C", "u"), ("A", "v"), (None, "w")],
            "release 2, cluster 1 does not declare its counterfeits",
        ),
        (
            Clusters.of([([["d"], ["x"]], ["u", "s", "t"])], bag=["s"]),
            [("D", "s\x00t"), ("C", "u")],
            "release 2, m-invariance knows no global bag, but the release has one",
        ),
        (
            Clusters.of([([["b"], ["x"]], ["t", "v"])]),
            [("B", "t"), ("G", "v")],
            "two groups of person 2 of the key differ and have values in common",
        ),
        (
            # a counterfeit is nobody: its groups may show what they like
            Clusters.of([([["b"], ["x"]], ["s", "t"])], counterfeits=[1]),
            [("B", "t"), (None, "s")],
            None,
        ),
    ],
)
def test_a_fault_of_a_later_release_is_named(
    content: Clusters, rows: list[Row], witness: str | None
) -> None:
    verdict = checked([FIRST, content], [FIRST_ROWS, rows])
    assert (verdict.holds, verdict.witness) == (witness is None, witness)


def test_the_first_fault_is_told() -> None:
    poor = Clusters.of([([["a"], ["b"]], {"s": 2})])
    verdict = checked(
        [poor, SECOND, poor], [[("A", "s"), ("B", "s")], SECOND_ROWS, [("A", "s")] * 2]
    )
    assert verdict.witness == "release 1, cluster 0 does not hold m values, each once"


def test_nobody_meets_two_faces_of_one_counterfeit() -> None:
    # the rows of nobody are not one person whose groups are compared
    one = Clusters.of([([["a"], ["x"]], ["s", "t"])], counterfeits=[1])
    two = Clusters.of([([["b"], ["x"]], ["t", "u"])], counterfeits=[1])
    assert checked([one, two], [[("A", "s"), (None, "t")], [("B", "u"), (None, "t")]]).holds is True


def test_it_needs_the_key_and_what_came_before() -> None:
    releases = made(FIRST, SECOND, FIRST)
    (part,) = verify(releases[1]).parts
    assert (part.holds, part.needs) == (None, ("--key",))
    assert part.checked == "needs the owner's key of the series (--key)"
    key = LinkageKey({"history": history(FIRST_ROWS)}, {"releases": []})
    for number, whom in ((1, "the earlier release"), (2, "the 2 earlier releases")):
        (part,) = verify(releases[number], key=key).parts
        assert (part.holds, part.needs) == (None, ("--after",))
        assert part.checked == f"needs {whom} of the series (--after, oldest first)"


def test_another_key_is_refused() -> None:
    (release,) = made(FIRST)
    told = {"releases": [fingerprint(FIRST)]}
    whole = history(FIRST_ROWS)
    for tables, facts, words in (
        ({}, told, "must be the one that m-invariance wrote"),
        ({"history": whole.drop("value")}, told, "must be the one that m-invariance wrote"),
        ({"history": whole}, {}, "knows nothing of one of the releases"),
        ({"history": whole[1:]}, told, "lists other rows"),
        ({"history": history(FIRST_ROWS * 2)}, told, "lists other rows"),
    ):
        with pytest.raises(DataError, match=words):
            verify(release, key=LinkageKey(tables, facts))
    # in any order, and with more columns
    more = whole[::-1].with_columns(more=pl.lit(1))
    assert verify(release, key=LinkageKey({"history": more}, told)).holds is True


def test_releases_that_say_the_same_of_others_are_told_apart_by_their_place() -> None:
    same = Clusters.of([([["a"], ["b"]], ["s", "t"]), ([["c"], ["d"]], ["s", "u"])])
    rows: list[Row] = [("A", "s"), ("B", "t"), ("C", "s"), ("D", "u")]
    moved: list[Row] = [("C", "s"), ("B", "t"), ("A", "s"), ("D", "u")]
    assert checked([same, same], [rows, rows]).holds is True
    told = checked([same, same], [rows, moved])
    assert told.witness == "two groups of person 1 of the key differ and have values in common"
    first, second = made(same, same)
    of_first = LinkageKey({"history": history(rows)}, {"releases": [fingerprint(same)]})
    with pytest.raises(DataError, match="knows nothing of one of the releases"):
        verify(second, after=[first], key=of_first)
