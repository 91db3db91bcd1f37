import numpy as np

from discreet.core.transactions import Transactions
from discreet.papers.recipes import SYNTHETIC, DataRecipe, digest, made, synthetic
from discreet.rng import seeded

SMALL = DataRecipe(name=SYNTHETIC, people=400, items=6, longest=5)


def test_made_up_records_have_the_sizes_asked_for() -> None:
    data = made(SMALL)
    assert len(data) == 400
    assert len(data.universe) == 6
    assert data.sets.sizes.min() == 1
    assert data.sets.sizes.max() == 5
    assert data.supports[0] > data.supports[5] > 0


def test_made_up_records_follow_their_law() -> None:
    data = synthetic(50_000, 20, 8, seeded(3))
    # one set in 1 / 0.55 stays; stays at home and twice at one place make the sets smaller
    assert 1.5 < data.sets.sizes.mean() < 1 / 0.55
    alone = data.sets.take(np.flatnonzero(data.sets.sizes == 1))
    homes = np.bincount(alone.items, minlength=20)
    assert 1.6 < homes[0] / homes[1] < 2.4


def test_planting_changes_one_count_only() -> None:
    base, planted = made(SMALL).folded.as_dict(), made(SMALL.planted(7)).folded.as_dict()
    everything = made(SMALL).universe
    assert planted.pop(everything) == 7
    base.pop(everything, None)
    assert planted == base


def test_planting_replaces_who_was_there() -> None:
    planted = made(SMALL.planted(3))
    assert int((planted.sets.sizes == 6).sum()) == 3
    assert isinstance(planted, Transactions)
    assert planted.universe == made(SMALL).universe


def test_a_digest_tells_data_apart() -> None:
    found = {digest(SMALL), digest(SMALL.planted(1)), digest(SMALL.planted(2))}
    assert len(found) == 3
    assert digest(DataRecipe(name=SYNTHETIC, people=400, items=6, longest=5)) == digest(SMALL)


def test_labels_say_what_is_made_up() -> None:
    assert SMALL.label == "synthetic 400x6"
    assert DataRecipe(name="msnbc", occurrences=3).label == "msnbc"
