from collections.abc import Mapping
from dataclasses import dataclass, field, make_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import rng
from discreet.catalog import (
    ATTACKS,
    NOUNS,
    PUBLISHERS,
    REQUIRED,
    SYNTAXES,
    Measure,
    entries,
    find,
    measures_of,
    noun_behind,
    parameters_of,
    scorer_of,
    truths_of,
)
from discreet.catalog.reading import ReleaseFolder, SetsFile
from discreet.catalog.syntax import bare, syntax_of
from discreet.core.constraints import Constraints
from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.core.hierarchy import Hierarchy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.microdata import Microdata
from discreet.core.publication import LinkageKey
from discreet.core.publisher import manifest_of
from discreet.core.release import Release
from discreet.core.synthetic_people import SyntheticPeople
from discreet.core.transactions import Transactions
from discreet.counts import AplKiller
from discreet.errors import DataError, ParameterError
from tests import samples
from tests.cli.planted import PLAIN_TEXT
from tests.releases import as_released


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """One field of each kind."""

    epsilon: Annotated[Exact, Doc("The budget, over two lines.")]
    c1: Annotated[Exact | tuple[Exact, ...], Doc("A vector.")] = 1
    fan_out: Annotated[int | tuple[int, ...], Doc("Children.")] = (4, 2)
    how: Annotated[Literal["fast", "slow"], Doc("How it is used.")] = "fast"
    items: Annotated[tuple[str, ...], Doc("What is known.")] = field(
        default=(), metadata={"option": "--knows"}
    )
    names: Annotated[Mapping[str, str], Doc("Names.")] = field(default_factory=dict)


def reader(kind: Any) -> Any:
    return lambda text: syntax_of(kind).read("field", text)


def test_every_method_is_described() -> None:
    assert [entry.method for entry in entries()] == [
        offered.method for offered in (*PUBLISHERS, *ATTACKS)
    ]
    for entry in entries():
        assert entry.summary.endswith(".")
        assert entry.source
        assert entry.data in NOUNS
        assert all(
            parameter.help and parameter.syntax for parameter in (*entry.parameters, *entry.facts)
        )


def test_apl_killer_is_described_by_its_own_fields() -> None:
    entry = find("apl-killer")
    assert (entry.kind, entry.data, entry.contents) == (
        "publisher",
        Transactions,
        (ItemsetHistogram,),
    )
    assert entry.takes_universe
    options = {parameter.option: parameter for parameter in entry.parameters}
    assert set(options) >= {"--epsilon", "--fan-out", "--c1", "--c2", "--max-size", "--universe"}
    assert [name for name, parameter in options.items() if parameter.required] == ["--epsilon"]
    assert options["--epsilon"].default is REQUIRED
    assert options["--fan-out"].default == 4
    assert options["--boundary-noise"].choices == ("clamp", "reject-calibrated", "paper")


def test_an_attack_says_what_it_attacks_and_what_may_be_known() -> None:
    entry = find("attribute-linkage", "attack")
    assert (entry.kind, entry.data, entry.contents) == (
        "attack",
        Release,
        (ItemsetHistogram, SyntheticPeople),
    )
    assert [fact.option for fact in entry.facts] == ["--knows"]
    assert not entry.takes_universe


def test_a_planted_method_is_on_offer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.catalog.entry.PUBLISHERS", (PLAIN_TEXT,))
    entry = find("plain-text")
    assert entry.summary == "Publish everything as it is."
    assert entry.source == "Nobody, Journal of Bad Ideas 1, 1999."
    assert entry.contents == (Transactions,)
    assert [parameter.option for parameter in entry.parameters] == [
        "--k",
        "--mood",
        "--how-long",
        "--after",
    ]
    assert not entry.takes_universe


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("apl-kiler", "apl-killer"), ("AplKiller", "apl-killer"), ("linkage", "attribute-linkage")],
)
def test_a_typing_error_gets_the_nearest_name(typed: str, meant: str) -> None:
    with pytest.raises(ParameterError, match=f"did you mean {meant}"):
        find(typed)


def test_a_name_near_nothing_gets_all_names() -> None:
    with pytest.raises(ParameterError, match="there are apl-killer, diff-part"):
        find("zzz", "publisher")


def test_an_attack_is_no_publisher() -> None:
    with pytest.raises(ParameterError, match="no publisher called 'attribute-linkage'"):
        find("attribute-linkage", "publisher")


def test_fields_become_parameters() -> None:
    parts = {parameter.name: parameter for parameter in parameters_of(Choices)}
    assert parts["epsilon"].help == "The budget, over two lines."
    assert parts["epsilon"].required
    assert parts["epsilon"].written_default is None
    assert parts["c1"].written_default == 1
    assert parts["fan_out"].written_default == [4, 2]
    assert parts["fan_out"].help == "Children."
    assert parts["how"].choices == ("fast", "slow")
    assert parts["how"].usage == "fast|slow"
    assert parts["items"].option == "--knows"
    assert parts["names"].default == {}


@pytest.mark.parametrize("kind", [int, Annotated[int, "no words"], Annotated[complex, Doc("?")]])
def test_a_field_that_is_mistyped_or_says_nothing_is_an_error(kind: Any) -> None:
    planted = make_dataclass("Planted", [("k", kind)])
    with pytest.raises(TypeError, match=r"Doc in its annotation|add the type to SYNTAXES"):
        parameters_of(planted)


def test_a_record_is_plain() -> None:
    import json

    for entry in entries():
        assert json.loads(json.dumps(entry.record()))["name"] == entry.name


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Exact, " 0.10", "0.10"),
        (Exact | None, "1/3", "1/3"),
        (Exact | tuple[Exact, ...], "1", "1"),
        (Exact | tuple[Exact, ...] | None, "1,1,.5", ("1", "1", ".5")),
        (int | None, "4", 4),
        (int | tuple[int, ...], "4,2", (4, 2)),
        (str | None, ";", ";"),
        (Path | None, "out", Path("out")),
        (Literal["a", "b"] | None, "a", "a"),
        (tuple[str, ...], 'beer, bread,"salt, fine"', ("beer", "bread", "salt, fine")),
        (
            Mapping[str, str] | None,
            "id=userID, item=a=b",
            {"id": "userID", "item": "a=b"},
        ),
    ],
)
def test_text_is_read_by_type(kind: Any, text: str, value: Any) -> None:
    assert reader(kind)(text) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Exact, "much"),
        (Exact, ""),
        (tuple[str, ...], ""),
        (Exact, "nan"),
        (Exact | tuple[Exact, ...], "1,"),
        (int, "4.5"),
        (int | tuple[int, ...], "4,,2"),
        (tuple[str, ...], "beer,,bread"),
        (tuple[str, ...], "beer\rbread"),
        (Mapping[str, str], "id"),
        (Mapping[str, str], "id="),
        (Mapping[str, str], "id=a,id=b"),
        (Mapping[str, str], ""),
    ],
)
def test_what_cannot_be_read_names_the_field(kind: Any, text: str) -> None:
    with pytest.raises(ParameterError, match=r"^field must .*got"):
        reader(kind)(text)


@given(st.text())
def test_no_text_breaks_a_reader(text: str) -> None:
    for kind in (int, int | tuple[int, ...], tuple[str, ...], Mapping[str, str]):
        try:
            reader(kind)(text)
        except ParameterError as error:
            assert error.parameter == "field"


def test_public_files_are_read(tmp_path: Path) -> None:
    listed, pairs, tree = tmp_path / "items", tmp_path / "constraints", tmp_path / "tree.csv"
    listed.write_text("beer\nbread\n")
    pairs.write_text("beer bread\nsalt\n")
    tree.write_text("child,parent\nbeer,drink\ntea,drink\n")
    assert reader(tuple[str, ...] | None)(listed) == ("beer", "bread")
    assert reader(Constraints | None)(pairs).itemsets == (("beer", "bread"), ("salt",))
    assert reader(Hierarchy | None)(tree).root == "drink"


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    for kind in (tuple[str, ...] | None, Constraints, Hierarchy, tuple[Release[Any], ...]):
        with pytest.raises(DataError, match="nowhere"):
            reader(kind)(str(tmp_path / "nowhere"))


def test_releases_are_repeated_whatever_they_hold() -> None:
    kind = tuple[Release[ItemsetHistogram], ...]
    assert syntax_of(kind) is SYNTAXES[tuple[Release[Any], ...]]
    assert syntax_of(kind).repeated


def test_a_type_without_syntax_is_refused() -> None:
    with pytest.raises(TypeError, match="add the type to SYNTAXES"):
        syntax_of(complex)


def test_the_manifest_says_what_the_table_says() -> None:
    method = AplKiller(epsilon=Fraction(1, 2), fan_out=(4, 2), c1=("1", ".5"), par="paper")
    parameters = manifest_of(method, "apl-killer", rng.seeded(1)).parameters
    parts = {parameter.name: parameter for parameter in parameters_of(AplKiller)}
    assert parameters["epsilon"] == "1/2"
    assert {"fan_out", "c1", "par", "max_size"} < set(parameters)
    for name, value in parameters.items():
        chosen = getattr(method, name)
        assert value == (None if chosen is None else parts[name].syntax.written(chosen))


def test_none_is_taken_off_a_type() -> None:
    assert bare(int | None) is int
    assert bare(Exact | tuple[Exact, ...] | None) == Exact | tuple[Exact, ...]


def test_each_noun_is_read_by_its_own_choices(tmp_path: Path) -> None:
    source, secret = tmp_path / "sets.csv", tmp_path / "secret"
    source.write_text("who,what\nann,beer\nann,bread\nbob,bread\n")
    secret.write_text("beer\n")
    columns = {"id": "who", "item": "what"}
    data = SetsFile(columns=columns, sensitive=("beer",)).read(str(source))
    assert sorted(data) == [("beer", "bread"), ("bread",)]
    assert data.sensitive == {"beer"}
    assert SetsFile(columns=columns).read(str(source)).sensitive == frozenset()
    with pytest.raises(DataError):
        ReleaseFolder().read(str(tmp_path))


def test_measures_are_found_by_noun_and_content() -> None:
    histogram = ItemsetHistogram.of({("a",): 1})
    assert "histogram_measures" in measures_of(histogram, Transactions)
    assert measures_of(object(), Transactions) == {}


def test_what_scores_claims_is_found_by_what_was_attacked() -> None:
    histogram = as_released(ItemsetHistogram.of({("a",): 1}))
    scorer = scorer_of([histogram])
    assert (scorer.data, scorer.takes_control) == (Transactions, True)
    assert scorer_of([as_released(object())]) is None
    assert Transactions in truths_of((ItemsetHistogram,))
    assert Microdata not in truths_of((ItemsetHistogram,))
    assert {Microdata, Transactions} <= set(truths_of(()))


def test_a_measure_gets_the_key_only_where_it_takes_one() -> None:
    def plain(data: Any, release: Any) -> Any:
        return data, release

    def keyed(data: Any, release: Any, *, key: Any = None) -> Any:
        return data, release, key

    release, key = as_released(object()), LinkageKey({})
    assert Measure(function=plain, data=int, contents=())(1, release, key) == (1, release)
    assert Measure(function=keyed, data=int, contents=(), takes_key=True)(1, release, key) == (
        1,
        release,
        key,
    )


def test_a_measure_gets_only_the_knowledge_it_can_use() -> None:
    def informed(data: Any, release: Any, *, key: Any = None, knowledge: Any = None) -> Any:
        return data, release, key, knowledge

    release, key = as_released(object()), LinkageKey({})
    measure = Measure(function=informed, data=int, contents=(), takes_key=True, knowledge=str)
    assert measure(1, release, key, "words") == (1, release, key, "words")
    assert measure(1, release, key, 7) == (1, release, key, None)


def test_what_a_class_shares_with_others_has_its_words_and_stands_after_its_own() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Shared:
        k: Annotated[int, Doc("How many.")]
        limit: Annotated[int, Doc("How much.")] = 0

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Special(Shared):
        style: Annotated[str, Doc("How it looks.")] = "plain"

    documented = [(parameter.name, parameter.help) for parameter in parameters_of(Special)]
    assert documented == [("k", "How many."), ("style", "How it looks."), ("limit", "How much.")]


def test_the_data_behind_a_release_are_known_by_its_content() -> None:
    for method, (instance, data) in samples.PUBLISHERS.items():
        content = instance.publish(data, rng.seeded(1)).release.content
        noun = noun_behind(content)
        assert noun in NOUNS, method
        assert noun is type(data) or not isinstance(data, tuple(NOUNS)) or isinstance(data, Release)
    with pytest.raises(ParameterError, match="no method on offer makes object"):
        noun_behind(object())


def test_a_help_text_that_mentions_no_field_of_its_class_is_an_error() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Mistyped:
        k: Annotated[int, Doc("How many, as in `kk`.")]

    with pytest.raises(KeyError, match="kk"):
        parameters_of(Mistyped)
