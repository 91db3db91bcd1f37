"""What is kept of secrets and names, by how many items of a person may be known."""

from dataclasses import replace
from typing import Any, Final

import numpy as np

from discreet.core.guarantees.rho import RhoUncertainty
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.networks.rho_m import RhoM
from discreet.rng import seeded

QUICK: Final = 2
"""Most known items for which the method is run again: two take seconds, three take a minute."""


def kept_by_known(data: Transactions, release: Release[Transactions]) -> dict[str, Any]:
    """Return how much a release by rho-m keeps, beside what it would keep if others were known.

    Parameters
    ----------
    data
        The private data.
    release
        What was published of them.

    Returns
    -------
    dict
        ``kept_by_known``: rows of the number of items known, the share of secrets and the share of
        all occurrences that stay. Nothing for a release of another method.
    """
    claim = next((each for each in release.guarantees if isinstance(each, RhoUncertainty)), None)
    if release.manifest.method != "rho-m" or claim is None or claim.known is None:
        return {}
    secret = data.sensitive or frozenset(release.manifest.sensitive or ())
    chosen = RhoM(
        rho=claim.rho,
        known=claim.known,
        antecedents=claim.antecedents,
        strict=claim.strict,
        names_first=release.manifest.parameters.get("names_first"),
    )
    known = replace(data, sensitive=secret)
    shown = {claim.known: release.content}
    for most in range(1, min(claim.known + 1, QUICK) + 1):
        if most not in shown:
            shown[most] = replace(chosen, known=most).publish(known, seeded(0)).release.content
    return {"kept_by_known": [(most, *_shares_kept(known, shown[most])) for most in sorted(shown)]}


def _shares_kept(data: Transactions, content: Transactions) -> tuple[float, float]:
    """Return the share of secrets, and of all occurrences, that stay."""
    counts = [
        (sum(supports[index] for index in secret), int(supports.sum()))
        for supports, secret in (
            (each.supports, [n for n, item in enumerate(each.universe) if item in data.sensitive])
            for each in (content, data)
        )
    ]
    (secrets, names), (all_secrets, all_names) = np.array(counts).tolist()
    return secrets / max(1, all_secrets), names / max(1, all_names)
