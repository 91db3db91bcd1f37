"""A promise over nothing is not checked: what it is about may have been taken out of the release.

Without rows, without a private term in any cluster, or with nothing in any row, every promise seems
kept. Whether there was anything the original tells, or the key, which is that of one content only.
"""

from collections import Counter
from typing import Any

from discreet.core.clusters import Clusters
from discreet.core.emptiness import WITHOUT_ROWS, without_rows
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.guarantee import MConfidentiality, MInvariant
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork, people_of
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.synthetic_people import SyntheticPeople
from discreet.core.transactions import Transactions
from discreet.core.truth import knows_its_release
from discreet.core.verdict import Verdict

NO_TERMS = "the release holds no private term"
NO_ITEMS = "no row of the release holds anything"


def unless_emptied(
    verdicts: tuple[Verdict, ...],
    release: Release[Any],
    original: Transactions | Microdata | SocialNetwork | Network | None,
    key: LinkageKey | None,
) -> tuple[Verdict, ...]:
    """Return the verdicts; what holds over nothing was not checked.

    m-confidentiality is about those left out as well, who are all in the original; m-invariance is
    told by what the key says that everybody holds.
    """
    lacking = _lacking(release, original, key)
    if lacking is None:
        return verdicts
    needs = ("--against",) if original is None and lacking != WITHOUT_ROWS else ()
    return tuple(
        Verdict(guarantee=verdict.guarantee, holds=None, checked=lacking, needs=needs)
        if verdict.holds is True
        and not isinstance(verdict.guarantee, MConfidentiality | MInvariant)
        else verdict
        for verdict in verdicts
    )


def _lacking(
    release: Release[Any],
    original: Transactions | Microdata | SocialNetwork | Network | None,
    key: LinkageKey | None,
) -> str | None:
    """Say what is missing in a release that shows nothing; None where nothing is missing."""
    content = release.content
    if without_rows(content):
        return WITHOUT_ROWS if _somebody(original) else None
    fact = _shows_nothing(content)
    if fact is None or knows_its_release(key):
        return None
    if not isinstance(original, Transactions):
        return f"nothing: {fact}; only the original tells whether there was more (--against)"
    if isinstance(content, Clusters):
        explained = _all_is_public(release, original)
    else:
        explained = len(content) == len(original)
    return None if explained else f"nothing: {fact}, and the original does not explain it"


def _somebody(original: Transactions | Microdata | SocialNetwork | Network | None) -> bool:
    """Whether the original holds anything, for all that is known."""
    people = people_of(original)
    if isinstance(people, Transactions):
        return len(people.sets.items) > 0
    return people is None or len(people) > 0


def _shows_nothing(content: Any) -> str | None:
    """Say of what a content with rows has nothing."""
    if isinstance(content, Clusters) and not len(content.private_copies):
        return NO_TERMS
    if isinstance(content, SyntheticPeople):
        return None  # counts in another form: noise may leave none, and then nothing follows
    if isinstance(content, GeneralisedSets | Transactions) and not len(content.sets.items):
        return NO_ITEMS
    return None


def _all_is_public(release: Release[Clusters], original: Transactions) -> bool:
    """Whether every row is somebody's whole set, each person's once, but for counterfeits.

    Who is not there was withheld. The list of private terms is not asked: a misspelt one would say
    that nobody held any. Only a release that follows others needs counterfeits.
    """
    content = release.content
    rows = Counter(frozenset(row) for row in content.sets)
    rows.subtract(frozenset(items) for items in original.sets)
    nobodys = sum(max(0, count) for count in rows.values())
    return nobodys <= (int(content.counterfeits.sum()) if release.manifest.follows else 0)
