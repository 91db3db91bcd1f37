"""Files of rules: there and back, and hostile ones refused in one sentence."""

import json
from pathlib import Path
from typing import Any

import pytest

from discreet.core.rules import SetRules, TableRule, TableRules, read_rules, rules_text
from discreet.errors import DataError

SETS = SetRules(
    method="km-anonymity",
    blocks=(("drinks",), ("bread",)),
    hierarchy=(("beer", "drinks"), ("drinks", "*"), ("bread", "*")),
    plain=True,
)
TABLES = TableRules(
    method="incognito",
    qids=("age", "sex"),
    tables=(TableRule(attributes=("ill",), levels={"age": 1, "sex": 0}),),
    hierarchies={"age": (("20", "2*"), ("2*", "*")), "sex": ()},
    heights={"age": 2, "sex": 1},
)


@pytest.mark.parametrize("rules", [SETS, TABLES], ids=["sets", "tables"])
def test_rules_are_read_back(rules: Any, tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text(rules_text(rules), encoding="utf-8")
    assert read_rules(file) == rules


def spoilt(rules: Any, **changes: Any) -> str:
    return json.dumps(json.loads(rules_text(rules)) | changes)


TABLE = {"attributes": ["ill"], "levels": {"age": 1, "sex": 0}, "classes": []}
HOSTILE = [
    "",
    "[]",
    "null",
    "[" * 100_000,
    "\x00\xff",
    spoilt(SETS, file="others"),
    spoilt(SETS, version=2),
    spoilt(SETS, kind="graphs"),
    spoilt(SETS, method=7),
    spoilt(SETS, blocks="beer"),
    spoilt(SETS, blocks=[["beer"], ["beer"]]),
    spoilt(SETS, blocks=[[]]),
    spoilt(SETS, blocks=[[["beer"]]]),
    spoilt(SETS, blocks=[["a", "b"]]),
    spoilt(SETS, plain="yes"),
    spoilt(SETS, hierarchy=[["a"]]),
    spoilt(SETS, hierarchy=[["a", "b"], ["b", "a"]]),
    spoilt(SETS, hierarchy={"a": "b"}),
    spoilt(TABLES, qids=[]),
    spoilt(TABLES, qids=["age", "age"]),
    spoilt(TABLES, tables=[]),
    spoilt(TABLES, tables=[TABLE | {"levels": {"age": 1}}]),
    spoilt(TABLES, tables=[TABLE | {"levels": {"age": True, "sex": 0}}]),
    spoilt(TABLES, tables=[TABLE | {"levels": {"age": -1, "sex": 0}}]),
    spoilt(TABLES, tables=[TABLE | {"classes": [["20"]]}]),
    spoilt(TABLES, tables=[TABLE | {"attributes": [None]}]),
    spoilt(TABLES, heights={}),
    spoilt(TABLES, heights=[1]),
    spoilt(TABLES, hierarchies={"age": [["a", "b", "c"]]}),
    spoilt(TABLES, ground=[]),
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_no_file_of_rules_is_refused_in_one_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_bytes(text.encode("latin-1", "replace"))
    with pytest.raises(DataError, match=r"rules\.json") as refused:
        read_rules(file)
    assert "\n" not in str(refused.value)
