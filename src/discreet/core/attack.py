"""What every attack is: a frozen dataclass with one verb, which never sees the private data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any, ClassVar, Protocol, TypeAlias, TypeVar

from discreet.core.doc import Doc
from discreet.core.exact import Exact, at_least_one, exact, positive_share
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.publication import Publication, releases_of
from discreet.core.release import Content, Release
from discreet.errors import DataError

C = TypeVar("C", bound=Content)
K_contra = TypeVar("K_contra", contravariant=True)

Published: TypeAlias = Release[C] | Publication[C]
Releases: TypeAlias = Published[C] | Sequence[Published[C]]
"""One release or several, as they would go out; what a publication keeps is not looked at."""


class Attack(Protocol[K_contra]):
    """A way to learn about people from what was released.

    An implementation is a ``@dataclass(frozen=True, slots=True, kw_only=True)`` of choices; what
    the adversary knows of a victim is a frozen dataclass of its own, whence the options.
    """

    threatens: ClassVar[tuple[Threat, ...]]
    """What it does to a person."""

    def attack(self, releases: Releases[Any], knowledge: K_contra | None = None) -> Findings:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Limited:
    """An attack that makes a limited number of claims."""

    limit: Annotated[int, Doc("How many claims to make in each release, at most.")] = 100_000

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(limit=self.limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confident(Limited):
    """An attack that claims only what is likely enough."""

    confidence: Annotated[
        Exact, Doc("Claim what has at least this probability, above 0 and up to 1.")
    ] = "0.9"

    def __post_init__(self) -> None:
        Limited.__post_init__(self)
        positive_share("confidence", self.confidence)

    @property
    def least(self) -> float:
        """The least probability, rounded as shares of rows are: one that reaches it is claimed."""
        return float(exact("confidence", self.confidence))


def each_of(releases: Releases[C], *contents: type[Any]) -> Sequence[Release[C]]:
    """Return one release as a series of one, and several; other ``contents`` are refused."""
    listed = releases_of(releases)
    for held in (type(each.content) for each in listed):
        if contents and held not in contents:
            wanted = " or ".join(content.__name__ for content in contents)
            msg = f"`releases` must hold {wanted} for this attack, got {held.__name__}"
            raise DataError(msg, parameter="releases")
    return listed


def from_each(
    releases: Releases[C],
    about: Callable[[int, Release[C]], tuple[Iterable[Claim], Mapping[str, int | float | str]]],
    limit: int | None = None,
) -> tuple[list[Claim], Summary]:
    """Return the claims ``about`` each release, up to ``limit`` of each, and its numbers marked."""
    listed = each_of(releases)
    claims: list[Claim] = []
    summary: Summary = {}
    for number, release in enumerate(listed):
        made, numbers = about(number, release)
        claims += islice(made, limit)
        summary |= numbers_of_one(numbers, number, listed)
    return claims, summary


def numbers_of_one(
    numbers: Mapping[str, int | float | str], number: int, releases: Sequence[Release[Any]]
) -> Summary:
    """Return the numbers about one of the releases, marked by its number where there are several.

    ``number`` counts from 0, as in ``releases``; what people read counts from 1.

    >>> numbers_of_one({"claims": 2}, 1, [])
    {'claims_2': 2}
    """
    mark = "" if len(releases) == 1 else f"_{number + 1}"
    return {f"{name}{mark}": value for name, value in numbers.items()}
