"""What a person may say of the population that data are of; options of several commands."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from discreet.catalog import Source
from discreet.catalog.reading import TableFile
from discreet.core.doc import Doc
from discreet.core.exact import Exact, positive_share
from discreet.errors import ParameterError

if TYPE_CHECKING:
    from discreet.risk import Population

__all__ = ["PopulationFacts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationFacts:
    """What is known of the population."""

    sampling_fraction: Annotated[
        Exact | None,
        Doc(
            "The share of the population that is in the data, above 0 and up to 1; how many "
            "people are unique in the population is then estimated."
        ),
    ] = None
    population: Annotated[
        Source | None,
        Doc(
            "A table of the whole population with the same quasi-identifiers: a file, or a named "
            "data set. Journalist risk and k-map are then counted in it."
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
            table = _of_qids(reading).read(self.population).table
        given = self.sampling_fraction
        fraction = None if given is None else float(positive_share("sampling_fraction", given))
        return Population(sampling_fraction=fraction, table=table)


def _of_qids(reading: TableFile) -> TableFile:
    """Return how the quasi-identifiers are read, and nothing else of a table."""
    known = frozenset(reading.qid)
    bottoms, tops = (reading.bottom_code or {}).items(), (reading.top_code or {}).items()
    return TableFile(
        qid=reading.qid,
        missing=reading.missing,
        discretise=tuple(each for each in reading.discretise if each[0] in known),
        bottom_code={name: bound for name, bound in bottoms if name in known},
        top_code={name: bound for name, bound in tops if name in known},
    )
