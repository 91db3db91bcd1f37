"""Files of rules as JSON: the mark, the version, the size."""

from pathlib import Path

import pytest

from discreet.errors import DataError
from discreet.io import rules_file
from discreet.io.rules_file import read_rules_file, text_of_rules


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    file.write_text(text_of_rules({"kind": "sets", "names": ["ä"]}), encoding="utf-8")
    assert read_rules_file(file)["names"] == ["ä"]


def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "rules.json"
    file.write_text(text_of_rules({}), encoding="utf-8")
    monkeypatch.setattr(rules_file, "MOST_BYTES", 3)
    with pytest.raises(DataError, match="and is not one"):
        read_rules_file(file)
