"""A public copy names no value that people hold."""

import json

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from discreet import Release
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Manifest
from discreet.core.verdict import Verdicts
from discreet.report.nameless import aliases_of, nameless, without_names
from discreet.study import Examination

VALUES = st.frozensets(st.text("xyz", min_size=1, max_size=3), min_size=1, max_size=6)
MANIFEST = Manifest(method="planted", parameters={}, randomness="none")


def tables(values: frozenset[str]) -> ProjectedTables:
    columns = {f"illness={value}": [1] for value in sorted(values)}
    return ProjectedTables((pl.DataFrame({"job": ["clerk"]} | columns),), {})


@given(VALUES)
def test_no_value_is_left_in_a_record(values: frozenset[str]) -> None:
    content = tables(values)
    aliases = aliases_of(content)
    names = [f"illness={value}" for value in values]
    assert sorted(aliases) == sorted(names)
    assert len(set(aliases.values())) == len(values)
    record = {name: [f"most have {name}", {"worst": name}] for name in names}
    assert not any(name in json.dumps(without_names(record, aliases)) for name in names)


def test_the_release_of_a_public_copy_has_other_columns() -> None:
    content = tables(frozenset({"flu", "gout"}))
    found = Examination(
        release=Release(content, (), MANIFEST), verdicts=Verdicts(parts=()), attempts=()
    )
    assert nameless(found).release.content.parts[0].columns == [
        "job",
        "illness, value 1",
        "illness, value 2",
    ]


def test_other_releases_stay_as_they_are() -> None:
    release = Release(ItemsetHistogram.of({("a",): 1}), (), MANIFEST)
    found = Examination(release=release, verdicts=Verdicts(parts=()), attempts=())
    assert aliases_of(release.content) == {}
    assert nameless(found) is found
