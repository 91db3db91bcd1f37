"""A promise about secrets that a release does not hold says nothing until the original speaks."""

import pytest

from discreet import Transactions
from discreet.core.guarantees.rho import RhoUncertainty
from discreet.verify.absent_secrets import none_left

CLAIM = RhoUncertainty(rho="0.5")


@pytest.mark.parametrize(
    ("original", "holds", "needs"),
    [
        (None, None, ("--against",)),
        (Transactions.of([["bread"], ["beer"]]), None, ()),
        (Transactions.of([["bread", "hiv"]]), True, ()),
    ],
)
def test_deleted_is_told_from_misspelt_by_the_original(
    original: Transactions | None, holds: bool | None, needs: tuple[str, ...]
) -> None:
    verdict = none_left(CLAIM, frozenset({"hiv"}), original)
    assert (verdict.holds, verdict.needs) == (holds, needs)
    assert "none of the 1 sensitive items is in the release" in verdict.checked
