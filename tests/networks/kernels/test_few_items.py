"""Putting back by a table of supports, beside the search for antecedents."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.core.itemsets import Itemsets
from discreet.networks.hiding.suppression import Bound, Records

ITEMS = "abcdefghij"
SECRET = np.array([item in "abcd" for item in ITEMS])
RECORDS = st.lists(st.sets(st.sampled_from(ITEMS)), min_size=1, max_size=30)
RHO = st.sampled_from([Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(7, 10)])
BOUND = st.builds(Bound, rho=RHO, mixed=st.booleans(), strict=st.booleans())


@settings(max_examples=200)
@given(RECORDS, BOUND)
def test_a_table_puts_back_what_a_search_does(records: list[set[str]], bound: Bound) -> None:
    sets = Itemsets.of(records, ITEMS)
    by_search, by_table = (Records(sets, SECRET, bound, table=table) for table in (False, True))
    for each in (by_search, by_table):
        for item in each.present():
            each.delete_everywhere(item)
        each.put_back()
    assert by_table.deleted == by_search.deleted
    assert by_table.left() == by_search.left()
    assert by_table.sizes.tolist() == by_search.sizes.tolist()
    assert by_table.counts.tolist() == by_search.counts.tolist()
