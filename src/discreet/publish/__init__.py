"""Ways to publish: one file per method, named as in its paper."""

from typing import Any

from discreet.publish.apl_free import AplFree
from discreet.publish.apl_killer import AplKiller
from discreet.publish.codip import Codip
from discreet.publish.codip_star import CodipStar
from discreet.publish.contract import Publisher
from discreet.publish.diff_part import DiffPart
from discreet.publish.incognito import Incognito
from discreet.publish.naive_t_closeness import NaiveTCloseness
from discreet.publish.priv_bayes import PrivBayes
from discreet.publish.query_server import QueryServer
from discreet.publish.sparse_histogram import SparseHistogram

__all__ = [
    "PUBLISHERS",
    "AplFree",
    "AplKiller",
    "Codip",
    "CodipStar",
    "DiffPart",
    "Incognito",
    "NaiveTCloseness",
    "PrivBayes",
    "Publisher",
    "QueryServer",
    "SparseHistogram",
]

PUBLISHERS: tuple[type[Publisher[Any]], ...] = (
    AplKiller,
    DiffPart,
    PrivBayes,
    SparseHistogram,
    AplFree,
    Incognito,
    NaiveTCloseness,
    Codip,
    CodipStar,
)
"""Every method on offer."""
