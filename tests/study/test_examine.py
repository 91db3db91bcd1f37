"""Everything that can be said about one release: promised, checked, attacked, measured."""

from discreet.core.guarantee import DifferentialPrivacy, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import Manifest, Release
from discreet.core.transactions import Transactions
from discreet.measure import Advantage, Rate, Score
from discreet.study import Evidence, examined


def scored(success: float, base: float, people: int = 10_000) -> Score:
    rates = [Rate(share=share, people=people) for share in (success, base)]
    advantage = Advantage(words="is right about {share}", success=rates[0], baseline=rates[1])
    return Score(claims=1, advantages=(advantage,), rates=(("right", rates[0]), ("base", rates[1])))


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
