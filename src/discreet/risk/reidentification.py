"""Re-identification risk in the words of El Emam: prosecutor, journalist and marketer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from discreet.core.ranges import Meant, is_root, range_of
from discreet.errors import DataError, ParameterError
from discreet.lazy import pl
from discreet.risk.population import population_uniqueness

FEW: Final = 5
"""Fewer people who look alike are few."""
THRESHOLD: Final = 1 / FEW
"""A risk above one in five counts as high."""

Sizes = NDArray[np.int64]

PEOPLE, PUBLISHED = "\0people", "\0published"
"""Columns that no table has."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """What is known of the population that the data are of."""

    sampling_fraction: float | None = None
    """The share of the population that is in the data; None: unknown."""
    table: "pl.DataFrame | None" = None
    """Everybody of the population, one a row, with the quasi-identifiers; None: not at hand."""


def population_by_share(population: Population | None, noun: str) -> Population:
    """Return what is known of a population of which nobody is listed; a table is refused."""
    if population is not None and population.table is not None:
        msg = f"a `population` is counted for tables; for {noun} give `sampling_fraction`"
        raise ParameterError(msg, parameter="population")
    return population or Population()


def reidentification(
    sizes: Sizes, population: Population, among: Sizes | None = None
) -> dict[str, Any]:
    """Return the risks of people who look alike in classes of ``sizes``.

    Prosecutor: the target is known to be in the data, so whoever finds a class of ``f`` is right
    once in ``f``. Journalist: somebody of the population is looked for, in which ``among`` people
    look so; without such a table the data stand for the population, which is the strictest.
    Marketer: everybody is linked, and the share that is linked right counts.

    Parameters
    ----------
    sizes
        How many people of the data each class has.
    population
        What is known of the population.
    among
        How many people of the population each class has, where a table of it was given.

    Returns
    -------
    dict of str to object
        The risks of prosecutor, journalist and marketer, and what they rest on.
    """
    everyone = sizes if among is None else among
    if len(sizes) and (everyone < sizes).any():
        missing = int((sizes - everyone)[everyone < sizes].sum())
        msg = (
            "the population must hold everybody in the data, and for "
            f"{missing:,} rows it has nobody; give all of it"
        )
        raise DataError(msg, parameter="population")
    chosen, every = population_uniqueness(sizes, population.sampling_fraction or 1.0)
    return {
        "people": int(sizes.sum()),
        "classes": len(sizes),
        "prosecutor": _risks(sizes, sizes),
        "journalist": _risks(sizes, everyone) | {"population_given": among is not None},
        "marketer": _risks(sizes, everyone)["mean"],
        "k_map": int(everyone.min()) if len(sizes) else None,
        "sample_uniqueness": _share(sizes, sizes == 1),
        "population_uniqueness": {
            "share": _share(sizes, everyone == 1) if among is not None else chosen.unique_share,
            "model": "counted in the population" if among is not None else chosen.model,
            "models": {each.model: each.unique_share for each in every},
        },
    }


def _risks(sizes: Sizes, everyone: Sizes) -> dict[str, Any]:
    if not len(sizes):
        return {"highest": None, "mean": None, "share_above_20_percent": None}
    return {
        "highest": 1 / int(everyone.min()),
        "mean": float((sizes / everyone).sum() / sizes.sum()),
        "share_above_20_percent": _share(sizes, everyone * THRESHOLD < 1),
    }


def _share(sizes: Sizes, hit: NDArray[np.bool_]) -> float:
    """Return the share of people in the classes that are hit."""
    return int(sizes[hit].sum()) / max(1, int(sizes.sum()))


def population_sizes(
    classes: "pl.DataFrame",
    population: "pl.DataFrame",
    applied: "Mapping[str, pl.DataFrame] | None" = None,
) -> Sizes:
    """Return how many of the population fit each of the classes, one a row.

    Parameters
    ----------
    classes
        The columns that are known, one class a row.
    population
        Everybody, with the same columns as they are in the original.
    applied
        For each generalised column the pairs child, parent of its hierarchy, as published.
    """
    names = classes.columns
    if missing := [name for name in names if name not in population.columns]:
        msg = f"the population must have every quasi-identifier, and {missing[0]!r} is not in it"
        raise DataError(msg, parameter="population")
    fitting = population.select(pl.col(names).cast(pl.String)).group_by(names).len(PEOPLE)
    for depth, name in enumerate(names, start=1):
        pairs = standing_for(classes[name], fitting[name], (applied or {}).get(name))
        fitting = fitting.join(pairs, on=name, how="inner", nulls_equal=True).drop(name)
        fitting = fitting.rename({PUBLISHED: name})
        # only what looks like the beginning of some class goes on
        fitting = fitting.join(classes.select(names[:depth]).unique(), on=names[:depth],
                               how="semi", nulls_equal=True)  # fmt: skip
    counted = fitting.group_by(names).agg(pl.col(PEOPLE).sum())
    joined = classes.join(counted, on=names, how="left", maintain_order="left", nulls_equal=True)
    return joined[PEOPLE].fill_null(0).to_numpy().astype(np.int64)


def standing_for(
    published: "pl.Series", values: "pl.Series", pairs: "pl.DataFrame | None"
) -> "pl.DataFrame":
    """Return for each value the published cells that may stand for it, in the second column."""
    cells, name = set(published.unique().to_list()), values.name
    meant = [Meant.by(cell) for cell in cells if cell is not None]
    above = dict(pairs.select("child", "parent").iter_rows()) if pairs is not None else {}
    rows = [
        (value, cell)
        for value in values.unique().to_list()
        for cell in (_way_up(value, above) & cells if above else _covering(value, cells, meant))
    ]
    schema = {name: pl.String, PUBLISHED: pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _way_up(value: str, above: "Mapping[str, str]") -> set[str]:
    """Return a value and all that stand above it; what no hierarchy names is below every root."""
    if value not in above:
        return {value, *(set(above.values()) - set(above))}
    way = {value}
    while value in above:
        value = above[value]
        way.add(value)
    return way


def _covering(value: str | None, cells: set[str | None], meant: Sequence[Meant]) -> set[str | None]:
    if value is None:
        return cells & {None}
    interval = range_of(value)
    fitting = {each.cell for each in meant if each.takes_in(value, interval)}
    # what a column as a whole is suppressed to stands for a gap as well
    whole = {cell for cell in cells if len(cells) == 1 and cell is not None and is_root(cell)}
    return {*(fitting or whole)}
