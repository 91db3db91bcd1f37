"""Attacks against guessing as pictures: a line for each way in which an attack can be right."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from discreet.report.draw import Interval, strip
from discreet.report.wording import percent


class Strip(NamedTuple):
    """One line: a picture where there is something to see, and always words."""

    svg: str
    words: str


def strips(attacks: Sequence[Mapping[str, Any]]) -> list[list[Strip]]:
    """Return for each attack that was run its lines."""
    return [list(_lines(attack)) for attack in attacks if attack["run"]]


def _lines(attack: Mapping[str, Any]) -> Iterator[Strip]:
    if not attack["claims"] and not any(rate["people"] for rate in attack["rates"]):
        yield Strip("", "it claims nothing")
        return
    for advantage in attack["advantages"]:
        yield _strip(attack, advantage)
    shown = [
        share
        for advantage in attack["advantages"]
        for share in (
            advantage["share"],
            advantage["baseline"],
            (advantage["control"] or {}).get("share"),
        )
    ]
    for rate in attack["rates"]:
        if rate["people"] and rate["share"] not in shown:
            yield Strip("", f"{rate['words']}: {_interval(rate)}")
    if attack["reason"]:
        yield Strip("", attack["reason"])


def _strip(attack: Mapping[str, Any], advantage: Mapping[str, Any]) -> Strip:
    if not advantage["people"]:
        scored = "none of its claims can be scored this way"
        return Strip("", scored if attack["claims"] else "it claims nothing")
    success = _interval(advantage)
    description = advantage["words"].format(share=success)
    control = (
        advantage["control"] and advantage["control"]["people"] and _interval(advantage["control"])
    )
    sentence = f"{description}; guessing: {percent(advantage['baseline'])}"
    if control:
        sentence += f"; of people who did not take part: {control}"
    svg = strip(
        f"{attack['name']} against guessing", success, advantage["baseline"], control or None
    )
    return Strip(svg, sentence)


def _interval(rate: Mapping[str, Any]) -> Interval:
    return Interval(rate["share"], rate["low"], rate["high"])
