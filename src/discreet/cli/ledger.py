"""``discreet ledger``: the budgets of populations, and what was spent of them."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import click

from discreet.cli import show
from discreet.cli.books import Where
from discreet.cli.listing import Listing
from discreet.cli.options import Sections, command, filled
from discreet.core.doc import Doc
from discreet.core.exact import written
from discreet.core.guarantee import Neighbours
from discreet.errors import DataError
from discreet.io.writing import write_file

OFFERED: Final = {
    "list": "Show what each population has spent and has left (the same as discreet ledger alone).",
    "budget": "Set the budget of a population; a new name creates a new population.",
    "entries": "List every entry of a population, oldest first.",
    "correct": "Give back, on record, what was reserved for a release that nobody can have seen.",
    "export": "Write all entries to a csv file.",
    "check": "Check that no entry was changed, added or removed by hand.",
    "backup": "Copy the whole store into one file.",
    "accept": "Continue, on record, from an older copy that was restored.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What the budget is about."""

    neighbours: Annotated[
        Neighbours,
        Doc(
            "What an epsilon of this budget covers: adding or removing one person, or replacing "
            "one person. With replace, an epsilon for add-remove counts double; priv-bayes needs "
            "replace."
        ),
    ] = "add-remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """What is put on record."""

    reason: Annotated[str, Doc("The reason, which stays in the ledger for good.")]


def _list(*, json: bool, **typed: Any) -> int:
    accounts = filled(Where, typed).open().ledger.accounts()
    rows = [
        {"population": account.population, "budget": written(account.budget),
         "spent": written(account.spent), "left": written(account.left),
         "neighbours": account.neighbours}
        for account in accounts
    ]  # fmt: skip
    if json:
        show.as_json(rows)
    elif rows:
        show.table(list(rows[0]), [list(row.values()) for row in rows])
    else:
        show.lines("no population has a budget yet: discreet ledger budget NAME EPSILON")
    return 0


def _budget(*, population: str, epsilon: str, json: bool, **typed: Any) -> int:
    books, amount = filled(Where, typed).open().ledger, epsilon.strip()
    books.set_budget(population, amount, filled(Meaning, typed).neighbours)
    account = books.account(population)
    if account.left == 0 and account.spent:
        show.warn(f"nothing is left of it: {written(account.spent)} is spent already")
    spent, budget = written(account.spent), written(account.budget)
    record = {"population": population, "budget": budget, "spent": spent}
    return show.result(
        record | {"neighbours": account.neighbours},
        f"{population}: {written(account.left)} of {budget} is left",
        json=json,
    )


def _entries(*, population: str, json: bool, **typed: Any) -> int:
    books = filled(Where, typed).open().ledger
    books.account(population)
    rows: list[dict[str, Any]] = [
        {"number": entry.number, "made": entry.made, "kind": entry.kind,
         "epsilon": written(entry.epsilon), "spent": written(entry.spent),
         "about": entry.refers, "detail": dict(entry.detail)}
        for entry in books.entries(population)
    ]  # fmt: skip
    waiting = [entry.number for entry in books.open_reservations(population)]
    if json:
        show.as_json({"entries": rows, "open": waiting})
        return 0
    cells = [[*map(_cell, list(row.values())[:-1]), _detail(row["detail"])] for row in rows]
    show.table(list(rows[0]), cells)
    if waiting:
        show.lines("", f"never finished, and counted as spent: {', '.join(map(str, waiting))}")
    return 0


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _detail(detail: dict[str, Any]) -> str:
    return ", ".join(f"{name} {str(value)[:16]}" for name, value in detail.items())


def _correct(*, number: int, json: bool, **typed: Any) -> int:
    made = filled(Where, typed).open().ledger.correct(number, filled(Why, typed).reason)
    record = {"population": made.population, "spent": written(made.spent)}
    sentence = f"{made.population}: {record['spent']} is spent now (row {made.number})"
    return show.result(record, sentence, json=json)


def _export(*, file: str, json: bool, **typed: Any) -> int:
    rows = filled(Where, typed).open().ledger.rows()
    target = Path(file)
    if target.exists():
        raise DataError(f"{target.name} exists; choose another name")
    text = io.StringIO()
    names = list(rows[0]) if rows else ["number"]
    table = csv.DictWriter(text, names, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    write_file(target, text.getvalue(), "the ledger", private=True)
    return show.result(
        {"file": target, "rows": len(rows)}, f"{len(rows):,} rows: {file}", json=json
    )


def _check(*, json: bool, **typed: Any) -> int:
    store = filled(Where, typed).open()
    rows, releases = store.ledger.check(), store.shelf.check()
    record = {"rows": rows, "releases": releases, "whole": True}
    return show.result(
        record, f"{rows:,} rows and {releases:,} releases, all as written", json=json
    )


def _backup(*, file: str, json: bool, **typed: Any) -> int:
    from discreet.store import Database, write_backup

    rows = write_backup(Database(filled(Where, typed).store), Path(file))
    return show.result({"file": Path(file), "rows": rows}, f"{rows:,} rows: {file}", json=json)


def _accept(*, json: bool, **typed: Any) -> int:
    from discreet.store import Database, Ledger

    books = Ledger(Database(filled(Where, typed).store), confirm=False)
    books.accept(filled(Why, typed).reason)
    return show.result({"accepted": True}, "this copy is the ledger from now on", json=json)


def _argument(name: str, kind: Any = str) -> click.Parameter:
    return click.Argument([name], metavar=name.upper(), type=kind)


NAMED: Final[dict[str, tuple[Callable[..., int], list[click.Parameter], Sections]]] = {
    "list": (_list, [], {}),
    "budget": (_budget, [_argument("population"), _argument("epsilon")], {"The budget": Meaning}),
    "entries": (_entries, [_argument("population")], {}),
    "correct": (_correct, [_argument("number", int)], {"On record": Why}),
    "export": (_export, [_argument("file")], {}),
    "check": (_check, [], {}),
    "backup": (_backup, [_argument("file")], {}),
    "accept": (_accept, [], {"On record": Why}),
}


def _build(name: str) -> click.Command:
    run, arguments, sections = NAMED[name]
    options = {**sections, "The store": Where}
    return command(name, run, arguments=arguments, sections=options, about=OFFERED[name])


class _Ledger(Listing):
    """Tools by name; without one, the list of populations."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take what names no tool for the list."""
        asks_help = args[:1] and args[0] in ctx.help_option_names
        if not asks_help and not ctx.resilient_parsing and (not args or args[0].startswith("-")):
            args = ["list", *args]
        return super().parse_args(ctx, args)


ledger = _Ledger(
    "ledger",
    kind="tool",
    offered=lambda: OFFERED,
    build=_build,
    help=(
        "Show and manage the privacy budgets of populations. publish --people NAME records the "
        "cost of a release before any noise is drawn, and refuses to exceed the budget. Nothing "
        "is ever deleted; a correction is a new entry. Each TOOL takes --json."
    ),
    subcommand_metavar="[TOOL] [OPTIONS]",
)
