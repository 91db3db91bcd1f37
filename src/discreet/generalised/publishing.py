"""From a partition of items to a release of generalised sets, or a refusal that says a way out."""

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.core.constraints import Constraints
from discreet.core.exact import exact
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import ConstraintSupport, Guarantee
from discreet.core.itemsets import numbering
from discreet.core.publication import LinkageKey, Publication
from discreet.core.publisher import manifest_of
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError, InfeasibleError
from discreet.generalised.constraining import privacy_of, utility_of
from discreet.generalised.constraint_search import Generalising, asked_of, groups_of, rows_of
from discreet.generalised.kernels.rare_sets import recoded
from discreet.rng import Rng

if TYPE_CHECKING:
    from discreet.generalised.merging import Merging


__all__ = ["generalised", "promised", "published_rows", "shuffled"]


def promised(method: "Merging") -> tuple[Guarantee, ...]:
    """Return what a release of this method promises: nothing where constraints may be left."""
    return (ConstraintSupport(k=method.k),) if method.rounds == "all" else ()


def generalised(
    method: "Merging", name: str, data: Transactions, rng: Rng, *, every: bool
) -> Publication[GeneralisedSets]:
    """Publish ``data`` with the constraints met; ``every`` block of one seeks a partner, or one."""
    if not len(data):
        msg = "data to publish must hold at least one record, got none"
        raise DataError(msg)
    constraints = privacy_of(method, data, rng)
    task = _Task(method, data, constraints, every=every)
    blocks = task.partition()
    content, rows = published_rows(data, blocks, rng)
    release = Release(content, promised(method), manifest_of(method, name, rng))
    return Publication(release, _kept(rows, constraints, method.k, data))


class _Task:
    """One publication: constraints as numbers, and how to meet them."""

    def __init__(
        self, method: "Merging", data: Transactions, constraints: Constraints, *, every: bool
    ) -> None:
        number = numbering(data.universe)
        self.method, self.items, self.every = method, len(data.universe), every
        self.rows = rows_of(data.folded)
        self.groups = utility_of(method, data, constraints)
        # an item that nobody has fits nobody, whatever is merged
        self.itemsets = [[number[item] for item in p if item in number] for p in constraints]
        self.constraints = constraints

    def partition(self) -> NDArray[np.int64]:
        """Return the first member of each item's block, -1 for a suppressed item."""
        share = exact("suppress", self.method.suppress) / 100
        failed, work = self._met(self.method.k, share)
        if failed is None:
            return work.blocks.block
        # what is suppressed on the way and comes back at the end does not count
        _, free = self._met(self.method.k, Fraction(1))
        gone = free.blocks.block < 0
        need = max((Fraction(int(gone[g].sum()), len(g)) for g in self.groups), default=Fraction(0))
        if need <= share:
            return free.blocks.block
        raise self._refusal(failed, need)

    def _met(self, k: int, share: Fraction) -> tuple[int | None, Generalising]:
        work = Generalising(self.rows)
        least = [support for _, support in self.constraints.needs(k)]
        asked = asked_of(self.itemsets, least, self.items)
        groups = groups_of(self.groups, self.items, share)
        once = self.method.rounds == "once"
        failed = work.meet(asked, groups, every=self.every, once=once)
        if failed is None and not once:
            work.tighten(asked, groups, members=self.method.undo == "members")
        return failed, work

    def _refusal(self, failed: int, need: Fraction) -> InfeasibleError:
        """Say which constraint cannot be met, and the nearest choices with which all can be."""
        ways = [f"`suppress` {-(-need * 100 // 1)}"]
        if (lower := self._largest_k()) > 0:
            ways.append(f"`k` {lower}")
        msg = (
            f"constraint {failed + 1} cannot be met within the utility sets when at most "
            f"{self.method.suppress} percent of a set may be suppressed; it can with "
            f"{' or with '.join(ways)}"
        )
        return InfeasibleError(msg, parameter="suppress")

    def _largest_k(self) -> int:
        """Return a k below the one chosen that works, found by halving; 0 if none does."""
        share = exact("suppress", self.method.suppress) / 100
        works, fails = 0, self.method.k
        while fails - works > 1:
            middle = (works + fails) // 2
            if self._met(middle, share)[0] is None:
                works = middle
            else:
                fails = middle
        return works


def shuffled(
    data: Transactions, label: NDArray[np.int64], width: int, rng: Rng
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Return the records in random order under new labels: offsets, labels, record numbers."""
    order = rng.permutation(len(data))
    mixed = data.sets.take(order)
    offsets, labels = recoded(mixed.offsets.copy(), mixed.items.copy(), label, width)
    return offsets, labels, order


def published_rows(
    data: Transactions, block: NDArray[np.int64], rng: Rng
) -> tuple[GeneralisedSets, NDArray[np.int64]]:
    """Return the records with each item replaced by its block, shuffled, and who is behind them."""
    # a block that nobody holds has no place in the release
    held = np.zeros(len(block) + 1, dtype=np.bool_)
    np.logical_or.at(held, block, data.supports > 0)
    members: dict[int, list[str]] = {}
    for item, first in zip(data.universe, block.tolist(), strict=True):
        if first >= 0 and held[first]:
            members.setdefault(first, []).append(item)
    blocks = sorted((tuple(sorted(names)), first) for first, names in members.items())
    place = np.full(len(block) + 1, -1, dtype=np.int64)
    place[[first for _, first in blocks]] = np.arange(len(blocks))
    label = place[np.where(block < 0, len(block), block)]
    offsets, labels, order = shuffled(data, label, len(blocks), rng)
    return GeneralisedSets.named(offsets, labels, tuple(names for names, _ in blocks)), order


def _kept(
    rows: NDArray[np.int64], constraints: Constraints, k: int, data: Transactions
) -> LinkageKey:
    import polars as pl

    needs = list(constraints.needs(k))
    held = {item for item, people in zip(data.universe, data.supports, strict=True) if people}
    # a name that was split at its space, or misspelt, protects nobody: the owner must hear of it
    unheld = len(set(constraints.items) - held)
    return LinkageKey(
        {
            "rows": pl.DataFrame({"row": np.arange(len(rows)), "record": rows}),
            "constraints": pl.DataFrame(
                {"items": [list(items) for items, _ in needs], "least": [n for _, n in needs]},
                schema={"items": pl.List(pl.String), "least": pl.Int64},
            ),
        },
        {"report": {"items of constraints that nobody has": unheld}} if unheld else {},
    )
