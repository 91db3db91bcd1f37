"""Known items against plain enumeration."""

import ast
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet
from discreet.core.transactions import Transactions
from discreet.risk import singled_out

records = st.lists(st.frozensets(st.sampled_from("abcdefg")), max_size=14)


@given(records, st.integers(1, 3))
def test_the_worst_items_are_the_worst_of_all_choices(people: list[frozenset[str]], known: int):
    told = singled_out(Transactions.of(people).folded)[f"knowing_{known}"]
    able = [person for person in people if len(person) >= known]
    fewest = [
        min(
            sum(set(chosen) <= other for other in people)
            for chosen in combinations(sorted(person), known)
        )
        for person in able
    ]
    whole = max(1, len(able))
    assert told["people"] == len(able)
    assert told["share_alone_by_worst"] == pytest.approx(sum(n == 1 for n in fewest) / whole)
    assert told["share_below_5_by_worst"] == pytest.approx(sum(n < 5 for n in fewest) / whole)


def test_of_more_people_than_are_searched_some_are_drawn():
    # 1,500 people, each with an item of their own beside one of three common ones; then 1,500 twins
    alone = [[f"own{i}", f"common{i % 3}"] for i in range(1500)]
    twins = [[f"pair{i // 2}", f"common{i % 2}"] for i in range(0, 1500, 2)] * 2
    told = singled_out(Transactions.of([*alone, *twins]).folded)["knowing_1"]
    assert told["share_alone_by_worst"] == pytest.approx(0.5, abs=0.07)
    assert told["share_below_5_by_worst"] == 1.0


def test_people_are_drawn_and_not_sets():
    told = singled_out(Transactions.of([["a"]] * 99 + [["b"]]).folded)["knowing_1"]
    assert told["share_alone"] == pytest.approx(0.01, abs=0.005)
    assert told["mean_risk"] == pytest.approx((99 / 99 + 1) / 100, abs=0.005)


def test_of_a_long_record_the_rarest_items_are_tried():
    common = [f"c{i}" for i in range(150)]
    told = singled_out(Transactions.of([common] * 9 + [[*common, "own"]]).folded)["knowing_3"]
    assert told["share_alone_by_worst"] == pytest.approx(0.1)


CUT_THEN_SEARCHED = """
from discreet import Transactions, rng
from discreet.counts import DiffPart
from discreet.risk.known_items import singled_out

people = Transactions.of([["a", "b", "c", "d"], ["a", "c"], ["d"], ["b", "c", "d"]] * 50)
DiffPart(epsilon=1, max_size=2, universe=tuple("abcd")).publish(people, rng.secure())
print(singled_out(people.folded)["knowing_2"]["share_alone"])
"""


def test_sorting_in_two_kernels_out_of_the_cache_does_not_end_the_process() -> None:
    # the first process compiles and keeps, the second takes both from the cache
    for _ in range(2):
        words = [sys.executable, "-c", CUT_THEN_SEARCHED]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.strip()) == (0, "0.0"), done.stderr


def test_no_kernel_sorts_places_by_quicksort() -> None:
    source = Path(discreet.__file__).parent
    careless = [
        f"{file.name}:{node.lineno}"
        for file in source.rglob("kernels/*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "np.argsort"
        and "kind" not in {word.arg for word in node.keywords}
    ]
    assert careless == []
