"""The first page, and the words."""

from tests.web.conftest import Visitor


def test_the_glossary_is_linked_and_told(visitor: Visitor) -> None:
    inside = visitor.enter()
    assert 'href="/glossary"' in inside.ask("GET", "/").text
    page = inside.ask("GET", "/glossary").text
    assert "k^m-anonymity" in page
    assert "Leave out." in page
