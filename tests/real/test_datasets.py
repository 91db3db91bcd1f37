"""Every set file, table and hierarchy of the data folder reads with the counts of its README."""

from pathlib import Path

import numpy as np
import pytest

from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import Microdata
from discreet.core.network import SocialNetwork
from discreet.core.transactions import Transactions
from discreet.io.datasets import (
    DATASETS,
    dataset_path,
    names,
    read_dataset_table,
    universe_of,
)

pytestmark = pytest.mark.usefixtures("data_folder")

# name: occurrences of items, largest set, distinct sets; None where the README does not say
SHAPES = {
    "nltcs": (None, 16, 3_151),
    "nltcs-all": (None, 16, 3_152),
    "msnbc": (None, 17, 10_476),
    "bms1": (None, 267, None),
    "bms2": (358_278, 161, None),
    "checkin": (None, 68, None),
    "lastfm": (92_834, None, None),
}

# name: mean size of a set, as the README rounds it
MEANS = {
    "nltcs": 6.458,
    "msnbc": 1.7168,
    "bms1": 2.511,
    "bms2": 4.622,
    "checkin": 8.854,
}

# attribute: values, levels
HIERARCHIES = {
    "age": (100, 5),
    "education": (16, 4),
    "marital-status": (7, 3),
    "native-country": (41, 3),
    "occupation": (14, 3),
    "race": (5, 2),
    "salary-class": (2, 2),
    "sex": (2, 2),
    "workclass": (8, 3),
}


@pytest.mark.parametrize("name", names("sets"))
def test_sets_have_the_counts_of_the_readme(name: str) -> None:
    data = next(data for data in DATASETS if data.name == name)
    read = Transactions.read(f"dataset:{name}")
    occurrences, largest, distinct = SHAPES[name]
    assert len(read) == data.records
    assert np.count_nonzero(read.supports) == data.items
    assert read.universe == universe_of(name)
    assert occurrences in (None, len(read.items))
    assert largest in (None, read.sets.sizes.max())
    assert distinct in (None, len(read.folded))


@pytest.mark.parametrize("name", MEANS)
def test_sets_have_the_mean_size_of_the_readme(name: str) -> None:
    read = Transactions.read(f"dataset:{name}")
    assert round(len(read.items) / len(read), len(str(MEANS[name])) - 2) == MEANS[name]


def test_nltcs_is_nltcs_all_without_the_empty_records() -> None:
    paper, everyone = (
        Transactions.read("dataset:nltcs").folded.as_dict(),
        Transactions.read("dataset:nltcs-all").folded,
    )
    whole = everyone.as_dict()
    assert whole.pop(()) == 3_853
    assert whole == paper


@pytest.mark.parametrize("name", names("table", "edges"))
def test_tables_have_the_counts_of_the_readme(name: str) -> None:
    data = next(data for data in DATASETS if data.name == name)
    assert read_dataset_table(name).shape == (data.records, data.items)


def test_lastfm_is_a_network() -> None:
    columns = {"source": "userID", "target": "friendID"}
    network = SocialNetwork.read(
        Transactions.read("dataset:lastfm"), dataset_path("lastfm-friends"), columns=columns
    )
    assert len(network) == 1_892
    assert len(network.edges) == 12_717
    assert network.folded_edges.mutual == 12_717
    assert network.folded_edges.rows == 25_434
    assert network.degrees.sum() == 25_434
    assert network.degrees.min() >= 1


@pytest.mark.parametrize("attribute", HIERARCHIES)
def test_arx_hierarchies_cover_adult(data_folder: Path, attribute: str) -> None:
    hierarchy = Hierarchy.read(
        data_folder / "adult_hierarchies" / f"adult_hierarchy_{attribute}.csv"
    )
    assert (len(hierarchy.values), hierarchy.height + 1) == HIERARCHIES[attribute]
    assert hierarchy.root == "*"
    adult = Microdata.read("dataset:adult-arx", qids=[attribute], sensitive=[])
    assert set(adult.table[attribute]) <= set(hierarchy.values)


def test_ages_climb_level_by_level(data_folder: Path) -> None:
    ages = Hierarchy.read(data_folder / "adult_hierarchies" / "adult_hierarchy_age.csv")
    assert [ages.level("39", n) for n in range(5)] == ["39", "35-39", "30-39", "20-39", "*"]
    assert "39" in ages.leaves("20-39")


def test_check_in_categories_are_a_hierarchy(data_folder: Path) -> None:
    path = data_folder / "checkin_fourcity_items.tsv.gz"
    columns = {"child": "item", "parent": "root_category"}
    places = Hierarchy.read(path, columns=columns, root="*")
    assert len(places.values) == 466
    assert len(places.names) == 466 + 10 + 1
    assert set(universe_of("checkin")) == set(places.values)
