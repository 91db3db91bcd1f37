"""Rules for sets: what a release shows of its recoding, and the same done to other sets."""

from dataclasses import replace
from typing import Any

import numpy as np

from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.hierarchy import Hierarchy
from discreet.core.release import Release
from discreet.core.rules import SetRules
from discreet.core.transactions import Transactions
from discreet.generalised.merging.choices import Merging
from discreet.generalised.merging.constraints import privacy_of
from discreet.generalised.recoding.plan import Recoding
from discreet.rng import Rng


def rules_of_sets(release: Release[GeneralisedSets | Transactions]) -> SetRules:
    """Return which items a release shows, and as what."""
    content, method = release.content, release.manifest.method
    if isinstance(content, GeneralisedSets):
        return SetRules(method=method, blocks=content.blocks)
    used = np.unique(content.sets.items).tolist()
    names = tuple((content.universe[item],) for item in used)
    above = content.applied.tables()["hierarchy"] if content.applied else None
    pairs = None if above is None else tuple((str(a), str(b)) for a, b in above.iter_rows())
    return SetRules(method=method, blocks=names, hierarchy=pairs, plain=True)


def plan_of_rules(method: Any, rules: SetRules, data: Transactions, rng: Rng) -> Recoding:
    """Return the plan that does to ``data`` what the rules say."""
    tree = Hierarchy.of_pairs(rules.hierarchy) if rules.hierarchy else None
    block_of = {item: number for number, block in enumerate(rules.blocks) for item in block}
    label = np.full(len(data.universe), -1, dtype=np.int64)
    for number, item in enumerate(data.universe):
        above = tree.ancestors(item) if tree is not None and item in tree.numbers else ()
        label[number] = next((block_of[name] for name in (item, *above) if name in block_of), -1)
    # what nobody holds any more is not named
    used = np.unique(label[(label >= 0) & (data.supports > 0)])
    again = np.full(len(rules.blocks) + 1, -1, dtype=np.int64)
    again[used] = np.arange(len(used))
    blocks = tuple(rules.blocks[number] for number in used.tolist())
    constraints = privacy_of(method, data.folded, rng) if isinstance(method, Merging) else None
    plan = Recoding.everywhere(data.universe, again[label], blocks, constraints)
    gone = (data.supports > 0) & (label < 0)
    deleted = (data.universe[item] for item in np.flatnonzero(gone))
    return replace(
        plan, hierarchy=tree, deleted=tuple(item for item in deleted if item in data.sensitive)
    )
