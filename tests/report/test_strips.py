"""Attacks against guessing: a line for each way to be right, and never only a picture."""

from typing import Any

from discreet.report.strips import strips

GAIN = {
    "words": "is right about {share} of the people it makes claims about", "share": 0.9,
    "low": 0.8, "high": 0.95, "people": 50, "baseline": 0.5, "control": None,
}  # fmt: skip


def attack(**parts: Any) -> dict[str, Any]:
    plain = {"name": "any", "run": True, "claims": 3, "rates": [], "advantages": [], "reason": ""}
    return plain | parts


def test_a_success_is_drawn_beside_guessing() -> None:
    ((line,),) = strips([attack(advantages=[GAIN])])
    assert line.words == (
        "is right about 90.0 % (80.0 % to 95.0 %) of the people it makes claims about; "
        "guessing: 50.0 %"
    )
    assert "Right: 90.0 %" in line.svg


def test_a_control_group_is_drawn_where_there_is_one() -> None:
    control = {"share": 0.6, "low": 0.5, "high": 0.7, "people": 40}
    ((line,),) = strips([attack(advantages=[GAIN | {"control": control}])])
    assert "did not take part: 60.0 % (50.0 % to 70.0 %)" in line.words
    assert "did not take part" in line.svg
    again = [control | {"words": "right about people who are not in it"}]
    ((_,),) = strips([attack(advantages=[GAIN | {"control": control}], rates=again)])
    nobody = control | {"people": 0}
    ((line,),) = strips([attack(advantages=[GAIN | {"control": nobody}])])
    assert "take part" not in line.words


def test_about_nobody_there_is_nothing_to_draw() -> None:
    ((line,),) = strips([attack(advantages=[GAIN | {"people": 0}])])
    assert line.svg == ""
    assert line.words == "none of its claims can be scored this way"
    ((line,),) = strips([attack(claims=0, advantages=[GAIN | {"people": 0}], rates=[GAIN])])
    assert line.words == "it claims nothing"
    ((line,),) = strips([attack(claims=0)])
    assert line.words == "it claims nothing"


def test_further_rates_are_told_once() -> None:
    rates = [
        {"words": "right", "share": 0.9, "low": 0.8, "high": 0.95, "people": 50},
        {"words": "rows found", "share": 0.1, "low": 0.05, "high": 0.2, "people": 50},
    ]
    ((first, second),) = strips([attack(advantages=[GAIN], rates=rates)])
    assert first.svg
    assert second.words == "rows found: 10.0 % (5.0 % to 20.0 %)"


def test_an_attack_that_was_not_run_has_no_line() -> None:
    assert strips([{"name": "any", "run": False}]) == []
