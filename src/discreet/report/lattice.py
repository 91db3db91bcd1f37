"""The lattice of plans: the other ways to generalise a table, around the way that was chosen."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Final

import numpy as np

from discreet.core.hierarchy import Hierarchy
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.lazy import pl
from discreet.report.draw import Node as Mark
from discreet.report.draw import Shape, lattice
from discreet.report.draw.svg import WIDTH
from discreet.report.figure import Figure
from discreet.report.wording import number
from discreet.study import Evidence, Examination
from discreet.study.table_plans import PlanJudge, judge_of
from discreet.tables.generalising.lattice import Node

MOST: Final = 60
"""Plans that one drawing holds; of a larger lattice it shows what is around the chosen plan."""
TABLES: Final = 3
"""Tables of a release whose lattices are drawn."""
STATES: Final = {True: "keeps the promise", False: "breaks it", None: "not judged"}
CHOSEN: Final = "chosen"
SHAPES: Final[dict[str, Shape]] = {
    CHOSEN: "diamond", STATES[True]: "disc", STATES[False]: "cross", STATES[None]: "ring",
}  # fmt: skip


def lattice_of_plans(examination: Examination, evidence: Evidence) -> Figure | None:
    """Draw the plans around the chosen one; with the original, which would keep the promise."""
    return plans_around(examination.release, evidence.original)


def plans_around(release: Release[Any], original: Any) -> Figure | None:
    """Draw the plans around that of a release; None where there are none, or too many at a step."""
    if not isinstance(release.content, ProjectedTables) or "levels" not in release.manifest.notes:
        # cells that are generalised class by class stand on no level
        return None
    judge = judge_of(release, original)
    tables = [_TablePlans.of(release.content, index) for index in range(len(release.content))]
    drawn = [plans for plans in tables[:TABLES] if plans is not None and plans.nodes]
    if not drawn:
        return None
    table = pl.DataFrame([row for plans in drawn for row in plans.rows(judge)])
    return Figure(
        name="lattice",
        title="Lattice of plans",
        words=_explanation(release.content, drawn, judged=judge is not None),
        table=table.drop("x"),
        svgs=tuple(plans.picture(table.to_dicts()) for plans in drawn),
    )


def _explanation(content: ProjectedTables, drawn: "list[_TablePlans]", *, judged: bool) -> str:
    names = ", ".join(content.qids)
    sentences = [
        f"Each mark is one way to generalise a table: the levels of {names}, in this order, 0 "
        "for a value as it is; a line leads to the plan one level further up. The diamond is the "
        "one of the release."
    ]
    if any(plans.steps for plans in drawn):
        size = max(plans.size for plans in drawn)
        steps = min(plans.steps or MOST for plans in drawn)
        sentences.append(
            f"Of {size:,} plans only those up to {steps} {'step' if steps == 1 else 'steps'} from "
            "it are shown."
        )
    if len(content) > len(drawn):
        sentences.append(f"Only {len(drawn)} of {len(content)} tables are shown.")
    sentences.append(
        "Below the levels is the loss: the discernibility, as a share of that of a single class. "
        "Classes and distributions were checked; what suppressing rows would achieve was not."
        if judged
        else (
            "Which of the others would keep the promise, and at what loss, depends on the data "
            "and is in the owner's copy only."
        )
    )
    return " ".join(sentences)


def around(chosen: Node, heights: Node, abreast: int) -> tuple[tuple[Node, ...], int | None]:
    """Return the plans around the chosen one, and up to how many steps; None for all there are.

    From the second step on no more than ``abreast`` plans of equal height are taken.

    >>> around((0, 1), (1, 1), 9)
    (((0, 0), (0, 1), (1, 0), (1, 1)), None)
    """
    reached, ring, steps = {chosen}, {chosen}, 0
    while ring:
        ring = {near for node in ring for near in _neighbours(node, heights)} - reached
        row = max(Counter(map(sum, reached | ring)).values())
        if len(reached | ring) > MOST or (steps and ring and row > abreast):
            return tuple(sorted(reached)) if steps else (), steps
        reached |= ring
        steps += 1
    return tuple(sorted(reached)), None


def _neighbours(node: Node, heights: Node) -> Iterator[Node]:
    for index, level in enumerate(node):
        for other in (level - 1, level + 1):
            if 0 <= other <= heights[index]:
                yield (*node[:index], other, *node[index + 1 :])


@dataclass(frozen=True, eq=False)
class _TablePlans:
    """One table with the plans around its own."""

    index: int
    secrets: tuple[str, ...]
    chosen: Node
    heights: Node
    nodes: tuple[Node, ...]
    steps: int | None

    @classmethod
    def of(cls, content: ProjectedTables, index: int) -> "_TablePlans | None":
        """Read the plan off the published cells; None where they are on no level of their trees."""
        levels = [_level(content, index, name) for name in content.qids]
        known = [level for level in levels if level is not None]
        if not known or len(known) < len(levels):
            return None
        chosen, heights = (tuple(column) for column in zip(*known, strict=True))
        abreast = WIDTH // _breadth(_plan(chosen, heights))
        near = around(chosen, heights, abreast)
        return cls(index, content.sensitive[index], chosen, heights, *near)

    @property
    def size(self) -> int:
        return prod(height + 1 for height in self.heights)

    @property
    def name(self) -> str:
        return f"table {self.index + 1}"

    @cached_property
    def offsets(self) -> dict[Node, float]:
        """Where each plan stands in its row, which is centred."""
        rows: dict[int, list[Node]] = {}
        for node in sorted(self.nodes, reverse=True):
            rows.setdefault(sum(node), []).append(node)
        return {
            node: index - (len(row) - 1) / 2
            for row in rows.values()
            for index, node in enumerate(row)
        }

    def rows(self, judge: "PlanJudge | None") -> Iterator[dict[str, Any]]:
        """Give a row for each plan."""
        for node in self.nodes:
            holds, loss, gone = judge.judged(node, self.secrets) if judge else (None, None, None)
            yield {
                "table": self.name,
                "plan": _plan(node, self.heights),
                "height": sum(node),
                "state": CHOSEN if node == self.chosen else STATES[holds],
                "loss": loss,
                "rows left out": gone,
                "x": self.offsets[node],
            }

    def picture(self, rows: list[dict[str, Any]]) -> str:
        """Return the drawing of this table's part of the rows."""
        own = [row for row in rows if row["table"] == self.name]
        abreast = max(2 * row["x"] for row in own) + 1
        crowded = abreast * max(_breadth(row["plan"]) for row in own) > WIDTH
        nodes = [
            Mark(
                x=row["x"],
                row=row["height"],
                shape=SHAPES[row["state"]],
                state=row["state"],
                words=() if crowded and row["state"] != CHOSEN else _label(row),
            )
            for row in own
        ]
        title = f"Plans of {self.name}: {', '.join(self.secrets)}"
        return lattice(title, "", nodes, list(self._links()))

    def _links(self) -> Iterator[tuple[int, int]]:
        """Give the plans that are one level apart, by their numbers."""
        indices = {node: index for index, node in enumerate(self.nodes)}
        for node, index in indices.items():
            for up in _neighbours(node, self.heights):
                if up in indices and sum(up) > sum(node):
                    yield index, indices[up]


def _plan(node: Node, heights: Node) -> str:
    """Write levels without a space between them where each is one digit."""
    return ("" if max(heights) < 10 else " ").join(map(str, node))


def _breadth(plan: str) -> int:
    """Return how many points a label takes."""
    return max(40, 8 * len(plan) + 12)


def _label(row: Mapping[str, Any]) -> tuple[str, ...]:
    loss = row["loss"]
    return (row["plan"],) if loss is None else (row["plan"], number(float(f"{loss:.2g}")))


def _level(content: ProjectedTables, index: int, name: str) -> tuple[int, int] | None:
    """Return on which level of its tree a column was published, and how many there are above."""
    pairs = content.applied[name]
    if not pairs.height:
        # without a public hierarchy a column is kept or suppressed as a whole
        return 1, 1
    tree = Hierarchy.of_tables({"hierarchy": pairs})
    cells = set(content.parts[index][name].unique().to_list())
    for level in range(tree.height + 1):
        if cells <= {tree.names[number] for number in np.unique(tree.levels[:, level]).tolist()}:
            return level, tree.height
    return None
