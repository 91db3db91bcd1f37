"""Whether the data laid beside a release are those it was made from, told by the owner's key.

The key keeps a secret, a digest of each record under it, how the data were read, and digests of
the release and of its manifest. Another file, another order, other ids or another reading give
other digests.
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.graph import Network
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork, people_of
from discreet.core.publication import LinkageKey
from discreet.core.release import Content, Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.kernels.ragged import offsets_of
from discreet.lazy import pl

TRUTH = "truth"
"""The fact of a key that says how the data were read, and the secret of the digests."""
DIGESTS = "digests"
"""The table of a key with the digest of each record, in their order."""
ANOTHER = "the key must be that of this release, and it is that of another"
CHANGED = (
    "the manifest must be as it was when the key was written, and it was changed since: what is "
    "promised, or how it was made"
)
Words: TypeAlias = NDArray[np.uint64]


def with_truth(
    key: LinkageKey | None,
    data: Any,
    release: Release[Any],
    choices: Mapping[str, Any],
    before: LinkageKey | None = None,
) -> LinkageKey:
    """Return the key with what later tells whether data are those that were published.

    ``choices`` are those of the reading: roles, missing-policy, discretisation and the like;
    ``before`` is the key of the release before, where this one takes its place.
    """
    key = LinkageKey({}, {}) if key is None else key
    if not isinstance(data, Transactions | Microdata | SocialNetwork | Network):
        return key
    secret = secrets.token_bytes(32)
    first, second = record_digests(data, secret).T
    facts = {
        "noun": type(data).__name__,
        "secret": secret.hex(),
        "choices": dict(choices),
        "release": release.content_digest,
        "manifest": manifest_digest(release),
        "ids": _ids_digest(data, secret),
        "earlier": _releases_of(before),
    }
    table = pl.DataFrame({"first": first, "second": second})
    return LinkageKey({**key.tables, DIGESTS: table}, {**key.facts, TRUTH: facts})


def _releases_of(key: LinkageKey | None) -> list[str]:
    """Return the digests of the releases that a key is of, oldest first."""
    facts = key.facts.get(TRUTH) if key else None
    return [*facts.get("earlier", ()), facts["release"]] if facts else []


def choices_in(key: LinkageKey | None) -> dict[str, Any]:
    """Return how the data were read that a key is about; nothing where it does not say."""
    facts = key.facts.get(TRUTH) if key else None
    return dict(facts["choices"]) if facts else {}


def knows_its_release(key: LinkageKey | None) -> bool:
    """Whether a key says which content it is of, so that it is refused beside any other."""
    return key is not None and TRUTH in key.facts


def names_rows_of(key: LinkageKey | None, release: Release[Any]) -> bool:
    """Whether the rows that a key names are those of this release, for all that it says.

    A key that is written anew with every release of a series names the rows of the last one only.

    Parameters
    ----------
    key
        The owner's key, if there is one.
    release
        Whose rows they should be.

    Returns
    -------
    bool
        False without a key, and where it says that it was written with another release.
    """
    facts = key.facts.get(TRUTH) if key else None
    return key is not None and (facts is None or facts["release"] == release.content_digest)


def refuse_key_of_another(key: LinkageKey | None, release: Release[Any]) -> None:
    """Refuse the key of another release, where the key says which it is of.

    A key that is written anew with every release of a series is that of the earlier ones too.

    Parameters
    ----------
    key
        The owner's key, if there is one.
    release
        What it must belong to.

    Raises
    ------
    DataError
        Where it belongs to another.
    """
    facts = key.facts.get(TRUTH) if key else None
    if facts is None:
        return
    if release.content_digest not in (facts["release"], *facts.get("earlier", ())):
        raise DataError(ANOTHER)
    if release.content_digest == facts["release"]:
        _refuse_changed(facts, release)


def confirmed(key: LinkageKey | None, data: Any, release: Release[Any]) -> bool:
    """Whether the key shows that ``data`` were published as ``release``; False where it is silent.

    Other data than those, or the key of another release, are refused.
    """
    facts = key.facts.get(TRUTH) if key else None
    if key is None or facts is None or DIGESTS not in key.tables:
        return False
    if facts["release"] != release.content_digest:
        raise DataError(ANOTHER)
    _refuse_changed(facts, release)
    if facts["noun"] != type(data).__name__:
        return False
    rows = key.tables[DIGESTS].select("first", "second").to_numpy()
    if len(rows) != len(data):
        msg = (
            f"the data must be those that were published, with {len(rows):,} records as they were "
            f"read then, and there are {len(data):,}; name the file that was published, without "
            "options for reading"
        )
        raise DataError(msg)
    differs = (rows != record_digests(data, bytes.fromhex(facts["secret"]))).any(axis=1)
    if differs.any():
        index = int(np.flatnonzero(differs)[0]) + 1
        msg = (
            f"the data must be those that were published, in the same order, and {differs.sum():,} "
            f"records differ, record {index} first; name the file that was published, unchanged"
        )
        raise DataError(msg)
    if facts.get("ids") not in (None, _ids_digest(data, bytes.fromhex(facts["secret"]))):
        raise DataError("the people must have the ids that they had when the data were published")
    return True


def _refuse_changed(facts: Mapping[str, Any], release: Release[Any]) -> None:
    """Refuse a manifest that was changed, where the key of this very release knows it."""
    if facts.get("manifest") not in (None, manifest_digest(release)):
        raise DataError(CHANGED)


def manifest_digest(release: Release[Any]) -> str:
    """Return a hash of what a release promises and says of how it was made."""
    # once through a file, after which numbers as names are texts
    plain = json.loads(json.dumps(release.record()))
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def _ids_digest(data: Any, secret: bytes) -> str | None:
    """Return a hash of who the records are, in their order; None where nobody is named."""
    people = people_of(data)
    if not isinstance(people, Transactions) or people.ids is None:
        return None
    return hashlib.blake2b(_hashes(map(str, people.ids), secret).tobytes(), key=secret).hexdigest()


def record_digests(data: Any, secret: bytes) -> Words:
    """Return two words for each record that nobody without the secret can make or read.

    A record's digest is the sum of the keyed hashes of what it holds, so that no record is looked
    at by itself.
    """
    match data:
        case Transactions():
            return _of_sets(data, secret)
        case Microdata():
            return _of_table(data, secret)
        case SocialNetwork():
            return _of_sets(data.people, secret) + _of_edges(data.edges, len(data), secret)
        case _:
            return _of_graph(data, secret)


def _hashes(texts: Iterable[str], secret: bytes) -> Words:
    digests = b"".join(
        hashlib.blake2b(text.encode(), key=secret, digest_size=16).digest() for text in texts
    )
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64).reshape(-1, 2)


def _sums(values: Words, offsets: NDArray[np.int64]) -> Words:
    """Return the sums of runs of ``values``, modulo the size of a word."""
    running = np.zeros((len(values) + 1, 2), dtype=np.uint64)
    np.cumsum(values, axis=0, out=running[1:])
    return running[offsets[1:]] - running[offsets[:-1]]


def _of_sets(data: Transactions, secret: bytes) -> Words:
    return _sums(_hashes(data.universe, secret)[data.items], data.offsets)


def _of_table(data: Microdata, secret: bytes) -> Words:
    total = np.zeros((len(data), 2), dtype=np.uint64)
    for name in data.table.columns:
        cells = data.table[name]
        values = cells.unique()
        codes = cells.replace_strict(values, np.arange(len(values)), return_dtype=pl.Int64)
        total += _hashes((f"{name}\x00{value}" for value in values), secret)[codes.to_numpy()]
    return total


def _of_graph(data: Network, secret: bytes) -> Words:
    """Return the digests of named nodes with their neighbours, sorted: edges have no order."""
    if data.ids is None:
        return _of_edges(data.edges, len(data), secret)
    names = _hashes(data.ids.tolist(), secret)
    digests = names * np.uint64(3) + _of_edges(data.edges, len(data), secret, names)
    return digests[np.lexsort(digests.T)]


def _of_edges(
    edges: NDArray[np.int64], count: int, secret: bytes, names: Words | None = None
) -> Words:
    numbered = (f"node {number}" for number in range(count))
    node = _hashes(numbered, secret) if names is None else names
    ends = np.concatenate([edges, edges[:, ::-1]])
    order = np.argsort(ends[:, 0], kind="stable")
    return _sums(node[ends[order, 1]], offsets_of(np.bincount(ends[:, 0], minlength=count)))


def content_digest(content: Content) -> str:
    """Return a hash of what a release says, whatever the format it was written in."""
    digest = hashlib.sha256()
    for name, table in sorted(content.tables().items()):
        digest.update(f"{name}:{table.height}".encode())
        # a tree is the same in whatever order its names are told
        table = table.sort("child") if table.columns == ["child", "parent"] else table
        for column in table.get_columns():
            _add(digest, column)
    return digest.hexdigest()


def _add(digest: Any, column: "pl.Series") -> None:
    digest.update(f"\x1e{column.name}".encode())
    if column.dtype.base_type() == pl.List:
        sizes = column.list.len().cast(pl.Int64).to_numpy()
        digest.update(sizes.tobytes())
        inside = column.explode(empty_as_null=False)
        if inside.dtype.base_type() != pl.List:
            # the items of a set in the same order, whatever order a file or the data gave them
            rows = np.repeat(np.arange(len(sizes)), sizes)
            ordered = pl.DataFrame({"row": rows, "item": inside}).sort("row", "item")
            inside = ordered["item"].alias(inside.name)
        _add(digest, inside)
    elif column.dtype == pl.String:
        digest.update("\x1f".join(column.fill_null("\x00").to_list()).encode())
    else:
        digest.update(column.fill_null(-1).to_numpy().tobytes())
