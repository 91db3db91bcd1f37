"""Words in the letters that a certificate is drawn with, those of Western Europe.

A font for every script would be many times the size of the package, so other letters are
transliterated, and those without a table are written by their numbers.
"""

import re
import unicodedata
from typing import Final

NOTE: Final = (
    "Characters beyond Western European ones are transliterated here, or written as code points "
    "such as U+4E2D. The signed audit shows them unchanged."
)
_GREEK: Final = """
    ALPHA:a BETA:v GAMMA:g DELTA:d EPSILON:e ZETA:z ETA:i THETA:th IOTA:i KAPPA:k LAMDA:l MU:m
    NU:n XI:x OMICRON:o PI:p RHO:r SIGMA:s TAU:t UPSILON:y PHI:f CHI:ch PSI:ps OMEGA:o
"""
_CYRILLIC: Final = """
    A:a BE:b VE:v GHE:g DE:d IE:e IO:yo ZHE:zh ZE:z I:i SHORT-I:y KA:k EL:l EM:m EN:n O:o PE:p
    ER:r ES:s TE:t U:u EF:f HA:kh TSE:ts CHE:ch SHA:sh SHCHA:shch HARD-SIGN:' YERU:y SOFT-SIGN:'
    E:e YU:yu YA:ya UKRAINIAN-IE:ye BYELORUSSIAN-UKRAINIAN-I:i YI:yi
"""
_LATIN_FOR: Final = {
    script: dict(pair.split(":") for pair in letters.split())
    for script, letters in {"GREEK": _GREEK, "CYRILLIC": _CYRILLIC}.items()
}
_MARKS: Final = str.maketrans(
    {
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{LEFT DOUBLE QUOTATION MARK}": '"',
        "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
        "\N{EN DASH}": "-",
        "\N{EM DASH}": "-",
        "\N{HORIZONTAL ELLIPSIS}": "...",
        "\N{EURO SIGN}": "EUR",
    }
)
_LETTER: Final = re.compile(
    r"(LATIN|GREEK|CYRILLIC) (SMALL|CAPITAL) (?:LETTER|LIGATURE) (?:FINAL )?(.+?)(?: WITH .*)?"
)


def is_drawable(text: str) -> bool:
    """Whether words can be drawn as they are."""
    try:
        text.translate(_MARKS).encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True


def drawable(text: str) -> str:
    """Return words in letters that can be drawn.

    >>> drawable("Αθήνα, Łódź, Москва, 中")
    'Athina, Lódz, Moskva, U+4E2D'
    """
    plain = unicodedata.normalize("NFC", text.translate(_MARKS))
    return "".join(letter if is_drawable(letter) else _transliterated(letter) for letter in plain)


def _transliterated(letter: str) -> str:
    bare = unicodedata.normalize("NFKD", letter)[0]
    if bare != letter and is_drawable(bare):
        return bare
    match = _LETTER.fullmatch(unicodedata.name(bare, ""))
    if match is None:
        return f"U+{ord(letter):04X}"
    script, case, name = match.groups()
    known = _LATIN_FOR.get(script, {})
    latin = name.lower() if script == "LATIN" else known.get(name.replace(" ", "-"))
    if latin is None or (script == "LATIN" and len(latin) > 2):
        return f"U+{ord(letter):04X}"
    return latin.capitalize() if case == "CAPITAL" else latin
