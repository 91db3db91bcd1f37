"""Publish set-valued data without exposing people, and attack every release before others can.

Data: ``Transactions`` (a set for each person), ``Microdata`` (a table), ``SocialNetwork``
(sets with friendships) and ``Network`` (friendships alone); ``Hierarchy`` and ``Constraints``
say how they may be changed. A publisher turns data into a ``Release``, an attack takes
releases; there is a package of them for each family: ``discreet.counts``, ``generalised``,
``tables``, ``series`` and ``networks``. ``verify`` checks what a release promises, and ``audit``
judges it. All randomness comes from ``rng``.

>>> from discreet import Transactions, rng, verify
>>> from discreet.counts import AplKiller
>>> baskets = Transactions.of([["bread", "beer"]] * 60 + [["bread"]] * 40)
>>> method = AplKiller(epsilon=1, universe=("beer", "bread"))
>>> release = method.publish(baskets, rng.seeded(1)).release
>>> verify(release).by_parts
True
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from discreet import rng
from discreet.core.constraints import Constraints
from discreet.core.graph import Network
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork
from discreet.core.publication import (
    LinkageKey,
    Publication,
    key_beside,
    release_of,
    releases_of,
)
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError, DiscreetError, InfeasibleError, ParameterError
from discreet.verify import verify

if TYPE_CHECKING:
    from discreet.study import Judgement

__all__ = [
    "Constraints",
    "DataError",
    "DiscreetError",
    "Hierarchy",
    "InfeasibleError",
    "LinkageKey",
    "Microdata",
    "Network",
    "ParameterError",
    "Publication",
    "Release",
    "SocialNetwork",
    "Transactions",
    "__version__",
    "audit",
    "rng",
    "verify",
]


def audit(
    release: Release[Any] | Publication[Any],
    *,
    against: Any = None,
    key: LinkageKey | None = None,
    after: Sequence[Release[Any]] = (),
    privacy: Constraints | None = None,
) -> "Judgement":
    """Check what a release promises, try every attack that applies, and judge it.

    Parameters
    ----------
    release
        What would go out; of a publication the release, with its key.
    against
        The private data it was made from.
    key
        The owner's key, through which claims and losses are counted. Only a key that knows its
        data (``Publication.keyed``, ``discreet publish --keep``) confirms ``against``; without one
        the mildest verdict with an original is *release with care*.
    after
        The releases before it, oldest first.
    privacy
        The owner's constraints.

    Returns
    -------
    Judgement
        ``level`` is the verdict of the command ``discreet audit``, ``reasons`` say why.

    Examples
    --------
    >>> from discreet.counts import AplKiller
    >>> baskets = Transactions.of([["bread", "beer"]] * 60 + [["bread"]] * 40)
    >>> method = AplKiller(epsilon=1, universe=("beer", "bread"))
    >>> audit(method.publish(baskets, rng.seeded(1)).release).level
    'do not release'
    """
    from discreet.study import Evidence, examined, judged

    earlier = tuple(releases_of(after, "after"))
    owned = key_beside(release, key)
    evidence = Evidence(original=against, key=owned, earlier=earlier, privacy=privacy)
    return judged(examined(release_of(release), evidence))


def __getattr__(name: str) -> str:
    if name == "__version__":
        from importlib.metadata import version

        return version("discreet")
    raise AttributeError(f"module 'discreet' has no attribute {name!r}")
