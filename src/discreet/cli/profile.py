"""``discreet profile DATA``: what is in the data, and how attackable they are as they stand."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import click

from discreet.catalog import NOUNS, Source
from discreet.catalog.reading import TableFile
from discreet.cli import show
from discreet.cli.options import command, filled
from discreet.core.doc import Doc
from discreet.core.exact import Exact, positive_share
from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError

if TYPE_CHECKING:
    from discreet.risk import Population

__all__ = ["profile"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationFacts:
    """What is known of the population."""

    sampling_fraction: Annotated[
        Exact | None,
        Doc(
            "The share of the population that is in the data, from above 0 to 1; the number of "
            "people alone in the population is then estimated."
        ),
    ] = None
    population: Annotated[
        Source | None,
        Doc(
            "A table of everybody in the population with the same quasi-identifiers: a file, or a "
            "named data set. Journalist risk and k-map are then counted in it."
        ),
    ] = None

    def __post_init__(self) -> None:
        if self.sampling_fraction is not None:
            positive_share("sampling_fraction", self.sampling_fraction)

    def read(self, reading: Any) -> "Population":
        """Return the facts; the population is read as the quasi-identifiers of the data are."""
        from discreet.risk import Population

        table = None
        if self.population is not None:
            if not isinstance(reading, TableFile) or not reading.qid:
                msg = "a `population` is counted for a table, and needs its `qid`"
                raise ParameterError(msg, parameter="population")
            known = [each for each in reading.discretise if each[0] in reading.qid]
            columns = TableFile(qid=reading.qid, missing=reading.missing, discretise=tuple(known))
            table = columns.read(self.population).table
        given = self.sampling_fraction
        fraction = None if given is None else float(positive_share("sampling_fraction", given))
        return Population(sampling_fraction=fraction, table=table)


def _run(*, data: str, json: bool, **typed: Any) -> int:
    from discreet.risk import profile as profile_of
    from discreet.risk import table_profile

    # columns with a role make a table
    a_table = bool(typed["qid"] or typed["sensitive_attributes"])
    reading = filled(NOUNS[Microdata if a_table else Transactions], typed)
    with show.working(f"reading {data}"):
        people = reading.read(data)
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
        "Reading DATA, sets": NOUNS[Transactions],
        "Reading DATA, a table": NOUNS[Microdata],
    },
    about="Tell what is in DATA and how attackable it is as it stands: numbers, never records.",
)
