"""What a promise about secrets says where the release holds none of them."""

from discreet.core.guarantee import Guarantee
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict


def none_left(claim: Guarantee, secrets: frozenset[str], original: Transactions | None) -> Verdict:
    """Judge a promise about secrets that a release does not hold: all were deleted, or misspelt.

    A check over nothing is no check: only an original that holds some of them makes it one.
    """
    fact = f"none of the {len(secrets):,} sensitive items is in the release"
    if original is None:
        checked = f"nothing: {fact}; only the original tells whether they were deleted (--against)"
        return Verdict(guarantee=claim, holds=None, checked=checked, needs=("--against",))
    deleted = secrets & original.held
    if not deleted:
        checked = f"nothing: {fact}, and none is in the original"
        return Verdict(guarantee=claim, holds=None, checked=checked)
    checked = f"{fact}, where {len(deleted):,} of them are in the original"
    return Verdict(guarantee=claim, holds=True, checked=checked)
