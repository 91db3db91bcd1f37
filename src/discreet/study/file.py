"""A study from its TOML file: unknown names are refused with the nearest known one."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

from discreet.catalog import NOUNS, find, unknown
from discreet.errors import DataError, ParameterError
from discreet.io.datasets import PREFIX, is_dataset
from discreet.study.plan import Chosen, Original, Study, Typed, fields_of, is_file
from discreet.study.secrets import Secrets

OWN: Final = ("name", "source", "sensitive_share", "sensitive_least")
"""What a study says of data beside how they are read."""
MOST_SEEDS: Final = 1_000_000
"""A number of seeds beyond this is a mistake."""


def read_study(source: Path) -> Study:
    """Read a study; files it names are looked up beside it."""
    try:
        settings = tomllib.loads(source.read_text(encoding="utf-8"))
    except OSError:
        raise DataError(f"{source.name}: there is no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{source.name} must be a TOML file: {error}") from None
    return study_of(settings, folder=source.parent)


def study_of(settings: Mapping[str, Any], folder: Path = Path()) -> Study:
    """Make a study from what its file says.

    >>> study = study_of(
    ...     {
    ...         "seeds": 2,
    ...         "data": [{"source": "dataset:nltcs"}],
    ...         "publish": [{"method": "sparse-histogram", "epsilon": [0.5, 1]}],
    ...     }
    ... )
    >>> len(study.cells())
    4
    """
    _refuse_unknown("study", settings, ("title", "seeds", "data", "publish", "attack", "front"))
    front = settings.get("front", {})
    _refuse_unknown("[front]", front, ("exposure", "loss"))
    attacks = [_attack(each, folder) for each in _tables(settings.get("attack", []), "attack")]
    return Study(
        title=str(settings.get("title", "a study")),
        originals=tuple(_original(each, folder) for each in _needed(settings, "data")),
        publications=tuple(
            steps for each in _needed(settings, "publish") for steps in _swept(each, folder)
        ),
        seeds=_seeds(settings.get("seeds", 3)),
        attacks=tuple(attacks) if attacks else None,
        exposure=_quantity(front, "exposure"),
        loss=_quantity(front, "loss"),
    )


def _quantity(front: Mapping[str, Any], name: str) -> str | None:
    quantity = front.get(name)
    if quantity is not None and not isinstance(quantity, str):
        msg = f"`{name}` must be the name of a quantity, got {quantity!r}"
        raise ParameterError(msg, parameter=name)
    return quantity


def _needed(settings: Mapping[str, Any], name: str) -> Sequence[Mapping[str, Any]]:
    tables = _tables(settings.get(name, []), name)
    if not tables:
        raise ParameterError(f"a study must have at least one [[{name}]], got none")
    return tables


def _tables(given: Any, name: str) -> Sequence[Mapping[str, Any]]:
    if not isinstance(given, list) or not all(isinstance(each, Mapping) for each in given):
        msg = f"what a study says of {name} must be in tables, each under a line [[{name}]]"
        raise ParameterError(msg)
    return given


def _refuse_unknown(thing: str, settings: Any, known: Sequence[str]) -> None:
    if not isinstance(settings, Mapping):
        msg = f"the {thing} of a study must be a table of names and values, got {settings!r}"
        raise ParameterError(msg)
    for name in settings:
        if name not in known:
            raise unknown(f"entry of a {thing}", name, known)


def _seeds(setting: Any) -> tuple[int, ...]:
    seeds: Sequence[Any] = setting if isinstance(setting, list) else ()
    if isinstance(setting, int) and setting <= MOST_SEEDS:
        seeds = range(1, setting + 1)
    if not seeds or not all(isinstance(seed, int) and seed >= 0 for seed in seeds):
        msg = (
            f"`seeds` must be a number of seeds from 1 to {MOST_SEEDS}, or a list of whole "
            f"numbers, got {setting!r}"
        )
        raise ParameterError(msg, parameter="seeds")
    return tuple(seeds)


def _original(settings: Mapping[str, Any], folder: Path) -> Original:
    known = sorted({name for noun in NOUNS for name in fields_of(NOUNS[noun])})
    _refuse_unknown("[[data]]", settings, (*OWN, *known))
    if not isinstance(source := settings.get("source"), str):
        msg = "each [[data]] must have a source: a file, or a named data set"
        raise ParameterError(msg, parameter="source")
    options = {name: settings[name] for name in settings if name not in OWN}
    placed = _placed(source, folder)
    if not is_dataset(placed) and not is_file(Path(placed)):
        msg = f"the source of a [[data]] must be a file beside the study, and {source!r} is none"
        raise DataError(msg)
    return Original(
        name=str(settings.get("name", source.removeprefix(PREFIX))),
        source=placed,
        options=_typed(options, folder),
        secrets=_secrets(settings),
    )


def _secrets(settings: Mapping[str, Any]) -> Secrets | None:
    if "sensitive_share" not in settings:
        return None
    least = settings.get("sensitive_least", 1)
    if not isinstance(least, int):
        msg = f"`sensitive_least` must be a whole number such as 5, got {least!r}"
        raise ParameterError(msg, parameter="sensitive_least")
    return Secrets(share=str(settings["sensitive_share"]), least=least)


def _attack(settings: Mapping[str, Any], folder: Path) -> Chosen:
    entry = find(str(settings.get("method")), "attack")
    known = [parameter.name for parameter in (*entry.parameters, *entry.facts)]
    options = _options(settings, ("method",), known, entry.name)
    return Chosen(kind="attack", name=entry.name, typed=_typed(options, folder))


def _step(settings: Any, folder: Path) -> Chosen:
    """Read a step after the method: its name, or a table with its parameters."""
    step = settings if isinstance(settings, Mapping) else {"method": settings}
    entry = find(str(step.get("method")), "publisher")
    options = _options(step, ("method",), [each.name for each in entry.parameters], entry.name)
    chosen = Chosen(kind="publisher", name=entry.name, typed=_typed(options, folder))
    chosen.made()
    return chosen


def _swept(settings: Mapping[str, Any], folder: Path) -> Iterator[tuple[Chosen, ...]]:
    """Give a publication for each combination of the values in lists."""
    entry = find(str(settings.get("method")), "publisher")
    then = settings.get("then", [])
    steps = tuple(_step(each, folder) for each in (then if isinstance(then, list) else [then]))
    parameters = {parameter.name: parameter for parameter in entry.parameters}
    options = _options(settings, ("method", "then"), list(parameters), entry.name)
    axes = [
        value if isinstance(value, list) and not parameters[name].syntax.repeated else [value]
        for name, value in options.items()
    ]
    for values in product(*axes):
        typed = _typed(dict(zip(options, values, strict=True)), folder)
        chosen = Chosen(kind="publisher", name=entry.name, typed=typed)
        chosen.made()
        yield (chosen, *steps)


def _options(
    settings: Mapping[str, Any], own: Sequence[str], known: Sequence[str], method: str
) -> dict[str, Any]:
    options = {name.replace("-", "_"): settings[name] for name in settings if name not in own}
    for name in options:
        if name not in known:
            raise unknown(f"parameter of {method}", name, known)
    return options


def _typed(options: Mapping[str, Any], folder: Path) -> Typed:
    """Return values as they would be typed; a file beside the study is named from here."""
    return tuple((name, _text(value, folder)) for name, value in options.items())


def _text(value: Any, folder: Path) -> str | tuple[str, ...] | bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, list):
        return tuple(_placed(_plain(item), folder) for item in value)
    return _placed(_plain(value), folder)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping | list):
        msg = f"a parameter of a study must be a text, a number or a list of them, got {value!r}"
        raise ParameterError(msg)
    return str(value)


def _placed(text: str, folder: Path) -> str:
    """Return where a file beside the study is; ``NAME=FILE`` keeps its name."""
    if is_dataset(text):
        return text
    name, equals, rest = text.rpartition("=")
    return f"{name}{equals}{folder / rest}" if rest and is_file(folder / rest) else text
