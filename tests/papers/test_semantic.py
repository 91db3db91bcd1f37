"""The experiments of seed 001 on documents of our own, small enough to run anywhere."""

from collections.abc import Iterator

import pytest

from discreet import Transactions
from discreet.papers import PAPERS, Lab, semantic, texts
from discreet.papers.texts import Selection
from discreet.semantics import Corpus, Ngd, WordNet

TOPICS = (
    ("oil", "barrel", "opec", "crude", "refinery"),
    ("bank", "rate", "loan", "credit", "deposit"),
    ("wheat", "corn", "farmer", "harvest", "grain"),
)
NET = WordNet.of(
    {"thing": [], **{word: ["thing"] for topic in TOPICS for word in topic}},
    {word: [word] for topic in TOPICS for word in topic},
)


def planted(name: str) -> Selection:
    """Each document is about one topic; the corpus has the same topics in other documents."""
    documents = [
        [topic[place], topic[(place + 1 + turn) % 5], topic[(place + 3) % 5]]
        for turn in range(2)
        for topic in TOPICS
        for place in range(5)
    ]
    units = [" ".join(topic[: 2 + place % 4]) for topic in TOPICS for place in range(8)]
    return Selection(name, Transactions.of(documents), Ngd(Corpus.build(units)))


@pytest.fixture(autouse=True)
def _planted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(semantic, "selection", planted)
    monkeypatch.setattr(WordNet, "read", lambda: NET)
    monkeypatch.setattr(semantic, "KS", (5, 8))
    monkeypatch.setattr(semantic, "SIZES", ((6, 4), (9, 5)))
    monkeypatch.setattr(semantic, "SHARE", 40)
    monkeypatch.setattr(semantic, "BASKETS", (("bms2", 8),))
    semantic._pairs.cache_clear()
    yield
    semantic._pairs.cache_clear()


@pytest.mark.parametrize("name", semantic.FIGURES)
def test_every_figure_is_a_table(name: str) -> None:
    assert PAPERS["semantic"] is semantic.FIGURES
    table = semantic.FIGURES[name](Lab(rounds=2, workers=1))
    assert table.height > 0
    assert table.columns[:3] == ["figure", "data", "method"]
    assert set(table["figure"]) == {f"semantic {name}"}
    assert table["value"].is_finite().all()
    assert (table["low"] <= table["value"]).all()


def test_six_attacks_are_scored_beside_chance() -> None:
    table = semantic.figure_13(Lab(rounds=2, workers=1))
    methods = {name.split(",")[0] for name in table["method"]}
    assert methods == {"ra", "mda", "tba", "wba", "gba", "rba"}
    shares = table.filter(table["measure"].is_in(["precision", "recall", "F"]))["value"]
    assert shares.is_between(0, 1).all()
    assert set(table["releases"]) == {2}


def test_another_seed_protects_other_items() -> None:
    one, other = (semantic._protected(planted("x"), seed) for seed in (1, 2))
    assert len(one) == len(other) == 6
    assert one != other


def test_near_items_are_joined_into_disjoint_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    sets = semantic._near(planted("x"), ["oil", "bank"], 0.5)
    assert sorted(item for items in sets for item in items) == ["bank", "oil"]
    net = WordNet.of(
        {
            "thing": [],
            "stuff": ["thing"],
            **{word: ["stuff"] for word in ("oil", "crude", "grain")},
        },
        {"oil": ["oil"], "crude": ["crude", "stuff"], "grain": ["grain"], "opec": ["thing"]},
    )
    monkeypatch.setattr(WordNet, "read", lambda: net)
    semantic._pairs.cache_clear()
    assert set(semantic._near(planted("x"), ["oil", "grain"], 0.5)) == {("crude", "grain", "oil")}
    nearest = semantic._near(planted("x"), ["oil", "grain"], "nearest")
    assert sorted(map(len, nearest)) == [1, 2]


def test_texts_need_their_files(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    texts._file.cache_clear()
    monkeypatch.delenv("DISCREET_DATA", raising=False)
    with pytest.raises(ValueError, match="set DISCREET_DATA to the folder"):
        texts._file("brown_tagged.txt.gz")
    monkeypatch.setenv("DISCREET_DATA", str(tmp_path))
    with pytest.raises(ValueError, match=r"must hold brown_tagged\.txt\.gz, and it does not"):
        texts._file("brown_tagged.txt.gz")
    texts._file.cache_clear()
