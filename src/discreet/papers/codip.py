"""Fang, Ashrafi and Ng 2011, Figures 5 to 9, re-measured on Census-Income (KDD).

Only the test split is at hand: 99,762 rows, 49,479 after the rows outside the labour market are
dropped as in the paper, which has 98,839 of the training split. Discernibility grows with the
square of the rows, so the paper's limits are scaled. What the paper leaves open (the hierarchies,
which household states make its four derived attributes) is stated in docs/reproduction/codip.md.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache

import numpy as np

from discreet.core.guarantee import TCloseness
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import Microdata
from discreet.lazy import pl
from discreet.papers.figure import Row, row_of, table_of
from discreet.papers.sampling import Lab
from discreet.tables.classes.cutting import Cutting
from discreet.tables.codip_star import CodipStar
from discreet.tables.folding import fold
from discreet.tables.projection.dependence import Plan
from discreet.tables.projection.plans import Planner
from discreet.tables.promises.class_rules import Promises

QIDS = ("age", "race", "sex", "citizenship")
CATEGORIES = (
    "class of worker", "education", "major industry code", "full or part time employment stat",
    "own business or self employed", "income", "major occupation code",
)  # fmt: skip
NUMBERS = ("wage per hour", "dividends from stocks", "capital gains", "capital losses")
HOUSEHOLD = "detailed household and family stat"
OUTSIDE = {
    "class of worker": "Not in universe",
    "major industry code": "Not in universe or children",
    "major occupation code": "Not in universe",
}
"""What the paper drops as missing or unknown."""
PAPER_ROWS = 98_839
LIMITS = (2.5, 3.0, 3.5, 4.0, 4.5)
"""Limits of discernibility in units of 1e9, at the paper's number of rows."""
LABEL = "census-income, test split"


@cache
def census() -> Microdata:
    """Return the paper's table: four quasi-identifiers and fifteen sensitive attributes."""
    from discreet.io.datasets import read_dataset_table

    raw = read_dataset_table("dataset:census-income")
    inside = [pl.col(name) != value for name, value in OUTSIDE.items()]
    table = raw.filter(inside).with_columns(_household())
    people = Microdata.of(
        table,
        qids=QIDS,
        sensitive=(*CATEGORIES, *NUMBERS, "household"),
        multi_valued=["household"],
    )
    for name in NUMBERS:
        people = people.discretise(name, [1])
    return people


def _household() -> "pl.Expr":
    """Return the household state as a set: married, 18-, descendent, subfamily."""
    state = pl.col(HOUSEHOLD).str.to_lowercase()
    holds = {
        "married": state.str.contains("spouse")
        | (state.str.contains("ever marr") & ~state.str.contains("never marr")),
        "18-": state.str.contains("<18|under 18"),
        "descendent": state.str.contains("^(child|grandchild)"),
        "subfamily": state.str.contains("subfamily") & ~state.str.contains("not in (a )?subfamily"),
    }
    labels = [pl.when(condition).then(pl.lit(name)) for name, condition in holds.items()]
    return pl.concat_str(labels, separator="|", ignore_nulls=True).alias("household")


@cache
def hierarchies() -> tuple[tuple[str, Hierarchy], ...]:
    """Return intervals of 5, 10, 20 and 40 years, and born native or foreign; others flat."""
    born = sorted(census().table["citizenship"].unique().to_list())
    return (
        ("age", Hierarchy.intervals(map(str, range(91)), [5, 10, 20, 40])),
        (
            "citizenship",
            Hierarchy.of_levels([country, country.split()[0], "*"] for country in born),
        ),
    )


def _limit(billions: float) -> int:
    """Return a limit of discernibility, scaled to the rows at hand."""
    return int(billions * 1e9 * (len(census()) / PAPER_ROWS) ** 2)


@cache
def _planner(k: int, billions: float | None = None) -> Planner:
    limit = None if billions is None else _limit(billions)
    return CodipStar(k=k, t=1, beta=1, hierarchy=hierarchies(), discernibility_limit=limit).planner(
        fold(census())
    )


@cache
def _merging_steps() -> tuple[Plan, ...]:
    """Return the plans of CODIP* from fifteen tables to one; only thresholds cut it short."""
    return tuple(CodipStar(k=2, t=1, beta=1, hierarchy=hierarchies()).plans(_planner(2)))


def _table(figure: str, rows: Iterable[Row], note: str | None = None) -> "pl.DataFrame":
    return table_of(f"codip {figure}", rows, data=LABEL, note=note)


def figure_5(lab: Lab) -> "pl.DataFrame":  # noqa: ARG001 (nothing to draw)
    """Return exposure against association loss, for each plan on the way of CODIP*."""
    return _table("figure-5", _ratios(), "paper: exposure .15 at association loss .19")


def _ratios() -> Iterator[Row]:
    dependence = _planner(2).dependence
    # the paper names the ends of its curve: (0, 1), and the point where loss reaches .19
    turn = next(plan for plan in _merging_steps() if dependence.association_loss(plan) <= 0.19)
    printed = {1: (0.0, 1.0), len(turn): (0.19, 0.15)}
    for plan in _merging_steps():
        name = f"codip-star, {len(plan)} tables"
        loss, exposure = printed.get(len(plan), (None, None))
        yield row_of(name, "association loss", dependence.association_loss(plan), loss)
        yield row_of(name, "information exposure", dependence.exposure(plan), exposure)


def figure_6(lab: Lab) -> "pl.DataFrame":  # noqa: ARG001 (nothing to draw)
    """Return, for each number of tables, how much join-threat goes and association is lost."""
    dependence = _planner(2).dependence
    rows = []
    for plan in reversed(_merging_steps()):
        name = f"codip-star, {len(plan)} tables"
        rows.append(row_of(name, "reduced join-threat", 1 - dependence.exposure(plan)))
        rows.append(row_of(name, "association loss", dependence.association_loss(plan)))
    return _table("figure-6", rows)


def figure_7(lab: Lab) -> "pl.DataFrame":  # noqa: ARG001 (nothing to draw)
    """Return the number of tables for the first s attributes, at alpha = beta = 0.3."""
    people = census().bitmap
    rows = []
    for count in range(3, len(people.sensitive) + 1, 2):
        names = people.sensitive[:count]
        fewer = Microdata(people.table, people.qids, names)
        method = CodipStar(k=2, t=1, alpha="0.3", beta="0.3", hierarchy=hierarchies())
        plan = method.projection(method.planner(fold(fewer)))
        rows.append(row_of(f"codip-star, {count} attributes", "tables", len(plan)))
    return _table("figure-7", rows)


def figure_8(lab: Lab) -> "pl.DataFrame":  # noqa: ARG001 (nothing to draw)
    """Return the best closeness of plans under limits of discernibility, and the improvement."""
    plans = {len(plan): plan for plan in _merging_steps()}
    rows = []
    for billions in LIMITS:
        planner = _planner(2, billions)
        if not planner.allowed.any():
            continue
        best = {count: _closeness(planner, plans[count]) for count in (1, 2, 4, 6, 15)}
        for count, value in best.items():
            name = f"{'naive' if count == 1 else 'codip-star'}, {count} tables, d_m {billions:g}"
            rows.append(row_of(name, "best closeness", value))
            improvement = 1 - value / best[1] if best[1] else 0.0
            rows.append(row_of(name, "improvement", improvement))
            cut = _closest_cut(plans[count], 2, billions)
            rows.append(row_of(f"{name}, mondrian", "best closeness", cut))
    return _table("figure-8", rows, "d_m in units of 1e9 at the paper's number of rows")


@cache
def _cutting() -> Cutting:
    return CodipStar(k=2, t=1, hierarchy=hierarchies()).cutting(fold(census()))


@cache
def _cut_cost(names: tuple[str, ...], k: int, hundredths: int) -> int:
    """Return the discernibility of one table cut as mondrian does, k-anonymous and t-close."""
    cut = _cutting().cut(names, Promises(k, TCloseness(t=Fraction(hundredths, 100))))
    return int((np.bincount(cut.classes, cut.people) ** 2).sum())


def _within(plan: Plan, k: int, hundredths: int, billions: float) -> bool:
    """Whether tables cut so close are all within a limit of discernibility."""
    return all(_cut_cost(names, k, hundredths) <= _limit(billions) for names in plan)


def _closest_cut(plan: Plan, k: int, billions: float) -> float:
    """Return the least t, in hundredths, whose cuts are within the limit, found by halving."""
    low, high = 0, 100
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _within(plan, k, middle, billions) else (middle, high)
    return high / 100


def _closeness(planner: Planner, plan: Plan) -> float:
    return float(max(planner.nearest(attributes) for attributes in plan))


def figure_9(lab: Lab) -> "pl.DataFrame":  # noqa: ARG001 (nothing to draw)
    """Return how many plans are close enough and how many nodes anonymous, for each k."""
    printed = {2: (6, 2, 46), 5: (6, 2, 28), 10: (6, 2, 18), 20: (6, 2, 14), 50: (0, 0, 5)}
    printed[100] = (0, 0, 1)
    plans = [plan for plan in _merging_steps() if 2 <= len(plan) <= 7]
    rows = []
    for k, (at_40, at_37, nodes) in printed.items():
        planner = _planner(k, 3.5)
        usable = bool(planner.allowed.any())
        closeness = [_closeness(planner, plan) for plan in plans] if usable else []
        for t, paper in ((0.4, at_40), (0.37, at_37)):
            close = sum(value <= t for value in closeness)
            rows.append(row_of(f"codip-star, k {k}, t {t:g}", "plans close enough", close, paper))
            cut = sum(_within(plan, k, round(100 * t), 3.5) for plan in plans)
            rows.append(row_of(f"codip-star, k {k}, t {t:g}, mondrian", "plans close enough", cut))
        allowed = int(planner.allowed.sum())
        rows.append(row_of(f"incognito, k {k}", "k-anonymisations", allowed, nodes))
        if usable:
            paper_naive = 0.42 if k <= 20 else 0.52
            naive = _closeness(planner, (census().bitmap.sensitive,))
            rows.append(row_of(f"naive, k {k}", "best closeness", naive, paper_naive))
        cut_naive = _closest_cut((census().bitmap.sensitive,), k, 3.5)
        rows.append(row_of(f"naive, k {k}, mondrian", "best closeness", cut_naive))
    return _table("figure-9", rows, "d_m 3.5; plans of 2 to 7 tables; hierarchies are not printed")


FIGURES: Mapping[str, Callable[[Lab], "pl.DataFrame"]] = {
    "figure-5": figure_5,
    "figure-6": figure_6,
    "figure-7": figure_7,
    "figure-8": figure_8,
    "figure-9": figure_9,
}
"""The figures by name."""
