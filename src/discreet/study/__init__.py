"""Publish, verify, attack, measure: one release, or every setting of a study on all cores."""

from discreet.study.examine import Attempt, Evidence, Examination, applicable, examined
from discreet.study.judgement import Judgement, judged
from discreet.study.plan import Study
from discreet.study.price import priced_repairs
from discreet.study.repair import repairs
from discreet.study.run import studied
from discreet.study.table import front, summary

__all__ = [
    "Attempt",
    "Evidence",
    "Examination",
    "Judgement",
    "Study",
    "applicable",
    "examined",
    "front",
    "judged",
    "priced_repairs",
    "repairs",
    "studied",
    "summary",
]
