"""Keys at rest."""

import json

import pytest

from discreet.errors import DataError
from discreet.store.key_box import closed, opened


def test_a_box_opens_with_its_passphrase_and_shows_nothing() -> None:
    box = closed(b"who is behind row 7", "correct horse")
    assert opened(box, "correct horse") == b"who is behind row 7"
    assert "row 7" not in box


@pytest.mark.parametrize("words", ["", "correct", "Correct horse"])
def test_another_passphrase_does_not_open_it(words: str) -> None:
    with pytest.raises(DataError, match="passphrase is another"):
        opened(closed(b"secret", "correct horse"), words)


def test_two_boxes_of_the_same_differ() -> None:
    assert closed(b"x", "w") != closed(b"x", "w")


def test_a_changed_box_does_not_open() -> None:
    parts = json.loads(closed(b"secret", "w"))
    parts["box"] = parts["box"][::-1]
    with pytest.raises(DataError):
        opened(json.dumps(parts), "w")
