"""The choices of a project as commands: what the page runs is what it shows."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from discreet.catalog import Entry, Parameter
from discreet.catalog.syntax import bare
from discreet.core.guarantee import epsilon_of
from discreet.core.network import SocialNetwork
from discreet.errors import DataError
from discreet.web.attached import attached, attached_words
from discreet.web.jobs import Step
from discreet.web.populations import Earlier, earlier_of
from discreet.web.projects import Project
from discreet.web.reading import noun_of, source_of, words_of
from discreet.web.runs import RunOutput, planned_outputs
from discreet.web.tuning import fitted

VERDICTS: Final = (0, 1)
"""How an audit ends that came to its end: with 1 it says no."""


def exposure_steps(project: Project) -> tuple[Step, ...]:
    """Return the commands that say how attackable the data are as they stand, a file each."""
    name = "Count how many people one, two or three known facts single out"
    reading = words_of(project.choices, noun_of(project.choices))
    files = [str(project.choices["data"]), *project.later]
    return tuple(
        Step(
            name=name if len(files) == 1 else f"{name}, file {number}",
            words=("profile", file, *reading, "--json"),
            output=project.folder / f"exposure-{number}.json",
        )
        for number, file in enumerate(files, start=1)
    )


def parameters(entry: Entry, values: Mapping[str, Any]) -> list[str]:
    """Return the options of a method that differ from what it does by itself."""
    args: list[str] = []
    for parameter in entry.parameters:
        value = values.get(parameter.name, "")
        if parameter.syntax.repeated:
            args += [arg for item in value for arg in (parameter.option, item)]
        elif bare(parameter.kind) is bool:
            args += _switched(parameter, value)
        elif value and value != str(parameter.written_default):
            args += [parameter.option, value]
    return args


def _switched(parameter: Parameter, value: Any) -> list[str]:
    """Return what says yes or no to a flag; nothing where that is so by itself."""
    if not value or value == str(parameter.default):
        return []
    return [parameter.option if value == "True" else parameter.negation]


def chosen_words(project: Project, file: str | None = None) -> tuple[str, ...]:
    """Return the command that publishes by what is chosen, without where the release goes."""
    choices = project.choices
    entry = project.entry
    source = file or source_of(choices, entry.data)
    args = ["publish", entry.name, source, *parameters(entry, choices["parameters"])]
    args += attached_words(entry, project)
    if entry.takes_universe and choices.get("universe"):
        args += ["--universe", "universe.txt"]
    return (*args, *words_of(choices, entry.data))


def publish_words(project: Project, output: RunOutput, file: str | None = None) -> tuple[str, ...]:
    """Return the command that publishes, with its options."""
    choices, args = project.choices, list(chosen_words(project, file))
    entry = project.entry
    if any(parameter.name == "after" for parameter in entry.parameters):
        args += _after(output, earlier_of(choices, entry))
    if choices.get("people") and cost_of(project):
        # an epsilon is booked before noise is drawn; anything else goes on the shelf when signed
        args += ["--people", str(choices["people"])]
    args += ["--keep", _short(output.key)]
    if output.number in (None, 1):
        args += ["--save-choices", _short(output.choices)]
    return (*args, "--out", _short(output.release))


def _short(path: Path) -> str:
    """Return a path in a run as it is typed in the folder of its project."""
    at = next(index for index, name in enumerate(path.parts) if name.startswith("run-"))
    return Path(*path.parts[at:]).as_posix()


def _before(output: RunOutput) -> list[RunOutput]:
    return [RunOutput(run=output.run, number=number) for number in range(1, output.number or 1)]


def _after(output: RunOutput, earlier: Sequence[Earlier]) -> list[str]:
    """Return the releases before this one: those that are out, and those of the same run."""
    out = [str(earlier_output.release) for earlier_output in earlier]
    files = [*out, *(_short(before.release) for before in _before(output))]
    return [arg for file in files for arg in ("--after", file)]


def claims_of(project: Project) -> tuple[Any, ...]:
    """Return what the method promises with the values and files that are chosen."""
    entry = project.entry
    files = attached(entry, project, project.folder)
    listed = project.folder / "universe.txt"
    if entry.takes_universe and listed.is_file():
        files["universe"] = str(listed)
    claims: tuple[Any, ...] = fitted(entry, project.choices["parameters"] | files).guarantees
    return claims


def cost_of(project: Project) -> Fraction:
    """Return what one release spends of a budget, nothing where it has no epsilon."""
    return epsilon_of(claims_of(project)) or Fraction()


def publish_steps(project: Project, run: Path) -> tuple[Step, ...]:
    """Return the commands from the data to releases and both copies of their audits."""
    files = planned_outputs(project, run)
    return tuple(
        step
        for index, (output, file) in enumerate(files)
        for step in _release_steps(project, output, file, [name for _, name in files[:index]])
    )


def _release_steps(
    project: Project, output: RunOutput, file: str, earlier: list[str]
) -> Iterator[Step]:
    entry = project.entry
    suffix = f", {output.title}" if output.number else ""
    source = file if earlier or output.number else None
    before = _key_before(project, output, entry) if entry.goes_on else None
    yield Step(
        name=f"Read the data and publish{suffix}",
        words=publish_words(project, output, source),
        copied=(before, _short(output.key)) if before else (),
    )
    beside = _beside(
        project, output, entry, earlier, source or source_of(project.choices, entry.data)
    )
    yield Step(
        name=f"Verify, attack and measure (your copy){suffix}",
        words=(*beside, "--out", _short(output.page("owner")), "--owner"),
        fine=VERDICTS,
    )
    yield Step(
        name=f"The same for others, without what is for your eyes only{suffix}",
        words=(*beside, "--out", _short(output.page("public"))),
        fine=VERDICTS,
    )


def _key_before(project: Project, output: RunOutput, entry: Entry) -> str | None:
    """Return the key that a method goes on from; it reads it where it then writes its own."""
    if before := _before(output):
        return _short(before[-1].key)
    out = earlier_of(project.choices, entry)
    if not out:
        return None
    if out[-1].key is None and not any(parameter.name == "after" for parameter in entry.parameters):
        msg = (
            f"{entry.name} continues from the key of the previous release, which is not "
            "next to it; publish on the command line with --keep"
        )
        raise DataError(msg)
    return str(out[-1].key) if out[-1].key else None


def _beside(
    project: Project, output: RunOutput, entry: Entry, earlier: list[str], source: str
) -> tuple[str, ...]:
    """Return an audit of a release with everything that the owner can lay beside it."""
    args = ["audit", _short(output.release), "--against", source]
    out = earlier_of(project.choices, entry)
    args += ["--key", _short(output.key), *_after(output, out)]
    for file, before in zip(earlier, _before(output), strict=True):
        # claims about the whole series are scored where all of it is here
        args += [] if out else ["--after-data", file, "--after-key", _short(before.key)]
    if entry.data is SocialNetwork:
        args += ["--edges", str(project.choices["edges"])]
    if project.choices.get("control") and entry.takes_universe:
        # counts are of a universe; claims about other releases are scored by their key
        args += ["--control", str(project.choices["control"])]
    if project.choices.get("people"):
        args += ["--people", str(project.choices["people"])]
    return tuple(args)


def signing_steps(
    outputs: list[RunOutput], key: Path, occasion: Mapping[str, str], people: str = ""
) -> tuple[Step, ...]:
    """Return the commands that shelve and sign releases, and check as a reader would.

    People are named where their shelf does not have the releases yet.
    """
    recipient = occasion.get("recipient", "")
    steps = [_shelving(output, people, recipient) for output in outputs if people]
    steps += [step for output in outputs for step in _signing(output, key, occasion)]
    if not key.exists():
        steps.insert(0, Step(name="Make a key for signing", words=("keygen", "--out", str(key))))
    return tuple(steps)


def _shelving(output: RunOutput, people: str, recipient: str) -> Step:
    who = ("--recipient", recipient) if recipient else ()
    suffix = f", {output.title}" if output.number else ""
    return Step(
        name=f"Record it on the shelf of {people}{suffix}",
        words=("shelf", people, "--put", _short(output.release), *who),
    )


def _signing(output: RunOutput, key: Path, occasion: Mapping[str, str]) -> Iterator[Step]:
    occasion_options = [
        arg for name, text in occasion.items() if text for arg in (f"--{name}", text)
    ]
    release, certificate = _short(output.release), _short(output.certificate)
    audit = _short(output.page("public").with_suffix(".json"))
    suffix = f", {output.title}" if output.number else ""
    yield Step(
        name=f"Write and sign the certificate{suffix}",
        words=("certify", release, "--audit", audit, "--signing-key", str(key), "--out",
               certificate, *occasion_options),
    )  # fmt: skip
    yield Step(
        name=f"Check the signature as a reader would{suffix}",
        words=("verify", release, "--certificate", certificate, "--public-key", f"{key}.pub"),
    )
