import inspect
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Transactions, verify
from discreet.counts import AplKiller, SparseHistogram
from discreet.counts.kernels.partition import Records
from discreet.counts.partition import advice
from discreet.counts.partition.advice import MOST_NOISE, advise, advised, allowed_noise
from discreet.counts.partition.noise_law import LevelNoise, operations, passes
from discreet.counts.partition.taxonomy import taxonomy
from discreet.errors import ParameterError
from discreet.measure import SANITY, answers, paper_workload, relative_error
from discreet.rng import seeded

ITEMS = tuple("abcdefgh")


def nobody() -> Records:
    none = np.zeros(0, dtype=np.int64)
    return Records(np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32), none, none.copy())


@pytest.mark.parametrize(
    ("items", "size", "fan_out", "c1", "c2"),
    [(6, 3, 2, "0.1", "0.1"), (17, 5, 4, "0.5", "0.5"), (16, 6, 4, "0.3", "0.3"),
     (17, 8, 16, "1", "2"), (100, 2, 4, "0.6", "0.2"), (30, 3, 5, "0.6", "0.4")],
)  # fmt: skip
def test_expected_noise_is_what_runs_on_nobody_publish(
    items: int, size: int, fan_out: int, c1: str, c2: str
) -> None:
    method = AplKiller(epsilon=1, fan_out=fan_out, c1=c1, c2=c2)
    partitioner, rng = method.partitioner(items, size), seeded(4)
    # a wide node has 2**16 parts, and its noise itemsets are many in a single run
    runs = 400 if fan_out < 10 else 40
    found = [len(partitioner.partition(nobody(), rng).published) for _ in range(runs)]
    expected = LevelNoise(items, size, fan_out, 1.0, float(c1)).expected(float(c2))
    spread = max(float(np.std(found)), math.sqrt(expected)) / math.sqrt(len(found))
    assert abs(np.mean(found) - expected) < 5 * spread + 0.02 * expected


@pytest.mark.parametrize(("items", "fan_out"), [(17, 2), (17, 3), (16, 4), (30, 4), (100, 6)])
def test_splits_to_come_are_those_of_the_taxonomy(items: int, fan_out: int) -> None:
    for size in range(1, 10):
        tree = taxonomy(items, fan_out, size)
        chains = tree.chains[: tree.nodes[1, 5]].tolist()
        assert operations(((items,), 0), fan_out, size) == sum(chains[:size])


def test_a_tiny_epsilon_takes_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(count: int, least: float, epsilon: float) -> float:
        asked.append(count)
        assert len(asked) < 10_000
        return passes(count, least, epsilon)

    monkeypatch.setattr(advice, "passes", counted)
    (only,) = advise("0.000001", 50, 1)
    assert only.sparse_survives > 10**6


def test_advice_takes_no_data() -> None:
    for function in (advise, advised):
        assert list(inspect.signature(function).parameters) == [
            "epsilon", "items", "max_size", "records",
        ]  # fmt: skip
    assert not any(kind is Transactions for kind in vars(advice).values())


@pytest.mark.parametrize(
    ("epsilon", "items", "max_size"),
    [("0.25", 17, None), ("2", 16, None), ("1", 1, None), ("1", 2, None), ("1", 40, 4),
     ("0.1", 500, 3), ("1", 3340, 3), ("5", 3340, 5)],
)  # fmt: skip
def test_advice_never_explodes(epsilon: str, items: int, max_size: int | None) -> None:
    sizes = advise(epsilon, items, max_size)
    choice = advised(epsilon, items, max_size)
    method = AplKiller(epsilon=epsilon, fan_out=choice.fan_out, c1=choice.c1, c2=choice.c2)
    assert [part.size for part in sizes] == list(range(1, min(items, max_size or items) + 1))
    for part in sizes:
        assert part.noise <= allowed_noise(items, part.size, scarce=True) <= MOST_NOISE
        if items > 1:
            method.partitioner(items, part.size).refuse_explosion()


def test_the_count_said_to_survive_does_in_a_run() -> None:
    """Alone among no others, nine times in ten; one less does so less often."""
    part = advise(1, 16, 3)[2]
    method = AplKiller(epsilon=1, fan_out=part.fan_out, c1=part.c1, c2=part.c2)
    rng, runs = seeded(1), 200
    row = np.array([0, 5, 11], dtype=np.int32)
    published = 0
    for _ in range(runs):
        counts = np.array([part.survives], dtype=np.int64)
        crowd = Records(np.array([0, 3]), row, counts, np.zeros(1, dtype=np.int64))
        found = method.partitioner(16, 3).partition(crowd, rng).level(3)
        published += bool((found.rows == row).all(axis=1).any())
    assert published / runs > 0.9 - 4 * math.sqrt(0.09 / runs)


def test_the_sparse_count_is_the_smallest_that_survives() -> None:
    for part in advise(1, 30, 3):
        least = SparseHistogram(epsilon=1).threshold(30, part.size)
        assert passes(part.sparse_survives, least, 1.0) >= 0.9
        assert part.sparse_survives == 1 or passes(part.sparse_survives - 1, least, 1.0) < 0.9
        assert part.sparse_keeps_more == (part.sparse_survives < part.survives)


def test_larger_noise_itemsets_are_allowed_less_often() -> None:
    allowed = [allowed_noise(17, size, scarce=False) for size in range(1, 18)]
    assert allowed == sorted(allowed, reverse=True)
    assert all(
        allowed_noise(17, size, scarce=True) >= less for size, less in enumerate(allowed, start=1)
    )


def test_records_are_a_public_number_that_matters() -> None:
    few, unsaid, many = (advise(1, 12, records=records) for records in (100, None, 10**7))
    # the fewer people there are, the more a noise itemset hurts, and the fewer of them are let in
    for least, some, most in zip(few, unsaid, many, strict=True):
        assert least.noise <= some.noise <= most.noise
        assert least.survives >= some.survives >= most.survives


def made_up(shape: str, people: int, items: int) -> Transactions:
    rng = np.random.default_rng(people + items)
    shares = {
        "skewed": 0.6 / np.arange(1, items + 1),
        "even": np.full(items, 0.2),
        "dense": np.full(items, 0.5),
        "sparse": np.full(items, 0.03),
    }
    if shape in shares:
        held = rng.random((people, items)) < shares[shape]
    else:
        kinds = rng.random((6, items)) < 0.35
        held = kinds[rng.integers(0, 6, people)] & (rng.random((people, items)) < 0.9)
    universe = [f"i{item:02d}" for item in range(items)]
    return Transactions.of([np.array(universe)[row].tolist() for row in held], universe=universe)


@pytest.mark.parametrize("shape", ["skewed", "even", "dense", "sparse", "groups"])
@pytest.mark.parametrize(("people", "items"), [(500, 8), (5000, 8), (500, 14), (5000, 14)])
def test_advice_does_not_hurt_whatever_the_data_are_like(
    shape: str, people: int, items: int
) -> None:
    data = made_up(shape, people, items)
    workload = paper_workload(data.folded, seeded(1), size=2000)
    halves = [
        (asked, answers(data.folded, asked)) for asked in (workload.existing, workload.random)
    ]

    def error(**choice: object) -> float:
        method = AplKiller(epsilon=1, universe=data.universe, **choice)
        content = method.publish(data, seeded(3)).release.content
        found = [
            relative_error(true, answers(content, asked), SANITY * people) for asked, true in halves
        ]
        return float(np.concatenate(found).mean())

    # noise may add a fifth on average; it used to add up to a thousand
    assert error(auto=True, records=people) <= error() + 0.4


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"epsilon": 0, "items": 5}, "epsilon"), ({"epsilon": 1, "items": 0}, "items"),
     ({"epsilon": 1, "items": 65}, "max_size must be given"),
     ({"epsilon": 1, "items": 5, "max_size": 0}, "max_size"),
     ({"epsilon": 1, "items": 5, "records": 0}, "records")],
)  # fmt: skip
def test_wrong_facts_are_refused(wrong: dict[str, int], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        advise(**wrong)


@given(
    st.lists(st.sets(st.sampled_from(ITEMS)), max_size=60),
    st.sampled_from(["0.5", "2"]),
    st.sampled_from([None, 2]),
    st.integers(0, 2**32),
)
@settings(max_examples=40)
def test_an_automatic_release_keeps_its_promise(
    records: list[set[str]], epsilon: str, max_size: int | None, seed: int
) -> None:
    method = AplKiller(epsilon=epsilon, universe=ITEMS, max_size=max_size, auto=True)
    release = method.publish(Transactions.of(records, universe=ITEMS), seeded(seed)).release
    assert verify(release).by_parts
    assert release.guarantees == method.guarantees


def test_the_manifest_says_what_was_chosen() -> None:
    data = Transactions.of([["a", "b"]] * 60, universe=ITEMS)
    method = AplKiller(epsilon=1, universe=ITEMS, max_size=3, auto=True, records=60)
    manifest = method.publish(data, seeded(1)).release.manifest
    choice = advised(1, len(ITEMS), 3, records=60)
    assert manifest.parameters["fan_out"] == list(choice.fan_out)
    assert manifest.parameters["c1"] == list(choice.c1)
    assert manifest.notes["choice"].endswith("chosen by public facts only")
    # a universe taken from the data is no public fact, and neither is how many items it has
    taken = AplKiller(epsilon=1, max_size=3, auto=True).publish(data, seeded(1)).release
    assert "but for the number of items" in taken.manifest.notes["choice"]


def test_the_choice_does_not_depend_on_the_data() -> None:
    method = AplKiller(epsilon=1, universe=ITEMS, auto=True)
    crowds = [Transactions.of(held, universe=ITEMS) for held in ([], combinations(ITEMS, 3))]
    chosen = [method.publish(crowd, seeded(1)).release.manifest.parameters for crowd in crowds]
    assert chosen[0] == chosen[1]


def test_what_is_chosen_by_hand_is_not_chosen_automatically() -> None:
    with pytest.raises(ParameterError, match="must be left out"):
        AplKiller(epsilon=1, auto=True, c1=2)


def test_nothing_to_choose_for_a_universe_of_nothing() -> None:
    method = AplKiller(epsilon=1, auto=True)
    assert len(method.publish(Transactions.of([[]]), seeded(1)).release.content) == 0
