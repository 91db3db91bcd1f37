"""From reservation to shelf, whatever breaks in between."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from discreet import Transactions, rng
from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.publication import Publication
from discreet.core.release import Release
from discreet.counts import AplFree, AplKiller, DiffPart
from discreet.counts.queries.query import Query
from discreet.counts.query_server import QueryServer
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.rng import seeded
from discreet.series import Anony, Sanony
from discreet.store import Database, Store

Opened = Callable[[], Store]
PEOPLE = Transactions.of([["a", "b"], ["a"], ["c"]] * 30)
CLINIC = Transactions.of(
    [[f"town{n % 3}", f"job{n % 2}", "flu" if n % 4 else "hiv"] for n in range(60)],
    sensitive=["flu", "hiv"],
)


def made(epsilon: str = "1/2") -> Publication[Any]:
    method = DiffPart(epsilon=epsilon, universe=("a", "b", "c"))
    return method.publish(PEOPLE, rng.secure())


def booked(store: Store, out: Path, publication: Publication[Any], **more: Any) -> Any:
    release = publication.release
    booking = store.reserve("town", release.manifest.method, release.guarantees)
    booking.examine(publication)
    booking.write(publication, out, **more)
    return booking


def test_a_release_is_booked_written_shelved_and_settled(opened: Opened, quick: Path) -> None:
    store = opened()
    store.ledger.set_budget("town", 1)
    booked(store, quick / "release", made(), recipient="the ministry")
    told = opened().shelf.releases("town")
    assert [(each.method, each.state, each.recipient, each.key) for each in told] == [
        ("diff-part", "in place", "the ministry", "none")
    ]
    assert told[0].load() == Release.load(quick / "release")
    kinds = [each.kind for each in store.ledger.entries("town")]
    assert kinds == ["budget", "reserve", "seal", "settle"]


@pytest.mark.parametrize("breaks", ["before the seal", "after the seal", "before settling"])
def test_a_crash_costs_and_loses_nothing(
    opened: Opened, quick: Path, breaks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, out = opened(), quick / "release"
    store.ledger.set_budget("town", 1)
    booking = store.reserve("town", "diff-part", made().release.guarantees)
    where = {
        "before the seal": (store.ledger, "seal"),
        "after the seal": (Path, "rename"),
        "before settling": (type(booking), "settle"),
    }[breaks]

    def crash(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(*where, crash)
        with pytest.raises(KeyboardInterrupt):
            booking.write(made(), out)
    after = opened()
    assert after.ledger.account("town").left == after.ledger.account("town").budget / 2
    shelved = [each.state for each in after.shelf.releases("town")]
    # what is in its place is known to be there; what is not there is not said to be
    assert (shelved, out.exists()) == {
        "before the seal": ([], False),
        "after the seal": (["under way"], False),
        "before settling": (["in place"], True),
    }[breaks]
    assert [path.name for path in quick.glob(".release*")] == []


def test_what_is_made_from_a_shelved_release_costs_nothing(opened: Opened, quick: Path) -> None:
    store = opened()
    store.ledger.set_budget("town", 1)
    booked(store, quick / "release", made("3/4"))
    again = AplFree().publish(Release.load(quick / "release"), rng.secure())
    booking = store.reserve("town", "apl-free", AplFree().guarantees, source=quick / "release")
    assert booking.examine(again) == ()
    booking.write(again, quick / "free")
    assert store.ledger.account("town").spent == booking.store.ledger.account("town").spent
    assert [each.derived for each in store.shelf.releases("town")] == [False, True]


def test_what_is_made_from_a_release_nobody_paid_for_is_paid_for(
    opened: Opened, quick: Path
) -> None:
    store = opened()
    store.ledger.set_budget("town", 1)
    made("3/4").save(quick / "elsewhere")
    store.reserve("town", "apl-free", AplFree().guarantees, source=quick / "elsewhere")
    with pytest.raises(InfeasibleError, match=r"0\.25 is left"):
        store.reserve("town", "apl-free", AplFree().guarantees, source=quick / "elsewhere")


def test_a_variant_that_does_not_promise_its_epsilon_cannot_be_booked(opened: Opened) -> None:
    store = opened()
    store.ledger.set_budget("town", 9)
    printed = AplKiller(epsilon=1, universe=("a", "b", "c"), boundary_noise="paper")
    promised = [each for each in printed.guarantees if type(each).__name__ == "NoAttributeLeakage"]
    with pytest.raises(ParameterError, match="does not promise its epsilon"):
        store.reserve("town", "apl-killer", promised, epsilon=printed.epsilon)
    assert store.ledger.account("town").spent == 0


def test_a_release_that_costs_more_than_was_booked_is_not_written(opened: Opened) -> None:
    store = opened()
    store.ledger.set_budget("town", 9)
    booking = store.reserve("town", "diff-part", made("1/2").release.guarantees)
    with pytest.raises(InfeasibleError, match="costs more than was booked"):
        booking.examine(made("3/4"))


def test_a_reservation_is_for_one_release(opened: Opened, quick: Path) -> None:
    store = opened()
    store.ledger.set_budget("town", 1)
    booking = booked(store, quick / "one", made())
    with pytest.raises(InfeasibleError, match="has its release already"):
        booking.write(made(), quick / "two")
    assert not (quick / "two").exists()


def test_a_series_goes_on_from_the_shelf_and_nothing_else_goes_beside_it(
    opened: Opened, quick: Path
) -> None:
    store = opened()
    store.ledger.set_budget("town", 0)
    sanony = Sanony(r_th=2, cluster_size=10)
    booked(store, quick / "one", sanony.publish(CLINIC, rng.secure()))
    before = tuple(each.load() for each in store.predecessors("town"))
    second = Sanony(r_th=2, cluster_size=10, after=before).publish(CLINIC, rng.secure())
    booked(store, quick / "two", second)
    # one that forgets the others, and one that knows no series, would break the promise
    for strange in (sanony, Anony(r_th=2, cluster_size=10)):
        publication = strange.publish(CLINIC, rng.secure())
        with pytest.raises(InfeasibleError, match="would break that; nothing was written"):
            booked(store, quick / "three", publication)
    assert not (quick / "three").exists()


def test_two_releases_at_the_same_time_see_each_other(opened: Opened, quick: Path) -> None:
    store = opened()
    store.ledger.set_budget("town", 0)
    anony = Anony(r_th=2, cluster_size=10)
    first, second = (anony.publish(CLINIC, rng.secure()) for _ in range(2))
    bookings = [store.reserve("town", "anony", each.release.guarantees) for each in (first, second)]
    assert [each.examine(pub) for each, pub in zip(bookings, (first, second), strict=True)] == [
        (),
        (),
    ]
    bookings[0].write(first, quick / "one")
    bookings[1].write(second, quick / "two")
    flags = [len(each.flags) for each in store.shelf.releases("town")]
    assert flags == [0, 1]


def test_a_release_that_was_moved_or_exchanged_is_not_taken_for_the_shelved_one(
    opened: Opened, quick: Path
) -> None:
    store = opened()
    store.ledger.set_budget("town", 2)
    booked(store, quick / "release", made())
    made().save(quick / "release", force=True)
    with pytest.raises(DataError, match="not where it was put, or another is in its place"):
        store.shelf.releases("town")[0].load()


def test_a_key_is_closed_on_the_shelf_and_can_be_destroyed(opened: Opened, quick: Path) -> None:
    store = opened()
    store.ledger.set_budget("town", 0)
    publication = Anony(r_th=2, cluster_size=10).publish(CLINIC, rng.secure())
    key = publication.linkage_key
    booked(store, quick / "release", publication, key=key, passphrase="correct horse")
    number = store.shelf.releases("town")[0].number
    back = store.shelf.key("town", number, "correct horse")
    assert {name: table.equals(back.tables[name]) for name, table in key.tables.items()} == (
        dict.fromkeys(key.tables, True)
    )
    with pytest.raises(DataError, match="passphrase is another"):
        store.shelf.key("town", number, "wrong horse")
    store.shelf.destroy_key("town", number, "the study is over")
    with pytest.raises(InfeasibleError, match="was destroyed"):
        store.shelf.key("town", number, "correct horse")
    assert store.ledger.entries("town")[-1].detail["reason"] == "the study is over"
    assert [each.key for each in store.shelf.releases("town")] == ["destroyed"]


def test_a_series_goes_on_after_somebody_died_once_that_is_said(
    opened: Opened, quick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened()
    store.ledger.set_budget("town", 0)
    sanony = Sanony(r_th=2, cluster_size=10)
    booked(store, quick / "one", sanony.publish(CLINIC, rng.secure()))

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    def following() -> Publication[Any]:
        before = tuple(each.load() for each in opened().predecessors("town"))
        method = Sanony(r_th=2, cluster_size=10, after=before)
        return method.publish(CLINIC, rng.secure())

    second = following()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Path, "rename", crash)
        booked(store, quick / "two", second)
    with pytest.raises(DataError, match="was never put in its place"):
        following()
    lost = opened().shelf.releases("town")[-1].number
    opened().shelf.abandon("town", lost, "the machine lost its power")
    booked(opened(), quick / "two", following())
    states = [each.state for each in opened().shelf.releases("town")]
    assert states == ["in place", "abandoned", "in place"]
    with pytest.raises(InfeasibleError, match="is not under way"):
        opened().shelf.abandon("town", lost, "again")


def test_what_was_abandoned_too_early_is_out_all_the_same(
    opened: Opened, quick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened()
    store.ledger.set_budget("town", 1)
    publication = made()
    booking = store.reserve("town", "diff-part", publication.release.guarantees)
    with monkeypatch.context() as patch:
        patch.setattr(type(booking), "settle", lambda _: None)
        booking.write(publication, quick / "release")
    store.shelf.abandon("town", booking.number, "its maker seems gone")
    assert [each.state for each in opened().shelf.releases("town")] == ["in place"]


def test_a_shelf_changed_by_hand_is_seen(opened: Opened, quick: Path, where: str) -> None:
    store = opened()
    store.ledger.set_budget("town", 1)
    booked(store, quick / "release", made())
    assert store.shelf.check() == 1
    changes = ("SET flags = '[{}]'", "SET placed = 'abandoned'", "SET population = 'other'")
    for change in changes:
        with pytest.raises(DataError, match="shelf was changed by hand"), _changed(where, change):
            store.shelf.check()


@contextmanager
def _changed(where: str, change: str) -> Iterator[None]:
    """Change the shelf by hand for a while."""
    database = Database(where)
    with database.looking() as view:
        rows = [dict(row) for row in view.execute(database.shelved.select()).mappings()]
    with database.changing() as link:
        link.exec_driver_sql(f"UPDATE shelved {change}")
    yield
    with database.changing() as link:
        link.execute(database.shelved.delete())
        link.execute(database.shelved.insert(), rows)


def test_a_release_taken_from_the_shelf_by_hand_is_seen(
    opened: Opened, quick: Path, where: str
) -> None:
    store = opened()
    store.ledger.set_budget("town", 1)
    booked(store, quick / "release", made())
    with Database(where).changing() as link:
        link.exec_driver_sql("DELETE FROM shelved")
    with pytest.raises(DataError, match="shelf was changed by hand"):
        opened().shelf.check()


def test_what_was_not_examined_is_not_written_if_it_costs_more(opened: Opened, quick: Path) -> None:
    store = opened()
    store.ledger.set_budget("town", 9)
    booking = store.reserve("town", "diff-part", made("1/2").release.guarantees)
    with pytest.raises(InfeasibleError, match="costs more than was booked"):
        booking.write(made("3/4"), quick / "release")
    assert not (quick / "release").exists()


def test_a_later_release_speaks_against_an_earlier_one(opened: Opened, quick: Path) -> None:
    store = opened()
    store.ledger.set_budget("town", 1)
    anony = Anony(r_th=2, cluster_size=10)
    booked(store, quick / "one", anony.publish(CLINIC, rng.secure()))
    first = store.find("town", quick / "one")
    assert first is not None
    assert store.objections(first) == []
    booked(store, quick / "two", made())
    assert "(diff-part)" in store.objections(first)[0]


def test_a_series_begun_elsewhere_goes_on_here_by_hand(opened: Opened, quick: Path) -> None:
    store = opened()
    store.ledger.set_budget("town", 0)
    before = [Sanony(r_th=2, cluster_size=10).publish(CLINIC, rng.secure()).release]
    for number in (2, 3):
        sanony = Sanony(r_th=2, cluster_size=10, after=tuple(before))
        following = sanony.publish(CLINIC, rng.secure())
        booked(store, quick / str(number), following)
        before.append(following.release)
    flags = [[flag.words for flag in each.flags] for each in store.shelf.releases("town")]
    assert "not on the shelf of these people" in flags[0][0]


def test_a_destroyed_key_is_nowhere_in_the_database(
    opened: Opened, quick: Path, where: str, request: pytest.FixtureRequest
) -> None:
    store = opened()
    store.ledger.set_budget("town", 0)
    publication = Anony(r_th=2, cluster_size=10).publish(CLINIC, rng.secure())
    key = publication.linkage_key
    booked(store, quick / "release", publication, key=key, passphrase="correct horse")
    database = Database(where)
    with database.looking() as view:
        box = view.exec_driver_sql("SELECT linkage_key FROM shelved").scalar_one()
    part = json.loads(box)["box"][200:260].encode()

    def holding() -> list[Path]:
        if where.startswith("postgresql"):
            with database.looking() as view:
                view.exec_driver_sql("CHECKPOINT")
            folder = request.getfixturevalue("server") / "data" / "base"
        else:
            folder = quick
        files = [each for each in folder.rglob("*") if each.is_file()]
        return [each for each in files if part in each.read_bytes()]

    assert holding() != []
    store.shelf.destroy_key("town", store.shelf.releases("town")[0].number, "the study is over")
    assert holding() == []


def test_what_would_break_a_series_is_not_put_on_the_shelf(opened: Opened, quick: Path) -> None:
    store = opened()
    store.ledger.set_budget("town", 0)
    series = Sanony(r_th=4, cluster_size=10).publish(CLINIC, rng.secure())
    series.save(quick / "series")
    store.put("town", quick / "series")
    other = Anony(r_th=4, cluster_size=10).publish(CLINIC, rng.secure())
    other.save(quick / "other")
    assert [each.level for each in store.flags_beside("town", other.release)][:1] == ["refused"]
    with pytest.raises(InfeasibleError, match="nothing was put on the shelf"):
        store.put("town", quick / "other")
    assert [each.kind for each in store.ledger.entries("town")] == [
        "budget", "reserve", "seal", "settle",
    ]  # fmt: skip
    assert [each.state for each in store.shelf.releases("town")] == ["in place"]


def test_a_folder_with_a_file_of_its_own_is_not_put_on_the_shelf(
    opened: Opened, quick: Path
) -> None:
    store = opened()
    store.ledger.set_budget("town", 0)
    Anony(r_th=4, cluster_size=10).publish(CLINIC, rng.secure()).save(quick / "release")
    (quick / "release" / "people.csv").write_text("private")
    with pytest.raises(DataError, match=r"does not list: people\.csv"):
        store.put("town", quick / "release")
    assert [each.kind for each in store.ledger.entries("town")] == ["budget"]


def test_a_server_of_queries_cannot_be_wound_back_by_a_restart(opened: Opened) -> None:
    people = Transactions.of([["bread"]] * 20)
    opened().ledger.set_budget("town", "0.5")
    for _ in range(2):
        # each time as after a restart
        server = QueryServer(people, opened().budget("town"), seeded(3))
        server(Query(items=("bread",), epsilon="0.25"))
    server = QueryServer(people, opened().budget("town"), seeded(3))
    assert server.left == 0
    with pytest.raises(InfeasibleError, match="is left of the budget"):
        server(Query(items=("bread",), epsilon="0.25"))
    assert server.guarantee == DifferentialPrivacy(epsilon="0.5")


def test_an_old_copy_that_is_put_back_under_a_server_is_seen(quick: Path) -> None:
    path = quick / "store.db"
    Store(path).ledger.set_budget("town", 1)
    old = path.read_bytes()
    budget = Store(path).budget("town")
    budget.spend(Fraction(1, 2))
    path.write_bytes(old)
    for _ in range(4):
        with pytest.raises(DataError, match="older than one that was used here before"):
            budget.spend(Fraction(1, 4))
