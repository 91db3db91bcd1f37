from pathlib import Path

import discreet
from discreet.study.result_cache import ROOMS


def test_every_room_a_number_comes_from_is_there() -> None:
    (house,) = map(Path, discreet.__path__)
    assert [room for room in ROOMS if not any((house / room).glob("*.py"))] == []
