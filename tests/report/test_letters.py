"""Words of any script in letters that a certificate can be drawn with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.report.letters import drawable, is_drawable


@pytest.mark.parametrize(
    ("words", "drawn"),
    [
        ("Müller, José", "Müller, José"),
        ("Łódź Ženeva", "Lódz Zeneva"),
        ("Ελλάς", "Ellas"),
        ("Θεσσαλονίκη", "Thessaloniki"),
        ("Щука", "Shchuka"),
        ("中文", "U+4E2DU+6587"),
        (
            "5 € \N{EN DASH} \N{LEFT DOUBLE QUOTATION MARK}a\N{RIGHT DOUBLE QUOTATION MARK}",
            '5 EUR - "a"',
        ),
    ],
)
def test_letters_are_transliterated(words: str, drawn: str) -> None:
    assert drawable(words) == drawn


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_words_can_be_drawn(words: str) -> None:
    drawable(words).encode("latin-1")
    spelt_out = "U+" in drawable(words) and "U+" not in words
    assert not (is_drawable(words) and spelt_out)
