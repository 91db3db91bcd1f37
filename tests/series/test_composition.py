"""Comparing releases over time, as an attack: choices, errors, and what must hold for any data."""

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.core.clusters import Clusters
from discreet.core.guarantee import SeriallyPreserving, SPreserving
from discreet.errors import DataError, ParameterError
from discreet.series import Composition, Victim
from tests.releases import as_released
from tests.series.small import contents


@given(
    st.lists(contents(), min_size=1, max_size=3),
    st.sampled_from(["exact", "merged", "paper"]),
    st.sampled_from(["known", "unknown"]),
    st.sampled_from(["unique", "all"]),
    st.integers(0, 2),
)
@settings(max_examples=80)
def test_claims_are_ranked_and_above_the_bound(
    series: list[Clusters], posterior: str, presence: str, links: str, depth: int
) -> None:
    method = Composition(r_th=2, posterior=posterior, presence=presence, links=links, depth=depth)
    found = method.attack([as_released(content) for content in series], Victim())
    ranks = [(-claim.confidence, -(claim.lift or 0)) for claim in found.claims]
    assert ranks == sorted(ranks)
    seen = set()
    for claim in found.claims:
        one = series[claim.release - 1]
        assert one.sets[claim.row] == claim.known
        assert claim.people == sum(row == claim.known for row in one.sets)
        assert 0.4 < claim.confidence <= 1
        assert claim.lift == pytest.approx(claim.confidence * 5)
        seen.add((claim.release, claim.known, claim.inferred))
    assert len(seen) == len(found.claims)
    everyone = sum(map(len, series))
    assert all(
        0 <= value <= everyone
        for name, value in found.summary.items()
        if name.startswith("at_risk")
    )


@given(contents())
@settings(max_examples=40)
def test_who_stays_for_ever_is_at_no_more_risk(content: Clusters) -> None:
    """A repeat rate of 100 %: the same clusters again."""
    one, two = as_released(content), as_released(content)
    method = Composition(r_th=1, overlaps="unique")
    alone = method.attack([one], Victim()).summary
    both = method.attack([one, two], Victim())
    for name in ("at_risk_paper", "at_risk_merged", "at_risk_exact", "at_risk_transitive"):
        assert both.summary[name] == 2 * int(alone["at_risk_alone"])
    assert {claim.how for claim in both.claims} <= {"skewness", "minimality", "global composition"}


def test_what_is_known_of_a_person_narrows_the_claims() -> None:
    first = Clusters.of([([["a"], ["b"], ["c"]], {"p": 1, "q": 1})])
    second = Clusters.of([([["a"], ["d"], ["e"]], {"q": 1})])
    releases = [as_released(first), as_released(second)]
    everyone = Composition(r_th=1, chains="none").attack(releases, Victim())
    assert {claim.known for claim in everyone.claims} == {("b",), ("c",)}
    one = Composition(r_th=1, chains="none").attack(releases, Victim(items=("b",)))
    assert {claim.known for claim in one.claims} == {("b",)}
    assert Composition(r_th=1, chains="none").attack(releases, Victim(items=("z",))).claims == ()
    assert len(Composition(r_th=1, chains="none", limit=1).attack(releases, Victim()).claims) == 1


def test_the_bound_is_what_was_promised() -> None:
    content = Clusters.of([([["a"], ["b"]], ["p"]), ([["c"], ["d"]] * 2, [])])
    assert Composition().bound(as_released(content)) == 2
    assert Composition().bound(as_released(content, SPreserving(r_th=8))) == 8
    assert Composition(r_th=3).bound(as_released(content, SPreserving(r_th=8))) == 3
    assert len(Composition().attack([as_released(content)], Victim())) == 2
    assert not len(Composition().attack([as_released(content, SPreserving(r_th=8))], Victim()))


def test_a_term_that_became_rarer_is_held_against_the_rate_that_was_promised() -> None:
    common, rare = {"p": Fraction(1, 2)}, {"p": Fraction(1, 10)}
    first = Clusters.of([([["a"], ["b"]], ["p"])], rates=common)
    second = Clusters.of([([["a"], ["b"]], ["p"]), ([["c"]] * 8, [])], rates=rare)
    own, largest = (SeriallyPreserving(r_th=2, rate=rate) for rate in ("own", "largest"))
    strict = Composition().attack([as_released(first, own), as_released(second, own)], Victim())
    assert strict.summary["at_risk_exact"] == 2
    lenient = Composition().attack(
        [as_released(first, largest), as_released(second, largest)], Victim()
    )
    assert lenient.summary["at_risk_exact"] == 0
    # what comes later is no excuse
    turned = Composition().attack(
        [as_released(second, largest), as_released(first, largest)], Victim()
    )
    assert turned.summary["at_risk_exact"] == 2


@pytest.mark.parametrize("wrong", [{"r_th": "0.5"}, {"depth": -1}, {"effort": 0}, {"limit": 0}])
def test_choices_are_checked(wrong: dict[str, object]) -> None:
    (name,) = wrong
    with pytest.raises(ParameterError, match=name):
        Composition(**wrong)


def test_no_release_is_nothing_to_compare() -> None:
    with pytest.raises(ParameterError, match="there is none"):
        Composition().attack([], Victim())


@pytest.mark.parametrize(
    "text",
    [
        "release,cluster\n0,0\n",
        "release,cluster,count\n1,9,1\n",
        "release,cluster,count\n-1,0,1\n",
        "release,cluster,count\n0,0,1\n",
        "release,cluster,count\n1,-1,1\n",
        "release,cluster,count\n1,,1\n",
        "release,cluster,count\n1,0,some\n",
    ],
)
def test_fakes_must_be_of_the_attacked_releases(tmp_path: Path, text: str) -> None:
    (tmp_path / "fakes.csv").write_text(text)
    release = as_released(Clusters.of([([["a"], ["b"]], ["p"])]))
    with pytest.raises(DataError, match=r"release \(from 1\), cluster and count"):
        Composition().attack([release], Victim(fakes=tmp_path / "fakes.csv"))
    (tmp_path / "all.csv").write_text("release,cluster,count\n1,0,2\n")
    with pytest.raises(DataError, match="at least one"):
        Composition().attack([release], Victim(fakes=tmp_path / "all.csv"))


def test_fakes_must_be_a_file_that_can_be_read(tmp_path: Path) -> None:
    release = as_released(Clusters.of([([["a"], ["b"]], ["p"])]))
    with pytest.raises(
        DataError, match=r"gone\.csv, named by fakes, must be a csv file that can be read"
    ):
        Composition().attack([release], Victim(fakes=tmp_path / "gone.csv"))


def test_following_every_equal_set_can_be_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.series.evidence.before_and_after.MOST_STEPS", 1)
    first = Clusters.of([([["a"], ["b"], ["c"]], {"p": 1})])
    second = Clusters.of([([["a"], ["b"], ["d"]], {"p": 2})])
    with pytest.raises(ParameterError, match="links unique"):
        Composition(links="all").attack([as_released(first), as_released(second)], Victim())


def test_it_links_releases_and_infers() -> None:
    assert Composition.threatens == ("linkability", "inference")
