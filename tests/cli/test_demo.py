import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from discreet import Release, rng, verify
from discreet.cli.demo import PEOPLE
from discreet.cli.root import root
from discreet.study.example import PRODUCTS, pharmacy


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    folder = tmp_path_factory.mktemp("demo") / "out"
    result = CliRunner().invoke(root, ["demo", "--out", str(folder)])
    assert result.exit_code == 0, result.stderr
    return result.stdout, folder


def test_the_story_has_its_five_scenes(told: tuple[str, Path]) -> None:
    story, _ = told
    for scene in ("1. The data", "2. Published", "3. Published", "4. What it cost", "5. Where"):
        assert scene in story
    assert "must also have bought" in story
    assert "The same attack finds nothing" in story
    assert "Certainty is gone, likelihood is not" in story


def test_the_files_are_there_and_say_what_they_are(told: tuple[str, Path]) -> None:
    _, folder = told
    safe = Release.load(folder / "counts")
    assert verify(safe).by_parts is True
    assert safe.manifest.randomness == "seeded: not for publication"
    assert len(Release.load(folder / "diff-part").content) > 20


def test_the_demo_runs_twice_and_for_machines(told: tuple[str, Path]) -> None:
    _, folder = told
    result = CliRunner().invoke(root, ["demo", "--json", "--out", str(folder)])
    record = json.loads(result.stdout)
    for method in ("apl-killer", "counts"):
        assert record[method]["leaks"]["leaks"] == 0
    errors = {name: told["measures"]["query_error"] for name, told in record.items()}
    assert errors["counts"] < min(errors["apl-killer"], errors["diff-part"])
    assert record["diff-part"]["leaks"]["leaks"] > 0


def test_the_made_up_data_are_what_they_should_be() -> None:
    data = pharmacy(PEOPLE, rng.seeded(1))
    assert len(data) == PEOPLE
    assert data.universe == PRODUCTS
    shares = dict(zip(PRODUCTS, data.supports / PEOPLE, strict=True))
    assert shares["soap"] == pytest.approx(0.55 * 0.45 + 0.25 * 0.1 + 0.08 * 0.4, abs=0.02)
    assert 0.02 < shares["insulin"] < 0.06
    inside = np.ones(len(data.items), dtype=bool)
    inside[data.offsets[(data.offsets > 0) & (data.offsets < len(data.items))]] = False
    assert (np.diff(data.items)[inside[1:]] > 0).all()
