"""Every file of sets in the data folder, against the counts that its README states."""

from pathlib import Path
from typing import Any

import pytest

from discreet.core.transactions import Transactions

LASTFM = {"columns": {"id": "userID", "item": "artistID"}}


@pytest.mark.parametrize(
    ("name", "options", "counts"),
    [
        ("nltcs.dat.gz", {}, (17_721, 16, "6.458", 16)),
        ("msnbc990928.seq.gz", {}, (989_818, 17, "1.717", 17)),
        ("bms1.dat.gz", {}, (59_602, 497, "2.511", 267)),
        ("bms2.dat.gz", {}, (77_512, 3_340, "4.622", 161)),
        ("checkin_fourcity.dat.gz", {}, (5_191, 466, "8.854", 68)),
        ("lastfm_user_artists.tsv.gz", LASTFM, (1_892, 17_632, "49.067", 50)),
    ],
)
def test_a_file_has_the_counts_it_is_said_to_have(
    data_folder: Path, name: str, options: dict[str, Any], counts: tuple[int, int, str, int]
) -> None:
    people = Transactions.read(data_folder / name, **options)
    sizes = people.sets.sizes
    assert (len(people), len(people.universe), f"{sizes.mean():.3f}", sizes.max()) == counts
    assert (people.supports > 0).all()
    assert people.folded.total == len(people)


def test_nltcs_is_a_matrix_of_all_respondents(data_folder: Path) -> None:
    people = Transactions.read(data_folder / "nltcs.csv.gz")
    assert people.universe == tuple(f"item{number}" for number in range(1, 17))
    assert len(people) == 21_574
    assert len(people.folded) == 3_152
    assert people.folded.as_dict()[()] == 3_853
    assert (people.sets.sizes > 0).sum() == 17_721


def test_the_two_files_of_nltcs_hold_the_same_sets(data_folder: Path) -> None:
    matrix = Transactions.read(data_folder / "nltcs.csv.gz").folded.as_dict()
    lines = Transactions.read(data_folder / "nltcs.dat.gz").folded.as_dict()
    del matrix[()]
    named = {tuple(f"item{item}" for item in held): count for held, count in lines.items()}
    assert named == matrix


def test_msnbc_has_its_distinct_sets_and_sizes(data_folder: Path) -> None:
    people = Transactions.read(data_folder / "msnbc990928.seq.gz")
    assert len(people.folded) == 10_476
    sizes = people.sets.sizes
    counts = [int((sizes == size).sum()) for size in range(1, 7)]
    assert counts == [601_384, 214_392, 94_711, 43_321, 19_692, 8_902]
    assert (sizes >= 7).sum() == 7_416


def test_bms2_has_its_item_occurrences(data_folder: Path) -> None:
    assert len(Transactions.read(data_folder / "bms2.dat.gz").items) == 358_278


def test_lastfm_has_its_pairs_and_people(data_folder: Path) -> None:
    people = Transactions.read(data_folder / "lastfm_user_artists.tsv.gz", **LASTFM)
    assert len(people.items) == 92_834
    assert len(set(people.ids.tolist())) == 1_892
