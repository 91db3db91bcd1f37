import gc
import weakref
from math import sqrt

import numpy as np
import pytest

from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.transactions import Transactions
from discreet.counts import QueryError, Workload, workload_of
from discreet.counts.queries import workload as module
from discreet.measure import CountingQueries, paper_workload
from discreet.rng import seeded

PEOPLE = Transactions.of([["a", "b"]] * 6 + [["a"]] * 3 + [["c"]] * 2 + [[]])


def test_true_answers_stand_beside_the_queries():
    queries = CountingQueries(Itemsets.of([["a"], ["c"]], "abc"), Itemsets.of([["a", "c"]], "abc"))
    workload = Workload.of(PEOPLE, queries)
    assert (len(workload), workload.existing, workload.true.tolist()) == (3, 2, [9, 2, 0])
    assert workload.sanity == pytest.approx(0.0012)
    errors = workload.errors(ItemsetHistogram.of({("a",): 6}))
    # wrong by 3 of 9, by 2 of 2, and not at all
    assert errors["existing"].mean == pytest.approx((1 / 3 + 1) / 2)
    assert errors["random"] == QueryError(0.0, 0.0, 0.0)
    assert errors["all"].mean == pytest.approx((1 / 3 + 1) / 3)


def test_true_answers_are_found_once_for_a_data_set(monkeypatch):
    data = Transactions.of([["a", "b"]] * 3)
    asked = []
    answers = module.answers
    monkeypatch.setattr(
        module, "answers", lambda people, sets: asked.append(people) or answers(people, sets)
    )
    for _ in range(3):
        workload_of(data).errors(ItemsetHistogram.of({("a",): 1}))
    assert sum(people is data.folded for people in asked) == 1
    assert len(asked) == 1 + 3


def test_a_workload_goes_with_its_data():
    data = Transactions.of([["a"]])
    gone = weakref.ref(data)
    assert workload_of(data) is not workload_of(Transactions.of([["b"]]))
    del data
    gc.collect()
    assert gone() is None


def test_chance_that_is_given_draws_another_workload():
    drawn = workload_of(PEOPLE, seeded(3))
    assert drawn is not workload_of(PEOPLE)
    queries = paper_workload(PEOPLE.folded, seeded(3))
    assert list(drawn.asked) == [*queries.existing, *queries.random]


def test_interval_is_normal():
    errors = np.array([0.0, 1.0, 2.0, 5.0])
    found = QueryError.of(errors)
    reach = 1.959964 * errors.std(ddof=1) / sqrt(4)
    assert found.mean == 2.0
    assert (found.low, found.high) == (max(0.0, 2.0 - reach), pytest.approx(2.0 + reach))
    assert QueryError.of(errors[:0]) == QueryError(0.0, 0.0, 0.0)
    assert QueryError.of(errors[1:2]) == QueryError(1.0, 1.0, 1.0)


def test_interval_covers_what_a_large_workload_says():
    release = ItemsetHistogram.of({("a", "b"): 8, ("b", "c"): 1})
    exact = Workload.of(PEOPLE, paper_workload(PEOPLE.folded, seeded(0), size=400_000))
    truth = exact.errors(release)["random"].mean
    hit = 0
    for seed in range(200):
        queries = paper_workload(PEOPLE.folded, seeded(seed + 1), size=400)
        found = Workload.of(PEOPLE, queries).errors(release)["random"]
        hit += found.low <= truth <= found.high
    assert abs(hit / 200 - 0.95) < 4 * sqrt(0.05 * 0.95 / 200)
