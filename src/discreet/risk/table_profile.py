"""What is in a table of people, and how attackable it is as it stands: numbers, never records."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.bitmap import cells_as_sets
from discreet.core.histogram import sets_of_column
from discreet.core.microdata import Microdata
from discreet.errors import DataError
from discreet.lazy import pl
from discreet.risk.disclosure import attribute_disclosure
from discreet.risk.items_in_classes import shares_knowing_items
from discreet.risk.reidentification import FEW, Population, population_sizes, reidentification
from discreet.risk.threats import threats

CLASS = "\0class"
"""A column that no table has."""
MEASURED = ("l", "entropy_l", "t", "beta", "enhanced_beta", "delta", "delta_of_values_present")


def table_profile(people: Microdata, population: Population | None = None) -> dict[str, Any]:
    """Describe a table: its size, and what would be given away if it were published as it is.

    The adversary knows all quasi-identifiers of a person, and columns published as they are.

    Parameters
    ----------
    people
        The table.
    population
        What is known of the population that the people are from.

    Returns
    -------
    dict of str to object
        Sizes and risks by name.
    """
    if not len(people):
        raise DataError("a table must have at least one row to be profiled, got none")
    known = (*people.qids, *people.kept)
    risk = table_risk(people.bitmap.table, known, _columns(people), population)
    return {
        "rows": len(people),
        "quasi_identifiers": len(people.qids),
        "sensitive_attributes": len(people.sensitive),
        **risk,
        **_knowing_items(people, known),
    }


def _knowing_items(people: Microdata, known: Sequence[str]) -> dict[str, Any]:
    """Return what the items of a set column tell beside the quasi-identifiers."""
    if people.set_column is None:
        return {}
    sets = sets_of_column(cells_as_sets(people.table[people.set_column], people.separator))
    classes = classes_of(people.table, known)[0]
    return shares_knowing_items(classes, sets.offsets, sets.items.astype(np.int64))


def table_risk(
    table: "pl.DataFrame",
    qids: Sequence[str],
    attributes: Mapping[str, Sequence[str]],
    population: Population | None = None,
    applied: "Mapping[str, pl.DataFrame] | None" = None,
) -> dict[str, Any]:
    """Return every risk of one table of people.

    ``attributes`` names for each sensitive attribute its column, or the columns of 0 and 1 that
    stand for its values; of several columns the worst counts.

    Parameters
    ----------
    table
        The rows, each column text.
    qids
        The columns that others may know.
    attributes
        For each sensitive attribute its columns.
    population
        What is known of the population that the people are from.
    applied
        The hierarchies by which columns were generalised.

    Returns
    -------
    dict of str to object
        The risks by name.
    """
    about = population or Population()
    classes, sizes, distinct = classes_of(table, qids)
    given = None if about.table is None else population_sizes(distinct, about.table, applied)
    profile = {
        name: _attribute(classes, name, table.select(columns))
        for name, columns in attributes.items()
        if columns
    }
    risk = reidentification(sizes, about, given)
    certain = [each["share_value_certain"] for each in profile.values()]
    return {
        "smallest_class": int(sizes.min()),
        "share_alone": float((sizes[classes] == 1).mean()),
        "share_below_5": float((sizes[classes] < FEW).mean()),
        **risk,
        "attributes": profile,
        "wp29": threats(risk["sample_uniqueness"], risk["marketer"], max(certain, default=None)),
    }


def classes_of(
    table: "pl.DataFrame", qids: Sequence[str]
) -> "tuple[NDArray[np.int64], NDArray[np.int64], pl.DataFrame]":
    """Return the class of each row, how many rows each has, and how it looks; one without qids."""
    if not qids:
        every = np.zeros(table.height, dtype=np.int64)
        return every, np.array([table.height]), table.select([]).head(1)
    text = table.select(pl.col(list(qids)).cast(pl.String))
    numbered = text.unique(maintain_order=True).with_row_index(CLASS)
    names = list(qids)
    joined = text.join(numbered, on=names, how="left", maintain_order="left", nulls_equal=True)
    classes = joined[CLASS].to_numpy().astype(np.int64)
    return classes, np.bincount(classes), numbered.drop(CLASS)


def _attribute(classes: NDArray[np.int64], name: str, columns: "pl.DataFrame") -> dict[str, Any]:
    """Return what an attribute gives away; of several columns for it the worst counts.

    How often it can be guessed is told of all its columns together.
    """
    each = [attribute_disclosure(classes, column) for column in columns.iter_columns()]
    if columns.columns == [name]:
        return each[0]
    # commas, so that ones and zeros together are no number that could be ranked
    joined = columns.select(pl.concat_str("*", separator=","))
    together = attribute_disclosure(classes, joined.to_series())
    worst = {name: _worst(name, [column[name] for column in each]) for name in MEASURED}
    return together | worst | {"values": len(each)}


def worst_disclosure(each: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what an attribute gives away whose values stand in several tables: the worst of each.

    It is guessed by the table in which knowing the class gains most.
    """
    if len(each) == 1:
        return each[0]
    best = max(each, key=lambda table: table["guessed_right"] - table["base_rate"])
    worst = {name: _worst(name, [table[name] for table in each]) for name in MEASURED}
    certain = max(table["share_value_certain"] for table in each)
    values = sum(table["values"] for table in each)
    return best | worst | {"values": values, "share_value_certain": certain}


def _worst(name: str, numbers: Sequence[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return (min if name in {"l", "entropy_l"} else max)(known, default=None)


def _columns(people: Microdata) -> dict[str, list[str]]:
    """Return for each sensitive attribute the columns of the bitmap that stand for it."""
    bits = people.bitmap.sensitive
    return {
        name: [bit for bit in bits if bit.startswith(f"{name}=")]
        if name in people.multi_valued
        else [name]
        for name in people.sensitive
    }
