"""The papers' data by name: ``dataset:msnbc`` wherever a file is taken.

The files lie in the folder that the environment variable ``DISCREET_DATA`` names. Checksum and
counts are checked on reading, so a number in a report is a number about these very data.
"""

import os
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np

from discreet.errors import DataError
from discreet.io.grouping import Sets
from discreet.io.source import sha256_of_file
from discreet.lazy import pl

PREFIX = "dataset:"
"""What a source begins with that names a data set and not a file."""

FOLDER = "DISCREET_DATA"
"""The environment variable that names the folder of the data."""

Kind = Literal["sets", "table", "edges"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A published data set: its file, and what must be found in it."""

    name: str
    """How a person asks for it."""
    kind: Kind
    """Sets of items, a table, or edges."""
    file: str
    """Its name in the data folder."""
    sha256: str
    """The checksum of the file as it lies there."""
    records: int
    """How many records (of a table or of edges: rows) there are."""
    items: int
    """How many items occur; of a table: how many columns there are."""
    input_format: str = ""
    """The set format of the file."""
    columns: tuple[tuple[str, str], ...] = ()
    """Which column plays which part, where the file has a header."""
    universe: tuple[str, ...] = field(default=(), repr=False)
    """The documented items; where empty, the items of the published file."""


def _numbers(last: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, last + 1))


DATASETS = (
    Dataset(
        name="nltcs",
        kind="sets",
        file="nltcs.dat.gz",
        sha256="2487cac15c06c6a54a1e6ab193b02d066edebadd23e358df1fa471c02e01a289",
        records=17_721,
        items=16,
        input_format="fimi",
        universe=_numbers(16),
    ),
    Dataset(
        name="nltcs-all",
        kind="sets",
        file="nltcs.csv.gz",
        sha256="22416f252a71f4aa48493c15f9ebdec74b4364a363d805679087187eda440f09",
        records=21_574,
        items=16,
        input_format="matrix",
        universe=_numbers(16),
    ),
    Dataset(
        name="msnbc",
        kind="sets",
        file="msnbc990928.seq.gz",
        sha256="4bb5baf2a17e30467306340594d99b62faacd41731336e1a8357bccb864ecf5f",
        records=989_818,
        items=17,
        input_format="seq",
        universe=_numbers(17),
    ),
    Dataset(
        name="bms1",
        kind="sets",
        file="bms1.dat.gz",
        sha256="8b609d091a3dd085cf5139c39fe1eb30e16d0f2a38ce861f3432380fb60b59fa",
        records=59_602,
        items=497,
        input_format="fimi",
    ),
    Dataset(
        name="bms2",
        kind="sets",
        file="bms2.dat.gz",
        sha256="238006e0388288eab2ec2d9e40700134909e5fe4f9b8ae412e9bac9b9d6e86f5",
        records=77_512,
        items=3_340,
        input_format="fimi",
    ),
    Dataset(
        name="checkin",
        kind="sets",
        file="checkin_fourcity.dat.gz",
        sha256="9038bab66581cdb323dcc51e84262976a74fda1c874a319acd4feafbb4d5fd34",
        records=5_191,
        items=466,
        input_format="fimi",
    ),
    Dataset(
        name="lastfm",
        kind="sets",
        file="lastfm_user_artists.tsv.gz",
        sha256="275e6aa05f94b3df2857504652a957f9fbb6b1cdcfc404a0ccbc5eadd76c392b",
        records=1_892,
        items=17_632,
        input_format="long",
        columns=(("id", "userID"), ("item", "artistID")),
    ),
    Dataset(
        name="lastfm-friends",
        kind="edges",
        file="lastfm_user_friends.tsv.gz",
        sha256="8e0ffc162038207fd6f932613e782852d9cf3706f699a1d4b2ddd2567b8100fb",
        records=25_434,
        items=2,
        columns=(("source", "userID"), ("target", "friendID")),
    ),
    Dataset(
        name="adult",
        kind="table",
        file="adult.csv.gz",
        sha256="fe24177a5b0df1874e6afc5748b7d9e547ca25880a84c4310f39b7ccf1b0da37",
        records=32_561,
        items=15,
    ),
    Dataset(
        name="adult-arx",
        kind="table",
        file="adult_arx_9attr.csv.gz",
        sha256="83b32cc69faece06c627794038d66d8ffe9e80fcd56e39986a4abd83a1239000",
        records=30_162,
        items=9,
    ),
    Dataset(
        name="census-income",
        kind="table",
        file="census_income_kdd_test.csv.gz",
        sha256="64be73efc589c215b1ccee197a02243e972937895ab2651fb363ed1d387fd3d7",
        records=99_762,
        items=42,
    ),
)
"""What is known by name; the sources, terms of use and counts are those of the data folder."""


def names(*kinds: Kind) -> tuple[str, ...]:
    """Return the names of the data sets, all of them or those of some kinds."""
    return tuple(data.name for data in DATASETS if not kinds or data.kind in kinds)


def is_dataset(source: str | Path) -> bool:
    """Whether ``source`` names a data set and not a file.

    >>> is_dataset("dataset:msnbc"), is_dataset("baskets.dat")
    (True, False)
    """
    return str(source).startswith(PREFIX)


def source_path(source: str | Path) -> Path:
    """Return the file that ``source`` names, be it a path or ``dataset:`` and a name."""
    return dataset_path(str(source)) if is_dataset(source) else Path(source)


def columns_of(source: str | Path) -> dict[str, str]:
    """Return which column plays which part in a named data set; nothing for a file.

    >>> columns_of("dataset:lastfm-friends"), columns_of("friends.tsv")
    ({'source': 'userID', 'target': 'friendID'}, {})
    """
    return dict(_known(str(source)).columns) if is_dataset(source) else {}


def dataset_path(name: str) -> Path:
    """Return the file of a data set after checking its checksum."""
    data = _known(name)
    folder = os.environ.get(FOLDER, "")
    if not folder:
        msg = (
            f"the data set {data.name} is looked up in the folder that {FOLDER} names, which is "
            f"not set; set it to the folder that holds {data.file}"
        )
        raise DataError(msg)
    path = Path(folder) / data.file
    try:
        state = path.stat()
        checksum = _sha256(path, state.st_mtime_ns, state.st_size)
    except OSError as error:
        msg = (
            f"the data set {data.name} must be in {data.file} in the folder that {FOLDER} names, "
            f"and cannot be read there: {error.strerror}; put it there or set {FOLDER}"
        )
        raise DataError(msg) from None
    if checksum != data.sha256:
        msg = (
            f"the data set {data.name} must be the published file, but {data.file} has "
            f"another checksum ({checksum[:12]}... for {data.sha256[:12]}...); fetch it again"
        )
        raise DataError(msg)
    return path


def read_dataset(name: str) -> Sets:
    """Read a data set of sets, over its public universe, its counts checked."""
    from discreet.io.sets import read_sets

    data = _of_kind(name, "sets")
    read = read_sets(dataset_path(name), input_format=data.input_format, columns=dict(data.columns))
    items = int(np.count_nonzero(np.bincount(read.items)))
    _refuse_counts(data, len(read.offsets) - 1, items, "items")
    return _over(read, data.universe) if data.universe else read


def _over(read: Sets, universe: tuple[str, ...]) -> Sets:
    """Return the sets with their items as the data's documents number and call them."""
    called = [item.removeprefix("item") for item in read.vocabulary]
    if tuple(called) == universe:
        return read._replace(vocabulary=universe)
    number = {item: index for index, item in enumerate(universe)}
    unknown = [item for item in called if item not in number]
    if unknown:
        msg = f"the data set must hold documented items only, and {unknown[0]!r} is not documented"
        raise DataError(msg)
    records = np.repeat(np.arange(len(read.offsets) - 1), np.diff(read.offsets))
    items = np.array([number[item] for item in called], dtype=np.int32)[read.items]
    return Sets(read.offsets, items[np.lexsort((items, records))], universe)


def read_dataset_table(name: str) -> "pl.DataFrame":
    """Read a table or an edge file as text, its counts checked."""
    from discreet.io.table import read_table

    data = _of_kind(name, "table", "edges")
    table = read_table(dataset_path(name))
    _refuse_counts(data, table.height, table.width, "columns")
    return table


def universe_of(name: str) -> tuple[str, ...]:
    """Return the public universe that a data set carries.

    NLTCS and MSNBC have documented item lists. For the others it is the items of the published
    file: the data set is public as a whole, hence so are its items.
    """
    return _of_kind(name, "sets").universe or read_dataset(name).vocabulary


def _known(name: str) -> Dataset:
    name = name.removeprefix(PREFIX)
    for data in DATASETS:
        if data.name == name:
            return data
    near = get_close_matches(name.lower(), names(), n=3, cutoff=0.5)
    msg = f"there is no data set {name!r}; " + (
        f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names())}"
    )
    raise DataError(msg)


def _of_kind(name: str, *kinds: Kind) -> Dataset:
    data = _known(name)
    if data.kind not in kinds:
        msg = (
            f"the data set {data.name} is of kind {data.kind} and is taken here only where it is "
            f"of kind {' or '.join(kinds)}: {', '.join(names(*kinds))}"
        )
        raise DataError(msg)
    return data


def _refuse_counts(data: Dataset, records: int, items: int, things: str) -> None:
    if (records, items) != (data.records, data.items):
        msg = (
            f"the data set {data.name} must have {data.records:,} records and {data.items:,} "
            f"{things}, got {records:,} and {items:,}"
        )
        raise DataError(msg)


@lru_cache
def _sha256(path: Path, changed: int, size: int) -> str:  # noqa: ARG001 (a changed file is another file)
    return sha256_of_file(path)
