"""How the data of a project are read: the options of the command line, from what was chosen."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from discreet.catalog import NOUNS, parameters_of
from discreet.core.graph import Network
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.io.table import open_table, read_table
from discreet.lazy import pl
from discreet.web.projects import stamp, while_unchanged

KINDS: Final[Mapping[str, type[Any]]] = {
    "sets": Transactions,
    "series": Transactions,
    "table": Microdata,
    "network": SocialNetwork,
}
"""What a project may hold, and the noun that it is read as."""
ROLES: Final[Mapping[str, str]] = {
    "qid": "others may know it",
    "sensitive_attributes": "secret",
    "multi_valued": "secret, several values",
    "set_column": "a set, partly known to others",
    "keep_columns": "publish unchanged",
    "id": "identifies people: leave out",
    "": "leave out",
}
"""What a column of a table can be."""
NO_EDGES: Final = "add the file of friendships first, under Data"
LEFT_OUT: Final = ("id", "")
"""Roles of columns that are not read."""


def noun_of(choices: Mapping[str, Any]) -> type[Any]:
    """Return what the data of a project are."""
    return KINDS.get(str(choices.get("kind")), Transactions)


def source_of(choices: Mapping[str, Any], noun: type[Any]) -> str:
    """Return the file that a method for this noun reads: friendships alone have their own."""
    if noun is not Network:
        return str(choices["data"])
    if not choices.get("edges"):
        raise DataError(NO_EDGES)
    return str(choices["edges"])


def options_of(choices: Mapping[str, Any], noun: type[Any]) -> dict[str, Any]:
    """Return how the data are read as a noun, by the names of the fields.

    Files are named from the folder of the project.
    """
    typed = _of_table(choices) if noun is Microdata else _of_sets(choices)
    typed |= choices.get("further", {})
    known = {parameter.name for parameter in parameters_of(NOUNS[noun])}
    return {name: value for name, value in typed.items() if value and name in known}


def _of_sets(choices: Mapping[str, Any]) -> dict[str, Any]:
    columns = {role: name for role, name in choices.get("columns", {}).items() if name}
    ends = {role: name for role, name in choices.get("edge_columns", {}).items() if name}
    return {
        "columns": columns,
        "input_format": choices.get("input_format"),
        "separator": choices.get("separator"),
        "sensitive": "sensitive.txt" if choices.get("sensitive") else None,
        # what is secret in one of several files need not occur in all
        "allow_absent": bool(choices.get("sensitive"))
        and (choices.get("kind") == "series" or bool(choices.get("allow_absent"))),
        "edges": choices.get("edges"),
        "edge_columns": ends,
        "allow_unmatched": bool(choices.get("allow_unmatched")),
    }


def _of_table(choices: Mapping[str, Any]) -> dict[str, Any]:
    roles = choices.get("roles", {})
    named = {
        role: tuple(name for name, own in roles.items() if own == role)
        for role in ROLES
        if role not in LEFT_OUT
    }
    # an attribute of several values is a secret one as well
    named["sensitive_attributes"] += named["multi_valued"]
    secret = set(named["sensitive_attributes"])
    harmless = {
        name: values for name, values in choices.get("harmless", {}).items() if name in secret
    }
    return {
        **named,
        "set_column": next(iter(named["set_column"]), None),
        "non_sensitive": tuple((name, tuple(values)) for name, values in harmless.items()),
        "missing": choices.get("missing"),
        "separator": choices.get("separator"),
    }


def words_of(choices: Mapping[str, Any], noun: type[Any]) -> list[str]:
    """Return the same options as a person types them."""
    options = options_of(choices, noun)
    chosen = [parameter for parameter in parameters_of(NOUNS[noun]) if parameter.name in options]
    return [
        arg for parameter in chosen for arg in _typed(parameter.option, options[parameter.name])
    ]


def _typed(option: str, value: Any) -> list[str]:
    if value is True:
        return [option]
    if isinstance(value, Mapping):
        value = ",".join(f"{name}={text}" for name, text in value.items())
    if isinstance(value, list):
        return [arg for item in value for arg in (option, item)]
    if isinstance(value, tuple) and isinstance(value[0], tuple):
        return [arg for name, items in value for arg in (option, f"{name}={_listed(items)}")]
    return [option, _listed(value) if isinstance(value, tuple) else str(value)]


def _listed(names: Sequence[str]) -> str:
    return ",".join(map(_quoted, names))


def _quoted(name: str) -> str:
    """Write a name as in a line of csv."""
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name


def read(
    folder: Path, choices: Mapping[str, Any], noun: type[Any], source: str | None = None
) -> Any:
    """Read a file of a project as chosen; what was read is kept until the file or a choice changes.

    Parameters
    ----------
    folder
        Where the files are.
    choices
        What was chosen.
    noun
        What they are read as.
    source
        Which file, where it is not the first.

    Returns
    -------
    object
        The data.
    """
    named = source or source_of(choices, noun)
    args = words_of(choices, noun)
    # a file is told from another by when it was written
    files = tuple(stamp(folder / arg) for arg in (named, *args) if (folder / arg).is_file())
    return _read(folder, named, NOUNS[noun], tuple(args), files)


@lru_cache(maxsize=4)
def _read(folder: Path, source: str, kind: Any, args: tuple[str, ...], _files: Any) -> Any:
    return _reading(folder, kind, args).read(str(folder / source))


def _reading(folder: Path, kind: Any, args: Sequence[str]) -> Any:
    """Make the reading from what would be typed, so that the page sees what the command sees."""
    known = {parameter.name: parameter for parameter in parameters_of(kind)}
    typed = typed_by_name(args, kind)
    return kind(**{name: known[name].read(_placed(value, folder)) for name, value in typed.items()})


def typed_by_name(args: Sequence[str], kind: Any) -> dict[str, Any]:
    """Return options as they are typed by the names of their fields."""
    by_option = {parameter.option: parameter for parameter in parameters_of(kind)}
    typed: dict[str, Any] = {}
    at = iter(args)
    for arg in at:
        parameter = by_option[arg]
        if parameter.syntax.flag:
            typed[parameter.name] = True
        elif parameter.syntax.repeated:
            typed.setdefault(parameter.name, []).append(next(at))
        else:
            typed[parameter.name] = next(at)
    return typed


def _placed(value: Any, folder: Path) -> Any:
    """Return what was typed with the files of a project named by their whole paths."""
    if isinstance(value, list):
        return [_placed(item, folder) for item in value]
    return str(folder / value) if value is not True and (folder / value).is_file() else value


@while_unchanged(4)
def frame(path: Path) -> "pl.DataFrame":
    """Read a file as a bare table."""
    return read_table(path)


@while_unchanged(16)
def header(path: Path) -> tuple[str, ...]:
    """Return the columns of a file with some."""
    return open_table(path).header


def prepare_reading() -> None:
    """Load what reading needs, so that the first file is read as fast as the next."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "sets.dat").write_text("1 2\n")
        (folder / "table.csv").write_text("id,item\n1,a\n")
        for noun, file in ((Transactions, "sets.dat"), (Transactions, "table.csv")):
            read(folder, {"data": file}, noun)
        read(folder, {"data": "table.csv", "kind": "table", "roles": {"id": "qid"}}, Microdata)
