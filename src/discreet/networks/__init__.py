"""Sets joined to a social network: what is published, attacked and measured."""

from discreet.core.family import Answer, Family, Measure, OfferedAttack, OfferedPublisher, Scorer
from discreet.core.graph import Network
from discreet.core.network import SocialNetwork
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions
from discreet.measure.recoding import recoding_measures
from discreet.networks.dist import Dist
from discreet.networks.gp_asn import GpAsn
from discreet.networks.greedy_swap import GreedySwap
from discreet.networks.kept_by_known import kept_by_known
from discreet.networks.linking.acquaintance import Acquainted
from discreet.networks.measures import (
    PathLength,
    average_path_length,
    clustering,
    community_jaccard,
    degree_distance,
    edges_changed,
    network_measures,
    sets_network_measures,
)
from discreet.networks.neighbourhood import Circle, Neighbourhood
from discreet.networks.propagation import Placed, Propagation
from discreet.networks.rho_m import RhoM
from discreet.networks.scoring import score_with_edges, score_with_friends, score_with_items
from discreet.networks.sets_and_degree import SetsAndDegree
from discreet.networks.side_by_side import SideBySide
from discreet.networks.td_control import TdControl

__all__ = [
    "FAMILY",
    "Acquainted",
    "Circle",
    "Dist",
    "GpAsn",
    "GreedySwap",
    "Neighbourhood",
    "PathLength",
    "Placed",
    "Propagation",
    "RhoM",
    "SetsAndDegree",
    "SideBySide",
    "TdControl",
    "average_path_length",
    "clustering",
    "community_jaccard",
    "degree_distance",
    "edges_changed",
    "kept_by_known",
    "network_measures",
    "score_with_edges",
    "score_with_friends",
    "score_with_items",
    "sets_network_measures",
]

FAMILY = Family(
    name="networks",
    title="Sets joined to a social network",
    paper="Wang, Lin, Bai, Chang, Li and Liu 2020",
    contents=(SetsWithNetwork, Transactions, Network),
    publishers=(
        OfferedPublisher(
            name="gp-asn",
            when=(
                "The first choice for sets with friendships; add --known if others know few items."
            ),
            example=(
                (
                    "publish gp-asn baskets.csv --edges friends.csv --sensitive private.txt --rho "
                    "0.5 --hierarchy products.csv --known 2 --out release --keep key"
                ),
            ),
            method=GpAsn,
            source=(
                "Wang, Lin, Bai, Chang, Li and Liu 2020, with the fixes of soundness note 004."
            ),
            data=SocialNetwork,
            contents=(SetsWithNetwork,),
        ),
        OfferedPublisher(
            name="td-control",
            when="For comparison: sets alone, against any knowledge, by suppressing whole items.",
            example=(
                (
                    "publish td-control baskets.csv --sensitive private.txt --rho 0.5 --hierarchy "
                    "products.csv --out release --keep key"
                ),
            ),
            method=TdControl,
            source=(
                "Cao, Karras, Raissi and Tan 2010, as reconstructed in "
                "soundness note 004: from the top of the hierarchy the step down that "
                "loses least is taken as long as the loss falls; at each cut whole items "
                "are suppressed until no sensitive item follows with too high a confidence."
            ),
            data=Transactions,
            contents=(Transactions,),
        ),
        OfferedPublisher(
            name="dist",
            when=(
                "For comparison: sets alone, against any knowledge, by deleting single occurrences."
            ),
            example=(
                (
                    "publish dist baskets.csv --sensitive private.txt --rho 0.5 --out release "
                    "--keep key"
                ),
            ),
            method=Dist,
            source=(
                "Jia, Pan, Xu, Zhu and Lo 2014, partial suppression, as reconstructed in "
                "soundness note 004."
            ),
            data=Transactions,
            contents=(Transactions,),
        ),
        OfferedPublisher(
            name="rho-m",
            when=(
                "The first choice for sets alone with sensitive items, when others know few items."
            ),
            example=(
                (
                    "publish rho-m baskets.csv --sensitive private.txt --rho 0.5 --known 2 --out "
                    "release --keep key"
                ),
            ),
            method=RhoM,
            source=(
                "The second half of (h,k,p)-coherence, Xu, Wang, Fu and Yu 2008, by single "
                "occurrences (soundness note 004)."
            ),
            data=Transactions,
            contents=(Transactions,),
        ),
        OfferedPublisher(
            name="greedy-swap",
            when="Friendships alone, when others may know how many friends a person has.",
            example=("publish greedy-swap friends.csv --k 5 --out release --keep key",),
            method=GreedySwap,
            source="Liu and Terzi 2008, Greedy_Swap.",
            data=Network,
            contents=(Network,),
        ),
        OfferedPublisher(
            name="side-by-side",
            when="For study only: what happens when sets and friendships are protected separately.",
            example=(
                (
                    "publish side-by-side baskets.csv --edges friends.csv --sensitive private.txt "
                    "--rho 0.5 --k 5 --out release --keep key"
                ),
            ),
            method=SideBySide,
            source=(
                "Wang, Lin, Bai, Chang, Li and Liu 2020, Example 1: what is done where "
                "nobody thinks of the two together."
            ),
            data=SocialNetwork,
            contents=(SetsWithNetwork,),
        ),
    ),
    attacks=(
        OfferedAttack(
            name="sets-and-degree",
            when=(
                "Sets and friendships: an attacker who knows an item and how many friends a "
                "person has."
            ),
            tried_on="gp-asn",
            example=(
                "attack sets-and-degree release --truth baskets.csv --edges friends.csv --key key"
            ),
            method=SetsAndDegree,
            source=(
                "Wang, Lin, Bai, Chang, Li and Liu 2020, Example 1: sets and graph of the "
                "same people, each anonymised by itself, together leave few who hold a "
                "known item and have so many friends."
            ),
            contents=(SetsWithNetwork, Transactions, Network),
            knowledge=Acquainted,
            answer=Answer(
                ("protect sets and friendships in the same groups"), "gp-asn DATA --rho =0.5"
            ),
        ),
        OfferedAttack(
            name="neighbourhood",
            when="Friendships: an attacker who knows how many friends a person's friends have.",
            tried_on="greedy-swap",
            example=(
                "attack neighbourhood release --truth baskets.csv --edges friends.csv --key key"
            ),
            method=Neighbourhood,
            source=(
                "Zhou and Pei 2008, of neighbourhoods, here of the degrees in it; Wang, "
                "Lin, Bai, Chang, Li and Liu 2020 promise nothing against it."
            ),
            contents=(SetsWithNetwork, Network),
            knowledge=Circle,
            answer=Answer(
                "move a share of the friendships within their groups",
                "gp-asn DATA --rho =0.5 --rewire +0.5",
            ),
        ),
        OfferedAttack(
            name="propagation",
            when=("Sets with friendships: from a few known people to their friends, and onwards."),
            tried_on="gp-asn",
            example=(
                "attack propagation release --seeds 20 --truth baskets.csv --edges "
                "friends.csv --key key"
            ),
            method=Propagation,
            source="Narayanan and Shmatikov 2009, de-anonymizing social networks.",
            contents=(SetsWithNetwork,),
            owner=Placed.by_owner,
            answer=Answer(
                "move a share of the friendships within their groups, or leave the friendships out",
                "gp-asn DATA --rho =0.5 --rewire +0.5",
            ),
        ),
    ),
    measures=(
        Measure(function=network_measures, data=Network, contents=(Network,), takes_key=True),
        Measure(
            function=recoding_measures, data=Transactions, contents=(Transactions,), takes_key=True
        ),
        Measure(function=kept_by_known, data=Transactions, contents=(Transactions,)),
        Measure(
            function=sets_network_measures,
            data=SocialNetwork,
            contents=(SetsWithNetwork,),
            takes_key=True,
        ),
    ),
    scorers=(
        Scorer(function=score_with_items, data=Transactions, contents=(Transactions,)),
        Scorer(function=score_with_edges, data=Network, contents=(Network,)),
        Scorer(
            function=score_with_friends,
            data=SocialNetwork,
            contents=(SetsWithNetwork, Transactions, Network),
        ),
    ),
)
"""What the family offers."""
