"""An audit as one record, and the same as a page: what a person reads is what a machine reads."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.metadata import version
from itertools import pairwise
from typing import Any, Final

from discreet.core.findings import Claim
from discreet.core.guarantee import epsilon_of
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.score import Rate, Score
from discreet.core.verdict import Verdict
from discreet.measure.meanings import meaning_of
from discreet.report.board import about, cards, facts, sentence
from discreet.report.figures import audit_figures
from discreet.report.glossary import glossary
from discreet.report.page import page
from discreet.report.rows import loss_rows, risk_rows
from discreet.report.strips import strips
from discreet.study import Attempt, Evidence, Examination, judged, priced_repairs

BANDS: Final = (0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0)
"""Where bands of confidence begin; the last holds certainty alone."""
ALWAYS: Final = "attack, 95 % interval, base rate, control group"
"""Words of the glossary that every page uses."""
WORST: Final = 20
"""Claims of an attack that an owner's copy lists."""
NO_ORIGINAL: Final = (
    "Without the original data, it cannot be said what was lost or how often claims are right."
)
COVERED: Final = (
    "What was lost and how often claims are right were computed from the private data. The "
    "differential privacy of this release does not cover such numbers, so they are in the "
    "owner's copy only."
)


def audit_record(
    examination: Examination,
    evidence: Evidence,
    files: Mapping[str, str],
    *,
    owner: bool = False,
    occasion: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the audit as plain values; a public copy names no record and no items of claims.

    ``occasion`` says what the release is for: its purpose, who gets it, who signs, the date.
    """
    epsilon = epsilon_of(examination.release.guarantees)
    open_to_all = owner or epsilon is None
    shown = examination if open_to_all else _unscored(examination)
    manifest = examination.release.manifest
    record = {
        "tool": f"discreet {version('discreet')}",
        "owner": owner,
        "original": evidence.original is not None,
        # one verdict for all copies; only its numbers may be for the owner
        "judgement": judged(examination).record(private=open_to_all),
        "repairs": [
            (repair if open_to_all else repair._replace(price=""))._asdict()
            for repair in priced_repairs(examination, evidence)
        ],
        "about": about(examination.release.content),
        "epsilon": None if epsilon is None else float(epsilon),
        "promises": [_promise(verdict, owner=owner) for verdict in examination.verdicts.parts],
        "attacks": [_attack(attempt, evidence.key, owner=owner) for attempt in shown.attempts],
        "risk": dict(shown.risk),
        "occasion": dict(occasion or {}),
        "measured": _rounded(shown.measured, owner=owner),
        "meanings": _meanings(shown.measured),
        "alternatives": _rounded(shown.alternatives, owner=owner),
        "left_out": list(_left_out(evidence)),
        "unmeasured": NO_ORIGINAL if evidence.original is None else COVERED,
        "method": manifest.method,
        "parameters": dict(manifest.parameters),
        "randomness": manifest.randomness,
        "notes": {name: _note(value, owner=owner) for name, value in manifest.facts.items()},
        "files": dict(files),
    }
    return record if owner else without_names(record, aliases_of(examination.release.content))


def _meanings(measured: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return for each measure which way is better, its unit and a sentence."""
    meanings = {name: meaning_of(name) for name in measured}
    return {
        name.replace("_", " "): meaning._asdict() for name, meaning in meanings.items() if meaning
    }


def _left_out(evidence: Evidence) -> tuple[str, ...]:
    """Return the columns of the original that have no role: they were not published."""
    original = evidence.original
    return original.left_out if isinstance(original, Microdata) else ()


def audit_page(record: Mapping[str, Any], examination: Examination, evidence: Evidence) -> str:
    """Return the audit as one self-contained page."""
    shown = (examination, evidence) if record["owner"] else (nameless(examination), Evidence())
    return page(
        "audit.html",
        audit=record,
        facts=facts(record),
        sentence=sentence(record["judgement"], {attack["name"] for attack in record["attacks"]}),
        cards=cards(record),
        strips=strips(record["attacks"]),
        risk=risk_rows(record["risk"]),
        losses=loss_rows(record["measured"], record["meanings"]),
        drawings=list(audit_figures(*shown)),
        glossary=glossary(f"{ALWAYS} {record}"),
    )


def _unscored(examination: Examination) -> Examination:
    """Return what can be said without the private data."""
    attempts = [
        replace(attempt, score=None, reason=attempt.reason or "in the owner's copy")
        for attempt in examination.attempts
    ]
    risk = {name: value for name, value in examination.risk.items() if name != "occurring"}
    return replace(examination, attempts=tuple(attempts), measured={}, alternatives={}, risk=risk)


def _note(value: Any, *, owner: bool) -> Any:
    """Return a note of the manifest; a public copy does not repeat a list of items."""
    if owner or not isinstance(value, list | tuple) or not all(isinstance(x, str) for x in value):
        return value
    return f"{len(value)}, named in the manifest"


def _promise(verdict: Verdict, *, owner: bool) -> dict[str, Any]:
    answers = {True: "holds", False: "BROKEN", None: "cannot be checked from the file"}
    return {
        "name": type(verdict.guarantee).__name__,
        "promise": verdict.guarantee.promise,
        "limit": verdict.guarantee.limit,
        "verdict": answers[verdict.holds],
        "holds": verdict.holds,
        "checked": verdict.checked.rstrip("."),
        # a counterexample names items
        "witness": verdict.witness if owner else None,
    }


def _attack(attempt: Attempt, key: LinkageKey | None, *, owner: bool) -> dict[str, Any]:
    entry, findings = attempt.entry, attempt.findings
    threat = ", ".join(entry.method.threatens)
    shown: dict[str, Any] = {"name": entry.name, "words": entry.summary, "threat": threat}
    shown["releases"] = attempt.releases
    shown["whole_series"] = attempt.whole_series
    shown["choice"] = attempt.choice
    if findings is None:
        needs = list(attempt.needs)
        return shown | {"run": False, "claims": None, "reason": attempt.reason, "needs": needs}
    rates = attempt.score.rates if attempt.score else ()
    advantages = attempt.score.advantages if attempt.score else ()
    return shown | {
        "run": True,
        "claims": len(findings),
        "surest": max((claim.confidence for claim in findings.claims), default=None),
        "bands": _bands(findings.claims),
        "reason": attempt.reason,
        "worse_than_baseline": bool(advantages)
        and all(advantage.below_baseline for advantage in advantages),
        "advantages": [
            _rounded(record, owner=owner)
            for record in (_advantages(attempt.score) if attempt.score else ())
        ],
        "rates": [
            {"words": words, **_rounded(rate.record(), owner=owner)} for words, rate in rates
        ],
        "worst": [
            claim.record() | {"record": _record_of_row(claim.row, key)}
            for claim in findings.claims[: WORST if owner else 0]
        ],
    }


def _advantages(score: Score) -> Iterator[dict[str, Any]]:
    """Give each way in which claims can be right, beside guessing and, where given, a control."""
    control = score.figures.get("control")
    for index, advantage in enumerate(score.advantages):
        beside = control.record() if isinstance(control, Rate) and not index else None
        yield {
            "words": advantage.words,
            **advantage.success.record(),
            "baseline": advantage.baseline.share,
            "control": beside,
        }


def _bands(claims: tuple[Claim, ...]) -> list[dict[str, Any]]:
    """Return how many claims there are in each band of confidence; certainty is one of its own."""
    places = [bisect_right(BANDS, claim.confidence) - 1 for claim in claims]
    labels = [f"{100 * low:g} to {100 * high:g} %" for low, high in pairwise(BANDS)] + ["certain"]
    return [
        {"words": label, "from": BANDS[index], "claims": count}
        for index, label in enumerate(labels)
        if (count := places.count(index))
    ]


def _record_of_row(row: int, key: LinkageKey | None) -> int | None:
    """Return which record is behind a row, counted from 1 as in a file; None if nothing tells."""
    tables = key.tables if key else {}
    # of several tables a claim does not say in which its row is
    matches = [table for name, table in tables.items() if name in ("rows", "rows_1")]
    rows = matches[0] if matches and "rows_2" not in tables else None
    if rows is None or not {"row", "record"} <= set(rows.columns):
        return None
    records = rows.filter(rows["row"] == row)["record"].to_list()
    return int(records[0]) + 1 if records else None


def _rounded(value: Any, *, owner: bool) -> Any:
    """Return numbers to two digits in a public copy: exact ones would count people."""
    if isinstance(value, Mapping):
        return {name: _rounded(item, owner=owner) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item, owner=owner) for item in value]
    if owner or isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return float(f"{value:.2g}")


def aliases_of(content: Any) -> dict[str, str]:
    """Return for each column that stands for a value of a multi-valued attribute another name.

    >>> import polars as pl
    >>> table = pl.DataFrame({"illness=flu": [1], "illness=gout": [0]})
    >>> aliases_of(ProjectedTables((table,), {}))
    {'illness=flu': 'illness, value 1', 'illness=gout': 'illness, value 2'}
    """
    if not isinstance(content, ProjectedTables):
        return {}
    aliases: dict[str, str] = {}
    counted: dict[str, int] = {}
    for column in sorted({name for names in content.sensitive for name in names if "=" in name}):
        attribute = column.partition("=")[0]
        counted[attribute] = counted.get(attribute, 0) + 1
        aliases[column] = f"{attribute}, value {counted[attribute]}"
    return aliases


def nameless(examination: Examination) -> Examination:
    """Return the same with other names for columns that stand for a value."""
    release, aliases = examination.release, aliases_of(examination.release.content)
    if not aliases:
        return examination
    content = release.content
    tables = tuple(
        table.rename({old: new for old, new in aliases.items() if old in table.columns})
        for table in content.parts
    )
    renamed = replace(content, parts=tables)
    return replace(examination, release=Release(renamed, release.guarantees, release.manifest))


def without_names(value: Any, aliases: Mapping[str, str]) -> Any:
    """Return a record in which such columns have other names."""
    if isinstance(value, Mapping):
        return {
            without_names(name, aliases): without_names(item, aliases)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [without_names(item, aliases) for item in value]
    if isinstance(value, str):
        # the longest first: one name may begin another
        for name in sorted(aliases, key=len, reverse=True):
            value = value.replace(name, aliases[name])
    return value
