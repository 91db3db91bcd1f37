"""Set-generalised transactions: what is published, attacked and measured."""

from typing import get_args

from discreet.core.clusters import Clusters
from discreet.core.disassociated import Disassociated
from discreet.core.family import (
    Answer,
    Family,
    Measure,
    OfferedAttack,
    OfferedPublisher,
    RuleBook,
    Scorer,
)
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.transactions import Transactions
from discreet.generalised.chunks.reassembling import possible_original
from discreet.generalised.coat import Coat
from discreet.generalised.coherence import Coherence, Lkc
from discreet.generalised.cover import Cover, Member
from discreet.generalised.disassociation import Disassociation
from discreet.generalised.elimination.rules import Method
from discreet.generalised.frequency import Common, Frequency, ItemFrequencies, counted_in
from discreet.generalised.guesses import score_commonest, score_covered, score_singled_out
from discreet.generalised.km import Km
from discreet.generalised.measures import (
    certainty_penalty,
    density,
    generalised_queries,
    item_distortion,
    utility_loss,
)
from discreet.generalised.member_guessing import eliminated_members
from discreet.generalised.pair_measures import pairs_kept
from discreet.generalised.pcta import Pcta
from discreet.generalised.ruling import plan_of_rules, rules_of_sets
from discreet.generalised.scoring import score_generalised
from discreet.generalised.semantic import Meaning, Prior, Semantic, WordKnowledge
from discreet.generalised.singling_out import Anything, SinglingOut

__all__ = [
    "FAMILY",
    "Anything",
    "Coat",
    "Coherence",
    "Common",
    "Cover",
    "Disassociation",
    "Frequency",
    "ItemFrequencies",
    "Km",
    "Lkc",
    "Meaning",
    "Member",
    "Pcta",
    "Semantic",
    "SinglingOut",
    "WordKnowledge",
    "certainty_penalty",
    "density",
    "eliminated_members",
    "generalised_queries",
    "item_distortion",
    "pairs_kept",
    "possible_original",
    "score_commonest",
    "score_covered",
    "score_generalised",
    "score_singled_out",
    "utility_loss",
]

RULES = RuleBook(rules_of_sets, plan_of_rules)

FAMILY = Family(
    name="generalised",
    title="Set-generalised transactions",
    paper="Shao and Ong 2017",
    contents=(GeneralisedSets, Transactions, Disassociated),
    publishers=(
        OfferedPublisher(
            name="coat",
            when="You can list the itemsets to protect, and which items may be merged.",
            example=(
                (
                    "publish coat baskets.csv --k 50 --privacy protected.txt --out release "
                    "--keep key"
                ),
            ),
            method=Coat,
            source=(
                "Loukides, Gkoulalas-Divanis and Malin 2011, with the fixes of soundness note 001."
            ),
            data=Transactions,
            contents=(GeneralisedSets,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="pcta",
            when=(
                "As coat, but always takes the cheapest merge over all itemsets that are too rare."
            ),
            example=(
                (
                    "publish pcta baskets.csv --k 50 --privacy protected.txt --out release "
                    "--keep key"
                ),
            ),
            method=Pcta,
            source=(
                "Loukides, Gkoulalas-Divanis and Shao 2013, with the fixes of soundness note 001."
            ),
            data=Transactions,
            contents=(GeneralisedSets,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="km-anonymity",
            when="The first choice for rows of items where nothing is declared sensitive.",
            example=("publish km-anonymity baskets.csv --k 5 --m 2 --out release --keep key",),
            method=Km,
            source="Terrovitis, Mamoulis and Kalnis 2008.",
            data=Transactions,
            quick=True,
            contents=(GeneralisedSets, Transactions),
            rules=RULES,
        ),
        OfferedPublisher(
            name="coherence",
            when=(
                "Some items are sensitive, are published, and must not follow from a few of the "
                "others."
            ),
            example=(
                (
                    "publish coherence baskets.csv --sensitive private.txt --h 0.5 --k 5 --p 2 "
                    "--out release --keep key"
                ),
            ),
            method=Coherence,
            source="Xu, Wang, Fu and Yu 2008, by suppression.",
            data=Transactions,
            contents=(Transactions,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="lkc",
            when="The same promise as coherence, under its other name.",
            example=(
                (
                    "publish lkc baskets.csv --sensitive private.txt --l 2 --k 5 --c 0.5 --out "
                    "release --keep key"
                ),
            ),
            method=Lkc,
            source="Mohammed, Fung, Hung and Lee 2009, by suppression.",
            data=Transactions,
            contents=(Transactions,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="disassociation",
            when=(
                "Every item must keep its own name; which items belong together is hidden instead."
            ),
            example=("publish disassociation baskets.csv --k 5 --m 2 --out release --keep key",),
            method=Disassociation,
            source=(
                "Terrovitis, Liagouris, Mamoulis and Skiadopoulos 2012; see "
                "the soundness note on disassociation."
            ),
            data=Transactions,
            contents=(Disassociated,),
            no_rules="which items of a person stay together depends on the others in the cluster",
        ),
    ),
    attacks=(
        OfferedAttack(
            name="semantic",
            when="Releases with generalised items: which item the rest of the record suggests.",
            tried_on="coat",
            example="attack semantic release --corpus texts.txt --truth baskets.csv --key key",
            method=Semantic,
            source=(
                "Shao and Ong 2017 (gba, rba), Ong and Shao 2014 (ra, mda, tba, wba), with "
                "the fixes of soundness note 001."
            ),
            contents=(GeneralisedSets,),
            knowledge=Meaning,
            informed=counted_in,
            answer=Answer(
                "suppress rare items instead of merging them, so that nothing is left to read "
                "between the lines",
                "km-anonymity DATA --k =5 --m =2 --suppression occurrences",
                "coherence DATA --h =0.5 --k =5 --p =2",
            ),
            variants=tuple(
                {"eliminate": how, "prior": prior}
                for prior in get_args(Prior)
                for how in get_args(Method)
                # a coin is what the others are compared with
                if how != "ra"
            ),
        ),
        OfferedAttack(
            name="frequency",
            when="Releases with generalised items: guesses the most common item.",
            tried_on="coat",
            example=(
                "attack frequency release --frequencies frequencies.csv "
                "--truth baskets.csv --key key"
            ),
            method=Frequency,
            source="The base rate as an attack: the commonest member of a generalised item.",
            contents=(GeneralisedSets, Transactions),
            knowledge=Common,
            informed=counted_in,
            answer=Answer(
                "suppress rare items instead of merging them, so that nothing is left to guess",
                "km-anonymity DATA --k =5 --m =2 --suppression occurrences",
                "coherence DATA --h =0.5 --k =5 --p =2",
            ),
        ),
        OfferedAttack(
            name="singling-out",
            when="Releases of sets: who is unique by a few known items.",
            tried_on="km-anonymity",
            example="attack singling-out release --known 1,2,3 --truth baskets.csv --key key",
            method=SinglingOut,
            source="Article 29 Data Protection Working Party 2014, for sets.",
            contents=(GeneralisedSets, Transactions, Clusters),
            knowledge=Anything,
            answer=Answer(
                "protect also against anyone who knows one item more",
                "km-anonymity DATA --k =5 --m +3",
                "coherence DATA --h =0.5 --k =5 --p +3",
            ),
        ),
        OfferedAttack(
            name="cover",
            when="Disassociated releases: where one item reveals another.",
            tried_on="disassociation",
            example="attack cover release --truth baskets.csv --key key",
            method=Cover,
            source="Barakat, Al Bouna, Nassar and Guyeux 2016, by pigeonholes.",
            contents=(Disassociated,),
            knowledge=Member,
            answer=Answer(
                "move items that others reveal to the terms, which have no counts, in clusters "
                "so large that they say little of one person",
                "disassociation DATA --k =5 --m =2 --cover 0.5 --cluster-size +1000",
            ),
            variants=({"originals": "all"}, {"originals": "most", "confidence": "0.5"}),
        ),
    ),
    measures=(
        Measure(
            function=certainty_penalty,
            data=Transactions,
            contents=(Transactions, GeneralisedSets),
            takes_key=True,
            by_folded=True,
        ),
        Measure(
            function=eliminated_members,
            data=Transactions,
            contents=(GeneralisedSets,),
            takes_key=True,
            knowledge=WordKnowledge,
        ),
        Measure(
            function=density,
            data=Transactions,
            contents=(GeneralisedSets,),
            takes_key=True,
            by_folded=True,
        ),
        Measure(
            function=generalised_queries,
            data=Transactions,
            contents=(Transactions, GeneralisedSets),
            by_folded=True,
        ),
        Measure(
            function=item_distortion,
            data=Transactions,
            contents=(Transactions, GeneralisedSets),
            by_folded=True,
        ),
        Measure(function=pairs_kept, data=Transactions, contents=(Disassociated,)),
        Measure(
            function=utility_loss,
            data=Transactions,
            contents=(GeneralisedSets,),
            takes_key=True,
            by_folded=True,
        ),
    ),
    scorers=(
        Scorer(function=score_generalised, data=Transactions, contents=(GeneralisedSets,)),
        Scorer(
            function=score_commonest,
            data=Transactions,
            contents=(GeneralisedSets, Transactions),
            attacks=("frequency",),
        ),
        Scorer(
            function=score_singled_out,
            data=Transactions,
            contents=(GeneralisedSets, Transactions, Clusters),
            attacks=("singling-out",),
        ),
        Scorer(function=score_covered, data=Transactions, contents=(Disassociated,)),
    ),
)
"""What the family offers."""
