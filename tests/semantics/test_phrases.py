"""Text of our own in the form of the paper's Figures 10 to 12 becomes sets as described there."""

import pytest

from discreet.errors import ParameterError
from discreet.semantics import items_of_queries, items_of_text, noun_phrases, phrases
from discreet.semantics.phrases import Tagged

REPORT = """DISCHARGE REPORT, PAGE 1
HISTORY: Mrs. Vale is a 58-year-old woman with peripheral vascular disease who recently underwent
revision of her femoral artery. She has a long history of diabetes as well as multiple surgical
procedures. The history was confirmed.
Signed electronically, page 1"""
ARTICLE = """Prostate cancer is a disease of the male reproductive system. An early detection of
cancer cells helps the treatment. A doctor looks for symptoms; the symptom is often late."""


def test_a_report_becomes_noun_phrases() -> None:
    items = items_of_text(REPORT, ignore=r"(?i)page \d")
    assert {
        "58-year-old woman", "vascular disease", "revision", "femoral artery", "long history",
        "diabetes", "surgical procedure",
    } <= set(items)  # fmt: skip
    # history stands in long history, and the header and footer are left out
    assert "history" not in items
    assert not any("page" in item or "signed" in item or "discharge" in item for item in items)
    assert len(set(items)) == len(items)


@pytest.mark.parametrize("ignore", ["\\", "(", "a{99999999999999999999}"])
def test_what_is_no_pattern_is_refused(ignore: str) -> None:
    with pytest.raises(ParameterError, match="must be a regular expression") as refused:
        items_of_text(REPORT, ignore=ignore)
    assert refused.value.parameter == "ignore"


def test_an_article_becomes_noun_phrases() -> None:
    items = items_of_text(ARTICLE)
    assert {"reproductive system", "disease", "early detection", "cancer cell", "treatment"} <= set(
        items
    )
    assert sum(item.startswith("symptom") for item in items) == 1


def test_queries_of_a_user_become_one_set() -> None:
    log = ["good wine", "accent marks", "accent marks", "body mass index", "sudden weight loss"]
    assert items_of_queries(log) == [
        "good wine", "accent mark", "body mass", "index", "sudden weight", "loss",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tagged", "found"),
    [
        ([("left", "JJ"), ("femoral", "JJ"), ("artery", "NN")], ["femoral artery"]),
        ([("vein", "NN"), ("bypass", "NN"), ("grafts", "NNS")], ["vein bypass", "graft"]),
        ([("the", "DT"), ("cool", "JJ"), (",", ","), ("foot", "NN")], ["foot"]),
        ([("runs", "VBZ")], []),
        ([("Ms.", "NNP"), ("Vale", "NNP")], ["ms. vale"]),
    ],
)
def test_phrases_are_taken_from_left_to_right(tagged: Tagged, found: list[str]) -> None:
    assert noun_phrases(tagged) == found


def test_stop_words_and_numbers_are_no_items() -> None:
    tags: Tagged = [
        (word, "." if word == "." else "NN")
        for word in ("Other", ".", "1990", ".", "x", ".", "oil")
    ]
    assert items_of_text("", tagger=lambda _: [tags]) == ["oil"]
    assert items_of_text("", tagger=lambda _: [tags], stop_words=["oil"]) == ["other"]


def test_without_the_extra_the_cure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "textblob.en", None)
    phrases._parser.cache_clear()
    with pytest.raises(ParameterError, match="pip install 'discreet\\[text\\]'"):
        items_of_text("A long history.")
    monkeypatch.undo()
    phrases._parser.cache_clear()
    assert items_of_text("A long history.") == ["long history"]
