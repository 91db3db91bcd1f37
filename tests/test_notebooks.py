"""Every cell of the notebooks runs, in order, and prints what the notebook shows.

Numbers may differ by a tenth: processors round in other ways, and a model that is fitted step by
step to the same noise then ends elsewhere.
"""

import contextlib
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def cells(notebook: Path, kind: str) -> list[dict[str, Any]]:
    document = json.loads(notebook.read_text(encoding="utf-8"))
    return [cell for cell in document["cells"] if cell["cell_type"] == kind]


def numbers(text: str) -> list[float]:
    return [float(number.replace(",", "")) for number in NUMBER.findall(text)]


def test_there_is_one_for_each_family() -> None:
    assert [page.stem.partition("-")[2] for page in NOTEBOOKS] == [
        "counts", "generalised", "tables", "series", "networks",
    ]  # fmt: skip
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"({page.name})" in listed for page in NOTEBOOKS)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda page: page.stem)
def test_every_cell_runs_and_prints_what_is_shown(
    notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for cell in cells(notebook, "code"):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile("".join(cell["source"]), notebook.name, "exec"), names)
        shown = "".join(line for output in cell["outputs"] for line in output["text"])
        printed = output.getvalue()
        assert NUMBER.split(printed) == NUMBER.split(shown)
        assert numbers(printed) == pytest.approx(numbers(shown), rel=0.1)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda page: page.stem)
def test_a_notebook_is_one_that_jupyter_opens(notebook: Path) -> None:
    document = json.loads(notebook.read_text(encoding="utf-8"))
    assert (document["nbformat"], document["nbformat_minor"]) == (4, 5)
    assert cells(notebook, "markdown")[0]["source"][0].startswith("# ")
    assert len({cell["id"] for cell in document["cells"]}) == len(document["cells"])
