"""The one way in which this house writes: a file or a folder appears whole, or not at all.

What is written goes to a sibling with an unpredictable name first. Once it is on the disk it is
renamed, so whoever looks, and whatever interrupts the writing, sees the old one or the new one.
"""

import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from discreet.errors import DataError


def write_file(path: Path, content: bytes | str, subject: str, *, private: bool = False) -> Path:
    """Write a file, whole or not at all; what was there of that name is replaced.

    ``subject`` stands in the message if it fails. A ``private`` file is for its owner's eyes only
    (mode 0600) from its first byte.
    """
    with new_file(path, subject, private=private) as file:
        file.write(content.encode() if isinstance(content, str) else content)
    return path


@contextmanager
def new_file(path: Path, subject: str, *, private: bool = False) -> Iterator[BinaryIO]:
    """Give a file to write to, which takes the place of ``path`` when the block is left well."""
    sibling = _sibling(path)
    with _clear_faults(path, subject, lambda: sibling.unlink(missing_ok=True)):
        if path.exists() and not path.is_file():
            # whoever may replace a device must not do so by mistake
            raise DataError(f"{subject} must go to a file, and {path.name} is a folder or a device")
        path.parent.mkdir(parents=True, exist_ok=True)
        # created closed to others: a later chmod would leave a moment of open doors
        mode = 0o600 if private else 0o666
        with os.fdopen(os.open(sibling, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        sibling.replace(path)
        _settle(path.parent)


@contextmanager
def new_folder(path: Path, subject: str) -> Iterator[Path]:
    """Give a folder to fill, which takes the place of ``path`` when the block is left well.

    A folder that is there already is replaced; whether it may be is for the caller to ask.
    """
    sibling = _sibling(path)
    with _clear_faults(path, subject, lambda: shutil.rmtree(sibling, ignore_errors=True)):
        path.parent.mkdir(parents=True, exist_ok=True)
        sibling.mkdir()
        yield sibling
        for file in sibling.iterdir():
            _settle(file)
        _settle(sibling)
        _put_in_place(sibling, path)
        _settle(path.parent)


def _sibling(path: Path) -> Path:
    if not path.name:
        raise DataError(f"what is written needs a name, and {str(path)!r} has none")
    return path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}")


def _put_in_place(folder: Path, target: Path) -> None:
    if not target.exists():
        folder.rename(target)
        return
    if _exchange(folder, target):
        shutil.rmtree(folder, ignore_errors=True)
        return
    old = _sibling(target)
    target.rename(old)
    try:
        folder.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _exchange(first: Path, second: Path) -> bool:
    """Let two folders exchange their names at one moment; False where the system cannot.

    With two renames there would be a moment, and a power cut could choose it, without a folder.
    """
    import ctypes

    if not sys.platform.startswith("linux"):
        return False
    swap = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    names = os.fsencode(first.absolute()), os.fsencode(second.absolute())
    return swap is not None and swap(_HERE, names[0], _HERE, names[1], _EXCHANGE) == 0


_HERE, _EXCHANGE = -100, 2
"""AT_FDCWD and RENAME_EXCHANGE of Linux."""


def _settle(path: Path) -> None:
    """See that a file, or the names in a folder, are on the disk."""
    if path.is_dir() and os.name != "posix":
        return  # elsewhere a folder cannot be opened
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _clear_faults(path: Path, subject: str, clean_up: Callable[[], None]) -> Iterator[None]:
    """Turn what the system complains about into one sentence, and leave nothing behind."""
    try:
        yield
    except OSError as error:
        why = error.strerror
        msg = f"{subject} could not be written to {path.name}: {why}; nothing was changed there"
        raise DataError(msg) from None
    finally:
        with suppress(OSError):  # where nothing could be made there is nothing to clean up
            clean_up()
