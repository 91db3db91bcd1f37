"""The ledger: exact, never wound back, and whole."""

import sqlite3
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from discreet.core.guarantee import DifferentialPrivacy
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.store import Database, Ledger, Store
from discreet.store.chain import hash_of

TENTH = DifferentialPrivacy(epsilon="0.1")
Opened = Callable[[], Store]


def test_ten_tenths_are_one_and_no_more(opened: Opened) -> None:
    ledger = opened().ledger
    ledger.set_budget("town", 1)
    for _ in range(10):
        ledger.reserve("town", [TENTH])
    assert ledger.account("town").left == 0
    with pytest.raises(InfeasibleError, match=r"town: this costs an epsilon of 0\.1, and 0 is"):
        ledger.reserve("town", [TENTH])
    assert opened().ledger.account("town").spent == 1


def test_a_reservation_that_was_never_settled_is_spent(opened: Opened) -> None:
    opened().ledger.set_budget("town", 1)
    opened().ledger.reserve("town", [DifferentialPrivacy(epsilon=1)])
    after = opened().ledger
    assert after.account("town").left == 0
    assert [each.kind for each in after.open_reservations("town")] == ["reserve"]


def test_a_correction_is_a_further_row_and_only_for_what_nobody_saw(opened: Opened) -> None:
    ledger = opened().ledger
    ledger.set_budget("town", 1)
    number = ledger.reserve("town", [TENTH])
    ledger.correct(number, "the machine lost its power")
    assert ledger.account("town").spent == 0
    assert [each.kind for each in ledger.entries("town")] == ["budget", "reserve", "correct"]
    with pytest.raises(InfeasibleError, match="no reservation that is open"):
        ledger.correct(number, "again")
    with pytest.raises(ParameterError, match="reason must say why"):
        ledger.correct(ledger.reserve("town", [TENTH]), " ")


def test_what_was_given_back_cannot_be_published(opened: Opened) -> None:
    ledger = opened().ledger
    ledger.set_budget("town", 1)
    number = ledger.reserve("town", [TENTH])
    ledger.correct(number, "a mistake: the release is still being made")
    with ledger.changing() as connection, pytest.raises(InfeasibleError, match="given back"):
        ledger.seal(connection, number, "seal")


def test_a_sealed_release_cannot_be_given_back(opened: Opened) -> None:
    ledger = opened().ledger
    ledger.set_budget("town", 1)
    number = ledger.reserve("town", [TENTH])
    with ledger.changing() as connection:
        ledger.seal(connection, number, "seal")
    with pytest.raises(InfeasibleError, match="stays spent"):
        ledger.correct(number, "it is out already")


def test_replacing_a_person_costs_twice_what_one_more_or_less_costs(opened: Opened) -> None:
    ledger = opened().ledger
    ledger.set_budget("town", 1, "replace")
    ledger.reserve("town", [DifferentialPrivacy(epsilon="1/4")])
    ledger.reserve("town", [DifferentialPrivacy(epsilon="1/4", neighbours="replace")])
    assert ledger.account("town").spent == Fraction(3, 4)


def test_a_budget_for_one_more_or_less_does_not_pay_for_replacing(opened: Opened) -> None:
    ledger = opened().ledger
    ledger.set_budget("town", 9)
    with pytest.raises(ParameterError, match="neighbours replace"):
        ledger.reserve("town", [DifferentialPrivacy(epsilon=1, neighbours="replace")])
    assert ledger.account("town").spent == 0


def test_what_a_budget_is_about_stays_once_something_was_spent(opened: Opened) -> None:
    ledger = opened().ledger
    ledger.set_budget("town", 1)
    ledger.set_budget("town", 2, "replace")
    ledger.reserve("town", [TENTH])
    with pytest.raises(ParameterError, match="cannot be counted otherwise"):
        ledger.set_budget("town", 2, "add-remove")
    assert ledger.account("town").budget == 2


@pytest.mark.parametrize(
    ("name", "epsilon"),
    [("town", "-1"), ("town", "x"), (" ", 1), ("a\n", 1), ("town ", 1), ("to\u0301wn", 1)],
)
def test_a_budget_must_be_a_number_of_a_named_population(
    opened: Opened, name: str, epsilon: str
) -> None:
    with pytest.raises(ParameterError):
        opened().ledger.set_budget(name, epsilon)
    assert opened().ledger.accounts() == []


def test_an_unknown_population_is_refused_with_the_nearest_name(opened: Opened) -> None:
    opened().ledger.set_budget("town", 1)
    with pytest.raises(ParameterError, match="did you mean town"):
        opened().ledger.reserve("twon", [TENTH])


def test_a_population_without_an_epsilon_pays_for_what_has_none(opened: Opened) -> None:
    ledger = opened().ledger
    ledger.set_budget("town", 0)
    ledger.reserve("town", [])
    with pytest.raises(InfeasibleError):
        ledger.reserve("town", [TENTH])


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE entry SET spent = '0' WHERE number = 3",
        "DELETE FROM entry WHERE number = 3",
        "UPDATE entry SET detail = '{}' WHERE number = 2",
        "DELETE FROM entry WHERE number = 1",
    ],
)
def test_a_row_changed_by_hand_is_seen(quick: Path, change: str) -> None:
    path = quick / "store.db"
    ledger = Store(path).ledger
    ledger.set_budget("town", 1)
    for number in range(3):
        ledger.reserve("town", [TENTH], {"method": str(number)})
    assert ledger.check() == 4
    with sqlite3.connect(path) as link:
        link.execute(change)
    link.close()
    with pytest.raises(DataError, match="changed by hand"):
        Store(path).ledger.check()


def test_an_old_copy_that_was_put_back_is_seen(quick: Path) -> None:
    path = quick / "store.db"
    Store(path).ledger.set_budget("town", 1)
    old = path.read_bytes()
    Store(path).ledger.reserve("town", [TENTH])
    path.write_bytes(old)
    with pytest.raises(DataError, match="older than one that was used here before"):
        Store(path)
    # who goes on all the same does so on record
    Ledger(Database(path), confirm=False).accept("the disk broke")
    after = Store(path).ledger
    assert [(each.kind, each.detail) for each in after.entries()][-1] == (
        "restored",
        {"reason": "the disk broke", "rows seen before": 2},
    )
    assert after.check() == 2


def test_nothing_is_added_to_a_copy_that_lies_elsewhere(quick: Path) -> None:
    path, copy = quick / "store.db", quick / "copy.db"
    Store(path).ledger.set_budget("town", 1)
    copy.write_bytes(path.read_bytes())
    Store(path).ledger.reserve("town", [DifferentialPrivacy(epsilon=1)])
    # one may look into it
    assert Store(copy).ledger.account("town").left == 1
    with pytest.raises(DataError, match="older than one that was used here before"):
        Store(copy).ledger.reserve("town", [TENTH])
    # nor is one that was moved with all its rows refused
    path.rename(quick / "moved.db")
    Store(quick / "moved.db").ledger.set_budget("town", 2)


def test_two_new_ledgers_are_not_taken_for_each_other(quick: Path) -> None:
    for name in ("one.db", "two.db"):
        ledger = Store(quick / name).ledger
        ledger.set_budget("town", 1)
        ledger.reserve("town", [TENTH], {"method": name})
        assert ledger.check() == 2


def test_a_copy_is_taken_for_the_ledger_only_with_a_reason(quick: Path) -> None:
    ledger = Store(quick / "store.db").ledger
    with pytest.raises(ParameterError, match="reason must say why"):
        ledger.accept(" ")
    assert ledger.rows() == []


def test_nothing_is_spent_after_a_row_that_was_changed_by_hand(quick: Path) -> None:
    path = quick / "store.db"
    ledger = Store(path).ledger
    ledger.set_budget("town", 1)
    ledger.reserve("town", [DifferentialPrivacy(epsilon=1)])
    with sqlite3.connect(path) as link:
        link.execute("UPDATE entry SET spent = '0'")
    link.close()
    with pytest.raises(DataError, match="changed by hand"):
        Store(path).ledger.reserve("town", [TENTH])


def test_fractions_that_no_sum_can_be_written_of_are_refused(quick: Path) -> None:
    ledger = Store(quick / "store.db").ledger
    ledger.set_budget("town", 1)
    odd = [Fraction(1, 10**39 + each) for each in range(200)]
    with pytest.raises(ParameterError, match="give it as a decimal number"):
        for each in odd:
            ledger.reserve("town", [DifferentialPrivacy(epsilon=each)])
    ledger.reserve("town", [TENTH])
    assert ledger.check() == len(ledger.rows())


def test_a_longer_chain_in_place_of_the_right_one_is_seen_too(quick: Path) -> None:
    path = quick / "store.db"
    Store(path).ledger.set_budget("town", 1)
    old = path.read_bytes()
    Store(path).ledger.reserve("town", [DifferentialPrivacy(epsilon=1)])
    path.write_bytes(old)
    forged = Ledger(Database(path), confirm=False)
    forged._witness.remember = lambda *_: None
    for _ in range(3):
        forged.reserve("town", [TENTH])
    with pytest.raises(DataError, match="older than one"):
        Store(path)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from("abc"), st.fractions(0, 2, max_denominator=7))))
def test_budgets_are_kept_as_a_list_of_numbers_would_keep_them(
    quick: Path, spends: list[tuple[str, Fraction]]
) -> None:
    ledger = Ledger(Database(quick / f"{uuid4()}.db"), confirm=False)
    left = dict.fromkeys("abc", Fraction(2))
    for name in left:
        ledger.set_budget(name, 2)
    for name, epsilon in spends:
        claims = [DifferentialPrivacy(epsilon=epsilon)] if epsilon else []
        if epsilon <= left[name]:
            ledger.reserve(name, claims)
            left[name] -= epsilon
        else:
            with pytest.raises(InfeasibleError):
                ledger.reserve(name, claims)
    assert {each.population: each.left for each in ledger.accounts()} == left
    assert ledger.check() == len(ledger.rows())


def test_a_hundred_thousand_spends_are_looked_up_by_an_index(quick: Path) -> None:
    database = Database(quick / "store.db")
    ledger = Ledger(database)
    ledger.set_budget("town", 10**6)
    ledger.set_budget("village", 1)
    template = ledger.rows("town")[0]
    with database.changing() as connection:
        more, before = [], ledger.rows()[-1]["hash"]
        for number in range(3, 100_003):
            row = template | {"number": number, "before": before}
            before = hash_of(row)
            more.append(row | {"hash": before})
        connection.execute(database.entries.insert(), more)
    asked = (
        "SELECT * FROM entry WHERE population = 'village' ORDER BY number DESC LIMIT 1",
        "SELECT * FROM entry ORDER BY number DESC LIMIT 1",
        "SELECT * FROM entry WHERE refers = 7",
        "SELECT * FROM entry WHERE number = 7",
    )
    with database.looking() as connection:
        plans = [
            " ".join(
                str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {each}")
            )
            for each in asked
        ]
    assert [
        plan for plan in plans if "USING INDEX" not in plan and "INTEGER PRIMARY" not in plan
    ] == []
    ledger.reserve("village", [TENTH])
    assert ledger.account("village").spent == Fraction(1, 10)
