"""Work that is followed in a browser: told by the server, with and without JavaScript."""

from typing import Any

from tests.browser.running import Bench, Tab

UNTIL_RUN = (
    "Try it with made-up data", "This is right, continue", "Count", "See the result", "Continue",
    "Which methods fit?", "Use km-anonymity", "Continue with these values",
)  # fmt: skip


def _asked(tab: Tab) -> list[str]:
    """Return a list that what the page asks for is added to."""
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(request.url.removeprefix(tab.home)))
    return asked


def _walked(tab: Tab) -> Any:
    for words in UNTIL_RUN:
        tab.take(words)
    return tab.page


def test_one_answer_tells_all_and_the_buttons_follow(tab: Tab) -> None:
    tab.page.set_default_timeout(90_000)
    page = _walked(tab)
    tab.take("Publish")
    asked = _asked(tab)
    # at once: a page that waits for the first step may see the last one too
    assert page.is_visible("text=Cancel")
    assert not page.is_visible("text=Publish again")
    page.wait_for_selector("text=✓ Read the data")
    page.wait_for_selector("text=See the result")
    page.wait_for_selector("text=Publish again")
    assert not page.is_visible("text=Cancel")
    assert not page.is_visible("text=does not answer")
    # the page listened from before on, and asked for nothing again
    assert [path for path in asked if "events" in path] == []
    assert (tab.findings(), tab.faults) == ([], [])


def test_a_closed_page_stops_nothing_and_no_script_is_needed(bench: Bench) -> None:
    tab = bench.tab()
    tab.page.set_default_timeout(90_000)
    page = _walked(tab)
    tab.take("Publish")
    run = page.url
    page.close()
    plain = bench.session.browser.new_context(java_script_enabled=False)
    plain.add_cookies(bench.session.cookies())
    page = plain.new_page()
    page.set_default_timeout(60_000)
    page.goto(run)
    assert page.is_visible("text=How far is it now?")
    for _ in range(600):
        if page.is_visible("text=See the result"):
            break
        page.wait_for_timeout(500)
        page.click("text=How far is it now?")
    assert page.is_visible("text=Publish again")
    assert not page.is_visible("text=Cancel")
    plain.close()
