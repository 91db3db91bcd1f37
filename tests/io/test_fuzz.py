"""Whatever the bytes are, a reader gives transactions or one sentence, never anything else."""

import gzip
import io
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from discreet.core.transactions import Transactions
from discreet.errors import DataError


def _parquet(**columns: object) -> bytes:
    file = io.BytesIO()
    pl.DataFrame(columns).write_parquet(file)
    return file.getvalue()


def _excel(**columns: object) -> bytes:
    file = io.BytesIO()
    pl.DataFrame(columns).write_excel(file)
    return file.getvalue()


SOUND = {
    "a.dat": b"1 2 3\n\n4 5\r\n 6\t7 \n",
    "a.seq": b"% header\r\n\r\nnews\r\n1 2 \r\n\r\n3\r\n",
    "long.csv": b'id,item,more\n1,"a, ""b""",x\n2,c,\n\n1,"d\ne",y\n3,,z\n',
    "long.tsv": b'id\titem\n1\ta\n2\t"b\n',
    "lists.csv": b'id;items\n1;a|b\n2;"[""c"", 4]"\n3;\n',
    "one.csv": b'items\na|b\n\n"[1, 2]"\n',
    "matrix.csv": b'a,b,"c"\n1,0,"1"\r\n0,0,0\n1,1,1',
    "a.jsonl": b'{"id": 1, "items": ["a", 2]}\n{"items": null, "id": "x"}\n',
    "b.jsonl": b'["a", "\\u00e9"]\n\n[]\n',
    "long.parquet": _parquet(id=[1, 1, 2], item=["a", "b", None]),
    "lists.parquet": _parquet(items=[["a", "b"], [], None, ["c"]], id=["w", "x", "y", "z"]),
    "long.xlsx": _excel(id=[1, 1, 2], item=["a", "b", None]),
    "a.dat.gz": gzip.compress(b"1 2 3\n" * 30, mtime=0),
    "long.csv.gz": gzip.compress(b"id,item\n" + b"1,a\n2,b\n" * 30, mtime=0),
}

PIECES = [b"", b"\0", b"\n", b"\r", b'"', b",", b"-", b"[", b"1", b"\xff", b"\xef\xbb\xbf", b" "]
PIECES += [b"9" * 20, b"id", b"items", b"{}", b"null", b"\r\n", b"\t", b"|", b"PAR1", b"x" * 300]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """A sound file in which a few places were cut out, doubled or written over."""
    name = draw(st.sampled_from(sorted(SOUND)))
    content = SOUND[name]
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(content)))
        end = min(len(content), begin + draw(st.integers(0, 12)))
        middle = draw(st.sampled_from(PIECES) | st.binary(max_size=6) | st.just(content[begin:end]))
        tail = content[begin if draw(st.booleans()) else end :]
        content = content[:begin] + middle + tail
    return name, content


def check(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        transactions = Transactions.read(path)
    except DataError as error:
        assert str(error).startswith(path.name)
        return
    sets = transactions.sets
    assert len(sets) > 0
    assert sets.offsets[0] == 0
    assert sets.offsets[-1] == len(sets.items)
    assert sets.items.dtype == np.int32
    assert sets.offsets.dtype == np.int64
    assert len(set(sets.vocabulary)) == len(sets.vocabulary)
    for held in (sets.items[a:b] for a, b in zip(sets.offsets, sets.offsets[1:], strict=False)):
        assert (np.diff(held) > 0).all(), "a set ascends and repeats nothing"
    assert transactions.folded.total == len(sets)
    assert transactions.ids is None or len(transactions.ids) == len(sets)


@pytest.mark.parametrize("name", sorted(SOUND))
def test_the_files_that_the_fuzzing_begins_with_are_sound(folder: Path, name: str) -> None:
    (folder / name).write_bytes(SOUND[name])
    assert len(Transactions.read(folder / name)) >= 2


@given(name=st.sampled_from(sorted(SOUND)), content=st.binary(max_size=200))
def test_random_bytes_are_read_or_refused(folder: Path, name: str, content: bytes) -> None:
    check(folder / name, content)


@given(case=damaged())
@example(case=("one.csv", b"items"))
@example(case=("matrix.csv", b"a," * 1000 + b"z\n" + b"\n" * 1000))
def test_damaged_files_are_read_or_refused(folder: Path, case: tuple[str, bytes]) -> None:
    check(folder / case[0], case[1])


@given(lines=st.lists(st.lists(st.sampled_from(PIECES), max_size=5).map(b"".join), max_size=6))
def test_text_of_odd_pieces_is_read_or_refused(folder: Path, lines: list[bytes]) -> None:
    for name in ("a.dat", "a.seq", "long.csv", "a.jsonl"):
        header = b"id,item\n" if name == "long.csv" else b""
        check(folder / name, header + b"\n".join(lines))
