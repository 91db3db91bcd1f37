"""What a public copy leaves out: the names of items and of values that people hold."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.study import Examination

__all__ = ["aliases_of", "nameless", "without_names"]


def aliases_of(content: Any) -> dict[str, str]:
    """Return for each column that stands for a value of a multi-valued attribute another name.

    >>> import polars as pl
    >>> table = pl.DataFrame({"illness=flu": [1], "illness=gout": [0]})
    >>> aliases_of(ProjectedTables((table,), {}))
    {'illness=flu': 'illness, value 1', 'illness=gout': 'illness, value 2'}
    """
    if not isinstance(content, ProjectedTables):
        return {}
    aliases: dict[str, str] = {}
    counted: dict[str, int] = {}
    for column in sorted({name for names in content.sensitive for name in names if "=" in name}):
        attribute = column.partition("=")[0]
        counted[attribute] = counted.get(attribute, 0) + 1
        aliases[column] = f"{attribute}, value {counted[attribute]}"
    return aliases


def nameless(examination: Examination) -> Examination:
    """Return the same with other names for columns that stand for a value."""
    release, aliases = examination.release, aliases_of(examination.release.content)
    if not aliases:
        return examination
    content = release.content
    tables = tuple(
        table.rename({old: new for old, new in aliases.items() if old in table.columns})
        for table in content.parts
    )
    renamed = replace(content, parts=tables)
    return replace(examination, release=Release(renamed, release.guarantees, release.manifest))


def without_names(value: Any, aliases: Mapping[str, str]) -> Any:
    """Return a record in which such columns have other names."""
    if isinstance(value, Mapping):
        return {
            without_names(name, aliases): without_names(item, aliases)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [without_names(item, aliases) for item in value]
    if isinstance(value, str):
        # the longest first: one name may begin another
        for name in sorted(aliases, key=len, reverse=True):
            value = value.replace(name, aliases[name])
    return value
