"""Measures: plain functions from data and releases to numbers."""

from discreet.measure.behind import people_behind
from discreet.measure.breach import Breach, Rate, score, split
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
from discreet.measure.scoring import Score, one_for_each, score_histograms, score_tables
from discreet.measure.table_profile import table_profile
from discreet.measure.workload import QueryError, Workload, workload_of

__all__ = [
    "SANITY",
    "Breach",
    "CountingQueries",
    "QueryError",
    "Rate",
    "Score",
    "SupportError",
    "TopK",
    "Workload",
    "answers",
    "association_loss",
    "class_sizes",
    "closeness_of_classes",
    "dependence",
    "frequent_itemsets",
    "histogram_measures",
    "improvement",
    "information_exposure",
    "length_distance",
    "linkage_probability",
    "one_for_each",
    "paper_workload",
    "people_behind",
    "profile",
    "relative_error",
    "score",
    "score_histograms",
    "score_tables",
    "shared_items",
    "split",
    "support_error",
    "table_measures",
    "table_profile",
    "top_itemsets",
    "top_k_frequent",
    "top_k_overlap",
    "workload_of",
]
