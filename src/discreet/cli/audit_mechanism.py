"""``discreet audit-mechanism METHOD``: whether a method keeps its epsilon, tried out."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import click

from discreet.catalog import Entry, entries, find
from discreet.cli import show
from discreet.cli.listing import Listing
from discreet.cli.options import command, filled
from discreet.cli.sections import Randomness
from discreet.core.doc import Doc
from discreet.core.exact import positive
from discreet.core.guarantee import DifferentialPrivacy
from discreet.errors import ParameterError

if TYPE_CHECKING:
    from discreet.core.transactions import Transactions
    from discreet.counts.batch import Outcome
    from discreet.mechanism_audit.audit import AuditVerdict, ExactRatio
    from discreet.mechanism_audit.neighbouring import NeighbouringPair
    from discreet.rng import Rng

ERROR = 1e-4
"""The chance of accusing a method that keeps its epsilon, over all pairs and events together."""
SLACK = 1e-9
"""Rounding of exact ratios: a tenth decimal is no excess."""
AT_ONCE = 2_000
"""Runs between two words about the progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial(Randomness):
    """How much to try."""

    runs: Annotated[
        int,
        Doc(
            "Runs on each data set of a pair; one half chooses what to look at, the other half "
            "decides."
        ),
    ] = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """What one pair of neighbouring data sets showed."""

    pair: Annotated["NeighbouringPair", Doc("The data.")]
    verdict: Annotated["AuditVerdict", Doc("What the runs say.")]
    exact: Annotated["ExactRatio | None", Doc("What the laws say, where they can be computed.")]

    @property
    def caught(self) -> bool:
        """Whether the method spends more than its epsilon."""
        surely = self.exact is not None and self.exact.epsilon > self.verdict.epsilon + SLACK
        return self.verdict.accused or surely

    def record(self) -> dict[str, Any]:
        """Return what was found as a plain mapping."""
        return {
            "shows": self.pair.shows,
            "one": _described(self.pair.one),
            "other": _described(self.pair.other),
            "caught": self.caught,
            "statistical": self.verdict.record(),
            "exact": None if self.exact is None else self.exact.record(),
        }


def _run(entry: Entry, *, json: bool, **typed: Any) -> int:
    trial, method = filled(Trial, typed), filled(entry.method, typed)
    rng = trial.rng()
    tried = list(_trials(method, trial.runs, rng))
    caught = any(pair.caught for pair in tried)
    claims = [claim for claim in method.guarantees if isinstance(claim, DifferentialPrivacy)]
    record = {
        "method": entry.name,
        "epsilon": float(positive("epsilon", method.epsilon)),
        "claimed": max((float(claim.budget) for claim in claims), default=None),
        "caught": caught,
        "runs": trial.runs,
        "error": ERROR,
        "randomness": rng.label,
        "pairs": [pair.record() for pair in tried],
    }
    (show.as_json if json else _tell)(record)
    return int(caught)


def _trials(method: Any, runs: int, rng: "Rng") -> Iterator[Tried]:
    """Run the method on each pair of data sets that it proposes."""
    from discreet.mechanism_audit.audit import audit, exact_ratio

    pairs, epsilon = method.worst_pair(), float(positive("epsilon", method.epsilon))
    for number, pair in enumerate(pairs, 1):
        title = f"pair {number} of {len(pairs)}, {pair.shows}"
        with show.working(title) as status:
            one, other = (
                partial(_outcomes, _fitted(method, pair), pair, data, rng, (title, status))
                for data in (pair.one, pair.other)
            )
            verdict = audit(one, other, runs=runs, epsilon=epsilon, error=ERROR / len(pairs))
        exact = None if pair.laws is None else exact_ratio(*pair.laws)
        yield Tried(pair=pair, verdict=verdict, exact=exact)


def _fitted(method: Any, pair: "NeighbouringPair") -> Any:
    """Return the method over the pair's universe; all else stays as it was chosen."""
    public = {"universe": pair.universe, "max_size": pair.sizes[1]}
    known = {field.name for field in fields(method)}
    return replace(method, **{name: public[name] for name in public.keys() & known})


def _outcomes(
    method: Any,
    pair: "NeighbouringPair",
    data: "Transactions",
    rng: "Rng",
    progress: tuple[str, Any],
    runs: int,
) -> "list[Outcome]":
    """Run the method so many times on one of the pair's data sets."""
    from discreet.counts.batch import outcomes

    title, status = progress
    collected: list[Outcome] = []
    while len(collected) < runs:
        some = min(AT_ONCE, runs - len(collected))
        collected += outcomes(method, data, rng, some, smallest=pair.sizes[0])
        if status is not None:
            status.update(f"{title}: {len(collected):,} of {runs:,} runs")
    return collected


def _described(data: "Transactions") -> str:
    """Say what made-up data hold."""
    counts = data.folded.as_dict()
    sets = [f"{count} x {{{', '.join(items)}}}" for items, count in counts.items()]
    return " and ".join(sets) or "nobody"


def _tell(record: dict[str, Any]) -> None:
    name, epsilon, runs = record["method"], record["epsilon"], record["runs"]
    if record["caught"]:
        show.lines(
            f"CAUGHT: {name} spends more than epsilon {epsilon:g}. Of the methods that do not, "
            f"one in {1 / record['error']:,.0f} is caught by chance."
        )
    else:
        show.lines(
            f"No violation found: in {runs:,} runs on each data set, {name} showed no more than "
            f"epsilon {epsilon:g}. This is not a proof."
        )
    claimed = record["claimed"]
    if claimed is None:
        show.lines("It promises no differential privacy with these parameters.")
    elif claimed > epsilon:
        show.lines(f"With these parameters its own promise is epsilon {claimed:.4g}.")
    for pair in record["pairs"]:
        _tell_pair(pair)


def _tell_pair(pair: dict[str, Any]) -> None:
    tested, exact = pair["statistical"], pair["exact"]
    first, second = tested["seen"]
    show.heading(f"{pair['shows']}: {'CAUGHT' if pair['caught'] else 'nothing found'}")
    show.lines(
        f"  data: {pair['one']}; against {pair['other']}",
        f"  seen: {tested['event']}, {first:,} against {second:,} times in {tested['runs']:,} runs",
        f"  epsilon by these runs: above {tested['bound']:.3f}; at 95 %, which decides nothing: "
        f"above {tested['bound_95']:.3f}",
    )
    if exact is not None:
        show.lines(f"  epsilon of this step by its exact law: {exact['epsilon']:.4f}")


def _build(name: str) -> click.Command:
    entry = find(name, "publisher")
    if not hasattr(entry.method, "worst_pair"):
        able = ", ".join(_offered())
        msg = f"{entry.name} proposes no neighbouring data to try it on; this works for {able}"
        raise ParameterError(msg)
    return command(
        entry.name,
        partial(_run, entry),
        arguments=[],
        sections={"Parameters": entry.method, "The trial": Trial},
        about=(
            f"Test empirically whether {entry.name} keeps its epsilon. The data are made up and "
            "come with their own universe and largest size. Exit code 0: no violation found, 1: "
            "caught."
        ),
        short=entry.summary,
    )


def _offered() -> dict[str, str]:
    able = [entry for entry in entries("publisher") if hasattr(entry.method, "worst_pair")]
    return {entry.name: entry.summary for entry in able}


audit_mechanism = Listing(
    "audit-mechanism",
    offered=_offered,
    build=_build,
    help=(
        "Test empirically whether METHOD keeps its epsilon. Exit code 0: no violation found, 1: "
        "caught."
    ),
    subcommand_metavar="METHOD --epsilon NUMBER [OPTIONS]",
)
