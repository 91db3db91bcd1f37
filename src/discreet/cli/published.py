"""What a publication says on the screen: what was written, what is promised and what is not."""

from pathlib import Path
from typing import Any

from discreet.cli import show
from discreet.core.publication import Publication
from discreet.core.saving import readable_facts


def say(publication: Publication[Any], record: dict[str, Any], *, json: bool) -> None:
    """Say what was published, as a text for people or as JSON."""
    if json:
        show.as_json(record | {"rows": publication.rows} | publication.release.record())
        return
    _tell(publication, record["release"], record["keep"])
    report = record["report"].items()
    show.lines(*(f"{name}, for your eyes only: {count:,}" for name, count in report))


def _in_short(note: Any) -> Any:
    """Return a note without the length of a list of items."""
    named = isinstance(note, list) and all(isinstance(entry, str) for entry in note)
    return show.items(note) if named else note


def _tell(publication: Publication[Any], out: Path, key: Path | None) -> None:
    release = publication.release
    counted = ", ".join(f"{count:,} rows of {name}" for name, count in publication.rows.items())
    show.lines(f"published by {release.manifest.method}: {out} ({counted})")
    if key:
        show.lines(f"key, for your eyes only: {key}")
    show.lines(f"randomness: {release.manifest.randomness}")
    facts = readable_facts(release.manifest.facts)
    show.lines(*(f"{name}: {_in_short(note)}" for name, note in facts.items()))
    show.heading("promised")
    show.lines(*[f"- {claim.promise}" for claim in release.guarantees] or ["- nothing"])
    show.heading("not promised")
    limits = dict.fromkeys(f"- {claim.limit}" for claim in release.guarantees)
    show.lines(*limits or ["- anything"])
