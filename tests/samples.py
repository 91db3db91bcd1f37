"""One small instance of every method, and data it can publish; the contract tests need each."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from discreet import Constraints, Hierarchy, Microdata, SocialNetwork, Transactions, rng
from discreet.core.graph import Network
from discreet.core.itemsets import Itemsets
from discreet.core.publication import State
from discreet.core.workload import Workload
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

Options: TypeAlias = Mapping[str, Any]

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

FIRST_YEAR = Sanony(r_th=2, cluster_size=4).publish(PLAYLISTS, rng.seeded(7))

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
    Sanony: (Sanony(r_th=2, cluster_size=4, after=(FIRST_YEAR.release,)), PLAYLISTS),
    MInvariance: (MInvariance(m=2), PLAYLISTS),
    Anatomy: (Anatomy(l=2, cluster_size=4), PLAYLISTS),
}
"""Publisher -> (an instance, data for it)."""

FIRST_INVARIANT = MInvariance(m=2).publish(PLAYLISTS, rng.seeded(7))
"""What the key of a variant goes on from."""

GOODS = Hierarchy.of_levels(
    [("beer", "drink", "*"), ("wine", "drink", "*"), ("milk", "food", "*"), ("bread", "food", "*")]
)
GENRES = Hierarchy.of_levels(
    [(genre, "loud", "*") for genre in ("rock", "funk")]
    + [(genre, "soft", "*") for genre in ("jazz", "folk", "soul")]
    + [(genre, "church", "*") for genre in ("psalms", "hymns")]
)
AGES = Hierarchy.of_levels([(str(age), f"{age // 2 * 2}s", "*") for age in range(30, 34)])
WORKLOAD = Workload.of(["age=30|31; sex=f", "sex=m"])
BOUGHT_TOGETHER = Constraints.of([["beer", "bread"], ["milk"]])
ALIKE = Constraints.of([["beer", "wine"], ["bread", "milk"]])

SHORT: tuple[Options, ...] = ({"max_size": 2}, {"max_size": 1, "longer": "drop"})
MERGING: tuple[Options, ...] = (
    {"protect": "file", "privacy": BOUGHT_TOGETHER},
    {"protect": "items"},
    {"protect": "share", "share": 50},
    {"protect": "rare", "rare_size": 1, "suppress": 100},
    {"utility_from": "file", "utility": ALIKE},
    {"utility_from": "hierarchy", "hierarchy": GOODS, "hierarchy_level": 2},
    *({"resist": against} for against in ("frequency", "context", "both")),
    {"rounds": "once"},
    {"undo": "members"},
)
RECODING: tuple[Options, ...] = (
    {"hierarchy": (("age", AGES),)},
    {"hierarchy": (("age", AGES),), "highest_level": {"age": "1"}},
    {"suppression_limit": "0.2"},
    {"weights": {"age": "2"}},
)
FULL_DOMAIN: tuple[Options, ...] = (
    *({"score": score} for score in ("class-size", "precision", "entropy", "loss")),
    {"score": "workload", "workload": WORKLOAD},
)
DIVERSE: tuple[Options, ...] = (
    {"diversity": 2},
    {"diversity": "1.5", "diversity_kind": "entropy"},
    {"diversity": 2, "diversity_kind": "recursive", "diversity_c": 3},
    {"diversity": 2, "diversity_by_attribute": {"job": "1"}},
)
CLOSE: tuple[Options, ...] = (
    *RECODING,
    *FULL_DOMAIN,
    *DIVERSE,
    {"n": 10},
    {"t_by_attribute": {"job": "0.5"}},
    {"distance": {"job": "equal"}},
    {"discernibility_limit": 1000},
)
SECRET: tuple[Options, ...] = ({"hierarchy": GENRES}, {"strict": True})
MEANT: tuple[Options, ...] = (*SECRET, {"antecedents": "nonsensitive"})

OPTIONS: dict[type, tuple[Options, ...]] = {
    AplKiller: (
        *SHORT,
        {"fan_out": (2, 3)},
        {"c1": ("0.5", "0.3")},
        {"c2": 1},
        {"boundary_noise": "reject-calibrated"},
        {"boundary_noise": "paper"},
        {"empty_tests": "paper"},
        {"par": "paper"},
        {"auto": True, "records": 100},
    ),
    DiffPart: (*SHORT, {"fan_out": 2}, {"c2": 1}),
    PrivBayes: (
        {"degree": None, "theta": 2},
        {"beta": "0.5"},
        {"score": "F", "degree": 1},
        {"score": "MI"},
        {"negatives": "paper"},
        {"rows": 50},
    ),
    SparseHistogram: (*SHORT, {"spurious": 1}),
    TableBayes: (*SHORT, {"rows": True}),
    ItemSupports: SHORT,
    Counts: (*SHORT, {"known": 1}, {"tau": None, "records": 100}, {"rows": True}),
    BoundedConfidence: ({"known": 1},),
    AplFree: ({"count": 3},),
    Coat: MERGING,
    Pcta: (*MERGING, {"suppress": 50}),
    Km: (
        {"hierarchy": GOODS},
        {"hierarchy": GOODS, "loss": "ncp"},
        {"hierarchy": GOODS, "loss": "query"},
        {"hierarchy": GOODS, "suppression": "none"},
        {"hierarchy": GOODS, "recoding": "lra"},
        {"hierarchy": GOODS, "recoding": "vpa"},
        {"suppression": "items"},
    ),
    Coherence: ({"suppression": "items"}, {"plan": "all-secrets"}),
    Lkc: ({"suppression": "items"}, {"plan": "all-secrets"}),
    Disassociation: ({"cluster_size": 6}, {"refine": False}),
    Incognito: (*RECODING, *FULL_DOMAIN),
    Mondrian: (
        *RECODING,
        *DIVERSE,
        {"t_by_attribute": {"ill": "0.9"}},
        {"distance": {"job": "equal"}},
        {"beta_likeness": 2},
        {"beta_likeness": 2, "enhanced": True},
        {"delta_disclosure": 2},
        {"relaxed": True},
    ),
    RtAnonymity: (
        *RECODING,
        {"bounding": "rmerge"},
        {"bounding": "tmerge"},
        {"delta": "0.5"},
        {"suppression": "items"},
    ),
    LDiverse: (
        *RECODING,
        *FULL_DOMAIN,
        {"kind": "entropy", "l": "1.5"},
        {"kind": "recursive", "c": 3},
        {"l_by_attribute": {"job": "1"}},
        {"recoding": "mondrian"},
    ),
    NaiveTCloseness: CLOSE,
    Codip: (*CLOSE, {"alpha": "0.5"}, {"beta": "0.5"}, {"recoding": "mondrian"}),
    CodipStar: (
        *CLOSE,
        {"alpha": "0.5"},
        {"beta": "0.2"},
        {"recoding": "mondrian"},
        {"on_fail": "next"},
    ),
    Anony: ({"cluster_size": 6},),
    Anatomy: ({"cluster_size": 6},),
    Sanony: (
        {"reserve": "0.2"},
        {"settle": "counterfeits"},
        {"chains": True, "after": ()},
        {"hopeless": "grandfather"},
        {"keep": State(FIRST_YEAR.linkage_key)},
    ),
    MInvariance: ({"keep": State(FIRST_INVARIANT.linkage_key)},),
    GpAsn: (
        *MEANT,
        {"g_min": None},
        {"heuristic": "dist"},
        {"secrets": "spare"},
        {"secrets": "ncp", "hierarchy": GENRES},
        {"known": 1},
        {"known": 1, "names_first": "0.5", "hierarchy": GENRES},
        {"split": 4},
        {"rewire": "0.5"},
    ),
    TdControl: (*MEANT, {"plan": "paper"}),
    Dist: (*MEANT, {"plan": "paper"}, {"heuristic": "num"}),
    RhoM: (
        *SECRET,
        {"antecedents": "mixed"},
        {"known": 2},
        {"names_first": "0.5", "hierarchy": GENRES},
    ),
    GreedySwap: ({"degrees": "raised"}, {"degrees": "nearest"}),
    SideBySide: ({"sets": "td-control"}, {"hierarchy": GENRES}),
}
"""Publisher -> further choices, each made in its sample."""

VARIANTS = [
    (replace(PUBLISHERS[method][0], **options), PUBLISHERS[method][1])
    for method, all_options in OPTIONS.items()
    for options in all_options
]
VARIANTS += [(Incognito(k=3, m_confidentiality=2), replace(PATIENTS_WITH_SETS, set_column=None))]
"""Instances and data: every choice of every publisher, one after the other."""

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
