"""Set-generalised transactions: what is published, attacked and measured."""

from typing import get_args

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
from discreet.generalised.coat import Coat
from discreet.generalised.coherence import Coherence, Lkc
from discreet.generalised.cover import Cover, Member
from discreet.generalised.disassociation import Disassociation
from discreet.generalised.elimination import Method
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
from discreet.generalised.reassembling import possible_original
from discreet.generalised.ruling import plan_of_rules, rules_of_sets
from discreet.generalised.scoring import score_generalised
from discreet.generalised.semantic import Meaning, Prior, Semantic
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
            method=Coat,
            source=(
                "Loukides, Gkoulalas-Divanis and Malin 2011, with the fixes of "
                "docs/soundness/001.md."
            ),
            data=Transactions,
            contents=(GeneralisedSets,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="pcta",
            method=Pcta,
            source=(
                "Loukides, Gkoulalas-Divanis and Shao 2013, with the fixes of "
                "docs/soundness/001.md."
            ),
            data=Transactions,
            contents=(GeneralisedSets,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="km-anonymity",
            method=Km,
            source="Terrovitis, Mamoulis and Kalnis 2008.",
            data=Transactions,
            contents=(GeneralisedSets, Transactions),
            rules=RULES,
        ),
        OfferedPublisher(
            name="coherence",
            method=Coherence,
            source="Xu, Wang, Fu and Yu 2008, by suppression of items everywhere.",
            data=Transactions,
            contents=(Transactions,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="lkc",
            method=Lkc,
            source="Mohammed, Fung, Hung and Lee 2009, by suppression of items everywhere.",
            data=Transactions,
            contents=(Transactions,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="disassociation",
            method=Disassociation,
            source=(
                "Terrovitis, Liagouris, Mamoulis and Skiadopoulos 2012; see "
                "docs/soundness/disassociation.md."
            ),
            data=Transactions,
            contents=(Disassociated,),
        ),
    ),
    attacks=(
        OfferedAttack(
            name="semantic",
            method=Semantic,
            source=(
                "Shao and Ong 2017 (gba, rba), Ong and Shao 2014 (ra, mda, tba, wba), with "
                "the fixes of docs/soundness/001.md."
            ),
            contents=(GeneralisedSets,),
            knowledge=Meaning,
            informed=counted_in,
            answer=Answer(
                "leave rare items out instead of merging them: nothing is left to read out",
                "km-anonymity DATA --k =5 --m =2 --suppression occurrences",
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
            method=Frequency,
            source="The base rate as an attack: the commonest member of a generalised item.",
            contents=(GeneralisedSets, Transactions),
            knowledge=Common,
            informed=counted_in,
            answer=Answer(
                "leave rare items out instead of merging them: nothing is left to guess",
                "km-anonymity DATA --k =5 --m =2 --suppression occurrences",
            ),
        ),
        OfferedAttack(
            name="singling-out",
            method=SinglingOut,
            source="Article 29 Data Protection Working Party 2014, for sets.",
            contents=(GeneralisedSets, Transactions),
            knowledge=Anything,
            answer=Answer(
                "protect also against whoever knows one item more",
                "km-anonymity DATA --k =5 --m +3",
            ),
        ),
        OfferedAttack(
            name="cover",
            method=Cover,
            source="Barakat, Al Bouna, Nassar and Guyeux 2016, by pigeonholes.",
            contents=(Disassociated,),
            knowledge=Member,
            answer=Answer(
                "move items that others give away among those without a number",
                "disassociation DATA --k =5 --m =2 --cover 0.5",
            ),
        ),
    ),
    measures=(
        Measure(
            function=certainty_penalty,
            data=Transactions,
            contents=(Transactions, GeneralisedSets),
            takes_key=True,
        ),
        Measure(
            function=eliminated_members,
            data=Transactions,
            contents=(GeneralisedSets,),
            takes_key=True,
        ),
        Measure(function=density, data=Transactions, contents=(GeneralisedSets,), takes_key=True),
        Measure(
            function=generalised_queries,
            data=Transactions,
            contents=(Transactions, GeneralisedSets),
        ),
        Measure(
            function=item_distortion, data=Transactions, contents=(Transactions, GeneralisedSets)
        ),
        Measure(function=pairs_kept, data=Transactions, contents=(Disassociated,)),
        Measure(
            function=utility_loss, data=Transactions, contents=(GeneralisedSets,), takes_key=True
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
            contents=(GeneralisedSets, Transactions),
            attacks=("singling-out",),
        ),
        Scorer(function=score_covered, data=Transactions, contents=(Disassociated,)),
    ),
)
"""What the family offers."""
