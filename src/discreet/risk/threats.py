"""The three threats of the European data protection authorities, each as one share of people."""

from typing import Any, Final

MEANING: Final = {
    "singling_out": "people whom the known facts distinguish from everybody else",
    "linkability": "people whom a second list with the same facts would link to the right row",
    "inference": "people about whom something further follows with certainty",
}


def threats(
    singling_out: float | None, linkability: float | None, inference: float | None
) -> dict[str, dict[str, Any]]:
    """Return the threats of Opinion 05/2014 of the Article 29 Working Party (WP216).

    >>> threats(0.1, 0.25, None)["inference"]
    {'share': None, 'means': 'people about whom something further follows with certainty'}
    """
    shares = (singling_out, linkability, inference)
    return {
        name: {"share": share, "means": means}
        for (name, means), share in zip(MEANING.items(), shares, strict=True)
    }
