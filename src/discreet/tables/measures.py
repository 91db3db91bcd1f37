"""How good published tables are, and how much joins within them may tell."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.core.guarantee import NTCloseness, TCloseness
from discreet.core.guarantees.distributions import Distance
from discreet.core.microdata import GAP, Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey
from discreet.core.ranges import OR_GAP, Range, members_of, range_of
from discreet.core.release import Release
from discreet.errors import DataError
from discreet.tables.closeness import classes_of, sensitive_values
from discreet.tables.dependence import Dependence, dependence_of
from discreet.tables.folding import fold
from discreet.tables.set_losses import set_losses

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "association_loss",
    "class_sizes",
    "closeness_of_classes",
    "column_losses",
    "dependence",
    "improvement",
    "information_exposure",
    "table_measures",
]


def dependence(original: Microdata) -> Dependence:
    """Return entropies and mutual information of the sensitive attributes, in bits."""
    return dependence_of(fold(original))


def association_loss(dependencies: Dependence, content: ProjectedTables) -> float:
    """Return the Association Loss Ratio: the share of mutual information between tables."""
    return dependencies.association_loss(_plan(dependencies, content))


def information_exposure(dependencies: Dependence, content: ProjectedTables) -> float:
    """Return the Information Exposure Ratio: what joins within tables may newly tell."""
    return dependencies.exposure(_plan(dependencies, content))


def _plan(dependencies: Dependence, content: ProjectedTables) -> tuple[tuple[str, ...], ...]:
    plan = content.sensitive
    if sorted(name for attributes in plan for name in attributes) != sorted(dependencies.names):
        msg = (
            "the original must have the sensitive attributes of the release, and has others; "
            "read it with the same roles"
        )
        raise DataError(msg)
    return plan


def class_sizes(content: ProjectedTables) -> tuple[NDArray[np.int64], ...]:
    """Return for each table how many rows its classes have."""
    return tuple(classes_of(table, content.qids)[1] for table in content.parts)


def closeness_of_classes(release: Release[ProjectedTables]) -> dict[str, NDArray[np.float64]]:
    """Return for each sensitive attribute how far each class of its table is from the table."""
    import polars as pl

    content, kinds = release.content, _kinds(release)
    distances = {}
    for table, attributes in zip(content.parts, content.sensitive, strict=True):
        records, sizes = classes_of(table, content.qids)
        every = np.arange(len(sizes), dtype=np.int64)
        for name in attributes:
            kind = kinds.get(name, "equal")
            # equal distance needs no hierarchy, and some of its values may not be in one
            tree = None if kind == "equal" else content.distances.get(name)
            values = sensitive_values(records, table[name].cast(pl.String), kind, tree)
            distances[name] = values.distances(every, sizes)
    return distances


def _kinds(release: Release[ProjectedTables]) -> dict[str, Distance]:
    claims = [claim for claim in release.guarantees if isinstance(claim, TCloseness | NTCloseness)]
    return dict(claims[0].distance) if claims else {}


def improvement(
    release: Release[ProjectedTables], baseline: Release[ProjectedTables], dependencies: Dependence
) -> dict[str, float]:
    """Compare a plan with a baseline as in section 4.3 of Fang, Ashrafi and Ng 2011, in percent.

    The baseline is one table that holds all sensitive attributes, as naive-t-closeness makes it.
    """
    ours, theirs = (
        max((float(each.max()) for each in closeness_of_classes(compared).values()), default=0.0)
        for compared in (release, baseline)
    )
    return {
        "improvement_in_closeness": 100 * (1 - ours / theirs) if theirs else 0.0,
        "reduced_join_threat": 100 * (1 - information_exposure(dependencies, release.content)),
        "association_loss": 100 * association_loss(dependencies, release.content),
    }


def _smallest_knowing_kept(content: ProjectedTables) -> int:
    """Return the least class of who knows the columns that were published as they are, too."""
    return int(classes_of(content.parts[0], (*content.qids, *content.kept))[1].min())


def column_losses(original: Microdata, content: ProjectedTables) -> dict[str, float]:
    """Return for each quasi-identifier what its published cells lose, from 0 to 1, on average.

    A range loses its share of the column's range, a name or set the share of the values that it
    stands for besides one; of several tables the worst counts. Rows left out are not in it.
    """
    if not set(content.qids) <= set(original.table.columns):
        msg = (
            "the original must have the quasi-identifiers of the release, and has others; read it "
            "with the same roles"
        )
        raise DataError(msg)
    return {
        name: max(_column_loss(original, content, table, name) for table in content.parts)
        for name in content.qids
    }


def _column_loss(
    original: Microdata, content: ProjectedTables, table: "pl.DataFrame", name: str
) -> float:
    values = original.table[name].unique().to_list()
    ranges = [interval for value in values if (interval := range_of(value)) is not None]
    # sorted, so that it adds up alike each time; a column may itself be called count
    cells = table[name].alias("cell").value_counts().sort("cell")
    under = _leaves(content.applied[name])
    if not under and len(ranges) == sum(value != GAP for value in values):
        lost = [_width(cell, ranges) for cell in cells["cell"].to_list()]
    else:
        every = set(values).union(*under.values())
        covered = [
            under.get(cell) or (every if cell == "*" else members_of(cell))
            for cell in cells["cell"].to_list()
        ]
        lost = [(len(each) - 1) / max(1, len(every) - 1) for each in covered]
    return float(np.average(lost, weights=cells["count"].to_numpy())) if lost else 0.0


def _leaves(pairs: "pl.DataFrame") -> dict[str, set[str]]:
    """Return the values under each name of a published hierarchy that stands for several."""
    above = dict(pairs.select("child", "parent").iter_rows()) if pairs.height else {}
    under: dict[str, set[str]] = {}
    for value in above.keys() - set(above.values()):
        name = value
        while name in above:
            name = above[name]
            under.setdefault(name, set()).add(value)
    return under


def _width(cell: str, ranges: Sequence[Range]) -> float:
    """Return the share of a column's range that a cell takes in."""
    ends = [end for each in ranges for end in (each.low, each.high) if np.isfinite(end)]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    interval = range_of(cell.removesuffix(OR_GAP))
    if interval is None or cell.endswith(OR_GAP):
        return 0.0 if cell == GAP else 1.0
    shown = max(0.0, min(interval.high, high) - max(interval.low, low))
    return float(shown / (high - low)) if high > low else 0.0


def table_measures(
    original: Microdata, release: Release[ProjectedTables], key: LinkageKey | None = None
) -> dict[str, float | int | dict[str, float]]:
    """Compare published tables with the table behind them.

    Discernibility and class sizes are those of the worst table; a row that is left out costs as
    much as all rows. What the sets of a set column lose is told by the owner's key.
    """
    content, rows = release.content, len(original)
    sizes = class_sizes(content)
    left_out = [rows - int(each.sum()) for each in sizes]
    costs = [
        int((each * each).sum()) + gone * rows for each, gone in zip(sizes, left_out, strict=True)
    ]
    close = {name: float(each.max()) for name, each in closeness_of_classes(release).items()}
    measured: dict[str, float | int | dict[str, float]] = {
        "tables": len(content),
        "rows": rows,
        "suppressed_share": max(left_out) / rows,
        "discernibility": max(costs),
        "average_class_size": max(float(each.mean()) for each in sizes),
        "smallest_class": min(int(each.min()) for each in sizes),
    }
    by_column = column_losses(original, content)
    measured["loss_by_column"] = by_column
    if content.set_column is not None:
        measured |= set_losses(original, content, by_column, key)
    if content.kept:
        measured["smallest_class_knowing_kept_columns"] = _smallest_knowing_kept(content)
    if close:
        dependencies = dependence_of(fold(original))
        measured |= {
            "association_loss_ratio": association_loss(dependencies, content),
            "information_exposure_ratio": information_exposure(dependencies, content),
            "closeness": max(close.values()),
            "closeness_by_attribute": close,
        }
    return measured
