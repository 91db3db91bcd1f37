"""``discreet corpus``: index texts once, so that attacks can ask how words go together."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import click

from discreet.cli import show
from discreet.cli.listing import Listing
from discreet.cli.options import command, filled
from discreet.core.doc import Doc

OFFERED: Final = {
    "build": "Index text files, csv or JSON lines for attack semantic.",
    "show": "Show what an index contains, and in how many documents terms occur.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Building:
    """What is indexed."""

    out: Annotated[Path, Doc("The folder to write the index to.")]
    columns: Annotated[
        Mapping[str, str] | None,
        Doc(
            "Which column holds the text, if it is not called text; several are joined with +, "
            "such as text=title+body."
        ),
    ] = None
    split: Annotated[
        Literal["file", "paragraph", "line"],
        Doc("What counts as one document in a plain text file."),
    ] = "file"
    window: Annotated[
        int | None,
        Doc(
            "Cut documents into windows of this many words and count those, because long texts "
            "contain nearly every word."
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """What is asked."""

    terms: Annotated[tuple[str, ...], Doc("Words or phrases to count.")] = ()


def _build_one(*, texts: tuple[str, ...], json: bool, **typed: Any) -> int:
    from discreet.semantics import Corpus, read_corpus

    building = filled(Building, typed)
    with show.working("indexing"):
        read = read_corpus(texts, columns=building.columns, split=building.split)
        made = Corpus.build(read, window=building.window)
        made.save(building.out)
    return show.record(made.record(), json=json)


def _show(*, index: str, json: bool, **typed: Any) -> int:
    from discreet.semantics import Corpus

    terms = filled(Showing, typed).terms
    opened = Corpus.open(index)
    counts = dict(zip(terms, opened.counts(terms).tolist(), strict=True)) if terms else {}
    return show.record(opened.record() | ({"units_with": counts} if counts else {}), json=json)


def _build(name: str) -> click.Command:
    about = OFFERED[name]
    if name == "build":
        texts = click.Argument(["texts"], metavar="TEXTS...", nargs=-1, required=True)
        building = {"Building": Building}
        return command(name, _build_one, arguments=[texts], sections=building, about=about)
    index = click.Argument(["index"], metavar="INDEX")
    return command(name, _show, arguments=[index], sections={"Terms": Showing}, about=about)


corpus = Listing(
    "corpus",
    kind="tool",
    offered=lambda: OFFERED,
    build=_build,
    help="Index texts for the semantic attack, or inspect an index; each TOOL takes --json.",
    subcommand_metavar="TOOL [OPTIONS]",
)
