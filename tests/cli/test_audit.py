import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.running import Run


def test_an_audit_is_a_page_and_the_same_as_json(
    run: Run, safe: Path, baskets: Path, tmp_path: Path
) -> None:
    out = tmp_path / "audit.html"
    done = run("audit", safe, "--against", baskets, "--out", out)
    assert done.exit_code in (0, 1), done.stderr
    assert "public copy" in done.stdout
    record = json.loads(out.with_suffix(".json").read_text())
    assert "<h1>Audit of a release" in out.read_text()
    assert record["original"] is True
    assert set(record["files"]) == {"manifest.json", "README.txt", "itemsets.parquet"}
    assert json.loads(run("audit", safe, "--out", out, "--json").stdout)["original"] is False


def test_what_to_do_is_a_command(run: Run, leaking: Path, tmp_path: Path) -> None:
    done = run("audit", leaking, "--out", tmp_path / "a.html", "--title", "Baskets of 2025")
    record = json.loads((tmp_path / "a.json").read_text())
    assert record["repairs"]
    for step in record["repairs"]:
        assert step["command"].startswith("discreet ")
        assert step["command"] in done.stdout
    assert "<h1>Baskets of 2025</h1>" in (tmp_path / "a.html").read_text()


def test_a_control_group_is_compared_with_the_original(
    run: Run, safe: Path, baskets: Path, tmp_path: Path
) -> None:
    out = tmp_path / "a.html"
    done = run("audit", safe, "--against", baskets, "--control", baskets, "--owner", "--out", out)
    assert done.exit_code in (0, 1), done.stderr
    record = json.loads(out.with_suffix(".json").read_text())
    gains = [gain for attack in record["attacks"] for gain in attack["advantages"]]
    assert any(gain["control"] for gain in gains)
    alone = run("audit", safe, "--control", baskets, "--out", out)
    assert alone.exit_code == 2
    assert "--control is compared with --against" in alone.stderr


def test_what_should_not_go_out_ends_with_1(run: Run, leaking: Path, tmp_path: Path) -> None:
    done = run("audit", leaking, "--out", tmp_path / "a.html")
    assert done.exit_code == 1
    assert "DO NOT RELEASE" in done.stdout
    assert "the promise no attribute leakage is broken" in done.stdout


def test_what_may_go_out_ends_with_0(run: Run, safe: Path, tmp_path: Path) -> None:
    done = run("audit", safe, "--out", tmp_path / "a.html")
    assert done.exit_code == 0
    assert "DO NOT RELEASE" not in done.stdout


def test_a_page_must_be_called_one(run: Run, safe: Path, tmp_path: Path) -> None:
    done = run("audit", safe, "--out", tmp_path / "a.pdf")
    assert done.exit_code == 2
    assert "must name a page that ends in .html" in done.stderr
    assert not (tmp_path / "a.pdf").exists()


def test_the_owners_copy_names_rows(run: Run, leaking: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.html"
    run("audit", leaking, "--out", out)
    assert "beer" not in out.read_text()
    done = run("audit", leaking, "--out", out, "--owner")
    assert "owner's copy" in done.stdout
    assert "beer" in out.read_text()


def test_an_attack_can_be_tried_with_choices_of_its_own(
    run: Run, released: Callable[..., Path], tmp_path: Path
) -> None:
    nearly = released({("beer", "bread"): 46, ("beer",): 4, ("bread",): 50})
    words = ("audit", nearly, "--out", tmp_path / "a.html", "--json")

    def claims(*further: str) -> list[int]:
        attacks = json.loads(run(*words, *further).stdout)["attacks"]
        return [each["claims"] for each in attacks if each["name"] == "probabilistic-linkage"]

    (by_default,) = claims()
    assert by_default > 0
    # what finds less stands beside the default, not in its place
    assert claims("--try", "probabilistic-linkage --above 0.95") == [by_default, 0]
    for wrong in ("probabilistic-linkag", "probabilistic-linkage --abov 1"):
        done = run(*words, "--try", wrong)
        assert done.exit_code == 2
        assert "probabilistic-linkag" in done.stderr
    elsewhere = run(*words, "--try", "skewness")
    assert elsewhere.exit_code == 2
    assert "does not fit itemset histogram" in elsewhere.stderr


def test_only_certainty_is_shown_as_certain(
    run: Run, released: Callable[..., Path], tmp_path: Path
) -> None:
    nearly = released({("beer", "bread"): 9998, ("beer",): 2, ("bread",): 5000})
    audited = run("audit", nearly, "--out", tmp_path / "a.html").stdout
    attacked = run("attack", "probabilistic-linkage", nearly).stdout
    assert "surest 99.9 %" in audited
    assert "confidence up to 99.9 %" in attacked
