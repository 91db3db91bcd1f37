"""Bewong, Liu, Liu and Li 2019, Figures 1 and 6 to 9, re-measured on BMS-WebView-1 and -2.

Series of five corpora by ``SeGen``, several seeds a setting. The paper prints its figures without
numbers but for a few in the text; where it names one, it stands beside ours. How the paper forms
clusters it does not say (docs/reproduction/sanony.md).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from discreet.attack import Composition, Victim
from discreet.catalog import find
from discreet.chance import discrete_laplace, seeded
from discreet.data.publication import Publication
from discreet.data.transactions import Transactions
from discreet.errors import InfeasibleError
from discreet.experiments.sampling import Estimate, Lab
from discreet.experiments.segen import Choice, SeGen, Serial
from discreet.experiments.serial import publish_series
from discreet.measure import association_error

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FIGURES", "figure_1", "figure_6", "figure_7", "figure_8", "figure_9"]

Row: TypeAlias = dict[str, Any]
Numbers: TypeAlias = dict[str, float]

DATA = ("bms1", "bms2")
SAMPLES = ("0.0125", "0.025", "0.05", "0.1")
REPEATS = ("0.1", "0.4", "0.7", "0.8", "1")
THRESHOLDS = ("2", "4", "8", "16")
SEEDS = 5
"""Series of a setting, at most; ``--rounds`` asks for fewer."""
PRISONERS = {"HIV": 2, "cancer": 2, "herpes": 1}
"""The private terms of Table 1(a), which Figure 1 hides by noise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One point of a sweep."""

    data: str
    sample: str = "0.05"
    repeat: str = "0.4"
    r_th: str = "8"
    choice: Choice = "random"

    def __str__(self) -> str:
        words = f"sample {float(self.sample):.2%}, repeat {float(self.repeat):.0%}"
        return f"{words}, r_th {self.r_th}, {self.choice} terms"


def sweep(data: str, choice: Choice = "random") -> tuple[Setting, ...]:
    """Return the settings of a data set: one choice moves at a time."""
    base = Setting(data=data, choice=choice)
    settings = [replace(base, sample=value) for value in SAMPLES]
    settings += [replace(base, repeat=value) for value in REPEATS]
    settings += [replace(base, r_th=value) for value in THRESHOLDS]
    return tuple(dict.fromkeys(settings))


class Published(NamedTuple):
    """A series published by one method."""

    made: list[Publication[Any]]
    seconds: float
    """Processor time that publishing took."""
    refused: str | None


@cache
def _people(data: str) -> Transactions:
    return Transactions.read(f"dataset:{data}")


@cache
def _serial(setting: Setting, seed: int) -> Serial:
    method = SeGen(sample=setting.sample, repeat=setting.repeat, choice=setting.choice)
    return method.make(_people(setting.data), seeded(seed))


@cache
def _published(setting: Setting, method: str, seed: int) -> Published:
    entry = find(method, "publisher")
    choices = {"m": 2} if method == "m-invariance" else {"r_th": setting.r_th}
    begin = process_time()
    made: list[Publication[Any]] = []
    try:
        # what was published before a refusal stays in the list
        made.extend(
            publish_series(
                entry.method(**choices), _serial(setting, seed).corpora, seeded(seed + 1)
            )
        )
    except InfeasibleError as error:
        return Published(made, process_time() - begin, str(error))
    return Published(made, process_time() - begin, None)


def _risk(setting: Setting, seed: int) -> Numbers:
    """Return what comparing Anony's releases of a series gives away."""
    releases = [each.release for each in _published(setting, "anony", seed).made]
    told = Composition(r_th=setting.r_th).attack(releases, Victim()).summary
    names = {
        "at risk": "at_risk_exact",
        "at risk by the paper's product": "at_risk_paper",
        "at risk through derived clusters": "at_risk_transitive",
        "at risk globally": "at_risk_global",
        "share in the bag": "bag_share",
        "private terms in clusters": "private_terms_in_clusters",
    }
    return {measure: float(told[name]) for measure, name in names.items()}


def _perturbed(setting: Setting, method: str, seed: int) -> Numbers:
    """Return the share of counterfeits, who is left out, and who is at risk all the same."""
    made = _published(setting, method, seed).made
    if not made:
        return {}
    told = Composition(r_th=setting.r_th).attack([each.release for each in made], Victim()).summary
    rows = sum(len(each.release.content) for each in made)
    real = sum(each.keep.tables["rows"].height for each in made if each.keep)
    people = sum(len(corpus) for corpus in _serial(setting, seed).corpora[: len(made)])
    bag = sum(int(each.release.content.bag.sum()) for each in made)
    copies = sum(int(each.release.content.total.sum()) for each in made)
    seen = {
        each.release.content.terms[term]
        for each in made
        for term in set(each.release.content.private[1].tolist())
    }
    return {
        "perturbation rate": 1 - real / max(1, rows),
        "share left out": 1 - real / max(1, people),
        "share in the bag": bag / max(1, copies),
        "private terms in clusters": float(len(seen)),
        "at risk": float(max(told[f"at_risk_{how}"] for how in ("alone", "exact", "global"))),
        "at risk through derived clusters": float(told["at_risk_transitive"]),
        "not counted exactly": float(told["not_counted_exactly"]),
    }


def _lost(setting: Setting, method: str, seed: int) -> Numbers:
    """Return the relative error of pairs, by class of support, over all corpora."""
    made = _published(setting, method, seed).made
    found = [
        association_error(corpus, each.release.content, seeded(seed + 2))
        for corpus, each in zip(_serial(setting, seed).corpora, made, strict=False)
    ]
    numbers = {}
    for name in found[0].errors if found else ():
        asked = [part.errors[name] for part in found if part.queries[name]]
        if asked:
            numbers[f"relative error, {name} support"] = float(np.mean(asked))
    return numbers


def _rows(
    lab: Lab, settings: Iterable[tuple[Setting, str]], ask: Callable[[Setting, str, int], Numbers]
) -> Iterator[Row]:
    """Yield a row for each measure of each setting and method: the mean over the seeds."""
    asked = list(settings)
    for done, (setting, method) in enumerate(asked, start=1):
        values: dict[str, list[float]] = {}
        for number in range(max(1, min(lab.rounds, SEEDS))):
            for measure, value in ask(setting, method, lab.seed + 100 * number).items():
                values.setdefault(measure, []).append(value)
        refused = _published(setting, method, lab.seed).refused if method in _METHODS else None
        for measure, each in values.items():
            found = Estimate.of(measure, each)
            yield {
                "data": setting.data,
                "method": f"{method}, {setting}",
                "measure": measure,
                "value": found.value,
                "low": found.low,
                "high": found.high,
                "releases": 5 * found.releases,
                "paper": _PRINTED.get((setting, method, measure)),
                "note": f"stopped: {refused}" if refused else None,
            }
        lab.progress(done, len(asked))


_METHODS = ("anony", "sanony", "m-invariance")
_PRINTED: Mapping[tuple[Setting, str, str], float] = {
    (Setting(data="bms1"), "sanony", "perturbation rate"): 0.002,
    (Setting(data="bms1"), "m-invariance", "perturbation rate"): 0.05,
    (Setting(data="bms2"), "sanony", "perturbation rate"): 0.005,
    (Setting(data="bms2"), "m-invariance", "perturbation rate"): 0.25,
}
"""The numbers that section 4.3 names."""


def _table(figure: str, rows: Iterable[Row], note: str | None = None) -> "pl.DataFrame":
    import polars as pl

    words = ("figure", "data", "method", "measure", "note")
    unused = ("epsilon", "theta", "c1", "fan_out", "occurrences")
    order = (
        *("figure", "data", "method", *unused, "measure", "value", "low", "high"),
        *("releases", "paper", "note"),
    )
    types = {
        name: pl.String() if name in words else pl.Int64() if name == "releases" else pl.Float64()
        for name in order
    }
    label = {"figure": f"sanony {figure}"}
    full = [label | row | {"note": row.get("note") or note} for row in rows]
    return pl.DataFrame(full, schema=types)


def _both(*, frequent: bool = True) -> list[Setting]:
    choices: Sequence[Choice] = ("random", "frequent") if frequent else ("random",)
    return [setting for data in DATA for choice in choices for setting in sweep(data, choice)]


def figure_1(lab: Lab) -> "pl.DataFrame":
    """Return the noise that hides the counts of Table 1(a) at epsilon = 0.1, beside the counts."""
    many = max(2, lab.rounds)
    noise = np.abs(discrete_laplace(many, Fraction(1, 10), seeded(lab.seed))).astype(float)
    found = Estimate.of("mean absolute noise", noise.tolist())
    rows = []
    for term, count in PRISONERS.items():
        shared = {"data": "prisoners", "method": f"laplace, {term}", "releases": many}
        exact = {"low": float(count), "high": float(count)}
        rows.append(shared | {"measure": "true count", "value": float(count)} | exact)
        spread = {"value": found.value, "low": found.low, "high": found.high}
        rows.append(shared | {"measure": "mean absolute noise"} | spread)
    return _table("figure-1", rows, "each count alone at epsilon 0.1, as in the paper")


def figure_6(lab: Lab) -> "pl.DataFrame":
    """Return how many transactions of Anony's releases are at risk when these are compared."""
    settings = [(setting, "anony") for setting in _both()]
    rows = _rows(lab, settings, lambda setting, _, seed: _risk(setting, seed))
    return _table("figure-6", rows, "transactions of all five releases")


def figure_7(lab: Lab) -> "pl.DataFrame":
    """Return the share of counterfeits of Sanony and of m-invariance with m = 2."""
    settings = [(setting, method) for setting in _both() for method in ("sanony", "m-invariance")]
    return _table("figure-7", _rows(lab, settings, _perturbed), "paper: sanony never above 4 %")


def figure_8(lab: Lab) -> "pl.DataFrame":
    """Return the relative error of the support of pairs under Anony and Sanony."""
    settings = [(setting, method) for setting in _both() for method in ("anony", "sanony")]
    rows = _rows(lab, settings, _lost)
    return _table("figure-8", rows, "paper: sanony less than 10 % above anony")


def figure_9(lab: Lab) -> "pl.DataFrame":
    """Return the processor time of publishing a series, as a ratio to m-invariance."""

    def ask(setting: Setting, method: str, seed: int) -> Numbers:
        own = _published(setting, method, seed).seconds
        other = _published(setting, "m-invariance", seed).seconds
        return {"time ratio to m-invariance": own / max(other, 1e-9)}

    settings = [(setting, "sanony") for setting in _both(frequent=False)]
    return _table("figure-9", _rows(lab, settings, ask), "five releases; paper: quadratic in size")


FIGURES: Mapping[str, Callable[[Lab], "pl.DataFrame"]] = {
    "figure-1": figure_1,
    "figure-6": figure_6,
    "figure-7": figure_7,
    "figure-8": figure_8,
    "figure-9": figure_9,
}
"""The figures by name."""
