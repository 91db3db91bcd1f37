"""A folder with small data of made-up people, and what a call may leave behind in it.

The ids of the people and one of their items are odd tokens, which nothing but the owner's own files
may hold, and no error may tell.
"""

import io
import os
import shutil
from contextlib import redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

from discreet import rng
from discreet.cli.root import root
from discreet.core.release import Release
from discreet.errors import DiscreetError
from discreet.study import example_files
from tests.fuzz.calls import Verb, verbs

SECRET = "zq7k"
HIDDEN = f"{SECRET}item"
"""An item of one person."""
OWN = ("hierarchy", "transactions", "corpus", "series", "reconstruct")
"""Commands that write, and of which some show, the owner's own data."""
CODES = (0, 1, 2, 3)
PEOPLE = ("baskets.csv", "next-year.csv", "friends.csv", "patients.csv")
"""Files of people; whoever names one as a public list is told its lines."""
GOES_ON = ("compare", "reproduce", "series", "ledger", "shelf", "serve", "demo")
"""Commands that may have written something whole before they found what is wrong."""


def run(words: list[str]) -> tuple[int, str, str]:
    """Run one command in this process; return how it ended and what it said."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")
    for stream in (out, err):
        stream.reconfigure(errors="backslashreplace")
    code: object = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            root.main(list(words), prog_name="discreet")
        except SystemExit as ended:
            code = ended.code
    told = []
    for stream in (out, err):
        stream.flush()
        told.append(stream.buffer.getvalue().decode("utf-8", "replace"))
    return code if isinstance(code, int) else 0, told[0], told[1]


def prepare(folder: Path, *, every: bool = True) -> None:
    """Write the data, and what the examples make of them, or some of them, into a folder."""
    with patch.object(example_files, "PEOPLE", 80), patch.object(example_files, "PATIENTS", 80):
        made = dict(example_files.example_files(rng.seeded(5)))
    for name in ("baskets.csv", "next-year.csv", "friends.csv"):
        head, *rows = made[name].splitlines()
        named = [_named(row, name == "friends.csv") for row in rows]
        odd = [f"{SECRET}0,{HIDDEN}"] if name == "baskets.csv" else []
        made[name] = "\n".join([head, *named, *odd]) + "\n"
    head, *rows = made["patients.csv"].splitlines()
    made["patients.csv"] = "\n".join([f"{head},name", *(f"{row},{SECRET}n" for row in rows)]) + "\n"
    made["products.csv"] += f"{HIDDEN},other remedies\n"
    for name, text in made.items():
        (folder / name).write_text(text)
    (folder / "empty.csv").write_bytes(b"")
    (folder / "binary.parquet").write_bytes(bytes(range(256)) * 4)
    (folder / "folder").mkdir()
    (folder / "sets.dat").write_text("1 2\n2 3\n1 2 3\n" * 20)
    (folder / "sets.jsonl").write_text('["soap", "aspirin"]\n["soap"]\n' * 30)
    _examples(folder, verbs() if every else ())


def _named(row: str, both: bool) -> str:
    one, _, other = row.partition(",")
    return f"{SECRET}{one},{SECRET if both else ''}{other}"


BEFORE = (
    "publish km-anonymity baskets.csv --k 5 --m 2 --out release --keep key "
    "--save-choices choices.json",
    "publish incognito patients.csv --qid age,sex --sensitive-attributes job --k 5 --out ruled "
    "--save-rules rules.json",
    "publish disassociation baskets.csv --k 5 --m 2 --out disassociated",
    "audit release --against baskets.csv --key key --out audit.html",
    "keygen --out signing.key",
    "certify release --audit audit.json --signing-key signing.key --signatory me "
    "--out certificate.pdf",
    "series make baskets.csv --sample 30 --corpora 2 --out years",
    "corpus build texts.txt --split paragraph --out index",
    "ledger budget town 2",
)


def _examples(folder: Path, chosen: tuple[Verb, ...]) -> None:
    import polars as pl

    pl.read_csv(folder / "baskets.csv").write_parquet(folder / "people.parquet")
    before = Path.cwd()
    os.chdir(folder)
    try:
        for line in BEFORE:
            run(line.split())
        for verb in chosen:
            for words in (*verb.setup, *([verb.example] if verb.path[0] == "publish" else [])):
                if "--out" not in words or not Path(words[words.index("--out") + 1]).exists():
                    run(list(words))
    finally:
        os.chdir(before)


class Scratch:
    """A prepared folder in which calls are made; after each it is as it was."""

    def __init__(self, kept: Path, folder: Path) -> None:
        self.kept = kept
        """The prepared files, which no call ever sees."""
        self.folder = folder / "a" / "b"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(kept, self.folder)
        os.chdir(self.folder)
        state = folder / "state"
        state.mkdir()
        os.environ |= {
            "DISCREET_STORE": "store.db", "XDG_DATA_HOME": str(state), "XDG_STATE_HOME": str(state),
            "HOME": str(state), "COLUMNS": "100",
        }  # fmt: skip
        os.environ.pop("DISCREET_DATA", None)
        self.as_prepared = self._seen()

    def _seen(self) -> dict[str, tuple[int, int]]:
        seen = {}
        for place, folders, files in os.walk(self.folder):
            for name in (*folders, *files):
                path = Path(place) / name
                facts = path.lstat()
                size = -1 if name in folders else facts.st_size
                seen[os.path.relpath(path, self.folder)] = (
                    size,
                    0 if size < 0 else facts.st_mtime_ns,
                )
        return seen

    def fault(self, words: list[str], damage: tuple[str, bytes] | None = None) -> str | None:
        """Make one call, one file damaged before; return what it did that it must not."""
        if damage and (self.folder / damage[0]).is_file():
            (self.folder / damage[0]).write_bytes(damage[1])
        before = self._seen() if damage else self.as_prepared
        try:
            with patch("uvicorn.Server.run"), patch("webbrowser.open"):
                code, out, err = run(words)
            new = {name for name, facts in self._seen().items() if before.get(name) != facts}
            return self._of(words, code, out, err, new, damage)
        finally:
            self.restore()

    def _of(
        self, words: list[str], code: int, out: str, err: str, new: set[str],
        damage: tuple[str, bytes] | None,
    ) -> str | None:  # fmt: skip
        said = f"{words!r} ended with {code}\n{out[-2000:]}\n{err[-3000:]}\n"
        left = [name for name in new if Path(name).name.startswith(".")]
        failed = code == 2
        wrong: str | None = None
        if code not in CODES or "Traceback" in err + out:
            return f"{err[-3000:]}\n{said}fault"
        if failed and "Usage:" not in err and err.count("discreet: ") != 1:
            wrong = "no sentence, or several"
        elif left:
            wrong = f"left behind: {left}"
        elif failed and new - {"store.db"} and words[0] not in GOES_ON:
            wrong = f"written before it failed: {sorted(new)}"
        else:
            # what the damage moved into a header may be told
            wrong = self._partial(new) or (None if damage else self._told(words, out, err, new))
        return f"{said}{wrong}" if wrong else None

    def _owner(self, words: list[str]) -> bool:
        """Whether the call asks for what only the owner sees, or says that people are public."""
        lists = ("--sensitive", "--universe", "--privacy", "--utility", "--hierarchy", "--workload")
        public = any(word in lists for word, value in pairwise(words) if value in PEOPLE)
        return public or "--owner" in words or any(SECRET in word for word in words)

    def _partial(self, new: set[str]) -> str | None:
        for name in new:
            if Path(name).name == "manifest.json":
                try:
                    Release.load(self.folder / Path(name).parent)
                except DiscreetError as error:
                    return f"half a release: {error}"
        return None

    def _told(self, words: list[str], out: str, err: str, new: set[str]) -> str | None:
        """Return what was told that only the owner may know."""
        if HIDDEN in err and HIDDEN not in " ".join(words):
            return "tells an item of a person"
        if not words or words[0] in OWN or self._owner(words):
            return None
        if SECRET in (out + err).replace(HIDDEN, ""):
            return "tells an id"
        kept = {words[at + 1] for at, word in enumerate(words[:-1]) if word == "--keep"}
        open_to_all = (
            name
            for name in new
            if (self.folder / name).is_file()
            and not (name in kept or name.startswith("store.db"))
            and (self.folder / name).stat().st_mode & 0o077
        )
        for name in open_to_all:
            content = (self.folder / name).read_bytes().replace(HIDDEN.encode(), b"")
            if SECRET.encode() in content:
                return f"{name} holds an id"
        return None

    def restore(self) -> None:
        """Make the folder as it was."""
        now = self._seen()
        for name in sorted(set(now) - set(self.as_prepared), reverse=True):
            path = self.folder / name
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        for name, facts in self.as_prepared.items():
            if now.get(name) == facts:
                continue
            path = self.folder / name
            if facts[0] < 0:
                path.mkdir(exist_ok=True)
            else:
                path.parent.mkdir(exist_ok=True)
                shutil.copy2(self.kept / name, path)
        self.as_prepared = self._seen()
