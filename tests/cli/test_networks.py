"""Sets with friends at the command line: publish, verify, attack, measure."""

import json
from pathlib import Path
from typing import Any

import pytest

from discreet.io.release_folder import seal
from tests.cli.running import Run, holds_by_parts


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    sets = ["1,a", "1,s", "2,a", "3,b", "3,s", "4,b", "5,a", "5,b", "6,a", "6,b", "6,s"]
    Path("sets.csv").write_text("\n".join(["id,item", *sets]) + "\n")
    pairs = ["1,2", "2,3", "3,4", "4,5", "5,6", "1,6", "2,5"]
    Path("friends.csv").write_text("\n".join(["source,target", *pairs]) + "\n")
    Path("secrets.txt").write_text("s\n")
    return tmp_path


PEOPLE = ("--edges", "friends.csv", "--sensitive", "secrets.txt")


def test_a_graph_from_file_to_measure(run: Run) -> None:
    made = run("publish", "greedy-swap", "friends.csv", "--k", "2", "--out", "g", "--keep", "k")
    assert made.exit_code == 0, made.stderr
    assert run("verify", "g").exit_code == 0
    told = json.loads(
        run("measure", "g", "--against", "friends.csv", "--key", "k", "--json").stdout
    )
    assert told["edges_kept_share"] == 1
    lone = json.loads(run("attack", "sets-and-degree", "g", "--degree", "3", "--json").stdout)
    assert lone["summary"] == {"candidates": 2}
    for truth in (("friends.csv",), ("sets.csv", "--edges", "friends.csv")):
        scored = run("attack", "neighbourhood", "g", "--truth", *truth, "--key", "k", "--json")
        assert scored.exit_code == 0, scored.stderr
        assert {"success", "baseline"} <= json.loads(scored.stdout)["breach"].keys()


def test_side_by_side_is_attacked_and_scored_through_the_key(run: Run) -> None:
    words = ("--rho", "0.6", "--k", "2", "--out", "r", "--keep", "key", "--seed", "1")
    made = run("publish", "side-by-side", "sets.csv", *PEOPLE, *words)
    assert made.exit_code == 0, made.stderr
    assert holds_by_parts(run, "r")
    scored = run(
        "attack", "sets-and-degree", "r", "--truth", "sets.csv", *PEOPLE, "--key", "key", "--json"
    )
    assert scored.exit_code == 0, scored.stderr
    told = json.loads(scored.stdout)
    assert {"success", "baseline", "exposed", "identified"} <= told["breach"].keys()
    assert all(claim["degree"] in (2, 3) for claim in told["claims"])
    shown = run("attack", "sets-and-degree", "r", "--truth", "sets.csv", *PEOPLE, "--key", "key")
    assert "of all people, the row is found" in shown.stdout
    measured = run("measure", "r", "--against", "sets.csv", *PEOPLE, "--key", "key", "--json")
    assert measured.exit_code == 0, measured.stderr
    numbers = json.loads(measured.stdout)
    assert numbers["sensitive_deleted_if_all_were"] == 3
    assert {"ncp", "community_jaccard", "edges_kept"} <= numbers.keys()


def test_a_graph_is_measured_whatever_the_order_of_its_file(run: Run) -> None:
    run("publish", "greedy-swap", "friends.csv", "--k", "2", "--out", "g", "--keep", "k")
    header, *pairs = Path("friends.csv").read_text().split()
    Path("turned.csv").write_text("\n".join([header, *reversed(pairs)]) + "\n")
    told = run("measure", "g", "--against", "turned.csv", "--key", "k", "--json")
    assert json.loads(told.stdout)["edges_kept_share"] == 1
    Path("others.csv").write_text(Path("friends.csv").read_text().replace("6", "x"))
    refused = run("measure", "g", "--against", "others.csv", "--key", "k")
    assert (refused.exit_code, "must be those that were published" in refused.stderr) == (2, True)


def test_other_people_than_the_published_are_refused(run: Run) -> None:
    words = ("--rho", "0.6", "--g-min", "2", "--out", "r")
    run("publish", "greedy-swap", "friends.csv", "--k", "2", "--out", "g")
    run("publish", "gp-asn", "sets.csv", *PEOPLE, *words)
    Path("pair.csv").write_text("source,target\n1,2\n")
    Path("few.csv").write_text("id,item\n1,a\n1,s\n2,b\n")
    few = ("few.csv", "--edges", "pair.csv", "--sensitive", "secrets.txt")
    for asked in (
        ("measure", "g", "--against", "pair.csv"),
        ("measure", "r", "--against", *few),
        ("audit", "g", "--against", "pair.csv", "--out", "g.html"),
        ("audit", "r", "--against", *few, "--out", "r.html"),
    ):
        told = run(*asked)
        assert told.exit_code == 2, asked
        assert "the release has 6 people and the original 2" in told.stderr
    assert not {"g.html", "r.html"} & {path.name for path in Path().iterdir()}


def test_who_publishes_hears_that_all_are_in_one_group(run: Run) -> None:
    words = ("--rho", "0.9", "--known", "1", "--g-min", "2", "--seed", "1")
    whole = run("publish", "gp-asn", "sets.csv", *PEOPLE, *words, "--split", "0", "--out", "w")
    assert whole.exit_code == 0, whole.stderr
    assert "everybody is in one group, so all have the same number of friends" in whole.stderr
    parts = run("publish", "gp-asn", "sets.csv", *PEOPLE, *words, "--out", "p")
    assert parts.exit_code == 0, parts.stderr
    assert "one group" not in parts.stderr


def test_neighbourhood_takes_the_friends_of_friends(run: Run) -> None:
    run("publish", "greedy-swap", "friends.csv", "--k", "1", "--out", "g", "--keep", "k")
    told = run("attack", "neighbourhood", "g", "--degree", "3", "--friends", "2,2,3", "--json")
    assert told.exit_code == 0, told.stderr
    assert json.loads(told.stdout)["summary"] == {"candidates": 2}


def test_the_owner_hears_what_was_folded_and_the_release_does_not_tell(run: Run) -> None:
    with Path("friends.csv").open("a") as file:
        file.write("2,1\n1,2\n4,4\n")
    words = ("--rho", "0.6", "--g-min", "3", "--out", "r", "--json")
    made = run("publish", "gp-asn", "sets.csv", *PEOPLE, *words)
    assert made.exit_code == 0, made.stderr
    assert json.loads(made.stdout)["report"] == {
        "people joined to themselves, dropped": 1,
        "friendships that the file repeated": 1,
        "friendships that the file held in both directions": 1,
        "friendships given": 7,
        "friendships published": 6,
    }
    assert "friendships that" not in Path("r/manifest.json").read_text()


def test_what_is_wrong_is_said_in_one_sentence(run: Run) -> None:
    many = run("publish", "greedy-swap", "friends.csv", "--k", "9", "--out", "g")
    assert (many.exit_code, "largest --k that would do is 6" in many.stderr) == (1, True)
    without = run("publish", "side-by-side", "sets.csv", "--rho", "0.6", "--k", "2", "--out", "r")
    assert (without.exit_code, "give the file with --edges" in without.stderr) == (2, True)
    assert not Path("r").exists()


FORGED: dict[str, dict[str, Any]] = {
    "a laxer bound": {"rho": "99/100"},
    "a stricter bound": {"strict": True},
    "fewer secrets": {"sensitive": ["a"]},
    "no secrets": {"sensitive": []},
    "a smaller k": {"k": 1},
    "unlimited knowledge": {"known": None},
    "another method": {"method": "km-anonymity"},
    "no seed": {"seeded": False, "randomness": "operating system entropy"},
    "a predecessor": {"follows": ["0" * 64]},
    "no promise": {"guarantees": []},
}
"""What somebody may write into a manifest who knows how it is sealed."""
RELEASED = {
    "gp-asn": ("sets.csv", *PEOPLE, "--rho", "0.6", "--seed", "1"),
    "side-by-side": ("sets.csv", *PEOPLE, "--rho", "0.6", "--k", "2"),
    "rho-m": ("sets.csv", "--sensitive", "secrets.txt", "--rho", "0.6", "--known", "1"),
    "dist": ("sets.csv", "--sensitive", "secrets.txt", "--rho", "0.6", "--strict"),
    "td-control": ("sets.csv", "--sensitive", "secrets.txt", "--rho", "0.6"),
    "greedy-swap": ("friends.csv", "--k", "2"),
}


def _forged(value: Any, changes: dict[str, Any]) -> Any:
    """Write the changes wherever a manifest has a field of that name."""
    if isinstance(value, list):
        return [_forged(each, changes) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: changes.get(name, _forged(each, changes)) for name, each in value.items()}


@pytest.mark.parametrize("method", RELEASED)
def test_a_manifest_sealed_again_never_comes_out_milder(run: Run, method: str) -> None:
    data, *words = RELEASED[method]
    made = run("publish", method, data, *words, "--out", "r", "--keep", "k")
    assert made.exit_code == 0, made.stderr
    file = Path("r/manifest.json")
    honest = json.loads(file.read_text())
    edges = ("--edges", "friends.csv") if "--edges" in words else ()
    audit = ("audit", "r", "--against", data, *edges, "--out", "page.html")
    for name, changes in FORGED.items():
        if (forged := _forged(honest, changes)) == honest:
            continue
        file.write_text(json.dumps(forged | {"seal": seal(forged)}))
        told = (run("verify", "r", "--key", "k"), run(*audit, "--key", "k"))
        assert [each.exit_code for each in told] == [2, 2], name
        alone = run(*audit)
        assert alone.exit_code in (0, 1, 2), (name, alone.stderr)
        assert not any(line == "RELEASE" for line in alone.stdout.splitlines()), name
