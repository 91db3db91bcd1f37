"""m-invariance: everyone meets the same private values in every release."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.doc import Doc
from discreet.core.fields import check_fields
from discreet.core.guarantee import Guarantee, MInvariant
from discreet.core.lineage import fingerprint
from discreet.core.publication import LinkageKey, Publication, State
from discreet.core.publisher import manifest_of, refuse_misfits
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError, InfeasibleError
from discreet.lazy import pl
from discreet.rng import Rng, secure
from discreet.series.clusters.plan import assemble, linkage_rows
from discreet.series.clusters.public_order import numbered
from discreet.series.corpus import Corpus, Shown
from discreet.series.counterfeits import draw_counterfeits
from discreet.series.signatures import BETWEEN, FAKE, Buckets, Signature, allot, terms_of


@dataclass(frozen=True, slots=True, kw_only=True)
class MInvariance:
    """Groups of m or more different private values, the same for a person in every release.

    Xiao and Tao 2007, for transactions: several private terms together are one value, and having
    none is a value too. New people who cannot be grouped wait for a later release; where somebody
    of a group has left, a counterfeit takes the place. The owner's key holds everyone's values and
    must be kept.
    """

    in_memory: ClassVar[str] = "it goes by the history of each person"

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
            "The owner's key of the series so far; read if it exists, then written. Without it "
            "nothing is promised beyond this release."
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
        refuse_misfits(data, Transactions, rng)
        rng = rng or secure()
        before = _Before.of(self.keep, self.m)
        if not before.terms <= data.sensitive:
            msg = (
                "what was private stays private: a private term of an earlier release is not among "
                "the sensitive items now; add it to `sensitive`"
            )
            raise DataError(msg, parameter="sensitive")
        corpus = Corpus.of(data, before.terms)
        if data.ids is None:
            msg = (
                "m-invariance must know who is who from release to release, and these data have no "
                "ids; read them from a file with an id column"
            )
            raise DataError(msg)
        records = corpus.canonical(data.ids)
        people = _People(
            corpus.take(records), records, [str(person) for person in data.ids[records].tolist()]
        )
        known = {
            record: before.signatures[person]
            for record, person in enumerate(people.ids)
            if person in before.signatures
        }
        order = rng.permutation(len(corpus)).tolist()
        buckets, postponed = allot(people.values, known, order, self.m)
        if not any(buckets.values()):
            most = max(Counter(people.values).values())
            msg = (
                f"no one can be published with `m` = {self.m}: one value is held by {most} of "
                f"{len(corpus)} people; `m` = {max(len(corpus) // most, 1)} would do"
            )
            raise InfeasibleError(msg, parameter="m")
        groups = _Groups.of(people.corpus, buckets)
        content, rows = self._grouped(people, groups, rng)
        manifest = manifest_of(self, "m-invariance", rng, follows=before.releases)
        left_out = Counter(people.values[record] for record in postponed)
        report = {
            "counterfeits": len(groups.fakes),
            "postponed": len(postponed),
            "postponed_alike": max(left_out.values(), default=0),
        }
        key = before.continued(people, groups, rows, fingerprint(content))
        return Publication(
            Release(content, self.guarantees, manifest),
            LinkageKey(key.tables, {**key.facts, "m": self.m, "report": report}),
        )

    def _grouped(
        self, people: "_People", groups: "_Groups", rng: Rng
    ) -> tuple[Clusters, NDArray[np.int64]]:
        """Return the release, and for each of its rows who it is, then the counterfeits."""
        records = groups.published
        published = people.corpus.take(records)
        fakes = draw_counterfeits(
            published, groups.group[records], groups.wanted, [people.corpus.sets], rng
        )
        shown = groups.shown(people.corpus)
        return assemble(published, groups.group[records], shown, fakes, rng)


@dataclass(frozen=True, eq=False)
class _People:
    """The records in canonical order."""

    corpus: Corpus
    records: NDArray[np.int64]
    """The number of each in the data."""
    ids: list[str]

    @cached_property
    def values(self) -> list[str]:
        """The private terms of each as one text."""
        [kind], _ = numbered([self.corpus.private])
        _, first = np.unique(kind, return_index=True)
        names = [BETWEEN.join(terms) for terms in self.corpus.private.take(first)]
        return [names[number] for number in kind.tolist()]


@dataclass(frozen=True, eq=False)
class _Before:
    """What the owner's key tells of the series so far."""

    releases: tuple[str, ...]
    """The fingerprints of all releases."""
    signatures: dict[str, list[Signature]]
    """Everyone's signatures, all of them."""
    history: "pl.DataFrame"
    """For each row of each release who it is, nobody for a counterfeit, and the value."""

    @classmethod
    def of(cls, key: LinkageKey | None, m: int) -> "_Before":
        """Read the key, refusing one of another method or another m."""
        if key is None:
            columns = {"release": pl.Int64, "row": pl.Int64, "id": pl.String, "value": pl.String}
            return cls((), {}, pl.DataFrame(schema=columns))
        if not {"signatures", "history"} <= key.tables.keys() or key.facts.get("m") != m:
            msg = (
                f"the key must be one that m-invariance wrote with m = {m}, and it is not; "
                "name another file with `keep` to begin a new series"
            )
            raise DataError(msg, parameter="keep")
        signatures: dict[str, list[Signature]] = {}
        # column by column: rows of lists are slow to come by
        people, signs = (key.tables["signatures"][name].to_list() for name in ("id", "signature"))
        for person, sign in zip(people, signs, strict=True):
            signatures.setdefault(person, []).append(tuple(sign))
        return cls(tuple(key.facts["releases"]), signatures, key.tables["history"])

    @cached_property
    def terms(self) -> set[str]:
        """Every private term of an earlier signature."""
        signs = {sign for signs in self.signatures.values() for sign in signs}
        return {term for sign in signs for value in sign for term in terms_of(value)}

    def continued(
        self, people: _People, groups: "_Groups", rows: NDArray[np.int64], name: str
    ) -> LinkageKey:
        """Return the key with one more release."""
        ids = [people.ids[record] for record in groups.published.tolist()]
        values = [people.values[record] for record in groups.published.tolist()]
        everyone: list[str | None] = [*ids, *(None for _ in groups.fakes)]
        values += [value for _, value in groups.fakes]
        recorded = {
            "release": np.full(len(rows), len(self.releases)),
            "row": np.arange(len(rows)),
            "id": pl.Series(everyone, dtype=pl.String).gather(rows),
            "value": pl.Series(values, dtype=pl.String).gather(rows),
        }
        now = pl.DataFrame(recorded, schema=self.history.schema)
        signatures = [(person, sign) for person, signs in self.signatures.items() for sign in signs]
        for person, group in zip(ids, groups.group[groups.published].tolist(), strict=True):
            if groups.signs[group] not in self.signatures.get(person, ()):
                signatures.append((person, groups.signs[group]))
        tables = {
            "rows": linkage_rows(rows, len(ids), people.records[groups.published]),
            "history": pl.concat([self.history, now]),
            "signatures": _table_of(signatures),
        }
        return LinkageKey(tables, {"releases": [*self.releases, name]})


def _table_of(signatures: list[tuple[str, Signature]]) -> "pl.DataFrame":
    """Return people and their signatures as a table."""
    # many people have the same one, and lists are slow to hand over
    number = {sign: index for index, sign in enumerate(dict.fromkeys(s for _, s in signatures))}
    distinct = pl.Series([list(sign) for sign in number], dtype=pl.List(pl.String))
    return pl.DataFrame(
        {
            "id": pl.Series([person for person, _ in signatures], dtype=pl.String),
            "signature": distinct.gather([number[sign] for _, sign in signatures]),
        }
    )


@dataclass(frozen=True, eq=False)
class _Groups:
    """Everyone's group, and the counterfeits."""

    group: NDArray[np.int64]
    """The group of each record, -1 for somebody who is postponed."""
    signs: list[Signature]
    """The signature of each group."""
    fakes: list[tuple[int, str]]
    """Group and value of each counterfeit, by group."""

    @classmethod
    def of(cls, corpus: Corpus, buckets: Buckets) -> "_Groups":
        """Split every bucket into groups that hold each value once, similar people together."""
        rank = np.empty(len(corpus.order), dtype=np.int64)
        rank[corpus.order] = np.arange(len(rank))
        near = rank[corpus.kinds[0]].tolist()
        group = np.full(len(corpus), -1, dtype=np.int64)
        signs: list[Signature] = []
        fakes: list[tuple[int, str]] = []
        for sign, bucket in buckets.items():
            for value, records in bucket.items():
                ordered = sorted(records, key=lambda r: near[r] if r != FAKE else len(near))
                for number, record in enumerate(ordered, start=len(signs)):
                    if record == FAKE:
                        fakes.append((number, value))
                    else:
                        group[record] = number
            signs += [sign] * len(next(iter(bucket.values())))
        return cls(group, signs, sorted(fakes))

    @cached_property
    def published(self) -> NDArray[np.int64]:
        """The records that are published."""
        return np.flatnonzero(self.group >= 0)

    @cached_property
    def wanted(self) -> NDArray[np.int64]:
        """For each group how many counterfeits it needs."""
        groups = np.array([group for group, _ in self.fakes], dtype=np.int64)
        return np.bincount(groups, minlength=len(self.signs))

    def shown(self, corpus: Corpus) -> Shown:
        """Return the terms of each group's values, all counterfeits declared."""
        number = {term: index for index, term in enumerate(corpus.terms)}
        copies: dict[int, NDArray[np.int64]] = {}
        begin = 0
        # the groups of a bucket follow each other and show the same
        for sign, alike in groupby(self.signs):
            end = begin + sum(1 for _ in alike)
            for term in (number[term] for value in sign for term in terms_of(value)):
                shown = copies.setdefault(term, np.zeros(len(self.signs), dtype=np.int64))
                shown[begin:end] += 1
            begin = end
        people = len(self.published) + len(self.fakes)
        return Shown(copies, np.zeros(len(number), dtype=np.int64), people, self.wanted)
