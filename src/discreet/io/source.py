"""A file as blocks of bytes, unpacked where it must be; what goes wrong is one sentence."""

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path

from discreet.errors import DataError

BLOCK = 1 << 20
"""Bytes read at once: large enough to be fast, small enough never to matter for memory."""

MARK = b"\xef\xbb\xbf"
"""The byte order mark that some programs put before UTF-8 text."""


def shown(path: Path) -> str:
    """Return the name of a file as a message shows it: without its folder.

    >>> shown(Path("somewhere/baskets.dat"))
    'baskets.dat'
    """
    return path.name or str(path)


def ending(path: Path) -> str:
    """Return the ending that says what a file holds, apart from ``.gz``.

    >>> ending(Path("baskets.DAT.gz"))
    '.dat'
    """
    return Path(path.name.lower().removesuffix(".gz")).suffix


def fault(path: Path, complaint: str, *, line: int | None = None) -> DataError:
    """Return the error that names the file, the line where there is one, and the complaint.

    >>> str(fault(Path("here/baskets.dat"), "an item must be a number", line=3))
    'baskets.dat, line 3: an item must be a number'
    """
    location = shown(path) if line is None else f"{shown(path)}, line {line}"
    return DataError(f"{location}: {complaint}")


def sha256_of_file(path: Path) -> str:
    """Return the checksum of a file, which is read block by block."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def byte_blocks(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a file, block by block, unpacked where its name ends in ``.gz``."""
    packed = path.name.lower().endswith(".gz")
    with _clear_faults(path), gzip.open(path) if packed else path.open("rb") as file:
        yield from iter(partial(file.read, BLOCK), b"")


def text_blocks(path: Path) -> Iterator[bytes]:
    """Yield the bytes of a text file without a byte order mark, refusing an empty file."""
    blocks = byte_blocks(path)
    head = b""
    while len(head) < len(MARK) and (block := next(blocks, b"")):
        head += block
    head = head.removeprefix(MARK) or next(blocks, b"")
    if not head:
        raise fault(path, "the file is empty")
    return chain([head], blocks)


def whole(path: Path) -> bytes:
    """Return all the bytes of a file, refusing an empty one."""
    content = b"".join(byte_blocks(path))
    if not content:
        raise fault(path, "the file is empty")
    return content


def read_ahead(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same blocks, reading the next one while the last one is worked on."""
    yield from islice(blocks, 1)
    if not (block := next(blocks, b"")):
        return  # a small file is not worth a thread
    with ThreadPoolExecutor(max_workers=1) as reader:
        while block:
            coming = reader.submit(next, blocks, b"")
            yield block
            block = coming.result()


def whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    r"""Yield the same bytes cut after line ends, with the last newline where it was left out.

    >>> list(whole_lines([b"1 2\n3", b" 4", b"\n5"]))
    [b'1 2\n', b'3 4\n', b'5\n']
    """
    pending: list[bytes] = []
    for block in blocks:
        cut = block.rfind(b"\n") + 1
        if cut:
            yield b"".join([*pending, memoryview(block)[:cut]])
            pending = []
        pending.append(block[cut:])
    if rest := b"".join(pending):
        yield rest + b"\n"


@contextmanager
def _clear_faults(path: Path) -> Iterator[None]:
    """Turn what the system and gzip complain about into one sentence with the file's name."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error):
        msg = "the gzip file is damaged or cut short; fetch or pack it again"
        raise fault(path, msg) from None
    except FileNotFoundError:
        raise fault(path, "there is no such file") from None
    except IsADirectoryError:
        raise fault(path, "this must be a file, and it is a folder") from None
    except PermissionError:
        raise fault(path, "the file may not be read; check its permissions") from None
    except OSError as error:
        raise fault(path, f"the file cannot be read ({error.strerror})") from None
    except ValueError:
        # the system refuses a name with a NUL byte before it looks at the disk
        raise fault(path, "this cannot be the name of a file") from None
