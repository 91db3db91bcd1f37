"""The choices of a publication as a file, to publish the next data like the last.

The file holds the method, its parameters, how the data are read, and the content of the lists,
hierarchies and constraints that were chosen. It holds no record, no key, no seed and no path. What
it names (columns, sensitive items, constraints) is the owner's, so it is for the owner alone.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeAlias

from discreet.catalog.entry import Entry, find, unknown
from discreet.catalog.parameter import Parameter, parameters_of
from discreet.catalog.reading import NOUNS
from discreet.errors import DataError, DiscreetError
from discreet.io.datasets import is_dataset
from discreet.io.json_lines import json_of
from discreet.io.writing import write_file

WHAT: Final = "choices of a publication"
"""How such a file says what it is."""
FORMAT: Final = 1
ABOUT: Final = ("people", "format")
"""What is chosen of the release itself: whose data they are, and how its tables are written."""
Typed: TypeAlias = str | tuple[str, ...] | bool
"""What was typed for a field."""


def choosable(entry: Entry) -> dict[str, Parameter]:
    """Return what can be chosen for a method once and for all, by the names of the fields."""
    parameters = (*entry.parameters, *parameters_of(NOUNS[entry.data]))
    return {parameter.name: parameter for parameter in parameters if not parameter.syntax.once}


def series_parameter(entry: Entry) -> Parameter | None:
    """Return the field for what went out before, None where a release stands alone.

    >>> series_parameter(find("sanony")).option, series_parameter(find("coat"))
    ('--after', None)
    """
    once = [parameter for parameter in entry.parameters if parameter.syntax.once]
    # the releases themselves, where a method goes on from them and from a key
    return max(once, key=lambda parameter: parameter.syntax.repeated, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What was chosen for a publication."""

    method: str
    """What the catalog calls it."""
    options: Mapping[str, Typed]
    """What was typed, by the names of the fields; a file is told by its name in ``files``."""
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """The content of the lists, hierarchies and constraints."""
    about: Mapping[str, str] = field(default_factory=dict)
    """The population whose data these were, and the format of the release."""

    @classmethod
    def of(cls, entry: Entry, typed: Mapping[str, Any], about: Mapping[str, Any]) -> "Choices":
        """Take the choices from what was typed for a publication, reading the files it names."""
        options: dict[str, Typed] = {}
        files: dict[str, bytes] = {}
        for parameter in choosable(entry).values():
            given: Any = typed.get(parameter.name)
            if not parameter.chooses(given):
                continue
            options[parameter.name] = given
            if parameter.syntax.listed_in_file:
                several = parameter.syntax.repeated
                named = [
                    _taken_in(parameter, each, files) for each in (given if several else (given,))
                ]
                options[parameter.name] = tuple(named) if several else named[0]
        described = {name: str(about[name]) for name in ABOUT if about.get(name)}
        return cls(method=entry.name, options=options, files=files, about=described)

    @classmethod
    def read(cls, path: str | Path) -> "Choices":
        """Read a file of choices, refusing anything else in one sentence."""
        path = Path(path)
        try:
            record = json_of(path.read_text("utf-8"))
        except OSError:
            msg = (
                f"{path.name}: there is no file of choices that can be read; "
                "publish --save-choices writes one"
            )
            raise DataError(msg) from None
        except ValueError:
            record = None
        if not isinstance(record, dict) or record.get("discreet") != WHAT:
            msg = (
                f"{path.name} must hold the choices of a publication, as publish --save-choices "
                "writes them, and does not"
            )
            raise DataError(msg)
        if record.get("format") != FORMAT:
            msg = f"{path.name} is in a format of choices that this version does not know"
            raise DataError(msg)
        try:
            return _checked(record)
        except DiscreetError as error:
            raise DataError(f"{path.name}: {error}") from None

    @property
    def entry(self) -> Entry:
        """The method in the catalog."""
        return find(self.method, "publisher")

    def text(self) -> str:
        """Return the content of the file."""
        record = {
            "discreet": WHAT,
            "format": FORMAT,
            "version": version("discreet"),
            "method": self.method,
            "options": dict(self.options),
            "about": dict(self.about),
            "files": {name: _shown(content) for name, content in self.files.items()},
        }
        return json.dumps(record, indent=1, ensure_ascii=False) + "\n"

    def words(self, folder: Path, given: Sequence[str] = ()) -> Iterator[str]:
        """Give the options of the command, but those ``given``; files are laid out in a folder."""
        for name, content in self.files.items():
            write_file(folder / name, content, "a file of the choices", private=True)
        for name, parameter in choosable(self.entry).items():
            if name in self.options and not {parameter.option, parameter.negation} & {*given}:
                yield from self._typed(parameter, folder)
        yield from (
            f"--{name}={text}" for name, text in self.about.items() if f"--{name}" not in given
        )

    def _typed(self, parameter: Parameter, folder: Path) -> Iterator[str]:
        value = self.options[parameter.name]
        if isinstance(value, bool):
            yield parameter.option if value else parameter.negation
            return
        for text in value if isinstance(value, tuple) else (value,):
            yield f"{parameter.option}={self._placed(parameter, str(text), folder)}"

    def _placed(self, parameter: Parameter, text: str, folder: Path) -> str:
        if not parameter.syntax.listed_in_file:
            return text
        name, equals, file = text.rpartition("=")
        return f"{name}{equals}{folder / file}" if file in self.files else text


def _taken_in(parameter: Parameter, text: str, files: dict[str, bytes]) -> str:
    """Take in the file that was typed; return what is typed for it from now on."""
    if is_dataset(text):
        return text
    name, equals, location = text.partition("=") if parameter.syntax.repeated else ("", "", text)
    path = Path(location)
    file_name = f"{parameter.name}-{len(files) + 1}{''.join(path.suffixes[-2:])}"
    try:
        files[file_name] = path.read_bytes()
    except OSError:
        msg = f"{path.name}, a file of `{parameter.name}`, cannot be read again for the choices"
        raise DataError(msg, parameter=parameter.name) from None
    return f"{name}{equals}{file_name}"


def _shown(content: bytes) -> list[str] | str:
    """Return a text line by line, so that a person can read it; else its bytes in letters."""
    try:
        return content.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return b64encode(content).decode()


def _content(name: str, shown: Any) -> bytes:
    if isinstance(shown, list) and all(isinstance(line, str) for line in shown):
        return "\n".join(shown).encode()
    try:
        return b64decode(shown, validate=True)
    except (TypeError, ValueError):
        raise DataError(f"the file {name!r} in it is neither lines nor base64") from None


def _checked(record: Mapping[str, Any]) -> Choices:
    entry = find(str(record.get("method")), "publisher")
    options, files = record.get("options", {}), record.get("files", {})
    about = record.get("about", {})
    if not all(isinstance(each, dict) for each in (options, files, about)):
        msg = "the options, the files and what is said about the release must be tables of names"
        raise DataError(msg)
    known = choosable(entry)
    for given, allowed in ((options, known), (about, ABOUT)):
        for name in given:
            if name not in allowed:
                raise unknown(f"choice for {entry.name}", name, allowed)
    if not all(isinstance(text, str) for text in about.values()):
        raise DataError("the population and the format must be texts")
    contents = {name: _content(name, shown) for name, shown in files.items() if _plain(name)}
    if len(contents) < len(files):
        raise DataError("a file in it must have a plain name without a folder")
    values = {name: _value(known[name], value) for name, value in options.items()}
    return Choices(method=entry.name, options=values, files=contents, about=about)


def _plain(name: str) -> bool:
    """Whether a name leads to no other folder."""
    return bool(name) and not name.startswith(".") and not set(name) & set("/\\=\0")


def _value(parameter: Parameter, value: Any) -> Typed:
    syntax = parameter.syntax
    if syntax.flag:
        fits = value is True or (value is False and parameter.negation != "")
    elif syntax.repeated:
        fits = isinstance(value, list) and all(isinstance(each, str) for each in value)
    else:
        fits = isinstance(value, str)
    if not fits:
        expected = "true" if syntax.flag else "a list of texts" if syntax.repeated else "a text"
        raise DataError(f"the choice {parameter.name} must be {expected}")
    return tuple(value) if syntax.repeated else bool(value) if syntax.flag else str(value)
