"""How good published tables are, and how much joins within them may tell."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.core.guarantee import NTCloseness, TCloseness
from discreet.core.guarantees.tables import Distance
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.errors import DataError
from discreet.tables.closeness import coded, spread_of
from discreet.tables.dependence import Dependence, dependence_of
from discreet.tables.folding import fold
from discreet.tables.lattice import grouped

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "association_loss",
    "class_sizes",
    "closeness_of_classes",
    "dependence",
    "improvement",
    "information_exposure",
    "table_measures",
]


def dependence(original: Microdata) -> Dependence:
    """Return entropies and mutual information of the sensitive attributes, in bits."""
    return dependence_of(fold(original))


def association_loss(told: Dependence, content: ProjectedTables) -> float:
    """Return the Association Loss Ratio: the share of mutual information between tables."""
    return told.association_loss(_plan(told, content))


def information_exposure(told: Dependence, content: ProjectedTables) -> float:
    """Return the Information Exposure Ratio: what joins within tables may newly tell."""
    return told.exposure(_plan(told, content))


def _plan(told: Dependence, content: ProjectedTables) -> tuple[tuple[str, ...], ...]:
    plan = content.sensitive
    if sorted(name for part in plan for name in part) != sorted(told.names):
        msg = (
            "the original must have the sensitive attributes of the release, and has others; "
            "read it with the same roles"
        )
        raise DataError(msg)
    return plan


def class_sizes(content: ProjectedTables) -> tuple[NDArray[np.int64], ...]:
    """Return for each table how many rows its classes have."""
    return tuple(_classes(content, table)[1] for table in content.parts)


def _classes(
    content: ProjectedTables, table: "pl.DataFrame"
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return grouped([coded(table[name])[0] for name in content.qids])


def closeness_of_classes(release: Release[ProjectedTables]) -> dict[str, NDArray[np.float64]]:
    """Return for each sensitive attribute how far each class of its table is from the table."""
    import polars as pl

    content, kinds = release.content, _kinds(release)
    found = {}
    for table, attributes in zip(content.parts, content.sensitive, strict=True):
        records, sizes = _classes(content, table)
        every = np.arange(len(sizes), dtype=np.int64)
        for name in attributes:
            kind = kinds.get(name, "equal")
            # equal distance needs no hierarchy, and some of its values may not be in one
            tree = None if kind == "equal" else content.distances.get(name)
            spread = spread_of(records, table[name].cast(pl.String), kind, tree)
            found[name] = spread.distances(every, sizes)
    return found


def _kinds(release: Release[ProjectedTables]) -> dict[str, Distance]:
    claims = [claim for claim in release.guarantees if isinstance(claim, TCloseness | NTCloseness)]
    return dict(claims[0].distance) if claims else {}


def improvement(
    release: Release[ProjectedTables], baseline: Release[ProjectedTables], told: Dependence
) -> dict[str, float]:
    """Compare a plan with a baseline as in section 4.3 of Fang, Ashrafi and Ng 2011, in percent.

    The baseline is one table that holds all sensitive attributes, as naive-t-closeness makes it.
    """
    ours, theirs = (
        max((float(each.max()) for each in closeness_of_classes(one).values()), default=0.0)
        for one in (release, baseline)
    )
    return {
        "improvement_in_closeness": 100 * (1 - ours / theirs) if theirs else 0.0,
        "reduced_join_threat": 100 * (1 - information_exposure(told, release.content)),
        "association_loss": 100 * association_loss(told, release.content),
    }


def table_measures(
    original: Microdata, release: Release[ProjectedTables]
) -> dict[str, float | int | dict[str, float]]:
    """Compare published tables with the table behind them.

    Discernibility and class sizes are those of the worst table; a row that is left out costs as
    much as all rows.
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
    if close:
        told = dependence_of(fold(original))
        measured |= {
            "association_loss_ratio": association_loss(told, content),
            "information_exposure_ratio": information_exposure(told, content),
            "closeness": max(close.values()),
            "closeness_by_attribute": close,
        }
    return measured
