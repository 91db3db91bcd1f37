"""Measures: plain functions from data and releases to numbers."""

from discreet.measure.histogram import histogram_measures
from discreet.measure.items import SupportError, support_error
from discreet.measure.itemsets import top_itemsets, top_k_overlap
from discreet.measure.profile import profile
from discreet.measure.queries import (
    SANITY,
    CountingQueries,
    answers,
    paper_workload,
    relative_error,
    shared_items,
)

__all__ = [
    "SANITY",
    "CountingQueries",
    "SupportError",
    "answers",
    "histogram_measures",
    "paper_workload",
    "profile",
    "relative_error",
    "shared_items",
    "support_error",
    "top_itemsets",
    "top_k_overlap",
]
