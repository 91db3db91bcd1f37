"""Fields of methods: what fits an annotation, and what is refused."""

import pytest

from discreet import (
    Hierarchy,
    ParameterError,
)
from discreet.tables import Mondrian


def test_what_belongs_to_columns_is_a_mapping_with_numbers() -> None:
    ages = Hierarchy.flat(["30", "60"])
    method = Mondrian(k=3, t=0.4, hierarchy={" age": ages}, t_by_attribute={"ill ": 0.25, "job": 1})
    assert method == Mondrian(
        k=3, t=0.4, hierarchy=(("age", ages),), t_by_attribute={"ill": "0.25", "job": "1"}
    )
    for wrong in ({"age": "file.csv"}, {5: ages}, "age", ("age", ages)):
        with pytest.raises(ParameterError) as refused:
            Mondrian(k=3, hierarchy=wrong)
        assert refused.value.parameter == "hierarchy"
    for wrong in ({"ill": True}, {"ill": None}, {5: "1"}):
        with pytest.raises(ParameterError) as refused:
            Mondrian(k=3, t=0.4, t_by_attribute=wrong)
        assert refused.value.parameter == "t_by_attribute"
