"""Which other plans of a table would keep the promise, and at what loss: for the owner's eyes."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from discreet.core.exact import exact
from discreet.core.guarantee import Guarantee, KAnonymity, LDiversity, NTCloseness, TCloseness
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.lazy import pl
from discreet.tables.generalising.lattice import Lattice, Node, lattice_of
from discreet.verify import verify


@dataclass(frozen=True, eq=False)
class PlanJudge:
    """Tells of any plan whether its table would keep what is promised of classes."""

    lattice: Lattice
    """All plans of the quasi-identifiers."""
    people: Microdata
    """The original, multi-valued attributes as columns of their values."""
    content: ProjectedTables
    """What was published."""
    claims: tuple[Guarantee, ...]
    """What is promised of classes."""
    release: Release[Any]
    """The release that promises it."""

    @property
    def k(self) -> int:
        """The smallest class that may be published."""
        return max((each.k for each in self.claims if isinstance(each, KAnonymity)), default=1)

    @cached_property
    def most_left_out(self) -> Fraction:
        """How many rows the owner allowed to be left out."""
        limit = self.release.manifest.parameters.get("suppression_limit", 0)
        return exact("suppression_limit", str(limit)) * len(self.people)

    def judged(self, node: Node, secrets: tuple[str, ...]) -> tuple[bool | None, float, int]:
        """Return whether the plan would do, its loss, and how many rows it leaves out."""
        classes, sizes = self.lattice.classes(node)
        count = len(self.people)
        big = sizes[sizes >= self.k]
        gone = count - int(big.sum())
        loss = (int((big * big).sum()) + gone * count) / count**2
        if not len(big) or gone > self.most_left_out:
            return False, loss, gone
        rows = np.flatnonzero((sizes >= self.k)[classes][self.lattice.records])
        content = ProjectedTables(
            (self._table(node, secrets, rows),), self._applied, self.content.ground
        )
        holds = verify(Release(content, self.claims, self.release.manifest)).by_parts
        return holds, loss, gone

    @cached_property
    def _applied(self) -> "dict[str, pl.DataFrame]":
        return {name: tree.tables()["hierarchy"] for name, tree in self.lattice.hierarchies.items()}

    def _table(self, node: Node, secrets: tuple[str, ...], rows: Any) -> "pl.DataFrame":
        columns = []
        levels = zip(self.lattice.hierarchies.items(), self.lattice.columns, node, strict=True)
        for (name, tree), column, level in levels:
            numbers = tree.levels[column[self.lattice.records[rows]], level]
            columns.append(pl.Series(tree.names, dtype=pl.String).gather(numbers).alias(name))
        return pl.DataFrame([*columns, *(self.people.table[name].gather(rows) for name in secrets)])


def judge_of(release: Release[Any], original: Any) -> PlanJudge | None:
    """Return who judges plans; None where nothing lies beside the release that could tell."""
    content = release.content
    claims = tuple(
        each
        for each in release.guarantees
        if isinstance(each, KAnonymity | LDiversity | TCloseness | NTCloseness)
    )
    whole_columns = "levels" in release.manifest.notes
    if not isinstance(original, Microdata) or not claims or not len(original) or not whole_columns:
        return None
    people = original.bitmap
    secret = {name for names in content.sensitive for name in names}
    if set(people.qids) != set(content.qids) or not secret <= set(people.sensitive):
        return None
    trees = {name: _tree(content, name, people) for name in content.qids}
    known = {name: tree for name, tree in trees.items() if tree is not None}
    if len(known) < len(trees):
        return None
    return PlanJudge(lattice_of(people.table, known), people, content, claims, release)


def _tree(content: ProjectedTables, name: str, people: Microdata) -> Hierarchy | None:
    """Return the hierarchy of a column with every value of the data; None if it has another."""
    pairs, values = content.applied[name], people.table[name].unique().sort().to_list()
    tree = Hierarchy.of_tables({"hierarchy": pairs}) if pairs.height else None
    if tree is not None and set(values) <= set(tree.values):
        return tree
    if tree is not None and tree.height > 1:
        return None
    # without a public hierarchy a column is kept or suppressed as a whole
    root = tree.root if tree else str(content.parts[0][name].to_list()[0])
    return Hierarchy.flat(values, root)
