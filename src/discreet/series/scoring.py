"""What comparing releases over time is worth against the truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.findings import Findings
from discreet.core.itemsets import numbering
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.measure.score import Gain, Rate, one_for_each
from discreet.series.kernels.cover import number_sets

__all__ = ["SerialBreach", "records_behind", "score_series"]

Whole = NDArray[np.int64]
Real = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialBreach:
    """How often claims about people in a series of releases are right."""

    claims: int
    """Claims scored."""
    tested: int
    """Claims about at least one real person; the others are about counterfeits."""
    claimed: float
    """The mean confidence with which the attack spoke about the people it is scored on."""
    success: Rate
    """How often it is right about them. Everyone in a release counts once there."""
    baseline: Rate
    """How often the population rate of the claimed term would have been right about them."""
    people: int
    """Real people in all releases, each counted in each release."""

    def record(self) -> dict[str, Any]:
        """Return the score as a plain mapping."""
        return {
            "claims": self.claims,
            "tested": self.tested,
            "claimed": self.claimed,
            "success": self.success.record(),
            "baseline": self.baseline.record(),
            "people": self.people,
        }

    def rates(self) -> list[tuple[str, Rate]]:
        """Return the shares that matter, each with its words and interval."""
        return [
            ("right about people in the data", self.success),
            ("the population rate would have been", self.baseline),
        ]

    def gains(self) -> list[Gain]:
        """Return the success beside the population rate."""
        words = "is right about {share} of those it speaks of"
        return [Gain(words=words, success=self.success, chance=self.baseline.share)]

    def remarks(self) -> list[str]:
        """Return what else is to be said, in sentences."""
        return [
            f"{self.tested:,} of {self.claims:,} claims are about somebody; "
            f"mean confidence claimed: {self.claimed:.1%}.",
            f"They concern {self.success.people:,} of {self.people:,} people in the releases. Of "
            "people with equal sets a claim can mean some only; it is scored on all of them.",
        ]


def score_series(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Sequence[Release[Clusters]],
    keys: Sequence[LinkageKey],
) -> SerialBreach:
    """Score claims about releases over time: each through the truth and the key of its release."""
    one_for_each(truth, releases, keys)
    told = [
        _scored(findings, number, part, release.content, key)
        for number, (part, release, key) in enumerate(zip(truth, releases, keys, strict=True))
    ]
    right, rate, sure = (
        np.concatenate([getattr(one, name) for one in told]) for name in ("right", "rate", "sure")
    )
    return SerialBreach(
        claims=len(findings),
        tested=sum(one.tested for one in told),
        claimed=_mean(sure),
        success=Rate(share=_mean(right), people=len(right)),
        baseline=Rate(share=_mean(rate), people=sum(map(len, truth))),
        people=sum(one.people for one in told),
    )


def _mean(shares: Real) -> float:
    # sums of shares can end a hair beyond 1
    return min(1.0, float(shares.mean())) if len(shares) else 0.0


class _Told(NamedTuple):
    """What claims say of the people of one release, person by person."""

    right: Real
    rate: Real
    sure: Real
    tested: int
    people: int


def _scored(
    findings: Findings, number: int, truth: Transactions, content: Clusters, key: LinkageKey
) -> _Told:
    """Return for each person claimed about the share right, the rate and the confidence."""
    claims = [claim for claim in findings.claims if claim.release == number]
    item = numbering(truth.universe)
    wanted = np.array([item.get(claim.inferred[0], -1) for claim in claims], dtype=np.int64)
    sure = np.array([claim.confidence for claim in claims])
    kinds, _ = number_sets(content.sets.offsets, content.sets.items)
    rows, records = records_behind(key, len(content), len(truth))
    order = np.argsort(kinds[rows], kind="stable")
    meant = kinds[np.array([claim.row for claim in claims], dtype=np.int64)]
    begin = np.searchsorted(kinds[rows][order], meant, side="left")
    many = np.searchsorted(kinds[rows][order], meant, side="right") - begin
    within = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    person = records[order][np.repeat(begin, many) + within]
    term = np.repeat(wanted, many)
    held = np.repeat(np.arange(len(truth)), truth.sets.sizes) * len(item) + truth.items
    right = np.isin(person * len(item) + term, held) & (term >= 0)
    rate = np.append(truth.supports, 0)[term] / max(1, len(truth))
    made = np.bincount(person, minlength=len(truth))
    there = made > 0
    means = [
        np.bincount(person, part, minlength=len(truth))[there] / made[there]
        for part in (right.astype(float), rate, np.repeat(sure, many))
    ]
    return _Told(means[0], means[1], means[2], int((many > 0).sum()), len(rows))


def records_behind(key: LinkageKey, rows: int, people: int) -> tuple[Whole, Whole]:
    """Return the real rows of a release and the record behind each; counterfeits have none."""
    table = key.tables.get("rows")
    if table is None or not {"row", "record"} <= set(table.columns):
        msg = "the key must say which record is behind which row, and it does not"
        raise DataError(msg)
    kept = table["row"].to_numpy().astype(np.int64), table["record"].to_numpy().astype(np.int64)
    real = kept[1] >= 0
    if kept[0].max(initial=-1) >= rows or kept[1].max(initial=-1) >= people:
        msg = "the key must belong to this release and these data, and it does not"
        raise DataError(msg)
    return kept[0][real], kept[1][real]
