"""The exact check of rho-uncertainty against brute force over all antecedents."""

import re
import sys
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Release, Transactions, rng, verify
from discreet.core.guarantee import GroupedDegree, GroupedRhoUncertainty, Guarantee, RhoUncertainty
from discreet.core.itemsets import Itemsets
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.verdict import Verdict
from discreet.networks import Dist, RhoM, TdControl
from discreet.verify.rho_uncertainty import rho_uncertainty
from tests.releases import as_released

ITEMS = "abcdefgh"
SECRETS = ("a", "b", "c")
RECORDS = st.lists(st.sets(st.sampled_from(ITEMS)), max_size=12)
RHO = st.sampled_from(["0.2", "1/3", "0.5", "0.7", "1"])


def worst(records: list[set[str]], antecedents: str, known: int | None = None) -> Fraction:
    """The highest confidence of a rule, by trying every antecedent of so many items."""
    usable = ITEMS if antecedents == "mixed" else [item for item in ITEMS if item not in SECRETS]
    highest = Fraction(0)
    for size in range(len(usable) + 1 if known is None else known + 1):
        for held_items in combinations(usable, size):
            fitting = [record for record in records if record.issuperset(held_items)]
            for secret in SECRETS:
                if fitting and secret not in held_items:
                    held = sum(secret in record for record in fitting)
                    highest = max(highest, Fraction(held, len(fitting)))
    return highest


@settings(max_examples=200)
@given(
    RECORDS,
    RHO,
    st.sampled_from(["mixed", "nonsensitive"]),
    st.booleans(),
    st.sampled_from([None, 1, 2, 3, 4, 7]),
)
def test_the_check_agrees_with_brute_force(
    records: list[set[str]], rho: str, antecedents: Any, strict: bool, known: int | None
) -> None:
    claim = RhoUncertainty(rho=rho, antecedents=antecedents, strict=strict, known=known)
    highest = worst(records, antecedents, known)
    keeps = highest < Fraction(rho) if strict else highest <= Fraction(rho)
    verdict = rho_uncertainty(Itemsets.of(records), claim, SECRETS)
    # where no record holds a sensitive item there was nothing to check
    assert verdict.holds is (keeps if highest else None)
    assert (verdict.witness is None) is (keeps or highest == 0)


REPEATED = st.lists(
    st.tuples(st.sets(st.sampled_from(ITEMS[1:6]), min_size=1), st.sampled_from([1, 2, 3, 5, 40])),
    min_size=1,
    max_size=7,
)
"""Records and how often each is there: more than a machine word of them now and then."""
BESIDE = ({"b"}, {"d", "e", "f"}, {"d", "e", "f"})
"""Records that are there too: somebody holds a secret, and others do not."""
TINY = Fraction(1, 10**12)


@settings(max_examples=100)
@given(REPEATED, st.sampled_from(["mixed", "nonsensitive"]), st.sampled_from([None, None, 1, 2, 3]))
def test_the_verdict_turns_at_the_highest_confidence(
    drawn: list[tuple[set[str], int]], antecedents: Any, known: int | None
) -> None:
    records = [*BESIDE, *(items for items, times in drawn for _ in range(times))]
    highest = worst(records, antecedents, known)
    sets = Itemsets.of(records)

    def judged(rho: Fraction, *, strict: bool = False) -> Verdict:
        claim = RhoUncertainty(rho=rho, antecedents=antecedents, strict=strict, known=known)
        return rho_uncertainty(sets, claim, SECRETS)

    assert judged(highest).holds is True
    assert judged(highest, strict=True).holds is False
    assert counted(judged(highest - TINY), records) == highest
    assert judged(min(highest + TINY, Fraction(1)), strict=True).holds is (highest < 1)


def counted(verdict: Verdict, records: list[set[str]]) -> Fraction:
    """Return the confidence of the rule of a witness, once its numbers are found to be right."""
    words = r"of the (\d+) records that fit who is known to hold (.+), (\d+) hold (\w)"
    said = re.fullmatch(f"in the release, {words}", str(verdict.witness))
    assert said
    known = set(re.findall(r"\w", said[2])) if said[2] != "nothing at all" else set()
    fitting = [record for record in records if known <= record]
    held = sum(said[4] in record for record in fitting)
    assert (len(fitting), held) == (int(said[1]), int(said[3]))
    return Fraction(held, len(fitting))


@settings(max_examples=60)
@given(REPEATED, st.sampled_from(["mixed", "nonsensitive"]))
def test_without_room_for_a_table_the_verdict_turns_at_two_items(
    drawn: list[tuple[set[str], int]], antecedents: Any
) -> None:
    records = [*BESIDE, *(items for items, times in drawn for _ in range(times))]
    highest = worst(records, antecedents, 2)
    sets = Itemsets.of(records)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys.modules[rho_uncertainty.__module__], "BITS", 0)
        claim = RhoUncertainty(rho=highest, antecedents=antecedents)
        verdict = rho_uncertainty(sets, claim, SECRETS)
        assert verdict.holds is None
        there = len(set(SECRETS) & set().union(*records))
        assert verdict.checked.startswith(f"for {there} sensitive items the search stopped")
        for rho, strict in ((highest - TINY, False), (highest, True)):
            claim = RhoUncertainty(rho=rho, antecedents=antecedents, strict=strict)
            verdict = rho_uncertainty(sets, claim, SECRETS)
            assert counted(verdict, records) == highest
            # what is looked at without a table is no closed antecedent
            assert verdict.checked == "0 antecedents, up to the first that breaks the bound"


@pytest.mark.parametrize(("many", "bits"), [(64, 192), (65, 384), (128, 384), (129, 576)])
def test_records_fill_machine_words_and_a_table_has_its_limit(
    many: int, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = many // 2
    # the last record holds the secret, in the last bit of its word or alone in another
    sets = Itemsets.of([["x", "y"]] * (many - half) + [["b", "x"]] * half)
    claim = RhoUncertainty(rho=Fraction(half, many))
    for most, holds in ((bits, True), (bits - 1, None)):
        monkeypatch.setattr(sys.modules[rho_uncertainty.__module__], "BITS", most)
        assert rho_uncertainty(sets, claim, ["b"]).holds is holds
    tighter = RhoUncertainty(rho=Fraction(half, many) - TINY)
    assert rho_uncertainty(sets, tighter, ["b"]).witness == (
        f"in the release, of the {many} records that fit who is known to hold nothing at all, "
        f"{half} hold b"
    )


def test_a_search_that_is_too_long_tells_of_fewer_items(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [["b", "x", "y", "z"], ["x", "y"], ["y", "z"], ["x", "z"]] * 3
    sets, claim = Itemsets.of(records), RhoUncertainty(rho="1/2", known=2)
    told = []
    for steps in (0, 60, 10**6):
        monkeypatch.setattr(sys.modules[rho_uncertainty.__module__], "STEPS", steps)
        verdict = rho_uncertainty(sets, claim, ["b"])
        told.append((verdict.holds, verdict.checked.split("; ")[0]))
    assert told == [
        (None, "for all records every antecedent of up to 0 items, 0 of them"),
        (None, "for all records every antecedent of up to 1 item, 5 of them"),
        (True, "for all records every antecedent of up to 2 items, 11 of them"),
    ]
    tighter = RhoUncertainty(rho="49/100", known=2)
    assert rho_uncertainty(sets, tighter, ["b"]).witness == (
        "in the release, of the 6 records that fit who is known to hold {x, y}, 3 hold b"
    )


@pytest.mark.parametrize("known", [None, 2])
def test_a_witness_names_its_group(known: int | None) -> None:
    records = [["b", "x"], ["x"], ["y"], ["y"], ["b", "y"], ["y"], ["z"], ["z"]]
    group = np.array([4, 4, 4, 4, 7, 7, 7, 7])
    sets = Itemsets.of(records)

    def judged(rho: str) -> Verdict:
        claim = GroupedRhoUncertainty(rho=rho, known=known)
        return rho_uncertainty(sets, claim, SECRETS, group)

    held, broken = judged("1/2"), judged("0.49")
    assert held.holds is True
    assert held.checked == (
        "for each of 2 groups and each sensitive item all closed antecedents, 2 of them"
        if known is None
        else "for each of 2 groups every antecedent of up to 2 items, 10 of them"
    )
    assert broken.witness == (
        "in group 4, of the 2 records that fit who is known to hold {x}, 1 hold b"
    )
    met = 1 if known is None else 4
    assert broken.checked == f"{met} antecedents, up to the first that breaks the bound"
    later = rho_uncertainty(
        sets.take(np.array([2, 3, 4, 5, 6, 7])),
        GroupedRhoUncertainty(rho="0.49", known=known),
        SECRETS,
        group[2:],
    )
    assert later.witness == (
        "in group 7, of the 2 records that fit who is known to hold {y}, 1 hold b"
    )


@pytest.mark.parametrize("known", [None, 2])
@pytest.mark.parametrize("without", [["x", "y"], []])
def test_a_group_without_a_secret_breaks_nothing(known: int | None, without: list[str]) -> None:
    sets = Itemsets.of([["b", "x"], ["x"], without, without])
    claim = GroupedRhoUncertainty(rho="1/2", known=known)
    for group in ([0, 0, 1, 1], [1, 1, 0, 0]):
        assert rho_uncertainty(sets, claim, SECRETS, np.array(group)).holds is True


@settings(max_examples=100)
@given(st.lists(st.tuples(st.sets(st.sampled_from(ITEMS)), st.integers(0, 2)), max_size=15), RHO)
def test_each_group_is_checked_for_itself_and_theorem_1_holds(
    people: list[tuple[set[str], int]], rho: str
) -> None:
    sets = Itemsets.of([record for record, _ in people])
    group = np.array([number for _, number in people], dtype=np.int64)
    claim = GroupedRhoUncertainty(rho=rho)
    keeps = all(
        worst([record for record, number in people if number == each], "mixed") <= Fraction(rho)
        for each in range(3)
    )
    there = any(record & set(SECRETS) for record, _ in people)
    assert rho_uncertainty(sets, claim, SECRETS, group).holds is (keeps if there else None)
    together = rho_uncertainty(sets, RhoUncertainty(rho=rho), SECRETS).holds
    assert together is True or not (keeps and there)


@settings(max_examples=100)
@given(RECORDS, RHO)
def test_what_stops_at_its_limit_still_covers_two_items(records: list[set[str]], rho: str) -> None:
    sets, claim = Itemsets.of(records), RhoUncertainty(rho=rho)
    verdict = rho_uncertainty(sets, claim, SECRETS, cap=0)
    broken = [
        known
        for size in range(3)
        for known in combinations(ITEMS, size)
        for secret in SECRETS
        if secret not in known and _too_sure(records, set(known), secret, Fraction(rho))
    ]
    assert verdict.holds is False or not broken
    assume(verdict.holds is not None)
    assert verdict.holds is (worst(records, "mixed") <= Fraction(rho))


def _too_sure(records: list[set[str]], known: set[str], secret: str, rho: Fraction) -> bool:
    fitting = [record for record in records if known <= record]
    return sum(secret in record for record in fitting) > rho * len(fitting)


@pytest.mark.parametrize("rho", ["0.500000000000000001", f"0.5{'0' * 30}1", "0.49999999999999999"])
@pytest.mark.parametrize("strict", [False, True])
def test_a_bound_of_many_digits_is_compared_exactly(rho: str, strict: bool) -> None:
    """Numbers of people times a long denominator are more than a machine word holds."""
    claim = RhoUncertainty(rho=rho, strict=strict)
    for held in (1, 999, 1499, 1500, 1501, 2000, 2999):
        sets = Itemsets.of([["x", "s"]] * held + [["x"]] * (3000 - held))
        keeps = Fraction(held, 3000) <= Fraction(rho)
        assert rho_uncertainty(sets, claim, ["s"]).holds is keeps


def test_a_witness_is_a_rule_without_a_needless_item() -> None:
    records = [["x", "y", "s"], ["x", "s"], ["y"], ["y"], ["z"], ["z"]]
    verdict = rho_uncertainty(Itemsets.of(records), RhoUncertainty(rho="0.5"), ["s"])
    assert verdict.witness == (
        "in the release, of the 2 records that fit who is known to hold {x}, 2 hold s"
    )


def test_the_sensitive_items_come_from_the_manifest_or_from_the_data() -> None:
    data = Transactions.of([["s"], ["s"], ["t"]], sensitive=("s",))
    silent = Transactions.of([["s"], ["s"], ["t"]])
    claim = RhoUncertainty(rho="0.5")
    assert verify(_release(data, claim, sensitive=("s",))).holds is False
    assert verify(_release(silent, claim)).holds is None
    assert verify(_release(silent, claim, sensitive=("s",))).holds is False
    assert verify(_release(silent, claim, sensitive=("t",))).holds is True


def test_a_search_for_nothing_is_no_check() -> None:
    left, claim = Transactions.of([["a"], ["b"]]), RhoUncertainty(rho="0.5")
    verdicts = verify(_release(left, claim, sensitive=("HIV",)))
    assert (verdicts.holds, verdicts.needs) == (None, ("--against",))
    assert verdicts.parts[0].checked.startswith("nothing: none of the 1 sensitive items")
    hidden = verify(
        _release(left, claim, sensitive=("HIV",)), against=Transactions.of([["a", "HIV"], ["b"]])
    )
    assert hidden.holds is True
    misspelt = verify(
        _release(left, claim, sensitive=("HIV",)), against=Transactions.of([["a", "hiv"]])
    )
    assert (misspelt.holds, misspelt.needs) == (None, ())


def _release(
    content: Any, *claims: Guarantee, sensitive: tuple[str, ...] | None = None
) -> Release[Any]:
    return as_released(content, *claims, sensitive=sensitive)


@pytest.mark.parametrize(
    ("edges", "least", "witness"),
    [
        ([(0, 1), (2, 3)], 2, None),
        ([(0, 1), (0, 2)], 1, "group 0 has nodes with 2 and with 1 friends"),
        ([(0, 1), (2, 3)], 3, "group 0 has 2 nodes, fewer than 3"),
    ],
)
def test_degrees_must_agree_within_a_group(
    edges: list[tuple[int, int]], least: int, witness: str | None
) -> None:
    content = SetsWithNetwork.of([[], [], [], []], [0, 0, 1, 1], edges)
    verdict = verify(_release(content, GroupedDegree(least=least)))
    assert (verdict.holds, verdict.witness) == (witness is None, witness)


def _emptied(*records: list[str]) -> Release[Any]:
    claim = RhoUncertainty(rho="1/2", no_secret_left=True)
    return as_released(Transactions.of(records, sensitive=["s"]), claim, sensitive=("s",))


def test_that_every_secret_was_deleted_can_be_told_from_the_release() -> None:
    held = verify(_emptied(["a"], ["b"]))
    assert held.holds is True
    assert "none of the 1 sensitive items is in the release" in held.parts[0].checked
    left = verify(_emptied(["a"], ["b", "s"]))
    assert left.holds is False
    assert left.witness == "1 occurrences of sensitive items are left, where none should be"
    known = verify(_emptied(["a"], ["b"]), against=Transactions.of([["a", "s"], ["b"]]))
    assert known.holds is True
    misspelt = verify(_emptied(["a"], ["b"]), against=Transactions.of([["a", "S"]]))
    assert misspelt.holds is False


@pytest.mark.parametrize(
    "method", [TdControl(rho="1/9"), Dist(rho="1/9"), RhoM(rho="1/9", known=1)]
)
def test_publishers_promise_it_where_they_delete_every_secret(method: Any) -> None:
    data = Transactions.of([["a", "s"], ["a"], ["b"], ["b"]], sensitive=["s"])
    release = method.publish(data, rng.secure()).release
    assert "s" not in release.content.held
    assert release.guarantees[0].no_secret_left
    assert verify(release).holds is True
    kept = type(method)(**({"rho": 1} | ({"known": 1} if isinstance(method, RhoM) else {})))
    assert not kept.publish(data, rng.secure()).release.guarantees[0].no_secret_left
