"""Publishers of tables: equal to brute force, tight, true to their promises."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discreet import Hierarchy, Microdata, Release, verify
from discreet.core.guarantee import LDiversity
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.rng import seeded
from discreet.tables import Codip, CodipStar, Incognito, NaiveTCloseness
from discreet.tables.folding import fold
from discreet.tables.generalising.lattice import lattice_of
from discreet.tables.projection.plans import partitions
from discreet.tables.promises.closeness import sensitive_values
from discreet.tables.promises.n_t_closeness import superset_distances
from discreet.verify.l_diversity import diverse
from discreet.verify.t_closeness import earth_mover

AGES = [str(age) for age in range(8)]
TREES = {
    "age": Hierarchy.intervals(AGES, [2, 4]),
    "zip": Hierarchy.prefixes(["aa", "ab", "ba", "bb"]),
    "sex": Hierarchy.flat(["f", "m"]),
}
PAY = Hierarchy.of_levels([["1", "low", "*"], ["2", "low", "*"], ["3", "high", "*"]])
HIERARCHY = tuple(TREES.items())
ROW = st.tuples(
    st.sampled_from(AGES),
    st.sampled_from(["aa", "ab", "ba", "bb"]),
    st.sampled_from("fm"),
    st.sampled_from("123"),
    st.sampled_from("xyz"),
    st.sampled_from(["", "p", "p|q", "q"]),
)
ROWS = st.lists(ROW, min_size=2, max_size=25)
COLUMNS = ["age", "zip", "sex", "pay", "job", "ill"]


def people(rows: list[tuple[str, ...]]) -> Microdata:
    table = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    return Microdata.of(table, qids=COLUMNS[:3], sensitive=COLUMNS[3:], multi_valued=["ill"])


def classes(rows: list[tuple[str, ...]], node: tuple[int, ...]) -> list[list[int]]:
    """Return the rows of each class, cell by cell from the hierarchies."""
    found: dict[tuple[str, ...], list[int]] = {}
    for place, row in enumerate(rows):
        cells = zip(TREES.values(), row, node, strict=False)
        key = tuple(tree.level(cell, level) for tree, cell, level in cells)
        found.setdefault(key, []).append(place)
    return list(found.values())


def every_node() -> list[tuple[int, ...]]:
    return list(product(*(range(tree.height + 1) for tree in TREES.values())))


@given(ROWS, st.integers(1, 4), st.integers(0, 6))
def test_the_anonymous_nodes_are_those_of_brute_force(
    rows: list[tuple[str, ...]], k: int, most: int
) -> None:
    scores = lattice_of(people(rows).table, TREES).anonymous(k, most)
    wanted = {}
    for node in every_node():
        sizes = [len(part) for part in classes(rows, node)]
        small = sum(size for size in sizes if size < k)
        if small <= most and small < len(rows):
            big = sum(size * size for size in sizes if size >= k)
            wanted[node] = (small, big + small * len(rows))
    costs = zip(scores.suppressed.tolist(), scores.discernibility.tolist(), strict=True)
    assert dict(zip(scores.nodes, costs, strict=True)) == wanted
    below = {
        node
        for node in wanted
        if not any(
            other != node and all(a <= b for a, b in zip(other, node, strict=True))
            for other in wanted
        )
    }
    assert set(scores.minimal) == below


@given(ROWS)
def test_incognito_tells_the_anonymous_nodes_and_publishes_the_best(
    rows: list[tuple[str, ...]],
) -> None:
    method = Incognito(k=2, hierarchy=HIERARCHY)
    told = method.search(fold(people(rows))).scores
    assert told.nodes == lattice_of(people(rows).table, TREES).anonymous(2, 0).nodes
    levels = method.publish(people(rows), seeded(1)).release.manifest.notes["levels"]
    assert (
        told.discernibility[told.nodes.index(tuple(levels.values()))] == told.discernibility.min()
    )


@given(ROWS, st.integers(1, 3), st.sampled_from(["equal", "ordered", "hierarchical"]))
def test_the_closeness_of_a_node_is_that_of_the_definition(
    rows: list[tuple[str, ...]], k: int, kind: Any
) -> None:
    data = people(rows)
    lattice = lattice_of(data.table, TREES)
    spread = sensitive_values(lattice.records, data.table["pay"], kind, PAY)
    for node in every_node():
        kept = [part for part in classes(rows, node) if len(part) >= k]
        count = lambda places: {v: n for v in "123" if (n := sum(rows[p][3] == v for p in places))}  # noqa: E731
        whole = count([place for part in kept for place in part])
        wanted = max((earth_mover(count(part), whole, kind, PAY) for part in kept), default=0)
        tuples, sizes = lattice.classes(node)
        assert spread.closeness(tuples, sizes, k) == wanted


@given(ROWS, st.integers(1, 3), st.integers(1, 12), st.sampled_from(["equal", "ordered"]))
@settings(max_examples=40)
def test_closeness_to_supersets_is_that_of_the_definition(
    rows: list[tuple[str, ...]], k: int, n: int, kind: Any
) -> None:
    data = people(rows)
    lattice = lattice_of(data.table, TREES)
    spreads = {"pay": sensitive_values(lattice.records, data.table["pay"], kind, PAY)}
    count = lambda places: {v: sum(rows[p][3] == v for p in places) for v in "123"}  # noqa: E731
    for node in every_node():
        kept = [part for part in classes(rows, node) if len(part) >= k]
        published = {place for part in kept for place in part}
        held = [value for value, many in count(published).items() if many]
        above = [
            group
            for other in every_node()
            if all(a >= b for a, b in zip(other, node, strict=True))
            for part in classes(rows, other)
            if len(group := published.intersection(part)) >= n
        ]
        wanted = Fraction(0) if published else Fraction(2)
        for part in kept:
            groups = [group for group in above if group.issuperset(part)]
            near = (
                earth_mover(
                    {value: many for value, many in count(part).items() if many},
                    {value: many for value, many in count(group).items() if value in held},
                    kind,
                    PAY,
                )
                for group in groups
            )
            wanted = max(wanted, min(near, default=Fraction(2)))
        assert superset_distances(lattice, node, spreads, (k, n)) == {"pay": wanted}


METHODS = st.sampled_from(
    [
        NaiveTCloseness(k=2, t="0.2", n=4, hierarchy=HIERARCHY, suppression_limit="0.3"),
        CodipStar(k=2, t="0.3", n=3, on_fail="next", hierarchy=HIERARCHY),
        Codip(
            k=2,
            t="0.2",
            n=3,
            hierarchy=(*HIERARCHY, ("pay", PAY)),
            distance={"pay": "hierarchical"},
        ),
        Incognito(k=2, hierarchy=HIERARCHY),
        Incognito(k=3, hierarchy=HIERARCHY, suppression_limit="0.3"),
        Incognito(k=2, score="precision"),
        Incognito(k=2, score="class-size", hierarchy=HIERARCHY),
        NaiveTCloseness(k=2, t="0.3", hierarchy=HIERARCHY),
        Codip(k=2, t="0.3", hierarchy=HIERARCHY, beta="0.4"),
        CodipStar(k=2, t="0.4", hierarchy=HIERARCHY),
        CodipStar(k=2, t="0.25", on_fail="next", suppression_limit="0.2", hierarchy=HIERARCHY),
        CodipStar(
            k=2,
            t="0.3",
            beta=1,
            suppression_limit="0.4",
            hierarchy=(*HIERARCHY, ("pay", PAY)),
            distance={"pay": "hierarchical"},
        ),
        CodipStar(k=2, t=1, diversity=2, hierarchy=HIERARCHY),
        CodipStar(k=2, t="0.5", diversity="1.5", diversity_kind="entropy", hierarchy=HIERARCHY),
        NaiveTCloseness(
            k=2,
            t=1,
            diversity=2,
            diversity_kind="recursive",
            diversity_c=3,
            suppression_limit="0.3",
            hierarchy=HIERARCHY,
        ),
        CodipStar(
            k=2, t="0.3", suppression_limit="0.5", hierarchy=HIERARCHY, distance={"pay": "ordered"}
        ),
    ]
)


@given(ROWS, METHODS, st.integers(0, 9))
@settings(max_examples=150)
def test_a_release_keeps_its_promise_and_every_row(
    rows: list[tuple[str, ...]], method: Any, seed: int
) -> None:
    data = people(rows)
    try:
        publication = method.publish(data, seeded(seed))
    except InfeasibleError as error:
        asked = getattr(method, "n", None) or method.k
        assert len(rows) < max(asked, method.k) or "diversity" in str(error)
        return
    assert verify(publication.release).by_parts is True
    content = publication.release.content
    assert sorted(name for part in content.sensitive for name in part) == sorted(
        data.bitmap.sensitive
    )
    for number, table in enumerate(content.parts, start=1):
        records = publication.linkage_key.tables[f"rows_{number}"]["record"].to_list()
        assert len(set(records)) == len(records)
        assert len(rows) - len(records) <= Fraction(method.suppression_limit) * len(rows)
        for name in content.sensitive[number - 1]:
            held = data.bitmap.table[name].gather(records).to_list()
            assert table[name].cast(pl.String).to_list() == held


@given(ROWS)
def test_no_row_is_suppressed_that_its_class_protects(rows: list[tuple[str, ...]]) -> None:
    method = Incognito(k=3, hierarchy=HIERARCHY, suppression_limit=1)
    assume(len(rows) >= 3)
    publication = method.publish(people(rows), seeded(1))
    node = tuple(publication.release.manifest.notes["levels"].values())
    published = set(publication.linkage_key.tables["rows_1"]["record"].to_list())
    big = [part for part in classes(rows, node) if len(part) >= 3]
    assert published == {place for part in big for place in part}


@given(ROWS, st.sampled_from(["0.2", "0.4"]), st.sampled_from(["0.2", "0.6"]))
@settings(max_examples=60)
def test_no_admissible_merge_is_left(rows: list[tuple[str, ...]], t: str, beta: str) -> None:
    method = CodipStar(k=2, t=t, beta=beta, on_fail="next", hierarchy=HIERARCHY)
    planner = method.planner(fold(people(rows)))
    plan = method.projection(planner)
    for one in range(len(plan)):
        for other in range(one):
            rest = [part for place, part in enumerate(plan) if place not in (one, other)]
            merged = (*rest, (*plan[one], *plan[other]))
            assert planner.exposed(merged) or planner.nodes(merged) is None


@given(ROWS)
def test_measures_are_monotone_under_merging(rows: list[tuple[str, ...]]) -> None:
    planner = CodipStar(k=2, t=1, hierarchy=HIERARCHY).planner(fold(people(rows)))
    told = planner.dependence
    for plan in partitions(planner.generalisations.sensitive):
        if len(plan) < 2:
            continue
        merged = (*plan[2:], (*plan[0], *plan[1]))
        assert told.association_loss(merged) <= told.association_loss(plan) + 1e-9
        assert told.exposure(merged) >= told.exposure(plan) - 1e-9
        # Theorem 1, the effect of diminishing closeness
        assert planner.nearest(merged[-1]) >= max(map(planner.nearest, plan[:2]))


@given(ROWS)
@settings(max_examples=40)
def test_codip_takes_the_plan_that_loses_least(rows: list[tuple[str, ...]]) -> None:
    data = people(rows)
    method = CodipStar(k=2, t="0.3", beta="0.4", hierarchy=HIERARCHY)
    planner = method.planner(fold(data))
    content = (
        Codip(k=2, t="0.3", beta="0.4", hierarchy=HIERARCHY)
        .publish(data, seeded(1))
        .release.content
    )
    loss = planner.dependence.association_loss
    admissible = [
        loss(plan)
        for plan in partitions(data.bitmap.sensitive)
        if not planner.exposed(plan) and planner.nodes(plan) is not None
    ]
    assert loss(content.sensitive) == pytest.approx(min(admissible))
    assert loss(content.sensitive) <= loss(method.projection(planner)) + 1e-9


@given(ROWS, st.sampled_from(["distinct", "entropy", "recursive"]), st.integers(1, 3))
def test_a_node_is_diverse_where_every_class_is(
    rows: list[tuple[str, ...]], kind: Any, least: int
) -> None:
    claim = LDiversity(l=least, kind=kind, c="1.5" if kind == "recursive" else None)
    data = people(rows)
    lattice = lattice_of(data.table, TREES)
    spread = sensitive_values(lattice.records, data.table["pay"])
    for node in every_node():
        kept = [part for part in classes(rows, node) if len(part) >= 2]
        wanted = all(
            diverse(Counter(rows[place][3] for place in part).values(), claim) for part in kept
        )
        assert spread.diverse(*lattice.classes(node), (2, claim)) is wanted
        # with one value a gap: what is left of each class must be diverse by itself
        gaps = data.table["pay"].replace(rows[0][3], "?")
        known = [[rows[p][3] for p in part if rows[p][3] != rows[0][3]] for part in kept]
        wanted = all(diverse(Counter(values).values(), claim) for values in known)
        found = sensitive_values(lattice.records, gaps).diverse(*lattice.classes(node), (2, claim))
        assert found is wanted


SMALL = people(
    [
        ("1", "aa", "f", "1", "x", "p"),
        ("2", "ab", "m", "2", "y", ""),
        ("7", "bb", "m", "1", "x", "q"),
    ]
)


def test_what_cannot_be_is_refused_with_the_nearest_that_can() -> None:
    rng = seeded(1)
    with pytest.raises(InfeasibleError, match="n must be at most the number of rows, 3, got 4"):
        CodipStar(k=1, t=1, n=4).publish(SMALL, rng)
    with pytest.raises(InfeasibleError, match=r"superset of 2 rows; the nearest t .* is 0\.666667"):
        NaiveTCloseness(k=1, t="0.1", n=2, discernibility_limit=3).publish(SMALL, rng)
    twins = people([("1", "aa", "f", "1", "x", "p")] * 2 + [("7", "bb", "m", "1", "x", "q")])
    with pytest.raises(InfeasibleError, match="publishes the 3 rows that n asks for; lower n"):
        NaiveTCloseness(k=2, t=1, n=3, suppression_limit="0.5", discernibility_limit=8).publish(
            twins, rng
        )
    with pytest.raises(InfeasibleError, match="at most the number of rows, 3, got 4"):
        Incognito(k=4).publish(SMALL, rng)
    with pytest.raises(InfeasibleError, match="nearest limit that would do is 9"):
        NaiveTCloseness(k=2, t=1, discernibility_limit=5).publish(SMALL, rng)
    with pytest.raises(InfeasibleError, match=r"nearest alpha that would do is 0\.578075"):
        CodipStar(k=2, t=1, alpha="0.5", beta=0).publish(SMALL, rng)
    plan = (tuple(SMALL.bitmap.sensitive),)
    with pytest.raises(InfeasibleError, match="nearest beta that would do is 1"):
        Codip(k=2, t=1, beta="0.5", plan=plan).publish(SMALL, rng)
    with pytest.raises(InfeasibleError, match=r"nearest t that would do is 0\.666667"):
        NaiveTCloseness(k=1, t="0.1", discernibility_limit=3).publish(SMALL, rng)


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        (lambda: Incognito(k=0), "k must be"),
        (lambda: Incognito(k=2, suppression_limit=2), "share from 0 to 1"),
        (lambda: CodipStar(k=2, t=2), "t must be"),
        (lambda: CodipStar(k=2, t=1, beta="-1"), "beta must be"),
        (lambda: Codip(k=2, t=1, distance={"pay": "far"}), "must be one of equal"),
        (lambda: Codip(k=2, t=1, discernibility_limit=0), "discernibility_limit"),
        (lambda: Codip(k=2, t=1, n=0), "n must be"),
    ],
)
def test_parameters_out_of_range_are_refused(method: Any, complaint: str) -> None:
    with pytest.raises(ParameterError, match=complaint):
        method()


@pytest.mark.parametrize(
    ("method", "complaint"),
    [
        (Incognito(k=2, hierarchy=(("sax", PAY),)), "'sax' is not one"),
        (Incognito(k=2, hierarchy=(("age", PAY),)), "'age' must be in its hierarchy.* row 3"),
        (Codip(k=2, t=1, plan=(("pay",),)), "'job' is missing"),
        (Codip(k=2, t=1, plan=(("pay", "age"),)), "'age' is not one"),
        (Codip(k=2, t=1, plan=(("pay",), ("pay",))), "'pay' occurs twice"),
        (Codip(k=2, t=1, distance={"age": "ordered"}), "'age' is not one"),
        (Codip(k=2, t=1, distance={"job": "hierarchical"}), "needs its hierarchy"),
        (Codip(k=2, t=1, distance={"job": "ordered"}), "numbers or intervals"),
    ],
)
def test_what_does_not_fit_the_table_is_refused(method: Any, complaint: str) -> None:
    with pytest.raises((ParameterError, DataError), match=complaint):
        method.publish(SMALL, seeded(1))


def test_tables_need_quasi_identifiers_and_secrets() -> None:
    table = SMALL.table
    with pytest.raises(DataError, match="quasi-identifier"):
        Incognito(k=1).publish(Microdata.of(table, qids=[], sensitive=["job"]), seeded(1))
    with pytest.raises(DataError, match="sensitive attribute"):
        CodipStar(k=1, t=1).publish(Microdata.of(table, qids=["age"], sensitive=[]), seeded(1))


def test_a_hierarchy_made_from_the_data_shows_published_values_only(tmp_path: Any) -> None:
    rows = [("1", "aa", "f", "1", "x", "p")] * 3 + [("2", "ab", "m", "2", "y", "")] * 3
    rows.append(("7", "bb", "m", "1", "x", "q"))
    data = people(rows)
    method = Incognito(k=3, suppression_limit="0.2")
    method.publish(data, seeded(1)).save(tmp_path / "r")
    content = Release.load(tmp_path / "r").content
    assert content.qids == ("age", "zip", "sex")
    assert set(content.applied["age"]["child"]) == {"1", "2"}
    assert set(content.applied["zip"]["child"]) == {"aa", "ab"}
    assert content.parts[0].columns == ["age", "zip", "sex", "pay", "job", "ill=p", "ill=q"]
    assert sorted(content.parts[0].select("ill=p", "ill=q").rows()) == [(0, 0)] * 3 + [(1, 0)] * 3


def test_tables_are_shuffled_independently() -> None:
    rows = [(AGES[n % 2], "aa", "f", "123"[n % 3], "xyz"[n // 7 % 3], "p") for n in range(60)]
    method = CodipStar(k=2, t=1, beta=0, hierarchy=HIERARCHY)
    keep = method.publish(people(rows), seeded(4)).linkage_key
    orders = [table["record"].to_numpy() for table in keep.tables.values()]
    assert len(orders) == 3
    for place, order in enumerate(orders):
        assert sorted(order.tolist()) == list(range(60))
        assert not np.array_equal(order, np.arange(60))
        assert all(not np.array_equal(order, other) for other in orders[:place])


def test_a_column_has_one_hierarchy() -> None:
    with pytest.raises(ParameterError, match="'age' has two"):
        Incognito(k=2, hierarchy=(("age", PAY), ("age", PAY)))


@st.composite
def ladders(draw: st.DrawFn) -> Hierarchy:
    """A table of levels in which labels may stay the same from level to level."""
    at = list(ZIP_CODES)
    rows = [[code] for code in ZIP_CODES]
    for level in range(draw(st.integers(1, 3))):
        one, other = draw(st.sampled_from(at)), draw(st.sampled_from(at))
        merged = one if one == other else f"{level}:{one}{other}"
        at = [merged if label in (one, other) else label for label in at]
        for row, label in zip(rows, at, strict=True):
            row.append(label)
    return Hierarchy.of_levels([*row, "*"] for row in rows)


ZIP_CODES = ("aa", "ab", "ba", "bb", "cc")


@given(ladders(), st.lists(st.sampled_from(ZIP_CODES), min_size=4, max_size=12), st.integers(2, 4))
def test_levels_are_those_that_a_reader_of_the_release_counts(
    tree: Hierarchy, codes: list[str], k: int
) -> None:
    rows = [(code, "pq"[place % 2]) for place, code in enumerate(codes * 2)]
    table = pl.DataFrame(rows, schema=["zip", "job"], orient="row")
    data = Microdata.of(table, qids=["zip"], sensitive=["job"])
    method = Incognito(k=k, hierarchy=(("zip", tree),), m_confidentiality=2)
    try:
        publication = method.publish(data, seeded(1))
    except InfeasibleError:
        assume(False)
    release = publication.release
    level = release.manifest.notes["levels"]["zip"]
    read = Hierarchy.of_tables({"hierarchy": release.content.applied["zip"]})
    assert release.manifest.notes["heights"]["zip"] == read.height
    lifted = [read.level(code, level) for code in codes * 2]
    assert set(release.content.parts[0]["zip"]) <= set(lifted)
    assert verify(release, against=data).by_parts is True


def test_a_coded_cell_that_the_hierarchy_lacks_is_told_as_such() -> None:
    table = pl.DataFrame({"age": ["79", ">=80"]})
    data = Microdata.of(table, qids=["age"], sensitive=[])
    tree = Hierarchy.flat(["79", "85"])
    with pytest.raises(DataError, match="by its name after top or bottom coding"):
        Incognito(k=1, hierarchy=(("age", tree),)).publish(data)
