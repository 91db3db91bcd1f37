from pathlib import Path
from typing import Any

import pytest

from discreet.core.graph import Network
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork
from discreet.core.transactions import Transactions
from discreet.web.reading import noun_of, read, source_of, words_of

TABLE = {
    "kind": "table", "data": "data.csv",
    "roles": {"age": "qid", "ill": "sensitive_attributes", "jobs": "multi_valued", "name": "id"},
    "harmless": {"ill": ["none", "not, known"], "gone": ["x"]},
}  # fmt: skip


def test_a_table_is_read_by_its_roles() -> None:
    assert words_of(TABLE, Microdata) == [
        "--qid", "age", "--sensitive-attributes", "ill,jobs", "--multi-valued", "jobs",
        "--non-sensitive", 'ill=none,"not, known"',
    ]  # fmt: skip


def test_a_network_is_read_as_sets_friends_or_both() -> None:
    choices = {"kind": "network", "data": "data.csv", "edges": "edges.csv", "sensitive": ["a"]}
    assert noun_of(choices) is SocialNetwork
    assert words_of(choices, SocialNetwork) == [
        "--edges", "edges.csv", "--sensitive", "sensitive.txt",
    ]  # fmt: skip
    assert words_of(choices, Transactions) == ["--sensitive", "sensitive.txt"]
    assert words_of(choices, Network) == []
    assert source_of(choices, Network) == "edges.csv"
    assert source_of(choices, Transactions) == "data.csv"


def test_what_is_read_is_what_the_command_would_read(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(
        'name,age,ill,jobs\nA,30,"not, known",spy|cook\nB,40,none,\n'
    )
    people: Any = read(tmp_path, TABLE, Microdata)
    assert people.qids == ("age",)
    assert people.sensitive == ("ill", "jobs")
    assert people.non_sensitive["ill"] == {"none", "not, known"}


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    choices = {"kind": "sets", "data": "data.csv"}
    (tmp_path / "data.csv").write_text("id,item\n1,a\n")
    assert read(tmp_path, choices, Transactions).universe == ("a",)
    assert read(tmp_path, choices, Transactions) is read(tmp_path, choices, Transactions)
    (tmp_path / "data.csv").write_text("id,item\n1,bb\n")
    assert read(tmp_path, choices, Transactions).universe == ("bb",)


@pytest.mark.parametrize("kind", ["sets", "series", None])
def test_anything_else_is_sets(kind: str | None) -> None:
    assert noun_of({"kind": kind}) is Transactions
