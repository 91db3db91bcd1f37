"""Rules for tables: what a release shows of its recoding, and the same done to other people."""

from collections.abc import Iterator
from dataclasses import replace
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import share
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.ranges import covers
from discreet.core.release import Release
from discreet.core.rules import Pairs, TableRule, TableRules
from discreet.errors import DataError, InfeasibleError
from discreet.lazy import pl
from discreet.rng import Rng
from discreet.tables.applying import Recoding, TablesPlan
from discreet.tables.folding import FoldedTable, fold
from discreet.tables.set_ruling import blocks_by_class, recoded_sets, settled

BATCH = 4_000_000
"""Pairs of a combination and a class that are compared at once."""


def rules_of_tables(release: Release[ProjectedTables]) -> TableRules:
    """Return the levels of columns, or the classes, that a release of tables shows."""
    content, notes = release.content, release.manifest.notes
    levels = notes.get("levels")
    each = levels if isinstance(levels, list) else [levels] * len(content.parts)
    tables = tuple(
        TableRule(
            attributes=names,
            levels=own,
            classes=() if own is not None else _classes(table, content.qids),
        )
        for table, names, own in zip(content.parts, content.sensitive, each, strict=True)
    )
    hierarchies = {name: _pairs(table) for name, table in content.applied.items()}
    if content.set_column is not None:
        tables = (replace(tables[0], blocks=blocks_by_class(content, tables[0].classes)),)
        if content.names is not None:
            hierarchies[content.set_column] = _pairs(content.names)
    return TableRules(
        method=release.manifest.method,
        qids=content.qids,
        tables=tables,
        hierarchies=hierarchies,
        heights=dict(notes.get("heights", {})),
        ground={name: _pairs(table) for name, table in content.ground.items()},
        set_column=content.set_column,
    )


def _pairs(table: "pl.DataFrame") -> Pairs:
    return tuple((str(child), str(parent)) for child, parent in table.iter_rows())


def _classes(table: "pl.DataFrame", qids: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted(set(table.select(qids).rows())))


def plan_of_table_rules(method: Any, rules: TableRules, data: Microdata, _rng: Rng) -> TablesPlan:
    """Return the plan that does to ``data`` what the rules say."""
    if data.qids != rules.qids:
        msg = (
            f"the rules are about the quasi-identifiers {', '.join(rules.qids)}, in this order, "
            f"and these are {', '.join(data.qids)}"
        )
        raise DataError(msg)
    if data.set_column != rules.set_column:
        msg = f"the rules are about the set column {rules.set_column!r}; choose the same"
        raise DataError(msg, parameter="set_column")
    folded = fold(data)
    named = {name for table in rules.tables for name in table.attributes}
    if named != set(folded.distinct.sensitive):
        msg = "the rules are about other sensitive attributes, or values of them; choose the same"
        raise DataError(msg)
    trees = {name: Hierarchy.of_pairs(pairs) for name, pairs in rules.hierarchies.items() if pairs}
    if rules.set_column is None:
        recodings = tuple(_recoding(method, rules, table, folded, trees) for table in rules.tables)
        report, names = {}, None
    else:
        recoding, lost = _with_sets(method, rules, folded, trees)
        recodings, report = (recoding,), {"occurrences of blocks left out beyond the rules": lost}
        above = rules.hierarchies.get(rules.set_column)
        names = None if above is None else _frame(above)
    return TablesPlan(
        recodings,
        folded.bits,
        {name: _frame(rules.hierarchies.get(name, ())) for name in rules.qids},
        {name: _frame(pairs) for name, pairs in rules.ground.items()},
        method.guarantees,
        _notes(rules),
        report,
        names,
    )


def _notes(rules: TableRules) -> dict[str, Any]:
    levels = [dict(table.levels) for table in rules.tables if table.levels is not None]
    shown = levels[0] if len(levels) == 1 else levels
    notes = {"levels": shown, "heights": dict(rules.heights)} if levels else {}
    return notes | {"rules": f"taken from an earlier release by {rules.method}"}


def _frame(pairs: Pairs) -> "pl.DataFrame":
    schema = {"child": pl.String, "parent": pl.String}
    return pl.DataFrame(list(pairs), schema=schema, orient="row")


def _recoding(
    method: Any,
    rules: TableRules,
    rule: TableRule,
    folded: FoldedTable,
    trees: dict[str, Hierarchy],
) -> Recoding:
    """Return what the combinations of quasi-identifiers become; those of too few are left out."""
    qids = list(rules.qids)
    counted = folded.distinct.table.select(qids).with_columns(pl.Series("\0people", folded.counts))
    combined = counted.group_by(qids).agg(pl.col("\0people").sum()).sort(qids)
    original, people = combined.select(qids), combined["\0people"].to_numpy()
    if rule.levels is None:
        published, fits = _in_classes(original, rule, trees)
    else:
        published, fits = _on_levels(original, rules, rule, trees)
    sizes = published.with_columns(pl.Series("\0people", np.where(fits, people, 0))).select(
        pl.col("\0people").sum().over(qids)
    )
    shown = fits & (sizes.to_series().to_numpy() >= method.k)
    _refuse_many(method, int(people[~shown].sum()), folded.people)
    return Recoding(original.filter(shown), published.filter(shown), rule.attributes)


def _with_sets(
    method: Any, rules: TableRules, folded: FoldedTable, trees: dict[str, Hierarchy]
) -> tuple[Recoding, int]:
    """Return what rows with sets become in the classes that their people fit and fill."""
    qids, (rule,) = list(rules.qids), rules.tables
    table = folded.distinct.table.select(qids)
    original = table.unique().sort(qids)
    numbers = original.with_columns(pl.int_range(pl.len()).alias("\0combination"))
    row = table.join(numbers, on=qids, maintain_order="left")["\0combination"].to_numpy()
    people = np.bincount(row, folded.counts, minlength=original.height).astype(np.int64)
    classes = pl.DataFrame(list(rule.classes), schema=qids, orient="row")
    fitting = [np.stack(np.nonzero(inside)) for inside in _inside(original, classes, trees)]
    rows, fitting_classes = np.concatenate(fitting, axis=1)
    class_of = settled(rows, fitting_classes, people, method.k)
    _refuse_many(method, int(people[class_of < 0].sum()), folded.people)
    return recoded_sets(method, rules, folded, class_of[row])


def _refuse_many(method: Any, left_out: int, people: int) -> None:
    most = floor(share("suppression_limit", method.suppression_limit) * people)
    if left_out > most:
        msg = (
            f"by the rules {left_out:,} of {people:,} people are in no class or in one of fewer "
            f"than {method.k}, and `suppression_limit` allows {most:,}; decide anew, without rules"
        )
        raise InfeasibleError(msg, parameter="suppression_limit")


def _on_levels(
    original: "pl.DataFrame", rules: TableRules, rule: TableRule, trees: dict[str, Hierarchy]
) -> "tuple[pl.DataFrame, NDArray[np.bool_]]":
    """Return each column on its level; a value that is not in the hierarchy fits its root alone."""
    fits = np.ones(original.height, dtype=np.bool_)
    columns = []
    for name, level in (rule.levels or {}).items():
        tree, top = trees.get(name), level == rules.heights[name]
        shown: dict[str, str | None] = {}
        for value in original[name].unique().to_list():
            known = tree is not None and value in tree.numbers
            root = tree.root if tree is not None else "*"
            lifted = tree.level(value, level) if tree is not None and known else None
            shown[value] = value if level == 0 else lifted or (root if top else None)
        column = original[name].replace_strict(shown, return_dtype=pl.String)
        fits &= column.is_not_null().to_numpy()
        columns.append(column.fill_null(""))
    return pl.DataFrame(columns).select(original.columns), fits


def _in_classes(
    original: "pl.DataFrame", rule: TableRule, trees: dict[str, Hierarchy]
) -> "tuple[pl.DataFrame, NDArray[np.bool_]]":
    """Return for each combination the first class whose cells take in all its values."""
    classes = pl.DataFrame(list(rule.classes), schema=original.columns, orient="row")
    first = np.concatenate(
        [
            np.where(inside.any(axis=1), inside.argmax(axis=1), -1)
            for inside in _inside(original, classes, trees)
        ]
    )
    return classes[np.maximum(first, 0)], first >= 0


def _inside(
    original: "pl.DataFrame", classes: "pl.DataFrame", trees: dict[str, Hierarchy]
) -> Iterator[NDArray[np.bool_]]:
    """Yield for some combinations after the other which classes take in all their values."""
    tables = [
        _taken_in(original[name], classes[name], trees.get(name)) for name in original.columns
    ]
    step = max(1, BATCH // max(1, classes.height))
    for first in range(0, max(1, original.height), step):
        here = slice(first, min(first + step, original.height))
        inside = np.ones((here.stop - first, classes.height), dtype=np.bool_)
        for covered, value, cell in tables:
            inside &= covered[value[here]][:, cell]
        yield inside


def _taken_in(
    column: "pl.Series", cells: "pl.Series", tree: Hierarchy | None
) -> tuple[NDArray[np.bool_], NDArray[np.int64], NDArray[np.int64]]:
    """Return which distinct value each distinct cell takes in, and the numbers of both."""
    values, names = column.unique().sort().to_list(), cells.unique().sort().to_list()
    above = [
        {value, *(tree.ancestors(value) if tree is not None and value in tree.numbers else ())}
        for value in values
    ]
    covered = np.array(
        [
            [cell in up or (tree is None and covers(cell, value)) for cell in names]
            for value, up in zip(values, above, strict=True)
        ],
        dtype=np.bool_,
    ).reshape(len(values), len(names))
    numbers = [
        each.replace_strict(known, np.arange(len(known)), return_dtype=pl.Int64).to_numpy()
        for each, known in ((column, values), (cells, names))
    ]
    return covered, numbers[0], numbers[1]
