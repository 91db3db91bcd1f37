"""Releases made by hand: content and what is claimed of it, as if a method had published it."""

from typing import Any

from discreet.core.guarantee import Guarantee
from discreet.core.release import Manifest, Release


def as_released(
    content: Any, *claims: Guarantee, method: str = "planted", **facts: Any
) -> Release[Any]:
    """Return the content as a release; ``facts`` are fields of its manifest."""
    manifest = Manifest(method=method, parameters={}, randomness="none", **facts)
    return Release(content, claims, manifest)
