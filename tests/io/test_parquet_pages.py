import io
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.io.parquet_pages import pages_are_sound

TABLE = pl.DataFrame(
    {
        "number": range(500),
        "text": [str(number % 7) for number in range(500)],
        "flag": [number % 3 == 0 for number in range(500)],
        "missing": pl.Series([None] * 500, dtype=pl.Int32),
        "share": [number / 7 for number in range(500)],
        "list": [["a"] * (number % 3) for number in range(500)],
        "pair": [{"x": number, "y": "z"} for number in range(500)],
    }
)


def parquet(table: pl.DataFrame, **options: Any) -> bytes:
    file = io.BytesIO()
    table.write_parquet(file, **options)
    return file.getvalue()


@pytest.mark.parametrize("compression", ["zstd", "snappy", "uncompressed"])
@pytest.mark.parametrize("options", [{}, {"row_group_size": 90}, {"data_page_size": 100}])
def test_what_polars_writes_is_sound(compression: str, options: dict[str, int]) -> None:
    assert pages_are_sound(parquet(TABLE, compression=compression, **options))


def test_a_file_without_rows_is_sound() -> None:
    assert pages_are_sound(parquet(TABLE.clear()))


@pytest.mark.parametrize("dictionary", [True, False])
def test_a_file_without_rows_is_sound_whoever_wrote_it(dictionary: bool) -> None:
    arrow = pytest.importorskip("pyarrow", reason="nothing here writes a group without rows")
    from pyarrow.parquet import write_table

    file = io.BytesIO()
    table = arrow.table({"id": arrow.array([], arrow.int64()), "item": arrow.array([], "string")})
    write_table(table, file, use_dictionary=dictionary)
    assert pages_are_sound(file.getvalue())


@pytest.mark.parametrize("page", [0, 1], ids=["dictionary", "data"])
def test_a_page_with_fewer_than_no_values_is_not(page: int) -> None:
    before, pages = five_hundred()
    assert pages_are_sound(before + b"\xe8\x07".join(pages))
    pages[page : page + 2] = [pages[page] + b"\xe7\x07" + pages[page + 1]]  # -500
    assert not pages_are_sound(before + b"\xe8\x07".join(pages))


def test_pages_that_do_not_add_up_are_not() -> None:
    before, pages = five_hundred()
    pages[1:3] = [pages[1] + b"\xe6\x07" + pages[2]]  # 499
    assert not pages_are_sound(before + b"\xe8\x07".join(pages))


def five_hundred() -> tuple[bytes, list[bytes]]:
    """A file cut wherever it says 500: in the headers of dictionary and data, in the footer."""
    content = parquet(TABLE.select("number"), compression="uncompressed", statistics=False)
    return content[:4], content[4:].split(b"\xe8\x07")


@given(tail=st.binary(max_size=40), size=st.integers(0, 2**32 - 1))
def test_any_footer_gets_an_answer(tail: bytes, size: int) -> None:
    content = b"PAR1" + tail + size.to_bytes(4, "little") + b"PAR1"
    assert pages_are_sound(content) in (True, False)


@pytest.mark.parametrize(
    "footer", [b"\x1c" * 100_000, b"\x19\xfc" + b"\xff" * 100_000, b"\x16" + b"\xff" * 100_000]
)
def test_a_footer_without_end_is_refused_at_once(footer: bytes) -> None:
    assert not pages_are_sound(b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1")
