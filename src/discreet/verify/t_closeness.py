"""Every class is distributed nearly as its table: the definition read aloud, in exact numbers."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate

from discreet.core.discretise import in_order
from discreet.core.guarantees.distributions import Distance, TCloseness
from discreet.core.hierarchy import Hierarchy
from discreet.core.projected_tables import ProjectedTables
from discreet.core.verdict import Verdict
from discreet.errors import DataError
from discreet.verify.classes import counts_of, named

_CHECKED = (
    "for every table, class and sensitive attribute, the earth mover's distance between the "
    "class and the table"
)


def t_closeness(content: ProjectedTables, claim: TCloseness) -> Verdict:
    """Compare every class with its table, attribute by attribute."""
    distances = dict(claim.distance)
    for tally in counts_of(content):
        kind = distances.get(tally.attribute, "equal")
        tree = content.distances.get(tally.attribute)
        most = claim.most_of(tally.attribute)
        for key, counts in tally.classes.items():
            distance = earth_mover(counts, tally.whole, kind, tree)
            if distance > most:
                witness = (
                    f"{tally.where}: {named(content, key)} is {float(distance):g} away from the "
                    f"table, more than {float(most):g}"
                )
                return Verdict(guarantee=claim, holds=False, checked=_CHECKED, witness=witness)
    return Verdict(guarantee=claim, holds=True, checked=_CHECKED)


def earth_mover(
    counts: Mapping[str, int],
    whole: Mapping[str, int],
    kind: Distance = "equal",
    tree: Hierarchy | None = None,
) -> Fraction:
    """Return how much of a class must be moved how far to be distributed as the whole.

    >>> earth_mover({"HT": 2}, {"HT": 2, "DB": 1, "AS": 1})
    Fraction(1, 2)
    """
    rows, all_rows = sum(counts.values()), sum(whole.values())
    if kind == "equal":
        # a value that the class lacks is missing by its share of the whole
        present = sum(abs(n * all_rows - whole[value] * rows) for value, n in counts.items())
        absent = rows * (all_rows - sum(whole[value] for value in counts))
        return Fraction(present + absent, 2 * rows * all_rows)
    if tree is not None and any(not _is_leaf(value, tree) for value in whole):
        msg = "every sensitive value must be in the published hierarchy of its attribute, as a leaf"
        raise DataError(msg)
    if kind == "ordered":
        ranked = (
            [value for value in tree.values if value in whole] if tree else in_order(list(whole))
        )
        extras = [counts.get(value, 0) * all_rows - whole[value] * rows for value in ranked]
        steps = max(1, len(ranked) - 1)
        return Fraction(sum(map(abs, accumulate(extras))), steps * rows * all_rows)
    if tree is None:
        msg = "a hierarchical distance needs the hierarchy of the attribute, and there is none"
        raise DataError(msg)
    extra = {value: counts.get(value, 0) * all_rows - n * rows for value, n in whole.items()}
    return Fraction(_up_the_tree(extra, tree), tree.height * rows * all_rows)


def _is_leaf(value: str, tree: Hierarchy) -> bool:
    """Whether a value stands at the foot of a hierarchy, whose leaves are numbered first."""
    return tree.numbers.get(value, len(tree.levels)) < len(tree.levels)


def _up_the_tree(extras: Mapping[str, int], tree: Hierarchy) -> int:
    """Balance what children have too much against what they lack, from the values upwards."""
    cost = 0
    at = {tree.numbers[value]: extra for value, extra in extras.items()}
    rows = [tree.levels[tree.numbers[value]].tolist() for value in extras]
    for height in range(1, tree.height + 1):
        plus: dict[int, int] = {}
        minus: dict[int, int] = {}
        above = {row[height - 1]: row[height] for row in rows}
        for child, parent in above.items():
            side = plus if at[child] > 0 else minus
            side[parent] = side.get(parent, 0) + abs(at[child])
        at = {parent: plus.get(parent, 0) - minus.get(parent, 0) for parent in above.values()}
        cost += height * sum(min(plus.get(node, 0), minus.get(node, 0)) for node in at)
    return cost
