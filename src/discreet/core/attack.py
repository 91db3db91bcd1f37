"""What every attack is: a frozen dataclass with one verb, which never sees the private data."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar

from discreet.core.findings import Findings, Threat
from discreet.core.release import Content, Release

__all__ = ["Attack", "each_of", "numbers_of_one"]

C = TypeVar("C", bound=Content)
K_contra = TypeVar("K_contra", contravariant=True)


class Attack(Protocol[K_contra]):
    """A way to learn about people from what was released.

    An implementation is a ``@dataclass(frozen=True, slots=True, kw_only=True)`` of choices; what
    the adversary knows of a victim is a frozen dataclass of its own, whence the options.
    """

    threatens: ClassVar[tuple[Threat, ...]]
    """What it does to a person."""

    def attack(
        self, releases: Release[Any] | Sequence[Release[Any]], knowledge: K_contra | None = None
    ) -> Findings:
        """Return what follows from ``releases``: every attack has this verb.

        Parameters
        ----------
        releases
            One release or several, as they would go out; never the private data.
        knowledge
            What the adversary knows of a victim; None: what the attack takes as known by default.

        Returns
        -------
        Findings
            The claims, worst first, and numbers about the whole.

        Raises
        ------
        DataError
            Where the attack does not know what to do with such a release.
        """
        ...


def each_of(releases: Release[C] | Sequence[Release[C]]) -> Sequence[Release[C]]:
    """Return one release as a series of one, and several as they are."""
    return [releases] if isinstance(releases, Release) else releases


def numbers_of_one(
    numbers: Mapping[str, int | float | str], number: int, releases: Sequence[Release[Any]]
) -> dict[str, int | float | str]:
    """Return the numbers about one of the releases, marked by its number where there are several.

    ``number`` counts from 0, as in ``releases``; what people read counts from 1.

    >>> numbers_of_one({"claims": 2}, 1, [])
    {'claims_2': 2}
    """
    mark = "" if len(releases) == 1 else f"_{number + 1}"
    return {f"{name}{mark}": value for name, value in numbers.items()}
