"""A plan of published tables, and what it makes of people: each record by itself."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.bitmap import bitmap_of
from discreet.core.guarantee import Guarantee
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey, Publication
from discreet.core.publisher import manifest_of, refuse_misfits
from discreet.core.release import Manifest, Release
from discreet.core.statistics import TableElsewhere
from discreet.errors import DataError
from discreet.lazy import pl
from discreet.rng import Rng, secure
from discreet.tables.folding import FoldedTable, codes_of, columns_of_bits, fold, order_of_codes

TUPLE, RECORD, PEOPLE, COPIES = "\0tuple", "\0record", "\0people", "\0copies"
"""Columns that no table has."""


@dataclass(frozen=True, eq=False)
class Recoding:
    """One published table: what becomes of each combination of quasi-identifiers."""

    original: "pl.DataFrame"
    """The combinations that are published; people with others are left out."""
    published: "pl.DataFrame"
    """What replaces each of them, row by row."""
    attributes: tuple[str, ...]
    """The sensitive attributes of the table."""
    copies: NDArray[np.int64] | None = None
    """Where equal rows are divided: of how many of them, in turn, each row here speaks."""

    @classmethod
    def of_rows(
        cls, original: "pl.DataFrame", published: "pl.DataFrame", attributes: tuple[str, ...]
    ) -> "Recoding":
        """Take each combination once, from rows in which equal ones are published alike."""
        first = original.select(pl.struct(pl.all()).is_first_distinct()).to_series()
        return cls(original.filter(first), published.filter(first), attributes)

    def matched(self, records: "pl.DataFrame") -> "pl.DataFrame":
        """Return the records that are published, with the combination of each.

        ``records`` say who they are and for how many people they stand.
        """
        tuples = self.original.with_columns(pl.int_range(pl.len()).alias(TUPLE))
        known = records.join(tuples, on=self.original.columns, how="inner")
        return known if self.copies is None else self._divided(known)

    def matches_as(self, other: "Recoding | None") -> bool:
        """Whether the same records are published by another recoding, and by the same rows."""
        if other is None or self.copies is not None or other.copies is not None:
            return False
        return self.original.equals(other.original)

    def rows(
        self, known: "pl.DataFrame", unchanged: Sequence[str] = (), rng: Rng | None = None
    ) -> "pl.DataFrame":
        """Return the published rows of matched records in the order of their cells.

        They say which record each is of, and for how many people it stands. With ``rng`` they are
        shuffled from there, at once: moving texts twice takes twice as long.
        """
        index = known[TUPLE].to_numpy()
        others = known.select(*self.attributes, *unchanged, RECORD, PEOPLE)
        # what many records are published by is made numbers once, not for each of them
        codes = [codes_of(column)[index] for column in self.published.iter_columns()]
        codes += [codes_of(column) for column in others.drop(PEOPLE).iter_columns()]
        order = order_of_codes(codes)
        order = order if rng is None else order[rng.permutation(len(order))]
        return pl.concat([self.published[index[order]], others[order]], how="horizontal")

    def _divided(self, known: "pl.DataFrame") -> "pl.DataFrame":
        """Give the people of equal records to the rows that speak of them, one after the other."""
        keys = self.original.columns
        spoken = self.original.with_columns(pl.Series(COPIES, self.copies))
        after = spoken.select(pl.col(COPIES).cum_sum().over(keys)).to_series()
        last = after.gather(known[TUPLE])
        first = last - spoken[COPIES].gather(known[TUPLE])
        # equal records may differ in what is kept as it is; their order must not decide for them
        unchanged = [name for name in known.columns if name not in (*keys, TUPLE, RECORD, PEOPLE)]
        records = known.unique(RECORD).sort(*unchanged, RECORD)
        ends = records.select(RECORD, pl.col(PEOPLE).cum_sum().over(keys).alias(COPIES))
        end = known.select(RECORD).join(ends, on=RECORD, maintain_order="left")[COPIES]
        begin = end - known[PEOPLE]
        both = pl.DataFrame({"end": last, "own_end": end, "begin": first, "own_begin": begin})
        shared = both.select(
            pl.min_horizontal("end", "own_end") - pl.max_horizontal("begin", "own_begin")
        ).to_series()
        return known.with_columns(shared.alias(PEOPLE)).filter(shared > 0)


class Rows(NamedTuple):
    """Rows of a published table."""

    table: "pl.DataFrame"
    """What is published."""
    records: NDArray[np.int64]
    """The record behind each row."""
    people: NDArray[np.int64]
    """For how many people each row stands."""


@dataclass(frozen=True, eq=False)
class TablesPlan:
    """What is published of everyone, as decided from folded statistics."""

    recodings: tuple[Recoding, ...]
    """A recoding for each table."""
    bits: Mapping[str, tuple[str, ...]]
    """For each multi-valued attribute its values; each gets a column ``NAME=VALUE``."""
    applied: "Mapping[str, pl.DataFrame]"
    """For each quasi-identifier what is public of its hierarchy."""
    ground: "Mapping[str, pl.DataFrame]"
    """The public hierarchies of sensitive attributes, where distances need them."""
    guarantees: tuple[Guarantee, ...]
    """What is promised."""
    notes: Mapping[str, Any]
    """What the manifest says of the plan."""
    report: Mapping[str, float] = field(default_factory=dict)
    """What the owner alone is told."""
    names: "pl.DataFrame | None" = None
    """The public hierarchy of the items of a set column, where they are lifted."""

    def rows(
        self, data: Microdata, people: NDArray[np.int64] | None = None, rng: Rng | None = None
    ) -> list[Rows]:
        """Return each table in the order of its cells, and the record behind each row.

        A record stands for so many ``people``, by default for one. ``rng`` shuffles each table.
        """
        table = pl.DataFrame(bitmap_of(data, self.bits)["table"])
        ones = np.ones(len(data), dtype=np.int64)
        table = table.with_columns(
            pl.col(columns_of_bits(self.bits)).cast(pl.Int64),
            pl.int_range(pl.len()).alias(RECORD),
            pl.Series(PEOPLE, ones if people is None else people),
        )
        # columns published as they are would join tables if they stood in several
        columns = [data.kept, *[()] * len(self.recodings)]
        tables = []
        before: Recoding | None = None
        known = table
        for recoding, own in zip(self.recodings, columns, strict=False):
            # the tables of a plan mostly publish the same people
            known = known if recoding.matches_as(before) else recoding.matched(table)
            before, rows = recoding, recoding.rows(known, own, rng)
            numbers = rows[RECORD].to_numpy(), rows[PEOPLE].to_numpy()
            tables.append(Rows(rows.drop(RECORD, PEOPLE), *numbers))
        return tables


@dataclass(frozen=True, slots=True, kw_only=True)
class Deciding(ABC):
    """A publisher that decides from folded statistics and applies its plan record by record."""

    called: ClassVar[str]
    """The name of the method."""
    takes_sets: ClassVar[bool] = False
    """Whether it publishes a set-valued quasi-identifier."""

    def statistics(self, data: Microdata, rng: Rng) -> FoldedTable:
        """Return the distinct rows, counted."""
        if data.set_column is not None and not self.takes_sets:
            msg = (
                f"a set column is published by rt-anonymity, not by {self.called}; use that, or "
                "make the column a sensitive attribute that is multi-valued"
            )
            raise DataError(msg, parameter="set_column")
        return fold(data)

    @abstractmethod
    def decide(self, statistics: FoldedTable, rng: Rng) -> TablesPlan:
        """Return what is published of everyone; no record is seen, only ``statistics``."""

    def apply(self, plan: TablesPlan, data: Microdata) -> ProjectedTables:
        """Return the published tables of ``data``; slices of the data give slices of the tables."""
        parts = tuple(rows.table for rows in plan.rows(data))
        return ProjectedTables(parts, plan.applied, plan.ground, data.kept, names=plan.names)

    def publish(self, data: Microdata, rng: Rng | None = None) -> Publication[ProjectedTables]:
        """Publish the tables of ``data``, each in an order of its own that says nothing."""
        refuse_misfits(data, Microdata, rng)
        rng = rng or secure()
        return self.carry_out(self.decide(self.statistics(data, rng), rng), data, rng)

    def carry_out(
        self, plan: TablesPlan, data: Microdata, rng: Rng
    ) -> Publication[ProjectedTables]:
        """Publish by a plan."""
        parts, rows = [], {}
        for number, (table, records, _) in enumerate(plan.rows(data, rng=rng), start=1):
            parts.append(table)
            numbers = {"row": np.arange(len(records)), "record": records}
            rows[f"rows_{number}"] = pl.DataFrame(numbers)
        tables = (plan.applied, plan.ground, data.kept)
        content = ProjectedTables(tuple(parts), *tables, names=plan.names)
        return Publication(
            Release(content, *self.claims(plan, data, rng)),
            LinkageKey(rows, {"report": dict(plan.report)} if plan.report else {}),
        )

    def claims(
        self, plan: TablesPlan, data: Microdata | TableElsewhere, rng: Rng
    ) -> tuple[tuple[Guarantee, ...], Manifest]:
        """Return what a release by the plan promises, and how it was made."""
        return plan.guarantees, manifest_of(self, self.called, rng, dict(plan.notes))
