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
    rows = {itemset: row for row, itemset in enumerate(dict.fromkeys(content.sets))}
    holders = _Holders(list(rows))
    within = {subset for itemset in rows for subset in _rests(itemset) if subset in rows}
    for itemset, row in rows.items():
        # a rest that is published itself fits itself as well
        alone = {at: subset for at, subset in enumerate(_rests(itemset)) if subset not in rows}
        if itemset in within or not alone or holders.of_all(itemset) != 1 << row:
            continue
        for position, known in alone.items():
            if holders.of_all(known) == 1 << row:
                witness = (
                    f"who is known to hold {_spoken(known)} fits one published itemset only "
                    f"and must also hold {itemset[position]}"
                )
                return Verdict(guarantee=claim, holds=False, checked=_CHECKED, witness=witness)
    return Verdict(guarantee=claim, holds=True, checked=_CHECKED)


def _rests(itemset: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return what is left of a set without one of its items, for each of them."""
    return [itemset[:at] + itemset[at + 1 :] for at in range(len(itemset))]


class _Holders:
    """Which published sets hold an item, as the bits of one integer; made where it is asked for."""

    def __init__(self, published: list[tuple[str, ...]]) -> None:
        self.count = len(published)
        self.rows: dict[str, list[int]] = {}
        for row, itemset in enumerate(published):
            for item in itemset:
                self.rows.setdefault(item, []).append(row)
        self.bits: dict[str, int] = {}

    def of(self, item: str) -> int:
        """Return the published sets that hold an item."""
        if item not in self.bits:
            bits = bytearray(self.count // 8 + 1)
            for row in self.rows[item]:
                bits[row >> 3] |= 1 << (row & 7)
            self.bits[item] = int.from_bytes(bits, "little")
        return self.bits[item]

    def of_all(self, known: tuple[str, ...]) -> int:
        """Return the published sets that contain all of ``known``."""
        fitting = (1 << self.count) - 1
        for item in known:
            fitting &= self.of(item)
        return fitting


def _spoken(known: tuple[str, ...]) -> str:
    return "{" + ", ".join(known) + "}" if known else "nothing at all"
