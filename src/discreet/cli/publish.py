"""``discreet publish METHOD DATA``: read, publish, write, and say what was promised."""

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import click

from discreet import scale
from discreet.catalog import NOUNS, Choices, Entry, by_family, entries, find
from discreet.catalog.reading import ABSENT
from discreet.cli import show
from discreet.cli.books import Books, keeping
from discreet.cli.engine import EngineChoice
from discreet.cli.like import LikeBefore
from discreet.cli.options import command, filled
from discreet.cli.published import say, warn_of_content
from discreet.cli.sections import ReleaseRandomness
from discreet.cli.separators import warn_of_separator
from discreet.cli.truth import choices_of
from discreet.core.clusters import Clusters
from discreet.core.constraints import Constraints
from discreet.core.doc import Doc
from discreet.core.guarantee import VOID_EPSILON, WEAK_EPSILON, epsilon_of
from discreet.core.microdata import Microdata
from discreet.core.network import people_of
from discreet.core.publication import LinkageKey, Publication
from discreet.core.release import Release
from discreet.core.spelling import refuse_absent, refuse_disjoint
from discreet.core.transactions import Transactions
from discreet.core.truth import with_truth
from discreet.errors import DataError, DiscreetError, ParameterError
from discreet.io.release_folder import Saving
from discreet.io.rules_file import read_rules_file
from discreet.io.writing import new_file
from discreet.scale.collect import EngineSets
from discreet.scale.collect_table import EngineTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a publication goes."""

    out: Annotated[Path, Doc("The folder to write the release to.")]
    keep: Annotated[
        Path | None,
        Doc(
            "A file for the linkage key, which says which record became which row; keep it secret."
        ),
    ] = None
    file_format: Annotated[
        Literal["parquet", "csv", "jsonl"], Doc("The format of the release's tables.")
    ] = field(default="parquet", metadata={"option": "--format"})
    part_rows: Annotated[
        int | None,
        Doc(
            "Split each table into files of this many rows, NAME-00000 and so on; by default it "
            "is one file."
        ),
    ] = None
    save_rules: Annotated[
        Path | None,
        Doc(
            "A file for how each value was recoded in this release, to be reused with `rules` "
            "later."
        ),
    ] = None
    rules: Annotated[
        Path | None,
        Doc(
            "Recode as an earlier release did, from the file it saved, instead of deciding anew; "
            "refused if the promise would not hold."
        ),
    ] = None
    save_choices: Annotated[
        Path | None,
        Doc(
            "A file for all choices (method, parameters, how data are read, the content of lists "
            "and hierarchies), to publish the next data with `discreet publish --like FILE "
            "DATA`; keep it to yourself."
        ),
    ] = None
    force: Annotated[
        bool, Doc("Replace an existing release, key, or file of rules or choices of the same name.")
    ] = False

    def __post_init__(self) -> None:
        if self.part_rows is not None and self.part_rows < 1:
            msg = f"a part of a table must hold at least one row, got `part_rows` {self.part_rows}"
            raise ParameterError(msg, parameter="part_rows")

    def refuse(self, *, goes_on: bool = False) -> None:
        """Refuse, before the work starts, a place where the result could not go.

        A method that ``goes_on`` from the key of the release before writes it anew.
        """
        if self.keep and self.out.resolve() in (self.keep.resolve(), *self.keep.resolve().parents):
            msg = "`keep` must be outside the release folder, which is for everyone"
            raise ParameterError(msg, parameter="keep")
        _refuse_existing(self.out, ours=_is_release(self.out), replace=self.force)
        if self.keep:
            # whoever goes on reads the key first, and says so where it is none
            ours = (goes_on and self.keep.is_file()) or _is_ours(self.keep, LinkageKey.load)
            _refuse_existing(self.keep, ours=ours, replace=self.force or goes_on)
        taken = {self.out.resolve(), *([self.keep.resolve()] if self.keep else [])}
        readers = {"save_rules": read_rules_file, "save_choices": Choices.read}
        for name, read in readers.items():
            path: Path | None = getattr(self, name)
            if path is None:
                continue
            if self.out.resolve() in path.resolve().parents or path.resolve() in taken:
                msg = f"`{name}` must be a file of its own, outside the release folder"
                raise ParameterError(msg, parameter=name)
            _refuse_existing(path, ours=_is_ours(path, read), replace=self.force)
            taken.add(path.resolve())

    def refuse_engine(self) -> None:
        """Refuse what takes the records themselves, which an engine does not hand out."""
        for name in ("keep", "rules", "save_rules"):
            if getattr(self, name) is not None:
                msg = f"`{name}` needs the records, and an engine folds them; use `engine` memory"
                raise ParameterError(msg, parameter=name)

    def refuse_rules(self, entry: Entry, method: Any) -> None:
        """Refuse rules of what no rule can say, before the work starts."""
        from discreet.study.ruling import refuse_unruled

        for name in ("rules", "save_rules"):
            if getattr(self, name) is not None:
                refuse_unruled(entry, method, name)

    @property
    def _saving(self) -> Saving:
        return {
            "file_format": self.file_format,
            "part_rows": self.part_rows,
            "force": self.force,
        }

    def write(
        self, save: Callable[..., None], key: "LinkageKey | None", beside: Mapping[Path, str]
    ) -> Path | None:
        """Write the release, the files beside it and the key: all or none; return the key."""
        with ExitStack() as written:
            for path, text in beside.items():
                private = path == self.save_choices
                file = written.enter_context(new_file(path, path.name, private=private))
                file.write(text.encode())
            return self._write(save, key)

    def _write(self, save: Callable[..., None], key: "LinkageKey | None") -> Path | None:
        if self.keep is None or key is None:
            save(self.out, key, **self._saving)
            return None
        # the key is on the disk before the release is, and gets its name after it
        with new_file(self.keep, "the key", private=True) as file:
            file.write(key.packed())
            save(self.out, key, **self._saving)
        return self.keep


def _refuse_existing(path: Path, *, ours: bool, replace: bool) -> None:
    """Refuse a name that is taken; only what is ``ours`` to write may be replaced."""
    if path.exists() and not (ours and replace):
        cure = " or replace it with `force`" if ours else ""
        raise DataError(f"{path} exists; choose another name{cure}")
    folder = next(parent for parent in path.absolute().parents if parent.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise DataError(f"{path} cannot be written; choose a place inside a folder that is yours")


def _is_release(path: Path) -> bool:
    return path.is_dir() and ((path / "manifest.json").is_file() or not any(path.iterdir()))


def _is_ours(path: Path, read: Callable[[Path], Any]) -> bool:
    """Whether a file is empty, or one that ``read`` takes: no data are lost with it."""
    if not path.is_file():
        return False
    try:
        return path.stat().st_size == 0 or read(path) is not None
    except (OSError, DiscreetError):
        return False


def _run(entry: Entry, *, data: str, json: bool, **typed: Any) -> int:
    with ExitStack() as stack:
        return _published_from(stack, entry, data, typed, json=json)


def _published_from(  # noqa: PLR0915 (one step after the other)
    stack: ExitStack, entry: Entry, data: str, typed: dict[str, Any], *, json: bool
) -> int:
    """Publish; what an engine holds of the data is let go of with ``stack``."""
    target = filled(Target, typed)
    target.refuse(goes_on=entry.goes_on)
    reading: Any = filled(NOUNS[entry.data], typed)
    chance = filled(ReleaseRandomness, typed)
    books = filled(Books, typed)
    store = books.open_for_people()
    method = books.going_on(store, entry, filled(entry.method, typed))
    method = _with_universe(entry, method, data)
    target.refuse_rules(entry, method)
    rng = chance.rng()
    engine = filled(EngineChoice, typed).for_method(entry, method, data)
    with show.working(f"reading {data}"):
        if engine is not None:
            target.refuse_engine()
            _refuse_clusters(entry, books)
            original = stack.enter_context(reading.open(data, engine))
            outside = _refuse_strangers(entry, method, original, reading)
        else:
            absent = bool(typed.get("allow_absent"))
            read = _read(entry, method, reading, data, allow_absent=absent)
            original, reading, outside = read
    _warn(method, original)
    booking = books.reserve(store, entry, method, target.out, data)
    with keeping(booking), show.working(f"publishing by {entry.name}"):
        publication = _published(entry, method, target, original, rng)
        warn_of_content(publication.release.content)
        beside = _rules(entry, method, target, publication, original)
        if target.save_choices:
            about = {"people": books.people, "format": typed["file_format"]}
            beside[target.save_choices] = Choices.of(entry, typed, about).text()
        flags = books.examine(booking, publication)
        keeps = target.keep or (booking and books.passphrase)
        linkage = _linkage(publication, method, original, reading) if keeps else None
        made = partial(books.save, booking, replace(publication, linkage_key=linkage))
        key = target.write(made, linkage, beside)
    record = {"release": target.out, "keep": key, "report": _report(publication) | outside}
    say(publication, record | {"flags": flags}, json=json)
    return 0


def _refuse_clusters(entry: Entry, books: Books) -> None:
    """Refuse clusters for the shelf, where they are laid beside others as a whole."""
    if books.people is not None and Clusters in entry.contents:
        msg = "clusters of `people` on the shelf are compared in memory; use `engine` memory"
        raise ParameterError(msg, parameter="people")


def _warn(method: Any, original: Any) -> None:
    """Say what a person may not have meant."""
    _warn_of_epsilon(method)
    warn_of_separator(original)
    if isinstance(original, Microdata | EngineTable) and original.left_out:
        show.warn(f"columns without a role are not published: {', '.join(original.left_out)}")


def _read(
    entry: Entry, method: Any, reading: Any, data: str, *, allow_absent: bool
) -> tuple[Any, Any, dict[str, int]]:
    """Return the data, how they were read, and what a universe leaves out of them."""
    earlier = _earlier_terms(entry, method)
    if earlier is not None:
        # what was secret before stays so, also where nobody holds it now
        reading = replace(reading, allow_absent=True)
    original = reading.read(data)
    if earlier and not allow_absent:
        refuse_absent("sensitive items", original.sensitive, original.held | earlier)
    return original, reading, _refuse_strangers(entry, method, original, reading)


def _published(
    entry: Entry, method: Any, target: Target, original: Any, rng: Any
) -> Publication[Any]:
    """Publish as the method decides, or by the rules of an earlier release."""
    if isinstance(original, EngineSets | EngineTable):
        return scale.decided(method, original, rng)
    if target.rules is None:
        made: Publication[Any] = method.publish(original, rng)
        return made
    from discreet.core.rules import read_rules
    from discreet.study.ruling import published_by_rules

    return published_by_rules(entry, method, read_rules(target.rules), original, rng)


def _rules(
    entry: Entry, method: Any, target: Target, made: Publication[Any], original: Any
) -> dict[Path, str]:
    """Return the rules that the release shows as a text, where they are to be saved."""
    if target.save_rules is None:
        return {}
    from discreet.core.rules import rules_text
    from discreet.study.ruling import rules_shown_by

    return {target.save_rules: rules_text(rules_shown_by(entry, method, made, original))}


def _report(publication: Publication[Any]) -> dict[str, Any]:
    key = publication.linkage_key
    return dict(key.facts.get("report", {})) if key else {}


def _linkage(
    publication: "Publication[Any]", method: Any, original: Any, reading: Any
) -> "LinkageKey":
    """Return the key with what confirms the data later; it takes the place of the one before."""
    values = [getattr(method, field.name) for field in fields(method)]
    before = next((value for value in values if isinstance(value, LinkageKey)), None)
    return with_truth(
        publication.linkage_key, original, publication.release, choices_of(reading), before
    )


def _with_universe(entry: Entry, method: Any, data: str) -> Any:
    """Give the method the public items a named data set carries, or warn that there are none."""
    from discreet.io.datasets import is_dataset, universe_of

    if not entry.takes_universe or method.universe is not None:
        return method
    if is_dataset(data):
        return replace(method, universe=universe_of(data))
    show.warn(
        "without --universe, the items that occur in the data are used; the release then reveals "
        "which items occur, and epsilon does not cover that"
    )
    return method


def _earlier_terms(entry: Entry, method: Any) -> frozenset[str] | None:
    """Return the private terms of the releases that a method goes on from; None at a beginning."""
    values = [getattr(method, parameter.name) for parameter in entry.parameters]
    states = [value for value in values if isinstance(value, LinkageKey)]
    before = [each for value in values if isinstance(value, tuple) for each in value]
    contents = [each.content for each in before if isinstance(each, Release)]
    if not states and not contents:
        return None
    return frozenset(term for each in contents if isinstance(each, Clusters) for term in each.terms)


def _refuse_strangers(entry: Entry, method: Any, original: Any, reading: Any) -> dict[str, int]:
    """Refuse public lists that name what does not occur; return what a universe leaves out.

    A universe may list more than occurs, and data may hold more than it lists, but not all.
    """
    people = people_of(original)
    if not isinstance(people, Transactions | EngineSets):
        return {}
    for parameter in entry.parameters:
        value = getattr(method, parameter.name)
        if isinstance(value, Constraints) and not reading.allow_absent:
            subject = f"the items of {parameter.option}"
            spaced = any(" " in item for item in people.held - {*value.items})
            cut = spaced and not any(" " in item for item in value.items)
            cure = f"{ABSENT}; items with blanks in them need a tab after each" if cut else ABSENT
            refuse_absent(subject, value.items, people.held, cure=cure)
    universe = method.universe if entry.takes_universe else None
    if not universe or not people.held:
        return {}
    outside = people.held.difference(universe)
    refuse_disjoint("the universe", universe, people.held)
    return {"items outside the universe, left out": len(outside)} if outside else {}


def _warn_of_epsilon(method: Any) -> None:
    spent = epsilon_of(method.guarantees) or 0
    if spent > WEAK_EPSILON:
        show.warn(
            f"an epsilon of {float(spent):g} is above {WEAK_EPSILON} and protects next to "
            f'nothing; an audit then says "release with care", and above {VOID_EPSILON} "do '
            'not release"'
        )


def _build(name: str) -> click.Command:
    entry = find(name, "publisher")
    return command(
        entry.name,
        partial(_run, entry),
        arguments=[click.Argument(["data"], metavar="DATA")],
        sections={
            "Parameters": entry.method,
            "Reading DATA": NOUNS[entry.data],
            "Randomness": ReleaseRandomness,
            "The release": Target,
            "Population, budget and shelf": Books,
            "Processing": EngineChoice,
        },
        about=f"{entry.summary}\n\nDATA: {NOUNS[entry.data].__doc__}\n\n{entry.source}",
        short=entry.summary,
    )


publish = LikeBefore(
    "publish",
    offered=lambda: {entry.name: entry.summary for entry in entries("publisher")},
    groups=lambda: by_family("publisher"),
    build=_build,
    help=(
        "Publish DATA with METHOD. Each method has options of its own: see discreet publish "
        "METHOD --help. To choose a method, see discreet methods."
    ),
    subcommand_metavar="METHOD DATA --out RELEASE [OPTIONS]",
    epilog=(
        "discreet publish --like FILE DATA --out RELEASE publishes other data with the choices "
        "of an earlier publication (its --save-choices FILE); options given as well take "
        "precedence."
    ),
)
