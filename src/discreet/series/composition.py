"""Comparing releases over time: who stays, who goes, and which private terms go with them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Releases, each_of
from discreet.core.clusters import Clusters
from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, exact, in_range
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.guarantee import MInvariant, SeriallyPreserving, SPreserving
from discreet.core.release import Release
from discreet.errors import ParameterError
from discreet.kernels.ragged import runs
from discreet.series.evidence.bag_sources import bag_sources
from discreet.series.evidence.before_and_after import (
    Beliefs,
    Links,
    Reading,
    compared,
    compared_whole,
    holding_rates,
)
from discreet.series.evidence.chains import chained
from discreet.series.evidence.joined_clusters import joined_clusters
from discreet.series.evidence.joint_evidence import EFFORT, Posteriors, Series
from discreet.series.evidence.known_fakes import known_fakes
from discreet.series.evidence.signature_intersection import narrowed

Whole = NDArray[np.int64]
Real = NDArray[np.float64]

HOW = (
    "skewness",
    "composition",
    "transitive composition",
    "global composition",
    "minimality",
    "intersected signatures",
    "chains",
)
ALONE, DIRECT, THROUGH, AS_WHOLES, MINIMAL, INTERSECTED, CHAINED = range(len(HOW))
EDGE = 1 + 1e-9
"""Numbers are floats here; what is no more than rounding above a bound is not above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Victim:
    """What the attacker knows of one person, and of the publisher."""

    items: Annotated[
        tuple[str, ...],
        Doc("All non-private items of the person; without any, everyone is attacked."),
    ] = field(default=(), metadata={"option": "--knows"})
    fakes: Annotated[
        Path | None,
        Doc(
            "Counterfeits without private terms that the publisher let slip: a csv file with "
            "release (counted from 1), cluster (its number in that release) and count."
        ),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """Compare releases over time and infer who holds which private term.

    Bewong, Liu, Liu and Li 2019. Equal non-private sets in two releases are taken to be the same
    people. Both their clusters limit how many copies of a private term they can hold, and these
    limits say something about everyone else in either cluster. The releases are compared cluster by
    cluster, as wholes, and through derived clusters. Skewness, the minimality of the global bag and
    that of joined clusters are examined as well, and where m-invariance is promised, signatures are
    intersected.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("linkability", "inference")

    r_th: Annotated[
        Exact | None,
        Doc(
            "Claim, and count as at risk, what is at least this many times as likely as in the "
            "population; by default the number that the releases promise, or 2 without one."
        ),
    ] = None
    posterior: Annotated[
        Reading,
        Doc(
            "How overlaps are weighed together: all at once, as a product after overlaps of "
            "the same people are merged, or as the product that the paper prints."
        ),
    ] = "exact"
    overlaps: Annotated[
        Links,
        Doc(
            "Which equal sets count as overlaps: all, as in the paper, or only those that are in "
            "one cluster of each release."
        ),
    ] = "all"
    links: Annotated[Links, Doc("Through which equal sets derived clusters are followed.")] = (
        "unique"
    )
    depth: Annotated[int, Doc("How many derived clusters are followed in a row; 0 for none.")] = 1
    chains: Annotated[
        Literal["all", "none"],
        Doc(
            "Weigh all clusters of all releases together, or not: every possibility that fits "
            "them is counted, or, where there are too many, the one of maximum entropy is taken."
        ),
    ] = "all"
    presence: Annotated[
        Literal["known", "unknown"],
        Doc(
            "Whether the attacker knows in which other releases the person is; it matters "
            "where several people have equal sets and not all of them stay."
        ),
    ] = "known"
    effort: Annotated[
        int,
        Doc(
            "How many ways to distribute the copies of a term over a cluster are counted, at most."
        ),
    ] = EFFORT
    limit: Annotated[int, Doc("How many claims to make, at most.")] = 100_000

    def __post_init__(self) -> None:
        check_fields(self)
        if self.r_th is not None and exact("r_th", self.r_th) < 1:
            raise ParameterError(f"`r_th` must be at least 1, got {self.r_th}", parameter="r_th")
        in_range(0, None, depth=self.depth)
        at_least_one(effort=self.effort, limit=self.limit)

    def attack(self, releases: Releases[Clusters], knowledge: Victim | None = None) -> Findings:
        """Return who can be linked to what, surest first; one release shows only its skewness."""
        releases, knowledge = each_of(releases, Clusters), knowledge or Victim()
        if not releases:
            msg = "composition compares releases, and there is none; name at least one"
            raise ParameterError(msg)
        tally = self._tallied(releases, known_fakes(releases, knowledge.fakes))
        claims = tuple(tally.claims(knowledge.items))
        return Findings(attack="composition", claims=claims, summary=tally.summary)

    def _tallied(self, releases: Sequence[Release[Clusters]], fakes: tuple[Whole, ...]) -> "_Tally":
        series = Series(tuple(each.content for each in releases), fakes)
        clusters = compared(
            series,
            overlaps=self.overlaps,
            links=self.links,
            depth=self.depth,
            effort=self.effort,
        )
        wholes, kind = compared_whole(series, effort=self.effort)
        tally = _Tally(self, series, list(releases))
        tally.weigh(clusters, wholes, kind)
        return tally

    def at_risk(self, releases: Sequence[Release[Clusters]], fakes: tuple[Whole, ...]) -> int:
        """Return how many transactions are at risk by their clusters, directly and through others.

        ``fakes`` counts for each release and cluster the rows that are taken for counterfeits.
        """
        return int(self._tallied(releases, fakes).summary["at_risk_transitive"])

    def reading(self, posteriors: Posteriors) -> Real:
        """Return the posteriors in the chosen reading."""
        if self.posterior == "exact" and self.presence == "unknown":
            return posteriors.mean
        return {"exact": posteriors.exact, "merged": posteriors.merged, "paper": posteriors.paper}[
            self.posterior
        ]

    def bound(self, release: Release[Clusters]) -> Fraction:
        """Return how many times the population rate is too much in a release."""
        if self.r_th is not None:
            return exact("r_th", self.r_th)
        promised = (
            exact("r_th", each.r_th)
            for each in release.guarantees
            if isinstance(each, SPreserving | SeriallyPreserving)
        )
        return max(promised, default=Fraction(2))


@dataclass(slots=True)
class _Tally:
    """What was found, put together: numbers about the whole and the claims."""

    method: Composition
    series: Series
    releases: list[Release[Clusters]]
    summary: Summary = field(default_factory=dict)
    claimed: list[tuple[Whole, ...]] = field(default_factory=list)
    """Parts of: release, set, term, how, and the probabilities behind them."""
    chances: list[tuple[Real, ...]] = field(default_factory=list)

    def weigh(self, clusters: Beliefs, wholes: Beliefs, kind: Whole) -> None:
        """Weigh everything that was found."""
        bounds = np.array([float(self.method.bound(each)) for each in self.releases])
        everyone = sum(len(each.content) for each in self.releases)
        self.summary |= {
            "releases": len(self.releases),
            "transactions": everyone,
            "clusters": len(clusters.groups.size),
            "overlaps": clusters.overlaps,
            "overlaps_that_clash": clusters.clashes,
        }
        self._clusters(clusters, bounds)
        self._wholes(wholes, kind, bounds)
        self._minimal(bounds)
        self._intersected()
        if self.method.chains == "all" and len(self.releases) > 1:
            self._chains(bounds)
        self.summary |= {
            "not_counted_exactly": clusters.direct.uncounted + wholes.direct.uncounted
        } | self._visible()

    def _clusters(self, beliefs: Beliefs, bounds: Real) -> None:
        people = self.series.times
        holds = (people > 0).T
        rates = holding_rates(self.series, self.releases, beliefs, holds)
        least = rates * bounds[beliefs.release] * EDGE
        risky = {
            "at_risk_alone": beliefs.prior > least,
            "at_risk_paper": beliefs.direct.paper > least,
            "at_risk_merged": beliefs.direct.merged > least,
            "at_risk_exact": beliefs.direct.exact > least,
            "at_risk_transitive": beliefs.through.exact > least,
        }
        self.summary |= {name: beliefs.people(where) for name, where in risky.items()}
        # a person with this set can be in any cluster that has it
        direct, through = self.method.reading(beliefs.direct), self.method.reading(beliefs.through)
        key = beliefs.release * len(holds) + beliefs.groups.sets[beliefs.position]
        key = key * len(self.series.terms) + beliefs.term
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        weight = beliefs.groups.counts[beliefs.position]
        release, sets = beliefs.release[first], beliefs.groups.sets[beliefs.position][first]
        count = people[release, sets]
        means = [
            np.bincount(which, weight * belief) / count
            for belief in (beliefs.prior, direct, through)
        ]
        prior, posterior = means[0], np.maximum(means[1], means[2])
        how = np.select(
            [posterior <= prior * EDGE, means[2] <= means[1] * EDGE],
            [ALONE, DIRECT],
            default=THROUGH,
        )
        claimed = posterior > least[first]
        self._add(
            tuple(column[claimed] for column in (release, sets, beliefs.term[first], how)),
            tuple(column[claimed] for column in (prior, posterior, rates[first])),
        )

    def _wholes(self, beliefs: Beliefs, kind: Whole, bounds: Real) -> None:
        groups = beliefs.groups
        holds = np.zeros((int(groups.sets.max(initial=-1)) + 1, len(self.releases)), dtype=np.bool_)
        holds[groups.sets, groups.release[groups.owner]] = True
        rates = holding_rates(self.series, self.releases, beliefs, holds)
        posterior = self.method.reading(beliefs.direct)
        risky = beliefs.direct.exact > rates * bounds[beliefs.release] * EDGE
        self.summary["at_risk_global"] = beliefs.people(risky)
        worst = np.flatnonzero(posterior > rates * bounds[beliefs.release] * EDGE)
        worst = worst[np.argsort(-posterior[worst], kind="stable")]
        # every set that the position stands for, until there are claims enough
        order = np.argsort(kind, kind="stable")
        starts = np.searchsorted(kind[order], np.arange(len(holds) + 1))
        index = groups.sets[beliefs.position[worst]]
        count = np.diff(starts)[index]
        worst = worst[: int(np.searchsorted(np.cumsum(count), self.method.limit)) + 1]
        index, count = index[: len(worst)], count[: len(worst)]
        sets = order[runs(starts[index], count)]
        at = np.repeat(worst, count)
        numbers = (beliefs.release[at], sets, beliefs.term[at], np.full(len(at), AS_WHOLES))
        chances = (beliefs.prior[at], posterior[at], rates[at])
        self._add(numbers, chances)

    def _minimal(self, bounds: Real) -> None:
        people = 0
        for number, each in enumerate(self.releases):
            if any(isinstance(promise, SeriallyPreserving) for promise in each.guarantees):
                continue  # its bag also takes copies that a cluster could have kept
            one = each.content
            names = self.series.numbered(one.terms)
            sources = bag_sources(one, self.method.bound(each))
            rate = one.rate_num[sources.term] / one.rate_den[sources.term]
            risky = np.flatnonzero(sources.posterior > rate * bounds[number] * EDGE)
            people += int(one.size[np.unique(sources.cluster[risky])].sum())
            starts, rows = one.by_cluster
            for at in risky[np.argsort(-sources.posterior[risky])][: self.method.limit].tolist():
                inside = rows[starts[sources.cluster[at]] : starts[sources.cluster[at] + 1]]
                sets = np.unique(self.series.numbers[number][inside])
                whole = np.full(len(sets), 1)
                term = whole * int(names[sources.term[at]])
                numbers = (whole * number, sets, term, whole * MINIMAL)
                chances = (sources.prior[at], sources.posterior[at], rate[at])
                self._add(numbers, tuple(whole * value for value in chances))
        self.summary["at_risk_minimality"] = people + self._joined(bounds)

    def _joined(self, bounds: Real) -> int:
        """Look for people whose part of a cluster was too crowded to be published by itself."""
        people = 0
        for number, each in enumerate(self.releases):
            crowded = joined_clusters(each, self.series.numbers[number])
            term = self.series.numbered(each.content.terms)[crowded.term]
            rate = self.series.rates[number, term]
            risky = crowded.posterior > rate * bounds[number] * EDGE
            sets = crowded.sets[risky]
            people += int(self.series.times[number, np.unique(sets)].sum())
            whole = np.full(len(sets), 1)
            self._add(
                (whole * number, sets, term[risky], whole * MINIMAL),
                (crowded.prior[risky], crowded.posterior[risky], rate[risky]),
            )
        return people

    def _intersected(self) -> None:
        """Look for people whose values are narrowed down by two releases of m-invariance."""
        signed = [
            number
            for number, each in enumerate(self.releases)
            if any(isinstance(promise, MInvariant) for promise in each.guarantees)
        ]
        beliefs = narrowed(
            [self.releases[number].content for number in signed],
            [self.series.numbers[number] for number in signed],
        )
        release = np.array(signed, dtype=np.int64)[beliefs.release]
        term = self.series.numbered(beliefs.term)
        numbers = (release, beliefs.sets, term, np.full(len(term), INTERSECTED))
        rates = self.series.rates[release, term]
        self._add(numbers, (beliefs.prior, beliefs.posterior, rates))
        if signed:
            people = set(zip(release.tolist(), beliefs.sets.tolist(), strict=True))
            self.summary["at_risk_signatures"] = len(people)

    def _chains(self, bounds: Real) -> None:
        """Look for people who are at risk by all releases at once."""
        chains = chained(self.series, self.releases, bounds)
        numbers = chains.release, chains.sets, chains.term, np.full(len(chains.term), CHAINED)
        self._add(numbers, (chains.prior, chains.posterior, chains.rate))
        self.summary |= {"at_risk_chains": chains.people, **chains.components}

    def _add(self, numbers: tuple[Whole, ...], chances: tuple[Real, ...]) -> None:
        self.claimed.append(numbers)
        self.chances.append(chances)

    def _visible(self) -> Summary:
        """Return how much there was to see: a release that bags everything is safe and useless."""
        contents = [each.content for each in self.releases]
        bag = sum(int(one.bag.sum()) for one in contents)
        copies = sum(int(one.total.sum()) for one in contents)
        seen = {one.terms[term] for one in contents for term in set(one.private[1].tolist())}
        return {
            "bag_share": bag / max(1, copies),
            "private_terms": len(self.series.terms),
            "private_terms_in_clusters": len(seen),
        }

    def claims(self, known: tuple[str, ...]) -> Iterator[Claim]:
        """Yield the claims, surest first, of one person or of all."""
        release, sets, term, how = (
            np.concatenate(column) for column in zip(*self.claimed, strict=True)
        )
        prior, posterior, rate = (
            np.concatenate(column) for column in zip(*self.chances, strict=True)
        )
        lift = posterior / np.maximum(rate, 1e-300)
        order = np.lexsort((how, -lift, -posterior))
        key = (release * (sets.max(initial=0) + 1) + sets) * len(self.series.terms) + term
        _, best = np.unique(key[order], return_index=True)
        wanted = frozenset(known)
        rows = [np.unique(numbers, return_index=True) for numbers in self.series.numbers]
        people = [np.bincount(numbers) for numbers in self.series.numbers]
        made = 0
        for at in order[np.sort(best)].tolist():
            number, name = int(release[at]), int(sets[at])
            row = int(rows[number][1][np.searchsorted(rows[number][0], name)])
            members = self.releases[number].content.sets[row]
            if known and wanted != set(members):
                continue
            if made == self.method.limit:
                break
            made += 1
            yield Claim(
                release=number + 1,
                row=row,
                known=members,
                inferred=(self.series.terms[int(term[at])],),
                confidence=float(posterior[at]),
                people=int(people[number][name]),
                prior=float(prior[at]),
                lift=float(lift[at]),
                how=HOW[int(how[at])],
            )
