from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.constraints import Constraints
from discreet.errors import DataError


def test_a_constraint_is_a_set_and_stands_once() -> None:
    constraints = Constraints.of([["b", "a"], ("a", "b"), {"c"}])
    assert constraints == Constraints((("a", "b"), ("c",)))
    assert list(constraints) == [("a", "b"), ("c",)]
    assert len(constraints) == 2
    assert constraints.items == ("a", "b", "c")


@pytest.mark.parametrize(
    ("itemsets", "complaint"),
    [
        ([], "at least one itemset"),
        ([["a"], []], "constraint 2: must name at least one item"),
        ([["a"], ["b"], ["c", "d", "c"]], "constraint 3: .* names one twice"),
        ([["a", ""]], "constraint 1: .* one is empty"),
    ],
)
def test_what_is_no_constraint_is_refused(itemsets: list[list[str]], complaint: str) -> None:
    with pytest.raises(DataError, match=complaint):
        Constraints.of(itemsets)


NAMES = st.text("ab c>=19é\u00a0", min_size=1, max_size=6).filter(
    lambda name: name.strip() and not name.strip().startswith(">=")
)


@given(
    rows=st.lists(
        st.tuples(st.sets(NAMES.map(str.strip), min_size=1, max_size=3), st.integers(0, 99)),
        min_size=1,
        max_size=4,
    )
)
def test_what_is_written_is_read_again(
    rows: list[tuple[set[str], int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    made = Constraints.of([items for items, _ in rows], [least for _, least in rows])
    path = made.save(tmp_path_factory.mktemp("any") / "privacy.txt")
    assert Constraints.read(path) == made
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("item", ["a\tb", ">=10", "a\nb"])
def test_what_would_be_read_otherwise_is_not_written(item: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="rename it"):
        Constraints.of([[item]]).save(tmp_path / "privacy.txt")
    assert list(tmp_path.iterdir()) == []
