"""``discreet transactions TEXTS``: documents or queries to sets of items."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import click

from discreet.catalog import ItemList
from discreet.cli import show
from discreet.cli.options import command, filled
from discreet.cli.sections import SetsTarget
from discreet.core.doc import Doc
from discreet.errors import ParameterError


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Where the texts are."""

    kind: Annotated[
        Literal["documents", "queries"],
        Doc("What becomes one set: a document, or all queries of one user (column id)."),
    ] = "documents"
    columns: Annotated[
        Mapping[str, str] | None,
        Doc(
            "Which columns to read, if they are not called text and id; several texts are joined "
            "with +, such as text=title+body."
        ),
    ] = None
    split: Annotated[
        Literal["file", "paragraph", "line"],
        Doc("What counts as one document in a plain text file."),
    ] = "file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracting:
    """What becomes an item."""

    stop_words: Annotated[
        ItemList,
        Doc("A file of stop words, one per line; by default an English list."),
    ] = None
    ignore: Annotated[
        str | None,
        Doc(
            "A regular expression; lines that match it, such as headers and footers, are left out."
        ),
    ] = None


def _run(*, texts: tuple[str, ...], json: bool, **typed: Any) -> int:
    reading, writing = filled(Reading, typed), filled(SetsTarget, typed)
    with show.working("reading texts as sets"):
        sets = _sets(reading, filled(Extracting, typed), texts)
        writing.write(sets)
    items = {item for itemset in sets for item in itemset}
    summary = {
        "sets": len(sets),
        "items": len(items),
        "mean_length": sum(map(len, sets)) / max(1, len(sets)),
        "out": writing.out,
    }
    return show.record(summary, json=json)


def _sets(reading: Reading, extracting: Extracting, paths: tuple[str, ...]) -> list[list[str]]:
    from discreet.semantics import STOP_WORDS, items_of_queries, items_of_text, read_texts

    stop_words = extracting.stop_words or STOP_WORDS
    read = [read_texts(path, columns=reading.columns, split=reading.split) for path in paths]
    if reading.kind == "documents":
        return [
            items_of_text(text, stop_words=stop_words, ignore=extracting.ignore)
            for texts, _ in read
            for text in texts
        ]
    queries_by_user: dict[str, list[str]] = {}
    for texts, ids in read:
        if ids is None:
            msg = "queries belong to users: name the column by `columns` id=AnonID,text=Query"
            raise ParameterError(msg, parameter="columns")
        for who, query in zip(ids, texts, strict=True):
            queries_by_user.setdefault(who, []).append(query)
    return [
        items_of_queries(queries, stop_words=stop_words) for queries in queries_by_user.values()
    ]


transactions = command(
    "transactions",
    _run,
    arguments=[click.Argument(["texts"], metavar="TEXTS...", nargs=-1, required=True)],
    sections={"Reading": Reading, "Items": Extracting, "Writing": SetsTarget},
    about="Turn TEXTS (plain files, folders, csv, JSON lines) into sets of nouns and noun phrases.",
    short="Turn documents or queries into sets of nouns and noun phrases.",
)
