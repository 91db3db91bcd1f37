"""What the owner names as sensitive, compared with what a release says it hides."""

from typing import Any, NamedTuple

from discreet.core.clusters import Clusters
from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import Release


class HiddenItems(NamedTuple):
    """How the owner's list of sensitive items and that of a release differ."""

    exposed: tuple[str, ...] = ()
    """Named by the owner, and the release does not hide them."""
    undeclared: tuple[str, ...] = ()
    """Named by the owner, where the release does not say what it hides."""
    unnamed: tuple[str, ...] = ()
    """Hidden by the release, and not among what the owner names."""


def compared(release: Release[Any], named: frozenset[str]) -> HiddenItems:
    """Compare what the owner names, if anything, with what ``release`` hides."""
    if not named:
        return HiddenItems()
    content = release.content
    if isinstance(content, Clusters):
        # private terms stand apart from the sets; in a set they are in clear
        shown, hidden = frozenset(content.sets.vocabulary), frozenset(content.terms)
        return HiddenItems(exposed=_sorted(named & shown), unnamed=_sorted(hidden - named))
    if release.sensitive is None:
        # noise is added to the counts of all items alike
        noisy = isinstance(content, ItemsetHistogram)
        return HiddenItems() if noisy else HiddenItems(undeclared=_sorted(named))
    return HiddenItems(
        exposed=_sorted(named - release.sensitive), unnamed=_sorted(release.sensitive - named)
    )


def _sorted(items: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(items))
