"""The risks of a release, told from the release alone as far as an outsider could count them."""

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from discreet.core.disassociated import Disassociated
from discreet.core.fold import fold
from discreet.core.graph import Network
from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.synthetic_people import SyntheticPeople, counts_in
from discreet.core.transactions import Transactions
from discreet.kernels.ragged import offsets_of
from discreet.risk.degrees import degrees_risk, worse
from discreet.risk.items_in_classes import shares_knowing_items
from discreet.risk.noise import bounded_by_epsilon, occurring
from discreet.risk.parts import parts_risk
from discreet.risk.profile import sets_risk
from discreet.risk.reidentification import Population
from discreet.risk.table_profile import classes_of, table_risk

if TYPE_CHECKING:
    import polars as pl

__all__ = ["release_risk"]

NOISE: Final = "everything about everybody else"
PARTS: Final = "up to three items of a person; everybody who could hold them counts"
TABLES: Final = "all quasi-identifiers, as published; of several tables, the worst one counts"
SETS: Final = "items of a person, as published"
DEGREE: Final = "how many friends a person has"


def release_risk(
    release: Release[Any],
    population: Population | None = None,
    *,
    original: Any = None,
    control: Any = None,
) -> dict[str, Any]:
    """Return the risks of ``release``: ``known`` says what an adversary is taken to know.

    Rows that are made with noise are nobody's, and no record can be found in them: what anybody can
    conclude is bounded by epsilon, and where the ``original`` is at hand, and people of a
    ``control`` group, it is counted how many of them occur all the same. ``left_open`` says what
    was not counted, ``not_counted`` that nothing was.
    """
    content = release.content
    claims = [each for each in release.guarantees if isinstance(each, DifferentialPrivacy)]
    if claims and isinstance(content, ItemsetHistogram | SyntheticPeople):
        owned = [each if isinstance(each, Transactions) else None for each in (original, control)]
        counted = occurring(counts_in(content), *owned)
        return {"known": NOISE} | bounded_by_epsilon(claims) | counted
    # whatever is promised about other tables, their rows are counted
    if isinstance(content, ProjectedTables):
        return {"known": TABLES} | _tables(content, population)
    if isinstance(content, Network):
        return {"known": DEGREE} | degrees_risk(content.edges, len(content), population)
    if isinstance(content, Disassociated):
        return {"known": PARTS} | parts_risk(content, population)
    folded = content if isinstance(content, ItemsetHistogram) else fold(content.sets)
    risks = sets_risk(folded, population)
    if isinstance(content, SetsWithNetwork):
        degree = degrees_risk(content.edges, len(content), population)
        return {"known": f"{SETS}, or {DEGREE}"} | worse(risks, degree)
    return {"known": SETS} | risks


def _known(content: ProjectedTables, table: "pl.DataFrame") -> tuple[str, ...]:
    """Return the columns of a table that count as known: also those published as they are."""
    return (*content.qids, *(name for name in content.kept if name in table.columns))


def _tables(content: ProjectedTables, population: Population | None) -> dict[str, Any]:
    """Return the risks of the table with the highest, and the attributes of every table."""
    each = [
        table_risk(table, _known(content, table), _columns(names), population, content.applied)
        for table, names in zip(content.parts, content.sensitive, strict=True)
        if table.height
    ]
    if not each:
        return {"not_counted": "No row was published."}
    worst = max(each, key=lambda risk: (risk["prosecutor"]["highest"], risk["marketer"]))
    attributes = {name: value for risk in each for name, value in risk["attributes"].items()}
    certain = [risk["wp29"]["inference"]["share"] for risk in each]
    inference = worst["wp29"]["inference"] | {
        "share": max((share for share in certain if share is not None), default=None)
    }
    figures = worst | {"attributes": attributes, "wp29": worst["wp29"] | {"inference": inference}}
    return figures | _knowing_items(content)


def _knowing_items(content: ProjectedTables) -> dict[str, Any]:
    """Return what a set column tells beside quasi-identifiers; a member makes a block known."""
    if content.set_column is None:
        return {}
    table = next(each for each in content.parts if content.set_column in each.columns)
    rows, numbers, _ = content.blocks
    offsets = offsets_of(np.bincount(rows, minlength=table.height))
    return shares_knowing_items(classes_of(table, _known(content, table))[0], offsets, numbers)


def _columns(names: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the columns of each attribute; those of 0 and 1 are called ``NAME=VALUE``."""
    columns: dict[str, list[str]] = {}
    for name in names:
        columns.setdefault(name.partition("=")[0], []).append(name)
    return columns
