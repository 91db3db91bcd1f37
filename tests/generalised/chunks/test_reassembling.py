"""A possible original is one of all of them, wherever there is one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import rng
from discreet.core.disassociated import Disassociated
from discreet.errors import DataError
from discreet.generalised import possible_original
from tests.verify.test_disassociated import contents, listed, tied_contents


@settings(max_examples=150)
@given(st.one_of(contents(), tied_contents()), st.integers(0, 9))
def test_what_is_drawn_is_one_of_all_originals(content: Disassociated, seed: int) -> None:
    if any(True for _ in listed(content)):
        drawn = list(map(frozenset, possible_original(content, rng.seeded(seed))))
        assert any(drawn == records for records in listed(content))
    else:
        with pytest.raises(DataError, match="no possible original"):
            possible_original(content, rng.seeded(seed))


def test_who_gives_an_only_part_away_is_provided_for_through_others() -> None:
    clusters = [(3, [], []), (2, [[["own"]] * 2], []), (2, [], [])]
    shared = [([0, 1, 2], [["x"]] * 2), ([0, 1], [["y"]] * 4)]
    content = Disassociated.of(clusters, shared)
    for seed in range(20):
        assert all(possible_original(content, rng.seeded(seed)))


def test_who_gives_an_only_part_away_takes_a_term_where_there_are_some() -> None:
    content = Disassociated.of([(1, [], []), (2, [], ["t", "u"])], [([0, 1], [["x"]])])
    for seed in range(20):
        first, *others = possible_original(content, rng.seeded(seed))
        assert first == ("x",)
        assert {item for held in others for item in held} == {"t", "u"}
