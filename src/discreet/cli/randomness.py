"""Where the randomness of a command comes from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from discreet.cli import show
from discreet.core.doc import Doc

if TYPE_CHECKING:
    from discreet.rng import Rng

__all__ = ["Randomness", "ReleaseRandomness"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Randomness:
    """Where the randomness of draws comes from that are not published."""

    seed: Annotated[int | None, Doc("Make every draw repeatable with this number.")] = None

    def rng(self) -> "Rng":
        """Return the operating system's randomness, or seeded randomness."""
        from discreet import rng

        return rng.secure() if self.seed is None else rng.seeded(self.seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRandomness(Randomness):
    """Where the randomness of a release comes from."""

    seed: Annotated[
        int | None,
        Doc(
            "Make every draw repeatable with this number: for tests and studies, never for a "
            "release that goes out."
        ),
    ] = None

    def rng(self) -> "Rng":
        """Return the operating system's randomness, or seeded randomness with a loud warning."""
        if self.seed is not None:
            show.loud(
                f"--seed {self.seed} makes every draw repeatable, so anyone can remove the noise. "
                "This release is NOT FOR PUBLICATION."
            )
        # slots make a new class of this one, which a bare super() does not know
        return Randomness.rng(self)
