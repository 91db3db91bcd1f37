"""What a publication says on the screen: what was written, what is promised and what is not."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discreet.cli import show
from discreet.core.publication import Publication


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


def _of_heights(levels: Any, heights: Mapping[str, int]) -> str:
    """Say on which of its levels each column of each table is shown.

    >>> _of_heights({"age": 2, "sex": 0}, {"age": 4, "sex": 1})
    'age 2 of 4, sex 0 of 1'
    """
    tables = levels if isinstance(levels, list) else [levels]
    return "; ".join(
        ", ".join(f"{name} {level} of {heights[name]}" for name, level in each.items())
        for each in tables
    )


def _tell(publication: Publication[Any], out: Path, key: Path | None) -> None:
    release = publication.release
    counted = ", ".join(f"{count:,} rows of {name}" for name, count in publication.rows.items())
    show.lines(f"published by {release.manifest.method}: {out} ({counted})")
    if key:
        show.lines(f"key, for your eyes only: {key}")
    show.lines(f"randomness: {release.manifest.randomness}")
    facts = dict(release.manifest.facts)
    heights = facts.pop("heights", None)
    if heights:
        facts["levels"] = _of_heights(facts["levels"], heights)
    show.lines(*(f"{name}: {_in_short(note)}" for name, note in facts.items()))
    show.heading("promised")
    show.lines(*[f"- {claim.promise}" for claim in release.guarantees] or ["- nothing"])
    show.heading("not promised")
    limits = dict.fromkeys(f"- {claim.limit}" for claim in release.guarantees)
    show.lines(*limits or ["- anything"])
