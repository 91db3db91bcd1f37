"""Releases of the same people side by side: what somebody promises of them together, and what not.

The rules, in order; docs/reference/ledger.md has the reasons:

1. what is made from a shelved release alone tells nothing new;
2. budgets of differential privacy add up, which the ledger sees to;
3. a release of clusters breaks the promise of a series that it does not go on from: refused;
4. a series cannot begin after clusters that were not made to be followed: refused;
5. anything else beside anything else is what nobody promises together: flagged;
6. what promises nothing, was seeded, took its items from the data, or goes on from releases that
   are not on the shelf is flagged by itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from discreet.core.release import TAKEN

Level: TypeAlias = Literal["flagged", "refused"]

SERIAL: Final = frozenset({"SeriallyPreserving", "MInvariant"})
"""Promises about all releases of a series together."""
CLUSTERS: Final = SERIAL | {"SPreserving", "TermDiversity"}
"""Promises about clusters of sets beside their private terms."""
PRIVATE: Final = "DifferentialPrivacy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """Why a release cannot stand beside the others as if nothing were."""

    level: Level
    """Whether it is refused, or published and said."""
    words: str
    """Why."""

    def record(self) -> dict[str, str]:
        """Return it as a plain mapping."""
        return {"level": self.level, "words": self.words}


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What the rules ask of a release."""

    name: str
    """What it is called: its number on the shelf, or that it is new."""
    method: str
    promises: frozenset[str]
    """The names of its guarantees."""
    follows: tuple[str, ...] | None = None
    """The fingerprints of the releases it goes on from; None where it does not go on."""
    fingerprint: str | None = None
    """Its own, where it is made of clusters."""
    derived: bool = False
    """Whether it was made from a shelved release alone."""
    seeded: bool = False
    """Whether its chance can be repeated."""
    items_from_data: bool = False
    """Whether which items there are was taken from the data, which no epsilon covers."""

    @property
    def serial(self) -> bool:
        """Whether it promises something about releases over time."""
        return bool(self.promises & SERIAL)

    @property
    def clusters(self) -> bool:
        """Whether it is made of clusters, which can be compared over time."""
        return bool(self.promises & CLUSTERS)

    @property
    def private(self) -> bool:
        """Whether it is differentially private: noise that can be repeated protects nobody."""
        return PRIVATE in self.promises and not self.seeded

    @classmethod
    def of(cls, name: str, record: Mapping[str, Any], **rest: Any) -> "Profile":
        """Read what a release's record says."""
        promises = frozenset(each["name"] for each in record["guarantees"])
        follows = record.get("follows")
        return cls(
            name=name,
            method=record["method"],
            promises=promises,
            follows=None if follows is None else tuple(follows),
            seeded=bool(record.get("seeded")),
            items_from_data=record.get("universe") == TAKEN,
            **rest,
        )


def examined(new: Profile, shelved: Sequence[Profile]) -> list[Flag]:
    """Return what is wrong with putting a release beside those on the shelf."""
    alone = _alone(new)
    if new.derived:
        return alone
    series = [each for each in shelved if each.serial]
    if new.clusters and series:
        return [*alone, *_beside_series(new, series), *_others(new, shelved, besides=series)]
    strange = [each for each in shelved if each.clusters]
    if new.serial and strange:
        words = (
            f"{strange[0].name} is by {strange[0].method}, which was not made to be followed, so "
            f"no promise of {new.method} covers both"
        )
        return [*alone, Flag(level="refused", words=words)]
    return [*alone, *_begun_elsewhere(new), *_others(new, shelved)]


def beside_later(mine: Profile, later: Sequence[Profile]) -> list[Flag]:
    """Return what is wrong with a release since others came after it."""
    going_on = [each for each in later if mine.serial and each.serial]
    return _others(mine, later, besides=going_on)


def together(shelved: Sequence[Profile]) -> str:
    """Say what releases of the same people promise together."""
    counted = [each for each in shelved if not each.derived]
    if not counted:
        return "nothing is on the shelf yet"
    void = ", ".join(each.name for each in counted if each.seeded or not each.promises)
    if void:
        return f"nothing: whose chance can be repeated, or who promises nothing, is out ({void})"
    if all(each.private for each in counted):
        taken = ", ".join(each.name for each in counted if each.items_from_data)
        besides = f"; but which items occur was taken from the data ({taken})" if taken else ""
        return f"all are differentially private: their epsilons add up to what was spent{besides}"
    if all(each.serial for each in counted) and len({each.method for each in counted}) == 1:
        before = len(counted[0].follows or ())
        and_those = f" and of {before:,} before them that are not on the shelf" if before else ""
        return (
            f"one series by {counted[0].method}: the promise of the last is about all of them"
            f"{and_those}"
        )
    if len(counted) == 1:
        return "one release, with its own promises"
    return "nothing: each has its own promises, and no promise covers them together"


def next_release(shelved: Sequence[Profile]) -> str:
    """Say what of the same people may be published next, and what would be refused or flagged."""
    counted = [each for each in shelved if not each.derived]
    series = [each for each in counted if each.serial]
    clusters = [each for each in counted if each.clusters]
    flagged = "anything else is flagged"
    if series:
        return (
            f"{series[-1].method} may go on from all {len(series)} of the series; other releases "
            f"of clusters are refused; {flagged}"
        )
    if clusters:
        return f"a series cannot begin any more, and is refused; {flagged}"
    if counted and all(each.private for each in counted):
        return f"differentially private releases may follow while budget is left; {flagged}"
    return f"whatever comes next is flagged{'' if counted else ' only for what it is itself'}"


def _alone(new: Profile) -> list[Flag]:
    flags = []
    if not new.promises:
        words = f"this variant of {new.method} promises nothing, alone or beside other releases"
        flags.append(Flag(level="flagged", words=words))
    if new.seeded:
        words = "its randomness can be repeated (it was seeded), so it is not for publication"
        flags.append(Flag(level="flagged", words=words))
    if new.items_from_data:
        words = "the item universe was taken from the data, and no epsilon covers that"
        flags.append(Flag(level="flagged", words=words))
    return flags


def _beside_series(new: Profile, series: Sequence[Profile]) -> list[Flag]:
    wanted = (*(series[0].follows or ()), *(each.fingerprint for each in series))
    if new.method == series[-1].method and new.follows == wanted:
        return []
    words = (
        f"{series[-1].name} promises that it can be compared with the releases before and after "
        f"it, and a release by {new.method} that does not go on from all {len(series)} of them "
        "would break that"
    )
    return [Flag(level="refused", words=words)]


def _begun_elsewhere(new: Profile) -> list[Flag]:
    if not new.follows:
        return []
    words = (
        f"it goes on from {_releases(len(new.follows))} not on the shelf of these people, "
        "so nobody here knows what else was published of them"
    )
    return [Flag(level="flagged", words=words)]


def _others(
    new: Profile, shelved: Sequence[Profile], besides: Sequence[Profile] = ()
) -> list[Flag]:
    """Flag each release that nobody promises anything of together with the new one."""
    open_ones = [
        each
        for each in shelved
        if each not in besides and not each.derived and not (new.private and each.private)
    ]
    if not open_ones:
        return []
    names = ", ".join(f"{each.name} ({each.method})" for each in open_ones)
    words = (
        f"no promise covers this release together with {names}: anyone who has both may learn "
        "more than from either"
    )
    return [Flag(level="flagged", words=words)]


def _releases(count: int) -> str:
    """Return so many releases in words, before what is said of them."""
    return "a release that is" if count == 1 else f"{count:,} releases that are"
