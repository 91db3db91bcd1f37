"""Publishing five releases of BMS-WebView-2 beside the bar, beside m-invariance, and doubled.

Sanony takes longer than m-invariance, which looks at one value a person: it asks exactly of every
term in every earlier cluster what a new release would tell. Twice the people are more than twice
the overlaps and more terms in clusters, so that there is more than twice as much to ask.
"""

import resource
from time import process_time

from benchmarks.results import Results, data_at_hand
from discreet import Transactions, rng
from discreet.core.publication import LinkageKey, State
from discreet.series import MInvariance, Sanony
from discreet.series.segen import SeGen

BAR = 60.0
"""Seconds of one core for the five releases."""


def main(results: Results) -> None:
    if not data_at_hand():
        return
    data = Transactions.read("dataset:bms2")
    sanony(data, "0.05", talk=False)
    half, full = sanony(data, "0.5"), sanony(data, "1")
    results.seconds(f"sanony, five corpora of {len(data):,}", full, BAR)
    fewer, all_of_them = invariant(data, "0.5"), invariant(data, "1")
    for name, growth in (("sanony", full / half), ("m-invariance", all_of_them / fewer)):
        results.add(f"{name}, twice the people", f"{growth:.2f} times", "2.3 times", growth / 2.3)
    results.add("sanony, five corpora", f"{full:.1f} s", "m-invariance", full / all_of_them)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"memory of the whole run: {memory:,} MB")


def sanony(data: Transactions, sample: str, *, talk: bool = True) -> float:
    """Return the seconds for five releases, and say what they cost in counterfeits."""
    spent, after = 0.0, ()
    for corpus in SeGen(sample=sample).make(data, rng.seeded(1)).corpora:
        start = process_time()
        made = Sanony(r_th=8, after=after).publish(corpus, rng.seeded(2))
        seconds = process_time() - start
        spent += seconds
        after = (*after, made.release)
        if talk:
            _tell(made.release.content, made.linkage_key, seconds)
    return spent


def _tell(content, keep: LinkageKey, seconds: float) -> None:
    report, rows = keep.facts["report"], len(content)
    bagged = content.bag.sum() / content.total.sum()
    shown = len({*content.private_term[content.private_cluster >= 0].tolist()})
    print(
        f"  {rows:,} rows in {seconds:.1f} s: counterfeits {report['counterfeits'] / rows:.2%}, "
        f"{report['counterfeits'] - int(content.counterfeits.sum()):,} of them not declared, "
        f"withheld {report['withheld']:,}, {content.total.sum():,} copies, {bagged:.0%} in the "
        f"bag, terms in clusters {shown}"
    )


def invariant(data: Transactions, sample: str) -> float:
    """Return the seconds that m-invariance with m = 2 takes for the same series."""
    spent, keep = 0.0, None
    for corpus in SeGen(sample=sample).make(data, rng.seeded(1)).corpora:
        start = process_time()
        made = MInvariance(m=2, keep=keep).publish(corpus, rng.seeded(2))
        spent += process_time() - start
        keep = State(made.linkage_key)
        report, rows = keep.facts["report"], len(made.release.content)
        print(
            f"  m-invariance, {rows:,} rows: counterfeits {report['counterfeits'] / rows:.2%}, "
            f"postponed {report['postponed']:,}"
        )
    return spent
