"""Sets with friends on the command line: a hierarchy from the data, a release, its check."""

import json
from pathlib import Path

import polars as pl
import pytest

from discreet import Hierarchy, Release
from discreet.core.publication import LinkageKey
from tests.cli.running import Run

KINDS = (("rock", "punk", "ska"), ("jazz", "soul", "funk"))


@pytest.fixture
def friends(tmp_path: Path) -> Path:
    """Playlists of forty people, their friendships, and what is nobody's business."""
    rows = [
        (f"user {person}", item)
        for person in range(40)
        for item in (*KINDS[person % 2][: 1 + person % 3], *(["psalms"] if person % 5 == 0 else []))
    ]
    pl.DataFrame(rows, schema=["who", "what"], orient="row").write_csv(tmp_path / "lists.csv")
    pairs = [(f"user {person}", f"user {(person + 1) % 40}") for person in range(40)]
    pairs += [("user 0", f"user {person}") for person in range(2, 12)]
    pl.DataFrame(pairs, schema=["a", "b"], orient="row").write_csv(tmp_path / "friends.csv")
    (tmp_path / "secrets.txt").write_text("psalms\n")
    return tmp_path


def reading(folder: Path) -> list[object]:
    return [
        "--columns", "id=who,item=what", "--edges", folder / "friends.csv",
        "--edge-columns", "source=a,target=b", "--sensitive", folder / "secrets.txt",
    ]  # fmt: skip


def test_a_hierarchy_from_the_data_says_what_it_costs(run: Run, friends: Path) -> None:
    built = run(
        "hierarchy", "from-data", friends / "lists.csv", "--columns", "id=who,item=what",
        "--sensitive", friends / "secrets.txt", "--parents", 2, "--out", friends / "kinds.csv",
    )  # fmt: skip
    assert built.exit_code == 0, built.stderr
    assert "no promise of such a release covers it" in " ".join(built.stderr.split())
    tree = Hierarchy.read(friends / "kinds.csv")
    assert "psalms" not in tree.names
    assert {frozenset(tree.leaves(name)) for name in ("cluster 1", "cluster 2")} == {
        frozenset(kind) for kind in KINDS
    }


def test_sets_and_friends_are_published_and_verified(run: Run, friends: Path) -> None:
    pairs = [(item, kind[0].upper()) for kind in KINDS for item in kind]
    Hierarchy.of_pairs([*pairs, ("ROCK", "ALL"), ("JAZZ", "ALL")]).save(friends / "kinds.csv")
    done = run(
        "publish", "gp-asn", friends / "lists.csv", "--out", friends / "r", "--keep",
        friends / "key", "--rho", "0.5", "--hierarchy", friends / "kinds.csv", *reading(friends),
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    tables = Release.load(friends / "r").to_polars()
    assert tables["transactions"].columns == ["node", "group", "items"]
    assert tables["edges"].columns == ["source", "target"]
    assert tables["hierarchy_items"].columns == ["child", "parent"]
    assert LinkageKey.load(friends / "key").tables["rows"].columns == ["row", "record"]
    assert "user" not in (friends / "r" / "manifest.json").read_text()
    checked = run("verify", friends / "r", "--json")
    assert checked.exit_code == 0, checked.stdout
    told = {part["guarantee"]["name"]: part["holds"] for part in
            json.loads(checked.stdout)["guarantees"]}  # fmt: skip
    assert told == {"GroupedRhoUncertainty": True, "RhoUncertainty": True, "GroupedDegree": True}


@pytest.mark.parametrize("method", ["td-control", "dist"])
def test_the_sets_alone(run: Run, friends: Path, method: str) -> None:
    done = run(
        "publish", method, friends / "lists.csv", "--columns", "id=who,item=what",
        "--out", friends / "r", "--rho", "0.5", "--sensitive", friends / "secrets.txt",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert run("verify", friends / "r").exit_code == 0


def test_a_friend_without_a_set_is_refused_or_kept(run: Run, friends: Path) -> None:
    with (friends / "friends.csv").open("a") as file:
        file.write("user 0,stranger\n")
    words = ["publish", "gp-asn", friends / "lists.csv", "--rho", "0.5", *reading(friends)]
    refused = run(*words, "--out", friends / "r")
    assert refused.exit_code == 2
    assert "stranger" not in refused.stderr
    assert run(*words, "--out", friends / "r", "--allow-unmatched").exit_code == 0
    assert len(Release.load(friends / "r").content) == 41
