"""A certificate of a release as a PDF of two pages: what a person signs and files."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from discreet.errors import DataError
from discreet.report.letters import NOTE, drawable, is_drawable
from discreet.report.page import flat
from discreet.report.rows import risk_rows
from discreet.report.wording import a_hundred, choice, day, number, opening, percent

if TYPE_CHECKING:
    from fpdf import FPDF

T = TypeVar("T")
Colour = tuple[int, int, int]
INK: Final = (27, 36, 48)
SOFT: Final = (91, 102, 117)
LINE: Final = (223, 227, 232)
HIT: Final = (179, 38, 30)
ACCENT: Final = (11, 95, 110)
VERDICTS: Final[Mapping[str, tuple[Colour, Colour]]] = {
    "release": ((27, 122, 75), (231, 245, 237)),
    "release with care": ((138, 90, 0), (253, 243, 223)),
}
"""Ink and wash of each verdict that can be certified."""
LEFT, WIDTH, FOOT = 18.0, 174.0, 278.0
"""Millimetres of an A4 page: the left margin, the width of the text, where the foot begins."""


def certificate_pdf(
    audit: Mapping[str, Any], occasion: Mapping[str, str], hashes: Mapping[str, str]
) -> bytes:
    """Return the certificate of what ``audit`` says; letters of other scripts are transliterated.

    ``occasion`` holds date, signatory, purpose, recipient; ``hashes`` what is signed, by name.
    """
    pdf = _paper(occasion["date"], audit["method"])
    pdf.add_page()
    _head(pdf, audit, occasion)
    _verdict(pdf, audit["judgement"])
    _threats(pdf, audit["risk"])
    _promises(pdf, audit["promises"])
    _signature(pdf, occasion, hashes)
    pdf.add_page()
    _attacks(pdf, audit["attacks"])
    _risks(pdf, audit["risk"])
    _made(pdf, audit)
    _check(pdf, hashes)
    if not is_drawable(f"{dict(audit)}{dict(occasion)}"):
        _text(pdf, NOTE, size=8.5, colour=SOFT)
    return bytes(pdf.output())


def _paper(dated: str, method: str) -> "FPDF":
    try:
        from fpdf import FPDF
    except ImportError:
        msg = 'a certificate needs an extra: pip install "discreet[certificate]"'
        raise DataError(msg) from None

    class Paper(FPDF):
        def footer(self) -> None:
            self.set_xy(LEFT, FOOT + 4)
            self.set_font("helvetica", size=8)
            self.set_text_color(*SOFT)
            text = f"Certificate of a release by {method}, {dated}   -   page {self.page_no()} of 2"
            self.cell(WIDTH, 4, drawable(text))

    pdf = Paper(format="A4")
    pdf.set_margins(LEFT, 18, LEFT)
    pdf.set_auto_page_break(auto=False)
    pdf.set_title(f"Certificate of a release by {method}")
    # the same certificate on the same day is the same file
    pdf.set_creation_date(datetime.fromisoformat(f"{dated}T00:00:00+00:00"))
    return pdf


def _text(
    pdf: "FPDF", text: str, *, size: float = 9.5, style: str = "", colour: Colour = INK
) -> None:
    """Write a paragraph over the whole width."""
    pdf.set_x(LEFT)
    pdf.set_font("helvetica", style=style, size=size)
    pdf.set_text_color(*colour)
    pdf.multi_cell(WIDTH, size * 0.47, drawable(text), align="L", new_x="LMARGIN", new_y="NEXT")


def _fitting(pdf: "FPDF", listed: Sequence[T], lowest: float, *, size: float = 9.5) -> Iterator[T]:
    """Give what is listed as long as the paper has room for it, and say how many are left."""
    for index, entry in enumerate(listed):
        if pdf.get_y() > lowest:
            _text(pdf, f"{len(listed) - index} more are in the audit.", size=size, colour=SOFT)
            return
        yield entry


def _heading(pdf: "FPDF", text: str) -> None:
    pdf.set_y(pdf.get_y() + 5)
    _text(pdf, text, size=12, style="B", colour=ACCENT)
    pdf.set_draw_color(*LINE)
    pdf.line(LEFT, pdf.get_y() + 1, LEFT + WIDTH, pdf.get_y() + 1)
    pdf.set_y(pdf.get_y() + 2.5)


def _head(pdf: "FPDF", audit: Mapping[str, Any], occasion: Mapping[str, str]) -> None:
    _text(pdf, audit["tool"], size=8.5, colour=SOFT)
    pdf.set_y(pdf.get_y() + 2)
    _text(pdf, "Certificate of a release", size=22, style="B")
    pdf.set_y(pdf.get_y() + 4)
    facts = {
        **({"Data": occasion["title"]} if "title" in occasion else {}),
        "Date": day(occasion["date"]),
        "Method": audit["method"],
        "Recipient": occasion.get("recipient", "not stated"),
        "Purpose": occasion.get("purpose", "not stated"),
    }
    for name, text in facts.items():
        _row(pdf, [(name, 32, SOFT), (text, WIDTH - 32, INK)], ruled=False)


def _verdict(pdf: "FPDF", judgement: Mapping[str, Any]) -> None:
    """Draw the verdict: told by word and shape before colour."""
    ink, wash = VERDICTS[judgement["verdict"]]
    why = [f"{reason['why']}." for reason in judgement["reasons"]][:4]
    left_out = len(judgement["reasons"]) - len(why)
    lines = why or ["No rule of the audit speaks against it."]
    lines += [f"And {left_out} more, in the audit."] if left_out > 0 else []
    top = pdf.get_y() + 5
    pdf.set_font("helvetica", size=9.5)
    tall = max(24.0, 15 + sum(_height(pdf, line, WIDTH - 32, 4.6) for line in lines))
    pdf.set_fill_color(*wash)
    pdf.set_draw_color(*ink)
    pdf.set_line_width(0.7)
    pdf.rect(LEFT, top, WIDTH, tall, style="DF", round_corners=True, corner_radius=2.5)
    _shape(pdf, LEFT + 13, top + tall / 2, careful=judgement["verdict"] != "release")
    pdf.set_line_width(0.2)
    pdf.set_xy(LEFT + 26, top + 4)
    pdf.set_font("helvetica", style="B", size=16)
    pdf.set_text_color(*ink)
    pdf.cell(WIDTH - 32, 7, judgement["verdict"].capitalize(), new_x="LEFT", new_y="NEXT")
    pdf.set_font("helvetica", size=9.5)
    pdf.set_text_color(*INK)
    for line in lines:
        pdf.set_x(LEFT + 26)
        text = drawable(opening(line))
        pdf.multi_cell(WIDTH - 32, 4.6, text, align="L", new_x="LEFT", new_y="NEXT")
    pdf.set_y(top + tall)


def _height(pdf: "FPDF", text: str, wide: float, line: float) -> float:
    """Return how high a paragraph will be in the font that is set."""
    height = pdf.multi_cell(wide, line, drawable(text), dry_run=True, output="HEIGHT", align="L")
    return float(cast("float", height))


def _shape(pdf: "FPDF", x: float, y: float, *, careful: bool) -> None:
    """Draw a warning triangle, or a tick in a ring."""
    pdf.set_line_width(1.1)
    if careful:
        pdf.polygon([(x, y - 7), (x + 7.5, y + 6), (x - 7.5, y + 6)], style="D")
        pdf.line(x, y - 2.5, x, y + 1.6)
        pdf.line(x, y + 3.6, x, y + 3.8)
    else:
        pdf.ellipse(x - 7, y - 7, 14, 14, style="D")
        pdf.line(x - 3.2, y + 0.3, x - 0.8, y + 2.9)
        pdf.line(x - 0.8, y + 2.9, x + 3.6, y - 2.7)


def _threats(pdf: "FPDF", risk: Mapping[str, Any]) -> None:
    """Draw for each of the three threats a hundred people, those it hits in red."""
    shares = {name: figures["share"] for name, figures in risk.get("wp29", {}).items()}
    if not shares or None in shares.values():
        return
    top, wide = pdf.get_y() + 6, WIDTH / 3
    for column, (name, share) in enumerate(shares.items()):
        x = LEFT + column * wide
        pdf.set_xy(x, top)
        pdf.set_font("helvetica", size=8.5)
        pdf.set_text_color(*SOFT)
        pdf.cell(wide, 4.5, name.replace("_", " ").capitalize(), new_x="LEFT", new_y="NEXT")
        pdf.set_font("helvetica", style="B", size=15)
        pdf.set_text_color(*INK)
        pdf.cell(wide, 7.5, a_hundred(share), new_x="LEFT", new_y="NEXT")
        for person in range(100):
            pdf.set_fill_color(*(HIT if person < math.ceil(100 * share) else LINE))
            across, down = person % 20, person // 20
            pdf.ellipse(x + 0.6 + 2.4 * across, top + 14 + 2.4 * down, 1.7, 1.7, style="F")
    pdf.set_y(top + 27.5)
    text = "Each dot is one in a hundred people, rounded up; the next page explains the figures."
    _text(pdf, text, size=8.5, colour=SOFT)


def _promises(pdf: "FPDF", promises: Sequence[Mapping[str, Any]]) -> None:
    _heading(pdf, "What is promised, and what was checked")
    if not promises:
        _text(pdf, "Nothing is promised.")
    for row in _fitting(pdf, promises, 195):
        _text(pdf, f"{row['name']}: {row['verdict']}", style="B")
        promise = opening(row["promise"]).rstrip(".")
        _text(pdf, f"{promise}. Not promised: {row['limit']}.", size=9)
        _text(pdf, f"Checked: {row['checked']}.", size=8.5, colour=SOFT)
        pdf.set_y(pdf.get_y() + 1.5)


def _signature(pdf: "FPDF", occasion: Mapping[str, str], hashes: Mapping[str, str]) -> None:
    top = max(pdf.get_y() + 6, 226.0)
    pdf.set_y(top)
    _text(
        pdf,
        "The audit named on the next page is of exactly this release, and its verdict is the "
        "one above. The signature that accompanies this file covers the release, the audit and "
        "this certificate.",
        size=9,
    )
    pdf.set_draw_color(*INK)
    pdf.line(LEFT, top + 28, LEFT + 80, top + 28)
    pdf.line(LEFT + 94, top + 28, LEFT + WIDTH, top + 28)
    pdf.set_y(top + 29.5)
    _row(
        pdf,
        [(occasion["signatory"], 94, INK), ("Signature by hand, if wanted", 80, SOFT)],
        ruled=False,
    )
    _row(pdf, [(f"Ed25519 key {hashes['key']}", WIDTH, SOFT)], ruled=False)


def _row(
    pdf: "FPDF", cells: Iterable[tuple[str, float, Colour]], *, size: float = 9, ruled: bool = True
) -> None:
    """Write cells side by side, each as wide as said and as high as the highest."""
    top, bottom, x = pdf.get_y(), pdf.get_y(), LEFT
    pdf.set_font("helvetica", size=size)
    for text, wide, colour in cells:
        pdf.set_xy(x, top + 0.5)
        pdf.set_text_color(*colour)
        pdf.multi_cell(
            wide - 2, size * 0.47, drawable(text), align="L",
            new_x="LEFT", new_y="NEXT",
        )  # fmt: skip
        bottom, x = max(bottom, pdf.get_y() + 0.5), x + wide
    if ruled:
        pdf.set_draw_color(*LINE)
        pdf.line(LEFT, bottom + 0.4, LEFT + WIDTH, bottom + 0.4)
    pdf.set_y(bottom + (0.8 if ruled else 0.2))


def _attacks(pdf: "FPDF", attacks: Sequence[Mapping[str, Any]]) -> None:
    _heading(pdf, "What was tried against it")
    if not attacks:
        _text(pdf, "No attack applies to this kind of release.")
    for attack in _fitting(pdf, attacks, 105):
        _row(pdf, [(attack["name"], 46, INK), (_outcome(attack), WIDTH - 46, INK)], size=8.5)


def _outcome(attack: Mapping[str, Any]) -> str:
    if attack["claims"] is None:
        return f"not tried: {attack['reason']}"
    if not attack["claims"]:
        return "tried; it makes no claim"
    rates = [
        f"{rate['words']}: {percent(rate['share'])}" for rate in attack["rates"] if rate["people"]
    ]
    summary = f"{number(attack['claims'])} claims, the surest {percent(attack['surest'])}"
    return "; ".join([summary, *rates[:2]])


def _risks(pdf: "FPDF", risk: Mapping[str, Any]) -> None:
    _heading(pdf, "How likely a person is to be found")
    rows = risk_rows(risk)
    if not rows:
        _text(pdf, risk.get("not_counted", "This was not computed."))
        return
    _text(pdf, f"Known to an attacker: {risk['known']}.", size=8.5, colour=SOFT)
    for row in _fitting(pdf, rows, 205, size=8.5):
        cells = [(row.name, 46.0, INK), (row.value, 34.0, INK), (row.meaning, WIDTH - 80, SOFT)]
        _row(pdf, cells, size=8.5)


def _made(pdf: "FPDF", audit: Mapping[str, Any]) -> None:
    _heading(pdf, "How it was made")
    chosen = {name: value for name, value in flat(audit["parameters"]) if value is not None}
    text = ", ".join(f"{name} {choice(value)}" for name, value in chosen.items())
    line_text = (
        f"{audit['method']} with {text or 'no parameters'}. Randomness: {audit['randomness']}."
    )
    _text(pdf, line_text if len(line_text) < 600 else f"{line_text[:600]} ...", size=8.5)


def _check(pdf: "FPDF", hashes: Mapping[str, str]) -> None:
    _heading(pdf, "How to check this certificate")
    pdf.set_font("courier", size=8)
    pdf.set_text_color(*INK)
    for text in (
        f"manifest sha256 {hashes['manifest']}",
        f"audit    sha256 {hashes['audit']}",
        "discreet verify RELEASE --certificate CERT.pdf --public-key KEY.pub --audit AUDIT.json",
    ):
        pdf.set_x(LEFT)
        pdf.cell(WIDTH, 4, text, new_x="LMARGIN", new_y="NEXT")
    pdf.set_y(pdf.get_y() + 1)
    _text(
        pdf,
        "That an attack found nothing does not prove that no other can; a promise that holds "
        "does, within its limits. Get the public key from the signatory, not from whoever sent "
        "you this file.",
        size=8.5,
        colour=SOFT,
    )
