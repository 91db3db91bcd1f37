from typing import Any

import pytest

from discreet.web import Session, application
from discreet.web.application import routed
from discreet.web.guard import FORM_LIMIT
from tests.web.conftest import HOME, Visitor


def test_without_token_or_cookie_nothing_is_answered(visitor: Any) -> None:
    for path in ("/", "/static/workbench.css", "/p/0123456789abcdef/data", "/?token=wrong"):
        assert visitor.ask("GET", path).status_code == 403


def test_a_token_opens_once_and_gives_a_strict_cookie(visitor: Any) -> None:
    address = visitor.session.address.removeprefix(HOME)
    answer = visitor.ask("GET", address)
    assert {"HttpOnly", "SameSite=Strict"} <= set(answer.headers["set-cookie"].split("; "))
    assert visitor.ask("GET", "/").status_code == 200
    visitor.cookies.clear()
    assert visitor.ask("GET", address).status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8123", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.:8123", ""]
)
def test_another_host_name_is_refused_even_with_the_cookie(visitor: Any, host: str) -> None:
    assert visitor.enter().ask("GET", "/", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:1"])
def test_another_page_changes_nothing(visitor: Any, origin: str | None) -> None:
    headers = {"origin": origin} if origin else {}
    form = {"csrf": visitor.enter().session.csrf}
    assert visitor.ask("POST", "/example", data=form, headers=headers).status_code == 403


def test_every_form_needs_the_token_of_the_page(visitor: Any, workspace: Any) -> None:
    project = workspace.new("a", "data.csv")
    project.data.write_text("id,item\n1,a\n")
    posts = [
        route.path.replace("{project}", project.name)
        .replace("{number}", "1")
        .replace("{kind}", "privacy")
        for route in _routes(routed())
        if "POST" in (getattr(route, "methods", None) or ())
    ]
    assert len(posts) >= 15
    visitor.enter()
    for path in posts:
        for form in ({}, {"csrf": "wrong"}):
            files = {"f": ("a.csv", b"id,item\n1,a\n")} if path.endswith("/upload") else None
            answer = visitor.ask("POST", path, data=form, files=files, headers={"origin": HOME})
            assert answer.status_code == 403, path
    assert [each.name for each in workspace.all()] == [project.name]
    assert {file.name for file in project.folder.iterdir()} == {"choices.json", "data.csv"}


def _routes(app: Any) -> list[Any]:
    found = []
    for route in app.routes:
        inner = getattr(route, "original_router", None)
        found += _routes(inner) if inner is not None else [route]
    return found


def test_pages_load_nothing_from_elsewhere(visitor: Any) -> None:
    answer = visitor.enter().ask("GET", "/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert "http://" not in answer.text.replace(HOME, "")


def test_a_form_too_long_is_refused(visitor: Any) -> None:
    answer = visitor.enter().post("/example", more="x" * FORM_LIMIT)
    assert answer.status_code == 413


@pytest.mark.parametrize("site", ["same-site", "cross-site"])
def test_a_page_of_another_port_or_site_is_shown_nothing(visitor: Any, site: str) -> None:
    headers = {"sec-fetch-site": site}
    visitor.enter()
    for path in ("/glossary", "/static/workbench.js", "/p/0123456789abcdef/data"):
        assert visitor.ask("GET", path, headers=headers).status_code == 403
    answer = visitor.ask("GET", "/", headers={"sec-fetch-site": "none"})
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["x-frame-options"] == "DENY"


def test_a_body_that_does_not_say_how_long_it_is_is_counted(visitor: Any, workspace: Any) -> None:
    async def endless() -> Any:
        yield f"csrf={visitor.session.csrf}&more=".encode()
        for _ in range(FORM_LIMIT // 10_000 + 2):
            yield b"x" * 10_000

    kind = {"content-type": "application/x-www-form-urlencoded"}
    headers = {"origin": HOME, **kind}
    answer = visitor.enter().ask("POST", "/example", content=endless(), headers=headers)
    assert answer.status_code >= 400
    assert workspace.all() == []


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"])
def test_other_methods_get_nowhere(visitor: Any, method: str) -> None:
    assert visitor.enter().ask(method, "/").status_code in (403, 405)


def test_a_cookie_of_before_opens_nothing(visitor: Any, workspace: Any) -> None:
    old = visitor.enter().cookies
    session = Session(port=8123)
    later = Visitor(application(workspace, session), session)
    later.cookies = old
    assert later.ask("GET", "/").status_code == 403
    assert later.ask("GET", f"/?token={visitor.session.token}").status_code == 403
