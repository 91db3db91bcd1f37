"""From a release of generalised sets to tables of distances, and to the cells that go."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.generalised_sets import GeneralisedSets
from discreet.errors import ParameterError
from discreet.generalised.elimination.rules import Method, eliminate
from discreet.rng import Rng
from discreet.semantics import JointRelatedness, Relatedness

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Taken: TypeAlias = Literal["average", "conjunctive"]
Which: TypeAlias = Literal["rarest", "commonest", "random"]

_TAKEN: dict[str, Taken] = {"average": "average", "conjunctive": "conjunctive"}
_WHICH: dict[str, Which] = {"rarest": "rarest", "commonest": "commonest", "random": "random"}

Table: TypeAlias = tuple[int, NDArray[np.int64], NDArray[np.float64]]
"""A generalised item, the rows that hold it, and how far each of its members is from each row."""


@dataclass(frozen=True, slots=True)
class Context:
    """Which plain items of a transaction speak about its generalised items, and how.

    >>> Context.of("conjunctive,2,rarest")
    Context(taken='conjunctive', most=2, which='rarest')
    >>> Context.of("all")
    Context(taken='average', most=None, which='rarest')
    """

    taken: Taken = "average"
    """The mean of the distances of single items, or one distance from all of them together."""
    most: int | None = None
    """How many items at most; all of them by default."""
    which: Which = "rarest"
    """Which ones, where there are more: by how many published transactions hold them, or any."""

    @classmethod
    def of(cls, text: str) -> "Context":
        """Read what a person types: words and a number in any order, a comma between them."""
        taken: Taken = "average"
        which: Which = "rarest"
        most: int | None = None
        for word in (field.strip() for field in text.split(",")):
            if word in _TAKEN:
                taken = _TAKEN[word]
            elif word in _WHICH:
                which = _WHICH[word]
            elif word.isdecimal() and int(word) > 0:
                most = int(word)
            elif word != "all":
                msg = (
                    "`context` must be made of average or conjunctive, all or a number, and "
                    f"rarest, commonest or random, such as average,3,rarest; got {text!r}"
                )
                raise ParameterError(msg, parameter="context")
        return cls(taken, most, which)


@dataclass(frozen=True, slots=True, eq=False)
class Reconstruction:
    """What an attack takes for added: of which row, in which block, which member of it."""

    rows: NDArray[np.int64]
    """The row of each eliminated item."""
    blocks: NDArray[np.int64]
    """The number of the generalised item it stood in."""
    members: NDArray[np.int64]
    """Its place among the members of the generalised item."""
    confidence: NDArray[np.float64]
    """How far the evidence was above the threshold of its table."""
    attacked: NDArray[np.int64]
    """Rows and blocks that stood in some table, a pair in each row of this array."""
    known: tuple[NDArray[np.bool_], ...]
    """For each generalised item which of its members the measure of relatedness knows."""
    tables: int
    """How many tables of distances were attacked."""
    context: "csr_array"
    """Which context items were used for each row."""


class _Part(NamedTuple):
    """What was eliminated from one table."""

    rows: NDArray[np.int64]
    blocks: NDArray[np.int64]
    members: NDArray[np.int64]
    confidence: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Distances:
    """The distances of all generalised items of a release from the contexts of their rows."""

    tables: tuple["Table", ...]
    """For each generalised item its number, its rows, and how far its members are from each."""
    context: "csr_array"
    """Which plain items are the context of each row."""

    @classmethod
    def of(
        cls, content: GeneralisedSets, relatedness: Relatedness, context: Context, rng: Rng
    ) -> "Distances":
        """Ask for the distances of all members from the contexts beside them."""
        incidence = _contexts(content, context, rng)
        ask = _joint if context.taken == "conjunctive" else _averaged
        hidden = np.flatnonzero(~content.trivial).tolist()
        holders = _holders(content)
        return cls(
            tuple(
                (block, holders[block], ask(content, relatedness, incidence, block, holders[block]))
                for block in hidden
            ),
            incidence,
        )

    def with_prior(self, content: GeneralisedSets, counts: Mapping[str, float]) -> "Distances":
        """Return the distances with how common each member is beside them, in equal parts.

        Of both the mean is 1. A distance that is not known counts as the mean. Where no member is
        known to be commoner than another the distances stay as they are.
        """
        tables = []
        for block, rows, table in self.tables:
            supports = np.array([counts.get(item, 0.0) for item in content.blocks[block]])
            rarity = -np.log((supports + 0.5) / (supports + 0.5).sum())
            if supports.max(initial=0.0) > supports.min(initial=0.0):
                known = np.isfinite(table)
                mean = float(table[known].mean()) if known.any() else 0.0
                beside = np.where(known, table / mean, 1.0) if mean > 0 else np.ones(table.shape)
                table = (beside + rarity / rarity.mean()) / 2
            tables.append((block, rows, table))
        return Distances(tuple(tables), self.context)


def reconstruct(distances: Distances, how: Method, rng: Rng, *, most_rows: int) -> Reconstruction:
    """Attack every generalised item of a release over its whole group of transactions.

    A group larger than ``most_rows`` is attacked in several tables of about equal size. A row of
    which no context item is known, and a member that is not known, stand in no table.
    """
    results, attacked, tables = [], [], 0
    known: list[NDArray[np.bool_]] = []
    for block, rows, table in distances.tables:
        finite = np.isfinite(table)
        known.append(np.any(finite, axis=0))
        usable, columns = np.flatnonzero(finite.any(axis=1)), np.flatnonzero(known[-1])
        if len(columns) < 2:
            continue
        attacked.append(np.column_stack([rows[usable], np.full(len(usable), block)]))
        for piece in np.array_split(usable, max(1, -(-len(usable) // most_rows))):
            gone = eliminate(table[np.ix_(piece, columns)], how, rng)
            tables += 1
            results.append(
                _Part(
                    rows[piece[gone.rows]],
                    np.full(len(gone), block, dtype=np.int64),
                    columns[gone.columns],
                    gone.confidence,
                )
            )
    none = np.empty(0, dtype=np.int64)
    results.append(_Part(none, none, none, np.empty(0)))
    pairs = np.concatenate([np.empty((0, 2), dtype=np.int64), *attacked])
    return Reconstruction(
        rows=np.concatenate([result.rows for result in results]),
        blocks=np.concatenate([result.blocks for result in results]),
        members=np.concatenate([result.members for result in results]),
        confidence=np.concatenate([result.confidence for result in results]),
        attacked=pairs,
        known=tuple(known),
        tables=tables,
        context=distances.context,
    )


def _contexts(content: GeneralisedSets, context: Context, rng: Rng) -> "csr_array":
    """Return rows x blocks: which plain items are the context of each row."""
    from scipy.sparse import csr_array

    sets = content.sets
    plain = content.trivial[sets.items]
    rows = sets.rows[plain]
    items = sets.items[plain].astype(np.int64)
    if context.most is not None:
        key = rng.permutation(len(items))
        if context.which != "random":
            support = content.supports[items]
            key = support if context.which == "rarest" else -support
        order = np.lexsort((items, key, rows))
        rows, items = rows[order], items[order]
        starts = np.searchsorted(rows, rows)
        retained = np.arange(len(rows)) - starts < context.most
        rows, items = rows[retained], items[retained]
    ones = np.ones(len(rows))
    return csr_array((ones, (rows, items)), shape=(len(sets), len(content.blocks)))


def _averaged(
    content: GeneralisedSets,
    relatedness: Relatedness,
    incidence: "csr_array",
    block: int,
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the mean distance of each member from the known context items of each row."""
    beside = incidence[rows]
    used, columns = np.unique(beside.indices, return_inverse=True)
    beside.indices = columns.astype(beside.indices.dtype)
    beside.resize((len(rows), len(used)))
    terms = [content.blocks[number][0] for number in used.tolist()]
    asked = relatedness.distances(terms, content.blocks[block])
    known = np.isfinite(asked)
    sums = beside @ np.where(known, asked, 0.0)
    count = beside @ known.astype(np.float64)
    mean = np.full(sums.shape, np.nan)
    np.divide(sums, count, out=mean, where=count > 0)
    return mean


def _joint(
    content: GeneralisedSets,
    relatedness: Relatedness,
    incidence: "csr_array",
    block: int,
    rows: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the distance of each member from the whole context of each row."""
    if not isinstance(relatedness, JointRelatedness):
        msg = (
            "a conjunctive context needs a measure of whole contexts: ngd over a corpus, or vectors"
        )
        raise ParameterError(msg, parameter="context")
    contexts = [
        [content.blocks[number][0] for number in incidence.indices[start:end]]
        for start, end in zip(incidence.indptr[rows], incidence.indptr[rows + 1], strict=True)
    ]
    return relatedness.joint_distances(contexts, content.blocks[block])


def _holders(content: GeneralisedSets) -> list[NDArray[np.int64]]:
    """Return for each block the rows that hold it."""
    starts, positions = content.sets.by_item
    return np.split(content.sets.rows[positions], starts[1:-1])
