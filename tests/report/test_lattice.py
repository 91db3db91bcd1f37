"""The lattice of plans: drawn around the chosen plan, judged only where the data are at hand."""

from typing import Any

import polars as pl
import pytest

from discreet import Hierarchy, rng
from discreet.core.microdata import Microdata
from discreet.core.release import Release
from discreet.report import audit_page, audit_record
from discreet.report.lattice import MOST, around, lattice_of_plans
from discreet.study import Evidence, examined
from discreet.tables import CodipStar, Incognito, NaiveTCloseness
from discreet.tables.folding import fold
from discreet.verify import verify
from tests import samples

ZIPS = Hierarchy.prefixes(["4767", "4760", "4790", "4791"], [3, 2])
TABLE = pl.DataFrame(
    {
        "zip": ["4767"] * 2 + ["4760"] * 3 + ["4790"] * 3 + ["4791"] * 4,
        "sex": ["f", "m"] * 6,
        "job": ["spy", "nurse", "cook"] * 4,
        "pay": ["low", "high"] * 6,
    }
)
PEOPLE = Microdata.of(TABLE, qids=["zip", "sex"], sensitive=["job", "pay"])


def published(k: int = 3, **more: Any) -> Release[Any]:
    method = Incognito(k=k, hierarchy=(("zip", ZIPS),), **more)
    return method.publish(PEOPLE, rng.seeded(1)).release


def rows_of(release: Release[Any], data: Microdata | None) -> dict[str, dict[str, Any]]:
    evidence = Evidence(original=data)
    figure = lattice_of_plans(examined(release, evidence, []), evidence)
    assert "<svg" in figure.svgs[0]
    return {row["plan"]: row for row in figure.table.to_dicts()}


@pytest.mark.parametrize("limit", [0, "0.5"])
def test_every_plan_is_judged_as_the_publisher_judges_it(limit: Any) -> None:
    method = Incognito(k=3, hierarchy=(("zip", ZIPS),), suppression_limit=limit)
    release = method.publish(PEOPLE, rng.seeded(1)).release
    good = method.search(fold(PEOPLE)).scores
    rows = rows_of(release, PEOPLE)
    assert len(rows) == 4 * 2
    keeping = {
        plan for plan, row in rows.items() if row["state"] in ("keeps the promise", "chosen")
    }
    assert keeping == {"".join(map(str, node)) for node in good.nodes}
    assert any(row["state"] == "breaks it" for row in rows.values())
    (chosen,) = [plan for plan, row in rows.items() if row["state"] == "chosen"]
    assert [int(level) for level in chosen] == list(release.manifest.notes["levels"].values())
    losses = dict(zip(good.nodes, good.discernibility / len(PEOPLE) ** 2, strict=True))
    for node, loss in losses.items():
        assert rows["".join(map(str, node))]["loss"] == pytest.approx(loss)


def test_closeness_is_part_of_the_promise() -> None:
    method = NaiveTCloseness(k=2, t="0.2", hierarchy=(("zip", ZIPS),))
    release = method.publish(PEOPLE, rng.seeded(1)).release
    rows = rows_of(release, PEOPLE)
    judge = method.judge(fold(PEOPLE))
    close = judge.close["job"] & judge.close["pay"]
    expected = {
        node for node, fits in zip(judge.generalisations.scores.nodes, close, strict=True) if fits
    }
    keeping = {
        plan for plan, row in rows.items() if row["state"] in ("keeps the promise", "chosen")
    }
    assert keeping == {"".join(map(str, node)) for node in expected}
    assert verify(release).by_parts


def test_each_table_has_its_own_lattice() -> None:
    method, data = samples.PUBLISHERS[CodipStar]
    release = method.publish(data, rng.seeded(5)).release
    evidence = Evidence(original=data)
    figure = lattice_of_plans(examined(release, evidence, []), evidence)
    chosen = figure.table.filter(pl.col("state") == "chosen")
    assert chosen["table"].to_list() == [
        f"table {n + 1}" for n in range(min(3, len(release.content)))
    ]


def test_without_the_data_no_plan_is_judged() -> None:
    rows = rows_of(published(), None)
    assert {row["state"] for row in rows.values()} == {"chosen", "not judged"}
    assert all(row["loss"] is None for row in rows.values())


def test_a_public_copy_does_not_tell_which_plans_would_have_done() -> None:
    release, evidence = published(), Evidence(original=PEOPLE)
    found = examined(release, evidence, [])
    public, mine = (
        audit_page(audit_record(found, evidence, {}, owner=owner), found, evidence)
        for owner in (False, True)
    )
    assert "keeps the promise" in mine
    assert "keeps the promise" not in public
    assert "breaks it" not in public
    assert "the owner's copy only" in public.replace("&#39;", "'")
    alone = examined(release, Evidence(), [])
    drawing = audit_page(audit_record(alone, Evidence(), {}), alone, Evidence())
    assert _svg(public) == _svg(drawing)


def _svg(text: str) -> str:
    return text[text.index('id="lattice"') : text.index("How it was made")]


def test_of_a_large_lattice_the_neighbourhood_is_drawn() -> None:
    nodes, steps = around((2,) * 6, (4,) * 6, 15)
    assert steps == 1
    assert len(nodes) == 1 + 2 * 6 <= MOST
    assert all(sum(abs(level - 2) for level in node) <= 1 for node in nodes)
    assert around((0,) * 80, (1,) * 80, 15) == ((), 0)


def test_other_data_are_not_taken_for_the_original() -> None:
    other = Microdata.of(
        TABLE.with_columns(zip=pl.lit("1000")), qids=["zip", "sex"], sensitive=["job", "pay"]
    )
    assert {row["state"] for row in rows_of(published(), other).values()} == {
        "chosen",
        "not judged",
    }


def test_a_column_that_was_suppressed_without_a_hierarchy_has_two_levels() -> None:
    release = published(k=12)
    rows = rows_of(release, PEOPLE)
    assert {plan[1] for plan in rows} == {"0", "1"}
    assert release.manifest.notes["levels"]["sex"] == 1
    assert next(plan for plan, row in rows.items() if row["state"] == "chosen")[1] == "1"
