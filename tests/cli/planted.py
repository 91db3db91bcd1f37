"""A publisher that nobody told the command line about."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from discreet.chance import Rng
from discreet.data.contents import ItemsetHistogram
from discreet.data.guarantee import Guarantee
from discreet.data.publication import Keep, Publication
from discreet.data.release import Manifest, Release
from discreet.data.transactions import Transactions


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainText:
    """Publish everything as it is.

    Nobody, Journal of Bad Ideas 1, 1999. It protects no one.
    """

    k: int
    """How many times to think it over."""
    mood: Literal["good", "bad"] = "good"
    """How it feels, after ``how_long`` hours."""
    how_long: int | None = None
    """Hours of thinking."""
    after: tuple[Release[Any], ...] = ()
    """Earlier mistakes."""

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """None whatsoever."""
        return ()

    def publish(self, data: Transactions, rng: Rng) -> Publication[Transactions]:
        """Publish ``data`` as they are."""
        import polars as pl

        parameters = {"k": self.k, "mood": self.mood, "after": len(self.after)}
        manifest = Manifest(method="plain-text", parameters=parameters, randomness=rng.label)
        rows = pl.DataFrame({"record": np.arange(len(data))})
        return Publication(Release(data, (), manifest), Keep({"rows": rows}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """Publish a release once more."""

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What was promised before."""
        return ()

    def publish(self, data: Release[ItemsetHistogram], rng: Rng) -> Publication[ItemsetHistogram]:
        """Publish the content of ``data`` once more."""
        manifest = Manifest(method="again", parameters={}, randomness=rng.label)
        return Publication(Release(data.content, data.guarantees, manifest))
