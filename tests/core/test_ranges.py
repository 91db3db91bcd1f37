"""Ranges and sets in cells: what they stand for, and their names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.ranges import covers, members_of, range_name, range_of, ranges_of, set_name

NUMBERS = st.integers(-20, 120)


@given(st.lists(NUMBERS, min_size=1, max_size=5), NUMBERS)
def test_a_range_takes_in_what_is_between_its_ends(held: list[int], other: int) -> None:
    ranges = [told for each in held if (told := range_of(str(each)))]
    name = range_name(ranges)
    assert covers(name, str(other)) is (min(held) <= other <= max(held))


@given(st.lists(st.text("abc{}, \"'", min_size=1, max_size=4), min_size=2, max_size=4, unique=True))
def test_a_set_takes_in_its_members(values: list[str]) -> None:
    assert members_of(set_name(values)) == tuple(values)
    assert all(covers(set_name(values), value) for value in values)


@pytest.mark.parametrize(
    ("cells", "name"),
    [
        (["1..<5", "5..<9"], "1..<9"),
        (["<20", "34"], "<=34"),
        (["<20", "20..<30"], "<30"),
        (["60", ">=80"], ">=60"),
        (["<20", ">=80"], "*"),
        (["2024-01-05", "2024-03-01"], "2024-01-05/2024-03-01"),
        (["2019-03", "2020-07", "2019-12"], "2019-03/2020-07"),
        (["2019-03", "2019-02-11"], "2019-02-11/2019-03"),
        (["2019-03", "2019-03-11"], "2019-03"),
        (["1-5", "3-9"], "1-9"),
        (["7"], "7"),
        (["-5", "-2"], "-5--2"),
    ],
)
def test_names_of_ranges(cells: list[str], name: str) -> None:
    ranges = [told for cell in cells if (told := range_of(cell))]
    assert range_name(ranges) == name
    assert all(covers(name, cell) for cell in cells)


@pytest.mark.parametrize(
    "cell",
    ["teacher", "2024-02-31", "1-", "<", "", "5 apples", "10-5", "2019-13", "12345-6789", "9" * 16],
)
def test_other_cells_are_no_ranges(cell: str) -> None:
    assert range_of(cell) is None


def test_cells_are_all_numbers_or_all_dates() -> None:
    assert set(ranges_of(["2019", "<5", "7-9"]) or ()) == {"2019", "<5", "7-9"}
    assert set(ranges_of(["2019-03", "2020-01-31"]) or ()) == {"2019-03", "2020-01-31"}
    assert ranges_of(["2019", "2019-03"]) is None
    assert ranges_of(["2019", "spring"]) is None


def test_missing_cells_are_in_ranges_that_say_so() -> None:
    assert covers("20-34 or ?", "?")
    assert covers("20-34 or ?", "21")
    assert not covers("20-34", "?")
    assert covers("* or ?", "?")
    assert covers("* or ?", "21")
