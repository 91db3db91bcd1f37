import gzip
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.constraints import Constraints
from discreet.core.hierarchy import Hierarchy
from discreet.errors import DataError
from discreet.io.public import read_items


def written(folder: Path, content: str, name: str = "file.csv") -> Path:
    path = folder / name
    path.write_bytes(
        gzip.compress(content.encode(), mtime=0) if name.endswith(".gz") else content.encode()
    )
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("public")


def test_items_one_a_line(tmp_path: Path) -> None:
    assert read_items(written(tmp_path, "rye bread\nbeer\r\n7\n")) == ("rye bread", "beer", "7")
    assert read_items(written(tmp_path, "b\na", "items.txt.gz")) == ("b", "a")


def test_public_names_are_normalised(tmp_path: Path) -> None:
    assert read_items(written(tmp_path, " cafe\u0301\u00a0\ntea\n")) == ("caf\xe9", "tea")
    constraints = Constraints.read(written(tmp_path, "cafe\u0301\u00a0 tea\n"))
    assert list(constraints) == [("caf\xe9", "tea")]
    for content in (" cafe\u0301; * \n", "child,parent\n cafe\u0301, *\n"):
        assert Hierarchy.read(written(tmp_path, content)).ancestors("caf\xe9") == ("*",)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("a\n\nb\n", "file.csv, line 2: .*empty line"),
        ("a\nb\n\n", "file.csv, line 3: .*empty line"),
        ("a\nb\na\n", "file.csv, line 3: .*line 1 has"),
        ("", "file.csv: .*empty"),
    ],
)
def test_a_bad_item_list_is_refused(tmp_path: Path, content: str, complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        read_items(written(tmp_path, content))


def test_constraints_by_spaces(tmp_path: Path) -> None:
    path = written(tmp_path, "b  a\n\n  c \r\na b\n")
    assert Constraints.read(path) == Constraints.of([["a", "b"], ["c"]])


def test_constraints_by_tabs_where_items_hold_spaces(tmp_path: Path) -> None:
    path = written(tmp_path, "rye bread\tbeer\nred wine\nsalt\t\n")
    assert list(Constraints.read(path)) == [("beer", "rye bread"), ("red wine",), ("salt",)]


def test_a_single_item_with_a_space_is_marked_by_a_tab(tmp_path: Path) -> None:
    assert list(Constraints.read(written(tmp_path, "red wine\t\n"))) == [("red wine",)]
    assert list(Constraints.read(written(tmp_path, "red wine\n"))) == [("red", "wine")]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("a b\n\na c a\n", "file.csv, line 3: .*names one twice"),
        ("a\t\tb\n", "file.csv, line 1: .*one is empty"),
        (" \n\n", "file.csv: .*empty"),
    ],
)
def test_bad_constraints_are_refused(tmp_path: Path, content: str, complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        Constraints.read(written(tmp_path, content))


@pytest.mark.parametrize(
    "content",
    [
        "tea;hot, not cold;*\nbeer;alcohol;*\n",
        '"tea","hot, not cold",*\nbeer,alcohol,*\n\n',
        "tea\thot, not cold\t*\nbeer\talcohol\t*",
        "tea;hot, not cold, by no means, no;*\nbeer;alcohol;*",
    ],
)
def test_levels_with_any_separator(tmp_path: Path, content: str) -> None:
    drinks = Hierarchy.read(written(tmp_path, content))
    assert drinks.values == ("tea", "beer")
    assert drinks.ancestors("beer") == ("alcohol", "*")
    assert drinks.height == 2


@pytest.mark.parametrize(
    ("name", "content", "columns"),
    [
        ("h.csv", "child,parent\ntea,hot\nhot,*\n", {}),
        ("h.csv", '"parent";"note";"child"\nhot;x;tea\n*;y;hot\n', {}),
        ("h.tsv.gz", "child\tparent\ntea\thot\nhot\t*\n", {}),
        ("h.csv", "a,b\ntea,hot\nhot,*\n", {"child": "a", "parent": "b"}),
        ("h.csv", "child,up\ntea,hot\nhot,*\n", {"parent": "up"}),
    ],
)
def test_pairs_by_their_header(
    tmp_path: Path, name: str, content: str, columns: dict[str, str]
) -> None:
    drinks = Hierarchy.read(written(tmp_path, content, name), columns=columns)
    assert drinks.ancestors("tea") == ("hot", "*")


def test_pairs_in_parquet(tmp_path: Path) -> None:
    table = Hierarchy.of_pairs([("tea", "hot"), ("hot", "*")]).tables()["hierarchy"]
    table.write_parquet(tmp_path / "hierarchy.parquet")
    assert Hierarchy.read(tmp_path / "hierarchy.parquet").ancestors("tea") == ("hot", "*")


def test_a_forest_needs_a_root(tmp_path: Path) -> None:
    path = written(tmp_path, "child,parent\ntea,hot\nbeer,alcohol\n")
    with pytest.raises(DataError, match=r"file.csv, line 3: .*one root"):
        Hierarchy.read(path)
    assert Hierarchy.read(path, root="*").ancestors("tea") == ("hot", "*")


@pytest.mark.parametrize(
    ("content", "columns", "complaint"),
    [
        ("tea;hot;*\n\nbeer;*\n", {}, "file.csv, line 3: must have 3 levels .* got 2"),
        ("tea;*\nbeer;any\n", {}, "file.csv, line 2: .*one top"),
        ("tea\nbeer\n", {}, "file.csv, line 1: .*no level above"),
        ('tea;*\n"beer;*\n', {}, "file.csv, line 2: .* never closed"),
        ("child,parent\ntea,hot\ntea,*\n", {}, "file.csv, line 3: .*one parent.*file.csv, line 2"),
        ("child,parent\ntea,hot\nhot,tea\n", {}, "file.csv, line 2: .*circle"),
        ("child,parent\n", {}, "file.csv: there must be a record"),
        ("child,parent\ntea\n", {}, "file.csv, line 2: .* as the header, 2, and this one has 1"),
        ("child,Parent\ntea,*\n", {"child": "child"}, "column 'parent'.*'Parent'"),
        ("child,parent\ntea,*\n", {"value": "child"}, "child and parent, got 'value'"),
    ],
)
def test_a_bad_hierarchy_is_refused(
    tmp_path: Path, content: str, columns: dict[str, str], complaint: str
) -> None:
    with pytest.raises(DataError, match=complaint):
        Hierarchy.read(written(tmp_path, content), columns=columns)


def test_a_line_of_a_million_characters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"file.csv, line 2: .*field limit") as refusal:
        Hierarchy.read(written(tmp_path, f"tea;*\n{'x' * 1_000_000};*\n"))
    assert len(str(refusal.value)) < 200


TEXT_LIKE = st.text(alphabet='ab ;,\t\n"*', max_size=30).map(str.encode)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
@given(content=st.one_of(st.binary(max_size=60), TEXT_LIKE), headed=st.booleans())
def test_any_bytes_are_read_or_refused(
    folder: Path, ending: str, content: bytes, headed: bool
) -> None:
    path = folder / f"any.{ending}"
    path.write_bytes(b"child,parent\n" * headed + content)
    for reader in (read_items, Constraints.read, Hierarchy.read):
        try:
            assert reader(path)
        except DataError as error:
            assert str(error)


@given(
    content=TEXT_LIKE, cut=st.integers(0, 12), place=st.integers(0, 40), byte=st.integers(0, 255)
)
def test_damaged_gzip_is_read_or_refused(
    folder: Path, content: bytes, cut: int, place: int, byte: int
) -> None:
    packed = bytearray(gzip.compress(content, mtime=0))
    packed[place % len(packed)] = byte
    path = folder / "any.csv.gz"
    path.write_bytes(packed[: len(packed) - cut])
    try:
        assert Hierarchy.read(path).height >= 1
    except DataError as error:
        assert "any.csv.gz" in str(error) or "hierarchy" in str(error)


def test_damaged_parquet_is_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "damaged.parquet"
    pl.DataFrame({"child": ["tea", "hot"], "parent": ["hot", "*"]}).write_parquet(path)
    content = path.read_bytes()
    refused = 0
    for place in range(len(content)):
        path.write_bytes(content[:place] + b"\0" + content[place + 1 :])
        try:
            assert Hierarchy.read(path).height >= 1
        except DataError:
            refused += 1
    assert refused > 8  # at the least the eight bytes that mark the file as parquet
