"""Which generalisations a publisher would have liked better, and who is in which class of them."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from discreet.core.guarantee import TCloseness
from discreet.core.hierarchy import Hierarchy
from discreet.core.projected_tables import ProjectedTables
from discreet.errors import DataError
from discreet.lazy import pl
from discreet.tables.generalising.lattice import Lattice, Node, Scores, lattice_of
from discreet.tables.inverting.possible_inputs import Assignment


@dataclass(frozen=True, eq=False)
class Alternatives:
    """The people and rows of each published class, and the better nodes that were not taken."""

    attributes: tuple[str, ...]
    """The sensitive attributes of the table."""
    rows: tuple[tuple[Any, ...], ...]
    """The different rows of sensitive values."""
    values: tuple[tuple[int, ...], ...]
    """For each class the numbers of its rows."""
    first_rows: tuple[int, ...]
    """For each class a row of the published table."""
    people: tuple[tuple[tuple[str, ...], ...], ...]
    """For each class the quasi-identifiers of its people."""
    names: tuple[str, ...]
    """The quasi-identifiers."""
    better: tuple[Node, ...]
    """The highest nodes below the published one that were better and cannot have been close."""
    parts: tuple[tuple[tuple[int, ...], ...], ...]
    """For each better node and class the part of each person: her class at that node."""

    def known(self, index: int, person: int) -> tuple[str, ...]:
        """Say what the register tells of a person."""
        cells = zip(self.names, self.people[index][person], strict=True)
        return tuple(f"{name}={value}" for name, value in cells)

    def judge(self, index: int, closeness: TCloseness) -> Callable[[Assignment], int]:
        """Return the function that says which better nodes are close in a world of this class."""
        bounds = [closeness.most_of(name) for name in self.attributes]
        all_rows = [row for values in self.values for row in values]
        columns = range(len(self.attributes))
        shares = [Counter(self.rows[row][column] for row in all_rows) for column in columns]

        @cache
        def close(rows: tuple[int, ...]) -> bool:
            for column in columns:
                counts = Counter(self.rows[row][column] for row in rows)
                apart = sum(
                    abs(counts[value] * len(all_rows) - count * len(rows))
                    for value, count in shares[column].items()
                )
                if Fraction(apart, 2 * len(rows) * len(all_rows)) > bounds[column]:
                    return False
            return True

        def satisfied(assignment: Assignment) -> int:
            bits = 0
            for number, labels in enumerate(self.parts):
                groups: dict[int, list[int]] = {}
                for label, row in zip(labels[index], assignment, strict=True):
                    groups.setdefault(label, []).append(row)
                if all(close(tuple(sorted(group))) for group in groups.values()):
                    bits |= 1 << number
            return bits

        return satisfied


def alternatives_of(
    content: ProjectedTables, index: int, register: "pl.DataFrame", k: int
) -> Alternatives | str:
    """Find the better nodes of a published table, or say why they cannot be found."""
    table = content.parts[index]
    if missing := [name for name in content.qids if name not in register.columns]:
        msg = f"the register must have every quasi-identifier, and {missing[0]!r} is missing"
        raise DataError(msg)
    trees = {name: _tree(content, table, register, name) for name in content.qids}
    lattice = lattice_of(register, trees)
    scores = lattice.anonymous(k, 0)
    published = _node_of(lattice, scores, content, table)
    if published is None:
        return "not attacked: the register does not fit the published classes"
    better = _better(scores.nodes, published)
    classes, sizes = lattice.classes(published)
    by_class = [np.flatnonzero(classes[lattice.records] == each) for each in range(len(sizes))]
    keys = [_key(lattice, published, int(people[0])) for people in by_class]
    rows, values, first = _rows_by_key(content, index)
    return Alternatives(
        attributes=content.sensitive[index],
        rows=rows,
        values=tuple(values[key] for key in keys),
        first_rows=tuple(first[key] for key in keys),
        people=tuple(
            tuple(register.select(content.qids).row(int(person)) for person in people)
            for people in by_class
        ),
        names=content.qids,
        better=better,
        parts=tuple(_parts(lattice, node, by_class) for node in better),
    )


def _tree(
    content: ProjectedTables, table: "pl.DataFrame", register: "pl.DataFrame", name: str
) -> Hierarchy:
    """Return the published hierarchy, or the one that keeps or suppresses a column."""
    pairs = content.applied[name]
    values = register[name].unique().to_list()
    if pairs.height and set(values) <= set(pairs["child"].to_list()):
        return Hierarchy.of_tables({"hierarchy": pairs})
    shown = set(table[name].unique().to_list())
    root = next(iter(shown)) if len(shown) == 1 and shown.isdisjoint(values) else "*"
    return Hierarchy.of_levels([value, root] for value in sorted(values))


def _key(lattice: Lattice, node: Node, record: int) -> tuple[str, ...]:
    """Return the generalised quasi-identifiers of a person of the register."""
    values = lattice.tuples[lattice.records[record]]
    trees = lattice.hierarchies.values()
    return tuple(
        tree.names[tree.levels[value, level]]
        for tree, value, level in zip(trees, values.tolist(), node, strict=True)
    )


def _node_of(
    lattice: Lattice, scores: Scores, content: ProjectedTables, table: "pl.DataFrame"
) -> Node | None:
    """Return the node whose classes are the published ones."""
    wanted = Counter(table.select(content.qids).iter_rows())
    for node in scores.nodes:
        classes, sizes = lattice.classes(node)
        if len(sizes) != len(wanted):
            continue
        first = [int(np.argmax(classes[lattice.records] == each)) for each in range(len(sizes))]
        keys = [_key(lattice, node, record) for record in first]
        if dict(zip(keys, sizes.tolist(), strict=True)) == wanted:
            return node
    return None


def _better(nodes: Sequence[Node], published: Node) -> tuple[Node, ...]:
    """Return the nodes below the published one, the highest of them.

    Where nothing is suppressed they are better by every score. A node that is close stays close
    above, so the highest decide. Nodes that are not below the published one cut across its classes;
    what they exclude is not counted.
    """
    below = [node for node in nodes if node != published and _under(node, published)]
    return tuple(node for node in below if not any(node != up and _under(node, up) for up in below))


def _under(node: Node, up: Node) -> bool:
    return all(low <= high for low, high in zip(node, up, strict=True))


def _parts(lattice: Lattice, node: Node, by_class: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    finer = lattice.classes(node)[0][lattice.records]
    return tuple(tuple(finer[people].tolist()) for people in by_class)


def _rows_by_key(
    content: ProjectedTables, index: int
) -> tuple[
    tuple[tuple[Any, ...], ...],
    dict[tuple[str, ...], tuple[int, ...]],
    dict[tuple[str, ...], int],
]:
    """Return the different rows of sensitive values, and for each class its rows."""
    numbers: dict[tuple[Any, ...], int] = {}
    values: dict[tuple[str, ...], list[int]] = {}
    first: dict[tuple[str, ...], int] = {}
    count = len(content.qids)
    table = content.parts[index].select(*content.qids, *content.sensitive[index])
    for row, cells in enumerate(table.iter_rows()):
        key, sensitive = cells[:count], cells[count:]
        number = numbers.setdefault(sensitive, len(numbers))
        values.setdefault(key, []).append(number)
        first.setdefault(key, row)
    return tuple(numbers), {key: tuple(rows) for key, rows in values.items()}, first
