"""The fields of a dataclass as choices a person makes, each with what it means."""

import inspect
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from functools import partial
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

from discreet.catalog.syntax import Syntax, bare, syntax_of
from discreet.core.doc import Doc
from discreet.errors import spelled

REQUIRED: Final = MISSING
"""The default of a parameter that has none: a person must choose it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One choice, with its meaning."""

    name: str
    """The field."""
    option: str
    """What is typed for it, such as ``--fan-out``."""
    kind: Any
    """The field's type."""
    default: Any
    """What is taken without it, or ``REQUIRED``."""
    help: str
    """What it means: the words of its annotation, with other fields between backticks."""
    meaning: str
    """The same with other fields by their options, as at a terminal they are known."""

    @property
    def required(self) -> bool:
        """Whether it must be chosen."""
        return self.default is REQUIRED

    @property
    def choices(self) -> tuple[str, ...]:
        """The words to choose from, where the type lists them."""
        plain = bare(self.kind)
        return get_args(plain) if get_origin(plain) is Literal else ()

    @property
    def syntax(self) -> Syntax:
        """How it is typed and read."""
        return syntax_of(self.kind)

    @property
    def negation(self) -> str:
        """What is typed to say no to a flag that is on by itself; empty for any other option."""
        on = self.syntax.flag and self.default is True
        return f"--no-{self.option.removeprefix('--')}" if on else ""

    @property
    def typed(self) -> str:
        """What is typed: the option, and where it has one its negation."""
        return f"{self.option}/{self.negation}" if self.negation else self.option

    @property
    def usage(self) -> str:
        """What stands after the option in a help text."""
        return "|".join(self.choices) or self.syntax.metavar

    @property
    def written_default(self) -> Any:
        """What a manifest says where nothing was chosen; None where there is nothing to say."""
        silent = self.required or self.default is None or self.default == ()
        return None if silent else self.syntax.written(self.default)

    @property
    def shown_default(self) -> Any:
        """What a person could type for the default; None where there is nothing to say."""
        return self.option if self.negation else self.written_default

    def chooses(self, given: Any) -> bool:
        """Whether what was typed is more than nothing, and for a flag another than the default."""
        return given not in (None, ()) and not (self.syntax.flag and given is self.default)

    def read(self, given: Any) -> Any:
        """Make the value from what was typed: a text, or several for a repeated option."""
        read = partial(self.syntax.read, self.name)
        return tuple(map(read, given)) if self.syntax.repeated else read(given)

    def record(self) -> dict[str, Any]:
        """Return the parameter as a plain mapping."""
        return {
            "name": self.name,
            "option": self.option,
            "syntax": self.usage,
            "required": self.required,
            "default": self.written_default,
            "choices": list(self.choices),
            "help": self.meaning,
        }


def parameters_of(kind: Any) -> tuple[Parameter, ...]:
    """Return the parameters of a dataclass, in the order of its fields.

    What a class shares with others by inheritance stands after its own, but for what must be given.

    >>> from discreet.catalog.reading import SetsFile
    >>> [parameter.option for parameter in parameters_of(SetsFile)]
    ['--input-format', '--columns', '--separator', '--sensitive', '--allow-absent']
    """
    hints = get_type_hints(kind, include_extras=True)
    options = {field.name: _option(field) for field in fields(kind)}
    return tuple(_parameter(kind, field, hints[field.name], options) for field in _in_order(kind))


def _parameter(
    kind: type[Any], field: Field[Any], hint: Any, options: Mapping[str, str]
) -> Parameter:
    plain, *further = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    words = [each.text for each in further if isinstance(each, Doc)]
    if len(words) != 1:
        msg = f"{kind.__name__}.{field.name} must say what it means by one Doc in its annotation"
        raise TypeError(msg)
    syntax_of(plain)
    return Parameter(
        name=field.name,
        option=options[field.name],
        kind=plain,
        default=_default(field),
        help=words[0],
        meaning=spelled(words[0], options.__getitem__),
    )


def _option(field: Field[Any]) -> str:
    return field.metadata.get("option") or f"--{field.name.replace('_', '-')}"


def _in_order(kind: Any) -> list[Field[Any]]:
    own = inspect.get_annotations(kind)

    def rank(field: Field[Any]) -> int:
        return 1 if field.name in own else 0 if _default(field) is REQUIRED else 2

    return sorted(fields(kind), key=rank)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()
