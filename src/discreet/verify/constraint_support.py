"""Every part of a privacy constraint fits at least k records or none: the definition read aloud."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.core.constraints import Constraints
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantees.sets import ConstraintSupport
from discreet.core.publication import LinkageKey
from discreet.core.spelling import refuse_absent
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict

_NEEDED = (
    "cannot be checked without the owner's constraints: give them with --privacy, or the owner's "
    "key with --key"
)
_WORD = 62


def constraint_support(
    content: GeneralisedSets,
    claim: ConstraintSupport,
    privacy: Constraints | None,
    key: LinkageKey | None = None,
    against: object = None,
) -> Verdict:
    """Count the records that each part of each constraint fits.

    A part that fits somebody lies within what some record holds of the constraint, and fits at
    least as many records as that does. So it is enough to count for what each record holds.
    """
    known = _recorded(key)
    constraints = _both(privacy, known)
    if constraints is None:
        return Verdict(guarantee=claim, holds=None, checked=_NEEDED, needs=("--privacy",))
    if isinstance(against, Transactions):
        _refuse_misspelt(constraints if privacy is None else privacy, known, content, against)
    # the owner's key says that they are those that the data went out by; a file may be another's
    if known is None and not any(item in content.block_of for item in constraints.items):
        checked = f"nothing: no item of the {len(constraints):,} constraints is in the release"
        return Verdict(guarantee=claim, holds=None, checked=checked)
    checked = _checked(constraints, content, confirmed=known is not None)
    rows, starts = _rows_by_block(content)
    fine: set[tuple[int, ...]] = set()
    for position, (items, least) in enumerate(constraints.needs(claim.k), 1):
        blocks = sorted({content.block_of[item] for item in items if item in content.block_of})
        if (least, *blocks) in fine:  # constraints about the same blocks are the same question
            continue
        lists = [rows[starts[block] : starts[block + 1]] for block in blocks]
        rare, records = _rare_part(lists, least)
        if rare:
            rare_blocks = {blocks[index] for index in range(len(blocks)) if rare >> index & 1}
            names = [item for item in items if content.block_of.get(item) in rare_blocks]
            witness = (
                f"{', '.join(names)} of constraint {position} fits {records} records, not {least}"
            )
            return Verdict(guarantee=claim, holds=False, checked=checked, witness=witness)
        fine.add((least, *blocks))
    return Verdict(guarantee=claim, holds=True, checked=checked)


def _refuse_misspelt(
    constraints: Constraints,
    known: Constraints | None,
    content: GeneralisedSets,
    against: Transactions,
) -> None:
    """Refuse names of which the original knows nothing, but for those that it went out by.

    Of these the owner was told when they were published; where the release shows one, these are
    other data.
    """
    lost = {item for item in known.items if item not in content.block_of} if known else set()
    names = [item for item in constraints.items if item not in lost]
    cure = "" if known else "; the linkage key holds those that the data went out by"
    refuse_absent("the items of privacy constraints", names, against.held, cure=cure)


def _checked(constraints: Constraints, content: GeneralisedSets, *, confirmed: bool) -> str:
    """Say what was counted, and what of it is on trust."""
    checked = f"the records that each part of {len(constraints):,} constraints fits"
    if missing := sum(item not in content.block_of for item in constraints.items):
        checked += f"; {missing:,} of their {len(constraints.items):,} items are in no record"
    if not confirmed:
        checked += "; no key confirms that these are what the data went out by"
    return checked


def _recorded(key: LinkageKey | None) -> Constraints | None:
    """Return the constraints that the owner's key holds, if there are any."""
    table = key.tables.get("constraints") if key else None
    if table is None:
        return None
    return Constraints(tuple(map(tuple, table["items"])), tuple(table["least"]))


def _both(one: Constraints | None, other: Constraints | None) -> Constraints | None:
    """Return all constraints: those handed in take nothing from those the data went out by."""
    if one is None or other is None:
        return one or other
    claims = [
        (items, least) for constraints in (one, other) for items, least in constraints.needs(0)
    ]
    return Constraints.of([items for items, _ in claims], [least for _, least in claims])


def _rows_by_block(content: GeneralisedSets) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows = content.sets.rows
    starts = np.zeros(len(content.blocks) + 1, dtype=np.int64)
    np.cumsum(content.supports, out=starts[1:])
    return rows[np.argsort(content.sets.items, kind="stable")], starts


def _rare_part(lists: Sequence[NDArray[np.int64]], least: int) -> tuple[int, int]:
    """Return a part that fits someone but fewer than ``least``, as bits, and how many it fits."""
    if len(lists) < 2:
        records = sum(map(len, lists))
        return (1, records) if 0 < records < least else (0, 0)
    people, index = np.unique(np.concatenate(lists), return_inverse=True)
    # beyond a machine word the bits are Python's whole numbers
    masks = np.zeros(len(people), dtype=np.int64 if len(lists) <= _WORD else object)
    sizes = [len(rows) for rows in lists]
    np.add.at(masks, index, np.repeat(np.array([1 << i for i in range(len(lists))]), sizes))
    distinct, counts = np.unique(masks, return_counts=True)
    for mask in distinct:
        records = int(counts[(distinct & mask) == mask].sum())
        if records < least:
            return int(mask), records
    return 0, 0
