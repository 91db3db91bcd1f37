"""``discreet profile DATA``: what is in the data, and how attackable they are as they stand."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any

import click

from discreet.catalog import NOUNS
from discreet.cli import show
from discreet.cli.engine import EngineChoice
from discreet.cli.options import command, filled
from discreet.cli.sections import PopulationFacts
from discreet.core.graph import Network
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork
from discreet.core.transactions import Transactions


def _run(*, data: str, json: bool, **typed: Any) -> int:
    from discreet.risk import graph_profile, network_profile, table_profile
    from discreet.risk import profile as profile_of

    profiles: dict[type[Any], Callable[..., dict[str, Any]]] = {
        Microdata: table_profile,
        Transactions: profile_of,
        SocialNetwork: network_profile,
        Network: graph_profile,
    }
    noun = _noun(typed)
    reading: Any = filled(NOUNS[noun], typed)
    engine = filled(EngineChoice, typed).for_sets(data, a_table=noun is not Transactions)
    with ExitStack() as stack:
        with show.working(f"reading {data}"):
            people = (
                stack.enter_context(reading.open(data, engine)) if engine else reading.read(data)
            )
            population = filled(PopulationFacts, typed).read(reading)
        with show.working("profiling"):
            numbers = profiles[noun](people, population)
    return show.record(numbers, json=json)


def _noun(typed: Mapping[str, Any]) -> type[Any]:
    """Return what the data are: a table by its roles, a network or a graph by its edges."""
    if typed["qid"] or typed["sensitive_attributes"]:
        return Microdata
    if typed["edges"]:
        return SocialNetwork
    return Network if typed["edge_columns"] else Transactions


profile = command(
    "profile",
    _run,
    arguments=[click.Argument(["data"], metavar="DATA")],
    sections={
        "The population": PopulationFacts,
        "Who folds": EngineChoice,
        "Reading DATA, sets, or with --edge-columns alone a graph": NOUNS[SocialNetwork],
        "Reading DATA, a table": NOUNS[Microdata],
    },
    about="Tell what is in DATA and how attackable it is as it stands: numbers, never records.",
)
