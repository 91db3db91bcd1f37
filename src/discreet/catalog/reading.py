"""How data are read: one dataclass of choices for each noun, whence its options."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, Protocol, TypeAlias

from discreet import scale
from discreet.catalog.syntax import ItemList, Source
from discreet.core.bitmap import cells_as_sets
from discreet.core.doc import Doc
from discreet.core.graph import Network
from discreet.core.microdata import Microdata, Missing
from discreet.core.network import SocialNetwork
from discreet.core.release import Release
from discreet.core.spelling import refuse_absent
from discreet.core.transactions import Transactions
from discreet.errors import ParameterError
from discreet.scale.collect import EngineSets
from discreet.scale.collect_table import EngineTable

ABSENT: Final = "; correct the names, or take them as they are with --allow-absent"
"""What helps where names do not occur in the data."""

NamedItems: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Names, each with values."""


class ChosenEngine(NamedTuple):
    """An engine, and what it may use."""

    name: str
    memory: str


class Reading(Protocol):
    """A dataclass of choices that reads one kind of data."""

    called: ClassVar[str]
    """What is read, as a heading says it."""

    def read(self, source: str) -> Any:
        """Read the data that ``source`` names."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsFile:
    """A file of sets, one for each person, or a named data set such as dataset:msnbc."""

    called: ClassVar[str] = "a file of sets"

    input_format: Annotated[
        Literal["fimi", "seq", "long", "lists", "matrix"] | None,
        Doc("The format of the file, if its ending and header do not tell."),
    ] = None
    columns: Annotated[
        Mapping[str, str] | None,
        Doc(
            "Which columns hold the people and the items, if they are not called id and item "
            "(one row for each item) or items (one list for each person); for example "
            "id=userID,item=artistID."
        ),
    ] = None
    separator: Annotated[
        str | None, Doc("What separates the items in a cell that holds several. [default: |]")
    ] = None
    sensitive: Annotated[ItemList, Doc("A file that lists the sensitive items, one per line.")] = (
        None
    )
    allow_absent: Annotated[
        bool,
        Doc("Accept sensitive items, and items in constraints, that do not occur in the data."),
    ] = False

    def read(self, source: str) -> Transactions:
        """Read the sets that ``source`` names."""
        data = Transactions.read(
            source,
            input_format=self.input_format,
            columns=self.columns,
            separator=self.separator,
        )
        self._refuse(data.held)
        return replace(data, sensitive=frozenset(self.sensitive)) if self.sensitive else data

    @contextmanager
    def open(self, source: str, engine: ChosenEngine) -> Iterator[EngineSets]:
        """Hand the sets that ``source`` names to an engine."""
        if self.input_format not in (None, "long", "lists") or self.separator is not None:
            msg = "an engine reads rows of id and item, or lists in parquet; use `engine` memory"
            raise ParameterError(msg, parameter="engine")
        choices: Any = {"columns": self.columns, "sensitive": self.sensitive or ()}
        with scale.open(source, engine=engine.name, memory=engine.memory, **choices) as people:
            self._refuse(people.held)
            yield people

    def _refuse(self, present: frozenset[str]) -> None:
        if self.sensitive and not self.allow_absent:
            refuse_absent("sensitive items", self.sensitive, present, cure=ABSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFile:
    """A table (csv, jsonl, parquet, xlsx), a row for each person, or one named as dataset:adult."""

    called: ClassVar[str] = "a table"

    qid: Annotated[
        tuple[str, ...],
        Doc(
            "Columns that others may know about a person (the quasi-identifiers), such as "
            "age,sex,town."
        ),
    ] = ()
    sensitive_attributes: Annotated[
        tuple[str, ...],
        Doc("Columns that nobody should learn about a person, such as diagnosis,income."),
    ] = ()
    multi_valued: Annotated[
        tuple[str, ...], Doc("Sensitive attributes in which a person may have several values.")
    ] = ()
    separator: Annotated[
        str, Doc("What separates the values in a cell of a multi-valued attribute or set column.")
    ] = "|"
    non_sensitive: Annotated[
        NamedItems,
        Doc("A sensitive attribute and its values that need no protection; repeat it for others."),
    ] = ()
    missing: Annotated[
        Missing,
        Doc(
            "What to do with a row that has an empty cell or ?: drop it, keep the gap as a "
            "value, or stop with an error."
        ),
    ] = "value"
    discretise: Annotated[
        NamedItems,
        Doc(
            "A column of numbers and where to cut it into intervals, such as age=20,40; repeat "
            "it for others."
        ),
    ] = ()

    bottom_code: Annotated[
        Mapping[str, str] | None,
        Doc("Columns of numbers and a bound; lower values are shown as <bound, such as age=18."),
    ] = None
    top_code: Annotated[
        Mapping[str, str] | None,
        Doc(
            "Columns of numbers and a bound; values from it on are shown as >=bound, such as "
            "age=80."
        ),
    ] = None
    keep_columns: Annotated[
        tuple[str, ...],
        Doc(
            "Columns to publish unchanged, in the first table. Nothing protects them, and the "
            "risk figures count them as known."
        ),
    ] = ()

    set_column: Annotated[
        str | None,
        Doc(
            "A column with a set in each cell, such as diagnoses, of which others may know some "
            "items."
        ),
    ] = None
    allow_absent: Annotated[
        bool, Doc("Accept values named as non-sensitive that do not occur in the data.")
    ] = False

    def read(self, source: str) -> Microdata:
        """Read the table that ``source`` names."""
        return self._prepared(Microdata.read(source, **self._roles))

    @contextmanager
    def open(self, source: str, engine: ChosenEngine) -> Iterator[EngineTable]:
        """Hand the table that ``source`` names to an engine."""
        if self.missing == "error":
            msg = "an engine cannot tell in which row a cell is missing; choose `missing` drop"
            raise ParameterError(msg, parameter="missing")
        choices: Any = {"engine": engine.name, "memory": engine.memory, "prepared": self._prepared}
        with scale.open_table(source, **choices, **self._roles) as people:
            yield people

    @property
    def _roles(self) -> dict[str, Any]:
        return {
            "qids": self.qid,
            "sensitive": self.sensitive_attributes,
            "multi_valued": self.multi_valued,
            "separator": self.separator,
            "kept": self.keep_columns,
            "set_column": self.set_column,
        }

    def _prepared(self, people: Microdata) -> Microdata:
        """Return the table with gaps, numbers and harmless values treated as chosen."""
        people = people.treat_missing(self.missing)
        for name, bounds in self.discretise:
            people = people.discretise(name, bounds)
        bottoms, tops = self.bottom_code or {}, self.top_code or {}
        for name in dict.fromkeys((*bottoms, *tops)):
            people = people.code_ends(name, below=bottoms.get(name), from_=tops.get(name))
        harmless: dict[str, frozenset[str]] = {}
        for name, values in self.non_sensitive:
            harmless[name] = harmless.get(name, frozenset()) | set(values)
        if not harmless:
            return people
        stated = replace(people, non_sensitive=harmless)
        for name, named in () if self.allow_absent else stated.non_sensitive.items():
            refuse_absent(
                f"values of {name!r} named non-sensitive", named, _values(people, name), cure=ABSENT
            )
        return stated


def _values(people: Microdata, name: str) -> set[str]:
    """Return the values of a sensitive attribute, those of its sets one by one."""
    cells = people.table[name].unique()
    several = name in people.multi_valued
    return set(cells_as_sets(cells, people.separator).explode() if several else cells)


EdgeColumns: TypeAlias = Annotated[
    Mapping[str, str] | None,
    Doc(
        "Which columns hold the two ends of an edge, if they are not called source and target; "
        "for example source=userID,target=friendID."
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgesFile:
    """A file of edges (csv, jsonl, parquet, xlsx) with two columns, or dataset:lastfm-friends."""

    called: ClassVar[str] = "a file of edges"

    edge_columns: EdgeColumns = None

    def read(self, source: str) -> Network:
        """Read the edges that ``source`` names."""
        return Network.read(source, columns=self.edge_columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkFiles(SetsFile):
    """A file of sets with an id for each person, such as dataset:lastfm, and one of edges."""

    called: ClassVar[str] = "sets with edges between people"

    edges: Annotated[
        Source | None,
        Doc("The file of friendships: pairs of the ids of the people; or dataset:lastfm-friends."),
    ] = None
    edge_columns: EdgeColumns = None
    allow_unmatched: Annotated[
        bool,
        Doc(
            "Keep people who occur in the edges only, with an empty set, instead of refusing the "
            "data."
        ),
    ] = False

    def read(self, source: str) -> Any:
        """Read the sets that ``source`` names and the edges beside them."""
        if self.edges is None:
            msg = "people with a network are read with their edges; give the file with `edges`"
            raise ParameterError(msg, parameter="edges")
        people = SetsFile.read(self, source)
        return SocialNetwork.read(
            people,
            self.edges,
            columns=self.edge_columns,
            allow_unmatched=self.allow_unmatched,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseFolder:
    """The folder of a release."""

    called: ClassVar[str] = "a release"

    def read(self, source: str) -> Release[Any]:
        """Read the release in the folder ``source``."""
        return Release.load(source)


NOUNS: Final[Mapping[type[Any], type[Reading]]] = {
    Transactions: SetsFile,
    Microdata: TableFile,
    Network: EdgesFile,
    SocialNetwork: NetworkFiles,
    Release: ReleaseFolder,
}
"""For each kind of data: how it is read. A new noun is one dataclass and one entry."""
