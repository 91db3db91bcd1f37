"""What somebody at a Python prompt expects, line by line."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import sparse

import discreet
from discreet import (
    Constraints,
    DataError,
    Hierarchy,
    LinkageKey,
    Microdata,
    Network,
    ParameterError,
    Release,
    SocialNetwork,
    Transactions,
    audit,
    rng,
    verify,
)
from discreet.counts import AplKiller
from discreet.generalised import Coat, Km
from tests import samples

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

LONG = {"id": ["Ann", "Bob", "Ann", "Cy"], "item": ["beer", " bread", "bread ", None]}
BASKETS = [("beer", "bread"), ("bread",), ()]


@pytest.mark.parametrize(
    "frame",
    [pl.DataFrame(LONG), pl.LazyFrame(LONG), pd.DataFrame(LONG), pa.table(LONG)],
    ids=["polars", "lazy", "pandas", "pyarrow"],
)
def test_transactions_from_a_frame(frame: Any) -> None:
    baskets = Transactions.from_frame(frame)
    assert list(baskets) == BASKETS
    assert baskets.ids.tolist() == ["Ann", "Bob", "Cy"]


def test_transactions_from_other_columns_numbers_and_lists() -> None:
    frame = pd.DataFrame({"who": [7, 7, 8], "what": [1, 2, 2]})
    assert list(Transactions.from_frame(frame, id="who", item="what")) == [("1", "2"), ("2",)]
    lists = pl.DataFrame({"id": ["a", "b"], "item": [["x", "y", "x"], []]})
    assert list(Transactions.from_frame(lists)) == [("x", "y"), ()]


def test_a_frame_without_the_column_or_an_id_is_refused() -> None:
    with pytest.raises(ParameterError, match="there are the columns id, item") as refused:
        Transactions.from_frame(pl.DataFrame(LONG), item="items")
    assert refused.value.parameter == "item"
    with pytest.raises(DataError, match="row 2 does not"):
        Transactions.from_frame(pl.DataFrame({"id": ["a", None], "item": ["x", "y"]}))
    with pytest.raises(ParameterError, match="pandas, polars or pyarrow"):
        Transactions.from_frame([{"beer"}])


MATRIX = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0]])


@pytest.mark.parametrize(
    ("records", "baskets"),
    [
        ([{"beer", "bread"}, ["bread"], ()], BASKETS),
        ({"Ann": {"beer", "bread"}, "Bob": ["bread"], "Cy": ()}, BASKETS),
        (({"beer", "bread"}, {"bread"}, set()), BASKETS),
        (MATRIX, [("0", "2"), (), ("1",)]),
        (MATRIX.astype(bool), [("0", "2"), (), ("1",)]),
        (sparse.csr_matrix(MATRIX), [("0", "2"), (), ("1",)]),
        (sparse.coo_array(MATRIX), [("0", "2"), (), ("1",)]),
    ],
    ids=["sets", "mapping", "tuple", "matrix", "truth values", "csr", "coo"],
)
def test_transactions_of(records: Any, baskets: list[tuple[str, ...]]) -> None:
    assert list(Transactions.of(records)) == baskets


def test_a_mapping_says_who_and_a_universe_names_columns() -> None:
    assert Transactions.of({"Ann": ["x"], 7: ["y"]}).ids.tolist() == ["Ann", "7"]
    assert list(Transactions.of(MATRIX, universe=["a", "b", "c"])) == [("a", "c"), (), ("b",)]


@pytest.mark.parametrize(
    ("records", "cure"),
    [
        ("baskets.dat", "Transactions.read"),
        (b"beer", "Transactions.read"),
        (["beer", "bread"], "record 1 is of type str"),
        ({"Ann": "beer"}, "record 1 is of type str"),
        ({"Ann": 1}, "record 1 is of type int"),
        ([{"Ann": "beer"}], "record 1 is of type dict"),
        (pl.DataFrame(LONG), "Transactions.from_frame"),
        (pl.LazyFrame(LONG), "Transactions.from_frame"),
        (pd.DataFrame(LONG), "Transactions.from_frame"),
        (pa.table(LONG), "Transactions.from_frame"),
        (np.array([[1, 2]]), "0 and 1"),
        (5, "got something of type int"),
    ],
)
def test_nothing_becomes_letters(records: Any, cure: str) -> None:
    with pytest.raises(ParameterError, match=cure) as refused:
        Transactions.of(records)
    assert refused.value.parameter == "records"


def test_names_are_trimmed_and_normalised_on_every_side() -> None:
    coffee, decomposed = "caf\N{LATIN SMALL LETTER E WITH ACUTE}", "cafe\N{COMBINING ACUTE ACCENT}"
    baskets = Transactions.of([{f" {decomposed}"}], universe=[f"{coffee} "], sensitive=[decomposed])
    assert (baskets.universe, baskets.sensitive) == ((coffee,), {coffee})
    for texts in ([decomposed, " tea "], list(np.array([decomposed, " tea "]))):
        universe = AplKiller(epsilon=1, universe=texts).universe
        assert universe == (coffee, "tea")
        assert {type(item) for item in universe} == {str}
    with pytest.raises(DataError, match="record 2 holds one without"):
        Transactions.of([{"a"}, {" "}])
    with pytest.raises(ParameterError, match="got a text"):
        Transactions.of([{"a"}], sensitive="a")


PEOPLE = {"age ": [39, 40], "ill": ["flu ", None]}


@pytest.mark.parametrize(
    "table",
    [PEOPLE, pl.DataFrame(PEOPLE), pl.LazyFrame(PEOPLE), pd.DataFrame(PEOPLE), pa.table(PEOPLE)],
    ids=["mapping", "polars", "lazy", "pandas", "pyarrow"],
)
def test_microdata_of_a_table(table: Any) -> None:
    people = Microdata.of(table, qids=["age"], sensitive=["ill"])
    assert [people[row] for row in (0, -1)] == [
        {"age": "39", "ill": "flu"},
        {"age": "40", "ill": "?"},
    ]
    assert people == Microdata.from_frame(table, qids=["age"], sensitive=["ill"])


def test_microdata_of_no_table_is_refused() -> None:
    with pytest.raises(ParameterError, match="pandas, polars or pyarrow"):
        Microdata.of([1, 2], qids=["age"], sensitive=["ill"])


NOUNS = [samples.PLAYLISTS, samples.PATIENTS, samples.CIRCLE, samples.FRIENDS]


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: type(noun).__name__)
def test_a_noun_leaves_for_a_frame(noun: Any) -> None:
    table = noun.to_polars()
    assert table.height
    assert noun.to_pandas().shape == table.shape
    assert noun.to_arrow().num_rows == table.height


def test_a_release_leaves_for_frames() -> None:
    tables = samples.PUBLISHED.to_polars()
    assert {name: len(frame) for name, frame in samples.PUBLISHED.to_pandas().items()} == {
        name: table.num_rows for name, table in samples.PUBLISHED.to_arrow().items()
    }
    assert samples.PUBLISHED["itemsets"].equals(tables["itemsets"])
    assert samples.PUBLISHED.head(2)["itemsets"].height == 2
    with pytest.raises(KeyError, match="itemsets"):
        samples.PUBLISHED["nothing"]


def test_data_are_equal_by_what_they_hold() -> None:
    one, again = Transactions.of([{"a"}, {"b"}]), Transactions.of([["a"], ["b"]])
    assert one == again
    assert hash(one) == hash(again)
    assert one != Transactions.of([{"a"}, {"a", "b"}])
    assert one != Transactions.of({"Ann": {"a"}, "Bob": {"b"}})
    assert one != "sets"
    assert samples.PATIENTS.head(3) != samples.PATIENTS
    assert (
        Network(samples.FRIENDS.count, samples.FRIENDS.edges, samples.FRIENDS.ids)
        == samples.FRIENDS
    )
    assert SocialNetwork.of(samples.PLAYLISTS, samples.CIRCLE.to_polars().rows()) == samples.CIRCLE


def test_trees_and_constraints_are_equal_by_what_they_hold_and_shown_by_how_much() -> None:
    trees = [Hierarchy.of_pairs([("HIV", "viral"), ("flu", "viral")]) for _ in range(2)]
    assert trees[0] == trees[1]
    assert hash(trees[0]) == hash(trees[1])
    assert trees[0] != Hierarchy.of_pairs([("HIV", "viral"), ("cold", "viral")])
    assert repr(trees[0]) == "Hierarchy(2 values, height 1)"
    protected = Constraints.of([["HIV", "flu"], ["flu"]])
    assert protected == Constraints.of([["flu", "HIV"], ["flu"]])
    assert protected != Constraints.of([["flu", "HIV"], ["flu"]], least=[9, 0])
    assert protected._repr_html_() == "<code>Constraints(2 itemsets over 2 items)</code>"
    assert "HIV" not in repr(Coat(k=2, privacy=protected))


def test_releases_are_equal_by_what_they_say() -> None:
    def made(seed: int) -> Release[Any]:
        return AplKiller(epsilon=1, universe=("a", "b")).publish(SMALL, rng.seeded(seed)).release

    assert made(1) == made(1)
    assert hash(made(1)) == hash(made(1))
    assert made(1) != made(2)


SMALL = Transactions.of([["a"]] * 30 + [["a", "b"]] * 20)


def test_records_are_asked_for_by_number() -> None:
    baskets = Transactions.of({"Ann": ["x"], "Bob": [], "Cy": ["y", "x"]})
    assert (baskets[0], baskets[-1]) == (("x",), ("x", "y"))
    assert baskets[1:] == Transactions.of({"Bob": [], "Cy": ["y", "x"]})
    assert list(baskets.head(1)) == [("x",)]
    with pytest.raises(IndexError):
        baskets[3]
    people = Microdata.of(PEOPLE, qids=["age"], sensitive=["ill"])
    assert people[0:1] == people.head(1)
    assert [people[1:][row] for row in range(len(people) - 1)] == [people[1]]


@pytest.mark.parametrize(
    "shown",
    [*NOUNS, samples.PUBLISHED, samples.PLAYLISTS.sets],
    ids=lambda value: type(value).__name__,
)
def test_what_is_shown_is_sizes_and_never_records(shown: Any) -> None:
    secret = ("psalms", "person 1", "nurse", "p1", "beer", "[[")
    for text in (repr(shown), shown._repr_html_()):
        assert any(letter.isdigit() for letter in text)
        assert not any(record in text for record in secret)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"k": 2.5, "m": 2}, "k"),
        ({"k": True, "m": 2}, "k"),
        ({"k": "2", "m": 2}, "k"),
        ({"k": 2, "m": None}, "m"),
    ],
)
def test_a_wrong_type_is_refused_at_construction(wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(ParameterError, match="whole number") as refused:
        Km(**wrong)
    assert refused.value.parameter == field


def test_an_unknown_word_and_an_empty_tuple_are_refused_at_construction() -> None:
    with pytest.raises(ParameterError, match="one of clamp, reject-calibrated, paper") as refused:
        AplKiller(epsilon=1, boundary_noise="reject")
    assert refused.value.parameter == "boundary_noise"
    with pytest.raises(ParameterError) as refused:
        AplKiller(epsilon=1, c1=())
    assert refused.value.parameter == "c1"
    assert AplKiller(epsilon=1, universe=["a", "b"]).universe == ("a", "b")


def test_randomness_is_secure_or_seeded() -> None:
    assert (rng.secure().seeded, rng.seeded(3).seeded) == (False, True)
    drawn = rng.discrete_laplace(50, Fraction(1, 2), rng.seeded(3))
    assert rng.discrete_laplace(50, 0.5, rng.seeded(3)).tolist() == drawn.tolist()
    assert rng.discrete_laplace(50, "1/2").shape == (50,)
    with pytest.raises(ParameterError) as refused:
        rng.discrete_laplace(1, 0)
    assert refused.value.parameter == "rate"


@pytest.mark.parametrize("seed", [None, 2.5, "5", True])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(ParameterError, match="whole number") as refused:
        rng.seeded(seed)
    assert refused.value.parameter == "n"
    assert (
        rng.seeded(np.int64(3)).integers(99, 5).tolist() == rng.seeded(3).integers(99, 5).tolist()
    )


@pytest.mark.parametrize("size", [-1, 2.5, "3", True, None])
def test_noise_is_drawn_so_many_times(size: Any) -> None:
    with pytest.raises(ParameterError, match="whole number") as refused:
        rng.discrete_laplace(size, 1)
    assert refused.value.parameter == "size"
    with pytest.raises(ParameterError, match=r"rng must be made by rng.secure\(\)"):
        rng.discrete_laplace(1, 1, np.random.default_rng(1))


def test_a_verdict_is_no_truth_value() -> None:
    verdicts = verify(samples.PUBLISHED)
    for answer in (verdicts, verdicts.parts[0]):
        with pytest.raises(TypeError, match="holds is True"):
            bool(answer)


def test_an_audit_gives_the_verdict_of_the_command() -> None:
    method = Km(k=20, m=2)
    published = method.publish(samples.BASKETS, rng.secure())
    judgement = audit(published.release, against=samples.BASKETS, key=published.linkage_key)
    assert judgement.level in ("release", "release with care", "do not release", "not checked")
    assert audit(method.publish(samples.BASKETS, rng.seeded(1)).release).level != "release"


def test_the_house_has_a_version_and_all_nouns_and_errors_at_the_top() -> None:
    assert discreet.__version__ == "0.1.0"
    nouns = [
        "Transactions",
        "Microdata",
        "SocialNetwork",
        "Network",
        "Hierarchy",
        "Constraints",
        "Release",
    ]
    errors = ["DataError", "ParameterError", "InfeasibleError", "DiscreetError"]
    assert {*nouns, *errors, "Publication", "LinkageKey", "rng", "verify", "audit"} <= set(
        discreet.__all__
    )
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = discreet.nothing


def test_importing_the_house_loads_nothing_heavy() -> None:
    heavy = "{'polars', 'pandas', 'pyarrow', 'scipy', 'numba', 'discreet.study'}"
    code = f"import discreet, sys; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_publication_stands_for_its_release_everywhere() -> None:
    from discreet.generalised import SinglingOut

    publication = Km(k=3, m=2).publish(Transactions.of([["beer", "bread"]] * 3 + [["bread"]] * 3))
    release, key = publication.release, publication.linkage_key
    assert verify(publication) == verify(release, key=key)
    assert audit(publication) == audit(release, key=key)
    assert SinglingOut().attack(publication) == SinglingOut().attack(release)
    assert SinglingOut().attack([publication]) == SinglingOut().attack([release])
    assert verify(release, after=publication) == verify(release, after=[release])


def test_a_key_made_in_python_confirms_its_data_and_refuses_others(tmp_path: Path) -> None:
    data = Transactions.of([["beer", "bread"]] * 60 + [["bread"]] * 40)
    other = Transactions.of([["beer"]] * 60 + [["bread"]] * 40)
    made, another = (Km(k=5, m=2).publish(people).keyed(people) for people in (data, other))
    assert made.linkage_key is not None
    key = LinkageKey.load(made.linkage_key.save(tmp_path / "key"))
    assert audit(made.release, against=data, key=key).level == "release"
    for ask in (verify, audit):
        with pytest.raises(DataError, match="the data must be those that were published"):
            ask(made, against=other)
        with pytest.raises(DataError, match="it is that of another"):
            ask(made.release, against=data, key=another.linkage_key)


@pytest.mark.parametrize("value", [None, "release", 3, [["beer"]]])
def test_what_is_no_release_is_refused_by_name(value: Any) -> None:
    from discreet.generalised import SinglingOut

    for verb, name in ((verify, "release"), (audit, "release"), (SinglingOut().attack, "releases")):
        with pytest.raises(ParameterError, match="must be a release or a publication") as refused:
            verb(value)
        assert refused.value.parameter == name


@pytest.mark.parametrize("verb", [verify, audit])
@pytest.mark.parametrize(
    "beside", [{"against": [["beer"]]}, {"key": "key"}, {"after": [3]}, {"privacy": [["beer"]]}]
)
def test_evidence_of_another_kind_is_refused_by_name(verb: Any, beside: dict[str, Any]) -> None:
    release = Km(k=3, m=2).publish(Transactions.of([["beer"]] * 6)).release
    with pytest.raises(ParameterError) as refused:
        verb(release, **beside)
    assert refused.value.parameter == next(iter(beside))
