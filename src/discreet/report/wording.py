"""Numbers, shares and dates as a person reads them: nothing raw, nothing too long."""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from math import isinf, isnan, log10
from typing import TYPE_CHECKING, Any, Final

from discreet.core.findings import in_percent

if TYPE_CHECKING:
    from markupsafe import Markup

HUGE: Final = 1e12
"""From here on nobody counts digits."""
SMALL: Final = 0.0001
"""Below it nobody reads digits."""


def number(value: Any) -> str:
    """Return a number as a person reads it: three digits, never as a power of ten unless huge.

    >>> number(1234567), number(0.123456), number(9.2e-13), number(None), number(float("nan"))
    ('1,234,567', '0.123', 'below 0.0001', '-', '-')
    >>> number(2.0**300), number(True), number("as it is")
    ('about 10^90', 'yes', 'as it is')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or (isinstance(value, float) and isnan(value)):
        return "-"
    return _digits(value) if isinstance(value, int | float) else str(value)


def _digits(value: float) -> str:
    if abs(value) >= HUGE:
        return "no limit" if isinf(value) else f"about 10^{log10(abs(value)):.0f}"
    if value == int(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    if abs(value) < SMALL:
        return f"below {SMALL}" if value > 0 else f"above -{SMALL}"
    # three digits, but no more than four behind the point
    return f"{Decimal(f'{value:.3g}'):f}" if abs(value) >= 0.01 else f"{value:.4f}".rstrip("0")


def percent(share: float | None) -> str:
    """Return a share in percent; only certainty is 100, and only nothing 0.

    >>> percent(0.4567), percent(0.9999), percent(1.0), percent(6e-5), percent(0.0)
    ('45.6 %', '99.9 %', '100 %', 'under 0.1 %', '0 %')
    """
    if share is None or isnan(share):
        return "-"
    if not share:
        return "0 %"
    return "under 0.1 %" if 0 < share < 0.001 else in_percent(share)


def a_hundred(share: float) -> str:
    """Return a share as a person says it.

    >>> a_hundred(0.0), a_hundred(0.002), a_hundred(0.062), a_hundred(0.999), a_hundred(1.0)
    ('none', 'under 1 in 100', '6 in 100', 'over 99 in 100', 'all')
    """
    if share in (0, 1):
        return "all" if share else "none"
    if not 0.01 <= share <= 0.99:
        return "under 1 in 100" if share < 0.01 else "over 99 in 100"
    return f"{100 * share:.0f} in 100"


def choice(value: Any) -> str:
    """Return a chosen parameter, or a note of the manifest, in words.

    >>> choice(None), choice(False), choice(["a", "b"]), choice("0.5")
    ('not set', 'no', 'a, b', '0.5')
    """
    if value is None:
        return "not set"
    if isinstance(value, list | tuple):
        return ", ".join(map(choice, value)) or "none"
    return number(value)


def day(written: str) -> str:
    """Return a date as a person writes it.

    >>> day("2026-11-05")
    '5 November 2026'
    """
    when = date.fromisoformat(written)
    return f"{when.day} {when:%B %Y}"


def opening(text: str) -> str:
    """Return words as they begin a sentence.

    >>> opening("no DP here")
    'No DP here'
    """
    return text[:1].upper() + text[1:]


def attack_name(attack: Mapping[str, Any], *, series: bool = False) -> str:
    """Return the name of an attack of an audit, with what tells it from others of the same name.

    >>> tried = {"name": "composition", "choice": "", "releases": 3, "whole_series": True}
    >>> attack_name(tried)
    'composition on 3 releases, about everybody in them'
    >>> attack_name(tried | {"releases": 1, "whole_series": False}, series=True)
    'composition on this release alone'
    """
    chosen = f" ({attack['choice']})" if attack["choice"] else ""
    alone = " on this release alone" if series else ""
    about = f" on {attack['releases']} releases" if attack["releases"] > 1 else alone
    if attack["releases"] > 1:
        about += ", about everybody in them" if attack["whole_series"] else ", about the last"
    return f"{attack['name']}{chosen}{about}"


def coded(sentence: str) -> "Markup":
    """Return a sentence as HTML, what stands between backticks as code.

    >>> coded("`discreet verify` tells <that>")
    Markup('<code>discreet verify</code> tells &lt;that&gt;')
    """
    from markupsafe import Markup, escape

    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(sentence))))
