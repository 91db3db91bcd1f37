"""Every class is distributed nearly as a natural superset: the definition read aloud, exactly."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from discreet.core.guarantees.distributions import NTCloseness
from discreet.core.projected_tables import ProjectedTables
from discreet.core.verdict import Verdict
from discreet.verify.classes import Counts, counts_of, named
from discreet.verify.t_closeness import earth_mover

_Key: TypeAlias = tuple[str, ...]
_Paths: TypeAlias = Sequence[Mapping[str, _Key]]
"""For each quasi-identifier and published value the names above it, from the top down to it."""

_CHECKED = (
    "for every table, class and sensitive attribute, the earth mover's distance between the class "
    "and every more general class of enough rows, by the published hierarchies"
)
_UNTOLD = (
    "cannot be checked from the file: a class has no close superset in the published hierarchies, "
    "and these do not hold every published value under one root"
)


def nt_closeness(content: ProjectedTables, claim: NTCloseness) -> Verdict:
    """Look for a superset of every class, attribute by attribute."""
    untold = False
    for tally in counts_of(content):
        paths = _paths(content, tally)
        key, nearest = next(_far(content, tally, paths, claim), (None, None))
        if key is None:
            continue
        if not any(_rootless(column) for column in paths):
            most = claim.most_of(tally.attribute)
            witness = f"{tally.where}: {named(content, key)} {_described(nearest, claim.n, most)}"
            return Verdict(guarantee=claim, holds=False, checked=_CHECKED, witness=witness)
        untold = True
    if untold:
        return Verdict(guarantee=claim, holds=None, checked=_UNTOLD)
    return Verdict(guarantee=claim, holds=True, checked=_CHECKED)


def _described(nearest: Fraction | None, least: int, most: Fraction) -> str:
    if nearest is None:
        return f"is in no more general class of at least {least} rows"
    return (
        f"is at least {float(nearest):g} away from every more general class of at least {least} "
        f"rows, more than {float(most):g}"
    )


def _far(
    content: ProjectedTables, tally: Counts, paths: _Paths, claim: NTCloseness
) -> Iterator[tuple[_Key, Fraction | None]]:
    """Yield each class without a close superset, and how far the nearest is if there is one."""
    kind = dict(claim.distance).get(tally.attribute, "equal")
    most = claim.most_of(tally.attribute)
    tree = content.distances.get(tally.attribute)
    # a class that is large enough is a superset of itself
    left: dict[_Key, Fraction | None] = {
        key: None for key, counts in tally.classes.items() if sum(counts.values()) < claim.n
    }
    for cut in product(*(range(max(map(len, column.values()), default=1)) for column in paths)):
        if not left:
            return
        groups = _groups(tally, paths, cut)
        for key, before in tuple(left.items()):
            group = groups[_lifted(key, paths, cut)]
            if group.total() < claim.n:
                continue
            # the ranks of ordered values are those of the whole table
            whole = {value: group[value] for value in tally.whole}
            distance = earth_mover(tally.classes[key], whole, kind, tree)
            left[key] = distance if before is None else min(before, distance)
            if distance <= most:
                del left[key]
    yield from left.items()


def _groups(tally: Counts, paths: _Paths, cut: Sequence[int]) -> dict[_Key, Counter[str]]:
    """Count the values of each class of the table that is generalised to so many steps."""
    groups: dict[_Key, Counter[str]] = {}
    for key, counts in tally.classes.items():
        groups.setdefault(_lifted(key, paths, cut), Counter()).update(counts)
    return groups


def _lifted(key: _Key, paths: _Paths, cut: Sequence[int]) -> _Key:
    """Return what a class becomes if no value is more than so many steps below the top."""
    names = [column[value] for column, value in zip(paths, key, strict=True)]
    return tuple(path[min(steps, len(path) - 1)] for path, steps in zip(names, cut, strict=True))


def _paths(content: ProjectedTables, tally: Counts) -> _Paths:
    """Return what stands above every published value; above all of them is the whole table."""
    paths = []
    for index, table in enumerate(content.applied.values()):
        above = dict(table.select("child", "parent").iter_rows()) if table.width else {}
        values = {key[index] for key in tally.classes}
        paths.append({value: _path(value, above) for value in values})
    return paths


def _path(value: str, above: Mapping[str, str]) -> _Key:
    path = [value]
    # a hierarchy that runs in a circle has no root, and the path ends before it closes
    while (parent := above.get(path[0])) is not None and parent not in path:
        path.insert(0, parent)
    return ("", *path)


def _rootless(column: Mapping[str, _Key]) -> bool:
    """Whether the values of a column do not hang under one root."""
    return len({path[1] for path in column.values()}) > 1
