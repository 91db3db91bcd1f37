"""What to do about a verdict: commands that exist, stricter than what was published."""

import shlex
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from discreet import Microdata, Release, Transactions, rng, verify
from discreet.catalog import entries, find
from discreet.core.guarantee import DifferentialPrivacy, KmAnonymity
from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import Manifest
from discreet.counts import AplFree
from discreet.study import Evidence, Examination, examined, judged, repairs
from discreet.study.repair import STRICTER, _answered
from discreet.tables import Incognito, Mondrian

ATTACKS = [entry for entry in entries("attack") if entry.answer]


def manifest(method: str, **parameters: Any) -> Manifest:
    return Manifest(method=method, parameters=parameters, randomness="none")


def options_of(command: str) -> tuple[str, set[str]]:
    words = shlex.split(command)
    assert words[:2] == ["discreet", "publish"]
    return words[2], {word for word in words[3:] if word.startswith("--")}


@pytest.mark.parametrize("entry", ATTACKS, ids=lambda entry: entry.name)
def test_every_answer_is_a_command_that_exists(entry: Any) -> None:
    method, options = options_of(_answered(entry.answer, manifest("nothing")).command)
    offered = find(method, "publisher")
    known = {part.option for part in offered.parameters}
    assert options <= known | {"--out"}
    required = {part.option for part in offered.parameters if part.required}
    assert required <= options
    steps = [word[2:].replace("-", "_") for word, value in _pairs(entry) if value[0] == "+"]
    assert set(steps) <= STRICTER.keys()


def _pairs(entry: Any) -> list[tuple[str, str]]:
    typed = entry.answer.command.split()[2:]
    return list(zip(typed[::2], typed[1::2], strict=True))


def test_a_method_that_takes_the_answer_stays() -> None:
    answer = next(entry.answer for entry in ATTACKS if entry.name == "skewness")
    assert answer is not None
    told = _answered(answer, manifest("mondrian", k=10, t="0.3"))
    assert told.command == "discreet publish mondrian DATA --k 10 --t 0.15 --out NEW"
    fresh = _answered(answer, manifest("mondrian", k=10, t=None))
    assert fresh.command == "discreet publish mondrian DATA --k 10 --t 0.2 --out NEW"


def test_whoever_knows_one_item_more_is_answered() -> None:
    answer = next(entry.answer for entry in ATTACKS if entry.name == "singling-out")
    assert answer is not None
    told = _answered(answer, manifest("km-anonymity", k=5, m=2, loss="ncp"))
    assert told.command == "discreet publish km-anonymity DATA --k 5 --m 3 --loss ncp --out NEW"
    other = _answered(answer, manifest("coat", k=8))
    assert other.command == "discreet publish km-anonymity DATA --k 8 --m 3 --out NEW"


def looked_at(release: Release[Any], **evidence: Any) -> Examination:
    return examined(release, Evidence(**evidence))


def test_a_promise_about_secrets_is_kept_or_missed_in_words() -> None:
    answers = {entry.name: entry.answer for entry in ATTACKS}
    hiding = replace(manifest("rho-m", rho="0.3", known=2), sensitive=("hiv",))
    singled_out = answers["singling-out"]
    assert singled_out is not None
    told = _answered(singled_out, hiding)
    asked = "--h 0.3 --k 5 --p 3 --sensitive FILE"
    assert told.command == f"discreet publish coherence DATA {asked} --out NEW"
    cover = answers["cover"]
    assert cover is not None
    assert "does not bound how surely secrets follow" in _answered(cover, hiding).words
    assert (
        "does not bound how surely secrets follow"
        not in _answered(cover, replace(hiding, sensitive=None)).words
    )


def test_a_seed_an_epsilon_and_a_universe_are_answered() -> None:
    made = replace(
        manifest("diff-part", epsilon="30", fan_out=2), seeded=True,
        universe="taken from the data: not covered by epsilon",
    )  # fmt: skip
    content = ItemsetHistogram.of({("a",): 3, ("b",): 2})
    found = looked_at(Release(content, (DifferentialPrivacy(epsilon=30),), made))
    told = {each.words: each.command for each in repairs(found)}
    assert "publish it again without a seed" in told
    weaker = told["publish it again with an epsilon of at most 10"]
    assert "--epsilon 10" in weaker
    assert told["publish it again over a public list of items"].endswith("--universe FILE")
    assert list(told)[-1].startswith("audit it again")


def test_a_broken_promise_asks_for_another_release() -> None:
    content = Transactions.of([["a"], ["a", "b"]])
    release = Release(content, (KmAnonymity(k=2, m=1),), manifest("km-anonymity", k=2, m=1))
    (first, *_) = repairs(looked_at(release, original=content))
    assert "does not keep its promise" in first.words
    assert first.command.startswith("discreet publish km-anonymity DATA --k 2 --m 1")


def test_the_answer_to_a_certain_inference_answers_it() -> None:
    people = Transactions.of([["bread"]] * 40 + [["bread", "milk"]] * 30 + [["gin", "rum"]] * 90)
    counts = {("bread",): 40, ("bread", "milk"): 30, ("gin", "rum"): 90}
    release = Release(ItemsetHistogram.of(counts), (), manifest("diff-part"))
    found = looked_at(release, original=people)
    assert judged(found).level == "do not release"
    told = [each.command for each in repairs(found)]
    assert "discreet publish apl-free RELEASE --out NEW" in told
    mended = AplFree().publish(release, rng.seeded(1)).release
    assert verify(mended).by_parts
    after = looked_at(mended, original=people)
    (linkage,) = [each for each in after.attempts if each.entry.name == "attribute-linkage"]
    assert not linkage.findings.claims


def test_the_answer_to_skewness_answers_it() -> None:
    table = pl.DataFrame(
        {"sex": ["f"] * 30 + ["m"] * 30, "job": ["spy"] * 30 + ["a", "b", "c"] * 10}
    )
    data = Microdata.of(table, qids=["sex"], sensitive=["job"])
    publication = Incognito(k=3).publish(data, rng.seeded(5))
    found = looked_at(publication.release, original=data, key=publication.linkage_key)
    (step,) = [each for each in repairs(found) if "closer" in each.words]
    method, options = options_of(step.command)
    assert (method, options) == ("codip-star", {"--k", "--t", "--out"})
    closer = Mondrian(k=3, t="0.2").publish(data, rng.seeded(5))
    after = looked_at(closer.release, original=data, key=closer.linkage_key)
    assert not [each for each in repairs(after) if "closer" in each.words]


def test_what_the_verdict_lacks_is_named() -> None:
    content = Transactions.of([["a"]] * 5)
    release = Release(content, (KmAnonymity(k=2, m=1),), manifest("km-anonymity", k=2, m=1))
    (step,) = repairs(looked_at(release))
    assert step.command == "discreet audit RELEASE --against DATA --key KEY --out PAGE.html"
