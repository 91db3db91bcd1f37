import pytest

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
