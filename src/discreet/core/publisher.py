"""What every publisher is: a frozen dataclass of parameters with one verb."""

from dataclasses import fields
from typing import (
    Any,
    ClassVar,
    Final,
    Protocol,
    TypedDict,
    TypeVar,
    Unpack,
    runtime_checkable,
)

from discreet.core.exact import plain
from discreet.core.guarantee import Guarantee
from discreet.core.publication import Publication
from discreet.core.randomness import Rng, refuse_foreign
from discreet.core.release import Content, Manifest, Universe
from discreet.errors import ParameterError

D_contra = TypeVar("D_contra", contravariant=True)
S = TypeVar("S")
P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)


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
        """Publish ``data``: every publisher has this verb, and its own says what becomes of them.

        Parameters
        ----------
        data
            The private data, or for a method that works on a release the release.
        rng
            Where all randomness comes from; None: the secure one of the operating system. With
            ``rng.seeded(n)`` the draws are repeated, and the release is marked as not for
            publication.

        Returns
        -------
        Publication
            ``release`` for the world, and ``linkage_key``, where there is one, for the owner.

        Raises
        ------
        DataError
            Where the data lack what the method needs, such as sensitive items.
        InfeasibleError
            Where no release keeps the promise with these parameters; it names nearer ones.

        Examples
        --------
        >>> from discreet import Transactions, rng
        >>> from discreet.generalised import Km
        >>> baskets = Transactions.of([["beer", "bread"]] * 3 + [["bread"]] * 3)
        >>> Km(k=3, m=2).publish(baskets, rng.seeded(1)).release
        Release(km-anonymity: GeneralisedSets(6 records over 2 blocks))
        """
        ...


@runtime_checkable
class PlannedPublisher(Publisher[D_contra], Protocol[D_contra, S, P_co]):
    """A publisher that decides by folded statistics; ``publish`` is its steps one after the other.

    Statistics are an ``ItemsetHistogram``, ``FoldedSets`` or a ``FoldedTable``: no record is left
    in them, so an engine can fold what does not fit in memory. For counts under differential
    privacy the plan is the content of the release, and nothing is left to be done.
    """

    def statistics(self, data: D_contra, rng: Rng) -> S:
        """Fold the data, in an order that only content decides; the last look at a record.

        Parameters
        ----------
        data
            The private data.
        rng
            Where all randomness comes from.

        Returns
        -------
        ItemsetHistogram, FoldedSets or FoldedTable
            Distinct sets or rows with their counts.
        """
        ...

    def decide(self, statistics: S, rng: Rng) -> P_co:
        """Return the plan; whatever is drawn to protect people is drawn here.

        Parameters
        ----------
        statistics
            The folded data.
        rng
            Where all randomness comes from.

        Returns
        -------
        object
            What ``apply`` turns records into rows by; for noisy counts the content itself.
        """
        ...


@runtime_checkable
class RowwisePublisher(PlannedPublisher[D_contra, S, P], Protocol[D_contra, S, P]):
    """A publisher whose plan turns each record into its rows without a look at other records."""

    def apply(self, plan: P, data: D_contra) -> Content:
        """Return the content that these records become, row by row in the order of ``data``.

        The rows of parts of the data add up to those of the whole; tables that are public and go
        along, such as an applied hierarchy, are the same for each part. ``publish`` shuffles.

        Parameters
        ----------
        plan
            What was decided.
        data
            The private data, or a part of them.

        Returns
        -------
        Content
            What a release of these records would hold.
        """
        ...

    def claims(self, plan: P, data: D_contra, rng: Rng) -> tuple[tuple[Guarantee, ...], Manifest]:
        """Return what a release by the plan promises, and how it was made.

        Parameters
        ----------
        plan
            What was decided.
        data
            The private data.
        rng
            Where all randomness came from.

        Returns
        -------
        tuple of tuple of Guarantee and Manifest
            What the release carries.
        """
        ...


@runtime_checkable
class StandIn(Protocol):
    """Data that lie elsewhere and answer what a method asks of its kind of data."""

    stands_for: ClassVar[type[Any]]
    """The kind of data."""


MAKERS: Final = ("of", "from_frame", "read", "load")
"""What makes a noun from what a person has: collections, a frame, a file, a folder."""


def refuse_misfits(data: object, kind: type[Any], rng: object) -> None:
    """Refuse data of another kind than a method publishes, and chance that is none of ours."""
    if not isinstance(data, kind) and not (isinstance(data, StandIn) and data.stands_for is kind):
        made = " or ".join(f"{kind.__name__}.{maker}" for maker in MAKERS if hasattr(kind, maker))
        got = type(data).__name__
        msg = f"the data must be {kind.__name__}, as made by {made}, and not of type {got}"
        raise ParameterError(msg, parameter="data")
    refuse_foreign(rng)


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
        field.name: plain(getattr(method, field.name))
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
