"""The risks of a release as an outsider counts them; of one with noise, what epsilon bounds."""

from collections.abc import Sequence
from math import exp, tanh
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from discreet.core.disassociated import Disassociated
from discreet.core.fold import fold
from discreet.core.graph import Network
from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.histogram import ItemsetHistogram
from discreet.core.itemsets import Itemsets
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.core.score import Rate
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.synthetic_people import SyntheticPeople, counts_in
from discreet.core.transactions import Transactions
from discreet.kernels.ragged import offsets_of
from discreet.lazy import pl
from discreet.measure.score import refuse_shared_people
from discreet.risk.degrees import degrees_risk, worse
from discreet.risk.items_in_classes import shares_knowing_items
from discreet.risk.parts import parts_risk
from discreet.risk.profile import sets_risk
from discreet.risk.reidentification import Population
from discreet.risk.table_profile import classes_of, table_risk, worst_disclosure

NOISE: Final = "everything about everybody else"
PARTS: Final = "up to three items of a person; everybody who could hold them counts"
TABLES: Final = "all quasi-identifiers, as published; of several tables, the worst one counts"
SETS: Final = "items of a person, as published"
DEGREE: Final = "how many friends a person has"


def release_risk(
    release: Release[Any],
    population: Population | None = None,
    *,
    original: Any = None,
    control: Any = None,
) -> dict[str, Any]:
    """Return the risks of ``release``: ``known`` says what an adversary is taken to know.

    Rows that are made with noise are nobody's, and no record can be found in them: what anybody can
    conclude is bounded by epsilon, and where the ``original`` is at hand, and people of a
    ``control`` group, it is counted how many of them occur all the same. ``left_open`` says what
    was not counted, ``not_counted`` that nothing was.

    Parameters
    ----------
    release
        What would go out.
    population
        What is known of the population that the people are from.
    original
        The private data; None: what needs it is not counted.
    control
        People who are not in the data.

    Returns
    -------
    dict of str to object
        The risks by name.
    """
    content = release.content
    claims = [each for each in release.guarantees if isinstance(each, DifferentialPrivacy)]
    if claims and isinstance(content, ItemsetHistogram | SyntheticPeople):
        owned = [each if isinstance(each, Transactions) else None for each in (original, control)]
        counted = occurring(counts_in(content), *owned)
        return {"known": NOISE} | bounded_by_epsilon(claims) | counted
    # whatever is promised about other tables, their rows are counted
    if isinstance(content, ProjectedTables):
        return {"known": TABLES} | _tables(content, population)
    if isinstance(content, Network):
        return {"known": DEGREE} | degrees_risk(content.edges, len(content), population)
    if isinstance(content, Disassociated):
        return {"known": PARTS} | parts_risk(content, population)
    folded = content if isinstance(content, ItemsetHistogram) else fold(content.sets)
    risks = sets_risk(folded, population)
    if isinstance(content, SetsWithNetwork):
        degree = degrees_risk(content.edges, len(content), population)
        return {"known": f"{SETS}, or {DEGREE}"} | worse(risks, degree)
    return {"known": SETS} | risks


def _known(content: ProjectedTables, table: "pl.DataFrame") -> tuple[str, ...]:
    """Return the columns of a table that count as known: also those published as they are."""
    return (*content.qids, *(name for name in content.kept if name in table.columns))


def _tables(content: ProjectedTables, population: Population | None) -> dict[str, Any]:
    """Return the risks of the table with the highest, and the attributes of every table."""
    each = [
        table_risk(
            table, _known(content, table), _columns(table, names), population, content.applied
        )
        for table, names in zip(content.parts, content.sensitive, strict=True)
        if table.height
    ]
    if not each:
        return {"not_counted": "No row was published."}
    worst = max(each, key=lambda risk: (risk["prosecutor"]["highest"], risk["marketer"]))
    by_attribute: dict[str, list[dict[str, Any]]] = {}
    for risk in each:
        for name, disclosure in risk["attributes"].items():
            by_attribute.setdefault(name, []).append(disclosure)
    # the values of one attribute may stand in several tables
    attributes = {name: worst_disclosure(each) for name, each in by_attribute.items()}
    certain = [risk["wp29"]["inference"]["share"] for risk in each]
    inference = worst["wp29"]["inference"] | {
        "share": max((share for share in certain if share is not None), default=None)
    }
    figures = worst | {"attributes": attributes, "wp29": worst["wp29"] | {"inference": inference}}
    return figures | _knowing_items(content)


def _knowing_items(content: ProjectedTables) -> dict[str, Any]:
    """Return what a set column tells beside quasi-identifiers; a member makes a block known."""
    if content.set_column is None:
        return {}
    table = next(each for each in content.parts if content.set_column in each.columns)
    rows, numbers, _ = content.blocks
    offsets = offsets_of(np.bincount(rows, minlength=table.height))
    return shares_knowing_items(classes_of(table, _known(content, table))[0], offsets, numbers)


def _columns(table: "pl.DataFrame", names: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the columns of each attribute; those of 0 and 1 are called ``NAME=VALUE``."""
    columns: dict[str, list[str]] = {}
    for name in names:
        attribute = name.partition("=")[0] if table[name].dtype.is_integer() else name
        columns.setdefault(attribute, []).append(name)
    return columns


PRIORS: Final = (0.01, 0.2, 0.5)
"""How likely something is held to be beforehand: hardly, as the custodian's limit, as a coin."""
ORIGINAL, CONTROL, PUBLISHED = 1, 4, 16
"""Digits of a number that says where a set occurs: once or more, in each group."""
NO_ORIGINAL: Final = (
    "how many people with a set that nobody else has occur in the published rows: it needs the "
    "original (--against)"
)
NO_CONTROL: Final = (
    "how many people who are not in the data occur in the published rows all the same: it needs a "
    "control group (--control)"
)


def bounded_by_epsilon(claims: Sequence[DifferentialPrivacy]) -> dict[str, Any]:
    """Return how sure anybody can become of a person, whatever they know of everybody else.

    A release is at most exp(epsilon) times as likely with a person as without. Another value of
    theirs is that of another record: two steps where neighbours are one record more or less, one
    where a record is replaced. Epsilons of several promises about the same people add up.
    """
    epsilon = sum(float(claim.budget) for claim in claims)
    steps = {"add-remove": 2, "replace": 1}
    value = sum(float(claim.budget) * steps[claim.neighbours] for claim in claims)
    return {
        "epsilon": epsilon,
        "taking_part": _bounds(epsilon),
        "a_value_of_theirs": _bounds(value),
    }


def posterior_at_most(prior: float, epsilon: float) -> float:
    """Return how likely something can be held at most after a release, of a ``prior`` before.

    >>> round(posterior_at_most(0.5, 1), 3), posterior_at_most(0.2, 1e6)
    (0.731, 1.0)
    """
    return prior / (prior + (1 - prior) * exp(-epsilon))


def _bounds(epsilon: float) -> dict[str, Any]:
    return {
        "factor_at_most": exp(epsilon) if epsilon < 700 else None,  # beyond, no number holds it
        "advantage_at_most": tanh(epsilon / 2),
        "posterior_at_most": [
            {"prior": prior, "posterior": posterior_at_most(prior, epsilon)} for prior in PRIORS
        ],
    }


def occurring(
    published: ItemsetHistogram, original: Transactions | None, control: Transactions | None
) -> dict[str, Any]:
    """Count who occurs in published rows: people whose set nobody else has, in the data or not.

    Both groups are of people whose set, not empty, is one person's alone among the data and the
    control group together: then nothing but taking part tells one group from the other.
    ``left_open`` names what was not handed in.
    """
    if original is None:
        return {"left_open": (NO_ORIGINAL,)}
    if control is not None:
        refuse_shared_people(original, control)
    holder, present = _sole_holders(published, original.folded, control.folded if control else None)
    rates = {"in_the_data": _rate(present[holder == ORIGINAL])}
    if control is None:
        return {"occurring": rates, "left_open": (NO_CONTROL,)}
    return {"occurring": rates | {"in_the_control_group": _rate(present[holder == CONTROL])}}


def _sole_holders(
    published: ItemsetHistogram, original: ItemsetHistogram, control: ItemsetHistogram | None
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return for each distinct set, not empty, who has it alone, and whether it is published.

    Each source has a digit of its own in one number, so that one sum over equal sets tells all.
    """
    several = 2
    digits = [(original, ORIGINAL), *([(control, CONTROL)] if control else [])]
    weighed = [(each, np.minimum(each.counts, several) * digit) for each, digit in digits] + [
        (published, (published.counts > 0) * PUBLISHED)
    ]
    vocabulary = sorted({item for each, _ in weighed for item in each.sets.vocabulary})
    together = Itemsets.joined([each.sets.over(vocabulary) for each, _ in weighed])
    sums = fold(together, np.concatenate([weights for _, weights in weighed]))
    codes = sums.counts[sums.sets.sizes > 0]
    return codes % PUBLISHED, codes >= PUBLISHED


def _rate(hits: NDArray[np.bool_]) -> dict[str, Any]:
    return Rate(share=float(hits.mean()) if len(hits) else 0.0, people=len(hits)).record()
