"""What comparing releases over time is worth against the truth."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.findings import Findings
from discreet.core.itemsets import numbering
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.score import Rate, Score
from discreet.core.transactions import Transactions
from discreet.kernels.ragged import runs
from discreet.measure.score import one_for_each, score_of_people
from discreet.series.kernels.cover import number_sets

Real = NDArray[np.float64]


def score_series(
    findings: Findings,
    truth: Sequence[Transactions],
    releases: Sequence[Release[Clusters]],
    keys: Sequence[LinkageKey],
) -> Score:
    """Score claims about releases over time: each through the truth and the key of its release."""
    one_for_each(truth, releases, keys)
    scored = [
        _scored(findings, number, people, release.content, key)
        for number, (people, release, key) in enumerate(zip(truth, releases, keys, strict=True))
    ]
    right, rate, sure = (
        np.concatenate([getattr(one, name) for one in scored])
        for name in ("right", "rate", "confidence")
    )
    everyone = sum(one.people for one in scored)
    figures = {
        "tested": sum(one.tested for one in scored),
        "claimed": _mean(sure),
        "success": Rate(share=_mean(right), people=len(right)),
        "baseline": Rate(share=_mean(rate), people=sum(map(len, truth))),
        "people": everyone,
    }
    plain = score_of_people(len(findings), figures, "population rate")
    remark = (
        f"They concern {len(right):,} of {everyone:,} people in the releases. Of "
        "people with equal sets a claim can mean some only; it is scored on all of them."
    )
    return replace(plain, remarks=(*plain.remarks, remark))


def _mean(shares: Real) -> float:
    # sums of shares can end a hair beyond 1
    return min(1.0, float(shares.mean())) if len(shares) else 0.0


class _Scored(NamedTuple):
    """What claims say of the people of one release, person by person."""

    right: Real
    rate: Real
    confidence: Real
    tested: int
    people: int


def _scored(
    findings: Findings, number: int, truth: Transactions, content: Clusters, key: LinkageKey
) -> _Scored:
    """Return for each person claimed about the share right, the rate and the confidence."""
    claims = [claim for claim in findings.claims if claim.release == number + 1]
    item = numbering(truth.universe)
    wanted = np.array([item.get(claim.inferred[0], -1) for claim in claims], dtype=np.int64)
    sure = np.array([claim.confidence for claim in claims])
    kinds, _ = number_sets(content.sets.offsets, content.sets.items)
    rows, records = key.real_records(len(content), len(truth))
    order = np.argsort(kinds[rows], kind="stable")
    meant = kinds[np.array([claim.row for claim in claims], dtype=np.int64)]
    begin = np.searchsorted(kinds[rows][order], meant, side="left")
    count = np.searchsorted(kinds[rows][order], meant, side="right") - begin
    person = records[order][runs(begin, count)]
    term = np.repeat(wanted, count)
    pairs = truth.sets.rows * len(item) + truth.items
    right = np.isin(person * len(item) + term, pairs) & (term >= 0)
    rate = np.append(truth.supports, 0)[term] / max(1, len(truth))
    made = np.bincount(person, minlength=len(truth))
    claimed = made > 0
    means = [
        np.bincount(person, values, minlength=len(truth))[claimed] / made[claimed]
        for values in (right.astype(float), rate, np.repeat(sure, count))
    ]
    return _Scored(means[0], means[1], means[2], int((count > 0).sum()), len(rows))
