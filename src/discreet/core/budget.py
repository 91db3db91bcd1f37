"""A privacy budget that is spent before noise is drawn, wherever it is kept."""

from fractions import Fraction
from threading import Lock
from typing import Protocol

from discreet.core.exact import Exact, positive, written
from discreet.errors import InfeasibleError


class Budget(Protocol):
    """What may still be spent on the same people.

    ``spend`` is called before any noise is drawn. Once it has returned, what was spent can never
    be had again, whether or not an answer comes of it.
    """

    @property
    def total(self) -> Fraction:
        """The whole budget."""
        ...

    @property
    def left(self) -> Fraction:
        """What is left of it."""
        ...

    def spend(self, epsilon: Fraction) -> None:
        """Book an epsilon, for one person more or less; InfeasibleError where it is too much."""
        ...


class OwnBudget:
    """A budget that lives as long as the object that holds it.

    >>> budget = OwnBudget(1)
    >>> budget.spend(Fraction(3, 4))
    >>> budget.left
    Fraction(1, 4)
    """

    def __init__(self, total: Exact) -> None:
        self._total = positive("budget", total)
        self._spent = Fraction(0)
        self._lock = Lock()

    @property
    def total(self) -> Fraction:
        """The whole budget."""
        return self._total

    @property
    def left(self) -> Fraction:
        """What is left of it."""
        return self._total - self._spent

    def spend(self, epsilon: Fraction) -> None:
        """Book an epsilon, refusing one that is not left."""
        # two threads must not spend the same budget
        with self._lock:
            if epsilon > self.left:
                raise InfeasibleError(refusal(epsilon, self.left))
            self._spent += epsilon


def refusal(asked: Fraction, left: Fraction) -> str:
    """Say that a budget does not reach.

    >>> refusal(Fraction(1), Fraction(1, 4))
    'this costs an epsilon of 1, and 0.25 is left of the budget; what was spent cannot be had back'
    """
    return (
        f"this costs an epsilon of {written(asked)}, and {written(left)} is left of the budget; "
        "what was spent cannot be had back"
    )
