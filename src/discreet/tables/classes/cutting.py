"""A table cut into classes: strict or relaxed Mondrian under any promises about classes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.guarantee import Guarantee, LDiversity
from discreet.core.hierarchy import Hierarchy
from discreet.errors import InfeasibleError
from discreet.lazy import pl
from discreet.tables.applying import Recoding, TablesPlan
from discreet.tables.classes.columns import CutColumn, stacked
from discreet.tables.folding import FoldedTable, columns_of_bits
from discreet.tables.generalising.lattice import grouped
from discreet.tables.kernels.cutting import cut_up
from discreet.tables.kernels.even_cuts import Columns
from discreet.tables.kernels.keeping import ClassRules, keeps
from discreet.tables.promises.class_rules import Promises, class_rules
from discreet.tables.promises.diversity import most_diverse


class Cut(NamedTuple):
    """A table cut into classes, by entries that each speak of some people with one row."""

    table: "pl.DataFrame"
    """The distinct rows that are published."""
    counts: NDArray[np.int64]
    """How many people have each."""
    parts: NDArray[np.int64]
    """The part of each row: classes of different parts would be above a highest level."""
    codes: NDArray[np.int64]
    """For each quasi-identifier the code of each row."""
    rows: NDArray[np.int64]
    """The row of each entry."""
    people: NDArray[np.int64]
    """How many people each entry speaks of."""
    classes: NDArray[np.int64]
    """The class of each entry."""


@dataclass(frozen=True, eq=False)
class Cutting:
    """The distinct rows of a table, ready to be cut again and again under other promises."""

    folded: FoldedTable
    """The distinct rows."""
    columns: tuple[CutColumn, ...]
    """The quasi-identifiers."""
    highest: Mapping[str, int]
    """The highest level that a column's values may have."""
    most_left_out: int
    """How many people may be left out."""
    ground: Mapping[str, Hierarchy]
    """The hierarchies of sensitive attributes, as a reader of the release will have them."""
    relaxed: bool
    """Whether equal values may be divided."""

    def recoding(self, names: Sequence[str], promised: Promises) -> Recoding:
        """Cut the table with these sensitive attributes as long as every class keeps all."""
        cut, data = self.cut(names, promised), self.folded.distinct
        published = self.shown(cut, cut.rows, cut.classes)
        if not self.relaxed:
            original = cut.table.select(data.qids)[cut.rows]
            return Recoding.of_rows(original, published, tuple(names))
        # equal values may be divided, so rows are told apart by all that decides
        bits = columns_of_bits(self.folded.bits)
        original = cut.table.select(*data.qids, *data.sensitive).with_columns(
            pl.col(bits).cast(pl.Int64)
        )
        return Recoding(original[cut.rows], published, tuple(names), cut.people)

    def cut(self, names: Sequence[str], promised: Promises, least: int = 0) -> "Cut":
        """Return the classes of the table; ``least`` asks for larger ones than promised."""
        rows, first = self._parts(promised.k)
        table, counts = self.folded.distinct.table[rows], self.folded.counts[rows]
        if promised.diversity is not None:
            _refuse_alike(table, counts, names, promised.diversity)
        rules = class_rules(table, counts, names, promised, self.ground)
        _refuse_broken(rules, counts, first)
        rules = rules._replace(least=max(least, rules.least))
        codes = np.stack([column.codes(table[column.name]) for column in self.columns])
        positions, levels = stacked(self.columns)
        heights = np.array([column.tree.height if column.tree else 0 for column in self.columns])
        words = np.array([column.kind == "sets" for column in self.columns])
        columns = Columns(codes, positions, levels, heights, words)
        return Cut(
            table, counts, first, codes, *cut_up(columns, counts, first, rules, self.relaxed)
        )

    def shown(
        self, cut: "Cut", rows: NDArray[np.int64], classes: NDArray[np.int64]
    ) -> "pl.DataFrame":
        """Return what the quasi-identifiers of these rows become in these classes."""
        return pl.DataFrame(
            {
                column.name: pl.Series(
                    column.published(own[rows], classes), dtype=pl.String
                ).gather(classes)
                for column, own in zip(self.columns, cut.codes, strict=True)
            }
        )

    def plan(
        self, recodings: tuple[Recoding, ...], guarantees: tuple[Guarantee, ...]
    ) -> TablesPlan:
        """Return the plan of the tables cut so."""
        applied = {column.name: column.public() for column in self.columns}
        ground = {name: tree.tables()["hierarchy"] for name, tree in self.ground.items()}
        notes = {"generalised_to": {column.name: column.kind for column in self.columns}}
        return TablesPlan(recodings, self.folded.bits, applied, ground, guarantees, notes)

    def _parts(self, k: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows to cut and the part of each, so that no column is above its level."""
        table, counts = self.folded.distinct.table, self.folded.counts
        if not self.highest:
            return np.arange(table.height), np.zeros(table.height, dtype=np.int64)
        nodes = [
            column.levels[column.codes(table[column.name]), self.highest[column.name]]
            for column in self.columns
            if column.name in self.highest
        ]
        parts, sizes = grouped(nodes, counts)
        left_out = int(sizes[sizes < k].sum())
        if left_out > self.most_left_out or left_out == self.folded.people:
            msg = (
                f"within the highest levels {left_out:,} people are among fewer than {k}, and "
                f"{self.most_left_out:,} may be left out; allow a higher level or raise the "
                "suppression limit"
            )
            raise InfeasibleError(msg)
        rows = np.flatnonzero(sizes[parts] >= k)
        rows = rows[np.argsort(parts[rows], kind="stable")]
        return rows, parts[rows]


def _refuse_broken(rules: ClassRules, counts: NDArray[np.int64], first: NDArray[np.int64]) -> None:
    """Refuse where the parts to start from break a promise already."""
    for part in np.unique(first):
        rows = np.flatnonzero(first == part)
        if not _keeps(rules, rows, counts[rows]):
            whole = (first == first[0]).all()
            scope = "the table as a whole" if whole else "a part that no highest level lets grow"
            msg = f"{scope} does not meet what every class must, so no class can; " + (
                "ask for less" if whole else "allow a higher level or ask for less"
            )
            raise InfeasibleError(msg)


def _keeps(rules: ClassRules, rows: NDArray[np.int64], people: NDArray[np.int64]) -> bool:
    """Whether these rows keep the rules as one class."""
    tally = np.zeros_like(rules.overall)
    for attribute in range(len(rules.values)):
        np.add.at(tally[attribute], rules.values[attribute, rows], people)
    return bool(keeps(tally, int(people.sum()), rules))


def _refuse_alike(
    table: "pl.DataFrame", counts: NDArray[np.int64], names: Sequence[str], asked: LDiversity
) -> None:
    """Refuse where all people together are not diverse enough; nothing else can fail for them."""
    everyone = np.arange(table.height)

    def would_do(claim: LDiversity) -> bool:
        rules = class_rules(table, counts, names, Promises(1, diversity=claim), {})
        return _keeps(rules, everyone, counts)

    if would_do(asked):
        return
    less = most_diverse(asked, would_do)
    cure = f"the nearest diversity that would do is {float(less.least):g}" if less else "none would"
    msg = (
        f"the table as a whole has not the diversity {float(asked.least):g} asked of every class, "
        f"so no class can have it; {cure}"
    )
    raise InfeasibleError(msg, parameter="diversity")
