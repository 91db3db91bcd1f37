"""The README.txt of a release says what its manifest says, or the release is not believed."""

import json
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from discreet import rng, verify
from discreet.core.release import Release
from discreet.io.release_folder import seal
from tests.core.test_loading import FOLDERS, VERSION_1, read
from tests.samples import PUBLISHERS

SAVED: tuple[dict[str, Any], ...] = (
    {},
    {"file_format": "csv"},
    {"file_format": "jsonl", "part_rows": 3},
    {"part_rows": 1},
)


def rewritten(folder: Path, readme: str | None, **facts: Any) -> Release[Any]:
    """Return the release with another README, or none, sealed again as a forger would."""
    manifest = json.loads((folder / "manifest.json").read_text()) | facts
    if readme is None:
        (folder / "README.txt").unlink()
        del manifest["files"]["README.txt"]
    else:
        (folder / "README.txt").write_text(readme)
        manifest["files"]["README.txt"]["sha256"] = sha256(readme.encode()).hexdigest()
    manifest["seal"] = seal(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return Release.load(folder)


@pytest.mark.parametrize("kind", PUBLISHERS, ids=lambda kind: kind.__name__)
def test_the_readme_that_a_method_writes_is_the_one_its_manifest_gives(
    kind: type[Any], tmp_path: Path
) -> None:
    method, data = PUBLISHERS[kind]
    release = method.publish(data, rng.seeded(1)).release
    for number, saving in enumerate(SAVED):
        loaded = Release.load(release.save(tmp_path / str(number), **saving))
        assert loaded.readme == "as the manifest says"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  - whatever items", "  - nobody can be found here at all\n  - whatever items"),
        ("What is not promised", "What is not promised by others"),
        ("universe: public", "universe: none"),
        ("Randomness: operating", "Randomness: better than operating"),
        ("How to read it\n", "How to read it\n  With joy.\n"),
    ],
)
def test_a_readme_rewritten_and_sealed_again_breaks_the_release(
    old: str, new: str, tmp_path: Path
) -> None:
    folder = read("histogram").save(tmp_path / "r")
    honest = (folder / "README.txt").read_text()
    assert verify(rewritten(folder, honest)).holds is True
    told = rewritten(folder, honest.replace(old, new))
    assert (told.readme, verify(told).holds) == ("not as the manifest says", False)
    assert verify(told).by_parts is True


def test_a_release_without_its_readme_is_broken(tmp_path: Path) -> None:
    assert verify(rewritten(read("histogram").save(tmp_path / "r"), None)).holds is False


@pytest.mark.parametrize("name", FOLDERS)
def test_a_readme_in_the_words_of_another_version_is_believed_where_it_agrees(
    name: str, tmp_path: Path
) -> None:
    assert read(name).readme == "not compared"
    folder = tmp_path / "old"
    shutil.copytree(VERSION_1 / name, folder)
    told = (folder / "README.txt").read_text()
    assert rewritten(folder, told.replace("How to", "Ways to")).readme == "not compared"
    for changed in (
        told.replace("Randomness: ", "Randomness: not "),
        told.replace("  - ", "  - more\n  - ", 1),
        "",
    ):
        assert rewritten(folder, changed).readme == "not as the manifest says"


def test_another_version_in_the_manifest_does_not_make_a_readme_right(tmp_path: Path) -> None:
    folder = read("histogram-seeded").save(tmp_path / "r")
    honest = (folder / "README.txt").read_text()
    assert rewritten(folder, honest, discreet="0.0.9").readme == "as the manifest says"
    polished = honest.replace("seeded: not for publication", "of the best")
    assert polished != honest
    assert rewritten(folder, polished).readme == "not as the manifest says"
