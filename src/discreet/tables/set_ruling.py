"""Rules for a table with a set column: the classes of an earlier release, and their blocks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.bitmap import cells_as_sets
from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import sets_of_column
from discreet.core.projected_tables import ProjectedTables
from discreet.core.rules import TableRule, TableRules
from discreet.kernels.ragged import offsets_of
from discreet.lazy import pl
from discreet.tables.applying import Recoding
from discreet.tables.classes.with_sets import SetRecoding
from discreet.tables.folding import FoldedTable
from discreet.tables.kernels.class_sets import blocks_of_class
from discreet.tables.promises.closeness import coded

Whole = NDArray[np.int64]


def unsaid(method: Any) -> str | None:
    """Return what a method does to sets that no rule can say."""
    if method.suppression == "items" or method.m == 1:
        return None
    return (
        "single occurrences are left out of some rows and not of others, which no rule can say; "
        "choose `suppression` items"
    )


def blocks_by_class(
    content: ProjectedTables, classes: tuple[tuple[str, ...], ...]
) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return the blocks that a release shows in each of its classes."""
    blocks: dict[tuple[str, ...], set[tuple[str, ...]]] = {cells: set() for cells in classes}
    table = content.parts[0]
    for cells, sets in zip(
        table.select(content.qids).rows(), table[str(content.set_column)].to_list(), strict=True
    ):
        blocks[cells].update(map(tuple, sets))
    return tuple(tuple(sorted(blocks[cells])) for cells in classes)


def settled(rows: Whole, classes: Whole, people: Whole, least: int) -> Whole:
    """Return the class of each combination, -1 for none: the narrowest it fits that has enough.

    Pair by pair a combination fits a class. Classes overlap where they were merged; one with too
    few people is given up, the smallest first, and its people go to the next that they fit.

    >>> pairs = np.array([[0, 0], [0, 1], [1, 1], [2, 1]])
    >>> settled(*pairs.T, np.array([1, 2, 2]), 2).tolist()
    [1, 1, 1]
    """
    width = np.bincount(classes, minlength=1)
    order = np.lexsort((classes, width[classes], rows))
    narrowest_first = classes[order]
    at = np.searchsorted(rows[order], np.arange(len(people)))
    end = np.append(at[1:], len(order))
    class_of = np.where(at < end, np.append(narrowest_first, -1)[at], -1)
    sizes = np.bincount(class_of[class_of >= 0], people[class_of >= 0], minlength=len(width))
    closed = np.zeros(len(width), dtype=np.bool_)
    while (few := np.flatnonzero((sizes > 0) & (sizes < least))).size:
        small = int(few[np.argmin(sizes[few])])
        closed[small], sizes[small] = True, 0
        for row in np.flatnonzero(class_of == small).tolist():
            while at[row] < end[row] and closed[narrowest_first[at[row]]]:
                at[row] += 1
            class_of[row] = narrowest_first[at[row]] if at[row] < end[row] else -1
            if class_of[row] >= 0:
                sizes[class_of[row]] += people[row]
    return np.asarray(class_of, dtype=np.int64)


def recoded_sets(
    method: Any, rules: TableRules, folded: FoldedTable, class_of_row: Whole
) -> tuple[Recoding, int]:
    """Return what rows become in their classes, and how many occurrences of blocks are left out.

    An item becomes its block of the class; one that no block holds is left out, and so is a block
    of which the class now has too few.
    """
    (rule,), name = rules.tables, str(rules.set_column)
    shown = class_of_row >= 0
    table, own = folded.distinct.table.filter(shown), class_of_row[shown]
    people = folded.counts[shown]
    texts = table[name].unique().sort()
    sets = sets_of_column(cells_as_sets(texts, folded.distinct.separator))
    blocks = sorted({block for each in rule.blocks for block in each})
    pairs, pair = np.unique(
        own * len(texts) + coded(table[name], texts.to_list())[0], return_inverse=True
    )
    of_items = _BlocksOfItems(rules, rule, {block: at for at, block in enumerate(blocks)})
    recoded = [
        of_items.of(int(each // len(texts)), list(sets[int(each % len(texts))]))
        for each in pairs.tolist()
    ]
    retained, lost = _without_rare(
        method, recoded, pairs // max(1, len(texts)), np.bincount(pair, people), blocks
    )
    cells = pl.Series(
        name, [[list(blocks[block]) for block in each] for each in retained],
        dtype=pl.List(pl.List(pl.String)),
    )  # fmt: skip
    classes = pl.DataFrame(list(rule.classes), schema=list(rules.qids), orient="row")
    published = classes[own].with_columns(cells.gather(pair))
    original = table.select(*rules.qids, name)
    return Recoding.of_rows(original, published, folded.distinct.sensitive), lost


class _BlocksOfItems:
    """Which blocks stand for items in each class."""

    def __init__(
        self, rules: TableRules, rule: TableRule, number: dict[tuple[str, ...], int]
    ) -> None:
        pairs = rules.hierarchies.get(str(rules.set_column), ())
        self.tree = Hierarchy.of_pairs(pairs) if pairs else None
        self.block_of = [
            {item: number[block] for block in reversed(each) for item in block}
            for each in rule.blocks
        ]

    def of(self, class_index: int, items: list[str]) -> list[int]:
        """Return the blocks of some items in a class, ascending."""
        known, numbers = self.block_of[class_index], set()
        for item in items:
            above = self.tree.ancestors(item) if self.tree and item in self.tree.numbers else ()
            numbers.update([known[name] for name in (item, *above) if name in known][:1])
        return sorted(numbers)


def _without_rare(
    method: Any, recoded: list[list[int]], classes: Whole, people: Whole, blocks: list[Any]
) -> tuple[list[list[int]], int]:
    """Return the blocks of each set without those that are rare in its class, and the loss."""
    offsets = offsets_of([len(each) for each in recoded])
    items = np.array([block for each in recoded for block in each], dtype=np.int32)
    number = np.full(max(1, len(blocks)), -1, dtype=np.int64)
    plain = (np.zeros(0, dtype=np.int64), np.zeros((3, 0), dtype=np.int64))
    recoding = SetRecoding(method.k, method.m, single=False, merging=False)
    retained, lost = list(recoded), 0
    for group in np.unique(classes).tolist():
        inside = np.flatnonzero(classes == group)
        members = np.repeat(inside, people[inside].astype(np.int64))
        present, label, _, _, left_out = blocks_of_class(
            members,
            offsets,
            items,
            number,
            *plain,
            recoding.k,
            recoding.m,
            recoding.merging,
            recoding.single,
        )
        lost += round(left_out)
        good = set(present[label >= 0].tolist())
        for each in inside.tolist():
            retained[each] = [block for block in recoded[each] if block in good]
    return retained, lost
