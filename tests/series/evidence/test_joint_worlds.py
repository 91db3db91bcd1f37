"""Posteriors over all releases at once equal the enumeration of every world."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet.series.evidence import joint_worlds
from discreet.series.evidence.joint_worlds import (
    Linked,
    Problem,
    exact_posteriors,
    fitted,
    scaled_posteriors,
)
from discreet.verify.joint_worlds import joint_posteriors, people_of

ROW = st.tuples(st.integers(0, 3), st.integers(0, 1))
"""The number of a set, and a cluster."""


@st.composite
def series(draw: st.DrawFn) -> tuple[list[list[tuple[int, int]]], dict[tuple[int, int], int]]:
    """Return the rows of tiny releases, and copies in each cluster that some world fits."""
    rows = draw(st.lists(st.lists(ROW, min_size=1, max_size=4), min_size=1, max_size=3))
    if draw(st.booleans()):
        # equal sets of a release in one cluster, as sanony has them
        rows = [[(kind, kind % 2) for kind, _ in part] for part in rows]
    holders = draw(st.lists(st.booleans(), min_size=12, max_size=12))
    copies: Counter[tuple[int, int]] = Counter()
    for person, clusters in enumerate(persons(rows)):
        copies.update(clusters if holders[person] else ())
    if draw(st.integers(0, 4)) == 0:
        copies[draw(st.sampled_from(sorted(here(rows))))] += 1
    return rows, copies


def here(rows: list[list[tuple[int, int]]]) -> set[tuple[int, int]]:
    return {(release, cluster) for release, part in enumerate(rows) for _, cluster in part}


def persons(rows: list[list[tuple[int, int]]]) -> list[frozenset[tuple[int, int]]]:
    """Return everyone's clusters: the nth of equal sets is the same person everywhere."""
    found: dict[Any, set[tuple[int, int]]] = {}
    divided = {
        kind
        for part in rows
        for kind, _ in part
        if len({cluster for other, cluster in part if other == kind}) > 1
    }
    for release, part in enumerate(rows):
        seen: Counter[int] = Counter()
        for place, (kind, cluster) in enumerate(part):
            name = (kind, seen[kind]) if kind not in divided else (kind, release, place)
            seen[kind] += 1
            found.setdefault(name, set()).add((release, cluster))
    return [frozenset(clusters) for clusters in found.values()]


def enumerated(
    rows: list[list[tuple[int, int]]], copies: dict[tuple[int, int], int]
) -> dict[frozenset[tuple[int, int]], Fraction] | None:
    """Return everyone's posterior by looking at every world; None where none fits."""
    people = persons(rows)
    worlds, holding = 0, [0] * len(people)
    for world in product((0, 1), repeat=len(people)):
        if all(
            copies.get(cluster, 0)
            == sum(held for held, who in zip(world, people, strict=True) if cluster in who)
            for cluster in here(rows)
        ):
            worlds += 1
            holding = [one + held for one, held in zip(holding, world, strict=True)]
    if not worlds:
        return None
    return {who: Fraction(n, worlds) for who, n in zip(people, holding, strict=True)}


def attacked(
    rows: list[list[tuple[int, int]]], copies: dict[tuple[int, int], int]
) -> tuple[dict[frozenset[tuple[int, int]], float], int]:
    """Return what the attack finds, and the components that no world fits."""
    linked = Linked.of(
        [np.array([kind for kind, _ in part]) for part in rows],
        [np.array([cluster for _, cluster in part]) for part in rows],
        [2] * len(rows),
    )
    held = np.array([copies.get((n // 2, n % 2), 0) for n in range(2 * len(rows))])
    told = fitted(linked, held)
    names = [
        frozenset((n, int(c) - 2 * n) for n, c in enumerate(row) if c >= 0)
        for row in linked.clusters[told.kind].tolist()
    ]
    return dict(zip(names, told.posterior.tolist(), strict=True)), told.contradictory


@settings(max_examples=150)
@given(found=series())
def test_attack_and_verifier_count_the_worlds_that_enumeration_finds(found: Any) -> None:
    rows, copies = found
    expected = enumerated(rows, copies)
    by_attack, contradictory = attacked(rows, copies)
    by_verifier = dict(joint_posteriors(people_of(rows), copies))
    assert by_verifier.keys() == by_attack.keys()
    for who, chance in by_verifier.items():
        assert chance is not None
        assert by_attack[who] == pytest.approx(float(chance))
    if expected is None:
        assert contradictory
    else:
        assert not contradictory
        for who, chance in expected.items():
            assert by_verifier.get(who, 0) == chance


@settings(max_examples=60)
@given(people=st.lists(st.integers(1, 3), min_size=5, max_size=5), held=st.data())
def test_maximum_entropy_meets_every_cluster_and_comes_near_in_large_ones(
    people: list[int], held: Any
) -> None:
    shape = ((0,), (0, 1), (0, 1, 2), (1, 2), (2,))
    large = [40 * n for n in people]
    holders = [held.draw(st.integers(n // 4, 3 * n // 4)) for n in large]
    copies = tuple(
        sum(n for n, clusters in zip(holders, shape, strict=True) if cluster in clusters)
        for cluster in range(3)
    )
    chances, rested = scaled_posteriors(Problem(tuple(large), shape, copies))
    assert rested
    for cluster, many in enumerate(copies):
        members = [n for n, clusters in enumerate(shape) if cluster in clusters]
        assert sum(large[n] * chances[n] for n in members) == pytest.approx(many, abs=1e-4)
    counted = exact_posteriors(Problem(tuple(large), shape, copies), most=60_000)
    assume(counted is not None)
    assert counted == pytest.approx(chances.tolist(), abs=0.02)


def test_too_many_worlds_are_not_counted() -> None:
    problem = Problem((9, 9, 9), ((0,), (0, 1), (1,)), (8, 8))
    assert exact_posteriors(problem, most=2) is None
    assert exact_posteriors(problem) is not None


def test_a_component_that_did_not_converge_is_counted_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def restless(problem: Problem) -> tuple[np.ndarray, int]:
        return np.full(len(problem.people), 0.5), joint_worlds._NOT_CONVERGED

    monkeypatch.setattr(joint_worlds, "_solved", restless)
    linked = Linked.of([np.array([0, 1])], [np.array([0, 0])], [1])
    fit = fitted(linked, np.array([1]))
    assert (fit.exact, fit.scaled, fit.not_converged, fit.contradictory) == (0, 1, 1, 0)
