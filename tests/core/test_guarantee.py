from dataclasses import MISSING, fields
from fractions import Fraction
from typing import Any, get_args

import pytest

from discreet.core.guarantee import (
    DifferentialPrivacy,
    Guarantee,
    MConfidentiality,
    NoAttributeLeakage,
    epsilon_of,
    guarantee_of,
    record_of,
)
from discreet.core.verdict import Verdict, Verdicts
from discreet.errors import DataError, ParameterError


def test_epsilon_is_the_fraction_of_its_decimal_text() -> None:
    assert DifferentialPrivacy(epsilon=0.1).budget == Fraction(1, 10)
    assert DifferentialPrivacy(epsilon="0.1") == DifferentialPrivacy(epsilon=0.1)


@pytest.mark.parametrize("epsilon", [0, -1, "no", float("nan"), float("inf"), "1/0", None])
def test_a_wrong_epsilon_is_refused_with_its_value(epsilon: object) -> None:
    with pytest.raises(ParameterError, match="epsilon must be"):
        DifferentialPrivacy(epsilon=epsilon)


def test_epsilons_of_a_release_add_up() -> None:
    twice = (DifferentialPrivacy(epsilon=1), DifferentialPrivacy(epsilon="0.5"))
    assert epsilon_of((*twice, NoAttributeLeakage())) == Fraction(3, 2)
    assert epsilon_of([NoAttributeLeakage()]) is None


def test_unknown_neighbours_are_refused() -> None:
    with pytest.raises(ParameterError, match="add-remove, replace"):
        DifferentialPrivacy(epsilon=1, neighbours="next door")


@pytest.mark.parametrize(
    "guarantee",
    [
        NoAttributeLeakage(),
        DifferentialPrivacy(epsilon="0.25", neighbours="replace", public=("n", "universe")),
    ],
)
def test_a_guarantee_survives_the_manifest(
    guarantee: NoAttributeLeakage | DifferentialPrivacy,
) -> None:
    assert guarantee_of(record_of(guarantee)) == guarantee
    assert guarantee.promise
    assert guarantee.limit


@pytest.mark.parametrize("record", [{}, {"name": "Trust"}, {"name": "NoAttributeLeakage", "x": 1}])
def test_an_unknown_guarantee_is_refused(record: dict[str, object]) -> None:
    with pytest.raises(DataError):
        guarantee_of(record)


def verdict(holds: bool | None) -> Verdict:
    return Verdict(guarantee=NoAttributeLeakage(), holds=holds, checked="nothing", witness="w")


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([], None),
        ([None], None),
        ([True], True),
        ([False], False),
        ([True, None], True),
        ([True, False], False),
        ([None, False], False),
        ([None, None], None),
    ],
)
def test_the_combination_rule(parts: list[bool | None], whole: bool | None) -> None:
    verdicts = Verdicts(parts=tuple(verdict(part) for part in parts))
    assert verdicts.holds is whole
    assert len(verdicts.untold) == parts.count(None)
    assert (verdicts.witness is not None) is (False in parts)


@pytest.mark.parametrize(
    "record",
    [
        {"name": "KmAnonymity", "k": None, "m": 2},
        {"name": "KDegree", "k": None},
        {"name": "DifferentialPrivacy", "epsilon": None},
        {"name": "RhoUncertainty", "rho": "1/2", "strict": None},
    ],
)
def test_a_manifest_with_a_value_missing_gets_one_sentence(record: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="malformed"):
        guarantee_of(record)


MISFITS: tuple[Any, ...] = (
    None, True, 5, -1, 10**5000, 0.5, float("nan"), "", "x", "9" * 5000, b"x", [], ["a"], [1],
    [["a"]], [["a", "a"]], [None], {}, {"a": 1}, {"a": [1]}, 1j, object(),
)  # fmt: skip
LEAST = {
    "tau": "1/2", "epsilon": 1, "k": 2, "m": 2, "l": 2, "t": "1/2", "n": 2, "beta": 1, "delta": 1,
    "h": "1/2", "c": "1/2", "p": 1, "r_th": 2, "rho": "1/2",
}  # fmt: skip


@pytest.mark.parametrize("kind", get_args(Guarantee), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("misfit", MISFITS, ids=range(len(MISFITS)))
def test_a_guarantee_holds_what_its_fields_say_or_is_refused(kind: Any, misfit: Any) -> None:
    sound = {each.name: LEAST[each.name] for each in fields(kind) if each.default is MISSING}
    for field in fields(kind):
        try:
            made = kind(**sound | {field.name: misfit})
        except ParameterError as error:
            assert len(str(error)) < 300
            with pytest.raises(DataError):
                guarantee_of({"name": kind.__name__, **sound, field.name: misfit})
        else:
            assert guarantee_of(record_of(made)) == made
            assert made.promise
            assert made.limit


@pytest.mark.parametrize("kind", get_args(Guarantee), ids=lambda kind: kind.__name__)
def test_one_item_is_told_as_one(kind: Any) -> None:
    sound = {each.name: LEAST[each.name] for each in fields(kind) if each.default is MISSING}
    # its m is no number of items, and is 2 or more
    counted = set() if kind is MConfidentiality else {"m", "l", "p", "known"}
    for name in counted & {each.name for each in fields(kind)}:
        made = kind(**sound | {name: 1})
        assert " 1 items" not in made.promise + made.limit
