"""Releases over time: what is published, attacked and measured."""

from discreet.core.clusters import Clusters
from discreet.core.family import Answer, Family, Measure, OfferedAttack, OfferedPublisher, Scorer
from discreet.core.transactions import Transactions
from discreet.series.anatomy import Anatomy
from discreet.series.anony import Anony
from discreet.series.composition import Composition, Victim
from discreet.series.counterfeit_detection import Counterfeits, KnownRows
from discreet.series.m_invariance import MInvariance
from discreet.series.measures import AssociationError, association_error, cluster_measures
from discreet.series.sanony import Sanony
from discreet.series.scoring import score_series

__all__ = [
    "FAMILY",
    "Anatomy",
    "Anony",
    "AssociationError",
    "Composition",
    "Counterfeits",
    "KnownRows",
    "MInvariance",
    "Sanony",
    "Victim",
    "association_error",
    "cluster_measures",
    "score_series",
]

FAMILY = Family(
    name="series",
    title="Releases over time",
    paper="Bewong, Liu, Liu and Li 2019",
    contents=(Clusters,),
    publishers=(
        OfferedPublisher(
            name="anony",
            method=Anony,
            source=(
                "Bewong, Liu, Liu, Li and Choo 2017, as told by Bewong, Liu, Liu and Li "
                "2019, with the fixes of docs/soundness/003.md."
            ),
            data=Transactions,
            contents=(Clusters,),
        ),
        OfferedPublisher(
            name="sanony",
            method=Sanony,
            source="Bewong, Liu, Liu and Li 2019, with the fixes of docs/soundness/003.md.",
            data=Transactions,
            contents=(Clusters,),
        ),
        OfferedPublisher(
            name="m-invariance",
            method=MInvariance,
            source=(
                "Xiao and Tao 2007, for transactions: several private terms are one value, "
                "none is a value too."
            ),
            data=Transactions,
            contents=(Clusters,),
        ),
        OfferedPublisher(
            name="anatomy",
            method=Anatomy,
            source=(
                "Xiao and Tao 2006, for transactions with no, one or many private terms: "
                "runs of the public order grow until every term is rare enough in them."
            ),
            data=Transactions,
            contents=(Clusters,),
        ),
    ),
    attacks=(
        OfferedAttack(
            name="composition",
            method=Composition,
            source="Bewong, Liu, Liu and Li 2019.",
            contents=(Clusters,),
            knowledge=Victim,
            answer=Answer(
                "publish it so that it is safe beside the releases before it",
                "sanony DATA --r-th +2 --after EARLIER",
            ),
        ),
        OfferedAttack(
            name="counterfeits",
            method=Counterfeits,
            source="The owner's view of the counterfeits of Bewong, Liu, Liu and Li 2019.",
            contents=(Clusters,),
            knowledge=KnownRows,
        ),
    ),
    measures=(
        Measure(function=cluster_measures, data=Transactions, contents=(Clusters,), takes_key=True),
    ),
    scorers=(Scorer(function=score_series, data=Transactions, contents=(Clusters,)),),
)
"""What the family offers."""
