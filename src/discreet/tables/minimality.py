"""What follows from a table being the best of its kind: other inputs would have led elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

from discreet.core.attack import Confident, Releases, each_of
from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.guarantee import (
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    LDiversity,
    NTCloseness,
    TCloseness,
)
from discreet.core.microdata import GAP, Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.lazy import pl
from discreet.tables.inverting.alternatives import Alternatives, alternatives_of
from discreet.tables.inverting.possible_inputs import (
    assignments_of_class,
    distinct_orders,
    posterior,
)

NOT: Final = "not attacked: "
"""How the summary begins of a table that could not be attacked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """What the attacker knows of everyone."""

    register: Annotated[
        Path | None,
        Doc(
            "A public table with the quasi-identifiers of all people in the release, and of "
            "no others."
        ),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Everyone(Register):
    """The same, not in a file: an attacker may have it as the owner has it."""

    people: Any = None
    """The quasi-identifiers of all people in the release."""


def register_of(knowledge: Register, original: Any) -> Register:
    """Return the register that the private data make, where no other is named."""
    if knowledge.register is not None or not isinstance(original, Microdata):
        return knowledge
    return Everyone(people=original.table.select(original.qids))


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimality(Confident):
    """Infer sensitive values from the fact that no more detailed table kept the promise.

    Wong, Fu, Wang and Pei, VLDB 2007. Within each class, the rows may belong to its people in any
    order. An order that a better generalisation would have allowed is excluded, because the better
    one would have been published. All orders are counted exactly, up to a limit.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("inference",)

    confidence: Annotated[
        Exact,
        Doc("Claim what has at least this probability, if it is less from the class alone."),
    ] = "0.9"
    limit: Annotated[
        int,
        Doc(
            "Most orders of one class that are counted; a release with a larger class is not "
            "attacked."
        ),
    ] = 20_000

    def attack(
        self, releases: Releases[ProjectedTables], knowledge: Register | None = None
    ) -> Findings:
        """Return what follows for the people of the register."""
        knowledge = knowledge or Register()
        claims: list[Claim] = []
        summary: Summary = {}
        for number, release in enumerate(each_of(releases, ProjectedTables)):
            for index in range(len(release.content)):
                name = f"release {number + 1}, table {index + 1}"
                made = self._table(number, release, index, knowledge)
                if isinstance(made, str):
                    summary[name] = made
                    continue
                claims += made
                summary[name] = f"attacked, {len(made)} claims"
        claims.sort(key=lambda claim: -claim.confidence)
        return Findings(
            attack="minimality",
            claims=tuple(claims),
            summary=summary,
            not_run=_not_run(summary),
        )

    def _table(
        self, number: int, release: Release[ProjectedTables], index: int, knowledge: Register
    ) -> list[Claim] | str:
        """Return the claims about one table, or why it is not attacked."""
        terms = _terms(release)
        if isinstance(terms, str):
            return terms
        k, closeness = terms
        people = _people(knowledge)
        if people is None:
            return f"{NOT}needs a register of the quasi-identifiers of everyone"
        alternatives = alternatives_of(release.content, index, people, k)
        if isinstance(alternatives, str):
            return alternatives
        largest = max(alternatives.values, key=distinct_orders)
        if distinct_orders(largest) > self.limit:
            return f"{NOT}a class of {len(largest):,} rows has more orders than the limit"
        return list(self._claims(number, alternatives, closeness))

    def _claims(
        self, number: int, alternatives: Alternatives, closeness: TCloseness
    ) -> Iterator[Claim]:
        nodes = len(alternatives.better)
        classes = [
            assignments_of_class(values, nodes, alternatives.judge(index, closeness))
            for index, values in enumerate(alternatives.values)
        ]
        for index, values in enumerate(alternatives.values):
            people = posterior(classes, index, nodes)
            for person, chances in enumerate(people or ()):
                yield from self._about(number, alternatives, index, person, (values, chances))

    def _about(
        self,
        number: int,
        alternatives: Alternatives,
        index: int,
        person: int,
        chances: tuple[Sequence[int], Mapping[int, Fraction]],
    ) -> Iterator[Claim]:
        values, likely = chances
        for column, name in enumerate(alternatives.attributes):
            shares: dict[Any, Fraction] = {}
            alone: dict[Any, Fraction] = {}
            for row, chance in likely.items():
                value = alternatives.rows[row][column]
                shares[value] = shares.get(value, Fraction(0)) + chance
                count = Fraction(list(values).count(row), len(values))
                alone[value] = alone.get(value, Fraction(0)) + count
            value, sure = max(shares.items(), key=lambda each: (each[1], str(each[0])))
            if sure >= exact("confidence", self.confidence) and sure > alone[value]:
                yield Claim(
                    release=number + 1,
                    row=alternatives.first_rows[index],
                    known=alternatives.known(index, person),
                    inferred=(f"{name}={value}",),
                    confidence=float(sure),
                    people=1,
                )


def _people(knowledge: Register) -> "pl.DataFrame | None":
    """Return the quasi-identifiers of everyone, if they are known."""
    from discreet.io.table import read_table

    if isinstance(knowledge, Everyone):
        return pl.DataFrame(knowledge.people)
    if knowledge.register is None:
        return None

    # a gap in a release of tables reads so as well
    return read_table(knowledge.register).with_columns(pl.all().replace("", GAP))


def _not_run(summary: Mapping[str, int | float | str]) -> str:
    """Return why no table was attacked; nothing where one was."""
    outcomes = [str(each) for each in summary.values()]
    if any(not each.startswith(NOT) for each in outcomes):
        return ""
    return "; ".join(dict.fromkeys(each.removeprefix(NOT) for each in outcomes))


def _terms(release: Release[ProjectedTables]) -> tuple[int, TCloseness] | str:
    """Return k and the closeness, or why such a release is not attacked."""
    others = LDiversity | NTCloseness | BetaLikeness | DeltaDisclosure
    if any(isinstance(each, others) for each in release.guarantees):
        # a better table may have failed these, so that it was not close enough does not follow
        return f"{NOT}only k-anonymity with t-closeness is counted, and more was asked for"
    if not release.content.qids:
        return f"{NOT}the release has no quasi-identifier that a register could have"
    k = next((each.k for each in release.guarantees if isinstance(each, KAnonymity)), None)
    close = next((each for each in release.guarantees if isinstance(each, TCloseness)), None)
    if k is None or close is None:
        return f"{NOT}only k-anonymity with t-closeness has inputs to exclude"
    if close.distance:
        return f"{NOT}only the equal distance is counted"
    if exact("limit", str(release.manifest.parameters.get("suppression_limit", 0))) > 0:
        return f"{NOT}a limit of suppression was allowed"
    return k, close
