"""A group at a cut: whether it is safe is what the search for rules that deletes them says."""

from fractions import Fraction

import numpy as np
import pytest

from discreet.core.itemsets import Itemsets
from discreet.networks.hiding.suppression import Bound, Records, in_numbers
from discreet.networks.kernels.at_cut import safe_at


@pytest.mark.parametrize("mixed", [True, False])
def test_a_group_is_safe_where_nothing_would_be_deleted(mixed: bool) -> None:
    rng, answers = np.random.default_rng(3), set()
    bound = Bound(rho=Fraction(1, 2), mixed=mixed)
    for _ in range(300):
        n_records, n_names, n_symbols = rng.integers(2, 7), 3, 5
        rows, each = np.nonzero(rng.random((n_records, n_symbols)) < 0.5)
        sets = Itemsets.of_pairs(rows, each, int(n_records), tuple("abcst"))
        records = Records(sets, np.arange(n_symbols) >= n_names, bound)
        records.suppress("num")
        shape = int(n_records), n_names, n_symbols
        safe = safe_at(rows, each, shape, mixed, in_numbers(bound, int(n_records)))
        assert safe == (not records.deleted)
        answers.add(safe)
    assert answers == {True, False}
