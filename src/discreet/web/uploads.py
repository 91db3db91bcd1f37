"""A file on its way in: streamed to a closed folder, counted as it comes, never in memory."""

import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from discreet.errors import DataError, DiscreetError

if TYPE_CHECKING:
    from fastapi import Request

UPLOAD_LIMIT: Final = 4 << 30
"""The most bytes of a file."""
FIELD_LIMIT: Final = 1000
"""The most bytes of a field that comes with it."""
BESIDE_LIMIT: Final = 1 << 20
"""The most bytes of all that comes with it."""
ENDINGS: Final = (
    ".csv", ".tsv", ".txt", ".dat", ".fimi", ".seq", ".jsonl", ".parquet", ".xlsx",
)  # fmt: skip
"""What a file may be called, also with .gz after it."""


@dataclass(slots=True)
class Upload:
    """What came: the fields of the form, and the file."""

    path: Path
    """Where the file is written."""
    endings: tuple[str, ...] = ENDINGS
    """What it may be called."""
    fields: dict[str, str] = field(default_factory=dict, repr=False)
    file_name: str = field(default="", repr=False)
    """What its owner calls it; nothing on this disk is called so."""
    size: int = 0

    @property
    def ending(self) -> str:
        """The ending of its name, one of those that can be read."""
        name = self.file_name.lower()
        packed = ".gz" if name.endswith(".gz") else ""
        ending = Path(name.removesuffix(".gz")).suffix
        if ending not in self.endings:
            listed = ", ".join(self.endings)
            raise DataError(f"the name of a file must end in one of {listed} (or that and .gz)")
        return ending + packed


class _Parts:
    """Takes the parts of a form as they come; a field is kept, the file goes to the disk."""

    def __init__(self, upload: Upload, file: IO[bytes], csrf: str) -> None:
        self.upload, self.file, self.csrf = upload, file, csrf
        self.name, self.header, self.value = "", b"", b""
        self.field, self.is_file = b"", False

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        self.field += data[start:end]

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        self.header += data[start:end]

    def on_header_end(self) -> None:
        from python_multipart.multipart import parse_options_header

        if self.field.lower() == b"content-disposition":
            _, options = parse_options_header(self.header)
            self.name = options.get(b"name", b"").decode("utf-8", "replace")
            self.is_file = b"filename" in options
            if self.is_file:
                self._begin_file(options[b"filename"].decode("utf-8", "replace"))
        self.field, self.header = b"", b""

    def _begin_file(self, name: str) -> None:
        from discreet.web.pages import Forbidden
        from discreet.web.session import same

        if not same(self.upload.fields.get("csrf", ""), self.csrf):
            raise Forbidden
        if self.upload.file_name:
            raise DataError("upload one file at a time")
        self.upload.file_name = name
        _ = self.upload.ending

    def on_part_begin(self) -> None:
        self.value, self.is_file = b"", False

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self.is_file:
            self.upload.size += self.file.write(data[start:end])
            return
        self.value += data[start:end]
        if len(self.value) > FIELD_LIMIT:
            raise DataError("one of the other fields is too long")

    def on_part_end(self) -> None:
        if not self.is_file:
            self.upload.fields[self.name] = self.value.decode("utf-8", "replace")


@asynccontextmanager
async def taken_in(
    request: "Request",
    folder: Path,
    csrf: str,
    *,
    limit: int,
    endings: tuple[str, ...] = ENDINGS,
) -> AsyncIterator[Upload]:
    """Take a file into a folder; no copy stays that was not moved to a name of its own there."""
    path = folder / f".coming-{secrets.token_hex(8)}"
    kind = request.headers.get("content-type", "")
    try:
        yield await received(request.stream(), kind, path, csrf, limit=limit, endings=endings)
    except DiscreetError as error:
        # the name it had here says nothing to its owner
        raise type(error)(str(error).replace(path.name, "the file")) from error
    finally:
        path.unlink(missing_ok=True)


async def received(
    blocks: AsyncIterator[bytes],
    content_type: str,
    path: Path,
    csrf: str,
    *,
    limit: int,
    endings: tuple[str, ...] = ENDINGS,
) -> Upload:
    """Take a form with one file, which is written to ``path``; on any fault nothing stays.

    The field ``csrf`` must come before the file: without it not a byte is written.
    """
    upload = Upload(path, endings)
    try:
        # opened by its owner alone, whatever the habits of this account are
        with _private(path) as file:
            await _feed(blocks, content_type, _Parts(upload, file, csrf), limit)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return upload


def _private(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


async def _feed(blocks: AsyncIterator[bytes], content_type: str, parts: _Parts, limit: int) -> None:
    from python_multipart.exceptions import FormParserError
    from python_multipart.multipart import MultipartParser, parse_options_header

    kind, options = parse_options_header(content_type)
    wrong = "a file is sent by the form of the page"
    if kind != b"multipart/form-data" or b"boundary" not in options:
        raise DataError(wrong)
    taken = ("part_begin", "part_data", "part_end", "header_field", "header_value", "header_end")
    calls = {f"on_{name}": getattr(parts, f"on_{name}") for name in taken}
    try:
        parser = MultipartParser(options[b"boundary"], calls)  # type: ignore[arg-type]
        beside = 0
        async for block in blocks:
            before = parts.upload.size
            parser.write(block)
            beside += len(block) - (parts.upload.size - before)
            if beside > BESIDE_LIMIT + parts.upload.size // 1000:
                raise DataError(wrong)
            if parts.upload.size > limit:
                msg = f"a file must have at most {limit:,} bytes; use the command line for more"
                raise DataError(msg)
        parser.finalize()
    except FormParserError:
        raise DataError(wrong) from None
    if not parts.upload.size:
        raise DataError("the file is empty, or none was chosen")
