"""The people behind published tables, as claims about them can be checked."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.core.itemsets import Itemsets
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.lazy import pl
from discreet.tables.promises.closeness import coded
from discreet.tables.published.sets import block_name


def published_facts(
    truth: Microdata, release: Release[ProjectedTables], key: LinkageKey | None
) -> Transactions:
    """Return each record as a set of facts: its sensitive values, and how it was published.

    The key says which record is behind which row, whence the generalised quasi-identifiers; the
    sensitive values are those of the private data. A record that was left out has no published
    quasi-identifiers. Claims about tables are made of such facts, so ``score`` can score them.

    Parameters
    ----------
    truth
        The original table.
    release
        The release.
    key
        The owner's key, if there is one.

    Returns
    -------
    Transactions
        A set of facts for each record, by its id.
    """
    if key is None:
        msg = (
            "claims about tables are scored through the owner's linkage key; name its file as `key`"
        )
        raise DataError(msg, parameter="key")
    people = truth.bitmap
    everyone = np.arange(len(people), dtype=np.int64)
    columns = [(everyone, people.table[name]) for name in people.sensitive]
    for number, table in enumerate(release.content.parts, start=1):
        records = key.records(table.height, len(people), f"rows_{number}")
        columns += [(records, table[name]) for name in release.content.qids]
        if release.content.set_column in table.columns:
            rows, numbers, blocks = release.content.blocks
            names = pl.Series(release.content.set_column, list(map(block_name, blocks)), pl.String)
            columns.append((records[rows], names.gather(numbers)))
    return _sets(columns, len(people))


def _sets(columns: "Sequence[tuple[NDArray[np.int64], pl.Series]]", people: int) -> Transactions:
    """Return for each person the facts ``NAME=VALUE`` of all columns, each once."""
    facts: dict[str, int] = {}
    holders, items = [], []
    for records, column in columns:
        values = sorted(column.unique().to_list())
        numbers = [facts.setdefault(f"{column.name}={value}", len(facts)) for value in values]
        holders.append(records)
        items.append(np.array(numbers, dtype=np.int64)[coded(column, values)[0]])
    pairs = np.concatenate(holders), np.concatenate(items)
    return Transactions(Itemsets.of_pairs(*pairs, people, tuple(facts)))
