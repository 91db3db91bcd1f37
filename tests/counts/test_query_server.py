import copy
import multiprocessing
import os
import pickle
import threading
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.transactions import Transactions
from discreet.counts.queries.query import Query
from discreet.counts.query_server import QueryServer
from discreet.errors import DiscreetError, InfeasibleError, ParameterError
from discreet.rng import secure, seeded
from tests.rng.laws import FALSE_ALARM, fit, laplace_law

PEOPLE = Transactions.of([["a", "b"]] * 20 + [["a"]] * 5 + [["b", "c"]] * 3 + [[]] * 2)
histograms = st.dictionaries(
    st.frozensets(st.sampled_from("abcd")).map(lambda held: tuple(sorted(held))),
    st.integers(1, 9),
    max_size=8,
)


@given(histograms, st.frozensets(st.sampled_from("abcdz")), st.booleans())
def test_a_query_counts_people(counts, items, exactly):
    query = Query(items=tuple(items), exactly=exactly, epsilon=1)
    assert query.count(ItemsetHistogram.of(counts, "abcd")) == sum(
        count
        for held, count in counts.items()
        if (items == set(held) if exactly else items <= set(held))
    )


def test_a_query_names_each_item_once_and_is_exact():
    query = Query(items=("b", "a", "b"), epsilon="0.1")
    assert (query.items, query.budget) == (("b", "a"), Fraction(1, 10))
    with pytest.raises(ParameterError, match="epsilon must be above 0, got 0"):
        Query(items=(), epsilon=0)


@pytest.mark.parametrize(("epsilon", "exactly", "true"), [("1", False, 25), ("1/3", True, 5)])
def test_answers_follow_the_law_of_the_noise(epsilon, exactly, true):
    server = QueryServer(PEOPLE, 10_000, seeded(11))
    query = Query(items=("a",), exactly=exactly, epsilon=epsilon)
    answers = [server(query) - true for _ in range(3_000)]
    assert fit(answers, laplace_law(float(Fraction(epsilon)))) > FALSE_ALARM


def test_budget_is_accounted_for_to_the_end():
    server = QueryServer(PEOPLE, "0.3", seeded(1))
    for _ in range(3):
        server(Query(items=("a",), epsilon="0.1"))
    # three times a tenth is three tenths, which no floating-point ledger knows
    assert server.left == 0
    assert server.ledger == (Fraction(1, 10),) * 3
    with pytest.raises(InfeasibleError, match=r"costs an epsilon of 0.1, and 0 is left"):
        server(Query(items=("a",), epsilon="0.1"))
    assert len(server.ledger) == 3


def test_a_refused_query_costs_nothing_and_draws_nothing():
    one, other = (QueryServer(PEOPLE, 1, seeded(5)) for _ in range(2))
    with pytest.raises(DiscreetError):
        one(Query(items=("a",), epsilon="1.000001"))
    assert one.left == 1
    affordable = Query(items=("a",), epsilon=1)
    assert one(affordable) == other(affordable)


@pytest.mark.parametrize("epsilon", ["0.12345678901234567890123", 2**56, Fraction(1, 2**56)])
def test_a_query_at_which_no_noise_can_be_drawn_is_refused_before_it_costs(epsilon):
    server = QueryServer(PEOPLE, 2**57, seeded(1))
    with pytest.raises(ParameterError, match="epsilon must have fewer digits") as caught:
        server(Query(items=("a",), epsilon=epsilon))
    assert caught.value.parameter == "epsilon"
    assert (server.left, server.ledger) == (2**57, ())
    least = Query(items=("a",), epsilon=Fraction(2**56 - 1, 2**55 - 1))
    assert server(least) == 25


def test_a_refusal_does_not_depend_on_the_data():
    messages = set()
    for people in (PEOPLE, Transactions.of([]), Transactions.of([["z"]] * 100)):
        server = QueryServer(people, 1, seeded(5))
        with pytest.raises(InfeasibleError) as refused:
            server(Query(items=("a",), epsilon=2))
        messages.add(str(refused.value))
    assert len(messages) == 1


def test_an_item_of_nobody_is_answered_like_any_other():
    server = QueryServer(PEOPLE, 1_000, seeded(6))
    answers = [server(Query(items=("a", "unheard of"), epsilon=1)) for _ in range(300)]
    assert abs(sum(answers) / 300) < 1
    assert server.left == 700


def test_a_failed_draw_is_paid_for(monkeypatch):
    def broken(words):
        raise OSError(words)

    chance = seeded(1)
    monkeypatch.setattr(chance, "peek", broken)
    server = QueryServer(PEOPLE, 1, chance)
    with pytest.raises(OSError):
        server(Query(items=("a",), epsilon="1/2"))
    assert server.left == Fraction(1, 2)


def test_threads_cannot_overspend():
    server = QueryServer(PEOPLE, 40, secure())
    answers, refusals = [], []

    def ask():
        for _ in range(10):
            try:
                answers.append(server(Query(items=("a",), epsilon=1)))
            except InfeasibleError:
                refusals.append(1)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(answers), len(refusals), server.left) == (40, 40, 0)


@pytest.mark.parametrize("repeat", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_server_cannot_be_copied(repeat):
    with pytest.raises(TypeError, match="would spend its budget again"):
        repeat(QueryServer(PEOPLE, 1, secure()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_process_gets_no_answer():
    server = QueryServer(PEOPLE, 1, secure())
    parent, child = multiprocessing.Pipe()

    def ask():
        with pytest.raises(InfeasibleError, match="only in the process that opened it"):
            server(Query(items=("a",), epsilon="1/2"))
        child.send(server.left)

    process = multiprocessing.get_context("fork").Process(target=ask)
    process.start()
    assert parent.recv() == 1
    process.join()
    assert isinstance(server(Query(items=("a",), epsilon=1)), int)


def test_two_threads_with_one_generator_never_get_the_same_noise():
    # one generator behind two servers: equal noise would show the difference of their counts
    rng, same = secure(), Query(items=("a",), epsilon="0.001")
    servers = [QueryServer(PEOPLE, 10, rng) for _ in range(2)]
    noise = [[], []]
    start = threading.Barrier(2)

    def ask(place):
        start.wait()
        for _ in range(1000):
            noise[place].append(servers[place](same))

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # by chance two such answers are equal once in 2,000 times
    assert sum(one == other for one, other in zip(*noise, strict=True)) < 15


def test_the_server_promises_its_total_and_keeps_its_data_to_itself():
    server = QueryServer(PEOPLE, "1/2", seeded(8))
    assert server.guarantee == DifferentialPrivacy(epsilon="1/2")
    assert repr(server) == "QueryServer(0 queries answered, 1/2 of budget left)"
    with pytest.raises(ParameterError, match="budget must be above 0, got -1"):
        QueryServer(PEOPLE, -1, seeded(8))
