"""Fang, Ashrafi and Ng 2011, number by number: Table 1, Examples 1 to 3, Theorems 1 and 2."""

from collections import Counter
from fractions import Fraction

import polars as pl
import pytest

from discreet import Hierarchy, Microdata, rng, verify
from discreet.tables import Codip, CodipStar, NaiveTCloseness
from discreet.tables.folding import fold
from discreet.tables.generalising.lattice import lattice_of
from discreet.tables.projection.dependence import dependence_of
from discreet.verify.t_closeness import earth_mover

RAW = pl.DataFrame(
    [
        ("white", "f", "HT", "HT", "teacher"),
        ("white", "m", "HT", "DB", "lawyer"),
        ("white", "m", "DB", "HT", "farmer"),
        ("black", "m", "AS", "AS", "teacher"),
    ],
    schema=["race", "sex", "diagnosis", "family_history", "job"],
    orient="row",
)
SECRETS = ("diagnosis", "family_history", "job")
PEOPLE = Microdata.of(RAW, qids=["race", "sex"], sensitive=SECRETS)
PLAN = (("diagnosis", "family_history"), ("job",))


@pytest.mark.parametrize(
    ("classes", "diagnosis"),
    [
        (((0, 1), (2, 3)), Fraction(1, 2)),
        (((0, 2), (1, 3)), Fraction(1, 4)),
        (((0, 3), (1, 2)), Fraction(1, 4)),
    ],
)
def test_example_1(classes: tuple[tuple[int, ...], ...], diagnosis: Fraction) -> None:
    def closeness(name: str) -> Fraction:
        column = RAW[name].to_list()
        parts = [Counter(column[row] for row in part) for part in classes]
        return max(earth_mover(part, Counter(column)) for part in parts)

    assert closeness("diagnosis") == diagnosis
    assert max(map(closeness, SECRETS)) == Fraction(1, 2)


def test_salaries_of_li_et_al() -> None:
    whole = Counter({f"{n}000": 1 for n in range(3, 12)})
    near = Counter({"6000": 1, "8000": 1, "11000": 1})
    far = Counter({"3000": 1, "4000": 1, "5000": 1})
    assert earth_mover(far, whole, "ordered") == Fraction(3, 8)
    assert earth_mover(near, whole, "ordered") == Fraction(1, 6)


def test_information_of_table_1() -> None:
    told = dependence_of(fold(PEOPLE))
    assert told.entropy == pytest.approx([1.5] * 3)
    for i in range(3):
        for j in range(3):
            assert told.mutual[i, j] == pytest.approx(float(i != j))
            assert told.exposable[i, j] == pytest.approx(float(i != j))
    assert told.association_loss(PLAN) == pytest.approx(2 / 3)
    assert told.exposure(PLAN) == pytest.approx(2 / 9)
    alone = tuple((name,) for name in SECRETS)
    assert (told.association_loss(alone), told.exposure(alone)) == (pytest.approx(1), 0)
    assert (told.association_loss((SECRETS,)), told.exposure((SECRETS,))) == (0, pytest.approx(1))


def test_one_attribute_has_nothing_to_lose_or_expose() -> None:
    told = dependence_of(fold(Microdata.of(RAW, qids=["race"], sensitive=["job"])))
    assert (told.association_loss((("job",),)), told.exposure((("job",),))) == (0, 0)


def test_values_that_are_not_sensitive_are_not_exposed() -> None:
    people = Microdata(
        PEOPLE.table,
        PEOPLE.qids,
        PEOPLE.sensitive,
        non_sensitive={"job": frozenset({"teacher"}), "diagnosis": frozenset({"HT", "DB", "AS"})},
    )
    told = dependence_of(fold(people))
    # E = P(Sens(diagnosis)) (H - I) + P(Sens(job)) (H - I), with H - I = 1/2 for every pair
    assert told.exposable[0, 2] == pytest.approx(0 * 0.5 + 0.5 * 0.5)
    assert told.exposable[0, 1] == pytest.approx(0 * 0.5 + 1 * 0.5)
    assert told.mutual == pytest.approx(dependence_of(fold(PEOPLE)).mutual)


def test_the_incognito_example() -> None:
    rows = [
        ("4712", "m", "w"), ("4713", "m", "w"), ("4712", "f", "w"),
        ("4725", "f", "b"), ("4725", "m", "w"), ("4713", "f", "w"),
    ]  # fmt: skip
    table = pl.DataFrame(rows, schema=["zip", "sex", "race"], orient="row")
    trees = {
        "zip": Hierarchy.prefixes(["4712", "4713", "4725"], [3]),
        "sex": Hierarchy.flat(["m", "f"]),
        "race": Hierarchy.flat(["w", "b"]),
    }
    scores = lattice_of(table, trees).anonymous(2, 0)
    assert set(scores.nodes) == {(0, 1, 1), (1, 1, 1), (2, 0, 1), (2, 1, 1)}
    assert set(scores.minimal) == {(0, 1, 1), (2, 0, 1)}
    costs = dict(zip(scores.nodes, scores.discernibility.tolist(), strict=True))
    assert costs == {(0, 1, 1): 12, (1, 1, 1): 20, (2, 0, 1): 18, (2, 1, 1): 36}


def test_the_plan_of_example_3_is_published_in_two_tables() -> None:
    method = Codip(k=2, t="0.5", plan=PLAN)
    release = method.publish(PEOPLE, rng.seeded(1)).release
    assert release.content.sensitive == PLAN
    assert verify(release).by_parts is True
    table = release.content.parts[1]
    assert sorted(table["job"].to_list()) == ["farmer", "lawyer", "teacher", "teacher"]


def test_everything_merges_where_nothing_forbids_it() -> None:
    # printed as "until P = null", which never comes once a single table is left
    release = CodipStar(k=2, t=1, beta=1).publish(PEOPLE, rng.seeded(1)).release
    assert len(release.content) == 1
    naive = NaiveTCloseness(k=2, t=1).publish(PEOPLE, rng.seeded(1)).release
    assert (
        naive.content.parts[0]
        .sort(pl.all())
        .equals(release.content.parts[0].select(naive.content.parts[0].columns).sort(pl.all()))
    )


def test_nothing_merges_where_everything_is_a_threat() -> None:
    release = CodipStar(k=2, t=1, beta=0).publish(PEOPLE, rng.seeded(1)).release
    assert sorted(release.content.sensitive) == [(name,) for name in SECRETS]
