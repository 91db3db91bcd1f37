"""A study from the page: as typed, in its own process, told as it comes in."""

import tomllib
import zipfile
from io import BytesIO
from typing import Any

import pytest

from discreet.study import Study
from discreet.web.comparing import Sweep, candidates
from tests.web.conftest import HOME

ITEMS = ["beer", "red wine", "tea", "bread"]


@pytest.fixture
def baskets(workspace: Any) -> Any:
    """A project with sets and a public list of items."""
    project = workspace.new("a", "data.csv")
    rows = [f"{who},{ITEMS[item]}" for who in range(80) for item in {who % 4, who % 3, who % 2}]
    project.data.write_text("\n".join(["id,item", *rows]) + "\n")
    project.choose(kind="sets", universe=ITEMS)
    project.list_file("universe", ITEMS)
    return project


def _begin(visitor: Any, project: Any, *methods: str, **fields: str) -> Any:
    data = {"csrf": visitor.session.csrf, "method": list(methods), "seeds": "1"} | fields
    path = f"/p/{project.name}/compare"
    return visitor.ask("POST", path, data=data, headers={"origin": HOME})


def _wait(visitor: Any, project: Any) -> str:
    """Return the last that is told of a study; the answer ends with it."""
    told: str = visitor.ask("GET", f"/p/{project.name}/compare/events").text
    return told.split("\n\n")[-3]


def test_a_study_runs_and_is_handed_out(visitor: Any, baskets: Any) -> None:
    visitor.enter()
    answer = _begin(
        visitor, baskets, "km-anonymity", "item-supports",
        **{"k.least": "2", "k.most": "6", "k.count": "2", "m.least": "1", "m.most": "1",
           "m.count": "1", "epsilon.least": "0.5", "epsilon.most": "1", "epsilon.count": "2"},
    )  # fmt: skip
    assert answer.status_code == 303
    told = _wait(visitor, baskets)
    assert "Done" in told, told
    assert told.count("2 of 2 releases") == 2
    assert "On your data" in told
    assert "On made-up data" in told
    assert "By k" in told
    assert "By epsilon" in told
    packed = visitor.ask("GET", f"/p/{baskets.name}/study.zip")
    names = set(zipfile.ZipFile(BytesIO(packed.content)).namelist())
    assert {"study.toml", "study/front.csv", "study-made-up/report.html"} <= names
    assert not any("cells" in name or "data" in name for name in names)
    page = visitor.ask("GET", f"/p/{baskets.name}/study/0")
    assert "sandbox" in page.headers["content-security-policy"]
    assert visitor.ask("GET", f"/p/{baskets.name}/study/2").status_code == 404
    assert Study.read(baskets.folder / "study.toml").publications


def test_what_is_private_is_not_looked_at_under_differential_privacy(
    visitor: Any, baskets: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor.enter()
    started: list[Any] = []
    monkeypatch.setattr("discreet.web.jobs.Jobs.start", lambda _, job: started.append(job))
    _begin(visitor, baskets, "item-supports", **{"epsilon.least": "1", "epsilon.most": "1"})
    (job,) = started
    assert [step.words[1] for step in job.steps] == [str(baskets.folder / "study-made-up.toml")]
    made = tomllib.loads((baskets.folder / "study-made-up.toml").read_text())
    assert made["data"] == [{"name": "made up", "source": "made-up.csv"}]
    # another data file makes up the same people
    before = (baskets.folder / "made-up.csv").read_bytes()
    baskets.data.write_text("id,item\n1,beer\n")
    _begin(visitor, baskets, "item-supports", **{"epsilon.least": "1", "epsilon.most": "1"})
    assert (baskets.folder / "made-up.csv").read_bytes() == before


def test_what_cannot_be_compared_is_told(visitor: Any, baskets: Any) -> None:
    visitor.enter()
    assert "Choose at least one method" in _begin(visitor, baskets).text
    told = _begin(
        visitor, baskets, "km-anonymity", "disassociation", seeds="5",
        **{f"{name}.{part}": text for name in "km"
           for part, text in (("least", "0"), ("most", "99"), ("count", "5"))},
    )  # fmt: skip
    assert "a page compares up to 60" in told.text
    assert visitor.ask("GET", f"/p/{baskets.name}/study.zip").status_code == 404


def test_methods_that_need_a_list_are_offered_with_one_only(baskets: Any) -> None:
    assert {"km-anonymity", "counts"} <= {each.entry.name for each in candidates(baskets)}
    baskets.choose(universe=[])
    assert "counts" not in {each.entry.name for each in candidates(baskets)}


def test_methods_that_hide_secrets_are_offered_where_some_are_marked(baskets: Any) -> None:
    hiding = {"coherence", "lkc", "rho-m", "anatomy", "m-invariance", "dist", "td-control"}
    assert not hiding & {each.entry.name for each in candidates(baskets)}
    baskets.choose(sensitive=["beer"])
    assert {"coherence", "rho-m"} <= {each.entry.name for each in candidates(baskets)}


def test_methods_that_hide_columns_are_offered_where_one_is_marked(workspace: Any) -> None:
    patients = workspace.new("a", "data.csv")
    patients.choose(kind="table", roles={"age": "qids", "visits": "qids"})
    offered = {each.entry.name for each in candidates(patients)}
    assert "mondrian" in offered
    assert not offered & {"l-diversity", "naive-t-closeness", "codip", "codip-star", "rt-anonymity"}
    patients.choose(roles={"age": "qids", "visits": "sensitive_attributes"})
    assert "l-diversity" in {each.entry.name for each in candidates(patients)}


@pytest.mark.parametrize(
    ("name", "least", "most", "count", "values"),
    [
        ("k", "2", "10", 3, ["2", "6", "10"]),
        ("k", "10", "2", 2, ["2", "10"]),
        ("m", "1", "2", 5, ["1", "2"]),
        ("epsilon", "0.1", "1", 2, ["0.1", "1"]),
        ("rho", "0.5", "0.9", 1, ["0.5"]),
    ],
)
def test_values_are_spread_over_a_range(
    name: str, least: str, most: str, count: int, values: list[str]
) -> None:
    assert Sweep(name=name, least=least, most=most, count=count).values == values
