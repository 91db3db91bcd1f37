"""``discreet profile DATA``: what is in the data, and how attackable they are as they stand."""

from typing import Any

import click

from discreet.catalog import NOUNS
from discreet.cli import show
from discreet.cli.options import command, filled
from discreet.data.transactions import Transactions

__all__ = ["profile"]


def _run(*, data: str, json: bool, **typed: Any) -> int:
    from discreet.measure import profile as profile_of

    reading = filled(NOUNS[Transactions], typed)
    with show.working(f"reading {data}"):
        transactions = reading.read(data)
    with show.working("profiling"):
        numbers = profile_of(transactions)
    if json:
        show.as_json(numbers)
    else:
        show.facts(numbers)
    return 0


profile = command(
    "profile",
    _run,
    arguments=[click.Argument(["data"], metavar="DATA")],
    sections={"Reading DATA": NOUNS[Transactions]},
    about="Tell what is in DATA and how attackable it is as it stands: numbers, never records.",
)
