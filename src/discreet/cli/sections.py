"""Options that several commands share, section by section of their help texts."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from discreet.catalog import Source
from discreet.catalog.reading import TableFile
from discreet.cli import show
from discreet.core.constraints import Constraints
from discreet.core.doc import Doc
from discreet.core.exact import Exact, positive_share
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.errors import DataError, ParameterError
from discreet.io.writing import write_file

if TYPE_CHECKING:
    from discreet.risk import Population
    from discreet.rng import Rng


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What the release is for."""

    title: Annotated[str | None, Doc("What the data are; the heading of the page.")] = None
    purpose: Annotated[str | None, Doc("Why the data are released.")] = None
    recipient: Annotated[str | None, Doc("Who receives them.")] = None
    signatory: Annotated[str | None, Doc("Who is responsible for the release.")] = None

    def record(self) -> dict[str, str]:
        """Return what was said, and today's date."""
        today = datetime.now(UTC).date().isoformat()
        return {"date": today} | {name: text for name, text in asdict(self).items() if text}


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnersKey:
    """The key that says which record is behind which row."""

    key: Annotated[LinkageKey | None, Doc("The linkage key that publish --keep wrote.")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(OwnersKey):
    """What some guarantees need beside the release."""

    against: Annotated[
        Source | None, Doc("The original data: a file, or a named data set such as dataset:msnbc.")
    ] = None
    after: Annotated[
        tuple[Release[Any], ...],
        Doc("An earlier release of the same series; repeat it for each, oldest first."),
    ] = ()
    privacy: Annotated[Constraints | None, Doc("The privacy constraints, one per line.")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Randomness:
    """Where the randomness of draws comes from that are not published."""

    seed: Annotated[int | None, Doc("Make every draw repeatable with this number.")] = None

    def rng(self) -> "Rng":
        """Return the operating system's randomness, or seeded randomness."""
        from discreet import rng

        return rng.secure() if self.seed is None else rng.seeded(self.seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRandomness(Randomness):
    """Where the randomness of a release comes from."""

    seed: Annotated[
        int | None,
        Doc(
            "Make every draw repeatable with this number: for tests and studies, never for a "
            "release that goes out."
        ),
    ] = None

    def rng(self) -> "Rng":
        """Return the operating system's randomness, or seeded randomness with a loud warning."""
        if self.seed is not None:
            show.loud(
                f"--seed {self.seed} makes every draw repeatable, so anyone can remove the noise. "
                "This release is NOT FOR PUBLICATION."
            )
        # slots make a new class of this one, which a bare super() does not know
        return Randomness.rng(self)


def refuse_existing(out: Path) -> None:
    """Refuse to write over a file."""
    if out.exists():
        raise DataError(f"{out} exists; choose another name")


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsTarget:
    """Where the sets go."""

    out: Annotated[
        Path, Doc("The file to write: JSON lines, each a list of items, as publish reads them.")
    ]

    def write(self, sets: Iterable[Sequence[str]]) -> None:
        """Write the sets, whole or not at all."""
        refuse_existing(self.out)
        lines = (json.dumps({"items": items}, ensure_ascii=False) + "\n" for items in sets)
        write_file(self.out, "".join(lines), "the sets")


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
        typed = self.sampling_fraction
        fraction = None if typed is None else float(positive_share("sampling_fraction", typed))
        return Population(sampling_fraction=fraction, table=table)


def _of_qids(reading: TableFile) -> TableFile:
    """Return how the quasi-identifiers are read, and nothing else of a table."""
    known = frozenset(reading.qid)
    bottoms, tops = (reading.bottom_code or {}).items(), (reading.top_code or {}).items()
    return TableFile(
        qid=reading.qid,
        missing=reading.missing,
        discretise=tuple(bounds for bounds in reading.discretise if bounds[0] in known),
        bottom_code={name: bound for name, bound in bottoms if name in known},
        top_code={name: bound for name, bound in tops if name in known},
    )
