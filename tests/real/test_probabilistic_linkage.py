"""APL-free releases of the papers' data still give people away: the share is what was found first.

A first trial found 87 % of the published NLTCS records with two or more items, and 2 % on MSNBC.
"""

import pytest

from discreet import Transactions, rng, verify
from discreet.counts import AplKiller, AttributeLinkage, Known, ProbabilisticLinkage
from discreet.io.datasets import universe_of
from discreet.measure.score import score, split

pytestmark = pytest.mark.usefixtures("data_folder")

SHARES = {"nltcs": (0.80, 0.92), "msnbc": (0.004, 0.04)}


def released(name, data, seed):
    method = AplKiller(epsilon=1, fan_out=2, c1=1, universe=universe_of(name))
    return method.publish(data, rng.seeded(seed)).release


@pytest.mark.parametrize("name", SHARES)
def test_people_an_apl_free_release_gives_away(name):
    release = released(name, Transactions.read(f"dataset:{name}"), 1)
    assert verify(release).by_parts
    assert len(AttributeLinkage().attack([release], Known())) == 0
    findings = ProbabilisticLinkage().attack([release], Known())
    low, high = SHARES[name]
    assert low < findings.summary["share_affected"] < high
    assert findings.summary["highest_confidence"] > 0.98


def test_the_population_gives_away_what_the_release_says():
    taking_part, others = split(Transactions.read("dataset:nltcs"), rng.seeded(2))
    findings = ProbabilisticLinkage().attack([released("nltcs", taking_part, 3)], Known())
    scored = score(findings, taking_part, others)
    # pruned counts make the release surer than it should be: 0.96 claimed, 0.76 right
    assert scored.figures["claimed"] > 0.93
    assert 0.70 < scored.success.share < 0.82
    assert scored.success.low > scored.baseline.high
    # whoever stayed away is found out as well: epsilon is kept, and the correlation is the leak
    adds = scored.figures["by_taking_part"]
    assert -0.03 < adds["low"] < 0.01
    assert -0.01 < adds["high"] < 0.03
