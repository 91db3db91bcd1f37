"""An example for the help text of every command, on the files of ``discreet demo --files``."""

import re
import shutil
import textwrap
from typing import Final

import click

from discreet.errors import ParameterError

WIDTH: Final = 74
"""Columns of a line of an example."""
MARGIN: Final = 6
"""Columns that a help text needs left of an example, and for the sign that a line goes on."""
FILES: Final = (
    "baskets.csv", "next-year.csv", "friends.csv", "patients.csv", "register.csv", "items.txt",
    "private.txt", "protected.txt", "products.csv", "age.csv", "frequencies.csv", "days.txt",
    "texts.txt", "study.toml",
)  # fmt: skip
"""What ``discreet demo --files`` writes."""

EXAMPLES: Final = {
    "demo": "demo --out demo-release",
    "methods": "methods km-anonymity",
    "profile": "profile baskets.csv",
    "publish": "publish km-anonymity baskets.csv --k 5 --m 2 --out release --keep key",
    "verify": "verify release",
    "attack": "attack singling-out release --truth baskets.csv --key key",
    "measure": "measure release --against baskets.csv --key key",
    "audit": "audit release --against baskets.csv --key key --out audit.html",
    "certify": "certify release --audit audit.json --signing-key signing.key --signatory Office "
    "--out certificate.pdf",
    "compare": "compare study.toml --out results",
    "audit-mechanism": "audit-mechanism table-bayes --epsilon 1 --runs 2000",
    "reproduce": "reproduce aplkiller figure-3 --quick --out figures",
    "series": "series make baskets.csv --sample 300 --corpora 2 --out years",
    "series make": "series make baskets.csv --sample 300 --corpora 2 --out years",
    "series publish": "series publish years anony --r-th 8",
    "series attack": "series attack years anony",
    "hierarchy": "hierarchy show age.csv",
    "hierarchy show": "hierarchy show age.csv",
    "hierarchy check": "hierarchy check age.csv --against patients.csv --column age",
    "hierarchy intervals": "hierarchy intervals patients.csv --column age --widths 10,20 "
    "--out intervals.csv",
    "hierarchy dates": "hierarchy dates days.txt --out dates.csv",
    "hierarchy prefixes": "hierarchy prefixes patients.csv --column town --out prefixes.csv",
    "hierarchy flat": "hierarchy flat patients.csv --column sex --out flat.csv",
    "hierarchy quantiles": "hierarchy quantiles patients.csv --column age --out quantiles.csv",
    "hierarchy frequency": "hierarchy frequency patients.csv --column town --out frequency.csv",
    "hierarchy wordnet": "hierarchy wordnet items.txt --out words.csv",
    "hierarchy convert": "hierarchy convert age.csv --to amnesia --out age.txt",
    "hierarchy from-data": "hierarchy from-data baskets.csv --parents 3 --out kinds.csv",
    "reconstruct": "reconstruct disassociated --out possible.jsonl",
    "transactions": "transactions texts.txt --split paragraph --out sets.jsonl",
    "corpus": "corpus build texts.txt --split paragraph --out index",
    "corpus build": "corpus build texts.txt --split paragraph --out index",
    "corpus show": "corpus show index --terms aspirin,vitamins",
    "advise": "advise apl-killer --epsilon 1 --universe items.txt",
    "advise apl-killer": "advise apl-killer --epsilon 1 --universe items.txt",
    "attack interactive-linkage": "attack interactive-linkage baskets.csv --knows vitamins "
    "--guess insulin --epsilon 1 --runs 100",
    "ledger": "ledger budget town 2",
    "ledger list": "ledger list",
    "ledger budget": "ledger budget town 2",
    "ledger entries": "ledger entries town",
    "ledger correct": "ledger correct 3 --reason 'the machine stopped before it was written'",
    "ledger export": "ledger export ledger.csv",
    "ledger check": "ledger check",
    "ledger backup": "ledger backup ledger.backup",
    "ledger accept": "ledger accept --reason 'the disk was replaced'",
    "shelf": "shelf town",
    "keygen": "keygen --out signing.key",
    "serve": "serve --example",
    "doctor": "doctor",
    "completion": "completion bash",
}
"""For each command but the methods: what is typed after ``discreet``."""


def example_of(path: str) -> tuple[str, ...]:
    """Return the example of a command, line by line; of a method, that of the catalog.

    >>> example_of("verify")
    ('verify release',)
    """
    if path in EXAMPLES:
        return (EXAMPLES[path],)
    verb, _, name = path.partition(" ")
    if verb == "audit-mechanism":
        return (f"{verb} {name} --epsilon 1 --runs 500",)
    from discreet.catalog import find

    try:
        return find(name).example
    except ParameterError:
        return ()


def shown(lines: tuple[str, ...], width: int = WIDTH) -> list[str]:
    """Return commands as they are typed, those longer than ``width`` over several lines.

    >>> shown(("verify release",))
    ['discreet verify release']
    """
    return [row for line in lines for row in _folded(f"discreet {line}", width)]


def _folded(line: str, width: int) -> list[str]:
    # an option stays on the line of its value
    command, *options = line.split(" --")
    args = [*command.split(" "), *(f"--{option}".replace(" ", "\0") for option in options)]
    rows = textwrap.wrap(
        " ".join(args), width, subsequent_indent="    ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    return " \\\n".join(rows).replace("\0", " ").split("\n")


def with_example(command: click.Command, path: str) -> click.Command:
    """Give a command its example below its help; ``path`` is what is typed to call it."""
    room = shutil.get_terminal_size().columns - MARGIN
    lines = shown(example_of(path.partition(" ")[2]), min(WIDTH, room))
    if not lines or "Example:" in (command.epilog or ""):
        return command
    typed = "\n".join(f"  {line}" for line in lines)
    files = "Made-up files of these names are written by: discreet demo --files FOLDER"
    written = f"\n\n{files}" if set(FILES).intersection(re.split(r"[ =]", " ".join(lines))) else ""
    before = f"{command.epilog}\n\n" if command.epilog else ""
    # a backspace tells click to leave the lines as they are
    command.epilog = f"{before}\b\nExample:\n{typed}{written}"
    return command
