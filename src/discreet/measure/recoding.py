"""What generalising and deleting items costs: penalties, divergences, association rules."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.hierarchy import Hierarchy
from discreet.core.itemsets import Itemsets
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.core.tree import leaf_counts

SMOOTHING = 0.5
"""What is added to each item's count before the divergences, so that none is infinite."""
CONFIDENCE = 0.5
SUPPORT = 0.01
"""Confidence and share of the people from which a pair of items counts as a rule."""

Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class Recoded:
    """Sets beside what was published of them."""

    original: Transactions
    """The private sets."""
    published: Itemsets
    """What is left of them, in the order of the release."""
    hierarchy: Hierarchy | None
    """What generalised items stand for."""

    @classmethod
    def of(
        cls, original: Transactions, release: Release[Any], hierarchy: Hierarchy | None
    ) -> "Recoded":
        """Put sets beside a release of them; what is sensitive is what the release says.

        Parameters
        ----------
        original
            The private sets.
        release
            What was published of them.
        hierarchy
            The tree whose names the release uses.

        Returns
        -------
        Recoded
            Both, ready to be compared.
        """
        named = release.sensitive
        people = original if named is None else replace(original, sensitive=named)
        return cls(original=people, published=release.content.sets, hierarchy=hierarchy)

    @property
    def secret(self) -> NDArray[np.bool_]:
        """Whether each original item is sensitive."""
        hidden = self.original.sensitive
        return np.array([item in hidden for item in self.original.universe], dtype=np.bool_)

    def ways(self) -> Iterator[tuple[Whole, NDArray[np.float64]]]:
        """Yield for each original item, step by step upwards, a published item and its penalty.

        The item itself costs nothing, one above it the share of the hierarchy's values that are
        not sensitive that hang below, whether or not they occur; -1 where there is no such item.
        """
        number = {name: index for index, name in enumerate(self.published.vocabulary)}
        tree = self.hierarchy
        known = tree.numbers if tree else {}
        leaves = self._harmless_below()
        harmless = max(1, int(leaves.max(initial=0)))
        name = list(self.original.universe)
        # a sensitive item is published as itself or not at all, also where the hierarchy lists it
        index = np.array([known.get(item, -1) for item in name], dtype=np.int64)
        index[self.secret] = -1
        penalty = np.zeros(len(name))
        while name:
            yield np.array([number.get(value, -1) for value in name], dtype=np.int64), penalty
            if tree is None or (index < 0).all():
                return
            index = np.where(index >= 0, tree.parents[index], -1)
            name = [tree.names[node] if node >= 0 else "" for node in index.tolist()]
            penalty = np.where(index >= 0, leaves[index], 0) / harmless

    def _harmless_below(self) -> Whole:
        """Return for each node of the hierarchy how many values below it are not sensitive."""
        tree = self.hierarchy
        if tree is None:
            return np.empty(0, dtype=np.int64)
        plain = [value not in self.original.sensitive for value in tree.values]
        return leaf_counts(tree.levels[plain], len(tree.names))


class Losses(NamedTuple):
    """What became of the occurrences of items in the original sets."""

    ncp: float
    """The normalised certainty penalty: 1 for what is deleted, 0 for what is left as it was."""
    occurrences: int
    """How many there were."""
    deleted: int
    """How many are gone."""
    generalised: int
    """How many are published as something more general."""
    sensitive: int
    """How many were of sensitive items."""
    sensitive_deleted: int
    """How many of these are gone."""


def losses(recoded: Recoded, records: Whole) -> Losses:
    """Return what became of each item of each person; ``records`` says who is behind each row.

    The penalty is summed over the original items, also where two of them become one symbol
    (the conventions of soundness note 004).

    Parameters
    ----------
    recoded
        The original and the release.
    records
        For each row its record.

    Returns
    -------
    Losses
        Penalty and deletions, each as a share.

    Examples
    --------
    >>> tree = Hierarchy.of_pairs([("a1", "A"), ("a2", "A"), ("A", "ALL"), ("b", "ALL")])
    >>> data = Transactions.of([["a1", "s"], ["a2", "b"]], sensitive=["s"])
    >>> published = Itemsets.of([["A", "b"], ["a1"]])
    >>> losses(Recoded(original=data, published=published, hierarchy=tree), np.array([1, 0]))[0]
    0.41666666666666663
    """
    data, shown = recoded.original, recoded.published
    wide = len(shown.vocabulary) + 1
    keys = np.sort(np.repeat(records, shown.sizes) * wide + shown.items)
    person = data.sets.rows
    cost = np.ones(len(data.items))
    left = np.ones(len(data.items), dtype=np.bool_)
    plain = np.zeros(len(data.items), dtype=np.bool_)
    for step, (symbol, penalty) in enumerate(recoded.ways()):
        wanted = np.where(symbol[data.items] >= 0, person * wide + symbol[data.items], -1)
        at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        hit = left & (keys[at] == wanted) if len(keys) else left & False
        cost[hit] = penalty[data.items[hit]]
        plain |= hit if step == 0 else False
        left &= ~hit
    secret = recoded.secret[data.items]
    return Losses(
        ncp=float(cost.mean()) if len(cost) else 0.0,
        occurrences=len(cost),
        deleted=int(left.sum()),
        generalised=int((~left & ~plain).sum()),
        sensitive=int(secret.sum()),
        sensitive_deleted=int((left & secret).sum()),
    )


def divergences(recoded: Recoded) -> tuple[float, float]:
    """Return Kullback and Leibler's divergence of the items, and Jensen and Shannon's, in nats.

    A generalised occurrence counts in equal parts for the items below it that are not sensitive;
    half an occurrence is added to each item on both sides.

    Parameters
    ----------
    recoded
        The original and the release.

    Returns
    -------
    (float, float)
        Kullback and Leibler's, then Jensen and Shannon's.
    """
    data, secret = recoded.original, recoded.secret
    number = {name: index for index, name in enumerate(data.universe)}
    harmless = {name: index for name, index in number.items() if not secret[index]}
    after = np.zeros(len(data.universe))
    counts = np.bincount(recoded.published.items, minlength=len(recoded.published.vocabulary))
    for name, count in zip(recoded.published.vocabulary, counts.tolist(), strict=True):
        below = [] if name in number else _below(recoded.hierarchy, name)
        indices = (
            [number[name]] if name in number else [harmless[x] for x in below if x in harmless]
        )
        after[indices] += count / max(len(indices), 1)
    p, q = (np.asarray(supports) + SMOOTHING for supports in (data.supports, after))
    p, q = p / p.sum(), q / q.sum()
    middle = (p + q) / 2
    shannon = (p * np.log(p / middle)).sum() / 2 + (q * np.log(q / middle)).sum() / 2
    return float((p * np.log(p / q)).sum()), float(shannon)


def _below(tree: Hierarchy | None, name: str) -> tuple[str, ...]:
    return tree.leaves(name) if tree and name in tree.numbers else ()


def association_rules(sets: Itemsets, *, support: float = SUPPORT) -> set[tuple[str, str]]:
    """Return the rules from one item to another that many people bear out.

    At least a share ``support`` of the people, and two of them, hold both, and half of those who
    hold the first.

    Parameters
    ----------
    sets
        A set a person.
    support
        The least share of people that hold both.

    Returns
    -------
    set of (str, str)
        What is held, and what follows.

    Examples
    --------
    >>> sorted(association_rules(Itemsets.of([["a", "b"]] * 2 + [["a"]] * 3), support=0.1))
    [('b', 'a')]
    """
    least = max(2, int(np.ceil(support * len(sets))))
    counts = np.bincount(sets.items, minlength=len(sets.vocabulary))
    often = np.flatnonzero(counts >= least)
    frequent = sets.over([sets.vocabulary[item] for item in often])
    matrix = frequent.matrix(np.int64)
    both = (matrix.T @ matrix).tocoo()
    sure = (both.row != both.col) & (both.data >= least)
    sure &= both.data >= CONFIDENCE * counts[often][both.row]
    names = frequent.vocabulary
    return {
        (names[body], names[head])
        for body, head in zip(both.row[sure], both.col[sure], strict=True)
    }


def rules_changed(recoded: Recoded) -> dict[str, int]:
    """Return how many association rules there were, are lost, and are new.

    Parameters
    ----------
    recoded
        The original and the release.

    Returns
    -------
    dict
        Three counts by name.
    """
    before = association_rules(recoded.original.sets)
    after = association_rules(recoded.published)
    return {
        "association_rules": len(before),
        "association_rules_lost": len(before - after),
        "association_rules_new": len(after - before),
    }


def recoding_measures(
    data: Transactions, release: Release[Transactions], *, key: LinkageKey | None = None
) -> dict[str, Any]:
    """Return what generalising and deleting cost; what became of each person's items by the key."""
    return measured(Recoded.of(data, release, release.content.applied), key)


def measured(recoded: Recoded, key: LinkageKey | None) -> dict[str, Any]:
    """Return all numbers about recoded sets."""
    kl, shannon = divergences(recoded)
    figures: dict[str, Any] = {"kl_divergence": kl, "jensen_shannon_divergence": shannon}
    figures |= rules_changed(recoded)
    if key is None:
        return figures
    records = key.records(len(recoded.published), len(recoded.original))
    lost = losses(recoded, records)
    return figures | {
        "ncp": lost.ncp,
        "deleted_share": lost.deleted / max(1, lost.occurrences),
        "generalised_share": lost.generalised / max(1, lost.occurrences),
        "sensitive_deleted": lost.sensitive_deleted,
        "sensitive_deleted_if_all_were": lost.sensitive,
        "deleted_share_if_all_sensitive_were": lost.sensitive / max(1, lost.occurrences),
    }
