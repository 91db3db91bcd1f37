"""Pictures are well-formed, say what they show, and keep what is put in from becoming markup."""

import re
from xml.etree import ElementTree

import pytest

from discreet.report.draw import (
    Axis,
    Bar,
    Interval,
    Node,
    Series,
    bars,
    grid,
    lattice,
    people,
    plot,
    standalone,
    strip,
)
from discreet.report.draw.svg import dots, element, label

NASTY = '<script>"&'
PICTURES = {
    "strip": strip(NASTY, Interval(0.5, 0.4, 0.6), 0.2, Interval(0.3, 0.2, 0.4)),
    "people": people(NASTY, 0.5, 0.1),
    "bars": bars(NASTY, NASTY, [Bar(NASTY, NASTY, 3, 1, 5), Bar("other", "few", 0.0)]),
    "grid": grid(NASTY, NASTY, [NASTY, "b"], ["1", "2"], {(0, 1)}),
    "plot": plot(
        NASTY,
        NASTY,
        Axis(title=NASTY, kind="symlog"),
        Axis(title="up", kind="log"),
        [
            Series(name=NASTY, points=[(0, 1), (9, 100)], labels=["1", NASTY]),
            Series(name="stairs", points=[(0, 1), (9, 100)], kind="step", ranges=[(1, 2), (9, 10)]),
            Series(name="line", points=[(0, 1), (9, 100)], kind="dash"),
        ],
    ),
    "lattice": lattice(
        NASTY,
        NASTY,
        [
            Node(x=0, row=0, shape="diamond", state="chosen", words=("00", NASTY)),
            Node(x=0, row=1, shape="cross", state="breaks it"),
            Node(x=1, row=1, shape="ring", state="not judged"),
            Node(x=-1, row=1, shape="disc", state="keeps"),
        ],
        [(0, 1), (0, 2)],
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_well_formed_and_says_what_it_shows(name: str) -> None:
    root = ElementTree.fromstring(PICTURES[name])
    title = root.find("title")
    assert title.text == NASTY
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"].startswith(NASTY)
    assert not any(part.tag == "script" for part in root.iter())


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_no_colour_of_its_own(name: str) -> None:
    # colours are the page's, or dark mode would leave it black on black
    assert "#" not in PICTURES[name]
    assert "style=" not in PICTURES[name]


@pytest.mark.parametrize("name", PICTURES)
def test_every_mark_has_a_place(name: str) -> None:
    assert not {"nan", "inf", "None", "e-", "e+"} & set(PICTURES[name].split('"'))
    for part in ElementTree.fromstring(PICTURES[name]).iter():
        for key in ("x", "y", "cx", "cy", "width", "height", "r"):
            if key in part.attrib:
                assert -2000 < float(part.attrib[key]) < 2000


def test_a_picture_that_stands_alone_has_its_colours() -> None:
    alone = standalone(PICTURES["bars"])
    root = ElementTree.fromstring(alone)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "--accent:#" in alone


def test_dots_at_the_same_place_are_one() -> None:
    assert dots([(1.2, 2.1), (0.9, 1.8), (5, 5)], kind="dot").count("h0") == 2


def test_words_are_escaped() -> None:
    assert label(0, 0, "a<b") == '<text x="0" y="0">a&lt;b</text>'
    assert element("a", title='"') == '<a title="&quot;"/>'


@pytest.mark.parametrize(
    ("hit", "near", "red", "amber"),
    [
        (0.012, 0.074, 2, 7),  # 8.6 in a hundred are nine, not ten
        (0.0, 0.0004, 0, 1),
        (0.001, 0.001, 1, 1),  # what is there is seen
        (0.995, 0.005, 100, 0),
        (0.0, 0.0, 0, 0),
    ],
)
def test_two_shares_are_rounded_up_together(hit: float, near: float, red: int, amber: int) -> None:
    drawn = people("people", hit, near)
    counts = {
        kind: path.count("M")
        for path, kind in re.findall(r'<path d="([^"]*)" class="(\w+)"', drawn)
    }
    assert (counts.get("hit", 0), counts.get("near", 0)) == (red, amber)
    assert sum(counts.values()) == 100
