"""Distances between terms as somebody wrote them down."""

from pathlib import Path

import pytest

from discreet.errors import DataError
from discreet.semantics import DistanceTable


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("one,other,distance\na,b,far\n", "near.csv, line 2: a distance must be a number"),
        ("one,other,distance\na,b,-1\n", "a number from 0 on, got -1"),
        ("one,other,distance\na,b,1\nb,a,2\n", "one pair has two"),
    ],
)
def test_bad_distances_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "near.csv"
    file.write_text(text)
    with pytest.raises(DataError, match=complaint):
        DistanceTable.read(file)
