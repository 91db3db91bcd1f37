"""Bewong, Liu, Liu and Li 2019, Figures 1 and 6 to 9, re-measured on BMS-WebView-1 and -2.

Series of five corpora by ``SeGen``, several seeds a setting. The paper prints its figures without
numbers but for a few in the text; where it names one, it stands beside ours. How the paper forms
clusters it does not say (docs/reproduction/sanony.md).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cache
from time import process_time
from typing import Any, TypeAlias

import numpy as np

from discreet.catalog import find
from discreet.core.publication import Publication
from discreet.core.transactions import Transactions
from discreet.errors import InfeasibleError
from discreet.lazy import pl
from discreet.papers.figure import Row, table_of
from discreet.papers.sampling import Answer, Estimate, Lab
from discreet.rng import discrete_laplace, seeded
from discreet.series import Composition, Victim, association_error
from discreet.series.folder import publish_series
from discreet.series.segen import Choice, SeGen, Serial

Numbers: TypeAlias = dict[str, float]

DATA = ("bms1", "bms2")
SAMPLES = ("0.0125", "0.025", "0.05", "0.1")
REPEATS = ("0.1", "0.4", "0.7", "0.8", "1")
THRESHOLDS = ("2", "4", "8", "16")
SEEDS = 5
"""Series of a setting, at most; ``--rounds`` asks for fewer."""
SANONY: Mapping[str, Mapping[str, Any]] = {
    "sanony": {"reserve": 0},
    "sanony, with a reserve": {},
    "sanony, with chains": {"reserve": 0, "chains": True},
}
"""Sanony as the paper has it, without counterfeits that no release needs, and what is new here."""
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
        frequencies = f"sample {float(self.sample):.2%}, repeat {float(self.repeat):.0%}"
        return f"{frequencies}, r_th {self.r_th}, {self.choice} terms"


def sweep(data: str, choice: Choice = "random") -> tuple[Setting, ...]:
    """Return the settings of a data set: one choice moves at a time."""
    base = Setting(data=data, choice=choice)
    settings = [replace(base, sample=value) for value in SAMPLES]
    settings += [replace(base, repeat=value) for value in REPEATS]
    settings += [replace(base, r_th=value) for value in THRESHOLDS]
    return tuple(dict.fromkeys(settings))


@cache
def _people(data: str) -> Transactions:
    return Transactions.read(f"dataset:{data}")


def _made(setting: Setting, seed: int) -> Serial:
    choice = SeGen(sample=setting.sample, repeat=setting.repeat, choice=setting.choice)
    return choice.make(_people(setting.data), seeded(seed))


def _published(
    series: Serial, setting: Setting, method: str, seed: int
) -> tuple[list[Publication[Any]], str | None]:
    """Return the releases and, where a corpus is refused, why; those before it are there."""
    entry = find(method.partition(",")[0], "publisher")
    choices: dict[str, Any] = {"m": 2} if method == "m-invariance" else {"r_th": setting.r_th}
    choices |= SANONY.get(method, {})
    made: list[Publication[Any]] = []
    try:
        # what was published before a refusal stays in the list
        made.extend(publish_series(entry.method(**choices), series.corpora, seeded(seed + 1)))
    except InfeasibleError as error:
        return made, str(error)
    return made, None


@cache
def _warm_up(data: str, method: str) -> None:
    """Publish the smallest series once: compiling is not part of what a series takes."""
    smallest = Setting(data=data, sample=min(SAMPLES, key=float))
    _published(_made(smallest, 0), smallest, method, 0)


def series_numbers(setting: Setting, method: str, seed: int) -> Answer:
    """Publish a series by a method; return its cost, who is at risk, and what is lost.

    Where a corpus is refused, the numbers are those of the releases before it.
    """
    series = _made(setting, seed)
    _warm_up(setting.data, method)
    begin = process_time()
    made, refused = _published(series, setting, method, seed)
    seconds = process_time() - begin
    if not made:
        return {"refused": refused, "seconds": seconds, "risk": {}, "perturbed": {}, "lost": {}}
    releases = [publication.release for publication in made]
    summary = Composition(r_th=setting.r_th).attack(releases, Victim()).summary
    return {
        "refused": refused,
        "seconds": seconds,
        "risk": _risk(summary),
        "perturbed": _perturbed(summary, made, sum(map(len, series.corpora[: len(made)]))),
        "lost": {} if method == "m-invariance" else _lost(series.corpora, made, seed),
    }


def _risk(summary: Mapping[str, Any]) -> Numbers:
    """Return what comparing the releases of a series gives away."""
    names = {
        "at risk": "at_risk_exact",
        "at risk by the paper's product": "at_risk_paper",
        "at risk through derived clusters": "at_risk_transitive",
        "at risk globally": "at_risk_global",
        "share in the bag": "bag_share",
        "private terms in clusters": "private_terms_in_clusters",
    }
    return {measure: float(summary[name]) for measure, name in names.items()}


def _perturbed(
    summary: Mapping[str, Any], made: Sequence[Publication[Any]], people: int
) -> Numbers:
    """Return the share of counterfeits, who is left out, and who is at risk all the same."""
    rows = sum(len(publication.release.content) for publication in made)
    real = sum(
        publication.linkage_key.tables["rows"].height
        for publication in made
        if publication.linkage_key
    )
    return {
        "perturbation rate": 1 - real / max(1, rows),
        "share left out": 1 - real / max(1, people),
        "share in the bag": summary["bag_share"],
        "private terms in clusters": float(summary["private_terms_in_clusters"]),
        "at risk": float(max(summary[f"at_risk_{how}"] for how in ("alone", "exact", "global"))),
        "at risk through derived clusters": float(summary["at_risk_transitive"]),
        "not counted exactly": float(summary["not_counted_exactly"]),
    }


def _lost(corpora: Sequence[Transactions], made: Sequence[Publication[Any]], seed: int) -> Numbers:
    """Return the relative error of pairs, by class of support, over all corpora."""
    results = [
        association_error(corpus, publication.release.content, seeded(seed + 2))
        for corpus, publication in zip(corpora, made, strict=False)
    ]
    numbers = {}
    for name in results[0].errors:
        errors = [result.errors[name] for result in results if result.queries[name]]
        if errors:
            numbers[f"relative error, {name} support"] = float(np.mean(errors))
    return numbers


def _series(
    lab: Lab, settings: Iterable[tuple[Setting, str]]
) -> Iterator[tuple[Setting, str, list[Answer]]]:
    """Yield each setting and method with the numbers of its series, one for each seed."""
    cases = list(settings)
    # --rounds counts releases, of which a series has five
    seeds = [lab.seed + 100 * number for number in range(max(1, min(lab.rounds // 5, SEEDS)))]
    answers = lab.asked(series_numbers, [(*case, seed) for case in cases for seed in seeds])
    for setting, method in cases:
        yield setting, method, [answers[setting, method, seed] for seed in seeds]


def _rows(lab: Lab, settings: Iterable[tuple[Setting, str]], section: str) -> Iterator[Row]:
    """Yield a row for each measure of each setting and method: the mean over the seeds."""
    for setting, method, answers in _series(lab, settings):
        refused = answers[0]["refused"]
        for measure in dict.fromkeys(name for answer in answers for name in answer[section]):
            values = [answer[section][measure] for answer in answers if measure in answer[section]]
            yield _row(setting, method, measure, values) | {
                "note": f"stopped: {refused}" if refused else None
            }


def _row(setting: Setting, method: str, measure: str, values: Sequence[float]) -> Row:
    estimate = Estimate.of(values)
    return asdict(estimate) | {
        "data": setting.data,
        "method": f"{method}, {setting}",
        "publisher": method,
        "measure": measure,
        "releases": 5 * estimate.releases,
        "paper": _PRINTED.get((setting, method, measure)),
    }


_PRINTED: Mapping[tuple[Setting, str, str], float] = {
    (Setting(data="bms1"), "sanony", "perturbation rate"): 0.002,
    (Setting(data="bms1"), "m-invariance", "perturbation rate"): 0.05,
    (Setting(data="bms2"), "sanony", "perturbation rate"): 0.005,
    (Setting(data="bms2"), "m-invariance", "perturbation rate"): 0.25,
}
"""The numbers that section 4.3 names."""


def _table(figure: str, rows: Iterable[Row], note: str | None = None) -> "pl.DataFrame":
    return table_of(f"sanony {figure}", rows, note=note)


def _both(*, frequent: bool = True) -> list[Setting]:
    choices: Sequence[Choice] = ("random", "frequent") if frequent else ("random",)
    return [setting for data in DATA for choice in choices for setting in sweep(data, choice)]


def figure_1(lab: Lab) -> "pl.DataFrame":
    """Return the noise that hides the counts of Table 1(a) at epsilon = 0.1, beside the counts."""
    draws = max(2, lab.rounds)
    noise = np.abs(discrete_laplace(draws, Fraction(1, 10), seeded(lab.seed))).astype(float)
    estimate = Estimate.of(noise.tolist())
    rows = []
    for term, count in PRISONERS.items():
        shared = {"data": "prisoners", "method": f"laplace, {term}", "releases": draws}
        exact = {"low": float(count), "high": float(count)}
        rows.append(shared | {"measure": "true count", "value": float(count)} | exact)
        interval = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
        rows.append(shared | {"measure": "mean absolute noise"} | interval)
    return _table("figure-1", rows, "each count alone at epsilon 0.1, as in the paper")


def figure_6(lab: Lab) -> "pl.DataFrame":
    """Return how many transactions of Anony's releases are at risk when these are compared."""
    rows = _rows(lab, [(setting, "anony") for setting in _both()], "risk")
    return _table("figure-6", rows, "transactions of all five releases")


def figure_7(lab: Lab) -> "pl.DataFrame":
    """Return the share of counterfeits of Sanony and of m-invariance with m = 2.

    Below the paper's lines what is new here, in the default setting.
    """
    settings = [(setting, method) for setting in _both() for method in ("sanony", "m-invariance")]
    settings += [(Setting(data=data), method) for data in DATA for method in list(SANONY)[1:]]
    rows = _rows(lab, settings, "perturbed")
    return _table("figure-7", rows, "paper: sanony never above 4 %")


def figure_8(lab: Lab) -> "pl.DataFrame":
    """Return the relative error of the support of pairs under Anony and Sanony."""
    settings = [(setting, method) for setting in _both() for method in ("anony", "sanony")]
    rows = _rows(lab, settings, "lost")
    return _table("figure-8", rows, "paper: sanony less than 10 % above anony")


def figure_9(lab: Lab) -> "pl.DataFrame":
    """Return the processor time of publishing a series, as a ratio to m-invariance."""
    settings = _both(frequent=False)
    methods = ("sanony", "m-invariance")
    cases = [(setting, method) for setting in settings for method in methods]
    seconds = {
        (setting, method): [answer["seconds"] for answer in answers]
        for setting, method, answers in _series(lab, cases)
    }
    rows = []
    for setting in settings:
        own, other = (seconds[setting, method] for method in methods)
        ratios = [one / max(two, 1e-9) for one, two in zip(own, other, strict=True)]
        rows.append(_row(setting, "sanony", "time ratio to m-invariance", ratios))
    return _table("figure-9", rows, "five releases; paper: quadratic in size")


FIGURES: Mapping[str, Callable[[Lab], "pl.DataFrame"]] = {
    "figure-1": figure_1,
    "figure-6": figure_6,
    "figure-7": figure_7,
    "figure-8": figure_8,
    "figure-9": figure_9,
}
"""The figures by name."""
