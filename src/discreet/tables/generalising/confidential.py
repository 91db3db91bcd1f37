"""Which classes to leave out so that nobody can tell which of them could not be published.

A class fails where more than one in m of its rows hold the same sensitive value. To leave out the
failing ones alone would say that they failed. So classes of the same size keep them company, drawn
without a look at who is in them, until no value is held by more than one in m of all those left
out. Soundness note 002 proves what this bounds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import Exact, exact
from discreet.core.microdata import GAP
from discreet.errors import InfeasibleError
from discreet.rng import Rng
from discreet.tables.folding import FoldedTable
from discreet.tables.generalising.generalisations import Generalisations
from discreet.tables.generalising.lattice import Node
from discreet.tables.promises.closeness import coded, counted


@dataclass(frozen=True, eq=False)
class Holdings:
    """How many rows of each class hold each sensitive value."""

    sizes: NDArray[np.int64]
    """How many rows each class has."""
    classes: NDArray[np.int64]
    """The class of each entry."""
    values: NDArray[np.int64]
    """The value of each entry; equal values of different attributes are different."""
    counts: NDArray[np.int64]
    """How many rows of the class hold the value."""

    attribute: NDArray[np.int64]
    """The attribute of each value."""
    known: NDArray[np.int64]
    """How many rows of each class have a value of each attribute, and no gap."""

    def over(self, m: int) -> NDArray[np.bool_]:
        """Whether more than one in m of the values of its class are this one, for each entry."""
        return m * self.counts > self.known[self.classes, self.attribute[self.values]]

    def excess(
        self, classes: NDArray[np.int64], values: NDArray[np.int64], m: int
    ) -> NDArray[np.int64]:
        """Return, for each of these classes and values, m times its rows less all known."""
        row, column = np.full(len(self.sizes), -1), np.full(int(self.values.max()) + 1, -1)
        row[classes], column[values] = np.arange(len(classes)), np.arange(len(values))
        here = (row[self.classes] >= 0) & (column[self.values] >= 0)
        excess = np.zeros((len(classes), len(values)), dtype=np.int64)
        excess[row[self.classes[here]], column[self.values[here]]] = m * self.counts[here]
        return excess - self.known[classes][:, self.attribute[values]]


def left_out(holdings: Holdings, m: int, order: NDArray[np.int64]) -> NDArray[np.bool_] | None:
    """Return which classes to leave out, with company in this order; None if there is too little.

    What happens to a class depends on its size, its values and its place in ``order`` only.
    """
    over = holdings.over(m)
    failing = np.zeros(len(holdings.sizes), dtype=np.bool_)
    failing[holdings.classes[over]] = True
    gone = failing.copy()
    for size in np.unique(holdings.sizes[failing]).tolist():
        alike = order[holdings.sizes[order] == size]
        # only a value that is too common in a failing class can be too common in all of them
        values = np.unique(holdings.values[over & (holdings.sizes[holdings.classes] == size)])
        company = _company(holdings.excess(alike, values, m), failing[alike])
        if company is None:
            return None
        gone[alike[company]] = True
    return gone


def _company(excess: NDArray[np.int64], failing: NDArray[np.bool_]) -> NDArray[np.int64] | None:
    """Return the first classes that make up for the failing ones, and none that is not needed."""
    total = excess[failing].sum(axis=0)
    if (total <= 0).all():
        return np.zeros(0, dtype=np.int64)
    good = np.flatnonzero(~failing)
    enough = (total + np.cumsum(excess[good], axis=0) <= 0).all(axis=1)
    if not enough.any():
        return None
    chosen = good[: int(np.argmax(enough)) + 1].tolist()
    total = total + excess[chosen].sum(axis=0)
    needed = []
    for each in chosen:
        if (total - excess[each] <= 0).all():
            total = total - excess[each]
        else:
            needed.append(each)
    return np.array(needed, dtype=np.int64)


def harmless_values(folded: FoldedTable) -> tuple[tuple[str, str], ...]:
    """Return attributes with a value that need no protection; not to have a value is one."""
    stated = folded.distinct.non_sensitive.items()
    declared = {(name, value) for name, values in stated for value in values}
    absent = {(f"{name}={value}", "0") for name, values in folded.bits.items() for value in values}
    return tuple(sorted(declared | absent))


def unlinkable(
    generalisations: Generalisations, node: Node, m: int, limit: Exact, rng: Rng
) -> NDArray[np.bool_]:
    """Return for each class of a node whether it is left out, or refuse."""
    holdings = _holdings(generalisations, node, harmless_values(generalisations.folded))
    order = rng.permutation(len(holdings.sizes))
    most = exact("suppression_limit", limit) * generalisations.folded.people
    nearest = 0
    for tried in range(m, 0, -1):
        gone = left_out(holdings, tried, order)
        if gone is None:
            continue
        gone |= holdings.sizes < generalisations.k
        if holdings.sizes[gone].sum() <= most and not gone.all():
            if tried == m:
                return gone
            nearest = tried
            break
    raise _refusal(m, nearest)


def _refusal(m: int, nearest: int) -> InfeasibleError:
    name = "`m_confidentiality`"
    would_do = f"the nearest {name} that would do is {nearest}"
    cure = would_do if nearest > 1 else f"no {name} would do"
    return InfeasibleError(
        f"some classes hold a sensitive value in more than one of {m} rows, and within the "
        "suppression limit too few classes of their sizes can be left out with them; "
        f"{cure}; a higher limit or a larger `k` may help as well",
        parameter="m_confidentiality",
    )


def _holdings(
    generalisations: Generalisations, node: Node, harmless: Sequence[tuple[str, str]]
) -> Holdings:
    groups, sizes = generalisations.lattice.classes(node)
    classes = groups[generalisations.lattice.records]
    chunks, first = [], 0
    known = np.zeros((len(sizes), len(generalisations.sensitive)), dtype=np.int64)
    attribute: list[int] = []
    for index, name in enumerate(generalisations.sensitive):
        column = generalisations.folded.distinct.table[name]
        names = sorted(column.unique().to_list())
        codes, count = coded(column, names)
        keys, counts = counted(classes * count + codes, generalisations.folded.counts)
        # what is left out for its size alone is left out unread
        valid = np.array([value != GAP for value in names])[keys % count]
        np.add.at(known[:, index], keys[valid] // count, counts[valid])
        attribute += [index] * count
        secret = np.array([(name, value) not in harmless for value in names])[keys % count] & valid
        secret &= sizes[keys // count] >= generalisations.k
        chunks.append(np.stack([keys // count, first + keys % count, counts])[:, secret])
        first += count
    entries = np.concatenate(chunks, axis=1)
    class_of, values, counts = (np.ascontiguousarray(row) for row in entries)
    return Holdings(sizes, class_of, values, counts, np.array(attribute, dtype=np.int64), known)
