"""Hostile calls of every command: its example, with words left out, doubled, exchanged and added.

A call is drawn from a number alone, so that every call can be made again.
"""

import random
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import click

from discreet.catalog import entries
from discreet.cli.examples import example_of
from discreet.cli.root import root

LONG = ("demo", "doctor", "serve", "reproduce", "audit-mechanism")
"""Commands of which only calls with a mistake are made: a sound one takes seconds, or for ever."""
NUMBERS: tuple[str, ...] = (
    "0", "1", "2", "3", "5", "-1", "0.5", "1e-9", "1e9", "99999999999999999999", "1/3", "1/0",
    "nan",
    "inf", "", " ", "0x10", "any", "one", "1,2", "1,,2", "0.5,1", ",", "½", "٣", "1e400", "--",
)  # fmt: skip
TEXTS: tuple[str, ...] = (
    "", " ", "x", "a,b", "a=b", "=", "a=", "=b", "a=b,a=c", ";", "a;b", "job", "age=20,40",
    "age=age.csv", "age=nothing.csv", "id=id,item=item", "age,sex", "age,age", "job;diagnoses",
    "é\u0301",
    "\U0001f600", "x" * 5000, "%s{0}`k`", "../..", "a\nb", "'", '"', "[red]x[/red]", "\\", "town",
    "text=text", "source=source,target=target", "|", "aspirin", "vitamins,aspirin", "\x1b[31m", "*",
)  # fmt: skip
# nothing outside the folder of the calls: as root, a call could change it
PLACES: tuple[str, ...] = (
    "baskets.csv", "next-year.csv", "friends.csv", "patients.csv", "register.csv", "items.txt",
    "private.txt", "protected.txt", "products.csv", "age.csv", "frequencies.csv", "texts.txt",
    "study.toml", "release", "key", "audit.json", "audit.html", "signing.key", "signing.key.pub",
    "certificate.pdf", "index", "years", "disassociated", "store.db", "empty.csv", "binary.parquet",
    "folder", "nothing.csv", "release/manifest.json", "sets.dat", "sets.jsonl", "people.parquet",
    ".", "..", "", "dataset:nothing", "dataset:", "a" * 300, "rules.json", "choices.json",
    "r-diff-part", "r-mondrian", "r-sanony", "r-gp-asn", "k-mondrian", "first",
)  # fmt: skip
NEW = ("new", "new", "new", "new.csv", "new.html", "new.pdf", "deep/er/new", "new.jsonl", *PLACES)
"""Where something could be written: mostly where nothing is."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A command with its example and its options."""

    path: tuple[str, ...]
    setup: tuple[tuple[str, ...], ...]
    """Calls that must have been made before."""
    example: tuple[str, ...]
    options: tuple[click.Option, ...]


def _commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    ctx = click.Context(group, info_name="discreet")
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if isinstance(command, click.Group):
            yield from _commands(command, (*path, name))
        yield (*path, name)


def _option(path: tuple[str, ...]) -> tuple[click.Option, ...]:
    command: click.Command | None = root
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command, info_name="discreet"), name)
    return tuple(part for part in getattr(command, "params", ()) if isinstance(part, click.Option))


@cache
def verbs() -> tuple[Verb, ...]:
    """Return every command there is."""
    found = []
    for path in _commands(root):
        lines = [tuple(shlex.split(line)) for line in example_of(" ".join(path))]
        # each method has a release of its own name, so that all are there at the same time
        own = {"release": f"r-{path[-1]}", "key": f"k-{path[-1]}", "state": f"k-{path[-1]}"}
        many = path[0] == "publish" or path[-1] in {entry.name for entry in entries()}
        named = [tuple(own.get(word, word) if many else word for word in line) for line in lines]
        found.append(Verb(path, tuple(named[:-1]), named[-1] if named else path, _option(path)))
    return tuple(found)


def call(number: int) -> list[str]:
    """Return the words of one call."""
    chance = random.Random(number)
    verb = chance.choice(verbs())
    words = list(verb.example)
    for at, word in enumerate(words):
        if at and words[at - 1] in ("--out", "--keep", "--files"):
            words[at] = chance.choice(NEW)
        elif word == "baskets.csv" and chance.random() < 0.1:
            words[at] = chance.choice(("sets.dat", "sets.jsonl", "people.parquet"))
    times = chance.choice((0, 1, 1, 1, 2, 2, 3, 5))
    for _ in range(max(times, 1) if verb.path[0] in LONG else times):
        _changed(words, verb, chance)
    return _bounded(words, verb, chance)


def _changed(words: list[str], verb: Verb, chance: random.Random) -> None:
    """Change the words of a call at one place, after the name of the command."""
    first = len(verb.path)
    at = chance.randint(first, max(first, len(words) - 1))
    kind = chance.randrange(8)
    if kind < 3 and verb.options:
        option = chance.choice(verb.options)
        words.append(chance.choice([*option.opts]))
        if not option.is_flag or chance.random() < 0.05:
            words.append(_value(option, chance))
    elif kind < 5 and at < len(words):
        kinds = (PLACES, NUMBERS, TEXTS) if words[at][:2] != "--" else (verb.path, TEXTS)
        words[at] = chance.choice(chance.choice(kinds))
    elif kind == 5 and at < len(words):
        del words[at]
    elif kind == 6 and at < len(words):
        words.insert(at, chance.choice(words))
    else:
        words.insert(at, chance.choice((*TEXTS, "--json", "--no-such-option", "-h", "--")))


def _value(option: click.Option, chance: random.Random) -> str:
    if isinstance(option.type, click.Choice) and chance.random() < 0.8:
        return str(chance.choice(list(option.type.choices)))
    shape = option.metavar or ""
    if option.opts[0] in ("--out", "--keep", "--files", "--save-choices", "--save-rules"):
        return chance.choice(NEW)
    likely = NUMBERS if "INTEGER" in shape or "NUMBER" in shape else TEXTS
    if shape in ("FILE", "DATA", "FOLDER", "PATH") or "path" in option.type.name:
        likely = PLACES
    return chance.choice(likely if chance.random() < 0.8 else (*NUMBERS, *TEXTS, *PLACES))


def _bounded(words: list[str], verb: Verb, chance: random.Random) -> list[str]:
    """Return a call that neither begins a cluster nor runs for ever because it was asked to."""
    if verb.path[0] in LONG and not any(word in words for word in ("-h", "--help")):
        words.append(chance.choice(("--no-such-option", "--out", "\U0001f600=")))
    if verb.path[0] in ("compare", "attack", "series"):
        words = [word for word in words if word not in ("--workers", "--runs", "--rounds")]
        if verb.path == ("compare",):
            words += ["--workers", "1"]
    return ["duckdb" if "spark" in word else word for word in words]
