"""The README.txt of a release: what its manifest says, in words."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from re import MULTILINE, findall
from textwrap import fill
from typing import Any, Unpack

from discreet.core.release import Readme, Release
from discreet.io.release_folder import README, Saving
from discreet.io.release_tables import files_of_tables, part_name

WIDTH = 88
"""Letters in a line of the README."""


def readable_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a manifest says as people read it.

    >>> readable_facts({"levels": {"age": 2, "sex": 0}, "heights": {"age": 4, "sex": 1}})
    {'levels': 'age 2 of 4, sex 0 of 1'}
    >>> readable_facts({"generalised_to": {"age": "ranges", "sex": "sets"}})
    {'generalised to': 'age: ranges, sex: sets'}
    """
    readable = dict(facts)
    if heights := readable.pop("heights", None):
        readable["levels"] = _of_heights(readable["levels"], heights)
    if source := readable.get("source"):
        readable["source"] = f"a release by {source['method']}, as manifest.json describes it"
    return {
        name.replace("_", " "): ", ".join(f"{key}: {value}" for key, value in note.items())
        if isinstance(note, Mapping)
        else note
        for name, note in readable.items()
    }


def _of_heights(levels: Any, heights: Mapping[str, int]) -> str:
    """Say on which of its levels each column of each table is shown."""
    tables = levels if isinstance(levels, list) else [levels]
    return "; ".join(
        ", ".join(f"{name} {level} of {heights[name]}" for name, level in each.items())
        for each in tables
    )


def _note_text(note: Any) -> str:
    """Return a note as a reader wants it: what it lists one after the other, or that it is nothing.

    >>> _note_text(["a1", "b2"]), _note_text([]), _note_text(7)
    ('a1, b2', 'nothing', '7')
    """
    if isinstance(note, (list, tuple)):
        return ", ".join(map(str, note)) or "nothing"
    return str(note)


def readme_of(
    release: Release[Any], columns: Mapping[str, Mapping[str, str]], **saving: Unpack[Saving]
) -> str:
    """Return the README of a release whose tables have these columns."""
    manifest, claims = release.manifest, release.guarantees
    facts = readable_facts(manifest.facts)
    about = [
        f"Data published with discreet by the method {manifest.method}.",
        f"Randomness: {manifest.randomness}",
        *(f"{key}: {_note_text(value)}" for key, value in facts.items()),
    ]
    promised = [f"- {claim.promise}" for claim in claims]
    # two promises may leave the same open
    limits = list(dict.fromkeys(f"- {claim.limit}" for claim in claims))
    reading = [
        *_files(release, columns, **saving),
        "manifest.json: the method, its parameters, the guarantees, and the hash of each file.",
        "`discreet verify FOLDER` checks every promise that can be checked from these files.",
    ]
    parts = {
        "What this is": about,
        "How to read it": reading,
        "What is promised": promised or ["nothing: this variant is published for study"],
        "What is not promised": limits or ["anything"],
    }
    return "\n".join(f"{title}\n{_indented(lines)}" for title, lines in parts.items())


def readme_in(
    folder: Path, manifest: Mapping[str, Any], release: Release[Any], *, in_these_words: bool
) -> Readme:
    """Return whether the README in the folder of ``release`` says what its manifest says.

    ``in_these_words`` tells whether this version of discreet wrote it. Another one may have said
    the same in other words: then only what no version words otherwise can be wrong.
    """
    if README not in manifest["files"]:
        return "not as the manifest says"
    readme = (folder / README).read_bytes()
    if readme == _readme_given(manifest["files"], release).encode():
        return "as the manifest says"
    if in_these_words or not _agrees(readme.decode(errors="replace"), manifest):
        return "not as the manifest says"
    return "not compared"


def _readme_given(files: Mapping[str, Mapping[str, Any]], release: Release[Any]) -> str:
    """Return the README of a release that was written as these files of a manifest."""
    tables = files_of_tables(files)
    first = next(names[0] for names in tables.values())
    columns = {table: files[names[0]]["columns"] for table, names in tables.items()}
    part_rows = 1 if "part" in files[first] else None
    return readme_of(release, columns, file_format=first.rpartition(".")[2], part_rows=part_rows)


def _agrees(readme: str, manifest: Mapping[str, Any]) -> bool:
    r"""Whether a README of another version has the manifest's chance, universe and promises.

    Of the promises it is their number.

    >>> manifest = {"randomness": "seeded", "universe": "public", "notes": {}, "guarantees": [{}]}
    >>> _agrees("Randomness: seeded\n universe: public\nWhat is promised\n  - much", manifest)
    True
    >>> _agrees("Randomness: the best\n universe: public\nWhat is promised\n  - much", manifest)
    False
    """
    words = " ".join(readme.split())
    # version 1 of the format had the universe among its notes
    universe = manifest["universe"] if "universe" in manifest else manifest["notes"].get("universe")
    facts = [f"Randomness: {manifest['randomness']}"]
    facts += [] if universe is None else [f"universe: {universe}"]
    promised = readme.partition("What is promised")[2].partition("What is not promised")[0]
    promises = findall("^ *- ", promised, MULTILINE)
    return all(fact in words for fact in facts) and len(promises) == len(manifest["guarantees"])


def _files(
    release: Release[Any], columns: Mapping[str, Mapping[str, str]], **saving: Unpack[Saving]
) -> list[str]:
    """Return the tables with their columns, and what a reader must know of them."""
    file_format, split = saving.get("file_format", "parquet"), saving.get("part_rows") is not None
    files = [
        f"{part_name(name, 0 if split else None, file_format)}{' and so on' if split else ''}: "
        + ", ".join(f"{column} ({kind})" for column, kind in kinds.items())
        for name, kinds in columns.items()
    ]
    lists = ["A list in a csv cell is written as JSON."] if file_format == "csv" else []
    explained = getattr(release.content, "explained", ())
    return files + lists + [line for line in explained if _is_of(line, columns)]


def _is_of(line: str, tables: Iterable[str]) -> bool:
    """Whether an explanation, which may begin with the name of a table, is of one that is there.

    >>> _is_of("blocks: items", ["sets"]), _is_of("blocks: items", ["blocks"]), _is_of("All", [])
    (False, True, True)
    """
    name, explanation, _ = line.partition(": ")
    return not explanation or not name.isidentifier() or name in tables


def _indented(lines: Iterable[str]) -> str:
    """Return paragraphs below a title, wrapped so that any editor shows them whole."""
    return "".join(
        fill(line, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
        + "\n"
        for line in lines
    )
