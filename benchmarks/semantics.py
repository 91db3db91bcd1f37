"""The semantic attack beside its bars: tables of distances, a corpus index, WordNet's pairs."""

import os
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.results import Results
from discreet import rng as rng
from discreet.generalised.elimination.rules import Method, eliminate
from discreet.rng import seeded
from discreet.semantics import Corpus, WordNet
from tests.generalised.naive_elimination import by_groups

TERMS, DOCUMENTS, PAIRS = 10_000, 100_000, 100_000


def main(results: Results) -> None:
    tables(results)
    index(results)
    wordnet(results)


def tables(results: Results) -> None:
    small = table(60, 10)
    eliminate(small, "rba", seeded(1))
    slow, fast = taken(lambda: by_groups(small, redistribute=True)), seconds(small, "rba")
    results.add("rba, 60 x 10", f"{fast * 1e3:.2f} ms", "a full scan a step", fast / slow)
    methods: tuple[Method, ...] = ("wba", "gba", "rba")
    for method in methods:
        units = {}
        for rows, columns in ((500, 20), (1000, 40), (2000, 80)):
            distances = table(rows, columns)
            gone = len(eliminate(distances, method, seeded(1)))
            time = seconds(distances, method)
            units[rows] = time / (gone * (rows + columns))
            work, note = f"{method}, {rows} x {columns}", f"{gone:,} eliminations"
            if rows == 500:
                results.seconds(work, time, 0.05, note)
            else:
                each = f"{units[rows] * 1e9:.1f} ns for an elimination and group"
                beside = "the small table's"
                results.add(work, each, beside, units[rows] / units[500], note)


def table(rows: int, columns: int) -> NDArray[np.float64]:
    return seeded(7).integers(1 << 40, rows * columns).reshape(rows, columns) / (1 << 40)


def seconds(distances: NDArray[np.float64], method: Method) -> float:
    repeats = 5 if distances.size <= 10_000 else 1
    return min(taken(lambda: eliminate(distances, method, seeded(1))) for _ in range(repeats))


def taken(work: object) -> float:
    before = process_time()
    work()  # type: ignore[operator]
    return process_time() - before


def index(results: Results) -> None:
    texts, terms = documents()
    before = process_time()
    corpus = Corpus.build(texts)
    print(f"index of {DOCUMENTS:,} documents: {process_time() - before:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        path = corpus.save(Path(folder) / "index")
        Corpus.open(path)
        before = perf_counter()
        corpus = Corpus.open(path)
        print(f"opened again: {1e3 * (perf_counter() - before):.1f} ms")
        time = taken(lambda: corpus.shared_counts(terms, terms))
        results.seconds(f"all pairs of {TERMS:,} terms", time, 5)
        ends = seeded(3).integers(TERMS, 2 * PAIRS).reshape(-1, 2).tolist()
        pairs = [(terms[one], terms[other]) for one, other in ends]
        corpus.pair_counts(pairs[:2])
        time = taken(lambda: corpus.pair_counts(pairs))
        results.seconds(f"{PAIRS:,} pairs looked up", time, 1)


def documents() -> tuple[list[str], list[str]]:
    """Make up documents of 6 to 14 terms, the r-th term with weight 1 / r."""
    rng = seeded(5)
    weights = np.cumsum([10_000_000 // rank for rank in range(1, TERMS + 1)])
    sizes = 6 + rng.integers(9, DOCUMENTS)
    drawn = np.searchsorted(weights, rng.integers(int(weights[-1]), int(sizes.sum())), side="right")
    terms = [f"w{number}" for number in range(TERMS)]
    parts = np.split(drawn, np.cumsum(sizes)[:-1])
    return [" ".join(terms[term] for term in document.tolist()) for document in parts], terms


def wordnet(results: Results) -> None:
    if "DISCREET_DATA" not in os.environ:
        print("skipped: DISCREET_DATA is not set, WordNet is not at hand")
        return
    before = process_time()
    net = WordNet.read()
    print(f"{net}: read in {process_time() - before:.2f} s")
    nouns = list(net.senses)
    terms = [nouns[number] for number in seeded(9).permutation(len(nouns))[:2000].tolist()]
    whole = taken(lambda: net.distances(terms, terms))
    time = taken(lambda: net.related(terms))
    work = "pairs above 0.5 of 2,000 nouns"
    results.add(work, f"{time:.2f} s", "all distances", time / whole)
