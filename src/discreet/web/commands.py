"""The choices of a project as commands: what the page runs is what it shows."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discreet.catalog import NOUNS, Entry, Parameter, find, parameters_of
from discreet.catalog.syntax import bare
from discreet.core.microdata import Microdata
from discreet.core.transactions import Transactions
from discreet.web.attached import attached_words
from discreet.web.jobs import Step
from discreet.web.projects import Project
from discreet.web.understanding import reading_options

__all__ = ["exposure_steps", "publish_steps", "signing_steps"]


def exposure_steps(project: Project) -> tuple[Step, ...]:
    """Return the command that says how attackable the data are as they stand."""
    words = ("profile", str(project.choices["data"]), *_reading(project), "--json")
    name = "Count whom one, two or three known items single out"
    return (Step(name=name, words=words, output=project.folder / "exposure.json"),)


def _reading(project: Project) -> list[str]:
    """Return the options by which the data are read."""
    noun = Microdata if project.choices.get("kind") == "table" else Transactions
    options = reading_options(project.choices)
    words = [
        word
        for part in parameters_of(NOUNS[noun])
        if part.name in options
        for word in _typed(part, options[part.name])
    ]
    if noun is Transactions and project.choices.get("sensitive"):
        words += ["--sensitive", "sensitive.txt"]
    return words


def _typed(part: Parameter, value: Any) -> list[str]:
    if isinstance(value, Mapping):
        value = ",".join(f"{name}={each}" for name, each in value.items())
    if isinstance(value, tuple):
        value = ",".join(_quoted(each) for each in value)
    return [part.option, str(value)]


def _quoted(name: str) -> str:
    """Write a name as in a line of csv."""
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name


def parameters(entry: Entry, given: Mapping[str, str]) -> list[str]:
    """Return the options of a method that differ from what it does by itself."""
    words: list[str] = []
    for part in entry.parameters:
        value = given.get(part.name, "")
        if bare(part.kind) is bool:
            words += [part.option] if value == "True" and not part.default else []
        elif value and value != str(part.written_default):
            words += [part.option, value]
    return words


def publish_words(project: Project, run: Path) -> tuple[str, ...]:
    """Return the command that publishes, with its options."""
    choices = project.choices
    entry = find(str(choices["method"]), "publisher")
    words = ["publish", entry.name, str(choices["data"]), *parameters(entry, choices["parameters"])]
    words += attached_words(entry, project)
    if entry.takes_universe and choices.get("universe"):
        words += ["--universe", "universe.txt"]
    words += _reading(project)
    if choices.get("people"):
        words += ["--people", str(choices["people"])]
    owner = f"{run.name}/owner"
    words += ["--keep", f"{owner}/linkage.key", "--save-choices", f"{owner}/choices.json"]
    return (*words, "--out", f"{run.name}/release")


def publish_steps(project: Project, run: Path) -> tuple[Step, ...]:
    """Return the commands from the data to a release and both copies of its audit."""
    people = ["--people", str(project.choices["people"])] if project.choices.get("people") else []
    beside = (
        "audit", f"{run.name}/release", "--against", str(project.choices["data"]), "--key",
        f"{run.name}/owner/linkage.key", *people, "--out",
    )  # fmt: skip
    return (
        Step(name="Read the data and publish", words=publish_words(project, run)),
        Step(
            name="Verify, attack and measure, for you",
            words=(*beside, f"{run.name}/owner/audit.html", "--owner"),
            fine=(0, 1),
        ),
        Step(
            name="The same for others, without what only you may see",
            words=(*beside, f"{run.name}/public/audit.html"),
            fine=(0, 1),
        ),
    )


def signing_steps(run: Path, key: Path, occasion: Mapping[str, str]) -> tuple[Step, ...]:
    """Return the commands that sign a release and check the signature as a reader would."""
    said = [word for name, text in occasion.items() if text for word in (f"--{name}", text)]
    release, public = f"{run.name}/release", f"{run.name}/public"
    steps = [
        Step(
            name="Write and sign the certificate",
            words=(
                "certify", release, "--audit", f"{public}/audit.json", "--signing-key", str(key),
                "--out", f"{public}/certificate.pdf", *said,
            ),
        ),
        Step(
            name="Check the signature as a reader would",
            words=(
                "verify", release, "--certificate", f"{public}/certificate.pdf", "--public-key",
                f"{key}.pub",
            ),
        ),
    ]  # fmt: skip
    if not key.exists():
        steps.insert(0, Step(name="Make a key to sign with", words=("keygen", "--out", str(key))))
    return tuple(steps)
