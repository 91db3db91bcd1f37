"""What evidence may move: nothing is gained by leaving any out, and nothing found is washed out."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Transactions, rng
from discreet.catalog import find, scorer_of
from discreet.core.constraints import Constraints
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import DifferentialPrivacy, KmAnonymity, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import Manifest, Release
from discreet.core.truth import with_truth
from discreet.errors import DataError
from discreet.generalised import Coat, Km, SinglingOut
from discreet.networks import Dist, SetsAndDegree
from discreet.series import Sanony
from discreet.study import Evidence, Judgement, examined, judged, judgement
from discreet.study.examine import INFORMED
from discreet.study.judgement import AT_THEIR_WORD, UNPROVED
from discreet.study.verdict_rules import Level
from discreet.tables import CodipStar, Minimality, Mondrian, NaiveTCloseness, Register
from tests.conformance import permuted
from tests.samples import PLAYLISTS, PUBLISHERS

ITEMS = "abcdefgh"
FIRST = Sanony(r_th=2, cluster_size=4).publish(PLAYLISTS, rng.seeded(7))
"""What the second year of the samples comes after."""
people = st.lists(st.sets(st.sampled_from(ITEMS), min_size=1), min_size=8, max_size=20)


def published(method: Any, data: Any) -> tuple[Any, Evidence]:
    """Publish by chance that nobody can repeat, with all that its owner can lay beside it."""
    publication = method.publish(data, rng.secure())
    release = publication.release
    key = with_truth(publication.linkage_key, data, release, {})
    return release, Evidence(original=data, key=key)


PARTS = (
    "original", "key", "control", "earlier", "earlier_originals", "earlier_keys", "privacy",
    "secrets",
)  # fmt: skip
"""What an owner may lay beside a release, and may leave out."""


def subsets(whole: Evidence, *, few: bool = False) -> Iterator[dict[str, Any]]:
    """Yield what may be handed in of all that there is; of ``few`` parts, or all but few."""
    given = {
        name: value
        for name in PARTS
        if (value := getattr(whole, name)) not in (None, (), frozenset())
    }
    for size in range(len(given) + 1):
        for names in combinations(given, size):
            if not few or size < 2 or size >= len(given) - 1:
                yield {name: given[name] for name in names}


def firm(judgement: Judgement) -> set[str]:
    """What speaks against a release and was found, not assumed for want of evidence."""
    against = (each.words for each in judgement.reasons if each.level == "do not release")
    assumed = AT_THEIR_WORD, UNPROVED
    return {words for words in against if not any(each in words for each in assumed)}


def gravity(judgement: Judgement) -> int:
    return get_args(Level).index(judgement.level)


def keeps_its_order(release: Any, whole: Evidence, *, few: bool = False) -> None:
    verdicts = [
        (chosen, judged(examined(release, Evidence(**chosen))))
        for chosen in subsets(whole, few=few)
    ]
    for less, milder in verdicts:
        if "original" not in less or "key" not in less:
            assert milder.level != "release", "what is missing never ends in release"
        for more, stricter in verdicts:
            if less.items() <= more.items():
                assert firm(milder) <= firm(stricter), "what was found is not washed out"


@settings(max_examples=15)
@given(people, st.integers(2, 3))
def test_evidence_about_generalised_sets_keeps_its_order(data: list[set[str]], k: int) -> None:
    release, whole = published(Km(k=k, m=1), Transactions.of(data, universe=list(ITEMS)))
    keeps_its_order(release, whole)


@settings(max_examples=8)
@given(people)
def test_evidence_about_a_series_keeps_its_order(data: list[set[str]]) -> None:
    known = Transactions.of(data, sensitive=["a"])
    first, before = published(Sanony(r_th=4, cluster_size=4), known)
    release, whole = published(Sanony(r_th=4, cluster_size=4, after=(first,)), known)
    keeps_its_order(
        release,
        Evidence(
            original=known,
            key=whole.key,
            earlier=(first,),
            earlier_originals=(known,),
            earlier_keys=(before.key,),
            secrets=frozenset(["a"]),
        ),
    )


def everything_of(kind: type[Any]) -> tuple[Any, Evidence]:
    """Return a release by a method and all that its owner can lay beside it."""
    method, data = PUBLISHERS[kind]
    release, whole = published(method, data)
    if isinstance(data, Transactions):
        others = Transactions.of(list(data.sets)[: len(data) // 2], universe=data.universe)
        takes = scorer_of([release])
        control = others if takes is not None and takes.takes_control else None
        whole = replace(whole, control=control, secrets=data.sensitive)
    if isinstance(release.content, GeneralisedSets):
        whole = replace(whole, privacy=Constraints.of([[item] for item in data.universe]))
    earlier = getattr(method, "after", ())
    if earlier:
        before = with_truth(FIRST.linkage_key, data, FIRST.release, {})
        whole = replace(whole, earlier=earlier, earlier_originals=(data,), earlier_keys=(before,))
    return release, whole


@pytest.mark.parametrize("kind", PUBLISHERS, ids=lambda kind: kind.__name__)
def test_evidence_keeps_its_order_whatever_the_method(kind: type[Any]) -> None:
    release, whole = everything_of(kind)
    keeps_its_order(release, whole, few=True)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PUBLISHERS, ids=lambda kind: kind.__name__)
def test_all_evidence_keeps_its_order_whatever_the_method(kind: type[Any]) -> None:
    keeps_its_order(*everything_of(kind))


def of_others(data: Any) -> Any:
    """Return sets that other people hold, who have less in common; other data as they are."""
    if not isinstance(data, Transactions):
        return data
    each = [[item] for item in data.universe]
    return replace(data, sets=Transactions.of(each * len(data), universe=data.universe).sets)


WRONG: dict[str, Callable[[Evidence, Evidence], Evidence]] = {
    "the data in another order": lambda whole, _: replace(
        whole, original=permuted(whole.original, 5)
    ),
    "the data and the key of another release": lambda _, other: other,
    "the key of another release": lambda whole, other: replace(whole, key=other.key),
    "the data in another order, no key": lambda whole, _: replace(
        whole, original=permuted(whole.original, 5), key=None
    ),
    "the data of others, no key": lambda whole, _: replace(
        whole, original=of_others(whole.original), key=None
    ),
    "earlier releases left out": lambda whole, _: replace(
        whole, earlier=(), earlier_originals=(), earlier_keys=()
    ),
    "earlier keys of others": lambda whole, other: replace(
        whole,
        earlier_keys=tuple(other.key for _ in whole.earlier),
    ),
    "secrets left out": lambda whole, _: replace(whole, secrets=frozenset()),
    "privacy constraints of others": lambda whole, _: replace(
        whole, privacy=whole.privacy and Constraints.of([[whole.original.universe[0]]])
    ),
    "a control group that is the data": lambda whole, _: replace(
        whole, control=whole.control and whole.original
    ),
}
"""What a hurried owner may hand in; each says what is wrong with it."""


@pytest.mark.parametrize("kind", PUBLISHERS, ids=lambda kind: kind.__name__)
def test_a_wrong_input_makes_no_verdict_milder(kind: type[Any]) -> None:
    release, whole = everything_of(kind)
    right = judged(examined(release, whole))
    _, other = everything_of(kind)
    for what, wrong in WRONG.items():
        try:
            told = judged(examined(release, wrong(whole, other)))
        except DataError:
            continue  # a refusal is no verdict at all
        assert gravity(told) >= gravity(right), what


def test_a_rule_that_forgives_by_evidence_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: whoever hands in a confirmed original no longer hears of a broken promise."""
    honest = judgement._of_promises
    release, whole = everything_of(Km)
    broken = replace(release, guarantees=(KmAnonymity(k=90, m=2),))
    whole = replace(whole, key=with_truth(whole.key, whole.original, broken, {}))
    keeps_its_order(broken, whole)
    monkeypatch.setattr(
        judgement, "_of_promises", lambda found: () if found.truth == "confirmed" else honest(found)
    )
    with pytest.raises(AssertionError, match="washed out"):
        keeps_its_order(broken, whole)


@pytest.mark.parametrize("kind", PUBLISHERS, ids=lambda kind: kind.__name__)
def test_nothing_is_gained_by_leaving_out_the_original(kind: type[Any]) -> None:
    method, data = PUBLISHERS[kind]
    release, whole = published(method, data)
    alone = judged(examined(release, Evidence()))
    assert alone.level != "release"
    full = examined(release, whole)
    sure = [
        attempt
        for attempt in full.attempts
        if attempt.findings and all(claim.confidence == 1 for claim in attempt.findings.claims)
    ]
    refused = judged(full).level == "do not release" and all(each in sure for each in full.attempts)
    assert alone.level == "do not release" or not refused


def test_who_withholds_the_data_of_friends_does_not_get_a_milder_verdict() -> None:
    """A secret that one in ten holds follows three times in four: no claim is nearly sure."""
    told, hidden = [{"a", "s"}] * 30 + [{"a"}] * 10, [{"b"}] * 260
    data = Transactions.of(told + hidden, sensitive=["s"])
    release, whole = published(Dist(rho="3/4"), data)
    chosen = [(find("sets-and-degree"), SetsAndDegree(), None)]
    for evidence in (whole, Evidence(original=data), Evidence(key=whole.key), Evidence()):
        assert judged(examined(release, evidence, chosen)).level == "do not release"


def test_who_withholds_the_data_does_not_get_a_milder_verdict() -> None:
    """Every record differs, so three known items find everybody: with the truth and without."""
    data = Transactions.of([set(each) for each in combinations(ITEMS, 3)])
    release, whole = published(Km(k=2, m=1), data)
    entry = find("singling-out")
    chosen = [(entry, SinglingOut(), None)]
    for evidence in (whole, Evidence(original=data), Evidence(key=whole.key), Evidence()):
        judgement = judged(examined(release, evidence, chosen))
        assert judgement.level == "do not release"
    assert AT_THEIR_WORD in judgement.reasons[0].words


def test_claims_about_a_whole_series_are_scored() -> None:
    data = Transactions.of(
        [{"x", "a"}, {"x", "b"}, {"y", "a"}, {"y", "b"}] * 5,
        sensitive=["a", "b"],
    )
    first, before = published(Sanony(r_th=4, cluster_size=4), data)
    release, whole = published(Sanony(r_th=4, cluster_size=4, after=(first,)), data)
    seen = examined(
        release,
        Evidence(
            original=data,
            key=whole.key,
            earlier=(first,),
            earlier_originals=(data,),
            earlier_keys=(before.key,),
        ),
    )
    (all_of_them,) = [
        each for each in seen.attempts if each.whole_series and each.entry.name == "composition"
    ]
    assert all_of_them.releases == 2
    assert all_of_them.score is not None, all_of_them.reason
    without = examined(release, Evidence(original=data, key=whole.key, earlier=(first,)))
    assert not any(each.whole_series for each in without.attempts)


def test_the_key_of_another_release_is_refused_without_the_data_too() -> None:
    data = Transactions.of([["a", "b"], ["a"], ["b", "c"], ["c"]] * 3)
    release, _ = published(Km(k=2, m=1), data)
    _, other = published(Km(k=6, m=2), data)
    with pytest.raises(DataError, match="key must be that of this release"):
        examined(release, Evidence(key=other.key))


def test_an_auditor_without_the_data_can_still_look() -> None:
    counts = {("a", "b"): 9, ("b",): 2}
    claims = (NoAttributeLeakage(), DifferentialPrivacy(epsilon=1))
    manifest = Manifest(method="m", parameters={}, randomness="system")
    published = Release(ItemsetHistogram.of(counts), claims, manifest)
    seen = examined(published, Evidence())
    assert seen.verdicts.holds is False
    assert not seen.measured
    tried = [each for each in seen.attempts if each.findings]
    assert tried
    assert all(each.score is None and each.reason for each in tried)
    scored = examined(published, Evidence(original=Transactions.of([["a", "b"]] * 9 + [["b"]])))
    assert scored.measured
    assert all(each.score for each in scored.attempts if each.findings)


def attacked(method: Any) -> dict[str, Any]:
    data = Transactions.of([set(each) for each in combinations(ITEMS, 3)] + [{"h"}] * 3)
    release, whole = published(method, data)
    return {each.entry.name: each for each in examined(release, whole).attempts}


def test_sets_get_the_same_attacks_with_and_without_a_hierarchy() -> None:
    tree = Hierarchy.of_levels(
        [[item, "abcd" if item in "abcd" else "efgh", "*"] for item in ITEMS]
    )
    merged = attacked(Coat(k=30, protect="items"))
    recoded = attacked(Km(k=25, m=1, hierarchy=tree, suppression="none"))
    suppressed = attacked(Km(k=2, m=2))
    for found in (merged, recoded, suppressed):
        singled = found["singling-out"].findings
        for known in range(1, 6):
            assert f"singled_out_by_{known}" in singled.summary
            assert f"singled_out_by_{known}_at_random" in singled.summary
    for found in (merged, recoded):
        assert found["frequency"].findings.claims
        assert found["frequency"].score is not None
        assert found["frequency"].choice == INFORMED
    assert "under its own name" in suppressed["frequency"].reason
    # what is promised of two known items says nothing of three
    needed = [len(claim.known) for claim in suppressed["singling-out"].findings.claims]
    assert needed
    assert min(needed) == 3


@pytest.mark.parametrize("kind", [Mondrian, NaiveTCloseness, CodipStar], ids=str)
def test_tables_whose_quasi_identifiers_were_taken_out_are_audited(
    kind: type[Any], tmp_path: Path
) -> None:
    method, data = PUBLISHERS[kind]
    release = method.publish(data, rng.secure()).release
    bare = replace(release, content=replace(release.content, applied={}))
    assert examined(bare, Evidence()).verdicts.holds is not True
    data.table.write_csv(tmp_path / "register.csv")
    tried = Minimality().attack([bare], Register(register=tmp_path / "register.csv"))
    assert (tried.claims, bool(tried.not_run)) == ((), True)
