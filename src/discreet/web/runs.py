"""What a run leaves: for each release its folder, both audits, the key and the certificate."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

from discreet.study.verdict_rules import Level
from discreet.web.projects import Project

RELEASE: Final = re.compile(r"release(-\d+)?")
LEVELS: Final[tuple[str, ...]] = get_args(Level)
"""The verdicts, the mildest first."""
FINISHED: Final = "finished"
"""A file that a run has when it came to its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOutput:
    """One release of a run: a series has several, numbered, anything else has one."""

    run: Path
    number: int | None = None

    @property
    def _mark(self) -> str:
        return "" if self.number is None else f"-{self.number}"

    @property
    def title(self) -> str:
        """What a page calls it."""
        return "the release" if self.number is None else f"release {self.number}"

    @property
    def release(self) -> Path:
        """The folder for everyone."""
        return self.run / f"release{self._mark}"

    @property
    def key(self) -> Path:
        """The owner's key."""
        return self.run / "owner" / f"linkage{self._mark}.key"

    @property
    def choices(self) -> Path:
        """The choices, to publish the next data like these."""
        return self.run / "owner" / "choices.json"

    @property
    def certificate(self) -> Path:
        """What is signed."""
        return self.run / "public" / f"certificate{self._mark}.pdf"

    def page(self, copy: str) -> Path:
        """Return the page of an audit, the owner's or the public copy."""
        return self.run / copy / f"audit{self._mark}.html"

    def audit(self, copy: str) -> dict[str, Any]:
        """Read an audit, the owner's or the public copy."""
        text = self.page(copy).with_suffix(".json").read_text("utf-8")
        record: dict[str, Any] = json.loads(text)
        return record


def planned_outputs(project: Project, run: Path) -> list[tuple[RunOutput, str]]:
    """Return what a run of a project will publish, each with the private file behind it."""
    files = [str(project.choices["data"]), *project.later]
    if len(files) == 1:
        return [(RunOutput(run=run), files[0])]
    return [(RunOutput(run=run, number=at), file) for at, file in enumerate(files, start=1)]


def audited_outputs(run: Path) -> list[RunOutput]:
    """Return what a run has published and audited, in order."""
    matches = [match for path in run.iterdir() if (match := RELEASE.fullmatch(path.name))]
    numbers = [int(match[1][1:]) if match[1] else None for match in matches]
    outputs = [
        RunOutput(run=run, number=number) for number in sorted(numbers, key=lambda n: n or 0)
    ]
    return [output for output in outputs if output.page("public").with_suffix(".json").is_file()]


def newest(project: Project) -> Path | None:
    """Return the newest run that came to its end, None where there is none."""
    done = [run for run in project.runs if (run / FINISHED).is_file()]
    return done[-1] if done else None


def judged(outputs: list[RunOutput]) -> str:
    """Return the verdict of all releases of a run together: the strictest of theirs."""
    verdicts: list[str] = [output.audit("owner")["judgement"]["verdict"] for output in outputs]
    return max(verdicts, key=LEVELS.index)
