"""What a publication says on the screen: what was written, what is promised and what is not."""

from pathlib import Path
from typing import Any

from discreet.cli import show
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.publication import Publication
from discreet.core.readme import readable_facts
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions


def say(publication: Publication[Any], record: dict[str, Any], *, json: bool) -> None:
    """Say what was published, as a text for people or as JSON."""
    if json:
        show.as_json(record | {"rows": publication.rows} | publication.release.record())
        return
    _tell(publication, record["release"], record["keep"])
    if report := record["report"]:
        show.heading("for your eyes only")
        # whole numbers to the last digit, costs without the point that a float ends in
        show.table((), [(name, f"{count:,.12g}") for name, count in report.items()])


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


def warn_of_content(content: Any) -> None:
    """Say of a release that keeps its promise where it tells less than a person may expect."""
    if isinstance(content, SetsWithNetwork) and len(content.edges) and not content.group.any():
        show.warn(
            "everybody is in one group, so all have the same number of friends; a smaller "
            "--split or --g-min, or a hierarchy that groups the items, gives more groups"
        )
    sets = isinstance(content, GeneralisedSets | Transactions | SetsWithNetwork)
    if sets and len(content) and not content.sets.sizes.any():
        show.warn(
            "every set of this release is empty: it tells how many people there are and nothing "
            "about them; less strict parameters may keep more"
        )
