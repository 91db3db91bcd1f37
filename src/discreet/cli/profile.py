"""``discreet profile DATA``: what is in the data, and how attackable they are as they stand."""

from contextlib import ExitStack
from typing import Any

import click

from discreet.catalog import NOUNS
from discreet.cli import show
from discreet.cli.engine import EngineChoice
from discreet.cli.options import command, filled
from discreet.cli.population import PopulationFacts
from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions

__all__ = ["profile"]


def _run(*, data: str, json: bool, **typed: Any) -> int:
    from discreet.risk import profile as profile_of
    from discreet.risk import table_profile

    # columns with a role make a table
    a_table = bool(typed["qid"] or typed["sensitive_attributes"])
    reading: Any = filled(NOUNS[Microdata if a_table else Transactions], typed)
    engine = filled(EngineChoice, typed).for_sets(data, a_table=a_table)
    with ExitStack() as held:
        with show.working(f"reading {data}"):
            people = (
                held.enter_context(reading.open(data, engine)) if engine else reading.read(data)
            )
            population = filled(PopulationFacts, typed).read(reading)
        with show.working("profiling"):
            numbers = (table_profile if a_table else profile_of)(people, population)
    if json:
        show.as_json(numbers)
    else:
        show.facts(numbers)
    return 0


profile = command(
    "profile",
    _run,
    arguments=[click.Argument(["data"], metavar="DATA")],
    sections={
        "The population": PopulationFacts,
        "Who folds": EngineChoice,
        "Reading DATA, sets": NOUNS[Transactions],
        "Reading DATA, a table": NOUNS[Microdata],
    },
    about="Tell what is in DATA and how attackable it is as it stands: numbers, never records.",
)
