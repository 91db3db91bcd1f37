"""No known itemset singles out one published itemset that tells more: the definition read aloud."""

from discreet.core.guarantee import NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.verdict import Verdict

_CHECKED = (
    "for every published itemset and every item of it, whether the rest of the itemset fits a "
    "second published itemset"
)


def no_attribute_leakage(content: ItemsetHistogram, claim: NoAttributeLeakage) -> Verdict:
    """Look for a set Q that exactly one published set S contains, with something left in S.

    Sets with one item less than S suffice: if S alone contains Q, then S alone contains every
    set between Q and S, and one of them lacks a single item. And an S within another published set
    needs no look: what S contains, the other contains too.
    """
    # equal rows are one published set: they must not vouch for each other
    published = list(dict.fromkeys(content.sets))
    holders = _holders(published)
    for row, itemset in enumerate(published):
        if _containers(itemset, holders, len(published)) != 1 << row:
            continue
        for position in range(len(itemset)):
            known = itemset[:position] + itemset[position + 1 :]
            if _containers(known, holders, len(published)) == 1 << row:
                witness = (
                    f"who is known to hold {_spoken(known)} fits one published itemset only "
                    f"and must also hold {itemset[position]}"
                )
                return Verdict(guarantee=claim, holds=False, checked=_CHECKED, witness=witness)
    return Verdict(guarantee=claim, holds=True, checked=_CHECKED)


def _holders(published: list[tuple[str, ...]]) -> dict[str, int]:
    """For each item the published sets that hold it, as the bits of one integer."""
    rows: dict[str, bytearray] = {}
    for row, itemset in enumerate(published):
        for item in itemset:
            bits = rows.setdefault(item, bytearray(len(published) // 8 + 1))
            bits[row >> 3] |= 1 << (row & 7)
    return {item: int.from_bytes(bits, "little") for item, bits in rows.items()}


def _containers(known: tuple[str, ...], holders: dict[str, int], count: int) -> int:
    """Return the published sets that contain all of ``known``, as the bits of one integer."""
    fitting = (1 << count) - 1
    for item in known:
        fitting &= holders[item]
    return fitting


def _spoken(known: tuple[str, ...]) -> str:
    return "{" + ", ".join(known) + "}" if known else "nothing at all"
