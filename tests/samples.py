"""One small instance of every method, and data it can publish; the contract tests need each."""

from typing import Any

import polars as pl

from discreet import Microdata, Transactions, chance
from discreet.attack import (
    AttributeLinkage,
    Background,
    BackgroundJoin,
    Intersection,
    Known,
    Minimality,
    ProbabilisticLinkage,
    Register,
    Skewness,
)
from discreet.publish import (
    AplFree,
    AplKiller,
    Codip,
    CodipStar,
    DiffPart,
    Incognito,
    NaiveTCloseness,
    PrivBayes,
    SparseHistogram,
)

UNIVERSE = ("beer", "bread", "milk", "wine")

BASKETS = Transactions.of(
    [["beer", "bread"]] * 30 + [["bread", "milk"]] * 25 + [["beer", "bread", "milk"]] * 15
    + [["bread"]] * 20 + [["wine"]] * 8 + [[]] * 4,
    universe=UNIVERSE,
)  # fmt: skip

PUBLISHED = SparseHistogram(epsilon=1, universe=UNIVERSE).publish(BASKETS, chance.seeded(7)).release

PATIENTS = Microdata.of(
    pl.DataFrame(
        {
            "age": [str(30 + row % 4) for row in range(40)],
            "sex": ["fm"[row % 2] for row in range(40)],
            "job": [("spy", "nurse", "cook")[row % 3] for row in range(40)],
            "ill": [("", "flu", "flu|cough", "cough", "flu")[row % 5] for row in range(40)],
        }
    ),
    qids=["age", "sex"],
    sensitive=["job", "ill"],
    multi_valued=["ill"],
)

PUBLISHERS: dict[type, tuple[Any, Any]] = {
    AplKiller: (AplKiller(epsilon=1, universe=UNIVERSE), BASKETS),
    DiffPart: (DiffPart(epsilon=1, c1="0.5", universe=UNIVERSE), BASKETS),
    PrivBayes: (PrivBayes(epsilon=1, degree=2, universe=UNIVERSE), BASKETS),
    SparseHistogram: (SparseHistogram(epsilon=1, universe=UNIVERSE), BASKETS),
    AplFree: (AplFree(), PUBLISHED),
    Incognito: (Incognito(k=3), PATIENTS),
    NaiveTCloseness: (NaiveTCloseness(k=3, t="0.3"), PATIENTS),
    Codip: (Codip(k=3, t="0.3", plan=(("job",), ("ill=cough", "ill=flu"))), PATIENTS),
    CodipStar: (CodipStar(k=3, t="0.3"), PATIENTS),
}
"""Publisher -> (an instance, data for it)."""

ATTACKS: dict[type, tuple[Any, Any]] = {
    AttributeLinkage: (AttributeLinkage(), Known()),
    ProbabilisticLinkage: (ProbabilisticLinkage(), Known()),
    BackgroundJoin: (BackgroundJoin(), Background()),
    Intersection: (Intersection(), Background()),
    Skewness: (Skewness(), Background()),
    Minimality: (Minimality(), Register()),
}
"""Attack -> (an instance, knowledge for it)."""
