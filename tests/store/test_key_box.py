"""Keys at rest."""

import json

import pytest

from discreet.errors import DataError
from discreet.store.key_box import closed, opened


def test_a_box_opens_with_its_passphrase_and_shows_nothing() -> None:
    box = closed(b"who is behind row 7", "correct horse", about="s")
    assert opened(box, "correct horse", about="s") == b"who is behind row 7"
    assert "row 7" not in box


@pytest.mark.parametrize("words", ["", "correct", "Correct horse"])
def test_another_passphrase_does_not_open_it(words: str) -> None:
    with pytest.raises(DataError, match="passphrase is another"):
        opened(closed(b"secret", "correct horse", about="s"), words, about="s")


def test_two_boxes_of_the_same_differ() -> None:
    assert closed(b"x", "w", about="s") != closed(b"x", "w", about="s")


def test_a_changed_box_does_not_open() -> None:
    parts = json.loads(closed(b"secret", "w", about="s"))
    parts["box"] = parts["box"][::-1]
    with pytest.raises(DataError):
        opened(json.dumps(parts), "w", about="s")


def test_the_box_of_another_release_does_not_open_as_this_ones() -> None:
    box = closed(b"secret", "w", about="one")
    with pytest.raises(DataError, match="cannot be opened"):
        opened(box, "w", about="two")


@pytest.mark.parametrize("cost", [0, -1, 3, 2**60, "many"])
def test_a_box_that_asks_for_another_cost_is_refused_in_one_sentence(cost: object) -> None:
    parts = json.loads(closed(b"secret", "w", about="s")) | {"scrypt": cost}
    with pytest.raises(DataError, match="cannot be opened"):
        opened(json.dumps(parts), "w", about="s")
