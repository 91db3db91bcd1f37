"""Three questions, and the methods that they lead to."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from discreet.catalog import Entry, find

__all__ = ["QUESTIONS", "Proposal", "proposals"]

QUESTIONS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "readers": (
        "Who will read it?",
        {
            "anybody": "anybody: it goes on a web page or to people I cannot name",
            "researchers": "known researchers, under a contract",
        },
    ),
    "secret": (
        "What must stay secret?",
        {
            "who": "who is who: nobody may be found among the rows",
            "values": "some values that I mark as secret",
            "everything": "whatever a person adds, even that they took part",
        },
    ),
    "times": (
        "Once, or again and again?",
        {
            "once": "once",
            "yearly": "every year or more often, about the same people",
        },
    ),
}
"""Each question with its answers."""

BEGINNINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "counts": {"epsilon": "1"},
    "item-supports": {"epsilon": "1"},
    "km-anonymity": {"k": "5", "m": "2"},
    "disassociation": {"k": "5", "m": "2"},
    "coherence": {"h": "0.5", "k": "5", "p": "2"},
    "rho-m": {"rho": "0.5", "known": "2"},
    "sanony": {"r_th": "3"},
    "m-invariance": {"m": "3"},
    "anatomy": {"l": "3"},
    "mondrian": {"k": "5"},
    "l-diversity": {"k": "5", "l": "2", "recoding": "mondrian"},
    "codip-star": {"k": "5", "t": "0.3", "recoding": "mondrian"},
    "gp-asn": {"rho": "0.5"},
}
"""Values to begin with, by method; a person sees and changes each of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One method, with what it promises and what not at the values to begin with."""

    entry: Entry
    why: str
    promises: tuple[str, ...]
    limits: tuple[str, ...]
    beginning: Mapping[str, str]


def proposals(kind: str, answers: Mapping[str, str]) -> list[Proposal]:
    """Return two or three methods for the answers, the one to try first at the head."""
    chosen = {"table": _tables, "network": _networks}.get(kind, _sets)(answers)
    return [_proposal(name, why) for name, why in chosen]


def _sets(answers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    anybody, yearly = answers["readers"] == "anybody", answers["times"] == "yearly"
    if answers["secret"] == "everything":
        yield "counts", "counts of combinations; every release is paid for from one budget"
        yield "item-supports", "only how many people hold each item, for very many items"
        return
    if yearly:
        yield "sanony", "made for releases that are compared with each other"
        if answers["secret"] == "values":
            yield "m-invariance", "a person meets the same secret values in every release"
        yield "counts", "promises add up over the years, in the ledger"
        return
    if answers["secret"] == "values":
        yield "coherence", "nobody is found, and no secret follows from what is known"
        yield "rho-m", "single occurrences go until no secret follows"
        yield "anatomy", "all items stay; secrets are told apart from them"
        return
    yield "km-anonymity", "rows stay rows, and a few known items fit several people"
    yield "disassociation", "all items stay, and which belong together is hidden"
    if anybody:
        yield "counts", "for readers who may know more than you think"


def _tables(answers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if answers["secret"] == "who":
        yield "mondrian", "small classes, little lost"
        yield "l-diversity", "the same, and secrets differ within each class"
        return
    yield "l-diversity", "nobody is alone, and secrets differ within each class"
    yield "codip-star", "several secrets, in tables that cannot be joined"
    yield "mondrian", "less is promised, and less is lost"


def _networks(_answers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield "gp-asn", "sets and friendships, hidden in the same groups"


def _proposal(name: str, why: str) -> Proposal:
    entry, beginning = find(name, "publisher"), BEGINNINGS[name]
    chosen = [part for part in entry.parameters if part.name in beginning]
    typed = {part.name: part.read(beginning[part.name]) for part in chosen}
    claims: tuple[Any, ...] = entry.method(**typed).guarantees
    return Proposal(
        entry=entry,
        why=why,
        promises=tuple(dict.fromkeys(claim.promise for claim in claims)),
        limits=tuple(dict.fromkeys(claim.limit for claim in claims)),
        beginning=beginning,
    )
