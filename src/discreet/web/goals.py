"""Three questions, and the methods that they lead to."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from discreet.catalog import Entry, find
from discreet.core.guarantee import epsilon_of

QUESTIONS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "readers": (
        "Who will read it?",
        {
            "anybody": "anyone: it goes on a web page or to people I cannot name",
            "researchers": "known researchers, under a contract",
        },
    ),
    "secret": (
        "What must stay secret?",
        {
            "who": "identity: nobody may be found among the rows",
            "values": "certain values, which I mark as secret",
            "everything": "everything about a person, even whether they took part",
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
    "table-bayes": {"epsilon": "1"},
    "item-supports": {"epsilon": "1"},
    "km-anonymity": {"k": "5", "m": "2"},
    "coat": {"k": "5", "protect": "rare"},
    "disassociation": {"k": "5", "m": "2"},
    "coherence": {"h": "0.5", "k": "5", "p": "2"},
    "lkc": {"l": "2", "k": "5", "c": "0.5"},
    "rho-m": {"rho": "0.5", "known": "2"},
    "sanony": {"r_th": "3"},
    "m-invariance": {"m": "3"},
    "anatomy": {"l": "3"},
    "mondrian": {"k": "5"},
    "incognito": {"k": "5"},
    "rt-anonymity": {"k": "5", "m": "2"},
    "l-diversity": {"k": "5", "l": "2", "recoding": "mondrian"},
    "codip": {"k": "5", "t": "0.3", "recoding": "mondrian"},
    "codip-star": {"k": "5", "t": "0.3", "recoding": "mondrian"},
    "gp-asn": {"rho": "0.5"},
    "side-by-side": {"rho": "0.5", "k": "5"},
    "greedy-swap": {"k": "5"},
}
"""Values to begin with, by method; a person sees and changes each of them."""
FOR_SECRETS: Final = frozenset(
    {
        "coherence", "lkc", "rho-m", "td-control", "dist", "anony", "sanony", "m-invariance",
        "anatomy", "gp-asn", "side-by-side",
    }
)  # fmt: skip
"""Methods that hide items which are marked as secret, and need some."""
FOR_SECRET_COLUMNS: Final = frozenset({"l-diversity", "naive-t-closeness", "codip", "codip-star"})
"""Methods that hide columns which are marked as secret, and need one."""
SMALL: Final = 20
"""Up to so many items a table of all their combinations can be counted."""

Named = Iterator[tuple[str, str]]
"""Methods, each with why it is proposed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One method, with what it promises and what not at the values to begin with."""

    entry: Entry
    why: str
    promises: tuple[str, ...]
    limits: tuple[str, ...]
    beginning: Mapping[str, str]
    costs: bool
    """Whether each release is paid for from a budget."""
    lacks: str = ""
    """What must be chosen first, as a clause."""


def proposals(choices: Mapping[str, Any]) -> list[Proposal]:
    """Return two or three methods for the answers, the one to try first at the head."""
    answers = choices.get("answers", {})
    if not answers:
        return []
    chosen = PATHS.get(str(choices.get("kind")), _sets)(answers, choices)
    return [_proposal(name, why, choices) for name, why in chosen]


def notes(choices: Mapping[str, Any]) -> Iterator[str]:
    """Say what the answers ask for and nothing on offer promises."""
    answers, kind = choices.get("answers", {}), choices.get("kind")
    if not answers:
        return
    if kind in ("table", "network") and answers["secret"] == "everything":
        yield (
            "no method here hides whether somebody took part in such data; for sets of items "
            "there are some"
        )
    if kind in ("table", "network") and answers["times"] == "yearly":
        yield (
            "for such data, no method here keeps its promise when releases are compared; name "
            "the population, so that each new release is checked against earlier ones"
        )
    if answers["readers"] == "anybody" and answers["secret"] == "who":
        yield (
            "a promise that nobody is found does not limit what can be learned: people who look "
            "alike may all share the same secret"
        )


def _sets(answers: Mapping[str, str], choices: Mapping[str, Any]) -> Named:
    if answers["secret"] == "everything":
        yield from _counted(choices)
    elif answers["times"] == "yearly":
        yield from _series(answers, choices)
    elif answers["secret"] == "values":
        yield "coherence", "nobody is found, and no secret follows from known items"
        yield "rho-m", "deletes single occurrences until no secret follows"
        yield "anatomy", "all items stay; secrets are published separately from them"
    else:
        yield "km-anonymity", "rows stay rows, and a few known items match several people"
        yield "disassociation", "counts of single items stay exact; those of pairs become rough"
        if answers["readers"] == "anybody":
            yield "counts", "for readers who may know more than you expect"
        else:
            yield "coat", "only rare items become less exact"


def _counted(choices: Mapping[str, Any]) -> Named:
    yield "counts", "counts of combinations, by the method that fits what is public"
    if 0 < len(choices.get("universe", ())) <= SMALL:
        yield "table-bayes", "all combinations of few items, counted at once"
    yield "item-supports", "only how many people hold each item, for very many items"


def _series(_answers: Mapping[str, str], _choices: Mapping[str, Any]) -> Named:
    yield "sanony", "made for releases that are compared with each other"
    yield "m-invariance", "a person has the same possible secret values in every release"
    yield "counts", "every release uses up budget, and the ledger adds them up"


def _tables(answers: Mapping[str, str], choices: Mapping[str, Any]) -> Named:
    roles = set(choices.get("roles", {}).values())
    if "set_column" in roles:
        yield "rt-anonymity", "columns and a set for each person, both protected"
    secrets = list(choices.get("roles", {}).values()).count("sensitive_attributes")
    if answers["secret"] == "who":
        yield "mondrian", "small classes, little lost"
        yield "incognito", "every column on one level for all, which is easier to explain"
        return
    if secrets > 1 or "multi_valued" in roles:
        yield "codip-star", "several secrets, in tables that cannot be joined"
        yield "codip", "the same, and you may say which secrets stay together"
    yield "l-diversity", "nobody is unique, and secrets vary within each class"
    if secrets == 1:
        yield "mondrian", "less is promised, and less is lost"


def _networks(answers: Mapping[str, str], _choices: Mapping[str, Any]) -> Named:
    if answers["secret"] == "who":
        yield "gp-asn", "sets and friendships, protected in the same groups"
        yield "greedy-swap", "the friendships alone: at least k people have each number of friends"
        return
    yield "gp-asn", "sets and friendships, protected in the same groups"
    yield "rho-m", "the sets alone, without the friendships: less is lost"
    yield "side-by-side", "sets and friendships separately, then joined: less is promised"


PATHS: Final[Mapping[str, Callable[[Mapping[str, str], Mapping[str, Any]], Named]]] = {
    "series": lambda answers, choices: (
        _counted(choices) if answers["secret"] == "everything" else _series(answers, choices)
    ),
    "table": _tables,
    "network": _networks,
}
"""Who answers for which kind of data."""


def _proposal(name: str, why: str, choices: Mapping[str, Any]) -> Proposal:
    entry, beginning = find(name, "publisher"), BEGINNINGS[name]
    chosen = [parameter for parameter in entry.parameters if parameter.name in beginning]
    typed = {parameter.name: parameter.read(beginning[parameter.name]) for parameter in chosen}
    if entry.takes_universe and choices.get("universe"):
        typed["universe"] = tuple(choices["universe"])
    claims: tuple[Any, ...] = entry.method(**typed).guarantees
    return Proposal(
        entry=entry,
        why=why,
        promises=tuple(dict.fromkeys(claim.promise for claim in claims)),
        limits=tuple(dict.fromkeys(claim.limit for claim in claims)),
        beginning=beginning,
        costs=epsilon_of(claims) is not None,
        lacks=lacking(entry, choices),
    )


def lacking(entry: Entry, choices: Mapping[str, Any]) -> str:
    """Return what must be chosen before a method can run; nothing where it can."""
    roles = {*choices.get("roles", {}).values()}
    if entry.name in FOR_SECRETS and not choices.get("sensitive"):
        return "mark under Data which items are secret"
    if entry.name in FOR_SECRET_COLUMNS and not roles & {"sensitive_attributes", "multi_valued"}:
        return "mark under Data which column is secret"
    if entry.name == "rt-anonymity" and "set_column" not in roles:
        return "mark under Data which column holds a set"
    if entry.takes_universe and not choices.get("universe"):
        return "choose under Data the public list of items"
    return ""
