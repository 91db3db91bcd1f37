"""Published clusters: the public half of every record beside a bag of private terms."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.histogram import list_column, refuse_damaged, sets_of_column, whole_numbers
from discreet.core.itemsets import Itemsets
from discreet.errors import DataError
from discreet.kernels.ragged import offsets_of
from discreet.lazy import pl

BAG = -1
"""The number under which the global bag stands among the clusters; null in a file."""

Cluster: TypeAlias = tuple[Iterable[Iterable[str]], Mapping[str, int] | Iterable[str]]
"""The non-private sets of a cluster and its private terms, with copies or one by one."""


@dataclass(frozen=True, eq=False, repr=False)
class Clusters:
    """People in clusters: what each may be known by, and which private terms a cluster holds.

    Who in a cluster holds a private term is not said; of the copies in the global bag not even
    the cluster. Counterfeit people stand among the others, and only their number is told.

    >>> clusters = Clusters.of(
    ...     [([["theft", "arson"], ["theft"]], ["HIV"]), ([["DUI"], ["DUI"]], {"HIV": 1})],
    ...     bag=["herpes"],
    ... )
    >>> len(clusters), clusters.count, clusters.size.tolist(), clusters.terms
    (4, 2, [2, 2], ('HIV', 'herpes'))
    >>> clusters.rate("HIV"), clusters.copies(0), clusters.copies(BAG)
    (Fraction(1, 2), {'HIV': 1}, {'herpes': 1})
    """

    explained: ClassVar[tuple[str, ...]] = (
        "sets: each row is one person, or a counterfeit, without the private terms.",
        "private: how many copies of each private term belong to the people of a cluster; a row "
        "without a cluster number is the bag: its copies are somewhere among all people.",
    )
    """What a reader of the tables must be told."""

    sets: Itemsets
    """The non-private set of each published transaction, counterfeits among them."""
    cluster: NDArray[np.int64]
    """The cluster of each of them, numbered from 0."""
    terms: tuple[str, ...]
    """The private terms of the release, sorted."""
    private_cluster: NDArray[np.int64]
    """Of each entry of private terms its cluster, ``BAG`` for the global bag."""
    private_term: NDArray[np.int64]
    """Of each entry the number of its term in ``terms``."""
    private_copies: NDArray[np.int64]
    """Of each entry how many copies there are, at least 1."""
    counterfeits: NDArray[np.int64]
    """For each cluster how many of its transactions are declared to be counterfeits."""
    rate_num: NDArray[np.int64]
    """For each term the numerator of its population rate."""
    rate_den: NDArray[np.int64]
    """For each term the denominator of its population rate."""

    def __post_init__(self) -> None:
        for array in (
            self.cluster,
            self.private_cluster,
            self.private_term,
            self.private_copies,
            self.counterfeits,
            self.rate_num,
            self.rate_den,
        ):
            array.setflags(write=False)
        _check(self)

    @classmethod
    def of(
        cls,
        clusters: Sequence[Cluster],
        *,
        bag: Mapping[str, int] | Iterable[str] = (),
        counterfeits: Sequence[int] = (),
        rates: Mapping[str, Fraction] | None = None,
    ) -> "Clusters":
        """Make clusters from Python collections.

        Without ``rates`` a term's is its number of copies over the number of people that are not
        declared counterfeits.
        """
        bags = [Counter(bag), *(Counter(terms) for _, terms in clusters)]
        members = [[list(record) for record in records] for records, _ in clusters]
        terms = tuple(sorted(set().union(*bags) | set(rates or {})))
        number = {term: index for index, term in enumerate(terms)}
        rows = [
            (index, number[term], copies)
            for index, counts in enumerate(bags, start=BAG)
            for term, copies in sorted(counts.items())
        ]
        declared = list(counterfeits) or [0] * len(members)
        people = sum(map(len, members)) - sum(declared)
        shares = rates or {
            term: Fraction(sum(counts[term] for counts in bags), people) for term in terms
        }
        entries = np.array(rows, dtype=np.int64).reshape(-1, 3)
        return cls(
            Itemsets.of([record for records in members for record in records]),
            np.repeat(np.arange(len(members)), [len(records) for records in members]),
            terms,
            entries[:, 0].copy(),
            entries[:, 1].copy(),
            entries[:, 2].copy(),
            np.array(declared, dtype=np.int64),
            np.array([shares[term].numerator for term in terms], dtype=np.int64),
            np.array([shares[term].denominator for term in terms], dtype=np.int64),
        )

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"Clusters({len(self)} transactions in {self.count} clusters)"

    def __len__(self) -> int:
        return len(self.sets)

    @property
    def count(self) -> int:
        """How many clusters there are."""
        return len(self.counterfeits)

    @cached_property
    def size(self) -> NDArray[np.int64]:
        """For each cluster the number of its transactions, counterfeits among them."""
        return np.bincount(self.cluster, minlength=self.count).astype(np.int64)

    @cached_property
    def by_cluster(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the rows of each cluster begin in the second array, which lists the rows."""
        return offsets_of(self.size), np.argsort(self.cluster, kind="stable").astype(np.int64)

    @cached_property
    def private(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Where the private entries of each cluster begin, then their terms and their copies."""
        inside = self.private_cluster != BAG
        owner, term = self.private_cluster[inside], self.private_term[inside]
        order = np.lexsort((term, owner))
        offsets = offsets_of(np.bincount(owner, minlength=self.count))
        return offsets, term[order], self.private_copies[inside][order]

    @cached_property
    def bag(self) -> NDArray[np.int64]:
        """For each term how many copies the global bag holds."""
        outside = self.private_cluster == BAG
        copies = np.zeros(len(self.terms), dtype=np.int64)
        copies[self.private_term[outside]] = self.private_copies[outside]
        return copies

    @cached_property
    def total(self) -> NDArray[np.int64]:
        """For each term how many copies the release holds, in clusters and in the bag."""
        copies = np.zeros(len(self.terms), dtype=np.int64)
        np.add.at(copies, self.private_term, self.private_copies)
        return copies

    @cached_property
    def rates(self) -> tuple[Fraction, ...]:
        """For each term its population rate, exactly."""
        return tuple(
            Fraction(int(num), int(den))
            for num, den in zip(self.rate_num, self.rate_den, strict=True)
        )

    def rate(self, term: str) -> Fraction:
        """Return the population rate of a term; 0 for a term that the release does not hold."""
        return self.rates[self.terms.index(term)] if term in self.terms else Fraction(0)

    def copies(self, cluster: int) -> dict[str, int]:
        """Return the private terms of a cluster, or of the ``BAG``, with their copies."""
        here = np.flatnonzero(self.private_cluster == cluster)
        return {
            self.terms[self.private_term[entry]]: int(self.private_copies[entry])
            for entry in here[np.argsort(self.private_term[here], kind="stable")]
        }

    def tables(self) -> "dict[str, pl.DataFrame]":
        """Return the release's tables: ``sets``, ``private``, ``counterfeits`` and ``rates``."""
        names = pl.Series("item", self.terms, dtype=pl.String)
        owner = pl.Series(self.private_cluster)
        return {
            "sets": pl.DataFrame(
                {"cluster": pl.Series(self.cluster), "items": list_column(self.sets)}
            ),
            "private": pl.DataFrame(
                {
                    "cluster": owner.set(owner == BAG, None),
                    "item": names.gather(self.private_term),
                    "copies": pl.Series(self.private_copies),
                }
            ),
            "counterfeits": pl.DataFrame(
                {
                    "cluster": np.arange(self.count, dtype=np.int64),
                    "count": pl.Series(self.counterfeits),
                }
            ),
            "rates": pl.DataFrame(
                {
                    "item": names,
                    "rate_num": pl.Series(self.rate_num),
                    "rate_den": pl.Series(self.rate_den),
                }
            ),
        }

    @classmethod
    def of_tables(cls, tables: "Mapping[str, pl.DataFrame]") -> "Clusters":
        """Read the clusters back from their tables."""
        sets, private, rates = tables["sets"], tables["private"], tables["rates"].sort("item")
        counterfeits = tables["counterfeits"].sort("cluster")
        if counterfeits["cluster"].to_list() != list(range(counterfeits.height)):
            msg = "the table of counterfeits must name each cluster once, numbered from 0"
            raise DataError(msg)
        terms = rates["item"]
        if not private["item"].is_in(terms.implode()).all() or terms.n_unique() < len(terms):
            msg = "every private term of a release must have exactly one rate, and one does not"
            raise DataError(msg)
        numbers = np.arange(len(terms), dtype=np.int64)
        return cls(
            sets_of_column(sets["items"]),
            whole_numbers(sets["cluster"]),
            tuple(terms.to_list()),
            whole_numbers(private["cluster"].fill_null(BAG)),
            whole_numbers(private["item"].replace_strict(terms, numbers, return_dtype=pl.Int64)),
            whole_numbers(private["copies"]),
            whole_numbers(counterfeits["count"]),
            whole_numbers(rates["rate_num"]),
            whole_numbers(rates["rate_den"]),
        )


def _check(content: Clusters) -> None:
    """Refuse numbers that contradict each other; nothing of the content is shown."""
    if len(content.cluster) != len(content.sets):
        refuse_damaged("every published transaction must have a cluster")
    _refuse_range("cluster of a transaction", content.cluster, 0, content.count)
    _refuse_range("cluster of a private term", content.private_cluster, BAG, content.count)
    _refuse_range("number of a private term", content.private_term, 0, len(content.terms))
    if (content.private_copies < 1).any():
        refuse_damaged("a private term that is listed must have at least 1 copy")
    entry = content.private_cluster * (len(content.terms) + 1) + content.private_term
    if len(np.unique(entry)) < len(entry):
        refuse_damaged("a private term must be listed once for each cluster")
    if ((content.counterfeits < 0) | (content.counterfeits > content.size)).any():
        refuse_damaged("a cluster's counterfeits must be among its transactions")
    if (content.size == 0).any():
        refuse_damaged("a cluster must hold at least one transaction")
    if ((content.rate_num < 1) | (content.rate_den < content.rate_num)).any():
        refuse_damaged("the rate of a private term must be above 0 and at most 1")


def _refuse_range(name: str, values: NDArray[np.int64], low: int, high: int) -> None:
    if len(values) and (values.min() < low or values.max() >= high):
        refuse_damaged(f"the {name} must be from {low} to {high - 1}")
