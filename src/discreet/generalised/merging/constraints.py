"""What COAT and PCTA are given: constraints and utility sets, from files or made from the data."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.constraints import Constraints
from discreet.core.exact import exact, in_range
from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import numbering
from discreet.errors import DataError, ParameterError
from discreet.generalised.kernels.blocks import MOST_ITEMS
from discreet.generalised.kernels.rare_sets import Sought, rare_sets
from discreet.rng import Rng
from discreet.semantics import WordNet

if TYPE_CHECKING:
    from discreet.generalised.merging.choices import Merging


Protect: TypeAlias = Literal["file", "items", "share", "rare"]
"""Where privacy constraints come from."""
UtilityFrom: TypeAlias = Literal["file", "one", "hierarchy", "wordnet"]
"""Where utility constraints come from."""

Rounds: TypeAlias = Literal["all", "once"]
"""How often all constraints are gone through."""
Undo: TypeAlias = Literal["merges", "members"]
"""What is given back at the end."""

NEAR = 0.5
"""Similarity above which WordNet relates two items."""
MOST_RARE = 2_000_000
"""Constraints that are made from the data at most."""


def check_choices(method: "Merging") -> None:
    """Refuse choices that are out of their range or contradict each other."""
    for name in ("share", "suppress"):
        value = getattr(method, name)
        if not 0 <= exact(name, value) <= 100:
            msg = f"`{name}` must be a percentage from 0 to 100, got {value}"
            raise ParameterError(msg, parameter=name)
    in_range(1, MOST_ITEMS, rare_size=method.rare_size)
    if (method.privacy is None) == (method.protect == "file"):
        msg = (
            "the itemsets to protect must come from one place: give a file with `privacy`, or "
            "let them be made with `protect` items, share or rare"
        )
        raise ParameterError(msg, parameter="privacy")
    _check_utility(method)


def _check_utility(method: "Merging") -> None:
    if method.utility is not None and method.utility_from == "one":
        object.__setattr__(method, "utility_from", "file")
    if (method.utility is None) == (method.utility_from == "file"):
        msg = (
            "utility sets must come from one place: give a file with `utility`, or choose "
            "`utility_from` one, hierarchy or wordnet"
        )
        raise ParameterError(msg, parameter="utility")
    if (method.utility_from == "hierarchy") != (method.hierarchy is not None):
        msg = "`hierarchy` must be given for `utility_from` hierarchy, and only there"
        raise ParameterError(msg, parameter="hierarchy")
    height = method.hierarchy.height if method.hierarchy else method.hierarchy_level
    in_range(1, height, hierarchy_level=method.hierarchy_level)


def privacy_of(method: "Merging", folded: ItemsetHistogram, rng: Rng) -> Constraints:
    """Return the constraints to meet: the owner's, or those to be made from the data.

    ``items``: every item by itself; ``share``: that share of the items, drawn by ``rng``, rounded
    up; ``rare``: every itemset up to ``rare_size`` that somebody has and fewer than k people have.
    """
    if method.privacy is not None:
        largest = max(map(len, method.privacy))
        if largest > MOST_ITEMS:
            msg = f"a constraint may name up to {MOST_ITEMS} items, and one names {largest}"
            raise ParameterError(msg, parameter="privacy")
        return method.privacy
    universe = folded.sets.vocabulary
    used = [item for item, people in zip(universe, folded.supports, strict=True) if people]
    made: Iterable[Sequence[str]] = ([item] for item in used)
    if method.protect == "share":
        count = -(-len(used) * exact("share", method.share) // 100)
        made = [[used[index]] for index in sorted(rng.permutation(len(used))[: int(count)])]
    elif method.protect == "rare":
        made = _rare(folded, method.k, method.rare_size)
    itemsets = tuple(tuple(sorted(items)) for items in made)
    # no constraint at all is fine here: there may be nothing that needs protection
    return Constraints(itemsets)


def _rare(folded: ItemsetHistogram, k: int, size: int) -> list[list[str]]:
    """Return every itemset up to a size that somebody has and too few have."""
    sets = folded.sets
    width = len(sets.vocabulary)
    sought = Sought(width, width, least=k, deeper=1, size=size, limit=MOST_RARE)
    arrays = (sets.offsets.copy(), sets.items.copy(), folded.counts.copy())
    itemsets, _, complete = rare_sets(*arrays, sought)
    if not complete or len(itemsets) == MOST_RARE:
        msg = (
            f"there must be fewer than {MOST_RARE:,} itemsets of up to {size} items below "
            f"`k` = {k}, and there are more: choose a smaller `rare_size`, or use km-anonymity"
        )
        raise ParameterError(msg, parameter="rare_size")
    return [[sets.vocabulary[item] for item in row if item >= 0] for row in itemsets.tolist()]


def utility_of(
    method: "Merging", universe: Sequence[str], constraints: Constraints
) -> list[NDArray[np.int64]]:
    """Return disjoint sets of item numbers; items are merged within one of them only.

    From a file; or one set of all items; or the items with the same name on a level of a
    hierarchy, while an item that is not in the hierarchy is in no set; or what WordNet relates to
    the items of a constraint.
    """
    if method.utility is not None:
        return _disjoint(method.utility, universe)
    if method.hierarchy is not None:
        return _of_level(method.hierarchy, method.hierarchy_level, universe)
    if method.utility_from == "wordnet":
        return _of_wordnet(WordNet.read(method.wordnet), universe, constraints)
    return [np.arange(len(universe))]


def _of_wordnet(
    net: WordNet, universe: Sequence[str], constraints: Constraints
) -> list[NDArray[np.int64]]:
    """Return for each constraint its items and all that are near one of them, joined if they meet.

    Near is a similarity by Wu and Palmer above one half (Shao and Ong 2017, section 6.2.3).
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    number = numbering(universe)
    numbered = [[number[item] for item in items if item in number] for items in constraints]
    protected = np.zeros(len(universe), dtype=np.bool_)
    protected[[item for items in numbered for item in items]] = True
    left, right, _ = net.related(universe, above=NEAR)
    asked = protected[left] | protected[right]
    beside = [(items[0], item) for items in numbered for item in items[1:]]
    ends = np.concatenate(
        [np.stack([left[asked], right[asked]]).T, np.array(beside, int).reshape(-1, 2)]
    )
    shape = (len(universe), len(universe))
    graph = coo_array((np.ones(len(ends), dtype=np.int8), (ends[:, 0], ends[:, 1])), shape=shape)
    _, component = connected_components(graph, directed=False)
    return [np.flatnonzero(component == each) for each in np.unique(component[protected])]


def _disjoint(utility: Constraints, universe: Sequence[str]) -> list[NDArray[np.int64]]:
    number = numbering(universe)
    first: dict[str, int] = {}
    for index, items in enumerate(utility, 1):
        for item in items:
            if first.setdefault(item, index) != index:
                msg = (
                    f"utility sets must share no item, and sets {first[item]} and {index} do; "
                    "join them or take the item out of one"
                )
                raise DataError(msg)
    numbered = ([number[item] for item in items if item in number] for items in utility)
    return [np.array(items, dtype=np.int64) for items in numbered if items]


def _of_level(hierarchy: Hierarchy, level: int, universe: Sequence[str]) -> list[NDArray[np.int64]]:
    groups: dict[int, list[int]] = {}
    for index, item in enumerate(universe):
        row = hierarchy.numbers.get(item, len(hierarchy.levels))
        if row < len(hierarchy.levels):
            groups.setdefault(int(hierarchy.levels[row, level]), []).append(index)
    return [np.array(items, dtype=np.int64) for items in groups.values()]
