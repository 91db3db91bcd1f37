"""Tables with many sensitive attributes: what is published, attacked and measured."""

from discreet.core.family import (
    Answer,
    Family,
    Measure,
    OfferedAttack,
    OfferedPublisher,
    RuleBook,
    Scorer,
)
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.tables.background import Background
from discreet.tables.background_join import BackgroundJoin
from discreet.tables.codip import Codip
from discreet.tables.codip_star import CodipStar
from discreet.tables.incognito import Incognito
from discreet.tables.intersection import Intersection
from discreet.tables.l_diverse import LDiverse
from discreet.tables.measures import (
    association_loss,
    class_sizes,
    closeness_of_classes,
    column_losses,
    dependence,
    improvement,
    information_exposure,
    table_measures,
)
from discreet.tables.minimality import Minimality, Register
from discreet.tables.mondrian import Mondrian
from discreet.tables.naive_t_closeness import NaiveTCloseness
from discreet.tables.published_facts import published_facts
from discreet.tables.qids_and_items import QidsAndItems
from discreet.tables.rt_anonymity import RtAnonymity
from discreet.tables.ruling import plan_of_table_rules, rules_of_tables
from discreet.tables.scoring import score_tables
from discreet.tables.skewness import Skewness

__all__ = [
    "FAMILY",
    "Background",
    "BackgroundJoin",
    "Codip",
    "CodipStar",
    "Incognito",
    "Intersection",
    "LDiverse",
    "Minimality",
    "Mondrian",
    "NaiveTCloseness",
    "QidsAndItems",
    "Register",
    "RtAnonymity",
    "Skewness",
    "association_loss",
    "class_sizes",
    "closeness_of_classes",
    "column_losses",
    "dependence",
    "improvement",
    "information_exposure",
    "published_facts",
    "score_tables",
    "table_measures",
]

RULES = RuleBook(rules_of_tables, plan_of_table_rules)

FAMILY = Family(
    name="tables",
    title="Tables with many sensitive attributes",
    paper="Fang, Ashrafi and Ng 2011",
    contents=(ProjectedTables,),
    publishers=(
        OfferedPublisher(
            name="incognito",
            method=Incognito,
            source="LeFevre, DeWitt and Ramakrishnan, SIGMOD 2005.",
            data=Microdata,
            contents=(ProjectedTables,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="mondrian",
            method=Mondrian,
            source="LeFevre, DeWitt and Ramakrishnan, ICDE 2006.",
            data=Microdata,
            contents=(ProjectedTables,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="rt-anonymity",
            method=RtAnonymity,
            source=(
                "Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013: "
                "(k, k^m)-anonymity of a table with a set column."
            ),
            data=Microdata,
            contents=(ProjectedTables,),
        ),
        OfferedPublisher(
            name="l-diversity",
            method=LDiverse,
            source="Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam, ICDE 2006.",
            data=Microdata,
            contents=(ProjectedTables,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="naive-t-closeness",
            method=NaiveTCloseness,
            source=(
                "Fang, Ashrafi and Ng 2011, section 3.1: t-closeness of each attribute by "
                "itself, a multi-valued one as bits."
            ),
            data=Microdata,
            contents=(ProjectedTables,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="codip",
            method=Codip,
            source="Fang, Ashrafi and Ng 2011, Figure 2.",
            data=Microdata,
            contents=(ProjectedTables,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="codip-star",
            method=CodipStar,
            source="Fang, Ashrafi and Ng 2011, Figure 4, with the fixes of docs/soundness/002.md.",
            data=Microdata,
            contents=(ProjectedTables,),
            rules=RULES,
        ),
    ),
    attacks=(
        OfferedAttack(
            name="background-join",
            method=BackgroundJoin,
            source=(
                "Fang, Ashrafi and Ng 2011, Example 2: who knows a person's "
                "quasi-identifiers is left with the rows of a class; who also knows one "
                "sensitive value is left with fewer of them, and the other attributes of "
                "the same table may follow."
            ),
            contents=(ProjectedTables,),
            knowledge=Background,
            answer=Answer(
                "put attributes that tell of each other into different tables",
                "codip-star DATA --k =5 --t =0.2 --beta +0.1",
            ),
        ),
        OfferedAttack(
            name="intersection",
            method=Intersection,
            source=(
                "Wang and Fung, KDD 2006, as in section 6.1 of Fang, Ashrafi and Ng 2011: "
                "(X,Y)-linkability is the largest confidence with which values follow from "
                "quasi-identifiers."
            ),
            contents=(ProjectedTables,),
            knowledge=Background,
            answer=Answer(
                "make the classes larger, so that more people fit in every table",
                "codip-star DATA --k +10 --t =0.2",
            ),
        ),
        OfferedAttack(
            name="qids-and-items",
            method=QidsAndItems,
            source=(
                "Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013: who knows "
                "the quasi-identifiers and some items of a person may be left with one row."
            ),
            contents=(ProjectedTables,),
            knowledge=Background,
        ),
        OfferedAttack(
            name="skewness",
            method=Skewness,
            source="Li, Li and Venkatasubramanian, ICDE 2007.",
            contents=(ProjectedTables,),
            knowledge=Background,
            answer=Answer(
                "keep the values of each class closer to those of the whole table",
                "codip-star DATA --k =5 --t +0.2",
            ),
        ),
        OfferedAttack(
            name="minimality",
            method=Minimality,
            source="Wong, Fu, Wang and Pei, VLDB 2007.",
            contents=(ProjectedTables,),
            knowledge=Register,
            answer=Answer(
                "bound what follows from how the table was chosen",
                "incognito DATA --k =5 --m-confidentiality 2",
            ),
        ),
    ),
    measures=(
        Measure(
            function=table_measures, data=Microdata, contents=(ProjectedTables,), takes_key=True
        ),
    ),
    scorers=(Scorer(function=score_tables, data=Microdata, contents=(ProjectedTables,)),),
)
"""What the family offers."""
