"""m-confidentiality: every input of small tables is counted, and nobody is likelier than 1/m."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import prod
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata, rng, verify
from discreet.core.guarantee import KAnonymity, MConfidentiality, guarantee_of, record_of
from discreet.core.release import Release
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.tables import Incognito
from discreet.tables.generalising.confidential import Holdings, left_out
from discreet.tables.inverting.alternatives import Alternatives, alternatives_of

World = tuple[int, ...]
ZIPS = Hierarchy.prefixes([f"{a}{b}" for a in "abcd" for b in "xy"])
ROWS = st.lists(
    st.tuples(
        st.sampled_from(ZIPS.values), st.sampled_from("pqr"), st.sampled_from(["", "u", "v"])
    ),
    min_size=4,
    max_size=24,
)


def people(rows: list[tuple[str, str, str]]) -> Microdata:
    table = pl.DataFrame(rows, schema=["zip", "job", "ill"], orient="row")
    return Microdata.of(table, qids=["zip"], sensitive=["job", "ill"], multi_valued=["ill"])


def holdings(world: World, home: list[int], secret: range) -> Holdings:
    sizes = np.bincount(home)
    counted = Counter(zip(home, world, strict=True))
    held = [(c, v, n) for (c, v), n in counted.items() if v in secret]
    entries = np.array(held, dtype=np.int64).reshape(-1, 3).T
    classes, values, counts = map(np.ascontiguousarray, entries)
    one = np.zeros(max(world, default=0) + 1, dtype=np.int64)
    return Holdings(sizes, classes, values, counts, one, sizes[:, None])


def outcomes(world: World, home: list[int], secret: range, m: int) -> Iterator[Any]:
    """Yield what the world sees, for every order in which classes may be drawn; None: refused."""
    held = holdings(world, home, secret)
    for order in permutations(range(len(held.sizes))):
        gone = left_out(held, m, np.array(order))
        if gone is None:
            yield None
            continue
        shown = [
            None
            if gone[each]
            else tuple(sorted(v for v, c in zip(world, home, strict=True) if c == each))
            for each in range(len(held.sizes))
        ]
        yield tuple(shown)


@cache
def seen_worlds(
    sizes: tuple[int, ...], values: int, secret: range, m: int
) -> list[tuple[World, Any]]:
    """Return every world with every release it may lead to, as often as orders lead there."""
    home = [place for place, size in enumerate(sizes) for _ in range(size)]
    worlds = product(range(values), repeat=len(home))
    return [(world, seen) for world in worlds for seen in outcomes(world, home, secret, m)]


def likeliest(pairs: list[tuple[World, Any]], prior: tuple[int, ...], secret: range) -> Fraction:
    """Return the largest probability of a secret value of anyone, given any release."""
    whole: Counter[Any] = Counter()
    linked: Counter[Any] = Counter()
    for world, seen in pairs:
        if seen is not None:
            weight = prod(prior[value] for value in world)
            whole[seen] += weight
            for person, value in enumerate(world):
                if value in secret:
                    linked[seen, person, value] += weight
    return max(Fraction(weight, whole[key[0]]) for key, weight in linked.items())


SHAPES = [
    ((2, 2, 2, 2), 2, range(2), 2),
    ((2, 2, 2, 2), 2, range(1), 2),
    ((3, 3, 3), 2, range(1), 2),
    ((3, 3, 3), 2, range(1), 3),
    ((3, 3), 3, range(3), 3),
    ((2, 2, 3), 3, range(3), 2),
    ((2, 2, 1, 1), 3, range(1), 2),
]
"""Sizes of classes, number of values, those of them that are secret, and m."""


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_nobody_is_linked_to_a_value_by_more_than_one_in_m(shape: Any) -> None:
    """Every world, every order, everyone: left out or not, whatever values are likelier before."""
    _, _, secret, m = shape
    pairs = seen_worlds(*shape)
    assert any(seen is not None and None in seen for _, seen in pairs), "classes are left out"
    for prior in ((1, 1, 1), (4, 1, 1), (1, 4, 2)):
        assert 0 < likeliest(pairs, prior, secret) <= Fraction(1, m)


def test_to_leave_out_failing_classes_alone_would_give_them_away() -> None:
    shape = ((2, 2, 2, 2), 2, range(1), 2)
    pairs = []
    for world, _ in seen_worlds(*shape):
        classes = [tuple(sorted(world[at : at + 2])) for at in (0, 2, 4, 6)]
        pairs.append((world, tuple(None if each == (0, 0) else each for each in classes)))
    assert likeliest(pairs, (1, 1), range(1)) == 1


@given(ROWS)
def test_the_minimality_attack_finds_no_better_table(rows: list[tuple[str, str, str]]) -> None:
    data = people(rows)
    method = Incognito(k=2, m_confidentiality=2, hierarchy=(("zip", ZIPS),))
    try:
        release = method.publish(data, rng.seeded(1)).release
    except InfeasibleError:
        reject()
    found = alternatives_of(release.content, 0, data.table, 2)
    assert isinstance(found, Alternatives)
    # no input is excluded: a value is as likely as it is common, and that is at most one half
    assert found.better == ()
    for values in found.values:
        for column, name in enumerate(found.attributes):
            held = Counter(found.rows[row][column] for row in values)
            secret = [n for value, n in held.items() if name == "job" or value == 1]
            assert all(2 * n <= len(values) for n in secret)


def test_copying_the_share_of_good_classes_does_not_bound_the_guess() -> None:
    """MASK of Wong et al. 2007, m = l = 2: two classes of two people, published with {s, n} each.

    A class {s, s} fails and gets the share of the other, one half. The worlds behind the release:
    both as published (2 x 2), or one of them distorted (1 x 2, 2 x 1).
    """

    def masked(world: tuple[tuple[str, ...], ...]) -> tuple[Any, ...] | None:
        shares = [each.count("s") for each in world]
        good = [share for share in shares if 2 * share <= 2]
        if not good:
            return None
        return tuple(share if 2 * share <= 2 else good[0] for share in shares)

    classes = list(product("sn", repeat=2))
    worlds = [world for world in product(classes, repeat=2) if masked(world) == (1, 1)]
    assert len(worlds) == 8
    right = sum(world[0][0] == "s" for world in worlds)
    assert Fraction(right, len(worlds)) == Fraction(5, 8)


@given(ROWS, st.integers(2, 3), st.sampled_from(["0", "0.5", "1"]), st.integers(0, 5))
def test_a_release_keeps_its_promise_and_leaves_out_no_class_too_many(
    rows: list[tuple[str, str, str]], m: int, limit: str, seed: int
) -> None:
    data = people(rows)
    method = Incognito(
        k=2, m_confidentiality=m, suppression_limit=limit, hierarchy=(("zip", ZIPS),)
    )
    try:
        publication = method.publish(data, rng.seeded(seed))
    except InfeasibleError as error:
        assert "m_confidentiality that would do" in str(
            error
        ) or "no m_confidentiality would do" in str(error)
        return
    release = publication.release
    unaware = Incognito(k=2, suppression_limit=limit, hierarchy=(("zip", ZIPS),))
    plain = unaware.publish(data, rng.seeded(seed)).release
    assert release.manifest.notes == plain.manifest.notes, "the choice looks at nothing secret"
    assert verify(release, against=data).by_parts is True
    assert [part.holds for part in verify(release).parts] == [True, None]
    level = release.manifest.notes["levels"]["zip"]
    home = [ZIPS.level(row[0], level) for row in rows]
    shown = set(release.content.parts[0]["zip"].to_list())
    assert len(publication.linkage_key.tables["rows_1"]) >= (1 - Fraction(limit)) * len(rows)
    for zip_code in set(home) - shown:
        rest = [place for place, each in enumerate(home) if each not in shown and each != zip_code]
        size = home.count(zip_code)
        if size < 2:
            continue
        alone = [rows[place] for place, each in enumerate(home) if each == zip_code]
        others = [rows[place] for place in rest if home.count(home[place]) == size]
        assert too_common(alone, m) or too_common(others, m), "it could have been published"


def too_common(rows: list[tuple[str, str, str]], m: int) -> bool:
    held = Counter([f"job {row[1]}" for row in rows] + [f"ill {row[2]}" for row in rows if row[2]])
    return any(m * count > len(rows) for count in held.values())


def release_of(
    rows: list[tuple[str, str]], shown: list[int], m: int
) -> tuple[Release[Any], Microdata]:
    """Publish by hand the classes of these numbers."""
    table = pl.DataFrame(rows, schema=["zip", "job"], orient="row")
    data = Microdata.of(table, qids=["zip"], sensitive=["job"])
    release = Incognito(k=2).publish(data, rng.seeded(1)).release
    kept = table.filter(pl.col("zip").is_in([str(each) for each in shown]))
    content = type(release.content)((kept,), release.content.applied)
    claims = (KAnonymity(k=2), MConfidentiality(m=m))
    return Release(content, claims, release.manifest), data


def test_the_verifier_sees_what_is_too_common() -> None:
    rows = [("1", "p"), ("1", "p"), ("2", "p"), ("2", "q"), ("3", "q"), ("3", "r")]
    cases = [([1, 2, 3], False), ([2, 3], False), ([3], False), ([2], True)]
    for shown, holds in cases:
        release, data = release_of(rows, shown, 2)
        assert verify(release, against=data).by_parts is holds, shown
    half, data = release_of(rows, [2], 2)
    fewer = Microdata.of(data.table[:3], qids=["zip"], sensitive=["job"])
    assert "no whole class" in str(verify(half, against=fewer).witness)
    with pytest.raises(DataError, match="quasi-identifiers of the release"):
        verify(half, against=Microdata.of(data.table, qids=[], sensitive=["job"]))
    swapped = Microdata.of(data.table, qids=["job"], sensitive=["zip"])
    assert "job is a quasi-identifier in the original" in str(verify(half, against=swapped).witness)


def test_values_that_need_no_protection_may_be_common() -> None:
    rows = [("ax", "p", "")] * 3 + [("bx", "p", "u"), ("bx", "q", "")]
    data = people(rows)
    method = Incognito(k=2, m_confidentiality=2, hierarchy=(("zip", ZIPS),))
    with pytest.raises(InfeasibleError, match="no m_confidentiality would do"):
        method.publish(data, rng.seeded(1))
    harmless = Microdata(
        data.table,
        data.qids,
        data.sensitive,
        data.multi_valued,
        non_sensitive={"job": frozenset("p")},
    )
    release = method.publish(harmless, rng.seeded(1)).release
    claim = release.guarantees[1]
    assert isinstance(claim, MConfidentiality)
    assert ("job", "p") in claim.non_sensitive
    assert guarantee_of(record_of(claim)) == claim
    assert verify(release, against=harmless).by_parts is True


def test_the_nearest_m_is_told() -> None:
    rows = [(zip_code, job, "") for zip_code in ("ax", "bx") for job in "pqpq"]
    method = Incognito(k=2, m_confidentiality=3, hierarchy=(("zip", ZIPS),))
    with pytest.raises(InfeasibleError, match="nearest m_confidentiality that would do is 2"):
        method.publish(people(rows), rng.seeded(1))
    with pytest.raises(ParameterError, match="at least 2"):
        Incognito(k=2, m_confidentiality=1)
    nothing = Microdata.of(pl.DataFrame({"zip": ["ax", "ax"]}), qids=["zip"], sensitive=[])
    with pytest.raises(DataError, match="at least one sensitive attribute"):
        method.publish(nothing, rng.seeded(1))
