"""What a step after a release hands on: the privacy it keeps, and where it came from."""

from dataclasses import replace
from typing import Any

from discreet.core.guarantee import DifferentialPrivacy, Guarantee, spoken
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publisher import manifest_of
from discreet.core.release import Manifest, Release
from discreet.core.synthetic_people import PublishedCounts, SyntheticPeople, counts_in
from discreet.errors import DataError
from discreet.rng import Rng
from discreet.rng.stream import SEEDED


def counts_of(release: Release[Any], name: str) -> ItemsetHistogram:
    """Return the published counts in an order that only their content decides."""
    if not isinstance(release.content, PublishedCounts):
        kind = spoken(type(release.content).__name__)
        msg = f"{name} takes a release of itemset counts, but this one holds {kind}"
        raise DataError(msg)
    return counts_in(release.content).sorted()


def shaped_as(
    source: Release[PublishedCounts], counts: ItemsetHistogram, rng: Rng
) -> PublishedCounts:
    """Return the counts in the shape of the release they come from: as counts, or as people."""
    people = isinstance(source.content, SyntheticPeople)
    return SyntheticPeople.of_counts(counts, rng) if people else counts


def guarantees_after(
    own: tuple[Guarantee, ...], source: Release[PublishedCounts]
) -> tuple[Guarantee, ...]:
    """Add to a step's own promise the privacy of its source, which no step after it can lessen."""
    private = (each for each in source.guarantees if isinstance(each, DifferentialPrivacy))
    return (*own, *private)


def manifest_after(
    method: Any, name: str, source: Manifest, rng: Rng, notes: dict[str, Any] | None = None
) -> Manifest:
    """Describe this step and the one before; noise that can be repeated stays repeatable."""
    all_notes = {**source.notes, **(notes or {}), "source": source.record()}
    own = manifest_of(method, name, rng, all_notes)
    own = replace(own, universe=source.universe, sensitive=source.sensitive)
    return replace(own, randomness=SEEDED, seeded=True) if source.seeded else own
