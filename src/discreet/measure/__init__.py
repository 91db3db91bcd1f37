"""Measures: plain functions from data and releases to numbers."""

from discreet.measure.behind import people_behind
from discreet.measure.breach import Breach, Gain, Rate, score, split
from discreet.measure.clusters import AssociationError, association_error, cluster_measures
from discreet.measure.found import Found, score_with_friends, score_with_items
from discreet.measure.generalised import (
    certainty_penalty,
    density,
    generalised_queries,
    item_distortion,
    utility_loss,
)
from discreet.measure.graph import (
    PathLength,
    average_path_length,
    clustering,
    community_jaccard,
    degree_distance,
    edges_changed,
    graph_measures,
    network_measures,
    sets_network_measures,
)
from discreet.measure.histogram import histogram_measures
from discreet.measure.information import (
    association_loss,
    class_sizes,
    closeness_of_classes,
    dependence,
    improvement,
    information_exposure,
    table_measures,
)
from discreet.measure.items import SupportError, support_error
from discreet.measure.itemsets import (
    TopK,
    frequent_itemsets,
    length_distance,
    top_itemsets,
    top_k_frequent,
    top_k_overlap,
)
from discreet.measure.linkage import linkage_probability
from discreet.measure.profile import profile
from discreet.measure.queries import (
    SANITY,
    CountingQueries,
    answers,
    paper_workload,
    relative_error,
    shared_items,
)
from discreet.measure.recoding import (
    Losses,
    Recoded,
    association_rules,
    divergences,
    losses,
    recoding_measures,
    rules_changed,
)
from discreet.measure.scoring import Score, one_for_each, score_histograms, score_tables
from discreet.measure.serial import SerialBreach, score_series
from discreet.measure.table_profile import table_profile
from discreet.measure.uncovered import Candidates, Uncovered, score_generalised, uncovered
from discreet.measure.workload import QueryError, Workload, workload_of

__all__ = [
    "SANITY",
    "AssociationError",
    "Breach",
    "Candidates",
    "CountingQueries",
    "Found",
    "Gain",
    "Losses",
    "PathLength",
    "QueryError",
    "Rate",
    "Recoded",
    "Score",
    "SerialBreach",
    "SupportError",
    "TopK",
    "Uncovered",
    "Workload",
    "answers",
    "association_error",
    "association_loss",
    "association_rules",
    "average_path_length",
    "certainty_penalty",
    "class_sizes",
    "closeness_of_classes",
    "cluster_measures",
    "clustering",
    "community_jaccard",
    "degree_distance",
    "density",
    "dependence",
    "divergences",
    "edges_changed",
    "frequent_itemsets",
    "generalised_queries",
    "graph_measures",
    "histogram_measures",
    "improvement",
    "information_exposure",
    "item_distortion",
    "length_distance",
    "linkage_probability",
    "losses",
    "network_measures",
    "one_for_each",
    "paper_workload",
    "people_behind",
    "profile",
    "recoding_measures",
    "relative_error",
    "rules_changed",
    "score",
    "score_generalised",
    "score_histograms",
    "score_series",
    "score_tables",
    "score_with_friends",
    "score_with_items",
    "sets_network_measures",
    "shared_items",
    "split",
    "support_error",
    "table_measures",
    "table_profile",
    "top_itemsets",
    "top_k_frequent",
    "top_k_overlap",
    "uncovered",
    "utility_loss",
    "workload_of",
]
