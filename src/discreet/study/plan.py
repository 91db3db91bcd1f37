"""A study as its author writes it: which data, which methods with which parameters, how often."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeAlias

from discreet.catalog import NOUNS, Entry, Parameter, find, parameters_of
from discreet.core.microdata import Microdata
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError
from discreet.io.datasets import DATASETS, PREFIX, is_dataset, source_path
from discreet.io.source import sha256_of_file
from discreet.study.secrets import Secrets

Typed: TypeAlias = tuple[tuple[str, str | tuple[str, ...] | bool], ...]
"""Names of fields with what a person would type for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """Private data of a study: where they are, and how they are read."""

    name: str
    """What the study calls them."""
    source: str
    """A file, or a named data set."""
    options: Typed = ()
    """How they are read, as on the command line."""
    secrets: Secrets | None = None
    """Which items are sensitive, where the data do not say and a study may draw them."""

    @property
    def nouns(self) -> tuple[type[Any], ...]:
        """The kinds of data they can be read as."""
        given = {name for name, _ in self.options}
        fitting = [
            noun for noun in NOUNS if noun is not Release and given <= fields_of(NOUNS[noun])
        ]
        if not fitting:
            msg = f"the data {self.name!r} cannot be read: no kind of data takes all its options"
            raise ParameterError(msg)
        kind = next((each.kind for each in DATASETS if PREFIX + each.name == self.source), "sets")
        if kind == "table" or Transactions not in fitting:
            # people with a network are people with sets as well
            people = [Transactions] if Microdata not in fitting else []
            return (*fitting[:1], *people) if kind != "table" else (Microdata,)
        return (Transactions,) if kind == "sets" else tuple(fitting[-1:])

    def read(self, noun: Any) -> Any:
        """Read the data as ``noun``; options that only another kind knows are left out."""
        known = fields_of(NOUNS[noun])
        typed = {name: value for name, value in self.options if name in known}
        data = made(NOUNS[noun], typed, self.name).read(self.source)
        return self.secrets.drawn(data) if self.secrets else data

    @property
    def digest(self) -> str:
        """The checksum of the files, and of those its options name."""
        return _checksum((self.source, *_texts(self.options), repr(self.secrets)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A method with its parameters."""

    kind: Literal["publisher", "attack"]
    """What it does."""
    name: str
    """What the catalog calls it."""
    typed: Typed = ()
    """Its parameters, and for an attack what may be known, as a person would type them."""

    @property
    def entry(self) -> Entry:
        """The method in the catalog."""
        return find(self.name, self.kind)

    def made(self) -> Any:
        """Return the method with these parameters."""
        return made(self.entry.method, dict(self.typed), self.name)

    def knowledge(self) -> Any:
        """Return what the attacker knows."""
        kind = self.entry.knowledge
        return made(kind, dict(self.typed), self.name) if kind else None

    @property
    def words(self) -> str:
        """The parameters in one line."""
        return " ".join(f"{name}={_shown(value)}" for name, value in self.typed)

    @property
    def digest(self) -> str:
        """The checksum of the files that its parameters name."""
        return _checksum(_texts(self.typed))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One release of a study."""

    original: Original
    """The data."""
    method: Chosen
    """How they are published."""
    then: tuple[Chosen, ...] = ()
    """What is done with the release before it goes out."""
    seed: int
    """The seed of its chance."""
    attacks: tuple[Chosen, ...] | None = None
    """The attacks that were chosen; None for all that apply."""

    @property
    def key(self) -> dict[str, Any]:
        """Everything that its numbers depend on, but for the version."""
        steps = [(step.name, step.typed, step.digest) for step in (self.method, *self.then)]
        attacks = self.attacks and [(each.name, each.typed, each.digest) for each in self.attacks]
        return {
            "data": self.original.digest,
            "reading": self.original.options,
            "steps": steps,
            "attacks": attacks,
            "seed": self.seed,
        }

    @property
    def label(self) -> str:
        """What the method is called in tables."""
        return " + ".join(step.name for step in (self.method, *self.then))


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Data, methods and seeds; every combination that fits is a cell."""

    title: str
    """What the study asks."""
    originals: tuple[Original, ...]
    """The data."""
    publications: tuple[tuple[Chosen, ...], ...]
    """Each a method, and methods that take its release."""
    seeds: tuple[int, ...]
    """The seeds."""
    attacks: tuple[Chosen, ...] | None = None
    """The attacks; None for all that apply."""
    exposure: str | None = None
    """The quantity that stands for what is exposed; the gain of the best attack otherwise."""
    loss: str | None = None
    """The quantity that stands for what is lost; the first measure that data share otherwise."""

    @classmethod
    def read(cls, path: str | Path) -> "Study":
        """Read a study from a TOML file; files it names are looked up beside it.

        Parameters
        ----------
        path
            The file.

        Returns
        -------
        Study
            The study, with nothing run yet.
        """
        from discreet.study.file import read_study

        return read_study(Path(path))

    def cells(self) -> list[Cell]:
        """Return every combination of data, method and seed that fits."""
        cells = [
            Cell(
                original=original, method=method, then=tuple(then), seed=seed, attacks=self.attacks
            )
            for original in self.originals
            for method, *then in self.publications
            if method.entry.data in original.nouns
            for seed in self.seeds
        ]
        if not cells:
            raise ParameterError("no method in the study can publish the data in the study")
        return cells


def made(kind: type[Any], typed: Mapping[str, Any], name: str) -> Any:
    """Make an instance of a dataclass from what a person would type for its fields."""
    known = {parameter.name: parameter for parameter in parameters_of(kind)}
    missing = [name for name, each in known.items() if each.required and name not in typed]
    if missing:
        msg = f"{name} needs {', '.join(missing)}, which the study does not give"
        raise ParameterError(msg, parameter=missing[0])
    fitting = {field: value for field, value in typed.items() if field in known}
    return kind(**{field: _read(known[field], value) for field, value in fitting.items()})


def _read(parameter: Parameter, value: Any) -> Any:
    """Read what a person would type, refusing a list or true where the field takes a text."""
    given = (value,) if parameter.syntax.repeated and isinstance(value, str) else value
    kind = bool if parameter.syntax.flag else tuple if parameter.syntax.repeated else str
    if not isinstance(given, kind):
        wanted = "true or false" if parameter.syntax.flag else "one text or number"
        msg = f"`{parameter.name}` must be {wanted}, got {value!r}"
        raise ParameterError(msg, parameter=parameter.name)
    return parameter.read(given)


def fields_of(kind: type[Any]) -> set[str]:
    """Return the names of the fields of a dataclass."""
    return {field.name for field in fields(kind)}


def _shown(value: Any) -> str:
    texts = value if isinstance(value, tuple) else (str(value),)
    # of a file only its name: a table of results goes further than this machine
    return ",".join(Path(text).name if is_file(Path(text)) else text for text in texts)


def is_file(path: Path) -> bool:
    """Whether there is such a file; a text that is too long for a name is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def _texts(typed: Typed) -> tuple[str, ...]:
    values = [value if isinstance(value, tuple) else (value,) for _, value in typed]
    return tuple(str(item) for items in values for item in items)


def _checksum(texts: tuple[str, ...]) -> str:
    """Return the checksum of texts, and of the files that they name."""
    paths = [
        source_path(text) if is_dataset(text) else Path(text.rpartition("=")[2]) for text in texts
    ]
    # a file that was written anew is read anew
    stamps = tuple(
        (path.stat().st_mtime_ns, path.stat().st_size) if is_file(path) else None for path in paths
    )
    return _digest(texts, tuple(paths), stamps)


@lru_cache(maxsize=256)
def _digest(
    texts: tuple[str, ...], paths: tuple[Path, ...], stamps: tuple[tuple[int, int] | None, ...]
) -> str:
    digest = sha256()
    for text, path, stamp in zip(texts, paths, stamps, strict=True):
        # a file is known by its content, wherever it lies
        digest.update((sha256_of_file(path) if stamp else text).encode())
    return digest.hexdigest()
