import errno
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import DataError
from discreet.io import writing
from discreet.io.writing import new_file, new_folder, write_file


def full(*_: Any) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@given(content=st.binary(max_size=50))
def test_a_file_holds_what_was_written(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("f")
    written = write_file(folder / "new" / "file", content, "the file")
    assert written.read_bytes() == content
    assert list(written.parent.iterdir()) == [written]


def test_a_private_file_is_never_open_to_others(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with new_file(tmp_path / "key", "the key", private=True) as file:
            (sibling,) = tmp_path.iterdir()
            assert mode(sibling) == 0o600
            file.write(b"secret")
        assert mode(tmp_path / "key") == 0o600
        assert mode(write_file(tmp_path / "page", "text", "the page")) == 0o644
    finally:
        os.umask(before)


def test_the_sibling_cannot_be_foreseen(tmp_path: Path) -> None:
    names = set()
    for _ in range(5):
        with new_file(tmp_path / "key", "the key", private=True):
            names |= {path.name for path in tmp_path.iterdir() if path.name != "key"}
    assert len(names) == 5


def test_a_very_long_name_can_be_written(tmp_path: Path) -> None:
    assert write_file(tmp_path / ("x" * 250), "text", "the file").read_text() == "text"


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ValueError])
def test_an_interrupted_file_leaves_the_old_one(tmp_path: Path, fault: type[BaseException]) -> None:
    path = write_file(tmp_path / "file", "old", "the file")
    with pytest.raises(fault), new_file(path, "the file") as file:
        file.write(b"new")
        raise fault
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_one_sentence_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", full)
    said = "the page could not be written to page: No space left on device; nothing was changed"
    with pytest.raises(DataError, match=said):
        write_file(tmp_path / "page", "text", "the page")
    with (
        pytest.raises(DataError, match="the index could not"),
        new_folder(tmp_path / "index", "the index") as folder,
    ):
        (folder / "part").write_text("text")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_replaced_as_a_whole(tmp_path: Path) -> None:
    for name in ("one", "two"):
        with new_folder(tmp_path / "folder", "the folder") as folder:
            (folder / name).write_text(name)
            assert not (tmp_path / "folder" / name).exists()
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["two"]
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux exchanges names")
def test_there_is_no_moment_without_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_folder(tmp_path / "r", "the release") as folder:
        (folder / "part").write_text("old")
    monkeypatch.setattr(Path, "rename", full)
    with new_folder(tmp_path / "r", "the release") as folder:
        (folder / "part").write_text("new")
    assert (tmp_path / "r" / "part").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


@pytest.mark.parametrize("name", ["", ".", "/"])
def test_what_is_written_needs_a_name(name: str) -> None:
    with pytest.raises(DataError, match="needs a name"):
        write_file(Path(name), "text", "the file")


def test_a_folder_or_a_device_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(DataError, match="is a folder or a device"):
            write_file(place, "text", "the file")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_failed_replacement_leaves_the_old_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_folder(tmp_path / "r", "the release") as folder:
        (folder / "part").write_text("old")
    rename = Path.rename

    def refusing(self: Path, target: Path) -> Path:
        if (self / "part").read_text() == "new":
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refusing)
    monkeypatch.setattr(writing, "_exchange", lambda *_: False)  # as where the system cannot
    with pytest.raises(DataError), new_folder(tmp_path / "r", "the release") as folder:
        (folder / "part").write_text("new")
    assert (tmp_path / "r" / "part").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
