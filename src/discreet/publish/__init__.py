"""Ways to publish: one file per method, named as in its paper."""

from typing import Any

from discreet.publish.anatomy import Anatomy
from discreet.publish.anony import Anony
from discreet.publish.apl_free import AplFree
from discreet.publish.apl_killer import AplKiller
from discreet.publish.coat import Coat
from discreet.publish.codip import Codip
from discreet.publish.codip_star import CodipStar
from discreet.publish.contract import Publisher
from discreet.publish.diff_part import DiffPart
from discreet.publish.dist import Dist
from discreet.publish.gp_asn import GpAsn
from discreet.publish.greedy_swap import GreedySwap
from discreet.publish.incognito import Incognito
from discreet.publish.km import Km
from discreet.publish.m_invariance import MInvariance
from discreet.publish.naive_t_closeness import NaiveTCloseness
from discreet.publish.pcta import Pcta
from discreet.publish.priv_bayes import PrivBayes
from discreet.publish.query_server import QueryServer
from discreet.publish.sanony import Sanony
from discreet.publish.side_by_side import SideBySide
from discreet.publish.sparse_histogram import SparseHistogram
from discreet.publish.td_control import TdControl

__all__ = [
    "PUBLISHERS",
    "Anatomy",
    "Anony",
    "AplFree",
    "AplKiller",
    "Coat",
    "Codip",
    "CodipStar",
    "DiffPart",
    "Dist",
    "GpAsn",
    "GreedySwap",
    "Incognito",
    "Km",
    "MInvariance",
    "NaiveTCloseness",
    "Pcta",
    "PrivBayes",
    "Publisher",
    "QueryServer",
    "Sanony",
    "SideBySide",
    "SparseHistogram",
    "TdControl",
]

PUBLISHERS: tuple[type[Publisher[Any]], ...] = (
    AplKiller,
    DiffPart,
    PrivBayes,
    SparseHistogram,
    AplFree,
    Coat,
    Pcta,
    Km,
    Incognito,
    NaiveTCloseness,
    Codip,
    CodipStar,
    GpAsn,
    TdControl,
    Dist,
    GreedySwap,
    SideBySide,
    Anony,
    Sanony,
    MInvariance,
    Anatomy,
)
"""Every method on offer."""
