"""Risks and losses as rows that a custodian reads: words, a number, what it means."""

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any, NamedTuple

from discreet.core.score import Rate
from discreet.measure.meanings import title_of
from discreet.report.page import flat
from discreet.report.wording import number, opening, percent


class ReportRow(NamedTuple):
    """One number about a risk or a loss."""

    name: str
    """What custodians call it."""
    value: str
    """How large it is."""
    meaning: str
    """One sentence."""


def risk_rows(risk: Mapping[str, Any]) -> list[ReportRow]:
    """Return the rows; none where the risks were not counted."""
    if not risk or "not_counted" in risk:
        return []
    if "taking_part" in risk:
        return [*_bounded(risk), *_occurring(risk)]
    rows = [*_threats(risk), *_knowing(risk), *_classes(risk), *_attributes(risk)]
    by_friends = _classes(risk["degree"]) if "degree" in risk else ()
    return [*rows, *(row._replace(name=f"{row.name}, by friends") for row in by_friends)]


def _bounded(risk: Mapping[str, Any]) -> Iterator[ReportRow]:
    """Give what differential privacy bounds: no record is there that anybody could find."""
    meaning = (
        "Rows are made with noise, and none belongs to a person: linking one to somebody is a "
        "guess."
    )
    yield ReportRow("Prosecutor, journalist, marketer risk", "no record to find", meaning)
    about = {
        "taking_part": ("That a person takes part", "can become that a person is in the data"),
        "a_value_of_theirs": ("What a person holds", "can become of what a person holds"),
    }
    for name, (title, meaning) in about.items():
        for pair in risk[name]["posterior_at_most"]:
            prior = f"{100 * pair['prior']:.0f} %"
            sentence = f"How sure anyone {meaning} who considered it {prior} likely before."
            yield ReportRow(f"{title}, from {prior}", _bound(pair["posterior"]), sentence)
    advantage = _bound(risk["taking_part"]["advantage_at_most"])
    meaning = "How much more often anyone can be right about people in the data than about others."
    yield ReportRow("Gain in telling who takes part", advantage, meaning)


def _bound(share: float) -> str:
    """Return a bound in percent, never below what it is."""
    return f"at most {ceil(1000 * share) / 10:g} %"


def _occurring(risk: Mapping[str, Any]) -> Iterator[ReportRow]:
    """Give how many people with a set of their own occur in the rows, beside people who cannot."""
    groups = {"in_the_data": "in the data", "in_the_control_group": "in the control group"}
    for name, meaning in groups.items():
        if rate := risk.get("occurring", {}).get(name):
            hits = Rate(share=rate["share"], people=rate["people"])
            group = f"{number(hits.people)} people {meaning} with a set that nobody else has"
            value = percent(hits.share) if hits.people else "no such people"
            sentence = (
                f"Of {group}: those whose exact set was published. 95 % interval: {hits.interval}."
            )
            yield ReportRow(f"Sets of one person that occur, {meaning}", value, sentence)


def _threats(risk: Mapping[str, Any]) -> Iterator[ReportRow]:
    for name, threat in risk.get("wp29", {}).items():
        meaning = name.replace("_", " ").capitalize()
        yield ReportRow(meaning, percent(threat["share"]), f"Share of {threat['means']}.")


def _knowing(risk: Mapping[str, Any]) -> Iterator[ReportRow]:
    for known in range(1, 6):
        counted = risk.get(f"knowing_{known}")
        if counted and counted["people"]:
            items = "one item" if known == 1 else f"{known} items"
            worst = counted.get("share_alone_by_worst")
            more = "" if worst is None else f"; {percent(worst)} by the most revealing {items}"
            meaning = f"People who are unique by {items} of theirs, drawn at random{more}."
            yield ReportRow(f"Alone by {items}", percent(counted["share_alone"]), meaning)


def _classes(risk: Mapping[str, Any]) -> Iterator[ReportRow]:
    figures = risk.get("whole_set", risk)
    prosecutor, journalist = figures["prosecutor"], figures["journalist"]
    who = "in the population" if journalist["population_given"] else "in the release"
    alike = "Chance of finding a person who is known to be in the data"
    yield ReportRow(
        "Prosecutor risk, highest", percent(prosecutor["highest"]), f"{alike}: at worst."
    )
    yield ReportRow("Prosecutor risk, mean", percent(prosecutor["mean"]), f"{alike}: on average.")
    above = percent(prosecutor["share_above_20_percent"])
    yield ReportRow("At high risk", above, "People who look like fewer than four others.")
    highest = percent(journalist["highest"])
    meaning = f"Chance of finding somebody among the people like them {who}: at worst."
    yield ReportRow("Journalist risk, highest", highest, meaning)
    meaning = "Share of correct links if everybody is linked."
    yield ReportRow("Marketer risk", percent(figures["marketer"]), meaning)
    yield ReportRow("k-map", number(figures["k_map"]), f"Fewest people {who} who look alike.")
    alone = figures["population_uniqueness"]
    meaning = f"Share of people who are unique in the population, by model: {alone['model']}."
    yield ReportRow("Population uniqueness", percent(alone["share"]), meaning)


def _attributes(risk: Mapping[str, Any]) -> Iterator[ReportRow]:
    for name, risks in risk.get("attributes", {}).items():
        numbers = {
            "l": risks["l"], "t": risks["t"], "beta": risks["beta"], "delta": risks["delta"],
        }  # fmt: skip
        shown = ", ".join(f"{label} = {_measured(value)}" for label, value in numbers.items())
        base = percent(risks["base_rate"])
        meaning = (
            f"Known with certainty for {percent(risks['share_value_certain'])} of people; "
            f"guessed right for {percent(risks['guessed_right'])}, where the base rate is {base}."
        )
        yield ReportRow(name, shown, meaning)


def _measured(value: float | None) -> str:
    return "none holds" if value is None or value == float("inf") else number(value)


def loss_rows(
    measured: Mapping[str, Any], meanings: Mapping[str, Mapping[str, str]]
) -> list[ReportRow]:
    """Return the rows; an interval stands beside its measure, what was not measured nowhere."""
    values = dict(flat(measured))
    return [
        _row(name, value, values, meanings)
        for name, value in values.items()
        if isinstance(value, int | float) and not _ends(name, values)
    ]


def _ends(name: str, values: Mapping[str, Any]) -> bool:
    """Whether a name is one end of the interval of another."""
    return any(name.endswith(end) and name.removesuffix(end) in values for end in (" low", " high"))


def _row(
    name: str, value: float, values: Mapping[str, Any], meanings: Mapping[str, Mapping[str, str]]
) -> ReportRow:
    meaning = meanings.get(name) or meanings.get(name.partition(":")[0])
    if meaning is None:
        return ReportRow(title_of(name), number(value), "")
    written = percent if meaning["unit"] == "share from 0 to 1" else number
    low, high = values.get(f"{name} low"), values.get(f"{name} high")
    interval = "" if low is None or high is None else f" ({written(low)} to {written(high)})"
    better = "" if meaning["direction"] == "neither" else f", {meaning['direction']}"
    unit = "" if written is percent else f" ({meaning['unit']}{better})"
    sentence = f"{opening(meaning['sentence'])}{unit or better}."
    return ReportRow(title_of(name), written(value) + interval, sentence)
