"""Rules of recoding: what a release shows of how it was made, to be applied to the next data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from discreet.core.hierarchy import Hierarchy
from discreet.errors import DataError
from discreet.io.rules_file import damaged, read_rules_file, text_of_rules

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""A hierarchy as pairs of a name and the one above it."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SetRules:
    """Which items are published, and as what; all others are left out."""

    kind: ClassVar[str] = "sets"

    method: str
    """The method whose release shows it."""
    blocks: tuple[tuple[str, ...], ...]
    """What is published: items that stand for each other; or names, each by itself."""
    hierarchy: Pairs | None = None
    """The hierarchy of the names, where items are lifted."""
    plain: bool = False
    """Whether names are published as they are, and not as blocks."""

    def record(self) -> dict[str, Any]:
        """Return the rules as a plain mapping."""
        return {
            "blocks": [list(block) for block in self.blocks],
            "hierarchy": None
            if self.hierarchy is None
            else [list(pair) for pair in self.hierarchy],
            "plain": self.plain,
        }

    @classmethod
    def of_record(cls, method: str, record: Mapping[str, Any]) -> "SetRules":
        """Read the rules back, refusing what is none."""
        blocks = tuple(_texts(block) for block in _list(record["blocks"]))
        items = [item for block in blocks for item in block]
        if not all(blocks) or len(set(items)) < len(items):
            damaged("an item must be in one block, once")
        plain = record["plain"]
        if not isinstance(plain, bool) or (plain and any(len(block) != 1 for block in blocks)):
            damaged("names must stand by themselves")
        above = record["hierarchy"]
        hierarchy = None if above is None else _pairs(above)
        return cls(method=method, blocks=blocks, hierarchy=hierarchy, plain=plain)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TableRule:
    """What becomes of the quasi-identifiers in one published table."""

    attributes: tuple[str, ...]
    """Its sensitive attributes."""
    levels: Mapping[str, int] | None = None
    """The level of each column in its hierarchy; None where classes are listed."""
    classes: tuple[tuple[str, ...], ...] = ()
    """The published cells of each class, in the order of the quasi-identifiers."""
    blocks: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """For each class what is published of the sets of its people, where there is a set column."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TableRules:
    """What becomes of the quasi-identifiers of a table of people."""

    kind: ClassVar[str] = "tables"

    method: str
    """The method whose release shows it."""
    qids: tuple[str, ...]
    """The quasi-identifiers."""
    tables: tuple[TableRule, ...]
    """A rule for each published table."""
    hierarchies: Mapping[str, Pairs] = field(default_factory=dict)
    """The public hierarchies of quasi-identifiers."""
    heights: Mapping[str, int] = field(default_factory=dict)
    """How many levels each of them has, where levels count."""
    ground: Mapping[str, Pairs] = field(default_factory=dict)
    """The public hierarchies of sensitive attributes, where distances need them."""
    set_column: str | None = None
    """The set-valued quasi-identifier; its hierarchy is among the others."""

    def record(self) -> dict[str, Any]:
        """Return the rules as a plain mapping."""
        return {
            "qids": list(self.qids),
            "tables": [
                {
                    "attributes": list(table.attributes),
                    "levels": None if table.levels is None else dict(table.levels),
                    "classes": [list(cells) for cells in table.classes],
                    "blocks": [[list(block) for block in each] for each in table.blocks],
                }
                for table in self.tables
            ],
            "hierarchies": {
                name: list(map(list, pairs)) for name, pairs in self.hierarchies.items()
            },
            "heights": dict(self.heights),
            "ground": {name: list(map(list, pairs)) for name, pairs in self.ground.items()},
            "set_column": self.set_column,
        }

    @classmethod
    def of_record(cls, method: str, record: Mapping[str, Any]) -> "TableRules":
        """Read the rules back, refusing what is none."""
        qids = _texts(record["qids"])
        tables = tuple(_table(each, qids) for each in _list(record["tables"]))
        if not qids or not tables or len(set(qids)) < len(qids):
            damaged("there must be tables with quasi-identifiers, each named once")
        trees = [_mapping(record[name]) for name in ("hierarchies", "ground")]
        above = [{name: _pairs(pairs) for name, pairs in tree.items()} for tree in trees]
        heights = _numbers(record["heights"])
        if any(table.levels is not None and set(qids) - set(heights) for table in tables):
            damaged("the height of every hierarchy must be given")
        return cls(
            method=method,
            qids=qids,
            tables=tables,
            hierarchies=above[0],
            heights=heights,
            ground=above[1],
            set_column=_set_column(record.get("set_column"), tables),
        )


Rules: TypeAlias = SetRules | TableRules


def rules_text(rules: Rules) -> str:
    """Return rules as the text of a file; it holds nothing that the release does not show."""
    return text_of_rules({"method": rules.method, "kind": rules.kind} | rules.record())


def read_rules(path: Path) -> Rules:
    """Read a file of rules, refusing what is none."""
    record = read_rules_file(path)
    try:
        (method,) = _texts([record["method"]])
        if record["kind"] == SetRules.kind:
            return SetRules.of_record(method, record)
        if record["kind"] == TableRules.kind:
            return TableRules.of_record(method, record)
        damaged("rules are about sets or tables")
    except (KeyError, TypeError, ValueError, DataError) as error:
        why = f": {error}" if isinstance(error, DataError) else ""
        msg = f"{path.name} must be a file of rules written by --save-rules, and is damaged{why}"
        raise DataError(msg) from None


def _table(record: Any, qids: tuple[str, ...]) -> TableRule:
    mapping = _mapping(record)
    levels = None if mapping["levels"] is None else _numbers(mapping["levels"])
    classes = tuple(_texts(cells) for cells in _list(mapping["classes"]))
    if any(len(cells) != len(qids) for cells in classes):
        damaged("a class must have a cell for each quasi-identifier")
    if levels is not None and set(levels) != set(qids):
        damaged("every quasi-identifier must have a level")
    each = [map(_texts, _list(blocks)) for blocks in _list(mapping.get("blocks", []))]
    return TableRule(
        attributes=_texts(mapping["attributes"]),
        levels=levels,
        classes=classes,
        blocks=tuple(map(tuple, each)),
    )


def _set_column(value: Any, tables: tuple[TableRule, ...]) -> str | None:
    if value is None:
        return None
    (name,) = _texts([value])
    if len(tables) != 1 or len(tables[0].blocks) != len(tables[0].classes):
        damaged("a table with a set column must have blocks for each class")
    return name


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        damaged("a list is expected")
    checked: list[Any] = value
    return checked


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        damaged("a mapping is expected")
    checked: dict[str, Any] = value
    return checked


def _texts(value: Any) -> tuple[str, ...]:
    texts = _list(value)
    if not all(isinstance(text, str) and text for text in texts):
        damaged("names must be texts")
    return tuple(texts)


def _numbers(value: Any) -> dict[str, int]:
    levels = _mapping(value)
    if not all(type(number) is int and 0 <= number < 1000 for number in levels.values()):
        damaged("levels must be whole numbers from 0 on")
    return levels


def _pairs(value: Any) -> Pairs:
    pairs = tuple(_texts(pair) for pair in _list(value))
    if any(len(pair) != 2 for pair in pairs):
        damaged("a hierarchy must be pairs of names")
    edges = tuple((child, parent) for child, parent in pairs)
    if edges:
        Hierarchy.of_pairs(edges)  # refuses what is no tree
    return edges
