"""How good published tables are, and how much joins within them may tell."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.core.bitmap import cells_as_sets
from discreet.core.guarantee import NTCloseness, TCloseness
from discreet.core.guarantees.distributions import Distance
from discreet.core.microdata import GAP, Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey
from discreet.core.ranges import OR_GAP, Range, is_root, members_of, range_of, ranges_of
from discreet.core.release import Release
from discreet.errors import DataError
from discreet.kernels.ragged import runs
from discreet.lazy import pl
from discreet.tables.folding import fold
from discreet.tables.projection.dependence import Dependence, dependence_of
from discreet.tables.promises.closeness import classes_of, sensitive_values


def dependence(original: Microdata) -> Dependence:
    """Return entropies and mutual information of the sensitive attributes, in bits.

    Parameters
    ----------
    original
        The original data.

    Returns
    -------
    Dependence
        Entropies of attributes and the information that pairs share.
    """
    return dependence_of(fold(original))


def association_loss(dependencies: Dependence, content: ProjectedTables) -> float:
    """Return the Association Loss Ratio: the share of mutual information between tables.

    Parameters
    ----------
    dependencies
        What the sensitive attributes tell of each other.
    content
        The published tables.

    Returns
    -------
    float
        0 where all that depends on each other stands together, 1 at most.
    """
    return dependencies.association_loss(_plan(dependencies, content))


def information_exposure(dependencies: Dependence, content: ProjectedTables) -> float:
    """Return the Information Exposure Ratio: what joins within tables may newly tell.

    Parameters
    ----------
    dependencies
        What the sensitive attributes tell of each other.
    content
        The published tables.

    Returns
    -------
    float
        0 where no table tells of another.
    """
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
    """Return for each sensitive attribute how far each class of its table is from the table.

    Parameters
    ----------
    release
        The release.

    Returns
    -------
    dict of str to array
        For each attribute a distance for each class, from 0 to 1.
    """
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

    Parameters
    ----------
    release
        The release by the plan.
    baseline
        The release it is compared with.
    dependencies
        What the sensitive attributes tell of each other.

    Returns
    -------
    dict of str to float
        Percentages by name.
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

    Parameters
    ----------
    original
        The original data.
    content
        The published tables.

    Returns
    -------
    dict of str to float
        0 where the cells are as they were, 1 where they are all alike.
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
    ranges = ranges_of(value for value in values if value != GAP)
    # sorted, so that it adds up alike each time; a column may itself be called count
    cells = table[name].alias("cell").value_counts().sort("cell")
    under = _leaves(content.applied[name])
    if not under and ranges is not None:
        as_it_was = set(values)
        widths = {cell: _width(cell, list(ranges.values())) for cell in cells["cell"].to_list()}
        lost = [0.0 if cell in as_it_was else width for cell, width in widths.items()]
    else:
        every = set(values).union(*under.values())
        covered = [
            under.get(cell) or (every if is_root(cell, values) else members_of(cell))
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
    data: Microdata, release: Release[ProjectedTables], key: LinkageKey | None = None
) -> dict[str, float | int | dict[str, float]]:
    """Compare published tables with the table behind them.

    Discernibility and class sizes are those of the worst table; a row that is left out costs as
    much as all rows. What the sets of a set column lose is told by the owner's key.
    """
    content, rows = release.content, len(data)
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
    by_column = column_losses(data, content)
    measured["loss_by_column"] = by_column
    if content.set_column is not None:
        measured |= set_losses(data, content, by_column, key)
    if content.kept:
        measured["smallest_class_knowing_kept_columns"] = _smallest_knowing_kept(content)
    if close:
        dependencies = dependence_of(fold(data))
        measured |= {
            "association_loss_ratio": association_loss(dependencies, content),
            "information_exposure_ratio": information_exposure(dependencies, content),
            "closeness": max(close.values()),
            "closeness_by_attribute": close,
        }
    return measured


def set_losses(
    original: Microdata,
    content: ProjectedTables,
    by_column: Mapping[str, float],
    key: LinkageKey | None,
) -> dict[str, float]:
    """Return what quasi-identifiers and sets lose on average, from 0 to 1.

    An occurrence in a block of n items loses 1 - 1/n, the chance that who names a member at random
    is wrong; one that is left out loses all. Which row is whose only the key says: without it there
    is no ``transaction_loss``. The error of an item's count is by blocks read evenly.
    """
    name = content.set_column
    if name is None or original.set_column != name:
        msg = (
            "the original must have the set column of the release, and has none or another; read "
            "it with the same roles"
        )
        raise DataError(msg, parameter="set_column")
    occurrences = _items(cells_as_sets(original.table[name], original.separator))
    shown = _blocks(content)
    every = max(1, occurrences.height)
    figures = {
        "relational_loss": float(np.mean(list(by_column.values()))) if by_column else 0.0,
        "occurrences_by_name": shown.filter(shown["share"] == 1.0).height / every,
        "item_count_error": _count_error(occurrences, shown) / every,
    }
    if key is None:
        return figures
    records = key.records(content.parts[0].height, len(original), "rows_1")
    own = shown.with_columns(row=records[shown["row"].to_numpy()])
    matched = occurrences.join(own, on=["row", "item"], how="inner")
    return figures | {"transaction_loss": max(0.0, 1.0 - float(matched["share"].sum()) / every)}


def _items(cells: "pl.Series") -> "pl.DataFrame":
    """Return row and item of every occurrence."""
    rows = np.repeat(np.arange(len(cells)), cells.list.len().to_numpy())
    return pl.DataFrame({"row": rows, "item": cells.explode(empty_as_null=False)})


def _blocks(content: ProjectedTables) -> "pl.DataFrame":
    """Return row, item and share of every member of every block; the shares of a block are 1."""
    rows, numbers, blocks = content.blocks
    members = [content.items_of(block) for block in blocks]
    items = pl.Series([item for each in members for item in each], dtype=pl.String)
    lengths = np.array([len(each) for each in members], dtype=np.int64)
    sizes = lengths[numbers]
    return pl.DataFrame(
        {
            "row": np.repeat(rows, sizes),
            "item": items.gather(runs((np.cumsum(lengths) - lengths)[numbers], sizes)),
            "share": np.repeat(1.0 / np.maximum(1, sizes), sizes),
        }
    )


def _count_error(occurrences: "pl.DataFrame", shown: "pl.DataFrame") -> float:
    """Return how far the counts of items are off, in all."""
    true = occurrences.group_by("item").agg(pl.len().cast(pl.Float64).alias("true"))
    read = shown.group_by("item").agg(pl.col("share").sum())
    both = true.join(read, on="item", how="full", coalesce=True).fill_null(0.0)
    return float((both["true"] - both["share"]).abs().sum())
