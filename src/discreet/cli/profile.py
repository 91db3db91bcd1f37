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
from discreet.cli.separators import warn_of_separator
from discreet.core.graph import Network
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork
from discreet.core.transactions import Transactions

KNOWING = tuple(f"knowing_{known}" for known in range(1, 6))
"""The parts of a profile of sets that suppose so many known items."""


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
        warn_of_separator(people)
        with show.working("profiling"):
            numbers = profiles[noun](people, population)
    if json:
        return show.record(numbers, json=True)
    return _tell(numbers)


def _tell(numbers: Mapping[str, Any]) -> int:
    """Print a profile for people: what stands out in words, what known items do as a table."""
    threats = numbers.get("wp29", {})
    if (alone := threats.get("singling_out", {}).get("share")) is not None:
        whom, by = _supposed(numbers)
        right = _share(threats["linkability"]["share"])
        show.lines(
            f"If these data went out as they are, {_share(alone)} of {whom} could be singled out "
            f"by {by}; someone who knows that picks the right record {right} of the time.",
            "",
        )
    known = {name: of for name in KNOWING if (of := numbers.get(name)) and of["people"]}
    show.facts({name: value for name, value in numbers.items() if name not in KNOWING})
    if known:
        show.heading("what someone finds who knows some items of a person, drawn at random")
        headings = ("items known", "people with as many", "unique", "fewer than 5", "right guess",
                    "further item certain")  # fmt: skip
        show.table(headings, [_row(name, of) for name, of in known.items()])
    return 0


def _supposed(numbers: Mapping[str, Any]) -> tuple[str, str]:
    """Return whom the three threats are about, and what they suppose to be known."""
    if KNOWING[2] in numbers:
        return "the people with at least three items", "three of them, drawn at random"
    return "people", "what others may know"


def _row(name: str, risks: Mapping[str, Any]) -> tuple[str, ...]:
    shares = ("share_alone", "share_below_5", "mean_risk", "share_further_item_certain")
    people = f"{risks['people']:,}"
    return (name.removeprefix("knowing_"), people, *(_share(risks[share]) for share in shares))


def _share(value: float) -> str:
    """Return a share in percent, never rounded to nothing.

    >>> _share(0.1411), _share(0.0), _share(0.0001)
    ('14.1 %', '0 %', 'under 0.1 %')
    """
    if 0 < value < 0.001:
        return "under 0.1 %"
    return f"{100 * value:.1f} %" if value else "0 %"


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
        "Reading DATA as sets, or with --edge-columns alone as a graph": NOUNS[SocialNetwork],
        "Reading DATA as a table": NOUNS[Microdata],
        "Processing": EngineChoice,
    },
    about=(
        "Summarise DATA, and measure how exposed people would be if it were released as it is. "
        "Prints numbers, never records."
    ),
)
