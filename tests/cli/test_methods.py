import json
from importlib import import_module

import pytest

from discreet.catalog import FAMILIES, Entry, entries
from discreet.cli.attack import QUERY_INTERFACES
from discreet.cli.methods import ON_SERVERS
from tests.cli.running import Run


def test_the_list_holds_every_method(run: Run) -> None:
    done = run("methods")
    assert done.exit_code == 0
    assert all(entry.name in done.stdout for entry in entries())
    listed = json.loads(run("methods", "--json").stdout)
    assert [entry["name"] for entry in listed] == [entry.name for entry in entries()]


@pytest.mark.parametrize("name", [entry.name for entry in entries()])
def test_a_method_is_told_with_its_options(run: Run, name: str) -> None:
    told = run("methods", name)
    record = json.loads(run("methods", name, "--json").stdout)
    assert told.exit_code == 0
    options = [part["option"] for part in (*record["parameters"], *record["knowledge"])]
    assert options
    assert all(option in told.stdout for option in options)


def test_an_unknown_method_gets_the_nearest(run: Run) -> None:
    done = run("methods", "dif-part")
    assert done.exit_code == 2
    assert "did you mean diff-part?" in done.stderr
    assert done.stdout == ""


def test_an_attack_on_a_server_is_listed_and_leads_to_its_help(run: Run) -> None:
    assert set(ON_SERVERS) == set(QUERY_INTERFACES)
    for name, when in ON_SERVERS.items():
        assert f"{name} {when}" in " ".join(run("methods").stdout.split())
        asked = run("methods", name)
        assert (asked.exit_code, asked.stdout) == (2, "")
        assert f"see discreet attack {name} --help" in asked.stderr


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_a_method_is_told_with_its_name_in_python(run: Run, entry: Entry) -> None:
    line = next(each for each in run("methods", entry.name).stdout.splitlines() if "Python" in each)
    module, _, name = line.removeprefix("in Python: ").rpartition(".")
    assert getattr(import_module(module), name) is entry.method


def test_the_list_is_by_families_and_says_when(run: Run) -> None:
    told = " ".join(run("methods").stdout.split())
    for family in FAMILIES:
        assert f"{family.title} ({family.name})" in told
    for entry in entries():
        assert f"{entry.name} {entry.when}" in told


def test_what_a_method_is_fits_a_narrow_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    told = run("methods", "rho-m").stdout.partition("reads:")[0]
    assert max(map(len, told.splitlines())) <= 50
    assert "The second half of (h,k,p)-coherence" in told


def test_a_method_is_told_with_its_example(run: Run) -> None:
    told = run("methods", "sanony").stdout
    assert "When to use it: The first choice when" in told
    assert "discreet publish sanony next-year.csv" in told
