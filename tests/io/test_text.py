import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import DataError
from discreet.io.text import lines_of, read_text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("text")


def test_lines_end_the_same_way_whatever_ended_them(tmp_path: Path) -> None:
    path = tmp_path / "items.txt"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert lines_of(read_text(path)) == ["a", "b", "c"]


def test_gzip_is_unpacked_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "items.txt.gz"
    path.write_bytes(gzip.compress("käse\n".encode(), mtime=0))
    assert read_text(path) == "käse\n"


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.txt", b"", "a.txt: .*empty"),
        ("a.txt", b"\n \n", "a.txt: .*empty"),
        ("a.txt", b"x\ny\0z\n", "a.txt, line 2: .*NUL"),
        ("a.txt", b"x\ny\n\xff\n", "a.txt, line 3: .*UTF-8"),
        ("a.txt", "käse".encode("utf-16"), "a.txt, line 1: "),
        ("a.txt.gz", b"plain", "a.txt.gz: .*gzip"),
        ("a.txt.gz", gzip.compress(b"x" * 1000, mtime=0)[:-9], "a.txt.gz: .*cut short"),
        ("a.txt.gz", gzip.compress(b"", mtime=0), "a.txt.gz: .*empty"),
    ],
)
def test_what_is_no_text_is_refused(
    tmp_path: Path, name: str, content: bytes, complaint: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError, match=complaint):
        read_text(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.txt"):
        read_text(tmp_path / "nowhere.txt")
    with pytest.raises(DataError, match="folder"):
        read_text(tmp_path)
    with pytest.raises(DataError, match="name"):
        read_text("a\0b")


@given(content=st.binary(max_size=80), packed=st.booleans(), cut=st.integers(0, 20))
def test_any_bytes_are_text_or_refused(
    folder: Path, content: bytes, packed: bool, cut: int
) -> None:
    path = folder / ("any.txt.gz" if packed else "any.txt")
    whole = gzip.compress(content, mtime=0) if packed else content
    path.write_bytes(whole[: len(whole) - cut])
    try:
        text = read_text(path)
    except DataError as error:
        assert path.name in str(error)
    else:
        assert text.strip()
        assert "\r" not in text
