"""How well a release keeps the number of people behind each single item."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import ItemsetHistogram
from discreet.core.transactions import Transactions

__all__ = ["SupportError", "support_error"]


class SupportError(NamedTuple):
    """Absolute errors of item supports, as shares of all people."""

    mean: float
    """Over the items of the data and of the release."""
    largest: float
    """Of the worst item."""


def support_error(
    original: Transactions | ItemsetHistogram, release: ItemsetHistogram
) -> SupportError:
    """Compare for each item how many people hold it in the data and in the release.

    >>> data = Transactions.of([["a", "b"], ["a"], [], []])
    >>> support_error(data, ItemsetHistogram.of({("a",): 2, ("c",): 1}))
    SupportError(mean=0.16666666666666666, largest=0.25)
    """
    items = dict.fromkeys((*original.sets.vocabulary, *release.sets.vocabulary))
    number = {item: place for place, item in enumerate(items)}
    true, published = (_supports(data, number) for data in (original, release))
    errors = np.abs(true - published) / max(1, _people(original))
    return SupportError(
        mean=float(errors.mean()) if len(errors) else 0.0,
        largest=float(errors.max(initial=0.0)),
    )


def _people(data: Transactions | ItemsetHistogram) -> int:
    return len(data) if isinstance(data, Transactions) else data.total


def _supports(data: Transactions | ItemsetHistogram, number: dict[str, int]) -> NDArray[np.int64]:
    """Return the supports in the order of ``number``, 0 for an item that is not there."""
    supports = np.zeros(len(number), dtype=np.int64)
    supports[[number[item] for item in data.sets.vocabulary]] = data.supports
    return supports
