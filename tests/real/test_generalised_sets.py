"""Generalised real data keep their promises by the independent verifiers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from discreet import Hierarchy, Transactions, rng, verify
from discreet.core.constraints import Constraints
from discreet.core.release import Release
from discreet.generalised import Coat, Coherence, Disassociation, Km, Lkc, Pcta, certainty_penalty

pytestmark = pytest.mark.usefixtures("data_folder")

NAMES = ("bms1", "bms2", "checkin")


def drawn(data: Transactions, many: int, rng: rng.Rng) -> Constraints:
    """Itemsets of one to three items, drawn uniformly from those that occur."""
    held = np.flatnonzero(data.supports)
    picked = [held[rng.permutation(len(held))[: 1 + place % 3]] for place in range(many)]
    return Constraints.of([[data.universe[item] for item in items] for items in picked])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", [Coat, Pcta])
def test_constraints_are_met(name: str, method: Callable[..., Any]) -> None:
    data = Transactions.read(f"dataset:{name}")
    privacy = drawn(data, 50, rng.seeded(1))
    publication = method(k=5, privacy=privacy).publish(data, rng.seeded(2))
    content = publication.release.content
    assert verify(publication.release, privacy=privacy).by_parts is True
    assert len(content) == len(data)
    # only a small part of the items has to hide
    assert content.trivial.mean() > 0.5
    rare = Constraints.of([[data.universe[int(np.argmax(data.supports == 1))]]])
    asked = rare.itemsets[0] in privacy.itemsets or rare.items[0] not in content.block_of
    plain = not asked and content.blocks[content.block_of[rare.items[0]]] == rare.items
    assert asked or verify(publication.release, privacy=rare).by_parts is not plain


@pytest.mark.parametrize("name", ["bms1", "checkin"])
def test_any_two_known_items_fit_enough_people(name: str) -> None:
    data = Transactions.read(f"dataset:{name}")
    release = Km(k=5, m=2).publish(data, rng.seeded(2)).release
    assert verify(release).by_parts is True
    assert len(release.content) == len(data)


def test_a_hierarchy_of_item_numbers_will_do() -> None:
    data = Transactions.read("dataset:bms1")
    width = max(map(len, data.universe))
    rows = [
        [item, *(f"{item.zfill(width)[:n]}~" for n in range(width - 1, 0, -1)), "*"]
        for item in data.universe
    ]
    release = Km(k=5, m=2, hierarchy=Hierarchy.of_levels(rows)).publish(data, rng.seeded(2)).release
    assert verify(release).by_parts is True


def test_one_round_leaves_constraints_unmet_and_all_rounds_do_not() -> None:
    data = Transactions.read("dataset:bms2")
    privacy = drawn(data, 300, rng.seeded(3))
    once = Pcta(k=5, privacy=privacy, rounds="once").publish(data, rng.seeded(2)).release
    assert once.guarantees == ()
    claimed = Pcta(k=5, privacy=privacy).publish(data, rng.seeded(2)).release
    assert verify(claimed, privacy=privacy).by_parts is True
    # the same claim about the release of one round is refuted by the verifier
    pretended = Release(once.content, claimed.guarantees, once.manifest)
    assert verify(pretended, privacy=privacy).by_parts is False


@pytest.mark.parametrize("name", NAMES)
def test_any_two_items_could_be_those_of_five_people(name: str) -> None:
    data = Transactions.read(f"dataset:{name}")
    publication = Disassociation(k=5, m=2).publish(data, rng.seeded(2))
    assert verify(publication.release).by_parts is True
    content = publication.release.content
    assert content.people.min() >= 5
    # next to nothing is left without a number
    told = len(content.chunks.sets.items) + len(content.shared.sets.items)
    assert told > 0.99 * len(data.items)


@pytest.mark.parametrize("name", NAMES)
def test_more_stays_beside_secrets_than_without_secrets_and_rare_items(name: str) -> None:
    data = Transactions.read(f"dataset:{name}")
    order = np.argsort(-data.supports, kind="stable")
    secrets = frozenset(data.universe[item] for item in order[50:60])
    people = Transactions(data.sets, sensitive=secrets)
    release = Coherence(h="0.5", k=5, p=2).publish(people, rng.seeded(2)).release
    assert verify(release, against=people).by_parts is True
    other = Lkc(l=2, k=5, c="0.5").publish(people, rng.seeded(2)).release
    assert other.content.sets == release.content.sets
    # the trivial way: no secrets, and of the rest the commonest as far as pairs fit five people
    public = [item for item in order.tolist() if data.universe[item] not in secrets]
    kept = 0
    for many in (8, 16, 32, 64):
        names = [data.universe[item] for item in sorted(public[:many])]
        left = Transactions(data.sets.over(names))
        promise = Km(k=5, m=2).guarantees
        if verify(Release(left, promise, release.manifest)).by_parts:
            kept = max(kept, len(left.items))
    assert len(release.content.items) > kept


@pytest.mark.parametrize(("name", "known"), [("lastfm", 1), ("bms1", 2)])
def test_no_less_stays_than_of_sets_without_secrets_that_are_made_anonymous(
    name: str, known: int
) -> None:
    data = Transactions.read(f"dataset:{name}")
    order = np.argsort(-data.supports, kind="stable")
    secrets = frozenset(data.universe[item] for item in order[50:60])
    people = Transactions(data.sets, sensitive=secrets)
    release = Lkc(l=known, k=5, c="0.2").publish(people, rng.seeded(2)).release
    assert verify(release, against=people).by_parts is True
    public = Transactions(data.sets.over([name for name in data.universe if name not in secrets]))
    anonymous = Km(k=5, m=known).publish(public, rng.seeded(2)).release
    kept = certainty_penalty(public, anonymous)["occurrences_by_name"] * len(public.items)
    assert len(release.content.items) >= kept
    # beside all secrets less is kept
    every = Lkc(l=known, k=5, c="0.2", plan="all-secrets").publish(people, rng.seeded(2)).release
    assert len(every.content.items) < kept
    assert every.content.sets.over(sorted(secrets)).sizes.sum() == data.supports[order[50:60]].sum()
