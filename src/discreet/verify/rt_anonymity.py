"""Quasi-identifiers and any m items fit at least k rows or none: the definition read aloud."""

import numpy as np
from numpy.typing import NDArray

from discreet.core.findings import counted
from discreet.core.guarantees.tables import KAnonymity, RtAnonymity
from discreet.core.itemsets import Itemsets
from discreet.core.projected_tables import ProjectedTables
from discreet.core.verdict import Verdict
from discreet.errors import DataError
from discreet.lazy import pl
from discreet.verify.classes import named
from discreet.verify.k_anonymity import k_anonymity
from discreet.verify.km_anonymity import rare_set


def rt_anonymity(content: ProjectedTables, claim: RtAnonymity) -> Verdict:
    """Count the rows of every class, and in it those that any up to m items fit.

    A known item fits a row with a block that holds it or a name above it. Items that are in the
    same blocks of a class fit the same rows, so one of them is enough. Rows of different classes
    are counted apart, though who knows a person's quasi-identifiers may have to look at several
    classes: none or at least k rows of each are none or at least k of all.
    """
    if content.set_column is None:
        msg = "this guarantee is about a table with a set column, and the release has none"
        raise DataError(msg)
    alike = k_anonymity(content, KAnonymity(k=claim.k))
    if not alike.holds:
        return Verdict(guarantee=claim, holds=False, checked=alike.checked, witness=alike.witness)
    table = next(frame for frame in content.parts if content.set_column in frame.columns)
    classes, keys = _classes(content, table)
    sets, class_of_item = _fitting(content, table[content.set_column], classes)
    result = rare_set(sets, claim.k, claim.m)
    if result.rows:
        items = ", ".join(sets.vocabulary[number] for number in result.items)
        where = named(content, keys[class_of_item[result.items[0]]])
        witness = f"{where}: {items} fits {result.rows} rows, not {claim.k}"
        return Verdict(guarantee=claim, holds=False, checked=_checked(claim), witness=witness)
    if result.stopped is not None:
        checked = (
            f"items of the first {class_of_item[result.stopped]:,} classes; the others are many"
        )
        return Verdict(guarantee=claim, holds=None, checked=checked)
    return Verdict(guarantee=claim, holds=True, checked=_checked(claim))


def _checked(claim: RtAnonymity) -> str:
    items = counted(claim.m, "known item")
    return (
        "how many rows share each combination of quasi-identifiers, and how many of them every set "
        f"of up to {items} fits"
    )


def _classes(
    content: ProjectedTables, table: "pl.DataFrame"
) -> tuple[NDArray[np.int64], list[tuple[str, ...]]]:
    """Return the class of each row, and the quasi-identifiers of each class."""
    number: dict[tuple[str, ...], int] = {}
    # a choice of no columns has no rows
    rows = table.select(content.qids).rows() if content.qids else [()] * table.height
    return np.array([number.setdefault(row, len(number)) for row in rows]), list(number)


def _items(
    content: ProjectedTables, block: tuple[str, ...], known: dict[tuple[str, ...], frozenset[str]]
) -> frozenset[str]:
    """Return the items that fit a block; a name stands for all items below it."""
    if block not in known:
        known[block] = frozenset(content.items_of(block))
    return known[block]


def _fitting(
    content: ProjectedTables, cells: "pl.Series", classes: NDArray[np.int64]
) -> tuple[Itemsets, list[int]]:
    """Return for each row the items that fit it, one of those in the same blocks of its class.

    Items of different classes are different ones; behind the sets comes the class of each item.
    """
    known: dict[tuple[str, ...], frozenset[str]] = {}
    rows = [[_items(content, tuple(block), known) for block in cell] for cell in cells.to_list()]
    blocks: list[set[frozenset[str]]] = [set() for _ in range(int(classes.max(initial=-1)) + 1)]
    for index, row in zip(classes.tolist(), rows, strict=True):
        blocks[index].update(row)
    names: list[str] = []
    class_of_item: list[int] = []
    fits: list[dict[frozenset[str], set[int]]] = []
    for index, class_blocks in enumerate(blocks):
        inside: dict[str, set[frozenset[str]]] = {}
        for block in class_blocks:
            for item in block:
                inside.setdefault(item, set()).add(block)
        alike: dict[frozenset[frozenset[str]], str] = {}
        for item in sorted(inside):
            alike.setdefault(frozenset(inside[item]), item)
        fits.append({block: set() for block in class_blocks})
        for within, item in alike.items():
            for block in within:
                fits[-1][block].add(len(names))
            names.append(item)
            class_of_item.append(index)
    numbers = [
        sorted({number for block in row for number in fits[index][block]})
        for index, row in zip(classes.tolist(), rows, strict=True)
    ]
    offsets = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(record) for record in numbers], out=offsets[1:])
    items = np.array([number for record in numbers for number in record], dtype=np.int32)
    return Itemsets(offsets, items, tuple(names)), class_of_item
