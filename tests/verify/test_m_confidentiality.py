"""m-confidentiality of what is published and of what was left out, by tables made by hand."""

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from discreet import Hierarchy, Microdata, rng, verify
from discreet.core.guarantee import KAnonymity, MConfidentiality
from discreet.core.projected_tables import ProjectedTables
from discreet.core.verdict import Verdict
from discreet.errors import DataError
from discreet.tables import Incognito
from tests.releases import as_released

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
    declared: bool = True,
) -> Verdict:
    """Publish all jobs, and the illnesses of some classes, and judge them with the original."""
    table = people(classes)
    some = table.filter(pl.col("zip").is_in(list(shown)))
    content = ProjectedTables((table.drop("ill"), some.drop("job")), {"zip": applied})
    notes = {"levels": {"zip": 0} if levels is None else levels}
    claims = (MConfidentiality(m=m, non_sensitive=harmless), *([KAnonymity(k=k)] if k else []))
    release = as_released(content, *claims, notes=notes)
    against = Microdata.of(
        table if original is None else people(original), qids=["zip"], sensitive=["job", "ill"]
    )
    waived = {name: [value for each, value in harmless if each == name] for name, _ in harmless}
    owners = replace(against, non_sensitive=waived) if declared else against
    return verify(release, against=owners).parts[0]


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
        (part,) = verify(as_released(content, MConfidentiality(m=2))).parts
        assert (part.holds, part.needs) == (holds, ("--against",) if holds is None else ())


def test_values_that_the_release_alone_calls_harmless_break_the_promise() -> None:
    classes, harmless = {"1": "uu", "2": "uv"}, (("ill", "u"),)
    assert judged(classes, "12", harmless=harmless).holds is True
    verdict = judged(classes, "12", harmless=harmless, declared=False)
    assert verdict.holds is False
    assert verdict.witness == "ill u needs protection in the original, and has none here"


def test_lacking_a_value_of_a_multi_valued_attribute_needs_no_protection() -> None:
    table = pl.DataFrame({"zip": ["1"] * 4, "ill": ["u", "", "u|v", "v"]})
    data = Microdata.of(table, qids=["zip"], sensitive=["ill"], multi_valued=["ill"])
    release = Incognito(k=2, m_confidentiality=2).publish(data, rng.seeded(1)).release
    assert verify(release, against=data).holds is None  # seeded
    assert verify(release, against=data).by_parts is True


def test_only_the_lack_of_a_value_of_many_needs_none() -> None:
    # 0 of an attribute with one value is a value, and 1 of one with many is to hold it
    verdict = judged({"1": "0u"}, "1", harmless=(("ill", "0"),), declared=False)
    assert verdict.witness == "ill 0 needs protection in the original, and has none here"
    table = pl.DataFrame({"zip": ["1"] * 4, "ill": ["u", "", "u|v", "v"]})
    data = Microdata.of(table, qids=["zip"], sensitive=["ill"], multi_valued=["ill"])
    release = Incognito(k=2, m_confidentiality=2).publish(data, rng.seeded(1)).release
    claims = (MConfidentiality(m=2, non_sensitive=(("ill=u", "1"),)),)
    (part,) = verify(replace(release, guarantees=claims), against=data).parts
    assert part.witness == "ill=u 1 needs protection in the original, and has none here"


def test_without_a_value_to_protect_nothing_was_checked() -> None:
    harmless = (("job", "job 0"), ("job", "job 1"), ("ill", "u"))
    verdict = judged({"1": "uu"}, "1", harmless=harmless)
    assert verdict.holds is None
    assert verdict.checked == "nothing: every sensitive value is declared to need no protection"


def test_values_of_the_original_that_the_hierarchy_lacks_are_in_no_published_class() -> None:
    tree = Hierarchy.of_pairs([("a1", "a"), ("a2", "a"), ("b1", "b"), ("a", "*"), ("b", "*")])
    known: dict[str, Any] = {"applied": tree.tables()["hierarchy"], "levels": {"zip": 1}}
    original = {"a1": "u", "a2": "v", "c1": "uv"}
    assert judged({"a": "uv"}, "a", original=original, **known).holds is True
    verdict = judged({"a": "uv"}, "a", original=original | {"c1": "uu"}, **known)
    assert verdict.witness == left_out(2)
    known["levels"] = {"zip": 2}
    assert judged({"*": "uvuv"}, "*", original=original, **known).holds is True


@pytest.mark.parametrize("level", ["x", None, [1], 1.5, True, -1, 3])
def test_levels_that_are_none_of_the_hierarchy_are_refused(level: Any) -> None:
    tree = Hierarchy.of_pairs([("a1", "a"), ("a", "*")])
    with pytest.raises(DataError, match="level"):
        judged(
            {"a": "uv"},
            "a",
            levels={"zip": level},
            applied=tree.tables()["hierarchy"],
            original={"a1": "uv"},
        )


@pytest.mark.parametrize("levels", [{}, {"zip": 0, "age": 0}, {"age": 0}, 1])
def test_an_original_with_other_quasi_identifiers_is_refused(levels: Any) -> None:
    with pytest.raises(DataError, match="quasi-identifiers of the release"):
        judged({"1": "uv"}, "1", levels=levels)
