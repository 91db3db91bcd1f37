"""Who gets in: nothing is answered to another host, another page, or without the cookie."""

from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from discreet.web.session import Session, same

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page of the workbench may load: nothing from anywhere else, nothing written into it."""
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
"""What every answer says."""
FORM_LIMIT: Final = 8 << 20
"""The most bytes of a form without a file."""
WELCOME: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>discreet</title>'
    '<link rel="icon" href="/static/icon.svg">'
    '<meta http-equiv="refresh" content="0;url=/"><p><a href="/">Open the workbench</a></p></html>'
)
"""A page that leads on, so that the token is in no address and the strict cookie is sent."""


class Guard:
    """Stands before the application; what it refuses the application never sees."""

    def __init__(self, app: "ASGIApp", session: Session) -> None:
        self.app = app
        self.session = session

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        answer = self._refusal(scope, headers)
        if answer is None and not self._knows(headers):
            answer = self._entrance(scope)
        if answer is not None:
            await _answer(send, *answer)
            return
        await self.app(scope, _limited(scope, receive), _with_headers(send))

    def _refusal(self, scope: "Scope", headers: dict[str, str]) -> "Answer | None":
        """Refuse what another host name or another page sends, whatever it knows."""
        host = headers.get("host", "")
        if host not in self.session.hosts:
            return 403, "This name is not that of this machine."
        origin = headers.get("origin")
        changes = scope["method"] not in ("GET", "HEAD")
        if (origin is None and changes) or (origin is not None and origin != f"http://{host}"):
            return 403, "Only the workbench's own pages may ask for this."
        # a page of another port of this machine is of the same site, and gets the cookie sent
        site, own = headers.get("sec-fetch-site", "same-origin"), ("same-origin", "none")
        if site != "same-origin" and (changes or (site not in own and scope["path"] != "/")):
            return 403, "Only the workbench's own pages may ask for this."
        length = headers.get("content-length", "0")
        limit = _limit(scope)
        if not length.isdecimal() or (limit is not None and int(length) > limit):
            return 413, "This is more than the workbench takes."
        return None

    def _knows(self, headers: dict[str, str]) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        mine = cookies.get(self.session.cookie_name)
        return mine is not None and same(mine.value, self.session.cookie)

    def _entrance(self, scope: "Scope") -> "Answer":
        """Give the cookie for the token, which then is worth nothing any more."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        token = query.get("token", [""])[0]
        if scope["method"] == "GET" and scope["path"] == "/" and self.session.redeem(token):
            named = f"{self.session.cookie_name}={self.session.cookie}"
            return 200, WELCOME, f"{named}; Path=/; HttpOnly; SameSite=Strict"
        return 403, "Open the workbench by the address that discreet serve printed; it works once."


Answer = tuple[int, str] | tuple[int, str, str]
"""A status, what is said, and a cookie."""


def _limit(scope: "Scope") -> int | None:
    """Return how long a body may be; an upload has its own limit, counted as it comes."""
    return None if scope["path"].endswith("/upload") else FORM_LIMIT


def _limited(scope: "Scope", receive: "Receive") -> "Receive":
    """Count what comes, since a body need not say how long it is."""
    limit, seen = _limit(scope), 0

    async def counted() -> "Message":
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if limit is not None and seen > limit:
            return {"type": "http.disconnect"}
        return message

    return counted


def _with_headers(send: "Send") -> "Send":
    async def sending(message: "Message") -> None:
        if message["type"] == "http.response.start":
            present = {name for name, _ in message["headers"]}
            more = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
            message["headers"] += [header for header in more if header[0] not in present]
        await send(message)

    return sending


async def _answer(send: "Send", status: int, text: str, cookie: str | None = None) -> None:
    kind = "text/html" if cookie else "text/plain"
    headers = [(b"content-type", f"{kind}; charset=utf-8".encode())]
    if cookie:
        headers.append((b"set-cookie", cookie.encode()))
    sending = _with_headers(send)
    await sending({"type": "http.response.start", "status": status, "headers": headers})
    await sending({"type": "http.response.body", "body": text.encode()})
