"""m-invariance: everyone meets the same private values in every release."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.doc import Doc
from discreet.core.fields import check_fields
from discreet.core.guarantee import Guarantee, MInvariant
from discreet.core.publication import LinkageKey, Publication, State
from discreet.core.publisher import manifest_of
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError, InfeasibleError
from discreet.rng import Rng, secure
from discreet.series.cluster_plan import assemble, linkage_rows
from discreet.series.corpus import Corpus, Shown
from discreet.series.counterfeits import draw_counterfeits
from discreet.series.public_order import numbered
from discreet.series.signatures import FAKE, Buckets, allot

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MInvariance"]

BETWEEN = "\x00"
"""Between the terms of a value: several private terms of a person count as one value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MInvariance:
    """Groups of m or more different private values that a person meets in every release alike.

    Xiao and Tao 2007, for transactions: several private terms are one value, none is a value too.
    Who is new and cannot be grouped waits for a later release; where someone of a group is gone,
    a counterfeit takes the place. The owner's key holds everyone's values and must be kept.
    """

    m: Annotated[
        int,
        Doc(
            "Least number of different values in a group; a value may be held by one in m new "
            "people."
        ),
    ]
    keep: Annotated[
        State | None,
        Doc(
            "The owner's key: what everyone's group showed before; read if it exists, then written."
        ),
    ] = field(default=None, metadata={"unwritten": True})

    def __post_init__(self) -> None:
        check_fields(self)
        _ = self.guarantees

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Everyone keeps the values he was grouped with."""
        return (MInvariant(m=self.m),)

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Clusters]:
        """Publish everyone who can be grouped."""
        rng = rng or secure()
        before = self._before()
        earlier = {
            term for sign in set(before.values()) for value in sign for term in _terms(value)
        }
        if not earlier <= data.sensitive:
            msg = (
                "what was private stays private: a private term of an earlier release is not among "
                "the sensitive items now; add it"
            )
            raise DataError(msg)
        corpus = Corpus.of(data, earlier)
        if data.ids is None:
            msg = (
                "m-invariance must know who is who from release to release, and these data have no "
                "ids; read them from a file with an id column"
            )
            raise DataError(msg)
        records = corpus.canonical(data.ids)
        corpus = corpus.take(records)
        ids = [str(person) for person in data.ids[records].tolist()]
        values = _values(corpus)
        # a record whose value has changed is someone who left and someone who came
        changed = _changed(ids, values, before)
        before = {person: sign for person, sign in before.items() if person not in changed}
        known = {record: before[p] for record, p in enumerate(ids) if p in before}
        buckets, postponed = allot(values, known, rng.permutation(len(corpus)).tolist(), self.m)
        if not any(buckets.values()):
            most = max(Counter(values).values())
            msg = (
                f"no one can be published with `m` = {self.m}: one value is held by {most} of "
                f"{len(values)} people; `m` = {max(len(values) // most, 1)} would do"
            )
            raise InfeasibleError(msg, parameter="m")
        return self._published(corpus, records, buckets, (ids, before), len(postponed), rng)

    def _before(self) -> dict[str, tuple[str, ...]]:
        """Return everyone's signature so far."""
        if self.keep is None:
            return {}
        if "signatures" not in self.keep.tables or self.keep.facts.get("m") != self.m:
            msg = (
                f"the key must be one that m-invariance wrote with `m` = {self.m}, and it is not; "
                "name another file to begin a new series"
            )
            raise DataError(msg, parameter="keep")
        table = self.keep.tables["signatures"]
        return {person: tuple(sign) for person, sign in table.select("id", "signature").iter_rows()}

    def _published(
        self,
        corpus: Corpus,
        records: NDArray[np.int64],
        buckets: Buckets,
        people: tuple[list[str], dict[str, tuple[str, ...]]],
        postponed: int,
        rng: Rng,
    ) -> Publication[Clusters]:
        groups = _Groups.of(corpus, buckets)
        kept = np.flatnonzero(groups.group >= 0)
        published = corpus.take(kept)
        wanted = np.bincount(
            np.array([group for group, _ in groups.fakes], dtype=np.int64),
            minlength=len(groups.signs),
        )
        fakes = draw_counterfeits(published, groups.group[kept], wanted, [corpus.sets], rng)
        shown = groups.shown(corpus, wanted)
        content, rows = assemble(published, groups.group[kept], shown, fakes, rng)
        release = Release(content, self.guarantees, manifest_of(self, "m-invariance", rng))
        ids, before = people
        tables = {
            "rows": linkage_rows(rows, len(kept), records[kept]),
            "values": groups.values(corpus, rows, kept),
        } | groups.signatures(ids, records, before, kept)
        report = {"counterfeits": len(fakes), "postponed": postponed}
        return Publication(release, LinkageKey(tables, {"m": self.m, "report": report}))


def _values(corpus: Corpus) -> list[str]:
    """Return the value of each record: its private terms as one text."""
    [kind], _ = numbered([corpus.private])
    _, first = np.unique(kind, return_index=True)
    names = [BETWEEN.join(terms) for terms in corpus.private.take(first)]
    return [names[number] for number in kind.tolist()]


def _changed(ids: list[str], values: list[str], before: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Return who has a value now that was not in the signature."""
    people = zip(ids, values, strict=True)
    return {person for person, value in people if value not in before.get(person, (value,))}


@dataclass(frozen=True, eq=False)
class _Groups:
    """Everyone's group, and the counterfeits."""

    group: NDArray[np.int64]
    """The group of each record, -1 for who is postponed."""
    signs: list[tuple[str, ...]]
    """The signature of each group."""
    fakes: list[tuple[int, str]]
    """Group and value of each counterfeit, by group."""

    @classmethod
    def of(cls, corpus: Corpus, buckets: Buckets) -> "_Groups":
        """Split every bucket into groups that hold each value once, similar people together."""
        rank = np.empty(len(corpus.order), dtype=np.int64)
        rank[corpus.order] = np.arange(len(rank))
        place = rank[corpus.kinds[0]].tolist()
        group = np.full(len(corpus), -1, dtype=np.int64)
        signs: list[tuple[str, ...]] = []
        fakes: list[tuple[int, str]] = []
        for sign, bucket in buckets.items():
            for value, records in bucket.items():
                last = len(place)
                ordered = sorted(records, key=lambda r: place[r] if r != FAKE else last)
                for number, record in enumerate(ordered, start=len(signs)):
                    if record == FAKE:
                        fakes.append((number, value))
                    else:
                        group[record] = number
            signs += [sign] * len(next(iter(bucket.values())))
        return cls(group, signs, sorted(fakes))

    def shown(self, corpus: Corpus, wanted: NDArray[np.int64]) -> Shown:
        """Return the terms of each group's values, all counterfeits declared."""
        number = {term: place for place, term in enumerate(corpus.terms)}
        held = [
            (number[term], group)
            for group, sign in enumerate(self.signs)
            for value in sign
            for term in _terms(value)
        ]
        copies: dict[int, NDArray[np.int64]] = {}
        for term, group in held:
            copies.setdefault(term, np.zeros(len(self.signs), dtype=np.int64))[group] += 1
        people = int((self.group >= 0).sum()) + int(wanted.sum())
        return Shown(copies, np.zeros(len(number), dtype=np.int64), people, wanted)

    def values(
        self, corpus: Corpus, rows: NDArray[np.int64], kept: NDArray[np.int64]
    ) -> "pl.DataFrame":
        """Return the value of every row, of counterfeits too."""
        import polars as pl

        values = _values(corpus)
        everyone = [values[record] for record in kept] + [value for _, value in self.fakes]
        columns = {"row": np.arange(len(rows)), "value": [everyone[row] for row in rows]}
        return pl.DataFrame(columns, schema_overrides={"value": pl.String})

    def signatures(
        self,
        ids: list[str],
        records: NDArray[np.int64],
        before: dict[str, tuple[str, ...]],
        kept: NDArray[np.int64],
    ) -> "dict[str, pl.DataFrame]":
        """Return who each record is, and everyone's signature, as it was and as it is now."""
        import polars as pl

        mine = {ids[record]: self.signs[self.group[record]] for record in kept.tolist()}
        return {
            "people": pl.DataFrame(
                {"record": records[kept], "id": [ids[r] for r in kept.tolist()]}
            ),
            "before": _signed(before),
            "signatures": _signed(before | mine),
        }


def _signed(signatures: Mapping[str, tuple[str, ...]]) -> "pl.DataFrame":
    import polars as pl

    columns = {"id": list(signatures), "signature": [list(sign) for sign in signatures.values()]}
    return pl.DataFrame(columns, schema={"id": pl.String, "signature": pl.List(pl.String)})


def _terms(value: str) -> list[str]:
    return value.split(BETWEEN) if value else []
