"""A publisher that nobody told the command line about."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from discreet.core.doc import Doc
from discreet.core.family import OfferedPublisher
from discreet.core.guarantee import Guarantee
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publication import LinkageKey, Publication
from discreet.core.release import Manifest, Release
from discreet.core.transactions import Transactions
from discreet.rng import Rng


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainText:
    """Publish everything as it is.

    It protects no one.
    """

    k: Annotated[int, Doc("How many times to think it over.")]
    mood: Annotated[Literal["good", "bad"], Doc("How it feels, after `how_long` hours.")] = "good"
    how_long: Annotated[int | None, Doc("Hours of thinking.")] = None
    after: Annotated[tuple[Release[Any], ...], Doc("Earlier mistakes.")] = ()

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
        return Publication(Release(data, (), manifest), LinkageKey({"rows": rows}))


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


PLAIN_TEXT = OfferedPublisher(
    name="plain-text",
    when="Never.",
    example=(),
    method=PlainText,
    source="Nobody, Journal of Bad Ideas 1, 1999.",
    data=Transactions,
    contents=(Transactions,),
)
AGAIN = OfferedPublisher(
    name="again",
    when="Never.",
    example=(),
    method=Again,
    source="",
    data=Release,
    contents=(ItemsetHistogram,),
)
