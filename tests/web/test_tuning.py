import os
from pathlib import Path

from discreet.catalog import find
from discreet.web.tuning import read_value


def test_a_file_is_read_again_only_when_it_was_written_again(tmp_path: Path) -> None:
    (part,) = [each for each in find("km-anonymity").parameters if each.name == "hierarchy"]
    file = tmp_path / "tree.csv"
    file.write_text("a;*\nb;*\n")
    first = read_value(part, str(file))
    assert read_value(part, str(file)) is first
    file.write_text("a;*\nc;*\n")
    os.utime(file, ns=(1, 1))
    assert read_value(part, str(file)).values == ("a", "c")
