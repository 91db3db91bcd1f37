"""Linking by questions: two noisy counts instead of a published release."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import exp, expm1, inf, log, log1p
from typing import Annotated, Literal, TypeAlias

from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact, positive
from discreet.core.findings import Claim, Findings
from discreet.counts.queries.query import Query
from discreet.errors import ParameterError

Server: TypeAlias = Callable[[Query], int]
"""Anything that answers counting queries."""

LARGEST = 700.0
"""The largest logarithm of a factor that is a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """What the adversary knows of one person, and what she would like to know."""

    items: Annotated[tuple[str, ...], Doc("Items the person holds.")] = field(
        metadata={"option": "--knows"}
    )
    guess: Annotated[str, Doc("The item the person is suspected to hold as well.")]

    def __post_init__(self) -> None:
        if self.guess in self.items:
            msg = "`guess` must be an item that is not known already, got one of the known items"
            raise ParameterError(msg, parameter="guess")


@dataclass(frozen=True, slots=True, kw_only=True)
class Amplification:
    """How much likelier the conclusion becomes, as the correlation grows."""

    paper: float
    """What the paper prints for one record more or less: ``exp(epsilon / (1 - gamma))``."""
    one_record: float
    """The largest ratio there is between data sets that differ in one record."""
    printed_pair: float
    """The ratio between the two data sets the paper really compares."""
    records: int
    """How many records those two differ in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractiveLinkage:
    """Find out by two counting queries whether an item follows from what is known of a person.

    Wang, Li, Lui and Sun 2022, section 4.2. First: how many people hold exactly Q, the known
    items? Second: how many hold Q and the guessed item? If nobody holds exactly Q and somebody
    holds both, the adversary concludes that whoever holds Q holds the item. That is a conclusion
    only where Q and the item are the whole universe: people with Q and another item instead are in
    neither answer. Soundness note 000-interactive says what else the paper's derivation misses.
    """

    epsilon: Annotated[
        Exact, Doc("The budget spent on each of the two queries; the attack costs twice as much.")
    ]
    nobody: Annotated[
        Literal["at-most-0", "equal-0"],
        Doc(
            "Which first answer is taken to say nobody. equal-0 is the paper's; a noisy count "
            "below 0 says so as well."
        ),
    ] = "at-most-0"

    def __post_init__(self) -> None:
        positive("epsilon", self.epsilon)

    def queries(self, knowledge: Guess) -> tuple[Query, Query]:
        """Return the two questions.

        Parameters
        ----------
        knowledge
            The known items Q and the guessed item.

        Returns
        -------
        tuple of Query
            How many hold exactly Q, and how many hold Q and the guessed item.
        """
        both = (*knowledge.items, knowledge.guess)
        return (
            Query(items=knowledge.items, exactly=True, epsilon=self.epsilon),
            Query(items=both, epsilon=self.epsilon),
        )

    def attack(self, server: Server, knowledge: Guess) -> Findings:
        """Ask the two questions and return what follows, if anything.

        Parameters
        ----------
        server
            What answers a query, with noise.
        knowledge
            The known items Q and the guessed item.

        Returns
        -------
        Findings
            A claim where the two answers let the adversary conclude.
        """
        alone, both = (server(query) for query in self.queries(knowledge))
        claims: tuple[Claim, ...] = ()
        if self.succeeds(alone, both):
            claims = (
                Claim(
                    row=0,
                    known=knowledge.items,
                    inferred=(knowledge.guess,),
                    # the paper's adversary takes the two answers at their word
                    confidence=1.0,
                    people=both,
                ),
            )
        return Findings(
            attack="interactive-linkage",
            claims=claims,
            summary={"exactly_known": alone, "known_and_guess": both, "queries": 2},
        )

    def succeeds(self, alone: int, both: int) -> bool:
        """Tell whether these two answers let the adversary conclude.

        Parameters
        ----------
        alone
            The answer for exactly Q.
        both
            The answer for Q and the guessed item.

        Returns
        -------
        bool
            True where nobody seems to hold exactly Q, and somebody Q with the guess.
        """
        return (alone == 0 or (self.nobody == "at-most-0" and alone < 0)) and both > 0

    def success_probability(self, alone: int, both: int) -> float:
        """Return the probability of a conclusion where these are the true counts.

        Discrete Laplace noise at epsilon is ``m`` with probability ``(1-q) q**|m| / (1+q)`` and at
        least ``m >= 1`` with probability ``q**m / (1+q)``, where ``q = exp(-epsilon)``.

        Parameters
        ----------
        alone
            How many hold exactly Q.
        both
            How many hold Q and the guessed item.

        Returns
        -------
        float
            Over the noise of both answers.

        Examples
        --------
        >>> attack = InteractiveLinkage(epsilon=1)
        >>> round(attack.success_probability(0, 20), 4), round(attack.success_probability(3, 20), 4)
        (0.7311, 0.0364)
        """
        return exp(self._log_probability(alone, both))

    def _log_probability(self, alone: int, both: int) -> float:
        """Return its logarithm: ratios of tiny probabilities must be right as well."""
        epsilon = float(exact("epsilon", self.epsilon))
        q = exp(-epsilon)
        none = -epsilon * alone - log1p(q)
        if self.nobody == "equal-0":
            none += log(-expm1(-epsilon))
        some = log1p(-exp(-epsilon * both) / (1 + q)) if both else -epsilon - log1p(q)
        return none + some

    def amplification(self, gamma: Exact, alone: int) -> Amplification:
        """Compare the conclusion between data sets where ``alone`` people hold exactly Q.

        ``gamma`` is the share of those with Q who hold the guessed item too, so that for each who
        does not there are ``gamma / (1 - gamma)`` who do.

        Parameters
        ----------
        gamma
            The share of those with Q who hold the guessed item too.
        alone
            How many people hold exactly Q.

        Returns
        -------
        Amplification
            How much likelier the conclusion becomes by one record, and as the paper has it.

        Examples
        --------
        >>> InteractiveLinkage(epsilon=1).amplification("0.9", 5).records
        10
        """
        share = exact("gamma", gamma)
        if not 0 < share < 1 or (step := share / (1 - share)).denominator != 1 or alone < 1:
            msg = (
                "`gamma` must be the share of a whole number to one, such as 0.5, 0.75 or 0.9, and "
                f"`alone` at least 1, got {gamma} and {alone}"
            )
            raise ParameterError(msg, parameter="gamma")
        both = int(alone * step)
        base = self._log_probability(alone, both)
        neighbours = ((alone - 1, both), (alone + 1, both), (alone, both - 1), (alone, both + 1))
        nearby = [self._log_probability(*counts) for counts in neighbours]
        fewer = self._log_probability(alone - 1, both - int(step))
        return Amplification(
            paper=_factor(float(exact("epsilon", self.epsilon) / (1 - share))),
            one_record=max(_factor(base - log_p) for log_p in nearby),
            printed_pair=_factor(base - fewer),
            records=1 + int(step),
        )


def _factor(logarithm: float) -> float:
    """Return how many times larger or smaller; infinite where no number says it."""
    return exp(abs(logarithm)) if abs(logarithm) < LARGEST else inf
