"""Reading between the lines: which members of a generalised item do not go with the others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.attack import Releases, each_of, numbers_of_one
from discreet.core.doc import Doc
from discreet.core.exact import in_range
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Findings, Summary, Threat
from discreet.core.generalised_sets import GeneralisedSets
from discreet.errors import ParameterError
from discreet.generalised.elimination.reconstruction import (
    Context,
    Distances,
    Reconstruction,
    reconstruct,
)
from discreet.generalised.elimination.rules import Method
from discreet.generalised.frequency import NOTHING_HIDDEN, ItemFrequencies
from discreet.generalised.readable import Readable
from discreet.rng import seeded
from discreet.semantics import Corpus, Ngd, Relatedness

Prior: TypeAlias = Literal["none", "frequency"]
"""What favours a member before its context does."""

NOTHING_KNOWN = "what is known of meanings says nothing about any member of a generalised item"


@dataclass(frozen=True, slots=True, kw_only=True)
class WordKnowledge:
    """What an attacker knows of words; nothing about any person."""

    corpus: Annotated[
        Corpus | None,
        Doc("Texts, not the attacked data: an index made by discreet corpus, or a file of texts."),
    ] = None
    relatedness: Annotated[
        Relatedness | None,
        Doc(
            "How far items are from each other: ngd over the corpus, wordnet (or "
            "wordnet:FOLDER), what a sentence model makes of their names (sentence-model, or "
            "sentence-model:FOLDER), word vectors (vectors:FILE, as word2vec or GloVe write them), "
            "vectors learnt from other people's sets (embedding:DATA), or a file with the columns "
            "one, other and distance. [default: ngd]"
        ),
    ] = None

    def __post_init__(self) -> None:
        check_fields(self)

    @property
    def measure(self) -> Relatedness:
        """The measure of relatedness chosen."""
        if self.relatedness is not None:
            return self.relatedness
        if self.corpus is None:
            msg = (
                "what items mean must be known: give texts by `corpus`, or another measure by "
                "`relatedness`: wordnet, a sentence model, word vectors, or a file of distances"
            )
            raise ParameterError(msg, parameter="corpus")
        return Ngd(self.corpus)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning(WordKnowledge):
    """What the adversary knows of the meaning of items; nothing about any person."""

    frequencies: Annotated[
        ItemFrequencies | None,
        Doc(
            "A public list with the columns item and count, for the prior frequency; without it, "
            "what the release shows by name."
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Semantic:
    """Tell which members of generalised items were added, by the meaning of the other items.

    Shao and Ong 2017 (gba, rba), Ong and Shao 2014 (ra, mda, tba, wba), with the fixes of soundness
    note 001. The plain items of a transaction are its context. For each generalised item, the
    distances of its members from the contexts of all its transactions form a table, and the members
    whose cells stand out are taken to have been added.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("inference",)

    eliminate: Annotated[
        Method,
        Doc(
            "How cells are chosen: by redistributed weights or by groups of comparable "
            "distances (2017), by weights, a threshold or the maximum (2014), or at random, "
            "as a baseline."
        ),
    ] = "rba"
    prior: Annotated[
        Prior,
        Doc(
            "What favours a member before its context does: nothing, or how common it is. With "
            "it, transactions without a context are attacked too."
        ),
    ] = "none"
    context: Annotated[
        str,
        Doc(
            "How the plain items of a transaction are combined (average or conjunctive), and which "
            "of them: all, or at most so many of the rarest, the commonest or random ones, such as "
            "average,3,rarest."
        ),
    ] = "average,all"
    rows: Annotated[
        int, Doc("How many transactions are attacked together, at most; others in parts.")
    ] = 1000
    seed: Annotated[
        int, Doc("Seed of the attacker's random choices, for `eliminate` ra and random contexts.")
    ] = 0

    def __post_init__(self) -> None:
        check_fields(self)
        Context.of(self.context)
        in_range(2, None, rows=self.rows)

    def attack(
        self, releases: Releases[GeneralisedSets], knowledge: Meaning | None = None
    ) -> Findings:
        """Return for each row and generalised item what remains of it, and what was eliminated."""
        releases, knowledge = each_of(releases, GeneralisedSets), knowledge or Meaning()
        if all(release.content.trivial.all() for release in releases):
            return Findings(attack="semantic", claims=(), not_run=NOTHING_HIDDEN)
        claims: list[Claim] = []
        summary: Summary = {}
        tried = 0
        for number, release in enumerate(releases):
            counts = _counts(release.content, knowledge) if self.prior == "frequency" else None
            result = self.reconstruct(release.content, knowledge.measure, counts)
            claims += _claims(number, release.content, result)
            numbers = _summary(release.content, result)
            summary |= numbers_of_one(numbers, number, releases)
            tried += int(numbers["candidates_with_evidence"])
        if not tried and not claims:
            return Findings(attack="semantic", claims=(), summary=summary, not_run=NOTHING_KNOWN)
        ordered = sorted(claims, key=lambda claim: -claim.confidence)
        return Findings(attack="semantic", claims=tuple(ordered), summary=summary)

    def reconstruct(
        self,
        content: GeneralisedSets,
        measure: Relatedness,
        counts: Mapping[str, float] | None = None,
    ) -> Reconstruction:
        """Return every elimination as arrays; ``counts`` of items are the prior, where given."""
        coin = seeded(self.seed)
        distances = Distances.of(content, measure, Context.of(self.context), coin)
        if counts is not None:
            distances = distances.with_prior(content, counts)
        return reconstruct(distances, self.eliminate, coin, most_rows=self.rows)


def _counts(content: GeneralisedSets, knowledge: Meaning) -> Mapping[str, float]:
    """Return how common items are, as a list says or the release shows by name."""
    if knowledge.frequencies is not None:
        return knowledge.frequencies.counts
    return {item: float(count) for item, count in Readable.of(content).plain.items()}


def _claims(number: int, content: GeneralisedSets, result: Reconstruction) -> Iterator[Claim]:
    """Yield one claim for each row and generalised item of which something was eliminated."""
    order = np.lexsort((result.members, result.blocks, result.rows))
    rows, blocks = result.rows[order], result.blocks[order]
    cuts = np.flatnonzero(np.diff(rows, prepend=-1) | np.diff(blocks, prepend=-1))
    for start, end in pairwise([*cuts.tolist(), len(rows)]):
        members = content.blocks[blocks[start]]
        gone = set(result.members[order[start:end]].tolist())
        yield Claim(
            release=number + 1,
            row=int(rows[start]),
            known=_context(content, result, int(rows[start])),
            inferred=tuple(item for index, item in enumerate(members) if index not in gone),
            eliminated=tuple(item for index, item in enumerate(members) if index in gone),
            confidence=float(result.confidence[order[start:end]].min()),
            people=1,
        )


def _context(content: GeneralisedSets, result: Reconstruction, row: int) -> tuple[str, ...]:
    start, end = result.context.indptr[row : row + 2]
    return tuple(content.blocks[block][0] for block in np.sort(result.context.indices[start:end]))


def _summary(content: GeneralisedSets, result: Reconstruction) -> Summary:
    sizes = np.array([len(block) for block in content.blocks], dtype=np.int64)
    hidden = np.flatnonzero(~content.trivial)
    known = np.zeros(len(sizes), dtype=np.int64)
    known[hidden] = [int(pairs.sum()) for pairs in result.known]
    cells = int((sizes * content.supports)[hidden].sum())
    tried = int(known[result.attacked[:, 1]].sum())
    return {
        "generalised_items": len(hidden),
        "tables": result.tables,
        "transactions_attacked": len(np.unique(result.attacked[:, 0])),
        "candidates": cells,
        "candidates_with_evidence": tried,
        "members_without_evidence": int((sizes - known)[hidden].sum()),
        "eliminated": len(result.rows),
        "mean_candidates_before": _mean(cells, content.supports[hidden]),
        "mean_candidates_after": _mean(cells - len(result.rows), content.supports[hidden]),
    }


def _mean(cells: int, supports: NDArray[np.int64]) -> float:
    return cells / max(1, int(supports.sum()))
