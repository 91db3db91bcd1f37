"""The papers' data as they stand; the figures were counted once more by plain enumeration."""

import pytest

from discreet.core.transactions import Transactions
from discreet.risk.profile import profile

GOLDEN = {
    "nltcs.dat.gz": {
        "records": 17_721,
        "empty_records": 0,
        "distinct_sets": 3_151,
        "items": 16,
        "length_median": 5.0,
        "length_max": 16,
        "maximal_sets": 1,
        "missing_boundaries": 2,
        "people_with_missing_boundary": 660,
    },
    "msnbc990928.seq.gz": {
        "records": 989_818,
        "empty_records": 0,
        "distinct_sets": 10_476,
        "items": 17,
        "length_median": 1.0,
        "length_max": 17,
        "maximal_sets": 1,
        "missing_boundaries": 14,
        "people_with_missing_boundary": 13,
    },
    "bms2.dat.gz": {
        "records": 77_512,
        "empty_records": 0,
        "distinct_sets": 48_684,
        "items": 3_340,
        "length_median": 3.0,
        "length_max": 161,
        "maximal_sets": 25_583,
        "missing_boundaries": 226_101,
        "people_with_missing_boundary": 23_671,
    },
}
MEAN_LENGTHS = {"nltcs.dat.gz": 6.4575, "msnbc990928.seq.gz": 1.7168, "bms2.dat.gz": 4.6222}


@pytest.mark.parametrize("name", GOLDEN)
def test_profile_of_real_data(data_folder, name):
    numbers = profile(Transactions.read(data_folder / name))
    assert {key: numbers[key] for key in GOLDEN[name]} == GOLDEN[name]
    assert numbers["length_mean"] == pytest.approx(MEAN_LENGTHS[name], abs=1e-4)


def test_knowing_items_of_real_people(data_folder):
    # the exact shares over all people and all choices; the profile asks 10,000 of them
    nltcs = profile(Transactions.read(data_folder / "nltcs.dat.gz"))
    assert nltcs["knowing_2"]["people"] == 15_533
    assert nltcs["knowing_2"]["share_further_item_certain"] == 0.0
    assert nltcs["knowing_3"]["people"] == 13_650
    assert nltcs["knowing_3"]["share_further_item_certain"] == pytest.approx(0.00033, abs=0.001)
    checkins = profile(Transactions.read(data_folder / "checkin_fourcity.dat.gz"))["knowing_2"]
    assert checkins["people"] == 5_190
    assert checkins["share_alone"] == pytest.approx(0.0415, abs=0.01)
    assert checkins["share_below_5"] == pytest.approx(0.1389, abs=0.018)
    assert checkins["share_further_item_certain"] == pytest.approx(0.1019, abs=0.016)
