"""Projects on the disk: a closed folder each, with the data, the choices and every run."""

import json
import re
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, Final, TypeVar

from discreet.catalog import Entry, find
from discreet.errors import DataError
from discreet.io.json_lines import json_of
from discreet.io.writing import write_file

T = TypeVar("T")
NAME: Final = re.compile(r"[0-9a-f]{16}")
"""What projects are called: a random number, so that an address tells nothing."""
CHOICES: Final = "choices.json"


def closed_folder(path: Path) -> Path:
    """Make a folder that nobody else may look into."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.chmod(0o700)
    return path


def stamp(path: Path) -> tuple[str, int, int]:
    """Return what tells a file from what stood there before: its name, its time and its size."""
    status = path.stat()
    return str(path), status.st_mtime_ns, status.st_size


def while_unchanged(most: int) -> Callable[[Callable[[Path], T]], Callable[[Path], T]]:
    """Read a file again only when it was written again; up to so many files are kept."""

    def decorated(read: Callable[[Path], T]) -> Callable[[Path], T]:
        cached = lru_cache(maxsize=most)(lambda path, _stamp: read(path))
        return wraps(read)(lambda path: cached(path, stamp(path)))

    return decorated


@dataclass(slots=True, kw_only=True)
class Project:
    """Data of some people, and what was chosen for them so far."""

    folder: Path
    choices: dict[str, Any] = field(default_factory=dict, repr=False)
    """What was chosen, by step; plain values."""

    @property
    def name(self) -> str:
        """The random number it is called by."""
        return self.folder.name

    @property
    def title(self) -> str:
        """What its owner calls it."""
        return str(self.choices.get("title", "data"))

    @property
    def entry(self) -> Entry:
        """The method that was chosen, as it is offered."""
        return find(str(self.choices["method"]), "publisher")

    @property
    def data(self) -> Path:
        """The private file."""
        return self.folder / str(self.choices["data"])

    @property
    def later(self) -> list[str]:
        """The files of the same people later on, where the project is a series."""
        return list(self.choices.get("later", [])) if self.choices.get("kind") == "series" else []

    @property
    def runs(self) -> list[Path]:
        """The folders of its runs, oldest first."""
        folders = (path for path in self.folder.glob("run-*") if path.name[4:].isdecimal())
        return sorted(folders, key=lambda path: int(path.name[4:]))

    @property
    def next_run(self) -> Path:
        """Where a further run would go."""
        number = int(self.runs[-1].name[4:]) + 1 if self.runs else 1
        return self.folder / f"run-{number}"

    def new_run(self) -> Path:
        """Make the folder of a further run, with one place for others and one for the owner."""
        run = closed_folder(self.next_run)
        for copy in ("public", "owner"):
            closed_folder(run / copy)
        return run

    def choose(self, **chosen: Any) -> None:
        """Keep choices, those of before with them."""
        self.choices |= chosen
        text = json.dumps(self.choices, indent=1, ensure_ascii=False)
        write_file(self.folder / CHOICES, text, "the choices", private=True)

    def list_file(self, name: str, items: list[str]) -> str | None:
        """Write a list of items as the command line takes it; None where it is empty."""
        path = self.folder / f"{name}.txt"
        if not items:
            path.unlink(missing_ok=True)
            return None
        write_file(path, "\n".join(items) + "\n", "the list", private=True)
        return path.name


def _choices_in(path: Path) -> dict[str, Any]:
    """Return the choices of a project; a file that does not hold any is refused."""
    try:
        choices = json_of(path.read_text("utf-8"))
    except (OSError, ValueError):
        choices = None
    if not isinstance(choices, dict) or "data" not in choices:
        raise DataError("the choices of a project must be in its folder, and they are damaged")
    return choices


class Workspace:
    """All projects of one user.

    Parameters
    ----------
    root
        The folder they are in; it is closed to others.
    """

    def __init__(self, root: Path) -> None:
        self.root = closed_folder(root.expanduser().absolute())

    @property
    def signing_key(self) -> Path:
        """The key that certificates are signed with."""
        return self.root / "signing.key"

    def new(self, title: str, data: str, *, file: Path | None = None, **chosen: Any) -> Project:
        """Make a project for data that will be in the file ``data`` of its folder, whole or not.

        A ``file`` becomes that one.
        """
        folder = self.root / secrets.token_hex(8)
        folder.mkdir(mode=0o700)
        project = Project(folder=folder)
        begun = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            if file is not None:
                file.rename(folder / data)
            project.choose(title=title[:120] or "data", data=data, begun=begun, **chosen)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return project

    def open(self, name: str) -> Project:
        """Return a project; a name that leads anywhere else is refused."""
        folder = self.root / name
        if not NAME.fullmatch(name) or not self._holds(name):
            raise DataError("there is no such project")
        return Project(folder=folder, choices=_choices_in(folder / CHOICES))

    def _holds(self, name: str) -> bool:
        """Whether there is a project of this name, here and not elsewhere."""
        folder = self.root / name
        return (folder / CHOICES).is_file() and not folder.is_symlink()

    def all(self) -> list[Project]:
        """Return every project, the newest first."""
        names = [path.name for path in self.root.iterdir() if NAME.fullmatch(path.name)]
        projects = []
        for name in filter(self._holds, names):
            # one that is damaged keeps nobody from the others
            with suppress(DataError):
                projects.append(self.open(name))
        return sorted(projects, key=lambda project: str(project.choices.get("begun")), reverse=True)
