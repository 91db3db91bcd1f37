"""The certificate: two pages, whatever the audit holds."""

import re
import sys
from typing import Any

import pytest

from discreet.errors import DataError
from discreet.report.certificate import certificate_pdf

HASHES = {"manifest": "a" * 64, "audit": "b" * 64, "key": "1234 " * 8}
OCCASION = {"date": "2026-11-15", "signatory": "Dr. J. Müller", "recipient": "a university"}
PROMISE = {
    "name": "KAnonymity",
    "promise": "whoever knows much is left with 5 rows",
    "limit": "everything else",
    "verdict": "holds",
    "checked": "every row",
}
ATTACK = {"name": "intersection", "claims": None, "reason": "needs the earlier releases"}
TRIED = {
    "name": "skewness",
    "claims": 1200,
    "surest": 0.93,
    "rates": [{"words": "right about people", "share": 0.5, "people": 10}],
}
THREAT = {"share": 0.031, "means": "people"}


def audit(many: int = 1, risk: dict[str, Any] | None = None) -> dict[str, Any]:
    reason = {"level": "release with care", "why": "an attack is somewhat better " * 9}
    return {
        "tool": "discreet 0.1.0",
        "method": "incognito",
        "parameters": {"k": 5, "weights": None},
        "randomness": "none",
        "judgement": {"verdict": "release with care", "reasons": [reason] * many},
        "promises": [PROMISE] * many,
        "attacks": [ATTACK, TRIED] * many,
        "risk": {"known": None, "not_counted": "Its rows are nobody's."} if risk is None else risk,
    }


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b(?!s)", pdf))


@pytest.mark.parametrize("many", [0, 1, 40])
def test_a_certificate_has_two_pages(many: int) -> None:
    pdf = certificate_pdf(audit(many), OCCASION, HASHES)
    assert pdf.startswith(b"%PDF-")
    assert pages(pdf) == 2


def test_risks_are_drawn_where_they_were_counted() -> None:
    numbers = {"highest": 0.2, "mean": 0.1, "share_above_20_percent": 0.0}
    risk = {
        "known": "all quasi-identifiers",
        "prosecutor": numbers,
        "journalist": numbers | {"population_given": False},
        "marketer": 0.1,
        "k_map": 5,
        "population_uniqueness": {"share": 0.0, "model": "Pitman"},
        "wp29": dict.fromkeys(("singling_out", "linkability", "inference"), THREAT),
    }
    with_risk = certificate_pdf(audit(risk=risk), OCCASION, HASHES)
    assert pages(with_risk) == 2
    assert len(with_risk) > len(certificate_pdf(audit(), OCCASION, HASHES)) + 1000


def test_the_same_certificate_is_the_same_file() -> None:
    assert certificate_pdf(audit(), OCCASION, HASHES) == certificate_pdf(audit(), OCCASION, HASHES)


@pytest.mark.parametrize("words", ["Łukasz", "Ελένη", "Наталья", "中文", "שלום", "\N{SNOWMAN}"])
def test_names_in_any_script_are_drawn(words: str) -> None:
    drawn = certificate_pdf(
        audit() | {"method": words, "parameters": {"items": [words] * 40}},
        OCCASION | {"signatory": words, "purpose": words * 9},
        HASHES,
    )
    assert pages(drawn) == 2


def test_without_its_extra_a_certificate_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "fpdf", None)
    with pytest.raises(DataError, match=r"discreet\[certificate\]"):
        certificate_pdf(audit(), {"date": "2026-01-01", "signatory": "Office"}, {})
