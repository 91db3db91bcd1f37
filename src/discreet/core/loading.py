"""Release folders back from disk, refusing what is incomplete or was changed."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import Any

from discreet.core.clusters import Clusters
from discreet.core.disassociated import Disassociated
from discreet.core.exact import exact, shown
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.guarantee import Guarantee, guarantee_of, record_of, spoken
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import APPLIED, GROUND, KEPT, ProjectedTables
from discreet.core.readme import readme_in
from discreet.core.release import PUBLIC, TAKEN, Manifest, Release
from discreet.core.saving import FORMAT
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.synthetic_people import SyntheticPeople
from discreet.core.transactions import ITEM_TREE, Transactions
from discreet.errors import DataError, DiscreetError, ParameterError
from discreet.io.release_folder import README, read_release_folder, unlisted_in
from discreet.lazy import pl

CONTENTS = (
    ItemsetHistogram,
    Transactions,
    SyntheticPeople,
    ProjectedTables,
    Clusters,
    GeneralisedSets,
    Disassociated,
    SetsWithNetwork,
    Network,
)
"""Every content type a release folder can hold."""
FACTS = frozenset(
    {"discreet", "format", "method", "parameters", "randomness", "seeded", "universe", "sensitive",
     "follows", "notes", "content", "guarantees", "files", "seal"}
)  # fmt: skip
"""What a manifest says."""
FACTS_OF_FILE = frozenset({"sha256", "columns", "part"})
"""What it says of a file."""
SEEDED = "seeded: not for publication"
"""What a manifest says of chance that can be repeated."""
_TREE = ("child", "parent")
_SETS = {"transactions": ("items",), ITEM_TREE: _TREE}
_EDGES = {"edges": ("source", "target")}
COLUMNS: Mapping[type[Any], Mapping[str, tuple[str, ...]]] = {
    ItemsetHistogram: {"itemsets": ("items", "count")},
    Transactions: _SETS,
    SyntheticPeople: _SETS,
    Clusters: {
        "sets": ("cluster", "items"),
        "private": ("cluster", "item", "copies"),
        "counterfeits": ("cluster", "count"),
        "rates": ("item", "rate_num", "rate_den"),
    },
    GeneralisedSets: {"transactions": ("blocks",), "blocks": ("block", "items")},
    Disassociated: {
        "chunks": ("cluster", "chunk", "items"),
        "terms": ("cluster", "items"),
        "clusters": ("cluster", "people"),
        "shared": ("cluster", "chunk", "items"),
    },
    SetsWithNetwork: {
        "transactions": ("node", "group", "items"),
        ITEM_TREE: _TREE,
        **_EDGES,
    },
    Network: _EDGES,
}
"""The tables of each content but published tables of people, whose columns are the owner's."""


def load_release(path: Path) -> Release[Any]:
    """Read the release in the folder ``path``."""
    return release_of(path, *read_release_folder(path))


def release_of(
    path: Path, manifest: dict[str, Any], tables: "Mapping[str, pl.DataFrame]"
) -> Release[Any]:
    """Return the release in the folder ``path`` with this manifest and these tables."""
    kinds = {kind.__name__: kind for kind in CONTENTS}
    try:
        kind = kinds[manifest["content"]]
        _refuse_unknown(path, manifest)
        _refuse_foreign(path, kind, manifest["files"], tables)
        guarantees = tuple(guarantee_of(record) for record in manifest["guarantees"])
        described = _described(_in_this_format(path, manifest))
        _refuse_contradiction(path, guarantees, described.parameters)
        unlisted = unlisted_in(path, manifest)
        release = Release(kind.of_tables(tables), guarantees, described, unlisted)
        ours = {"discreet": version("discreet"), "format": FORMAT}
        in_these_words = ours.items() <= manifest.items()
        readme = readme_in(path, manifest, release, in_these_words=in_these_words)
        return replace(release, readme=readme)
    except DiscreetError:
        raise
    except (KeyError, TypeError, AttributeError, OverflowError, ValueError):
        msg = f"{path.name} is not a release this version can read: its manifest is malformed"
        raise DataError(msg) from None
    except pl.exceptions.PolarsError:
        msg = f"{path.name} is not a release this version can read: a table of it is malformed"
        raise DataError(msg) from None


def _refuse_contradiction(
    path: Path, guarantees: Iterable[Guarantee], made_with: Mapping[str, Any]
) -> None:
    """Refuse a promise of another number than the method was given: one of them was changed."""
    for guarantee in guarantees:
        for name, promised in record_of(guarantee).items():
            one, other = _number(promised), _number(made_with.get(name, promised))
            # the printed noise of boundary itemsets spends more than it is given, and says so
            if one != other and not (name == "epsilon" and one > other):
                msg = (
                    f"the manifest of {path.name} contradicts itself: {name} is "
                    f"{shown(made_with[name])} among its parameters, and {shown(promised)} in the "
                    f"promise {spoken(type(guarantee).__name__)}"
                )
                raise DataError(msg)


def _number(value: object) -> Fraction | float:
    """Return the number that a manifest gives; infinity where it sets no limit or is no number."""
    try:
        return exact("", value) if isinstance(value, int | float | str) else inf
    except ParameterError:
        return inf


def _refuse_unknown(path: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse a manifest that says what none does: no check would look at it."""
    if manifest.keys() - FACTS or any(
        facts.keys() - FACTS_OF_FILE for facts in manifest["files"].values()
    ):
        msg = (
            f"the manifest of {path.name} says what is no part of a release, and nothing protects "
            "it"
        )
        raise DataError(msg)


def _refuse_foreign(
    path: Path,
    kind: type[Any],
    files: Mapping[str, Mapping[str, Any]],
    tables: "Mapping[str, pl.DataFrame]",
) -> None:
    """Refuse files and columns that the content does not have: no check would look at them."""
    for name, facts in files.items():
        table = next((each for each in tables if _is_of(name, facts, each)), None)
        allowed = None if table is None else _allowed(kind, table, tables)
        if allowed is None and (name != README or "columns" in facts):
            msg = f"{name} in {path.name} is no part of such a release, and nothing protects it"
            raise DataError(msg)
        if table is not None and allowed and set(tables[table].columns) - set(allowed):
            msg = (
                f"{name} in {path.name} has a column that is no part of such a release, and "
                "nothing protects it"
            )
            raise DataError(msg)


def _is_of(name: str, facts: Mapping[str, Any], table: str) -> bool:
    """Whether a file of the manifest holds this table, or a part of it."""
    stem = name.rpartition(".")[0]
    return "columns" in facts and table == (stem.rpartition("-")[0] if "part" in facts else stem)


def _allowed(
    kind: type[Any], table: str, tables: "Mapping[str, pl.DataFrame]"
) -> tuple[str, ...] | None:
    """Return the columns that a table may have, none where it may have any; None for no table."""
    if kind is ProjectedTables:
        return _allowed_of_tables(table, tables)
    if kind is GeneralisedSets and "blocks" not in tables:
        # version 1 of the format spelt the items out in every row
        return ("items",) if table == "transactions" else None
    return COLUMNS[kind].get(table)


def _allowed_of_tables(table: str, tables: "Mapping[str, pl.DataFrame]") -> tuple[str, ...] | None:
    """Return the same where tables of people are published: what is said of a column needs it."""
    if table.startswith("table_"):
        return ()
    parts = [each for name, each in tables.items() if name.startswith("table_")]
    shown = {column for part in parts for column in part.columns}
    if table == KEPT:
        return ("column",) if shown.issuperset(tables[KEPT].to_series()) else None
    if table.startswith(GROUND):
        attribute = table.removeprefix(GROUND)
        # the values of a multi-valued attribute have a column each
        used = any(name == attribute or name.startswith(f"{attribute}=") for name in shown)
        return _TREE if used else None
    return _TREE if table.startswith(APPLIED) else None


def _in_this_format(path: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest with the fields of today's format, refusing one of a later format."""
    written = manifest.get("format", 1)
    if written not in range(1, FORMAT + 1):
        msg = (
            f"{path.name} is written in version {written} of the release format, and this version "
            f"of discreet reads up to {FORMAT}; use a newer one"
        )
        raise DataError(msg)
    return manifest if written == FORMAT else manifest | _facts_in_notes(manifest)


def _facts_in_notes(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that version 1 of the format had among its notes."""
    notes = dict(manifest["notes"])
    given = notes.pop("universe", None)
    return {
        "seeded": manifest["randomness"] == SEEDED,
        "universe": PUBLIC if given == "given, public" else given,
        "sensitive": notes.pop("sensitive", None),
        "follows": notes.pop("follows", None),
        "notes": notes,
    }


def _described(manifest: Mapping[str, Any]) -> Manifest:
    """Return the manifest with its fields, refusing facts that are not of their kind."""
    kinds = {"method": str, "parameters": dict, "randomness": str, "seeded": bool, "notes": dict}
    sound = all(isinstance(manifest[name], kind) for name, kind in kinds.items())
    sound &= manifest["universe"] in (None, PUBLIC, TAKEN)
    if not sound or not (_names(manifest["sensitive"]) and _names(manifest["follows"])):
        raise TypeError("a fact of the manifest is not of its kind")
    return Manifest(
        method=manifest["method"],
        parameters=manifest["parameters"],
        randomness=manifest["randomness"],
        seeded=manifest["seeded"] or manifest["randomness"] == SEEDED,
        universe=manifest["universe"],
        sensitive=None if manifest["sensitive"] is None else tuple(manifest["sensitive"]),
        follows=None if manifest["follows"] is None else tuple(manifest["follows"]),
        notes=manifest["notes"],
    )


def _names(fact: object) -> bool:
    """Whether a fact is a list of names, or nothing."""
    return fact is None or (isinstance(fact, list) and all(isinstance(name, str) for name in fact))
