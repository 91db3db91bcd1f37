import pytest

from discreet.errors import DataError
from discreet.semantics.word_hierarchy import hierarchy_of_words, unknown_words
from discreet.semantics.wordnet import WordNet

NET = WordNet.of(
    {
        "thing": [],
        "animal": ["thing"],
        "dog": ["animal"],
        "poodle": ["dog"],
        "cat": ["animal"],
        "scan": ["thing"],
        "car": ["thing"],
    },
    {
        "CAT": ["scan"],
        "thing": ["thing"],
        "animal": ["animal"],
        "dog": ["dog"],
        "poodle": ["poodle"],
        "cat": ["cat"],
        "car": ["car"],
    },
)


def test_words_hang_below_what_is_above_several_of_them() -> None:
    tree = hierarchy_of_words(["dog", "cats", "car"], NET)
    assert tree.ancestors("dog") == tree.ancestors("cats") == ("animal", "thing", "*")
    assert tree.ancestors("car") == ("thing", "*")


def test_a_value_that_others_are_kinds_of_stays_a_value() -> None:
    tree = hierarchy_of_words(["dog", "poodle", "cat"], NET)
    assert set(tree.values) == {"dog", "poodle", "cat"}
    assert tree.leaves("kinds of dog") == ("dog", "poodle")


def test_unknown_words_hang_at_the_top() -> None:
    tree = hierarchy_of_words(["dog", "cat", "xyzzy"], NET)
    assert tree.ancestors("xyzzy") == ("*",)
    assert unknown_words(["dog", "xyzzy"], NET) == ["xyzzy"]
    with pytest.raises(DataError, match="knows none"):
        hierarchy_of_words(["xyzzy"], NET)
