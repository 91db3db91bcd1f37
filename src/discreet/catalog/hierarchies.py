"""Ways to build a hierarchy of generalisation, each described by its own fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.hierarchy import Hierarchy
from discreet.core.transactions import Transactions
from discreet.errors import DataError, ParameterError

Takes: TypeAlias = Literal["values", "cells", "sets"]
"""What a hierarchy is built from: different values, the cell of each person, or their sets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Widths:
    """Ever wider intervals of numbers."""

    takes: ClassVar[Takes] = "values"
    widths: Annotated[
        Exact | tuple[Exact, ...], Doc("How wide the intervals of each level are, such as 5,10,20.")
    ]
    origin: Annotated[Exact, Doc("Where an interval begins.")] = 0

    def build(self, values: Sequence[str]) -> Hierarchy:
        """Return the hierarchy of these values."""
        widths = self.widths if isinstance(self.widths, tuple) else (self.widths,)
        return Hierarchy.intervals(values, widths, origin=self.origin)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letters:
    """Codes with ever more letters masked from the end."""

    takes: ClassVar[Takes] = "values"
    letters: Annotated[
        int | tuple[int, ...],
        Doc(
            "How many letters each level leaves, such as 3,2; by default one less from level "
            "to level."
        ),
    ] = ()

    def build(self, values: Sequence[str]) -> Hierarchy:
        """Return the hierarchy of these values."""
        letters = self.letters if isinstance(self.letters, tuple) else (self.letters,)
        return Hierarchy.prefixes(values, letters)


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Days such as 2024-03-09 in months, years and decades."""

    takes: ClassVar[Takes] = "values"

    def build(self, values: Sequence[str]) -> Hierarchy:
        """Return the hierarchy of these days."""
        return Hierarchy.dates(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat:
    """A value is kept, or replaced by *."""

    takes: ClassVar[Takes] = "values"

    def build(self, values: Sequence[str]) -> Hierarchy:
        """Return the hierarchy of these values."""
        return Hierarchy.flat(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsAbove:
    """Words by what WordNet puts above them."""

    takes: ClassVar[Takes] = "values"
    wordnet: Annotated[
        Path | None, Doc("The folder of a WordNet; by default the one that DISCREET_DATA names.")
    ] = None

    def build(self, values: Sequence[str]) -> Hierarchy:
        """Return the hierarchy of these words; one that is unknown hangs at the top."""
        from discreet.semantics.word_hierarchy import hierarchy_of_words
        from discreet.semantics.wordnet import WordNet

        return hierarchy_of_words(values, WordNet.read(self.wordnet))

    def unknown(self, values: Sequence[str]) -> int:
        """Return how many of these words the WordNet does not know."""
        from discreet.semantics.word_hierarchy import unknown_words
        from discreet.semantics.wordnet import WordNet

        return len(unknown_words(values, WordNet.read(self.wordnet)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantiles:
    """Intervals of numbers with about as many people each."""

    takes: ClassVar[Takes] = "cells"
    groups: Annotated[int, Doc("How many groups the first level has; two are joined above.")] = 8

    def build(self, cells: Sequence[str]) -> Hierarchy:
        """Return the hierarchy of the values of a column."""
        from discreet.core.data_hierarchies import by_quantiles

        return by_quantiles(cells, self.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequency:
    """Values by how common they are, about as many people in each group."""

    takes: ClassVar[Takes] = "cells"
    groups: Annotated[int, Doc("How many groups the first level has; two are joined above.")] = 8

    def build(self, cells: Sequence[str]) -> Hierarchy:
        """Return the hierarchy of the values of a column."""
        from discreet.core.data_hierarchies import by_frequency

        return by_frequency(cells, self.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class FromSets:
    """Items that the same people hold, together; sensitive items are left out."""

    takes: ClassVar[Takes] = "sets"
    parents: Annotated[
        int,
        Doc("How many clusters there are; groups of people by clusters stay large with 5 to 8."),
    ] = 7

    def __post_init__(self) -> None:
        if self.parents < 2:
            msg = f"there must be at least 2 clusters, got {self.parents}"
            raise ParameterError(msg, parameter="parents")

    def build(self, data: Transactions) -> Hierarchy:
        """Return the hierarchy of the items of ``data`` that are not sensitive."""
        from discreet.semantics.co_occurrence import clusters

        plain = data.over([item for item in data.universe if item not in data.sensitive])
        if not plain.universe:
            raise DataError("the data must hold items that are not sensitive, and hold none")
        numbers = clusters(plain.sets, self.parents)
        named = zip(plain.universe, numbers.tolist(), strict=True)
        return Hierarchy.of_levels([item, f"cluster {number + 1}", "ALL"] for item, number in named)


Builder: TypeAlias = Widths | Letters | Days | Flat | WordsAbove | Quantiles | Frequency | FromSets

BUILDERS: Final[Mapping[str, type[Builder]]] = {
    "flat": Flat,
    "intervals": Widths,
    "quantiles": Quantiles,
    "prefixes": Letters,
    "dates": Days,
    "frequency": Frequency,
    "from-data": FromSets,
    "wordnet": WordsAbove,
}
"""Each way to build a hierarchy, by its name on the command line."""
