"""Names that do not occur are refused, with the nearest that do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.spelling import refuse_absent
from discreet.errors import DataError

WORDS = st.frozensets(st.text("abc", min_size=1, max_size=3), max_size=8)


@given(WORDS, WORDS)
def test_names_that_all_occur_pass(names: frozenset[str], others: frozenset[str]) -> None:
    assert refuse_absent("items", names, [*names, *others]) is None


@given(WORDS, WORDS.filter(bool))
def test_a_name_that_does_not_occur_is_counted(
    known: frozenset[str], absent: frozenset[str]
) -> None:
    missing = {f"{name}!" for name in absent}
    verb = "does" if len(missing) == 1 else "do"
    with pytest.raises(
        DataError, match=f"items must occur in the data, and {len(missing)} {verb} not"
    ):
        refuse_absent("items", known | missing, known)


def test_the_nearest_name_is_told_whatever_its_case() -> None:
    with pytest.raises(DataError, match=r"'HIV' \(near: 'hiv'\)"):
        refuse_absent("items", ["HIV"], {"hiv", "flu"})


def test_more_than_three_names_are_counted_only() -> None:
    with pytest.raises(DataError, match="'a'; 'b'; 'c'; and 2 more; mend the list"):
        refuse_absent("items", "abcde", (), cure="; mend the list")
