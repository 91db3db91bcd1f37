"""``discreet attack interactive-linkage DATA``: the attack by questions, many times over."""

from dataclasses import dataclass
from typing import Annotated, Any

import click

from discreet.catalog import NOUNS
from discreet.cli import show
from discreet.cli.options import command, filled
from discreet.cli.sections import Randomness
from discreet.core.doc import Doc
from discreet.core.exact import at_least_one
from discreet.core.transactions import Transactions
from discreet.counts.interactive_linkage import Guess, InteractiveLinkage
from discreet.counts.queries.query import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs(Randomness):
    """How often the attack is tried."""

    runs: Annotated[
        int, Doc("How many attackers to simulate, each asking a server with fresh noise.")
    ] = 1000

    def __post_init__(self) -> None:
        at_least_one(runs=self.runs)


def _run(*, data: str, json: bool, **typed: Any) -> int:
    method, knowledge = filled(InteractiveLinkage, typed), filled(Guess, typed)
    runs, reading = filled(Runs, typed), filled(NOUNS[Transactions], typed)
    with show.working(f"reading {data}"):
        people = reading.read(data)
    with show.working(f"asking {2 * runs.runs} questions"):
        numbers = _numbers(people, method, knowledge, runs)
    if json:
        show.as_json(numbers)
        return 0
    show.lines(
        f"In {100 * numbers['success']['share']:.1f} % of {runs.runs:,} runs the two answers say "
        "that whoever holds what is known holds the guessed item."
    )
    show.heading("in numbers, for the owner")
    show.facts(numbers)
    return 0


def _numbers(
    people: Transactions, method: InteractiveLinkage, knowledge: Guess, runs: Runs
) -> dict[str, Any]:
    """Try the attack, and say what the truth is."""
    from discreet.counts.query_server import QueryServer
    from discreet.measure import Rate

    first, second = method.queries(knowledge)
    rng = runs.rng()
    # one server with the budget of all adversaries: every answer has noise of its own
    server = QueryServer(people, runs.runs * (first.budget + second.budget), rng)
    hits = sum(len(method.attack(server, knowledge)) for _ in range(runs.runs))
    alone, both = first.count(people.folded), second.count(people.folded)
    fitting = Query(items=knowledge.items, epsilon=1).count(people.folded)
    return {
        "runs": runs.runs,
        "epsilon_of_a_run": first.budget + second.budget,
        "success": Rate(share=hits / runs.runs, people=runs.runs).record(),
        "probability": method.success_probability(alone, both),
        "truth": {
            "people_with_exactly_what_is_known": alone,
            "people_with_what_is_known_and_the_guess": both,
            "people_with_what_is_known": fitting,
            "share_with_the_guess": both / max(1, fitting),
        },
    }


interactive = command(
    "interactive-linkage",
    _run,
    arguments=[click.Argument(["data"], metavar="DATA")],
    sections={
        "What the attacker knows": Guess,
        "The attack": InteractiveLinkage,
        "Trying": Runs,
        "Reading DATA": NOUNS[Transactions],
    },
    about=(
        "Put the attack's two questions to a server of noisy counts over DATA, many times, and "
        "see how often it concludes something. For the owner of the data, because the truth is "
        "shown.\n\nWang, Li, Lui and Sun 2022, section 4.2."
    ),
    short="Find out by two counting queries whether an item follows from what is known.",
)
