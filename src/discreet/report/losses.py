"""What was lost as rows: the measure, what it means, how large it is here."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from discreet.measure.meanings import title_of
from discreet.report.page import flat
from discreet.report.wording import number, opening, percent

__all__ = ["LossRow", "loss_rows"]


class LossRow(NamedTuple):
    """One measure."""

    name: str
    meaning: str
    value: str


def loss_rows(
    measured: Mapping[str, Any], meanings: Mapping[str, Mapping[str, str]]
) -> list[LossRow]:
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
) -> LossRow:
    meaning = meanings.get(name) or meanings.get(name.partition(":")[0])
    if meaning is None:
        return LossRow(title_of(name), "", number(value))
    written = percent if meaning["unit"] == "share from 0 to 1" else number
    low, high = values.get(f"{name} low"), values.get(f"{name} high")
    interval = "" if low is None or high is None else f" ({written(low)} to {written(high)})"
    better = "" if meaning["direction"] == "neither" else f", {meaning['direction']}"
    unit = "" if written is percent else f" ({meaning['unit']}{better})"
    sentence = f"{opening(meaning['sentence'])}{unit or better}."
    return LossRow(title_of(name), sentence, written(value) + interval)
