"""What every publisher is: a frozen dataclass of parameters with one verb."""

from dataclasses import fields
from fractions import Fraction
from typing import Any, Protocol, TypedDict, TypeVar, Unpack, get_args

from discreet.core.guarantee import Guarantee
from discreet.core.publication import Publication
from discreet.core.randomness import Rng
from discreet.core.release import Manifest, Universe
from discreet.errors import ParameterError

__all__ = ["Publisher", "check_words", "manifest_of"]

D_contra = TypeVar("D_contra", contravariant=True)


class Publisher(Protocol[D_contra]):
    """A way to publish data of one kind.

    An implementation is a ``@dataclass(frozen=True, slots=True, kw_only=True)`` of parameters,
    checked in ``__post_init__`` and documented under each field. It holds no data and no state.
    """

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What every release of this method promises."""
        ...

    def publish(self, data: D_contra, rng: Rng | None = None) -> Publication[Any]:
        """Publish ``data``; all chance comes from ``rng``, from the secure one where it is None."""
        ...


class Facts(TypedDict, total=False):
    """The fields of a manifest that a method fills where they apply."""

    universe: Universe
    sensitive: tuple[str, ...]
    follows: tuple[str, ...]


def manifest_of(
    method: Any,
    name: str,
    rng: Rng,
    notes: dict[str, Any] | None = None,
    **facts: Unpack[Facts],
) -> Manifest:
    """Describe how ``method`` made a release: its parameters as chosen, and its chance."""
    parameters = {
        field.name: _written(getattr(method, field.name))
        for field in fields(method)
        if not field.metadata.get("unwritten")
    }
    return Manifest(
        method=name,
        parameters=parameters,
        randomness=rng.label,
        seeded=rng.seeded,
        notes=notes or {},
        **facts,
    )


def check_words(method: Any, **kinds: Any) -> None:
    """Refuse a field that holds none of the words of its kind, which is a ``Literal``."""
    for name, kind in kinds.items():
        value, words = getattr(method, name), get_args(kind)
        if value not in words:
            msg = f"`{name}` must be one of {', '.join(words)}, got {value!r}"
            raise ParameterError(msg, parameter=name)


def _written(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    return [_written(part) for part in value] if isinstance(value, tuple) else value
