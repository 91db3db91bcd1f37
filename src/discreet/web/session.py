"""Who may use a running workbench: a token that works once, then a cookie."""

import secrets
from dataclasses import dataclass, field


def _secret() -> str:
    return secrets.token_urlsafe(32)


@dataclass(slots=True, kw_only=True)
class Session:
    """The secrets of one run of the server; they end with it."""

    port: int
    """Where it listens, on this machine only."""
    token: str | None = field(default_factory=_secret, repr=False)
    """Opens the page once; None when it was used."""
    cookie: str = field(default_factory=_secret, repr=False)
    """What the browser shows from then on."""
    csrf: str = field(default_factory=_secret, repr=False)
    """What every form of the page carries, and no other page knows."""

    @property
    def cookie_name(self) -> str:
        """The name of the cookie; cookies know no ports, so two workbenches need two names."""
        return f"discreet_{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which the server answers; any other is somebody else's."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    @property
    def address(self) -> str:
        """What is typed into a browser, with the token."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    def redeem(self, token: str) -> bool:
        """Return whether a token opens the page; it does so once."""
        if self.token is None or not same(token, self.token):
            return False
        self.token = None
        return True


def same(typed: str, due: str) -> bool:
    """Compare two secrets in a time that tells nothing."""
    return secrets.compare_digest(typed.encode(), due.encode())
