"""The risks of people whose records were cut into parts: who could hold what somebody knows."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from discreet.core.disassociated import Chunks, Disassociated
from discreet.core.itemsets import Itemsets
from discreet.kernels.ragged import runs
from discreet.risk.kernels.candidates import Parts, candidates, further_certain
from discreet.risk.known_items import SAMPLE, SEARCHED, WORST, random_subsets
from discreet.risk.reidentification import FEW, Population, population_by_share
from discreet.risk.threats import threats
from discreet.rng import Rng, seeded

RAREST: Final = 10
"""Items of a person, those that the fewest could hold, among which the worst are searched."""
UNWEIGHED: Final = (
    "everybody who could hold the known items counts as one candidate; how much more likely some "
    "are than others was not weighed, and disassociation promises nothing about it"
)

Whole = NDArray[np.int64]
Ragged = tuple[Whole, Whole]
"""Which group each entry is of, ascending, and the entries."""


def parts_risk(content: Disassociated, population: Population | None = None) -> dict[str, Any]:
    """Return the risks of a person of whom up to three items are known.

    A *candidate* is a person who holds the known items in the possible original where most do. Who
    picks one is right once in so many. The people are drawn as the release leaves them: of each
    chunk a part at random, with a fixed seed.
    """
    population_by_share(population, "sets")
    rng, parts = seeded(0), _parts(content)
    drawn = _possible_people(content, rng)
    each = {known: _knowing(content, parts, drawn, known, rng) for known in range(1, WORST + 1)}
    figures = {f"knowing_{known}": numbers for known, numbers in each.items()}
    most = [numbers for numbers in each.values() if numbers["people"]]
    if not most:
        return {"not_counted": "No part of anybody was published."}
    return figures | _in_words(most[-1]) | {"people": len(content), "left_open": (UNWEIGHED,)}


def _in_words(known: dict[str, int | float]) -> dict[str, Any]:
    """Return the risks by the most items that are taken as known, in the words of El Emam."""
    alone, risk, few = known["share_alone"], known["mean_risk"], known["share_below_5"]
    risks = {
        "highest": 1 / known["fewest_fitting"],
        "mean": risk,
        "share_above_20_percent": few,
    }
    return {
        "prosecutor": risks,
        "journalist": risks | {"population_given": False},
        "marketer": risk,
        "k_map": known["fewest_fitting"],
        "sample_uniqueness": alone,
        "population_uniqueness": {
            "share": alone,
            "model": "none, the release stands for the population",
            "models": {},
        },
        "wp29": threats(alone, risk, known["share_further_item_certain"]),
    }


def _knowing(
    content: Disassociated, parts: Parts, drawn: Itemsets, known: int, rng: Rng
) -> dict[str, int | float]:
    able = np.flatnonzero(drawn.sizes >= known)
    if not len(able):
        return {"people": 0}
    asked = random_subsets(drawn, able, known, rng)
    arrays = parts, asked.offsets.copy(), asked.items.copy()
    # whoever was drawn is one of them
    fitting, certain = np.maximum(1, candidates(*arrays)), further_certain(*arrays)
    fewest = _fewest(parts, drawn, able[:SEARCHED], known)
    return {
        "people": round(len(content) * len(able) / len(drawn)),
        "share_alone": float((fitting == 1).mean()),
        "share_below_5": float((fitting < FEW).mean()),
        "median_fitting": float(np.median(fitting)),
        "mean_risk": float((1 / fitting).mean()),
        "share_further_item_certain": float(certain.mean()),
        "share_alone_by_worst": float((fewest == 1).mean()),
        "share_below_5_by_worst": float((fewest < FEW).mean()),
        "fewest_fitting": int(min(fewest.min(), fitting.min())),
    }


def _fewest(parts: Parts, drawn: Itemsets, people: Whole, known: int) -> Whole:
    """Return for each person how few could hold those of their items that tell most."""
    every = np.arange(len(drawn.vocabulary) + 1)
    rarity = candidates(parts, every, every[:-1].astype(np.int32))
    asked, person = [], []
    for number, each in enumerate(people.tolist()):
        items = drawn.items[drawn.offsets[each] : drawn.offsets[each + 1]]
        rarest = np.sort(items[np.argsort(rarity[items], kind="stable")[:RAREST]])
        chosen = list(combinations(rarest.tolist(), known))
        asked += chosen
        person += [number] * len(chosen)
    sets, again = np.unique(np.array(asked, dtype=np.int32), axis=0, return_inverse=True)
    offsets = np.arange(len(sets) + 1, dtype=np.int64) * known
    fitting = np.maximum(1, candidates(parts, offsets, sets.ravel()))[again.ravel()]
    return np.minimum.reduceat(fitting, np.searchsorted(np.array(person), np.arange(len(people))))


def _possible_people(content: Disassociated, rng: Rng) -> Itemsets:
    """Draw people as the release leaves them: of each chunk over them a part, or none, at random.

    A term is held by one of its cluster at least, and is given to one in so many.
    """
    ends = np.cumsum(content.people)
    cluster = np.searchsorted(ends, rng.integers(int(ends[-1]), SAMPLE), side="right")
    drawn = [*_drawn_parts(content, cluster, rng), _drawn_terms(content, cluster, rng)]
    person = np.concatenate([owners for owners, _ in drawn])
    items = np.concatenate([entries for _, entries in drawn])
    return Itemsets.of_pairs(person, items, SAMPLE, content.universe)


def _drawn_parts(content: Disassociated, cluster: Whole, rng: Rng) -> Iterator[Ragged]:
    for chunks in (content.chunks, content.shared):
        chunk, over = chunks.places
        order = np.argsort(over, kind="stable")
        starts = np.searchsorted(over[order], np.arange(content.count + 1))
        person, at = _entries_of(starts, cluster)
        each = chunk[order][at]
        slot = (rng.words(len(each)) % _room(content, chunks)[each].astype(np.uint64)).astype(int)
        hit = slot < chunks.sizes[each]
        by_chunk = np.argsort(chunks.chunk, kind="stable")
        begins = np.searchsorted(chunks.chunk[by_chunk], np.arange(len(chunks)))
        part = by_chunk[begins[each[hit]] + slot[hit]]
        inside, items = _entries_of(chunks.sets.offsets, part)
        yield person[hit][inside], chunks.sets.items[items].astype(np.int64)


def _drawn_terms(content: Disassociated, cluster: Whole, rng: Rng) -> Ragged:
    person, at = _entries_of(content.terms.offsets, cluster)
    people = content.people[cluster][person].astype(np.uint64)
    hit = rng.words(len(at)) % people == 0
    return person[hit], content.terms.items[at][hit].astype(np.int64)


def _entries_of(starts: Whole, groups: Whole) -> Ragged:
    """Return every entry of each of the groups: the position in ``groups``, and the entry."""
    sizes = np.diff(starts)[groups]
    return np.repeat(np.arange(len(groups)), sizes), runs(starts[groups], sizes)


def _room(content: Disassociated, chunks: Chunks) -> Whole:
    """Return how many people are in the clusters of each chunk."""
    chunk, cluster = chunks.places
    return np.bincount(chunk, content.people[cluster], len(chunks)).astype(np.int64)


def _parts(content: Disassociated) -> Parts:
    """Lay a release out as arrays: entries by item, items by cluster, parts by entry."""
    own, shared, width = content.chunks, content.shared, len(content.universe)
    chunks = [np.repeat(own.chunk, own.sets.sizes), np.repeat(shared.chunk, shared.sets.sizes)]
    chunk = np.concatenate([chunks[0], chunks[1] + len(own)])
    item = np.concatenate([own.sets.items, shared.sets.items]).astype(np.int64)
    part = np.concatenate([own.sets.rows, shared.sets.rows + len(own.sets)])
    order = np.lexsort((part, item, chunk))
    named, lists = np.unique(chunk[order] * width + item[order], return_index=True)
    over = [np.concatenate([own.places[0], shared.places[0] + len(own)])]
    over.append(np.concatenate([own.places[1], shared.places[1]]))
    posting, cluster = _everywhere(named // max(1, width), over[0], over[1])
    term_cluster = content.terms.rows
    items = np.concatenate([named[posting] % max(1, width), content.terms.items])
    clusters = np.concatenate([cluster, term_cluster])
    none = np.full(len(term_cluster), -1)
    by_item = np.lexsort((clusters, items))
    by_cluster = np.argsort(clusters, kind="stable")
    return Parts(
        starts=np.searchsorted(items[by_item], np.arange(width + 1)),
        cluster=clusters[by_item],
        chunk=np.concatenate([named[posting] // max(1, width), none])[by_item],
        posting=np.concatenate([posting, none])[by_item],
        lists=np.append(lists, len(order)).astype(np.int64),
        parts=part[order],
        of_cluster=np.searchsorted(clusters[by_cluster], np.arange(content.count + 1)),
        items=items[by_cluster],
        people=content.people.copy(),
        spare=_spare(content),
        room=np.concatenate([_room(content, own), _room(content, shared)]),
        shared=np.arange(len(own) + len(shared)) >= len(own),
    )


def _everywhere(chunk_of_list: Whole, chunk: Whole, cluster: Whole) -> Ragged:
    """Return each list of parts in each cluster that its chunk is over."""
    order = np.argsort(chunk, kind="stable")
    starts = np.searchsorted(chunk[order], np.arange(int(chunk.max(initial=-1)) + 2))
    which, at = _entries_of(starts, chunk_of_list)
    return which, cluster[order][at]


def _spare(content: Disassociated) -> Whole:
    """Return the parts of each cluster beyond one for each person.

    Terms may be anybody's, and so may parts of shared chunks: where there are such, -1.
    """
    own = content.chunks
    parts = np.bincount(own.places[1], own.sizes[own.places[0]], content.count).astype(np.int64)
    free = content.terms.sizes > 0
    free[content.shared.places[1]] = True
    return np.where(free, -1, np.maximum(0, parts - content.people))
