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
    rules_changed,
)
from discreet.measure.score import one_for_each, score, score_of_people, split

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
    "one_for_each",
    "paper_workload",
    "recoding_measures",
    "relative_error",
    "rules_changed",
    "score",
    "score_of_people",
    "shared_items",
    "split",
]
