"""Few known items by a table of sets, beside the search among all other records."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.core.itemsets import Itemsets
from discreet.networks.hiding.suppression import Bound, Records

ITEMS = "abcdefghij"
SECRET = np.array([item in "adg" for item in ITEMS])
RECORDS = st.lists(st.sets(st.sampled_from(ITEMS)), min_size=1, max_size=30)
SHARES = st.sampled_from([Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(7, 10)])
BOUND = st.builds(
    Bound,
    rho=SHARES,
    mixed=st.booleans(),
    strict=st.booleans(),
    known=st.integers(1, 4),
    names_first=SHARES,
)


@settings(max_examples=200, deadline=None)
@given(RECORDS, BOUND)
def test_a_table_deletes_and_puts_back_what_a_search_does(
    records: list[set[str]], bound: Bound
) -> None:
    sets = Itemsets.of(records, ITEMS)
    by_search, by_table = (Records(sets, SECRET, bound, table=table) for table in (False, True))
    for each in (by_search, by_table):
        each.suppress("num")
    assert by_table.deleted == by_search.deleted
    for each in (by_search, by_table):
        each.put_back()
    assert by_table.deleted == by_search.deleted
    assert by_table.left() == by_search.left()
    for each in (by_search, by_table):
        each.undelete()
        each.only_names()
    assert by_table.deleted == by_search.deleted
