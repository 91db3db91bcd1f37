"""Texts from files: plain, one a line, or a column of a table, plain or gzipped."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from discreet.errors import DataError
from discreet.io.source import byte_blocks, ending
from discreet.io.table import TABLES, Table, open_table
from discreet.io.text import lines_of, quoted, read_text

Split: TypeAlias = Literal["file", "paragraph", "line"]
"""What one text of a plain file is."""
Texts: TypeAlias = tuple[list[str], list[str] | None]
"""Texts, and whom each belongs to where the file says so."""


def read_corpus(
    paths: Sequence[str | Path], *, columns: Mapping[str, str] | None = None, split: Split = "file"
) -> list[str]:
    """Return the texts of all files, and of all files in a folder, in the order of their names.

    Parameters
    ----------
    paths
        Files and folders.
    columns
        For a table the column of the text.
    split
        What of a file is a text.

    Returns
    -------
    list of str
        The texts.
    """
    return [text for path in paths for text in read_texts(path, columns=columns, split=split)[0]]


def read_texts(
    path: str | Path, *, columns: Mapping[str, str] | None = None, split: Split = "file"
) -> Texts:
    """Read texts from a file or a folder of files.

    A plain file is one text, or one for each paragraph or line. A table (csv, tsv, parquet, JSON
    lines) has a column ``text``, and may have a column ``id``; ``columns`` names others, several
    of them with ``+`` between them.

    Parameters
    ----------
    path
        A file or a folder.
    columns
        For a table the columns of text and id.
    split
        What of a file is a text.

    Returns
    -------
    tuple of list of str and list of str or None
        The texts, and whose they are where a table says so.
    """
    source = Path(path)
    if source.is_dir():
        return _of_folder(source, columns, split), None
    if ending(source) in TABLES:
        return _chosen(open_table(source), columns or {})
    return list(_plain(read_text(source), split)), None


def _of_folder(folder: Path, columns: Mapping[str, str] | None, split: Split) -> list[str]:
    """Return the texts of all files of a folder; among others an empty file is an empty text."""
    files = [
        file
        for file in sorted(folder.iterdir())
        if file.is_file() and not file.name.startswith(".")
    ]
    if not files:
        raise DataError(f"{folder.name}: must hold at least one file of text, and has none")
    texts: list[str] = []
    for file in files:
        plain = ending(file) not in TABLES
        if plain and not any(block.strip() for block in byte_blocks(file)):
            texts += [""] if split == "file" else []
        else:
            texts += read_texts(file, columns=columns, split=split)[0]
    return texts


def _plain(text: str, split: Split) -> Iterator[str]:
    if split == "file":
        yield text
    elif split == "line":
        yield from (line for line in lines_of(text) if line.strip())
    else:
        yield from (paragraph for paragraph in text.split("\n\n") if paragraph.strip())


def _chosen(table: Table, columns: Mapping[str, str]) -> Texts:
    """Return the text column, or several joined, and the id column where there is one."""
    names = columns.get("text", "text").split("+")
    id_column = columns.get("id", "id")
    for name in [*names, *([id_column] if "id" in columns else [])]:
        if name not in table.header:
            known = ", ".join(sorted(table.header))
            msg = f"there is no column {quoted(name)}; name one by `columns` text=..., of: {known}"
            raise DataError(f"{table.path.name}: {msg}", parameter="columns")
    wanted = {name: name for name in [*names, *([id_column] if id_column in table.header else [])]}
    by_name = dict(zip(wanted, table.texts(wanted), strict=True))
    rows = zip(*(by_name[name] for name in names), strict=True)
    texts = [". ".join(text for text in row if text) for row in rows]
    return texts, by_name[id_column].to_list() if id_column in by_name else None
