"""What two or more families measure alike: queries, penalties, one score with its interval."""

from discreet.core.score import Advantage, Rate, Score
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
)
from discreet.measure.score import score, split

__all__ = [
    "SANITY",
    "Advantage",
    "CountingQueries",
    "Losses",
    "Rate",
    "Recoded",
    "Score",
    "answers",
    "association_rules",
    "divergences",
    "losses",
    "paper_workload",
    "recoding_measures",
    "relative_error",
    "score",
    "shared_items",
    "split",
]
