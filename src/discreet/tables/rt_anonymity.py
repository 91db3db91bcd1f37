"""(k, k^m)-anonymity: quasi-identifiers and a few items of a set fit at least k rows, or none."""

from dataclasses import dataclass, replace
from math import ceil, inf
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from discreet.core.bitmap import cells_as_sets
from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact, in_range, share
from discreet.core.guarantee import Guarantee
from discreet.core.guarantees.tables import RtAnonymity as Promise
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import Publication
from discreet.core.publisher import refuse_misfits
from discreet.errors import DataError, InfeasibleError
from discreet.lazy import pl
from discreet.rng import Rng
from discreet.tables.applying import Recoding, TablesPlan
from discreet.tables.classes.cutting import Cutting
from discreet.tables.classes.merging import Bounding, merged_classes
from discreet.tables.classes.with_sets import SetClasses, SetRecoding
from discreet.tables.folding import FoldedTable
from discreet.tables.generalising.generalisations import (
    Hierarchies,
    given_hierarchies,
    highest_levels,
)
from discreet.tables.parameters import Controlled
from discreet.tables.promises.class_rules import Promises

MOST_ITEMS = 8
"""Items that somebody may know at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RtAnonymity(Controlled):
    """One table with a set column, in which known items of the set do not help to find a person.

    Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013. The table is cut into
    classes by its quasi-identifiers. In each class, items are merged into blocks, or generalised if
    the set column has a hierarchy, or suppressed, until any m of them match k rows or none. Classes
    are merged where that loses less.
    """

    called: ClassVar = "rt-anonymity"
    takes_sets: ClassVar = True

    m: Annotated[int, Doc("How many items of a person's set someone may know, at most.")]
    bounding: Annotated[
        Bounding,
        Doc(
            "Which class to merge a class with: the one that loses least in the columns, in the "
            "sets, or in both."
        ),
    ] = "rtmerge"
    delta: Annotated[
        Exact | None,
        Doc(
            "How much the sets may lose, from 0 to 1; classes are merged up to that point. By "
            "default as long as columns and sets together lose less."
        ),
    ] = None
    suppression: Annotated[
        Literal["occurrences", "items"],
        Doc(
            "What may be suppressed in sets: single occurrences, or only an item in a whole class."
        ),
    ] = "occurrences"

    def __post_init__(self) -> None:
        Controlled.__post_init__(self)
        in_range(1, MOST_ITEMS, m=self.m)
        if self.delta is not None:
            share("delta", self.delta)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """(k, k^m)-anonymity."""
        return (Promise(k=self.k, m=self.m),)

    def publish(self, data: Microdata, rng: Rng | None = None) -> Publication[ProjectedTables]:
        """Publish the table of ``data`` in an order that says nothing."""
        refuse_misfits(data, Microdata, rng)
        if data.set_column is None:
            msg = "the table must have a column of sets; name it with `set_column`"
            raise DataError(msg, parameter="set_column")
        _refuse_unknown(data, self.hierarchy, numbered=True)
        return Controlled.publish(self, data, rng)

    def decide(self, statistics: FoldedTable, rng: Rng) -> TablesPlan:
        """Return the classes of the table, and what sets become in each."""
        _refuse_unknown(statistics.distinct, self.hierarchy, numbered=False)
        cutting = self.cutting(statistics)
        set_classes, classes = self._classes(cutting)
        data = statistics.distinct
        shown = cutting.shown(set_classes.cut, np.arange(len(classes)), classes)
        shown = shown.with_columns(set_classes.published(classes).alias(data.set_columns[0]))
        original = set_classes.cut.table.select(*data.qids, *data.set_columns)
        recoding = Recoding.of_rows(original, shown, data.sensitive)
        plan, tree = cutting.plan((recoding,), self.guarantees), set_classes.recoding.tree
        return plan if tree is None else replace(plan, names=tree.tables()["hierarchy"])

    def _recoding(self, folded: FoldedTable) -> SetRecoding:
        """Return how the sets of a class are recoded."""
        (name,) = folded.distinct.set_columns
        tree = given_hierarchies(folded, self.hierarchy, self.k).get(name)
        chosen = {each: level for each, level in self.highest.items() if each == name}
        highest = highest_levels({name: tree}, chosen).get(name)
        return SetRecoding(self.k, self.m, self.suppression == "occurrences", tree, highest)

    def _classes(self, cutting: Cutting) -> tuple[SetClasses, NDArray[np.int64]]:
        """Return the classes that lose least, or that keep to the bound with the least loss.

        Merging begins with the best of several cuts, into classes of k, 2 k, 4 k and so on people
        up to a class of all, and with the next finer one; nothing is worse than these cuts.
        """
        weights = self.column_weights
        own = np.array([float(weights.get(column.name, 1)) for column in cutting.columns])
        cut = cutting.cut((), Promises(self.k))
        recoding = self._recoding(cutting.folded)
        set_classes = SetClasses(cutting, cut, own, recoding)
        starts, least = [cut.classes], 2 * self.k
        while starts[-1].max() > cut.parts.max():
            starts.append(cutting.cut((), Promises(self.k), least).classes)
            least *= 2
        losses = [set_classes.losses(classes) for classes in starts]
        bound = inf if self.delta is None else float(exact("delta", self.delta))
        above = [index for index, (_, in_sets) in enumerate(losses) if in_sets > bound]
        best = min(range(len(starts)), key=lambda index: sum(losses[index]))
        for index in _last_two(best if self.delta is None else max(above, default=-1)):
            most = None if self.delta is None else bound
            starts.append(merged_classes(set_classes, starts[index], self.bounding, most))
            losses.append(set_classes.losses(starts[-1]))
        allowed = [index for index, (_, in_sets) in enumerate(losses) if in_sets <= bound]
        if not allowed:
            raise _too_little(bound, min(in_sets for _, in_sets in losses))
        # beside a bound on the sets only the columns count
        weight = 1 if self.delta is None else 0
        total = [in_columns + weight * in_sets for in_columns, in_sets in losses]
        return set_classes, starts[min(allowed, key=total.__getitem__)]


def _refuse_unknown(data: Microdata, hierarchy: Hierarchies, *, numbered: bool) -> None:
    """Refuse items that are no values of their hierarchy; folded rows have no numbers to tell."""
    for tree in (tree for name, tree in hierarchy if name == data.set_column):
        sets = cells_as_sets(data.table[data.set_columns[0]], data.separator)
        known = sets.list.eval(pl.element().is_in(list(tree.values))).list.all()
        if not known.all():
            where = f"one in row {int((~known).arg_true()[0]) + 1}" if numbered else "one"
            msg = (
                f"every item of {data.set_column!r} must be a value of its hierarchy, and {where} "
                "is not; add it to the hierarchy"
            )
            raise DataError(msg, parameter="hierarchy")


def _last_two(index: int) -> list[int]:
    """Return a cut and the next finer one: from there merging may find a better way."""
    return [each for each in (index, index - 1) if each >= 0]


def _too_little(bound: float, least: float) -> InfeasibleError:
    msg = (
        f"the sets lose at least {least:.4f} even in the largest classes, and `delta` is "
        f"{bound:g}; the nearest that would do is {ceil(least * 10_000) / 10_000:g}"
    )
    return InfeasibleError(msg, parameter="delta")
