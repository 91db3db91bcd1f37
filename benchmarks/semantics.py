"""The semantic attack beside its bars: tables of distances, a corpus index, WordNet's pairs."""

import os
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from discreet import rng as rng
from discreet.generalised.elimination import Method, eliminate
from discreet.rng import seeded
from discreet.semantics import Corpus, WordNet
from tests.generalised.naive_elimination import by_groups

TERMS, DOCUMENTS, PAIRS = 10_000, 100_000, 100_000


def main() -> None:
    tables()
    index()
    wordnet()


def tables() -> None:
    small = table(60, 10)
    eliminate(small, "rba", seeded(1))
    slow, fast = taken(lambda: by_groups(small, redistribute=True)), seconds(small, "rba")
    print(
        f"rba, 60 x 10: {fast * 1e3:.2f} ms, a full scan after each step takes {slow / fast:,.0f}x"
    )
    methods: tuple[Method, ...] = ("wba", "gba", "rba")
    for method in methods:
        units = {}
        for rows, columns in ((500, 20), (1000, 40), (2000, 80)):
            distances = table(rows, columns)
            gone = len(eliminate(distances, method, seeded(1)))
            time = seconds(distances, method)
            units[rows] = time / (gone * (rows + columns))
            bar = f", {time / 0.05:.2f} of the bar" if rows == 500 else ""
            growth = f", {units[rows] / units[500]:.2f} of the small table's" if rows > 500 else ""
            print(
                f"{method}, {rows} x {columns}: {time:.3f} s for {gone:,} eliminations{bar}; "
                f"{units[rows] * 1e9:.1f} ns for each and group{growth}"
            )


def table(rows: int, columns: int) -> NDArray[np.float64]:
    return seeded(7).integers(1 << 40, rows * columns).reshape(rows, columns) / (1 << 40)


def seconds(distances: NDArray[np.float64], method: Method) -> float:
    repeats = 5 if distances.size <= 10_000 else 1
    return min(taken(lambda: eliminate(distances, method, seeded(1))) for _ in range(repeats))


def taken(work: object) -> float:
    before = process_time()
    work()  # type: ignore[operator]
    return process_time() - before


def index() -> None:
    texts, words = documents()
    before = process_time()
    corpus = Corpus.build(texts)
    print(f"index of {DOCUMENTS:,} documents: {process_time() - before:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        path = corpus.save(Path(folder) / "index")
        Corpus.open(path)
        before = perf_counter()
        corpus = Corpus.open(path)
        print(f"opened again: {1e3 * (perf_counter() - before):.1f} ms")
        time = taken(lambda: corpus.shared_counts(words, words))
        print(f"all pairs of {TERMS:,} terms: {time:.2f} s, {time / 5:.2f} of the bar")
        ends = seeded(3).integers(TERMS, 2 * PAIRS).reshape(-1, 2).tolist()
        pairs = [(words[one], words[other]) for one, other in ends]
        corpus.pair_counts(pairs[:2])
        time = taken(lambda: corpus.pair_counts(pairs))
        print(f"{PAIRS:,} pairs looked up: {time:.2f} s, {time:.2f} of the bar")


def documents() -> tuple[list[str], list[str]]:
    """Make up documents of 6 to 14 terms, the r-th term with weight 1 / r."""
    rng = seeded(5)
    weights = np.cumsum([10_000_000 // rank for rank in range(1, TERMS + 1)])
    sizes = 6 + rng.integers(9, DOCUMENTS)
    drawn = np.searchsorted(weights, rng.integers(int(weights[-1]), int(sizes.sum())), side="right")
    words = [f"w{place}" for place in range(TERMS)]
    parts = np.split(drawn, np.cumsum(sizes)[:-1])
    return [" ".join(words[term] for term in part.tolist()) for part in parts], words


def wordnet() -> None:
    if "DISCREET_DATA" not in os.environ:
        print("skipped: DISCREET_DATA is not set, WordNet is not at hand")
        return
    before = process_time()
    net = WordNet.read()
    print(f"{net}: read in {process_time() - before:.2f} s")
    nouns = list(net.senses)
    terms = [nouns[place] for place in seeded(9).permutation(len(nouns))[:2000].tolist()]
    whole = taken(lambda: net.distances(terms, terms))
    time = taken(lambda: net.related(terms))
    print(f"pairs above 0.5 of 2,000 nouns: {time:.2f} s, {time / whole:.2f} of all distances")


if __name__ == "__main__":
    main()
