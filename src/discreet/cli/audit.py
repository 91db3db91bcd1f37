"""``discreet audit RELEASE``: everything that can be said about a release, on one page."""

import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from discreet.catalog import Source, Words, find, noun_behind, scorer_of
from discreet.catalog.reading import SetsFile
from discreet.cli import show
from discreet.cli.books import Books, Where
from discreet.cli.options import Nothing, command, filled, readings
from discreet.cli.sections import Evidence, Occasion, PopulationFacts
from discreet.cli.truth import control_reading, read_original, read_truth, reading_of
from discreet.core.doc import Doc
from discreet.core.findings import counted, in_percent
from discreet.core.guarantee import epsilon_of, spoken
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.errors import ParameterError
from discreet.io.source import sha256_of_file

if TYPE_CHECKING:
    from discreet.risk import Population
    from discreet.store import Store
    from discreet.study import Evidence as Known
    from discreet.study import Judgement
    from discreet.study.examine import Method


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside(Evidence):
    """What is laid beside the release."""

    against: Annotated[
        Source | None,
        Doc(
            "The original data: a file, or a named data set; without them, the audit sees only "
            "what an outside auditor sees."
        ),
    ] = None
    control: Annotated[
        Source | None,
        Doc(
            "Data of people from the same population who are not in the release, to measure how "
            "often claims are right about them too; for releases of counts."
        ),
    ] = None
    after_data: Annotated[
        tuple[Source, ...],
        Doc(
            "The private data behind an earlier release; repeat it in the order of --after. "
            "Claims about everybody in the series are then scored too."
        ),
    ] = ()
    after_key: Annotated[
        tuple[LinkageKey, ...],
        Doc("The linkage key of an earlier release; repeat it in the order of --after."),
    ] = ()
    tries: Annotated[
        tuple[Words, ...],
        Doc(
            "An attack with its options, as on the command line, such as 'semantic --corpus "
            "texts'; repeat it for others. Every attack that applies also runs with its defaults."
        ),
    ] = field(default=(), metadata={"option": "--try"})

    def __post_init__(self) -> None:
        for name in ("after_data", "after_key"):
            count = len(getattr(self, name))
            if count not in (0, len(self.after)):
                msg = (
                    f"`{name}` must be given for each of the {len(self.after)} earlier releases or "
                    f"for none, got {count}"
                )
                raise ParameterError(msg, parameter=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfPeople(Where):
    """What else is out of the same people."""

    people: Annotated[
        str | None,
        Doc(
            "The population whose data these are. Its shelf says what was flagged and provides "
            "earlier releases of the series (and the linkage key, if DISCREET_PASSPHRASE holds "
            "the passphrase)."
        ),
    ] = None

    def beside(self, folder: Path, typed: Beside) -> tuple[Beside, tuple[str, ...] | None]:
        """Return what is laid beside the release with the help of the shelf, and its objections."""
        books = Books(people=self.people, store=self.store)
        store = books.open_for_people()
        if store is None or self.people is None:
            return typed, None
        mine = store.find(self.people, folder)
        if mine is None:
            self._refuse_others(store, folder)
            return self._not_on_it(store, Release.load(folder), typed)
        if not typed.after and mine.profile.serial:
            before = [
                shelved
                for shelved in store.predecessors(self.people)
                if shelved.number < mine.number
            ]
            typed = replace(typed, after=tuple(shelved.load() for shelved in before))
        if typed.key is None and mine.key == "shelved" and books.passphrase:
            key = store.shelf.key(self.people, mine.number, books.passphrase)
            typed = replace(typed, key=key)
        return typed, tuple(store.objections(mine))

    def _refuse_others(self, store: "Store", folder: Path) -> None:
        """Refuse another population's release: its own shelf says what stands beside it."""
        for account in store.ledger.accounts():
            if store.find(account.population, folder) is not None:
                msg = f"the release is on the shelf of {account.population}, not of {self.people}"
                raise ParameterError(msg, parameter="people")

    def _not_on_it(
        self, store: "Store", release: Release[Any], typed: Beside
    ) -> tuple[Beside, tuple[str, ...]]:
        """Lay a release that may still go out beside the shelf; one with an epsilon is too late."""
        people = self.people or ""
        if epsilon_of(release.guarantees) is not None:
            return typed, (f"it is not on the shelf of {people}: nothing was booked for it",)
        from discreet.store.firewall import Profile

        flags = store.flags_beside(people, release)
        if not typed.after and Profile.of("this release", release.record()).serial:
            before = store.predecessors(people)
            typed = replace(typed, after=tuple(shelved.load() for shelved in before))
        return typed, tuple(flag.words for flag in flags)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Where the audit goes."""

    out: Annotated[
        Path,
        Doc("The page to write, ending in .html; the same report as JSON is written next to it."),
    ]
    owner: Annotated[
        bool,
        Doc(
            "Write the owner's copy, with the surest claims, their rows and records; do not pass "
            "it on."
        ),
    ] = False


def _run(*, release: str, json: bool, **typed: Any) -> int:
    from discreet.report import audit_page, audit_record, write_page
    from discreet.study import examined, judged

    beside, target = filled(Beside, typed), filled(Page, typed)
    occasion = filled(Occasion, typed)
    if target.out.suffix != ".html":
        msg = f"`out` must name a page that ends in .html, got {target.out.name!r}"
        raise ParameterError(msg, parameter="out")
    if any((folder / "manifest.json").is_file() for folder in target.out.absolute().parents):
        msg = "--out must be outside a release, which is for everyone and whose manifest is closed"
        raise ParameterError(msg)
    published = Release.load(release)
    shelf = filled(OfPeople, typed)
    beside, objections = shelf.beside(Path(release), beside)
    with show.working(f"auditing {release}"):
        evidence = replace(_evidence(published, beside, typed), shelf=objections)
        result = examined(published, evidence, _attacks(published, beside.tries))
        record = audit_record(
            result,
            evidence,
            _files(Path(release)),
            owner=target.owner,
            occasion=occasion.record(),
        )
        private = target.owner
        page = write_page(target.out, audit_page(record, result, evidence), private=private)
        write_page(target.out.with_suffix(".json"), show.json_text(record), private=private)
    # what is said here is for the owner, also where the page leaves out what the data say
    judgement = judged(result)
    if json:
        show.as_json(record)
    else:
        _tell(judgement, record, page)
    return 1 if judgement.level == "do not release" else 0


def _evidence(published: Release[Any], beside: Beside, typed: dict[str, Any]) -> "Known":
    from discreet.study import Evidence as Known

    noun, keys = noun_behind(published.content), [*beside.after_key, *[None] * len(beside.after)]
    return Known(
        original=read_original(published, beside, typed),
        key=beside.key,
        control=_control(published, beside, typed),
        earlier=beside.after,
        earlier_originals=[
            read_truth(noun, source, typed, key, release)
            for source, key, release in zip(beside.after_data, keys, beside.after, strict=False)
        ],
        earlier_keys=beside.after_key,
        privacy=beside.privacy,
        secrets=frozenset(filled(SetsFile, typed).sensitive or ()),
        population=_population(published, beside.key, typed),
    )


def _population(
    release: Release[Any], key: LinkageKey | None, typed: dict[str, Any]
) -> "Population":
    """Return what was said of the population, read as the release shows its columns."""
    content, reading = release.content, None
    if isinstance(content, ProjectedTables):
        known = (*content.qids, *content.kept)
        reading = replace(reading_of(Microdata, typed, key), qid=known, allow_absent=True)
    return filled(PopulationFacts, typed).read(reading)


def _control(release: Release[Any], beside: Beside, typed: dict[str, Any]) -> Any:
    if beside.control is None:
        return None
    if beside.against is None:
        msg = "`control` is compared with `against`, which is missing; give both"
        raise ParameterError(msg, parameter="control")
    return control_reading(scorer_of([release]), typed, beside.key).read(beside.control)


def _attacks(release: Release[Any], tries: tuple[Words, ...]) -> list["Method"]:
    """Return every attack that applies, by itself and with the choices that were typed."""
    from discreet.study import applicable

    typed = [_typed_attack(line) for line in tries]
    fitting = applicable(release)
    names = [method[0].name for method in fitting]
    if strange := sorted({method[0].name for method in typed} - set(names)):
        kind = spoken(type(release.content).__name__)
        msg = f"`tries` {strange[0]} does not fit {kind}; what fits is {', '.join(names) or 'none'}"
        raise ParameterError(msg, parameter="tries")
    # a choice that finds less must not take the place of the one that finds more
    return [*fitting, *typed]


def _typed_attack(line: Words) -> "Method":
    """Return an attack from a line such as ``semantic --corpus texts``."""
    name, *options = shlex.split(line) or [""]
    entry = find(name, "attack")
    built = command(
        entry.name,
        lambda **_: 0,
        arguments=[],
        sections={"The attack": entry.method, "Known": entry.knowledge or Nothing},
        about="",
    )
    try:
        typed = built.make_context(entry.name, options).params
    except click.UsageError as error:
        msg = f"`tries` {name}: {error.format_message()}"
        raise ParameterError(msg, parameter="tries") from None
    knowledge = filled(entry.knowledge, typed) if entry.knowledge else None
    return entry, filled(entry.method, typed), knowledge


def _files(folder: Path) -> dict[str, str]:
    return {file.name: sha256_of_file(file) for file in sorted(folder.iterdir()) if file.is_file()}


def _tell(judgement: "Judgement", record: dict[str, Any], page: Path) -> None:
    from discreet.report.rows import risk_rows

    show.lines(judgement.level.upper())
    show.lines(*(f"- {reason.level}: {reason.words}" for reason in judgement.reasons))
    remarks = (*judgement.remarks, *judgement.private_remarks)
    show.lines(*(f"- remark: {remark}" for remark in remarks))
    show.lines(*(f"- not checked: {omission}" for omission in judgement.unchecked))
    if record["repairs"]:
        show.heading("what to do")
        for repair in record["repairs"]:
            show.lines(f"- {repair['words']}:\n    {repair['command']}")
            show.lines(*([f"    {repair['price']}"] if repair["price"] else []))
    show.heading("promises")
    show.table((), [(promise["name"], promise["verdict"]) for promise in record["promises"]])
    show.heading("attacks")
    show.table((), [_attack_row(attack) for attack in record["attacks"]])
    if rows := risk_rows(record["risk"]):
        show.heading("how likely a person is found")
        show.lines(f"known: {record['risk']['known']}")
        show.table((), [(row.name, row.value) for row in rows])
    copy = "owner's copy, not for others" if record["owner"] else "public copy"
    show.lines("", f"{copy}: {page}, and as JSON next to it")


audit = command(
    "audit",
    _run,
    arguments=[click.Argument(["release"], metavar="RELEASE")],
    sections={
        "Beside the release": Beside,
        "The page": Page,
        "The occasion": Occasion,
        "The population": PopulationFacts,
        "Population and its shelf": OfPeople,
    }
    | dict(readings("Reading the original data")),
    about=(
        "Verify what RELEASE promises, run every attack that applies, measure what was lost, and "
        "report it on one page with a verdict. Exit code 1 means: do not release."
    ),
)


def _attack_row(attack: dict[str, Any]) -> tuple[str, str, str]:
    """Return what came of an attack: its claims, and how they did where they were scored."""
    several = f" on {attack['releases']} releases" if attack["releases"] > 1 else ""
    everybody = ", everybody in them" if attack["whole_series"] else ""
    chosen = f" ({attack['choice']})" if attack["choice"] else ""
    name = f"{attack['name']}{chosen}{several}{everybody}"
    if attack["claims"] is None:
        return name, "not run", attack["reason"]
    surest = attack["surest"]
    remarks = [] if surest is None else [f"surest {in_percent(surest)}"]
    remarks += ["WORSE THAN ITS BASELINE"] if attack["worse_than_baseline"] else []
    return name, counted(attack["claims"], "claim"), "; ".join(remarks)
