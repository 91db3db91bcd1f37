"""Itemset counts under differential privacy: what is published, attacked and measured."""

from discreet.core.family import Answer, Family, Measure, OfferedAttack, OfferedPublisher, Scorer
from discreet.core.histogram import ItemsetHistogram
from discreet.core.release import Release
from discreet.core.synthetic_people import SyntheticPeople
from discreet.core.transactions import Transactions
from discreet.counts.apl_free import AplFree
from discreet.counts.apl_killer import AplKiller
from discreet.counts.attribute_linkage import AttributeLinkage
from discreet.counts.bounded_confidence import BoundedConfidence
from discreet.counts.diff_part import DiffPart
from discreet.counts.interactive_linkage import Guess, InteractiveLinkage
from discreet.counts.item_supports import ItemSupports
from discreet.counts.knowledge import Known
from discreet.counts.linkage_probability import linkage_probability
from discreet.counts.measures import SupportError, histogram_measures, support_error
from discreet.counts.priv_bayes import PrivBayes
from discreet.counts.probabilistic_linkage import ProbabilisticLinkage
from discreet.counts.queries.frequent_itemsets import (
    TopK,
    frequent_itemsets,
    length_distance,
    top_itemsets,
    top_k_frequent,
    top_k_overlap,
)
from discreet.counts.queries.workload import QueryError, Workload, workload_of
from discreet.counts.query_server import QueryServer
from discreet.counts.recommended import Counts
from discreet.counts.scoring import score_histograms
from discreet.counts.sparse_histogram import SparseHistogram
from discreet.counts.table_bayes import TableBayes

__all__ = [
    "FAMILY",
    "AplFree",
    "AplKiller",
    "AttributeLinkage",
    "BoundedConfidence",
    "Counts",
    "DiffPart",
    "Guess",
    "InteractiveLinkage",
    "ItemSupports",
    "Known",
    "PrivBayes",
    "ProbabilisticLinkage",
    "QueryError",
    "QueryServer",
    "SparseHistogram",
    "SupportError",
    "TableBayes",
    "TopK",
    "Workload",
    "frequent_itemsets",
    "histogram_measures",
    "length_distance",
    "linkage_probability",
    "score_histograms",
    "support_error",
    "top_itemsets",
    "top_k_frequent",
    "top_k_overlap",
    "workload_of",
]

FAMILY = Family(
    name="counts",
    title="Itemset counts under differential privacy",
    paper="Wang, Li, Lui and Sun, Computers & Security 113, 2022",
    contents=(ItemsetHistogram, SyntheticPeople),
    publishers=(
        OfferedPublisher(
            name="apl-killer",
            when=(
                "When no item may follow with certainty and you want the paper's own method; "
                "otherwise use counts."
            ),
            example=(
                (
                    "publish apl-killer baskets.csv --max-size 3 --universe items.txt --epsilon 1 "
                    "--out release"
                ),
            ),
            method=AplKiller,
            source=(
                "Wang, Li, Lui and Sun, Computers & Security 113, 2022, Algorithms 1 to 3, "
                "with the repairs of soundness note 000."
            ),
            data=Transactions,
            contents=(ItemsetHistogram,),
        ),
        OfferedPublisher(
            name="diff-part",
            when=(
                "For comparison: the method that apl-killer improves on; items may follow with "
                "certainty."
            ),
            example=(
                "publish diff-part baskets.csv --universe items.txt --epsilon 1 --out release",
            ),
            method=DiffPart,
            source=(
                "Chen, Mohammed, Fung, Desai and Xiong, PVLDB 4(11), 2011, with exact "
                "integer noise, one test for each empty partition, and a public item order."
            ),
            data=Transactions,
            contents=(ItemsetHistogram,),
        ),
        OfferedPublisher(
            name="priv-bayes",
            when="For comparison: synthetic records over up to 64 items.",
            example=(
                "publish priv-bayes baskets.csv --universe items.txt --epsilon 1 --out release",
            ),
            method=PrivBayes,
            source=(
                "Zhang, Cormode, Procopiuc, Srivastava and Xiao, TODS 42(4), 2017, for "
                "sets: an item is an attribute of value 0 or 1."
            ),
            data=Transactions,
            contents=(ItemsetHistogram,),
        ),
        OfferedPublisher(
            name="sparse-histogram",
            when=(
                "Rare sets of a large universe, with nothing to tune; items may follow with "
                "certainty."
            ),
            example=(
                (
                    "publish sparse-histogram baskets.csv --max-size 3 --universe items.txt "
                    "--epsilon 1 --out release"
                ),
            ),
            method=SparseHistogram,
            source=(
                'Cormode, Procopiuc, Srivastava and Tran, "Differentially private '
                'summaries for sparse data", ICDT 2012, with exact integer noise and a '
                "threshold for each size."
            ),
            data=Transactions,
            contents=(ItemsetHistogram,),
        ),
        OfferedPublisher(
            name="table-bayes",
            when="Up to 20 items: on nearly all data more accurate than every other method here.",
            example=(
                "publish table-bayes baskets.csv --universe items.txt --epsilon 1 --out release",
            ),
            method=TableBayes,
            source="Ours: noisy tables and a log-linear model (soundness note on table-bayes).",
            data=Transactions,
            contents=(ItemsetHistogram, SyntheticPeople),
        ),
        OfferedPublisher(
            name="item-supports",
            when=(
                "More than 20 items: how many people hold each item and, with --pairs, each "
                "frequent pair."
            ),
            example=(
                (
                    "publish item-supports baskets.csv --universe items.txt --epsilon 1 --out "
                    "release"
                ),
            ),
            method=ItemSupports,
            source="Ours: noisy supports and a prior of them (soundness note on item-supports).",
            data=Transactions,
            contents=(ItemsetHistogram,),
        ),
        OfferedPublisher(
            name="counts",
            when=(
                "The first choice for counts: picks the method that suits the number of items, "
                "epsilon and records."
            ),
            example=("publish counts baskets.csv --universe items.txt --epsilon 1 --out release",),
            method=Counts,
            source="Ours: chooses a method of this family by public facts alone.",
            data=Transactions,
            contents=(ItemsetHistogram, SyntheticPeople),
        ),
        OfferedPublisher(
            name="bounded-confidence",
            when=(
                "After a release of counts: no item may follow with a confidence above tau; "
                "costs no budget."
            ),
            example=(
                "publish diff-part baskets.csv --universe items.txt --epsilon 1 --out release",
                "publish bounded-confidence release --tau 0.9 --known 2 --out bounded",
            ),
            method=BoundedConfidence,
            source="Ours, for the open problem of Wang, Li, Lui and Sun 2022, section 7.",
            data=Release,
            contents=(ItemsetHistogram, SyntheticPeople),
        ),
        OfferedPublisher(
            name="apl-free",
            when="After a release of counts: no item may follow with certainty; costs no budget.",
            example=(
                "publish diff-part baskets.csv --universe items.txt --epsilon 1 --out release",
                "publish apl-free release --out repaired",
            ),
            method=AplFree,
            source=(
                "The repair of Wang, Li, Lui and Sun, Computers & Security 113, 2022, as a "
                "step of its own after any method."
            ),
            data=Release,
            contents=(ItemsetHistogram, SyntheticPeople),
        ),
    ),
    attacks=(
        OfferedAttack(
            name="attribute-linkage",
            when="Releases of counts: what follows with certainty from known items.",
            tried_on="diff-part",
            example="attack attribute-linkage release --truth baskets.csv",
            method=AttributeLinkage,
            source="Wang, Li, Lui and Sun 2022, sections 2.3 and 4.",
            contents=(ItemsetHistogram, SyntheticPeople),
            knowledge=Known,
            answer=Answer(
                "publish further itemsets as well, so that nothing follows with certainty",
                "apl-free RELEASE",
            ),
        ),
        OfferedAttack(
            name="probabilistic-linkage",
            when="Releases of counts: what follows with high probability.",
            tried_on="counts",
            example="attack probabilistic-linkage release --truth baskets.csv",
            method=ProbabilisticLinkage,
            source="The open problem of Wang, Li, Lui and Sun 2022, section 7.",
            contents=(ItemsetHistogram, SyntheticPeople),
            knowledge=Known,
            answer=Answer(
                "bound the confidence with which an item may follow; this costs no budget, and "
                "some precision",
                "bounded-confidence RELEASE --tau 0.9 --known 2",
            ),
        ),
    ),
    measures=(
        Measure(
            function=histogram_measures,
            data=Transactions,
            contents=(ItemsetHistogram, SyntheticPeople),
            by_folded=True,
        ),
    ),
    scorers=(
        Scorer(
            function=score_histograms,
            data=Transactions,
            contents=(ItemsetHistogram, SyntheticPeople),
            takes_control=True,
        ),
    ),
)
"""What the family offers."""
