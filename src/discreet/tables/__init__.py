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
    closeness_of_classes,
    column_losses,
    dependence,
    improvement,
    information_exposure,
    table_measures,
)
from discreet.tables.minimality import Minimality, Register, register_of
from discreet.tables.mondrian import Mondrian
from discreet.tables.naive_t_closeness import NaiveTCloseness
from discreet.tables.published.facts import published_facts
from discreet.tables.qids_and_items import QidsAndItems
from discreet.tables.rt_anonymity import RtAnonymity
from discreet.tables.ruling import plan_of_table_rules, rules_of_tables
from discreet.tables.scoring import score_tables
from discreet.tables.set_ruling import unsaid
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
            when=(
                "One k-anonymous table in which each column is generalised to the same level "
                "everywhere."
            ),
            example=(
                (
                    "publish incognito patients.csv --qid age,sex,town --sensitive-attributes job "
                    "--k 5 --hierarchy age=age.csv --out release --keep key"
                ),
            ),
            method=Incognito,
            source="LeFevre, DeWitt and Ramakrishnan, SIGMOD 2005.",
            data=Microdata,
            quick=True,
            contents=(ProjectedTables,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="mondrian",
            when=(
                "The first choice for one table: generalises class by class, which keeps far "
                "more than incognito."
            ),
            example=(
                (
                    "publish mondrian patients.csv --qid age,sex,town --sensitive-attributes job "
                    "--k 5 --out release --keep key"
                ),
            ),
            method=Mondrian,
            source="LeFevre, DeWitt and Ramakrishnan, ICDE 2006.",
            data=Microdata,
            quick=True,
            contents=(ProjectedTables,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="rt-anonymity",
            when="A table with a set column, of which others may know some items.",
            example=(
                (
                    "publish rt-anonymity patients.csv --qid age,sex --set-column diagnoses "
                    "--sensitive-attributes job --k 5 --m 2 --out release --keep key"
                ),
            ),
            method=RtAnonymity,
            source=(
                "Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013: "
                "(k, k^m)-anonymity of a table with a set column."
            ),
            data=Microdata,
            contents=(ProjectedTables,),
            rules=RuleBook(*RULES[:2], unsaid),
        ),
        OfferedPublisher(
            name="l-diversity",
            when=(
                "Every class must have several sensitive values; does not bound how likely one "
                "of them is."
            ),
            example=(
                (
                    "publish l-diversity patients.csv --qid age,sex,town --sensitive-attributes "
                    "job --k 5 --l 2 --hierarchy age=age.csv --out release --keep key"
                ),
            ),
            method=LDiverse,
            source="Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam, ICDE 2006.",
            data=Microdata,
            contents=(ProjectedTables,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="naive-t-closeness",
            when="For comparison: all sensitive attributes in one table.",
            example=(
                (
                    "publish naive-t-closeness patients.csv --qid age,sex,town "
                    "--sensitive-attributes job --k 5 --t 0.3 --hierarchy age=age.csv --out "
                    "release --keep key"
                ),
            ),
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
            when=("As codip-star, with tables that you choose, or the best of all possible plans."),
            example=(
                (
                    "publish codip patients.csv --qid age,sex,town --sensitive-attributes "
                    "job,diagnoses --multi-valued diagnoses --k 5 --t 0.3 --plan "
                    "'job;diagnoses=asthma,diagnoses=flu,diagnoses=diabetes,diagnoses=migraine' "
                    "--hierarchy age=age.csv --out release --keep key"
                ),
            ),
            method=Codip,
            source="Fang, Ashrafi and Ng 2011, Figure 2.",
            data=Microdata,
            contents=(ProjectedTables,),
            rules=RULES,
        ),
        OfferedPublisher(
            name="codip-star",
            when=(
                "The first choice for several sensitive attributes: puts those that reveal each "
                "other into different tables."
            ),
            example=(
                (
                    "publish codip-star patients.csv --qid age,sex,town --sensitive-attributes "
                    "job,diagnoses --multi-valued diagnoses --k 5 --t 0.3 --hierarchy age=age.csv "
                    "--out release --keep key"
                ),
            ),
            method=CodipStar,
            source="Fang, Ashrafi and Ng 2011, Figure 4, with the fixes of soundness note 002.",
            data=Microdata,
            quick=True,
            contents=(ProjectedTables,),
            rules=RULES,
        ),
    ),
    attacks=(
        OfferedAttack(
            name="background-join",
            when=(
                "Tables: an attacker who knows the quasi-identifiers and one sensitive value of "
                "a person."
            ),
            tried_on="mondrian",
            example="attack background-join release --truth patients.csv --key key",
            method=BackgroundJoin,
            source=(
                "Fang, Ashrafi and Ng 2011, Example 2: someone who knows a person's "
                "quasi-identifiers is left with the rows of a class; who also knows one "
                "sensitive value is left with fewer of them, and the other attributes of "
                "the same table may follow."
            ),
            contents=(ProjectedTables,),
            knowledge=Background,
            answer=Answer(
                "put attributes that reveal each other into different tables",
                "codip-star DATA --k =5 --t =0.2 --beta +0.1",
            ),
        ),
        OfferedAttack(
            name="intersection",
            when="Several tables about the same people: what they reveal together.",
            tried_on="codip-star",
            example="attack intersection release --truth patients.csv --key key",
            method=Intersection,
            source=(
                "Wang and Fung, KDD 2006, as in section 6.1 of Fang, Ashrafi and Ng 2011: "
                "(X,Y)-linkability is the largest confidence with which values follow from "
                "quasi-identifiers."
            ),
            contents=(ProjectedTables,),
            knowledge=Background,
            answer=Answer(
                "make the classes larger, so that more people match in every table",
                "codip-star DATA --k +10 --t =0.2",
            ),
        ),
        OfferedAttack(
            name="qids-and-items",
            when=(
                "Tables with a set column: an attacker who knows quasi-identifiers and some items."
            ),
            tried_on="rt-anonymity",
            example="attack qids-and-items release --known 0,1,2 --truth patients.csv --key key",
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
            when="Tables: values that are more likely in a class than elsewhere.",
            tried_on="mondrian",
            example="attack skewness release --truth patients.csv --key key",
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
            when=(
                "Tables: what follows from the fact that a more detailed table was not good enough."
            ),
            tried_on="l-diversity",
            example="attack minimality release --register register.csv",
            method=Minimality,
            source="Wong, Fu, Wang and Pei, VLDB 2007.",
            contents=(ProjectedTables,),
            knowledge=Register,
            informed=register_of,
            informed_as="an attacker who knows everybody's quasi-identifiers",
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
