"""Hierarchies that follow a column: groups of about as many people each, two of them joined above.

What a column holds is private, and such a hierarchy tells its quantiles or which values are common;
it goes with every release that uses it.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from discreet.core.discretise import interval_names, number_of
from discreet.core.exact import in_range
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import GAP
from discreet.errors import DataError


def by_quantiles(column: Sequence[str], groups: int = 8) -> Hierarchy:
    """Put the numbers of a column into intervals with about as many people each.

    Parameters
    ----------
    column
        The cell of each person; a missing one, ``?``, stays as it is up to the root.
    groups
        How many intervals the first level has at most; each level above joins two and two. A
        level with an interval for each single number is left out.

    Returns
    -------
    Hierarchy
        The tree of intervals over the values of the column.

    Raises
    ------
    DataError
        Where a value is no number.

    Examples
    --------
    >>> by_quantiles(["1", "2", "3", "40", "50", "60"], 2).ancestors("3")
    ('<40', '*')
    """
    people = Counter(column)
    numbers = {value: number_of(value) for value in people if value != GAP}
    inside = sorted(number for value, number in numbers.items() for _ in range(people[value]))
    _refuse_few(groups, len(set(inside)))
    # more groups than people only repeat the same cuts
    groups = min(groups, len(inside))
    cuts = [inside[len(inside) * group // groups] for group in range(1, groups)]
    bounds = sorted({cut for cut in cuts if cut > inside[0]})
    levels: list[list[Fraction]] = []
    while bounds:
        levels.append(bounds)
        bounds = bounds[1::2]
    named = [(some, interval_names(some)) for some in levels]
    rows = [
        [value, *(names[bisect_right(some, numbers[value])] for some, names in named), "*"]
        for value in sorted(numbers, key=numbers.__getitem__)
    ]
    return Hierarchy.of_levels(_with_gap(_joining(rows), people))


def by_frequency(column: Sequence[str], groups: int = 8) -> Hierarchy:
    """Put the values of a column, the commonest first, into groups with about as many people each.

    Parameters
    ----------
    column
        The cell of each person; a missing one, ``?``, stays as it is up to the root.
    groups
        How many groups the first level has at most; each level above joins two and two. A level
        with a group for each single value is left out.

    Returns
    -------
    Hierarchy
        The tree of groups over the values of the column.

    Examples
    --------
    >>> tree = by_frequency(["flu"] * 4 + ["cold"] * 2 + ["gout", "pest"], 2)
    >>> tree.leaves("common 1 of 2"), tree.leaves("common 2 of 2")
    (('flu',), ('cold', 'gout', 'pest'))
    """
    people = Counter(column)
    ranked = sorted(people.keys() - {GAP}, key=lambda value: (-people[value], value))
    _refuse_few(groups, len(ranked))
    total, before, group = sum(people[value] for value in ranked), 0, {}
    for value in ranked:
        group[value] = before * groups // total
        before += people[value]
    dense = {old: new for new, old in enumerate(sorted(set(group.values())))}
    sizes = [len(dense)]
    while sizes[-1] > 2:
        sizes.append((sizes[-1] + 1) // 2)
    rows = [
        [
            value,
            *(
                f"common {(dense[group[value]] >> up) + 1} of {size}"
                for up, size in enumerate(sizes)
            ),
            "*",
        ]
        for value in ranked
    ]
    return Hierarchy.of_levels(_with_gap(_joining(rows), people))


def _refuse_few(groups: int, values: int) -> None:
    in_range(2, None, groups=groups)
    if values < 2:
        raise DataError("a column to be grouped must hold at least two values")


def _joining(rows: list[list[str]]) -> list[list[str]]:
    """Return the paths without a first level that has a name for each single value."""
    alone = len({row[1] for row in rows}) == len(rows)
    return [[row[0], *row[2:]] for row in rows] if alone else rows


def _with_gap(rows: list[list[str]], people: Counter[str]) -> list[list[str]]:
    gap = [*[GAP] * (len(rows[0]) - 1), "*"]
    return [*rows, gap] if GAP in people else rows
