"""m-confidentiality of what is published and of what was left out, by tables made by hand."""

from typing import Any

import polars as pl
import pytest

from discreet import Hierarchy, Microdata, Release, verify
from discreet.core.guarantee import KAnonymity, MConfidentiality
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Manifest
from discreet.core.verdict import Verdict
from discreet.errors import DataError

NOTHING = pl.DataFrame(schema={"child": pl.String, "parent": pl.String})


def people(classes: dict[str, str]) -> pl.DataFrame:
    """Who lives where, everyone with another job, and with an illness, '-' for none."""
    rows = [
        (zip_code, f"job {number}", "" if ill == "-" else ill)
        for zip_code, held in classes.items()
        for number, ill in enumerate(held)
    ]
    return pl.DataFrame(rows, schema=["zip", "job", "ill"], orient="row")


def judged(
    classes: dict[str, str],
    shown: str,
    *,
    m: int = 2,
    k: int | None = None,
    levels: Any = None,
    applied: pl.DataFrame = NOTHING,
    original: dict[str, str] | None = None,
    harmless: tuple[tuple[str, str], ...] = (),
) -> Verdict:
    """Publish all jobs, and the illnesses of some classes, and judge them with the original."""
    table = people(classes)
    some = table.filter(pl.col("zip").is_in(list(shown)))
    content = ProjectedTables((table.drop("ill"), some.drop("job")), {"zip": applied})
    notes = {"levels": {"zip": 0} if levels is None else levels}
    manifest = Manifest(method="none", parameters={}, randomness="none", notes=notes)
    claims = (MConfidentiality(m=m, non_sensitive=harmless), *([KAnonymity(k=k)] if k else []))
    release = Release(content, claims, manifest)
    against = Microdata.of(
        table if original is None else people(original), qids=["zip"], sensitive=["job", "ill"]
    )
    return verify(release, against=against).parts[0]


def left_out(size: int, m: int = 2) -> str:
    return (
        f"table 2, ill: of those left out in classes of {size} rows more than 1/{m} hold the "
        "same value"
    )


@pytest.mark.parametrize(
    ("classes", "shown", "options", "witness"),
    [
        # as many as one in m is not too many, in a class and in those left out together
        ({"1": "uv", "2": "uu", "3": "vv"}, "1", {}, None),
        ({"1": "uv", "2": "uu", "3": "uv"}, "1", {}, left_out(2)),
        ({"1": "uv", "2": "uu", "3": "uvv"}, "1", {}, left_out(2)),
        ({"1": "uv", "2": "uv", "3": "uuv"}, "1", {}, left_out(3)),
        ({"1": "uvw", "2": "uvw", "3": "uuvwxx"}, "1", {"m": 3}, None),
        ({"1": "uvw", "2": "uvw", "3": "uuuvwx"}, "1", {"m": 3}, left_out(6, 3)),
        # a class too small for k is left out whatever it holds
        ({"1": "uv", "2": "uu", "3": "vvw"}, "1", {"k": 3}, left_out(3)),
        ({"1": "uvw", "2": "uu", "3": "vvw"}, "13", {"k": 3, "harmless": (("ill", "v"),)}, None),
        ({"1": "uv", "2": "u"}, "1", {"harmless": (("job", "job 0"),)}, left_out(1)),
        ({"1": "uv", "2": "u"}, "1", {"harmless": (("job", "job 0"),), "k": 1}, left_out(1)),
        # what is no value is neither counted nor protected
        ({"1": "uv--", "2": "---"}, "1", {}, None),
        ({"1": "uv", "2": "u-v-"}, "1", {}, None),
        ({"1": "uv", "2": "u--"}, "1", {}, left_out(3)),
    ],
)
def test_values_are_counted_among_those_left_out_in_classes_of_one_size(
    classes: dict[str, str], shown: str, options: dict[str, Any], witness: str | None
) -> None:
    verdict = judged(classes, shown, **options)
    assert (verdict.holds, verdict.witness) == (witness is None, witness)


def test_a_published_class_of_the_second_table_is_named() -> None:
    verdict = judged({"1": "uv", "2": "uuv"}, "12")
    assert verdict.holds is False
    assert verdict.witness is not None
    assert verdict.witness.startswith("table 2")
    assert verdict.witness.endswith("the class zip 2 holds a value in more than 1/2 of its rows")


def test_a_class_that_is_published_in_part_is_seen() -> None:
    verdict = judged({"1": "uv", "2": "uv"}, "2", original={"1": "uv", "2": "uvw"})
    assert verdict.witness == "table 1 publishes a class that is no whole class of the original"


def test_classes_are_those_of_the_published_levels() -> None:
    tree = Hierarchy.of_pairs([("a1", "a"), ("a2", "a"), ("b1", "b"), ("a", "*"), ("b", "*")])
    pairs = tree.tables()["hierarchy"]
    known: dict[str, Any] = {"applied": pairs, "original": {"a1": "u", "a2": "v", "b1": "uu"}}
    verdict = judged({"a": "uv", "b": "uu"}, "a", levels={"zip": 1}, **known)
    assert verdict.witness == left_out(2)
    known["original"]["b1"] = "uv"
    for level, holds in ((1, False), (2, True)):
        assert judged({"*": "uvuv"}, "*", levels={"zip": level}, **known).holds is holds


def test_without_a_hierarchy_a_column_is_suppressed_as_a_whole() -> None:
    for shown in ("*", ""):
        verdict = judged({"*": "uvw"}, shown, levels={"zip": 1}, original={"1": "u", "2": "vw"})
        assert verdict.holds is True


def test_without_the_original_only_what_is_published_is_judged() -> None:
    for ill, holds in (("uv", None), ("uu", False)):
        content = ProjectedTables((people({"1": ill}),), {"zip": NOTHING})
        manifest = Manifest(method="none", parameters={}, randomness="none")
        (part,) = verify(Release(content, (MConfidentiality(m=2),), manifest)).parts
        assert (part.holds, part.needs) == (holds, ("--against",) if holds is None else ())


@pytest.mark.parametrize("levels", [{}, {"zip": 0, "age": 0}, {"age": 0}, 1])
def test_an_original_with_other_quasi_identifiers_is_refused(levels: Any) -> None:
    with pytest.raises(DataError, match="quasi-identifiers of the release"):
        judged({"1": "uv"}, "1", levels=levels)
