"""What a publisher returns: a release for the world and a key for the owner."""

import stat
import zipfile
from pathlib import Path

import polars as pl
import pytest

from discreet.core.publication import LinkageKey
from discreet.errors import DataError

CORPUS = Path(__file__).parent.parent / "fuzz" / "corpus"


def test_a_key_is_for_its_owner_only(tmp_path: Path) -> None:
    keep = LinkageKey({"rows": pl.DataFrame({"row": [0, 1], "record": [1, 0]})}, {"state": [1, 2]})
    path = keep.save(tmp_path / "key")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = LinkageKey.load(path)
    assert again.tables["rows"].equals(keep.tables["rows"])
    assert again.facts == {"state": [1, 2]}
    (tmp_path / "junk").write_bytes(b"PK junk")
    with pytest.raises(DataError, match="junk must be a key file"):
        LinkageKey.load(tmp_path / "junk")
    with pytest.raises(DataError, match="the key file none does not exist"):
        LinkageKey.load(tmp_path / "none")


def test_a_key_is_the_same_file_whenever_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = LinkageKey({"rows": pl.DataFrame({"row": [0, 1], "record": [1, 0]})}, {"state": [1, 2]})
    written = []
    for moment in (1_000_000_000.0, 1_700_000_000.0):
        monkeypatch.setattr(zipfile.time, "time", lambda moment=moment: moment)
        written.append(keep.packed())
    assert written[0] == written[1]


def test_a_key_with_a_table_that_lies_about_its_length_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lying = CORPUS / "release" / "m-invariance%2Fsets.parquet" / "beyond-its-end"
    with zipfile.ZipFile(tmp_path / "forged", "w") as archive:
        archive.writestr("facts.json", "{}")
        archive.writestr("rows.parquet", lying.read_bytes())
    with pytest.raises(DataError, match="forged"):
        LinkageKey.load(tmp_path / "forged")
    assert capfd.readouterr() == ("", "")
