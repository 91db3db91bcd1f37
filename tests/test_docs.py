"""The documentation: every link leads somewhere, and the site builds."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$", re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """Return the names by which headings of a page can be linked to."""
    heads = re.findall(r"^#+\s+(.*)$", FENCE.sub("", text), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", head).lower() for head in heads]
    return {re.sub(r"[^\w\- ]", "", head).strip().replace(" ", "-") for head in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    lost = []
    for found in LINK.finditer(re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))):
        target = found[1] or found[2]
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        file = (page.parent / place).resolve() if place else page
        if file.name == "catalog.md" and not file.exists():
            continue  # it is written when the site is built
        if not file.exists() or (anchor and anchor not in anchors(file.read_text("utf-8"))):
            lost.append(target)
    assert lost == []


def test_there_are_pages_to_check() -> None:
    assert len(PAGES) > 20


@pytest.mark.skipif(find_spec("sphinx") is None, reason="the extra for the site is not installed")
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", "-d", tmp_path / "trees"]
    done = subprocess.run(
        [*map(str, command), str(ROOT / "docs"), str(tmp_path / "site")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    catalog = (tmp_path / "site" / "reference" / "catalog.html").read_text(encoding="utf-8")
    assert "apl-killer" in catalog
    assert "--epsilon" in catalog
    index = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    # nothing is asked for from elsewhere
    assert not re.search(r"""(?:src|<link[^>]*href)=["']https?:""", index)
