from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Hierarchy
from discreet.errors import DataError, DiscreetError
from discreet.web.drafts import Draft


@pytest.fixture
def draft() -> Draft:
    rows = [["beer", "alcohol", "*"], ["wine", "alcohol", "*"], ["tea", "hot", "*"]]
    return Draft.of(Hierarchy.of_levels(rows))


def test_names_are_put_under_a_new_one_where_their_ways_meet(draft: Draft) -> None:
    draft.put_under(["beer", "tea"], "drinks at four")
    made = draft.made()
    assert made.ancestors("beer") == ("drinks at four", "*")
    assert made.ancestors("wine") == ("alcohol", "*")
    assert "hot" not in made.names  # it held nothing any more
    draft.put_under(["wine"], "red")
    assert draft.made().ancestors("wine") == ("red", "alcohol", "*")


def test_names_are_moved_and_never_under_themselves(draft: Draft) -> None:
    draft.move(["alcohol"], "hot")
    assert draft.made().ancestors("beer") == ("alcohol", "hot", "*")
    with pytest.raises(DataError, match="cannot go under itself"):
        draft.move(["hot"], "alcohol")
    with pytest.raises(DataError, match="no such group"):
        draft.move(["beer"], "tea")


def test_groups_are_renamed_and_values_are_not(draft: Draft) -> None:
    draft.rename(["alcohol"], "strong")
    draft.rename(["*"], "anything")
    assert draft.made().ancestors("wine") == ("strong", "anything")
    for names, name in ((["beer"], "ale"), (["strong", "hot"], "x")):
        with pytest.raises(DataError, match="one group to rename"):
            draft.rename(names, name)
    with pytest.raises(DataError, match="there already"):
        draft.rename(["strong"], "beer")
    with pytest.raises(DataError, match="type a name"):
        draft.rename(["strong"], "  ")


def test_groups_are_merged_and_taken_apart(draft: Draft) -> None:
    draft.merge(["alcohol", "hot"], "hot")
    assert draft.made().leaves("hot") == ("beer", "wine", "tea")
    draft.dissolve(["hot"])
    assert draft.made().ancestors("tea") == ("*",)
    with pytest.raises(DataError, match="two or more groups"):
        draft.merge(["beer", "wine"], "x")
    with pytest.raises(DataError, match="below the top"):
        draft.dissolve(["*"])


def test_values_come_and_only_those_go_that_nobody_holds(draft: Draft) -> None:
    draft.add([" milk ", "", "milk"], "hot")
    assert draft.made().parent("milk") == "hot"
    draft.add(["salt"])
    assert draft.made().parent("salt") == "*"
    draft.remove(["milk"], {"beer"})
    assert "milk" not in draft.values
    for names in (["beer"], ["alcohol"]):
        with pytest.raises(DataError, match="do not occur"):
            draft.remove(names, {"beer"})
    with pytest.raises(DataError, match="at least one value"):
        draft.remove(sorted(draft.values), set())


def test_a_choice_of_nothing_is_told(draft: Draft) -> None:
    with pytest.raises(DataError, match="choose names"):
        draft.move(["unheard of"], "hot")
    with pytest.raises(DataError, match="the top stays"):
        draft.put_under(["*"], "above all")


VALUES = ("a", "b", "c", "d", "e")
NAMES = st.sampled_from([*VALUES, "g1", "g2", "g3", "*", "new", ""])
CHANGES = st.tuples(
    st.sampled_from(["put_under", "move", "rename", "merge", "dissolve", "add", "remove"]),
    st.lists(NAMES, max_size=3), NAMES,
)  # fmt: skip


@given(changes=st.lists(CHANGES, max_size=12))
def test_whatever_is_changed_a_tree_with_its_values_stays(changes: list[Any]) -> None:
    rows = [["a", "g1", "g3", "*"], ["b", "g1", "g3", "*"], ["c", "g2", "*", "*"]]
    draft = Draft.of(Hierarchy.of_levels([*rows, ["d", "*", "*", "*"], ["e", "g2", "*", "*"]]))
    for change, names, name in changes:
        more = {"dissolve": (), "remove": (set(VALUES),)}.get(change, (name,))
        before = (dict(draft.above), draft.root)
        try:
            getattr(draft, change)(names, *more)
        except DiscreetError:
            assert (draft.above, draft.root) == before or change in ("add", "dissolve")
        made = draft.made()
        assert set(VALUES) <= set(made.values)
        assert set(made.values) == draft.values
        assert made.root == draft.root
