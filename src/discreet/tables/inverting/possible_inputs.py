"""Counting the inputs that would have led to a published table: who may have had which row."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import factorial, prod
from operator import mul
from typing import TypeAlias

Assignment: TypeAlias = tuple[int, ...]
"""For each person of a class the number of the row she has."""


@dataclass(frozen=True, eq=False)
class ClassAssignments:
    """All ways to give the rows of one class to its people, by the nodes they would satisfy.

    ``counts[mask]`` is the number of ways in which at least the nodes of ``mask`` (bit by bit) hold
    in this class; ``holding[person][value][mask]`` the number of those in which a person has a
    value.
    """

    counts: tuple[int, ...]
    """For each set of nodes how many worlds satisfy all of them."""
    holding: tuple[dict[int, tuple[int, ...]], ...]
    """For each person and value the same."""


def permutations_of(values: Sequence[int]) -> Iterator[Assignment]:
    """Yield every different order of values, some of them equal.

    >>> sorted(permutations_of([1, 1, 2]))
    [(1, 1, 2), (1, 2, 1), (2, 1, 1)]
    """
    left = Counter(values)
    chosen: list[int] = []

    def deeper() -> Iterator[Assignment]:
        if len(chosen) == len(values):
            yield tuple(chosen)
            return
        for value in sorted(left):
            if left[value]:
                left[value] -= 1
                chosen.append(value)
                yield from deeper()
                chosen.pop()
                left[value] += 1

    return deeper()


def distinct_orders(values: Sequence[int]) -> int:
    """Return how many different orders there are.

    >>> distinct_orders([1, 1, 2])
    3
    """
    equal = (factorial(count) for count in Counter(values).values())
    return factorial(len(values)) // reduce(mul, equal, 1)


def assignments_of_class(
    values: Sequence[int], nodes: int, satisfied: Callable[[Assignment], int]
) -> ClassAssignments:
    """Count the worlds of a class; ``satisfied`` says as bits which nodes hold in a world."""
    size = 1 << nodes
    counts = [0] * size
    holding: list[dict[int, list[int]]] = [
        {value: [0] * size for value in set(values)} for _ in values
    ]
    for assignment in permutations_of(values):
        bits = satisfied(assignment)
        for mask in range(size):
            if bits & mask == mask:
                counts[mask] += 1
                for person, value in enumerate(assignment):
                    holding[person][value][mask] += 1
    fixed = tuple({v: tuple(n) for v, n in person.items()} for person in holding)
    return ClassAssignments(tuple(counts), fixed)


def posterior(
    classes: Sequence[ClassAssignments], index: int, nodes: int
) -> list[dict[int, Fraction]] | None:
    """Return for each person of a class the probability of each value, given that no node holds.

    A node holds in the whole table where it holds in every class, so the worlds in which none of
    them holds follow by inclusion and exclusion. None if there is no such world.
    """
    signs = [(-1) ** mask.bit_count() for mask in range(1 << nodes)]
    others = [
        prod(each.counts[mask] for number, each in enumerate(classes) if number != index)
        for mask in range(1 << nodes)
    ]
    weight = [sign * other for sign, other in zip(signs, others, strict=True)]
    ours = classes[index]
    total = sum(w * n for w, n in zip(weight, ours.counts, strict=True))
    if total == 0:
        return None
    return [
        {
            value: Fraction(sum(w * n for w, n in zip(weight, counts, strict=True)), total)
            for value, counts in person.items()
        }
        for person in ours.holding
    ]
