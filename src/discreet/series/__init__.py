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
            when="A single release that will not be followed by another.",
            example=(
                (
                    "publish anony baskets.csv --sensitive private.txt --r-th 8 --out release "
                    "--keep key"
                ),
            ),
            method=Anony,
            source=(
                "Bewong, Liu, Liu, Li and Choo 2017, as described by Bewong, Liu, Liu and Li "
                "2019, with the fixes of soundness note 003."
            ),
            data=Transactions,
            contents=(Clusters,),
        ),
        OfferedPublisher(
            name="sanony",
            when="The first choice when the same people are published again and again.",
            example=(
                (
                    "publish sanony baskets.csv --sensitive private.txt --r-th 8 --out first "
                    "--keep key"
                ),
                (
                    "publish sanony next-year.csv --sensitive private.txt --r-th 8 --after first "
                    "--out release --keep key"
                ),
            ),
            method=Sanony,
            source="Bewong, Liu, Liu and Li 2019, with the fixes of soundness note 003.",
            data=Transactions,
            contents=(Clusters,),
        ),
        OfferedPublisher(
            name="m-invariance",
            when=("For comparison: fewer counterfeits than sanony, but many people are postponed."),
            example=(
                (
                    "publish m-invariance baskets.csv --sensitive private.txt --m 2 --out release "
                    "--keep state"
                ),
            ),
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
            when=(
                "For comparison: one release in clusters, with no bound relative to the population."
            ),
            example=(
                (
                    "publish anatomy baskets.csv --sensitive private.txt --l 2 --out release "
                    "--keep key"
                ),
            ),
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
            when="Several releases over time: what they reveal together.",
            tried_on="sanony",
            example="attack composition first release",
            method=Composition,
            source="Bewong, Liu, Liu and Li 2019.",
            contents=(Clusters,),
            knowledge=Victim,
            answer=Answer(
                "publish it so that it is safe together with earlier releases",
                "sanony DATA --r-th +2 --after EARLIER",
            ),
        ),
        OfferedAttack(
            name="counterfeits",
            when="Releases with counterfeits: whether they can be distinguished from real people.",
            tried_on="sanony",
            example="attack counterfeits first release --rows key",
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
