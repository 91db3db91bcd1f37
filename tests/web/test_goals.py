from itertools import product

import pytest

from discreet.catalog import find
from discreet.web.goals import BEGINNINGS, QUESTIONS, notes, proposals
from discreet.web.reading import KINDS

ANSWERS = [
    dict(zip(QUESTIONS, each, strict=True)) for each in product(*(q[1] for q in QUESTIONS.values()))
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("answers", ANSWERS, ids=lambda each: "-".join(each.values()))
def test_every_answer_leads_to_two_or_three_methods(kind: str, answers: dict[str, str]) -> None:
    roles = {"age": "qid", "ill": "sensitive_attributes"}
    choices = {"kind": kind, "answers": answers, "universe": ["a"], "roles": roles}
    proposed = proposals(choices)
    assert len(proposed) in (2, 3)
    noun = KINDS[kind]
    for each in proposed:
        assert each.entry.data is noun or kind == "network"
        assert each.promises or each.limits


def test_who_asks_for_more_than_there_is_is_told() -> None:
    answers = {"readers": "anybody", "secret": "everything", "times": "yearly"}
    assert len(list(notes({"kind": "table", "answers": answers}))) == 2
    assert list(notes({"kind": "sets", "answers": answers})) == []
    assert list(notes({"kind": "sets"})) == []


def test_what_is_missing_is_named() -> None:
    answers = {"readers": "anybody", "secret": "values", "times": "once"}
    first = proposals({"kind": "sets", "answers": answers})[0]
    assert "secret" in first.lacks
    assert proposals({"kind": "sets", "answers": answers, "sensitive": ["a"]})[0].lacks == ""


@pytest.mark.parametrize("name", BEGINNINGS)
def test_the_values_to_begin_with_make_the_method(name: str) -> None:
    entry = find(name, "publisher")
    required = {part.name for part in entry.parameters if part.required}
    assert required <= BEGINNINGS[name].keys()
