"""One small instance of every method, and data it can publish; the contract tests need each."""

from typing import Any

import numpy as np
import polars as pl

from discreet import Microdata, SocialNetwork, Transactions, rng
from discreet.core.graph import Network
from discreet.core.itemsets import Itemsets
from discreet.counts import (
    AplFree,
    AplKiller,
    AttributeLinkage,
    BoundedConfidence,
    Counts,
    DiffPart,
    ItemSupports,
    Known,
    PrivBayes,
    ProbabilisticLinkage,
    SparseHistogram,
    TableBayes,
)
from discreet.generalised import (
    Anything,
    Coat,
    Coherence,
    Common,
    Cover,
    Disassociation,
    Frequency,
    ItemFrequencies,
    Km,
    Lkc,
    Meaning,
    Member,
    Pcta,
    Semantic,
    SinglingOut,
)
from discreet.measure import Rate, Score
from discreet.networks import (
    Acquainted,
    Circle,
    Dist,
    GpAsn,
    GreedySwap,
    Neighbourhood,
    Placed,
    Propagation,
    RhoM,
    SetsAndDegree,
    SideBySide,
    TdControl,
)
from discreet.networks.scoring import score_of_rates
from discreet.semantics import DistanceTable
from discreet.series import (
    Anatomy,
    Anony,
    Composition,
    Counterfeits,
    KnownRows,
    MInvariance,
    Sanony,
    Victim,
)
from discreet.tables import (
    Background,
    BackgroundJoin,
    Codip,
    CodipStar,
    Incognito,
    Intersection,
    LDiverse,
    Minimality,
    Mondrian,
    NaiveTCloseness,
    QidsAndItems,
    Register,
    RtAnonymity,
    Skewness,
)

UNIVERSE = ("beer", "bread", "milk", "wine")

BASKETS = Transactions.of(
    [["beer", "bread"]] * 30 + [["bread", "milk"]] * 25 + [["beer", "bread", "milk"]] * 15
    + [["bread"]] * 20 + [["wine"]] * 8 + [[]] * 4,
    universe=UNIVERSE,
)  # fmt: skip

PUBLISHED = SparseHistogram(epsilon=1, universe=UNIVERSE).publish(BASKETS, rng.seeded(7)).release

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

PATIENTS_WITH_SETS = Microdata.of(
    PATIENTS.table, qids=["age", "sex"], sensitive=["job"], set_column="ill"
)

FRIENDS = Network.of([(f"p{one}", f"p{other}") for one in range(12) for other in range(one % 5)])

TASTES = DistanceTable.of(
    {("bread", "beer"): 1.0, ("bread", "wine"): 2.0, ("milk", "beer"): 2.0, ("milk", "wine"): 1.5}
)

COMMON = ItemFrequencies.of({"bread": 9, "beer": 5, "milk": 4, "wine": 1, "rock": 2, "jazz": 1})

PLAYLISTS = Transactions(
    Itemsets.of(
        [[("rock", "jazz")[row % 2], ("folk", "soul", "funk")[row % 3]] for row in range(24)]
        + [["rock", "psalms"], ["rock", "psalms", "hymns"], ["jazz", "hymns"], ["folk", "psalms"]]
    ),
    ids=np.array([f"person {row}" for row in range(28)]),
    sensitive=frozenset({"psalms", "hymns"}),
)

CIRCLE = SocialNetwork.of(
    PLAYLISTS,
    [
        (f"person {row}", f"person {(row + step) % 28}")
        for row in range(28)
        for step in range(1, 3 + row % 2)
    ],
)

FIRST_YEAR = Sanony(r_th=2, cluster_size=4).publish(PLAYLISTS, rng.seeded(7)).release

PUBLISHERS: dict[type, tuple[Any, Any]] = {
    AplKiller: (AplKiller(epsilon=1, universe=UNIVERSE), BASKETS),
    DiffPart: (DiffPart(epsilon=1, c1="0.5", universe=UNIVERSE), BASKETS),
    PrivBayes: (PrivBayes(epsilon=1, degree=2, universe=UNIVERSE), BASKETS),
    SparseHistogram: (SparseHistogram(epsilon=1, universe=UNIVERSE), BASKETS),
    AplFree: (AplFree(), PUBLISHED),
    BoundedConfidence: (BoundedConfidence(tau="0.6", known="any"), PUBLISHED),
    ItemSupports: (ItemSupports(epsilon=1, pairs="0.5", universe=UNIVERSE), BASKETS),
    Counts: (Counts(epsilon=1, tau="0.9", universe=UNIVERSE), BASKETS),
    TableBayes: (TableBayes(epsilon=1, universe=UNIVERSE), BASKETS),
    Coat: (Coat(k=20, protect="items", suppress=50), BASKETS),
    Pcta: (Pcta(k=20, protect="rare"), BASKETS),
    Km: (Km(k=20, m=2), BASKETS),
    Coherence: (Coherence(h="0.5", k=3, p=2), PLAYLISTS),
    Disassociation: (Disassociation(k=3, m=2, cover="0.9"), BASKETS),
    Lkc: (Lkc(l=2, k=3, c="0.5"), PLAYLISTS),
    Incognito: (Incognito(k=3), PATIENTS),
    Mondrian: (Mondrian(k=3, t="0.4"), PATIENTS),
    RtAnonymity: (RtAnonymity(k=3, m=2), PATIENTS_WITH_SETS),
    LDiverse: (LDiverse(k=3, l=2), PATIENTS),
    NaiveTCloseness: (NaiveTCloseness(k=3, t="0.3"), PATIENTS),
    Codip: (Codip(k=3, t="0.3", plan=(("job",), ("ill=cough", "ill=flu"))), PATIENTS),
    CodipStar: (CodipStar(k=3, t="0.3"), PATIENTS),
    GreedySwap: (GreedySwap(k=3), FRIENDS),
    SideBySide: (SideBySide(rho="0.5", k=3), CIRCLE),
    GpAsn: (GpAsn(rho="0.5", g_min=4), CIRCLE),
    TdControl: (TdControl(rho="0.5"), PLAYLISTS),
    Dist: (Dist(rho="0.5"), PLAYLISTS),
    RhoM: (RhoM(rho="0.5", known=1), PLAYLISTS),
    Anony: (Anony(r_th=2, cluster_size=4), PLAYLISTS),
    Sanony: (Sanony(r_th=2, cluster_size=4, after=(FIRST_YEAR,)), PLAYLISTS),
    MInvariance: (MInvariance(m=2), PLAYLISTS),
    Anatomy: (Anatomy(l=2, cluster_size=4), PLAYLISTS),
}
"""Publisher -> (an instance, data for it)."""

ATTACKS: dict[type, tuple[Any, Any]] = {
    AttributeLinkage: (AttributeLinkage(), Known()),
    ProbabilisticLinkage: (ProbabilisticLinkage(), Known()),
    BackgroundJoin: (BackgroundJoin(), Background()),
    Intersection: (Intersection(), Background()),
    QidsAndItems: (QidsAndItems(), Background()),
    Skewness: (Skewness(), Background()),
    Minimality: (Minimality(), Register()),
    Composition: (Composition(r_th=2), Victim()),
    Counterfeits: (Counterfeits(), KnownRows()),
    Semantic: (Semantic(), Meaning(relatedness=TASTES)),
    Frequency: (Frequency(), Common(frequencies=COMMON)),
    Cover: (Cover(), Member()),
    SinglingOut: (SinglingOut(), Anything()),
    SetsAndDegree: (SetsAndDegree(), Acquainted()),
    Neighbourhood: (Neighbourhood(), Circle()),
    Propagation: (Propagation(seeds=3), Placed(CIRCLE, np.arange(28))),
}
"""Attack -> (an instance, knowledge for it)."""


def rows_found(people: int) -> Score:
    """Return the score of an attack that infers nothing and finds nine rows of ten."""
    nothing = Rate(share=0.0, people=0)
    return score_of_rates(
        claims=9,
        tested=9,
        success=nothing,
        baseline=nothing,
        exposed=Rate(share=0.0, people=people),
        identified=Rate(share=0.9, people=people),
    )
