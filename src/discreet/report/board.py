"""The first half page of an audit, for who decides: what, for whom, the verdict, who is hit."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import exp
from typing import Any, Final

from discreet.core.clusters import Clusters
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.guarantee import WEAK_EPSILON
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions
from discreet.report.draw import people
from discreet.report.wording import a_hundred, day, number, opening, percent
from discreet.study.alternatives import NOTHING
from discreet.study.counting_loss import COUNTING_LOSS, TABLE_LOSS
from discreet.study.verdict_rules import NOTABLE

HEADLINES: Final = (
    COUNTING_LOSS, TABLE_LOSS, "edges_kept_share", "query_error", "occurrences_by_name",
)  # fmt: skip
"""The measures that say most of what is left to use, the first that there is."""
SHARES: Final = ("share from 0 to 1", "ratio")
"""Units that are told in percent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One number and one sentence."""

    title: str
    """What it is about."""
    big: str
    """The number."""
    words: str
    """The sentence."""
    svg: str = ""
    """A hundred people, where the number is a share of people."""


def about(content: Any) -> str:
    """Return what a release holds, by its own sizes."""
    match content:
        case ItemsetHistogram():
            items = len(content.sets.vocabulary)
            line = f"{len(content.sets):,} itemsets of {items:,} items, with counts"
        case GeneralisedSets():
            line = f"sets of {len(content):,} people, {len(content.blocks):,} items or groups"
        case Transactions():
            line = f"sets of {len(content):,} people, {len(content.universe):,} items"
        case SetsWithNetwork():
            line = f"sets of {len(content):,} people and {len(content.edges):,} friendships"
        case Network():
            line = f"{len(content):,} people and {len(content.edges):,} friendships"
        case Clusters():
            line = f"{len(content):,} people in {content.count:,} clusters"
        case ProjectedTables():
            rows = max(table.height for table in content.parts)
            tables = "one table" if len(content.parts) == 1 else f"{len(content.parts)} tables"
            line = f"{tables} of up to {rows:,} people"
        case _:
            line = f"{sum(table.height for table in content.tables().values()):,} rows"
    return line


def facts(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what was released, of what, when, for whom and why."""
    occasion = record["occasion"]
    rows = [
        ("Released", f"{record['about']}, by {record['method']}"),
        ("For", occasion.get("recipient", "not stated")),
        ("Purpose", occasion.get("purpose", "not stated")),
        ("Responsible", occasion.get("signatory", "not stated")),
    ]
    if "date" in occasion:
        rows.append(("Audited on", day(occasion["date"])))
    if digest := record["files"].get("manifest.json", ""):
        parts = (digest[start : start + 4] for start in range(0, 16, 4))
        rows.append(("Fingerprint", " ".join(parts)))
    return rows


def sentence(judgement: Mapping[str, Any], attacks: Collection[str] = ()) -> str:
    """Return the verdict in one plain sentence: of reasons of equal weight, that of an attack.

    >>> sentence({"verdict": "do not release", "reasons": [{"level": "no", "why": "it is broken"}]})
    'It is broken.'
    """
    reasons = judgement["reasons"]
    if not reasons:
        return (
            "Every promise that could be checked holds, and no attack that was tried is shown, "
            f"with 95 % confidence, to beat guessing by {100 * NOTABLE:.0f} percentage points or "
            "more."
        )
    gravest = [reason["why"] for reason in reasons if reason["level"] == reasons[0]["level"]]
    seen = [why for why in gravest if why.split(" ")[0] in attacks]
    first = (seen or gravest)[0]
    further = len(reasons) - 1
    more = f" {further} further {'reason' if further == 1 else 'reasons'} below." if further else ""
    return f"{opening(first).rstrip('.')}.{more}"


def cards(record: Mapping[str, Any]) -> list[Card]:
    """Return the numbers that a board should see, those about people first."""
    return [
        *_worst_hit(record), *_alone(record["risk"]), *_taking_part(record), *_lost(record),
        *_friendships(record["measured"]),
    ]  # fmt: skip


def _worst_hit(record: Mapping[str, Any]) -> Iterator[Card]:
    """Give the attack that gains most on guessing, with the people it is right about."""
    advantages = [
        (advantage, attack["name"])
        for attack in record["attacks"]
        for advantage in attack.get("advantages", ())
        if advantage["people"] and advantage["low"] > advantage["baseline"]
    ]
    if not advantages:
        return
    advantage, name = max(advantages, key=lambda pair: pair[0]["low"] - pair[0]["baseline"])
    right, victims = round(advantage["share"] * advantage["people"]), int(advantage["people"])
    described = advantage["words"].format(share=a_hundred(advantage["share"]))
    yield Card(
        title="Worst affected by an attack",
        big=f"{_rounded(right, record)} of {_rounded(victims, record)} people",
        svg=people(f"{a_hundred(advantage['share'])} people", advantage["share"]),
        words=f"{name} {described}; guessing by the base rate: {a_hundred(advantage['baseline'])}.",
    )


def _rounded(count: int, record: Mapping[str, Any]) -> str:
    """Write a number of people; in a public copy it is rounded as all numbers there are."""
    near = count if record["owner"] else int(float(f"{count:.2g}"))
    return number(near) if near == count else f"about {number(near)}"


def _friendships(measured: Mapping[str, Any]) -> Iterator[Card]:
    """Give what became of the edges of a graph: a picture of few of them is no picture."""
    if not measured or "edges_kept" not in measured:
        return
    kept, added, gone = (round(measured[f"edges_{fate}"]) for fate in ("kept", "added", "deleted"))
    published = kept + added
    made_up = f"{percent(added / published)} made up" if published else "none is left"
    yield Card(
        title="Friendships",
        big=made_up,
        words=(
            f"About {number(kept)} of the original ones are kept and {number(gone)} are lost; of "
            f"about {number(published)} published ones, {number(added)} are made up."
        ),
    )


def _alone(risk: Mapping[str, Any]) -> Iterator[Card]:
    """Give how many people what is known tells from everybody else."""
    known = [risk.get(f"knowing_{items}") for items in (3, 2, 1)]
    shares = next((figures for figures in known if figures and figures["people"]), None)
    by = f"{'three' if shares is known[0] else 'two' if shares is known[1] else 'one'} known items"
    if shares is None and "share_alone" in risk:
        shares, by = risk, "everything assumed to be known"
    if shares is None:
        return
    alone, few = shares["share_alone"], shares["share_below_5"]
    yield Card(
        title=f"Alone by {by}",
        big=f"{number(round(alone * shares['people']))} of {number(shares['people'])} people",
        svg=people(
            f"{a_hundred(alone)} alone, {a_hundred(few)} among fewer than five", alone, few - alone
        ),
        words=f"Red: alone ({percent(alone)}); amber: among fewer than five ({percent(few)}).",
    )


def _taking_part(record: Mapping[str, Any]) -> Iterator[Card]:
    epsilon = record["epsilon"]
    if epsilon is None:
        return
    weak = epsilon > WEAK_EPSILON
    yield Card(
        title="What taking part can change",
        big="practically unlimited" if weak else f"at most {number(exp(epsilon))} times",
        words=(
            f"Differential privacy, epsilon {number(epsilon)}: with or without one person, any "
            "release is about as likely. This is a property of the method and cannot be seen in "
            "a file."
        ),
    )


def _lost(record: Mapping[str, Any]) -> Iterator[Card]:
    measured, meanings = record["measured"], record["meanings"]
    name = next((headline for headline in HEADLINES if measured.get(headline) is not None), None)
    if name is None:
        return
    meaning = meanings.get(name.replace("_", " "), {"sentence": name, "unit": ""})
    value = measured[name]
    alternatives = [
        f"{line} would lose {percent(lost)}"
        for line, lost in record["alternatives"].items()
        if line != NOTHING
    ]
    beside = f" For comparison: {'; '.join(alternatives)}." if alternatives else ""
    yield Card(
        title="What is left to use" if meaning.get("direction") == "more is better" else "Lost",
        big=percent(value) if meaning["unit"] in SHARES and value < 10 else number(value),
        words=f"{opening(meaning['sentence'])}.{beside}",
    )
