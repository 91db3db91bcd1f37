"""``discreet reconstruct RELEASE``: a data set that could be behind a disassociated release."""

from dataclasses import dataclass
from typing import Annotated, Any

import click

from discreet.cli import show
from discreet.cli.options import command, filled
from discreet.cli.sections import SetsTarget, refuse_existing
from discreet.core.disassociated import Disassociated
from discreet.core.doc import Doc
from discreet.core.release import Release
from discreet.errors import DataError


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing(SetsTarget):
    """Where the sets go, and how they are drawn."""

    seed: Annotated[int | None, Doc("Draw the same data set for the same number.")] = None


def _run(*, release: str, json: bool, **typed: Any) -> int:
    from discreet import rng
    from discreet.generalised import possible_original

    writing = filled(Writing, typed)
    refuse_existing(writing.out)
    with show.working(f"reading {release}"):
        content = Release.load(release).content
    if not isinstance(content, Disassociated):
        msg = "only a disassociated release has parts that can be put together, and this is another"
        raise DataError(msg)
    with show.working("putting parts together"):
        chance = rng.secure() if writing.seed is None else rng.seeded(writing.seed)
        people = possible_original(content, chance)
        writing.write(people)
    record = {"people": len(people), "items": len(people.universe), "out": writing.out}
    if json:
        show.as_json(record)
    else:
        show.facts(record)
        show.lines("one of many possible originals, not the original: nothing in it is certain")
    return 0


reconstruct = command(
    "reconstruct",
    _run,
    arguments=[click.Argument(["release"], metavar="RELEASE")],
    sections={"Writing": Writing},
    about=(
        "Put the parts of a disassociated RELEASE together at random, into one data set that "
        "could be its original, for programs that need whole records."
    ),
    short="Draw one possible original of a disassociated release.",
)
