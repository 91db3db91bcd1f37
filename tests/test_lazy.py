"""Libraries that take long to import, imported at their first use."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("used", "imported"),
    [("pl.Series([1])", True), ("hasattr(pl, '__wrapped__')", False), ("repr(pl)", False)],
)
def test_a_library_is_imported_when_something_of_it_is_used(used: str, imported: bool) -> None:
    code = f"from discreet.lazy import pl; {used}; import sys; print('polars' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(imported)


def test_an_unknown_name_is_refused_as_the_library_does() -> None:
    from discreet.lazy import pl

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pl.nothing
