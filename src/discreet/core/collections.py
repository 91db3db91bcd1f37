"""Python's collections and matrices to sets; what would become letters is refused."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import is_whole
from discreet.core.itemsets import Itemsets
from discreet.errors import DataError, ParameterError
from discreet.io.frames import is_frame
from discreet.io.text import NUL_IN_ID, normalised


def records_of(
    records: Any, universe: Sequence[str] | None
) -> tuple[Itemsets, NDArray[np.str_] | None]:
    """Return the sets of a collection, and who they belong to where it is a mapping."""
    _refuse_letters(records)
    known = None if universe is None else names_of("universe", universe)
    if getattr(records, "ndim", None) == 2 and hasattr(records, "shape"):
        return _of_matrix(records, known), None
    ids = None
    if isinstance(records, Mapping):
        ids = ids_of([_person(person, record) for record, person in enumerate(records, start=1)])
        _refuse_namesakes(ids)
        records = records.values()
    return Itemsets.of(_tidied(records), known), ids


def names_of(role: str, items: Iterable[Any]) -> tuple[str, ...]:
    """Return the names of items that play a role, normalised; a number stands for its digits.

    >>> names_of("sensitive", [" beer", 7])
    ('beer', '7')
    """
    if isinstance(items, str | bytes) or not isinstance(items, Iterable):
        got = f"a text; one item is [{items!r}]" if isinstance(items, str) else "something else"
        msg = f"`{role}` must be a collection of items, got {got}"
        raise ParameterError(msg, parameter=role)
    listed = list(items)
    if not all(map(_is_name, listed)):
        raise ParameterError(f"`{role}` must hold texts, the names of items", parameter=role)
    return tuple(normalised(str(item)) for item in listed)


def _is_name(value: object) -> bool:
    return isinstance(value, str) or is_whole(value)


def _person(person: Any, record: int) -> str:
    """Return the id of a person; a number stands for its digits."""
    name = normalised(str(person)) if _is_name(person) else ""
    if not name:
        raise DataError(
            f"an id must be a text or a whole number, and that of record {record} is not"
        )
    return name


def _refuse_namesakes(ids: NDArray[np.str_]) -> None:
    """Refuse one id for two people, as names that differ by blanks alone are."""
    _, first = np.unique(ids, return_index=True)
    if len(first) < len(ids):
        again = int(np.setdiff1d(np.arange(len(ids)), first)[0])
        msg = f"people must have different ids, but record {again + 1} has an earlier one's id"
        raise DataError(msg)


def ids_of(names: list[str]) -> NDArray[np.str_]:
    """Return ids as an array, which would drop a NUL at the end of one."""
    for record, name in enumerate(names, start=1):
        if "\0" in name:
            raise DataError(f"record {record}: {NUL_IN_ID}")
    return np.array(names, dtype=np.str_)


def pairs_of(pairs: Any) -> list[tuple[str, str]]:
    """Return pairs of ids, normalised; a number stands for its digits."""
    if isinstance(pairs, str | bytes) or is_frame(pairs) or not isinstance(pairs, Iterable):
        msg = (
            "`pairs` must be pairs of ids such as [('Ann', 'Bob')], got a "
            f"{type(pairs).__name__}; of a frame hand over the rows of its two columns"
        )
        raise ParameterError(msg, parameter="pairs")
    ends = []
    for number, pair in enumerate(pairs, start=1):
        no_pair = isinstance(pair, str | bytes | Mapping) or not isinstance(pair, Iterable)
        listed = () if no_pair else tuple(pair)
        if len(listed) != 2 or not all(map(_is_name, listed)):
            msg = f"`pairs` must be two ids each, such as ('Ann', 'Bob'), and pair {number} is not"
            raise ParameterError(msg, parameter="pairs")
        ends.append((normalised(str(listed[0])), normalised(str(listed[1]))))
    return ends


def _refuse_letters(records: Any) -> None:
    """Refuse what is no collection of collections, with the way that was meant."""
    cure = None
    if isinstance(records, str | bytes):
        cure = "a text; read a file with Transactions.read"
    elif is_frame(records):
        cure = f"something of type {type(records).__name__}; use Transactions.from_frame"
    elif not isinstance(records, Iterable):
        cure = f"something of type {type(records).__name__}"
    if cure:
        msg = (
            f"`records` must be a collection of sets such as [{{'beer'}}, {{'bread'}}], got {cure}"
        )
        raise ParameterError(msg, parameter="records")


def _tidied(records: Iterable[Any]) -> Iterable[set[str]]:
    names: dict[Any, str] = {}
    for number, record in enumerate(records):
        if isinstance(record, str | bytes | Mapping) or not isinstance(record, Iterable):
            msg = (
                f"`records` must hold collections of items, and record {number + 1} is of "
                f"type {type(record).__name__}; a person with one item is ['beer']"
            )
            raise ParameterError(msg, parameter="records")
        try:
            named = {
                names[item] if item in names else _named(names, item, number) for item in record
            }
        except TypeError:  # what cannot be looked up is a collection
            msg = f"an item must be a text, and record {number + 1} holds a collection"
            raise DataError(msg) from None
        yield named


def _named(names: dict[Any, str], item: Any, number: int) -> str:
    """Return the name of an item that is new; a number stands for its digits."""
    if not _is_name(item):
        kind = type(item).__name__
        msg = f"an item must be a text, and record {number + 1} holds something of type {kind}"
        raise DataError(msg)
    name = normalised(str(item))
    if not name:
        raise DataError(f"an item must have a name, and record {number + 1} holds one without")
    return names.setdefault(item, name)


def _of_matrix(matrix: Any, universe: Sequence[str] | None) -> Itemsets:
    """Return the sets of a 0/1 matrix, dense or sparse: a row a person, a column an item."""
    if hasattr(matrix, "tocsr"):
        sparse = matrix.tocsr(copy=True)
        sparse.sum_duplicates()
        sparse.eliminate_zeros()
        values = sparse.data
        rows, items = np.repeat(np.arange(sparse.shape[0]), np.diff(sparse.indptr)), sparse.indices
    else:
        values = np.asarray(matrix)
        rows, items = np.nonzero(values)
    if not np.isin(values, (0, 1)).all():
        msg = "`records` must be a matrix of 0 and 1, and this one holds other numbers"
        raise ParameterError(msg, parameter="records")
    count, wide = matrix.shape
    names = tuple(universe) if universe is not None else tuple(map(str, range(wide)))
    if len(names) != wide:
        msg = f"`universe` must name each of the {wide} columns, got {len(names)} names"
        raise ParameterError(msg, parameter="universe")
    return Itemsets.of_pairs(rows, items, count, names)
