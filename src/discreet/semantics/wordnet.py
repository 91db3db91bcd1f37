"""WordNet's nouns: how near two terms are in it, by Wu and Palmer."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, ParameterError
from discreet.io.text import lines_of, read_text
from discreet.lazy import pl
from discreet.semantics.words import singular

FOLDER = "DISCREET_DATA"
"""The environment variable that names the folder where the tables are looked for."""
TABLES = ("wordnet_synsets.tsv", "wordnet_senses.tsv")
"""Open English Wordnet: synsets with hypernyms, and the synsets of each lemma."""
PRINCETON = ("data.noun", "index.noun")
"""Princeton's own files."""


@dataclass(frozen=True, eq=False, repr=False)
class WordNet:
    """The nouns of a WordNet, each with its senses, each sense with those above it.

    >>> net = WordNet.of(
    ...     {
    ...         "thing": [],
    ...         "animal": ["thing"],
    ...         "dog": ["animal"],
    ...         "cat": ["animal"],
    ...         "car": ["thing"],
    ...     },
    ...     {"dog": ["dog"], "cat": ["cat"], "car": ["car"]},
    ... )
    >>> round(net.wu_palmer("dog", "cats"), 4), round(net.wu_palmer("dog", "car"), 4)
    (0.6667, 0.4)
    """

    senses: Mapping[str, tuple[int, ...]]
    """The senses of each lemma, in lower case with spaces."""
    above: tuple[tuple[int, ...], ...]
    """The senses right above each sense."""
    _profiles: dict[str, dict[int, int]] = field(default_factory=dict, init=False)

    @classmethod
    def of(
        cls, hypernyms: Mapping[str, Sequence[str]], senses: Mapping[str, Iterable[str]]
    ) -> "WordNet":
        """Make a WordNet from the senses above each sense, and the senses of each lemma.

        Parameters
        ----------
        hypernyms
            For each sense those above it.
        senses
            For each lemma its senses.

        Returns
        -------
        WordNet
            The senses as a graph.
        """
        number = {name: index for index, name in enumerate(hypernyms)}
        above = tuple(
            tuple(number[name] for name in names if name in number) for names in hypernyms.values()
        )
        lemmas: dict[str, tuple[int, ...]] = {}
        # a word before a name or an abbreviation that is written alike: cat, then CAT
        for lemma, names in sorted(senses.items(), key=lambda pair: pair[0] != pair[0].lower()):
            plain = lemma.lower().replace("_", " ")
            numbers = (number[name] for name in names if name in number)
            lemmas[plain] = tuple(dict.fromkeys((*lemmas.get(plain, ()), *numbers)))
        return cls(lemmas, above)

    @classmethod
    def read(cls, folder: str | Path | None = None) -> "WordNet":
        """Read Open English Wordnet's tables or Princeton's files from a folder.

        Without a folder the one that ``DISCREET_DATA`` names is taken.

        Parameters
        ----------
        folder
            The folder of its files; None: where the program keeps its own.

        Returns
        -------
        WordNet
            The senses as a graph.
        """
        where = os.environ.get(FOLDER) if folder is None else folder
        if where is None:
            msg = (
                f"WordNet is sought where {FOLDER} says, which is not set; set it or give a folder"
            )
            raise DataError(msg)
        source = Path(where)
        if paths := _both_files(source, TABLES):
            return cls.of(*_of_tables(*paths))
        if paths := _both_files(source, PRINCETON):
            return cls.of(*_of_princeton(*paths))
        tables, files = " and ".join(TABLES), " and ".join(PRINCETON)
        raise DataError(f"{source.name} must hold {tables}, or Princeton's {files}")

    def __repr__(self) -> str:
        return f"WordNet({len(self.senses)} nouns with {len(self.above)} senses)"

    @cached_property
    def depths(self) -> NDArray[np.int64]:
        """How many senses stand on the longest way from each sense up to a root, both counted."""
        depth = np.zeros(len(self.above), dtype=np.int64)
        below: list[list[int]] = [[] for _ in self.above]
        waiting = [len(parents) for parents in self.above]
        for sense, parents in enumerate(self.above):
            for parent in parents:
                below[parent].append(sense)
        ready = [sense for sense, count in enumerate(waiting) if not count]
        depth[ready] = 1
        while ready:
            sense = ready.pop()
            for child in below[sense]:
                depth[child] = max(depth[child], depth[sense] + 1)
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)
        return depth

    def lemma_of(self, term: str) -> str | None:
        """Return the lemma under which a term stands: itself, or its last words.

        Parameters
        ----------
        term
            A word or a phrase.

        Returns
        -------
        str or None
            None where neither is known.

        Examples
        --------
        >>> net = WordNet.of({"thing": [], "cell": ["thing"]}, {"cell": ["cell"]})
        >>> net.lemma_of("Prostate Cells"), net.lemma_of("cell wall")
        ('cell', None)
        """
        words = term.lower().replace("_", " ").split()
        for start in range(len(words)):
            tail = words[start:]
            for last in (tail[-1], singular(tail[-1])):
                lemma = " ".join([*tail[:-1], last])
                if lemma in self.senses:
                    return lemma
        return None

    def _profile(self, term: str) -> dict[int, int]:
        """Return every sense above some sense of a term, with the fewest steps up to it."""
        lemma = self.lemma_of(term)
        if lemma is None:
            return {}
        if lemma not in self._profiles:
            steps = dict.fromkeys(self.senses[lemma], 0)
            level = list(steps)
            while level:
                higher = dict.fromkeys(up for sense in level for up in self.above[sense])
                far = steps[level[0]] + 1
                level = [up for up in higher if up not in steps]
                steps |= dict.fromkeys(level, far)
            self._profiles[lemma] = steps
        return self._profiles[lemma]

    def wu_palmer(self, one: str, other: str) -> float:
        """Return ``2 D / (2 D + a + b)``: D the depth of the best sense above both, a and b steps.

        Wu and Palmer 1994, the largest value over all senses of both and all senses above both.
        Depths count senses, so a root has depth 1. Not a number where a term is unknown.

        Parameters
        ----------
        one
            A term.
        other
            A term.

        Returns
        -------
        float
            From 0 to 1; 0 where one is unknown.
        """
        left, right = self._profile(one), self._profile(other)
        if not left or not right:
            return float("nan")
        shared = left.keys() & right.keys()
        return max((self._near(at, left[at] + right[at]) for at in shared), default=0.0)

    def _near(self, sense: int, steps: int) -> float:
        twice = 2 * int(self.depths[sense])
        return twice / (twice + steps)

    def distances(self, one: Sequence[str], other: Sequence[str]) -> NDArray[np.float64]:
        """Return one less the similarity of each term of ``one`` and each of ``other``."""
        near = np.full((len(one), len(other)), np.nan)
        known = np.array([bool(self._profile(term)) for term in other], dtype=np.bool_)
        lists = self._lists(other)
        for row, term in enumerate(one):
            profile = self._profile(term)
            if profile:
                near[row, known] = 0.0
            for sense, steps in profile.items():
                if sense in lists:
                    items, other_steps = lists[sense]
                    twice = 2 * int(self.depths[sense])
                    similarity = twice / (twice + steps + other_steps)
                    near[row, items] = np.maximum(near[row, items], similarity)
        return 1.0 - near

    def _lists(
        self, terms: Sequence[str]
    ) -> dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Return for each sense the terms below it with their steps, the nearest first."""
        below: dict[int, list[tuple[int, int]]] = {}
        for index, term in enumerate(terms):
            for sense, steps in self._profile(term).items():
                below.setdefault(sense, []).append((steps, index))
        lists = {}
        for sense, pairs in below.items():
            steps, indices = np.array(sorted(pairs), dtype=np.int64).T
            lists[sense] = indices, steps
        return lists

    def related(
        self, terms: Sequence[str], *, above: float = 0.5
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Return all pairs of terms, by number, whose similarity exceeds ``above``, with it.

        Only pairs below a sense deep enough for it are ever looked at, so the cost grows with the
        answer. A pair is listed once, the smaller number first.

        Parameters
        ----------
        terms
            Terms.
        above
            The similarity that a pair must exceed.

        Returns
        -------
        tuple of array
            The numbers of the first terms, of the second, and the similarities.

        Examples
        --------
        >>> net = WordNet.of(
        ...     {"thing": [], "animal": ["thing"], "dog": ["animal"], "cat": ["animal"]},
        ...     {"dog": ["dog"], "cat": ["cat"], "thing": ["thing"]},
        ... )
        >>> [column.tolist() for column in net.related(["dog", "thing", "cat"])]
        [[0], [2], [0.6666666666666666]]
        """
        if not 0 < above < 1:
            raise ParameterError(f"`above` must be between 0 and 1, got {above}", parameter="above")
        lists = self._lists(terms)
        ones, others, nears = [], [], []
        best = np.zeros(len(terms))
        for index, term in enumerate(terms):
            touched = []
            for sense, steps in self._profile(term).items():
                items, far = lists[sense]
                twice = 2 * int(self.depths[sense])
                # twice / (twice + steps + far) > above
                near = twice / (twice + steps + far)
                count = int(np.searchsorted(-near, -above, side="left"))
                reached, value = items[:count], near[:count]
                reached, value = reached[reached > index], value[reached > index]
                best[reached] = np.maximum(best[reached], value)
                touched.append(reached)
            partners = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *touched]))
            ones.append(np.full(len(partners), index, dtype=np.int64))
            others.append(partners)
            nears.append(best[partners])
            best[partners] = 0.0
        none = np.empty(0, dtype=np.int64)
        return (
            np.concatenate([none, *ones]),
            np.concatenate([none, *others]),
            np.concatenate([np.empty(0), *nears]),
        )


def _both_files(folder: Path, names: tuple[str, str]) -> tuple[Path, Path] | None:
    """Return these two files of a folder, packed or not, or None."""
    paths = [
        next((folder / full for full in (name, f"{name}.gz") if (folder / full).is_file()), None)
        for name in names
    ]
    first, second = paths
    return (first, second) if first and second else None


Parts = tuple[dict[str, list[str]], dict[str, list[str]]]


def _of_tables(synsets: Path, senses: Path) -> Parts:
    """Return hypernyms and senses of the nouns of Open English Wordnet's tables."""
    try:
        above = pl.read_csv(synsets, separator="\t", quote_char=None, infer_schema=False)
        lemma_table = pl.read_csv(senses, separator="\t", quote_char=None, infer_schema=False)
        above = above.filter(pl.col("pos") == "n").select("synset", "hypernyms")
        lemma_table = lemma_table.filter(pl.col("pos") == "n").sort(pl.col("rank").cast(pl.Int64))
        lemma_table = lemma_table.select("lemma", "synset")
    except pl.exceptions.PolarsError:
        msg = f"{synsets.name} and {senses.name} must be the tables of Open English Wordnet"
        raise DataError(msg) from None
    hypernyms = {
        synset: parents.split("|") if parents else [] for synset, parents in above.iter_rows()
    }
    lemmas: dict[str, list[str]] = {}
    for lemma, synset in lemma_table.iter_rows():
        lemmas.setdefault(lemma, []).append(synset)
    return hypernyms, lemmas


def _of_princeton(data: Path, index: Path) -> Parts:
    """Return hypernyms and senses of Princeton's files; an instance stands below its class."""
    hypernyms: dict[str, list[str]] = {}
    for line, fields in _records(data):
        try:
            lemma_count = int(fields[3], 16)
            pointers = fields[4 + 2 * lemma_count :]
            count = int(pointers[0])
            hypernyms[fields[0]] = [
                pointers[2 + 4 * at] for at in range(count) if pointers[1 + 4 * at] in ("@", "@i")
            ]
        except (ValueError, IndexError):
            msg = f"{data.name}, line {line}: must be a synset of Princeton's WordNet"
            raise DataError(msg) from None
    lemmas: dict[str, list[str]] = {}
    for line, fields in _records(index):
        try:
            count = int(fields[2])
            lemmas[fields[0]] = fields[-count:]
        except (ValueError, IndexError):
            msg = f"{index.name}, line {line}: must be a lemma of Princeton's WordNet"
            raise DataError(msg) from None
    return hypernyms, lemmas


def _records(path: Path) -> Iterable[tuple[int, list[str]]]:
    """Yield the fields of each line that is no licence and no gloss, with the line's number."""
    for line, text in enumerate(lines_of(read_text(path)), 1):
        if text and not text.startswith("  "):
            yield line, text.partition(" | ")[0].split()
