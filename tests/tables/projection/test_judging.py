"""Plans of tables that are cut class by class need no lattice of generalisations."""

from typing import Any

import pytest

from discreet import Microdata, verify
from discreet.errors import InfeasibleError
from discreet.rng import seeded
from discreet.tables import Codip, CodipStar

COLUMNS = [f"q{number}" for number in range(40)]
WIDE = Microdata.of(
    {name: [str(row * step % 7) for row in range(12)] for step, name in enumerate(COLUMNS, start=1)}
    | {"pay": list("112233112233"), "job": list("xyxyxyxyxyxy")},
    qids=COLUMNS,
    sensitive=["pay", "job"],
)


@pytest.mark.parametrize("method", [Codip, CodipStar])
def test_a_table_of_forty_columns_is_published_class_by_class(method: Any) -> None:
    with pytest.raises(InfeasibleError, match="or generalise class by class, as mondrian does"):
        method(k=2, t="0.6").publish(WIDE, seeded(1))
    release = method(k=2, t="0.6", recoding="mondrian").publish(WIDE, seeded(1)).release
    assert verify(release).by_parts is True


def test_what_classes_cannot_keep_is_told_before_what_a_plan_loses() -> None:
    method = CodipStar(k=2, t=1, alpha=0, beta=0, diversity=3, recoding="mondrian")
    with pytest.raises(InfeasibleError, match=r"nearest diversity that would do is 2$"):
        method.publish(WIDE, seeded(1))
    method = CodipStar(k=2, t=1, alpha="0.5", beta=0, recoding="mondrian")
    table = {"age": list("1122"), "pay": list("1122"), "job": list("xxyz")}
    tied = Microdata.of(table, qids=["age"], sensitive=["pay", "job"])
    with pytest.raises(InfeasibleError, match=r"nearest alpha that would do is 1$"):
        method.publish(tied, seeded(1))
