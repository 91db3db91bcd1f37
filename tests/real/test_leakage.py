"""On the papers' data: APLKiller never leaks, DiffPart nearly always does."""

from itertools import product
from pathlib import Path

import pytest

from benchmarks.leakage import CONSTANTS, EPSILONS, leaking
from discreet import Transactions
from discreet.counts import AplKiller, DiffPart

RELEASES = 23
"""For each of nine settings: 207 releases of each data set."""


@pytest.mark.parametrize("name", ["nltcs", "msnbc"])
def test_two_hundred_releases(name: str, data_folder: Path) -> None:
    data = Transactions.read(f"dataset:{name}")
    assert data_folder.is_dir()
    settings = list(product(EPSILONS, CONSTANTS))
    killer = [leaking(data, AplKiller, RELEASES, epsilon=e, c1=c) for e, c in settings]
    plain = [leaking(data, DiffPart, RELEASES, epsilon=e, c1=c)[0] for e, c in settings]
    assert killer == [(0, 0)] * len(settings)
    share = sum(plain) / (RELEASES * len(settings))
    print(f"{name}: DiffPart leaks in {share:.1%} of {RELEASES * len(settings)} releases")
    assert share > 0.9


@pytest.mark.parametrize(
    ("name", "items", "options"),
    [
        ("nltcs", 16, {}),
        ("msnbc", 17, {}),
        ("checkin", 466, {"max_size": 3}),
        ("bms1", 497, {"max_size": 3}),
        ("bms2", 3340, {"max_size": 3}),
    ],
)
def test_every_size_of_universe(
    name: str, items: int, options: dict[str, int], data_folder: Path
) -> None:
    from discreet import verify
    from discreet.rng import seeded

    assert data_folder.is_dir()
    data = Transactions.read(f"dataset:{name}")
    assert len(data.universe) == items
    for kind in (AplKiller, DiffPart):
        method = kind(epsilon=1, universe=data.universe, **options)
        release = method.publish(data, seeded(1)).release
        assert verify(release).by_parts is not False
        assert release.content.sets.sizes.max(initial=0) <= options.get("max_size", items)


def test_seventy_seven_items_of_countries() -> None:
    """The paper's Checkin data are not at hand: sets of its size, made up."""
    from discreet import verify
    from discreet.rng import seeded

    universe = tuple(str(number) for number in range(77))
    rng = seeded(1)
    sizes = 1 + rng.integers(4, 20_000)
    records = [{str(item) for item in rng.integers(77, int(size)).tolist()} for size in sizes]
    data = Transactions.of(records, universe=universe)
    for kind in (AplKiller, DiffPart):
        method = kind(epsilon=1, fan_out=2, max_size=31, universe=universe)
        assert verify(method.publish(data, seeded(1)).release).by_parts is not False
