"""Pages of every method: no raw value, no power of ten, no number that nobody reads."""

import re
from html import unescape
from typing import Any

import pytest

from discreet import Release, rng
from discreet.core.transactions import Transactions
from discreet.report import audit_page, audit_record
from discreet.risk import Population
from discreet.study import Evidence, examined
from tests import samples

RAW = (
    r"\bNone\b", r"\bnan\b", r"\bTrue\b|\bFalse\b", r"\d[eE][-+]?\d", r"\b\d{8,}\b", r"\d\.\d{5,}",
    r"\binf\b", r"Fraction\(", r"\{\{|\}\}|\{%",
)  # fmt: skip


def read_aloud(page: str) -> str:
    """Return what a person reads: no style, no links, no hashes, no places of marks."""
    for gone in (r"<style>.*?</style>", r"<code>.*?</code>", r"<[^>]*>"):
        page = re.sub(gone, " ", page, flags=re.DOTALL)
    return unescape(page)


def faults(page: str) -> list[str]:
    text = read_aloud(page)
    return [found[0] for raw in RAW for found in re.finditer(raw, text)]


@pytest.mark.parametrize("publisher", samples.PUBLISHERS)
@pytest.mark.parametrize("owner", [False, True])
def test_no_page_shows_what_a_person_cannot_read(publisher: type, owner: bool) -> None:
    method, data = samples.PUBLISHERS[publisher]
    publication = method.publish(data, rng.seeded(5))
    original = None if isinstance(data, Release) else data
    evidence = Evidence(original=original, key=publication.linkage_key, population=Population())
    found = examined(publication.release, evidence)
    occasion = {"date": "2026-11-15", "purpose": "a test"}
    files = {"manifest.json": "ab" * 32}
    record = audit_record(found, evidence, files, owner=owner, occasion=occasion)
    page = audit_page(record, found, evidence)
    assert faults(page) == []
    assert len(page) < 200_000


@pytest.mark.parametrize("value", ["None", "9.2e-13", "nan", "0.123456789", "123456789", "True"])
def test_the_scan_finds_what_it_looks_for(value: str) -> None:
    assert faults(f"<p>{value}</p>")
    assert not faults(f"<code>{value}</code>")


def test_tiny_and_huge_numbers_are_told_in_words() -> None:
    evidence: Any = Evidence(original=Transactions.of([["a", "b"]] * 4))
    method, data = next(iter(samples.PUBLISHERS.values()))
    found = examined(method.publish(data, rng.seeded(5)).release, Evidence())
    record = audit_record(found, evidence, {}, owner=True)
    record["measured"] = {"query_error": 9.2e-13, "discernibility": 2.0**200, "ncp": float("nan")}
    page = audit_page(record, found, Evidence())
    assert "below 0.0001" in page
    assert "about 10^60" in page
    assert faults(page) == []
