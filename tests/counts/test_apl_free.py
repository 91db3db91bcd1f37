import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import Release, Transactions, rng, verify
from discreet.core.guarantee import DifferentialPrivacy, Guarantee, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.release import Manifest
from discreet.counts import AplFree, AplKiller, SparseHistogram
from discreet.counts.apl_free import missing_boundaries
from discreet.errors import DataError, ParameterError
from discreet.rng.stream import SEEDED
from tests.releases import as_released
from tests.verify.leakages import leakages

ITEMS = tuple("abcdef")
LEAKS = {("beer", "hanger"): 23, ("beer",): 4, ("scissors", "toothpaste"): 9}

histograms = st.dictionaries(
    st.sets(st.sampled_from(ITEMS)).map(lambda held: tuple(sorted(held))), st.integers(1, 99)
)


def release_of(
    counts: dict[tuple[str, ...], int],
    *promises: Guarantee,
    universe: tuple[str, ...] | None = None,
    seeded: bool = False,
) -> Release[ItemsetHistogram]:
    manifest = Manifest(
        method="planted",
        parameters={"epsilon": "1"},
        randomness=SEEDED if seeded else "none",
        seeded=seeded,
        universe="public",
    )
    return Release(ItemsetHistogram.of(counts, universe), promises, manifest)


@given(histograms, st.sampled_from([1, 7]), st.integers(0, 2**32))
@settings(max_examples=300)
def test_any_release_is_made_free_of_leaks(
    counts: dict[tuple[str, ...], int], count: int, seed: int
) -> None:
    repaired = AplFree(count=count).publish(release_of(counts), rng.seeded(seed)).release
    published = repaired.content.as_dict()
    assert not leakages(published)
    assert verify(repaired).by_parts
    assert published.items() >= counts.items()
    assert len(published) == len(repaired.content)
    assert all(published[held] == count for held in published.keys() - counts.keys())


@given(histograms, st.integers(0, 2**32))
@settings(max_examples=300)
def test_no_added_itemset_is_needless(counts: dict[tuple[str, ...], int], seed: int) -> None:
    repaired = AplFree().publish(release_of(counts), rng.seeded(seed)).release
    sets = {frozenset(held) for held in repaired.content.sets}
    for added in sets - {frozenset(held) for held in counts}:
        assert leakages(sets - {added})


@given(histograms, st.integers(0, 2**32))
def test_a_release_without_leaks_stays_as_it_is(
    counts: dict[tuple[str, ...], int], seed: int
) -> None:
    once = AplFree().publish(release_of(counts), rng.seeded(seed)).release
    again = AplFree(count=50).publish(once, rng.seeded(seed + 1)).release
    assert again.content.as_dict() == once.content.as_dict()


@pytest.mark.parametrize("universe", [None, tuple(str(number) for number in range(30))])
def test_large_and_small_universes_are_repaired_alike(universe: tuple[str, ...] | None) -> None:
    """Beyond 20 items another machine looks for what is missing."""
    names = universe[: len(ITEMS)] if universe else ITEMS
    sets = [[names[i] for i in held] for held in [(0, 1, 2), (1, 2), (3,), (3, 4), (0, 1, 2)]]
    found = {frozenset(held) for held in missing_boundaries(Itemsets.of(sets, universe))}
    assert found == {frozenset(names[i] for i in held) for held in [(0, 1), (0, 2), (4,)]}


def test_one_item_alone_needs_the_empty_itemset() -> None:
    repaired = AplFree().publish(release_of({("a",): 29}), rng.seeded(1)).release
    assert repaired.content.as_dict() == {("a",): 29, (): 1}


@pytest.mark.parametrize("counts", [{}, {(): 4}])
def test_nothing_needs_nothing(counts: dict[tuple[str, ...], int]) -> None:
    repaired = AplFree().publish(release_of(counts), rng.seeded(1)).release
    assert repaired.content.as_dict() == counts


def test_the_worked_example() -> None:
    repaired = AplFree().publish(release_of(LEAKS), rng.seeded(1)).release
    added = {("hanger",): 1, ("scissors",): 1, ("toothpaste",): 1}
    assert repaired.content.as_dict() == LEAKS | added


def test_privacy_is_handed_on_and_nothing_else() -> None:
    private = DifferentialPrivacy(epsilon="0.5")
    repaired = AplFree().publish(release_of(LEAKS, private, NoAttributeLeakage()), rng.seeded(1))
    assert repaired.release.guarantees == (NoAttributeLeakage(), private)
    assert AplFree().guarantees == (NoAttributeLeakage(),)


def test_the_manifest_tells_of_the_source() -> None:
    manifest = AplFree().publish(release_of(LEAKS), rng.secure()).release.manifest
    assert manifest.method == "apl-free"
    assert manifest.parameters == {"count": 1}
    assert manifest.randomness == rng.secure().label
    assert manifest.universe == "public"
    assert manifest.notes["source"]["method"] == "planted"
    assert manifest.notes["source"]["parameters"] == {"epsilon": "1"}
    assert manifest.notes["source"]["randomness"] == "none"


def test_what_was_seeded_stays_unfit_for_publication() -> None:
    source = release_of(LEAKS, seeded=True)
    manifest = AplFree().publish(source, rng.secure()).release.manifest
    assert manifest.seeded
    assert manifest.randomness == SEEDED
    assert AplFree().publish(release_of(LEAKS), rng.seeded(1)).release.manifest.seeded


def test_added_rows_do_not_stand_apart() -> None:
    ends = {
        list(AplFree().publish(release_of(LEAKS), rng.seeded(seed)).release.content.sets)[-1]
        for seed in range(50)
    }
    assert len(ends) == 6


def test_a_release_of_this_house_is_repaired(tmp_path: object) -> None:
    data = Transactions.of([["a", "b", "c"]] * 60 + [["d", "e"]] * 50, universe=ITEMS)
    method = SparseHistogram(epsilon=1, universe=ITEMS, spurious="0.001")
    source = method.publish(data, rng.seeded(1)).release
    assert leakages(source.content.sets)
    loaded = Release.load(source.save(f"{tmp_path}/source"))
    repaired = AplFree().publish(loaded, rng.seeded(1)).release
    assert verify(repaired).by_parts
    assert repaired.guarantees == (NoAttributeLeakage(), *method.guarantees)


def test_apl_killer_leaves_nothing_to_add() -> None:
    data = Transactions.of([["a", "b", "c"]] * 60 + [["d", "e"]] * 50, universe=ITEMS)
    source = AplKiller(epsilon=1, universe=ITEMS).publish(data, rng.seeded(1)).release
    assert len(missing_boundaries(source.content.sets)) == 0
    assert len(source.content) > 5


def test_other_content_is_refused() -> None:
    other: Release[Transactions] = as_released(Transactions.of([["a"]]))
    with pytest.raises(DataError, match="holds transactions"):
        AplFree().publish(other, rng.seeded(1))


@pytest.mark.parametrize("count", [0, -1, 1 << 62])
def test_a_count_is_a_positive_number(count: int) -> None:
    with pytest.raises(ParameterError, match="count must be"):
        AplFree(count=count)
