"""A private term in a published set is broken, whatever the bags of the clusters say."""

from typing import Any

import pytest

from discreet import verify
from discreet.core.clusters import Clusters
from discreet.core.guarantees.clusters import MInvariant, SPreserving, TermDiversity
from tests.verify.test_series import claiming, series

HIDDEN = Clusters.of([([["a"], ["b"], ["c"], ["d"]], {"hiv": 1})] * 2)
SHOWN = Clusters.of([([["a", "hiv"], ["b"], ["c"], ["d"]], {"hiv": 1})] * 2)
OTHERS = Clusters.of([([["hiv"], ["e"], ["f"], ["g"]], {"flu": 1})] * 2)
SAID = "hiv is a private term, and one of the published sets names it"


@pytest.mark.parametrize("claim", [SPreserving(r_th=2), TermDiversity(l=2), MInvariant(m=2)])
def test_a_term_in_a_set_breaks_every_promise_about_clusters(claim: Any) -> None:
    assert verify(claiming(HIDDEN, [], claim)).holds is not False
    verdicts = verify(claiming(SHOWN, [], claim))
    assert verdicts.holds is False
    assert verdicts.witness == SAID
    assert not verdicts.needs


@pytest.mark.parametrize("contents", [(OTHERS, HIDDEN), (HIDDEN, OTHERS)])
def test_a_term_in_a_set_of_another_release_of_the_series_breaks_it(contents: Any) -> None:
    before, after = series(*contents)
    assert verify(before).holds is True
    verdicts = verify(after, after=[before])
    assert verdicts.holds is False
    assert verdicts.witness == SAID


def test_a_promise_that_is_broken_anyway_keeps_its_own_witness() -> None:
    crowded = Clusters.of([([["hiv"]], {"hiv": 1}), ([["b"], ["c"], ["d"]], {})])
    assert verify(claiming(crowded, [], TermDiversity(l=2))).witness != SAID
