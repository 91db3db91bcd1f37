"""Settings at which itemset counts are published and measured."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from discreet.counts.apl_killer import AplKiller
from discreet.counts.diff_part import DiffPart
from discreet.papers.claims import AS_PRINTED
from discreet.papers.figure import Row
from discreet.papers.recipes import DataRecipe, made
from discreet.papers.sampling import Estimate, Lab, Measured, Point
from discreet.papers.trials import SHARES, Publishes, Trial

Method: TypeAlias = Literal[
    "apl-killer",
    "apl-killer as printed",
    "diff-part",
    "priv-bayes",
    "counts",
    "counts, tau 0.9",
]

OURS: tuple[Method, ...] = ("counts", "counts, tau 0.9")
"""What is younger than the paper: table-bayes up to 20 items, item-supports beyond."""
SLOWER = 24
"""How many times fewer releases of these are drawn: one takes seconds, not milliseconds."""
MOST_ITEMS = 64
"""Items up to which itemsets of all sizes are published; beyond, up to three items, or up to the
longest of made-up records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Data, a method and its parameters: what the rows of one point have in common."""

    recipe: DataRecipe
    method: Method
    epsilon: float = 1.0
    c1: float | None = None
    fan_out: int | None = None
    theta: int | None = None

    @property
    def slower(self) -> int:
        """How many times fewer releases are drawn than of the paper's methods."""
        return SLOWER if self.method in OURS else 1

    def publisher(self) -> Publishes:
        """Return the method with its parameters."""
        universe = made(self.recipe).universe
        if self.method in OURS:
            from discreet.counts.recommended import Counts

            tau = None if self.method == "counts" else "0.9"
            return Counts(epsilon=self.epsilon, tau=tau, universe=universe)
        if self.method == "priv-bayes":
            from discreet.counts.priv_bayes import PrivBayes

            return PrivBayes(epsilon=self.epsilon, theta=self.theta or 4, universe=universe)
        shared: dict[str, Any] = {
            "epsilon": self.epsilon,
            "fan_out": self.fan_out,
            "c1": self.c1,
            "c2": 1,
            "universe": universe,
            "max_size": self.recipe.longest or 3 if len(universe) > MOST_ITEMS else None,
        }
        if self.method == "diff-part":
            return DiffPart(**shared)
        if self.method == "apl-killer":
            return AplKiller(**shared)
        return AplKiller(**shared, boundary_noise="paper", empty_tests="paper", par="paper")

    def labels(self) -> Row:
        """Return the columns that name the point."""
        return {
            "data": self.recipe.label,
            "method": self.method,
            "epsilon": self.epsilon,
            "theta": self.theta,
            "c1": self.c1,
            "fan_out": self.fan_out,
            "occurrences": self.recipe.occurrences,
            "note": "not differentially private" if self.method == AS_PRINTED else None,
        }


def rows_of(labels: Row, measured: Measured) -> Iterator[Row]:
    """Return a row for each measure, or one with the reason why there is none."""
    if measured.refused:
        yield labels | {"releases": 0, "refused": measured.refused}
    for measure, values in measured.values.items():
        yield labels | {"measure": measure} | asdict(Estimate.of(values, share=measure in SHARES))


def measured(
    lab: Lab, settings: Sequence[Setting], trial: Callable[[Publishes], Trial]
) -> list[Row]:
    """Measure each setting; the rows in the order of the settings."""
    points = {case: Point(case.recipe, trial(case.publisher()), case.slower) for case in settings}
    results = lab.measure(points.values())
    return [row for case in settings for row in rows_of(case.labels(), results[points[case]])]
