"""What a family offers, written out: its publishers, its attacks, its measures and its scorer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from discreet.core.attack import Attack
from discreet.core.findings import Findings
from discreet.core.publication import LinkageKey
from discreet.core.publisher import Publisher
from discreet.core.release import Release
from discreet.core.rules import Rules
from discreet.core.score import Score


class RuleBook(NamedTuple):
    """How a release becomes rules, and rules the plan of another publication."""

    of_release: Callable[[Release[Any]], Rules]
    """What a release shows of its recoding."""
    plan: Callable[..., Any]
    """The plan by a method and rules for data; the method's ``carry_out`` publishes by it."""
    unsaid: Callable[[Any], str | None] | None = None
    """What a method would do that no rule can say, where that is known before any work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A method, as a person finds it."""

    name: str
    """What it is called on the command line."""
    when: str
    """In which case to take it, as one line."""
    method: type[Any]
    """The dataclass of its parameters."""
    source: str
    """Where it comes from: the paper."""
    contents: tuple[type[Any], ...]
    """What the releases hold that it makes or attacks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedPublisher(Offered):
    """A way to publish, as a person finds it."""

    method: type[Publisher[Any]]
    example: tuple[str, ...]
    """Commands, one after the other, that try it on the files of ``discreet demo --files``."""
    data: type[Any]
    """The noun it publishes."""
    rules: RuleBook | None = None
    """How its recoding is saved and applied again; None where it is no rule."""
    no_rules: str = ""
    """Why it has none, as a clause, where that is not plain."""
    quick: bool = False
    """Whether it publishes real data, a hundred thousand records, in seconds."""


class Answer(NamedTuple):
    """What helps against an attack."""

    words: str
    """What to do, as a clause."""
    command: str
    """A method, what it reads (DATA or RELEASE), and options: ``=5`` stands for the value of the
    release or else 5, ``+3`` for one step stricter than the release or else 3."""
    hiding: str = ""
    """The same where the release bounds what follows about secrets, so that it goes on doing so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedAttack(Offered):
    """An attack, as a person finds it."""

    method: type[Attack[Any]]
    tried_on: str
    """The method of the family whose example makes what the example attacks."""
    example: str
    """A command that tries it, after that example."""
    knowledge: type[Any] | None = None
    """What an attacker may know of a victim; None where only the owner can say."""
    owner: Callable[[Any, LinkageKey], Any] | None = None
    """What an attacker may know at worst, from the private data and the key of a release."""
    informed: Callable[[Any, Any], Any] | None = None
    """What an attacker knows who has seen statistics of the people elsewhere: from what is known
    otherwise and the private data."""
    informed_as: str = ""
    """Who knows so much, as a clause."""
    answer: Answer | None = None
    """What helps against it, where something does."""
    variants: tuple[Mapping[str, Any], ...] = ()
    """Choices of its fields that an audit tries, one after the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A function of the original data and a release that says what was lost."""

    function: Callable[..., Any]
    """The function."""
    data: type[Any]
    """The noun it compares a release with."""
    contents: tuple[type[Any], ...]
    """What the releases hold that it measures."""
    takes_key: bool = False
    """Whether it can use the owner's key."""
    by_folded: bool = False
    """Whether the distinct sets with their counts are all it needs to know, if it has no key."""
    knowledge: type[Any] | None = None
    """What of public knowledge it can use besides, with the key."""

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    def __call__(
        self,
        data: Any,
        release: Release[Any],
        key: LinkageKey | None = None,
        knowledge: Any = None,
    ) -> Any:
        """Measure ``release`` against ``data``: what every measure takes and returns.

        Parameters
        ----------
        data
            The original data.
        release
            What was published of them.
        key
            The owner's key; without it nothing is told of what became of single people.
        knowledge
            What is publicly known, where the measure can use it.

        Returns
        -------
        dict
            Each number by its name.
        """
        if self.knowledge is not None and isinstance(knowledge, self.knowledge):
            return self.function(data, release, key=key, knowledge=knowledge)
        if self.takes_key:
            return self.function(data, release, key=key)
        return self.function(data, release)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scorer:
    """A function that says how often the claims of an attack are right."""

    function: Callable[..., Score]
    """The function of findings, truths, releases and keys."""
    data: type[Any]
    """The noun that is the truth."""
    contents: tuple[type[Any], ...]
    """What the attacked releases may hold."""
    attacks: tuple[str, ...] = ()
    """The attacks whose claims it scores; all others where it names none."""
    takes_control: bool = False
    """Whether people who are not in the data can be scored beside those who are."""

    def __call__(
        self,
        findings: Findings,
        truth: Sequence[Any],
        releases: Sequence[Release[Any]],
        keys: Sequence[LinkageKey] = (),
        control: Any = None,
    ) -> Score:
        """Score ``findings``: what every scorer takes and returns.

        Parameters
        ----------
        findings
            What an attack claims.
        truth
            The original data of each release.
        releases
            The releases that were attacked.
        keys
            The owner's keys of the releases.
        control
            People who are not in the data, scored beside those who are where the scorer can.

        Returns
        -------
        Score
            How often the claims are right, beside guessing.
        """
        if self.takes_control:
            return self.function(findings, truth, releases, keys, control=control)
        return self.function(findings, truth, releases, keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One paper's world: what it publishes, how that is attacked, and what it loses."""

    name: str
    """The name of its package."""
    title: str
    """What it publishes, in a few words."""
    paper: str
    """The paper it grew from."""
    contents: tuple[type[Any], ...]
    """What its releases hold."""
    publishers: tuple[OfferedPublisher, ...]
    """Its ways to publish."""
    attacks: tuple[OfferedAttack, ...]
    """Its attacks."""
    measures: tuple[Measure, ...]
    """What its releases lose."""
    scorers: tuple[Scorer, ...]
    """What the claims of its attacks are worth."""

    @property
    def heading(self) -> str:
        """What stands above its methods where all are listed."""
        return f"{self.title} ({self.name})"
