"""What a repair costs is measured by a real run, or said not to be."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import polars as pl
import pytest

from discreet import Hierarchy, Microdata, Release, Transactions, rng
from discreet.catalog import find
from discreet.core.truth import with_truth
from discreet.counts import DiffPart
from discreet.generalised import Disassociation, Km
from discreet.networks import GpAsn, RhoM
from discreet.study import Evidence, examined, priced_repairs
from discreet.study.price import MOST_PRICED, _hindrance
from discreet.study.repair import _answered
from discreet.tables import Mondrian
from tests.samples import PUBLISHERS

SETS = Transactions.of([set(each) for each in combinations("abcdefgh", 3)])
OF_PEOPLE = [kind for kind, (_, data) in PUBLISHERS.items() if not isinstance(data, Release)]
AGES = Hierarchy.intervals([str(age) for age in range(8)], [2, 4])


def looked_at(method: Any, data: Any) -> tuple[Any, Evidence]:
    made = method.publish(data, rng.secure())
    key = with_truth(made.linkage_key, data, made.release, {})
    evidence = Evidence(original=data, key=key)
    return examined(made.release, evidence), evidence


def people() -> Microdata:
    rows = [(str(n % 8), "fm"[n % 2], "xy"[n % 8 in (0, 1)]) for n in range(64)]
    table = pl.DataFrame(rows, schema=["age", "sex", "job"], orient="row")
    return Microdata.of(table, qids=["age", "sex"], sensitive=["job"])


def test_the_first_repair_is_published_and_measured() -> None:
    found, evidence = looked_at(Km(k=2, m=1), SETS)
    first, *others = priced_repairs(found, evidence)
    assert "km-anonymity DATA" in first.command
    stricter = Km(k=2, m=2).publish(SETS, rng.seeded(1)).release
    lost = 1 - sum(map(len, stricter.content.sets)) / sum(map(len, SETS))
    costs = f"what it costs: {100 * lost:.0f} % of all occurrences of items lost, "
    assert first.price.startswith(costs)
    assert all(each.price for each in others if each.command.startswith("discreet publish"))


def test_hierarchies_of_the_release_are_those_of_the_repair() -> None:
    found, evidence = looked_at(Mondrian(k=2, hierarchy=(("age", AGES),)), people())
    first = priced_repairs(found, evidence)[0]
    assert "--t 0.2" in first.command
    stricter = Mondrian(k=2, t="0.2", hierarchy=(("age", AGES),))
    again, _ = looked_at(stricter, people())
    lost = sum(again.measured["loss_by_column"].values()) / 3
    assert first.price.startswith(f"what it costs: {100 * lost:.0f} % of all cells lost, ")


@pytest.mark.parametrize(
    ("changed", "price"),
    [
        ({"strict": True}, "what it costs: "),
        ({"known": None}, "could not be published in this way"),
    ],
)
def test_a_promise_made_stricter_afterwards_is_priced_or_said_not_to_be(
    changed: dict[str, Any], price: str
) -> None:
    alone = [{"rock"}] * 4 + [{"jazz"}] * 4 + [{"soul"}] * 3
    held = [{"rock", "jazz", "opera"}] * 2 + [{"soul", "opera"}] * 3
    sets = Transactions.of(alone + held, sensitive=["opera"])
    made = RhoM(rho="0.5", known=1).publish(sets, rng.seeded(1)).release
    claims = tuple(replace(each, **changed) for each in made.guarantees)
    typed = replace(made.manifest, parameters={**made.manifest.parameters, **changed})
    evidence = Evidence(original=sets)
    found = examined(replace(made, guarantees=claims, manifest=typed), evidence)
    assert found.verdicts.parts[0].holds is False
    assert any(price in each.price for each in priced_repairs(found, evidence))


def test_what_is_not_measured_is_said() -> None:
    found, evidence = looked_at(Km(k=2, m=1), SETS)
    alone = replace(evidence, original=None)
    assert priced_repairs(found, alone)[0].price.endswith("the original was not given")
    noisy, beside = looked_at(DiffPart(epsilon=30), SETS)
    assert "not covered by epsilon" in priced_repairs(noisy, beside)[0].price
    many = Transactions.of([set(each) for each in combinations("abcdefghij", 4)] * 20)
    assert not _hindrance(find("km-anonymity"), many)
    assert "takes longer" in _hindrance(find("coherence"), many)
    assert not _hindrance(find("coherence"), SETS)
    assert "other data" in _hindrance(find("mondrian"), many)


def test_every_repair_that_publishes_has_its_price_where_it_takes_seconds() -> None:
    rows = [(str(n % 8), "fm"[n % 2], "xyz"[n % 3], "uv"[n % 5 == 0]) for n in range(64)]
    table = pl.DataFrame(rows, schema=["age", "sex", "job", "ill"], orient="row")
    data = Microdata.of(table, qids=["age", "sex"], sensitive=["job", "ill"])
    found, evidence = looked_at(Mondrian(k=2), data)
    again = replace(found, release=replace(found.release, unlisted=("stray.txt",)))
    steps = priced_repairs(again, evidence)
    publishing = [each for each in steps if each.command.startswith("discreet publish")]
    assert publishing
    assert all(each.price.startswith("what it costs: ") for each in publishing)


def test_a_repair_is_not_what_was_done_already() -> None:
    method, data = PUBLISHERS[RhoM]
    release = method.publish(data, rng.seeded(1)).release
    answer = find("sets-and-degree", "attack").answer
    assert answer is not None
    assert "publish gp-asn DATA" in _answered(answer, release.manifest).command
    method, data = PUBLISHERS[GpAsn]
    same = method.publish(data, rng.seeded(1)).release
    assert "publish gp-asn DATA" in _answered(answer, same.manifest).command


@pytest.mark.parametrize("kind", OF_PEOPLE, ids=lambda kind: kind.__name__)
def test_a_price_is_told_or_why_there_is_none_whatever_the_method(kind: type[Any]) -> None:
    method, data = PUBLISHERS[kind]
    found, evidence = looked_at(method, data)
    broken = replace(found.verdicts.parts[0], holds=False)
    again = replace(found, verdicts=replace(found.verdicts, parts=(broken,)))
    steps = [each for each in priced_repairs(again, evidence) if "discreet publish" in each.command]
    assert steps
    assert all(each.price.startswith("what it ") for each in steps[:MOST_PRICED])


def test_where_nothing_is_left_out_answers_to_queries_are_compared() -> None:
    method, data = PUBLISHERS[Disassociation]
    found, evidence = looked_at(method, data)
    broken = replace(found.verdicts.parts[0], holds=False)
    again = replace(found, verdicts=replace(found.verdicts, parts=(broken,)))
    assert "answers to counting queries" in priced_repairs(again, evidence)[0].price
