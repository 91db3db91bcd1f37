"""Real texts and the real WordNet: attacked documents stand in no corpus, meaning beats chance."""

from pathlib import Path

import numpy as np
import pytest

from discreet.generalised import Coat, WordKnowledge, eliminated_members
from discreet.generalised.scoring import Candidates
from discreet.papers import texts
from discreet.papers.semantic import attacked
from discreet.papers.texts import EVIDENCE, selection
from discreet.rng import seeded
from discreet.semantics import Corpus, Ngd, SentenceModel, WordNet
from discreet.semantics.sentence_model import cure_of_missing_model


@pytest.fixture(scope="module", autouse=True)
def _data(data_folder: Path) -> None:
    """Skip without the data."""


def test_the_real_wordnet_is_read_whole() -> None:
    net = WordNet.read()
    assert len(net.above) == 71_873
    assert net.wu_palmer("car", "truck") == pytest.approx(0.9167, abs=5e-5)
    assert net.wu_palmer("oil", "petroleum") == 1
    assert net.wu_palmer("dog", "cat") > 0.8
    assert net.wu_palmer("dog", "interest rate") < 0.5
    assert (net.depths >= 1).all()
    assert (net.depths == 1).sum() == 1  # one root: entity


def test_reuters_knows_what_goes_with_oil() -> None:
    measure = Ngd(texts._corpus_outside())
    near, far = measure.distances(["crude oil"], ["opec", "coffee"])[0]
    assert near < 0.6 < far


def test_attacked_documents_are_not_in_the_scoring_corpus() -> None:
    docs = texts._reuters()
    test = {
        " ".join(doc["body"].split())
        for doc in docs
        if doc["split"] == "TEST" and len(doc["body"]) >= texts.LEAST_TEXT
    }
    others = [" ".join(doc["body"].split()) for doc in docs if doc["split"] != "TEST"]
    assert len(others) == 15_390
    # some texts were sent twice, once in each part: these reprints must not score either
    again = sum(body in test for body in others)
    assert again > 0
    assert texts._corpus_outside().size == len(others) - again


@pytest.mark.parametrize(("name", "records"), [("reuters-mixed", 758), ("reuters-dense", 263)])
def test_selections_hold_items_with_evidence_only(name: str, records: int) -> None:
    chosen = selection(name)
    assert len(chosen.data) == records
    counts = chosen.measure.corpus.counts(chosen.data.universe)
    assert counts.min() >= EVIDENCE


def test_meaning_tells_added_items_better_than_chance() -> None:
    run = attacked("reuters-mixed", 4, 7)
    totals = {how: Candidates(**told["total"]) for how, told in run["found"].items()}
    for how in ("tba", "wba", "gba", "rba"):
        chance, _ = totals[how].by_chance
        assert totals[how].precision.low > chance, how
    assert totals["rba"].recall.share > 0.6
    assert totals["ra"].precision.share == pytest.approx(totals["ra"].by_chance[0], abs=0.05)


def test_an_index_of_reuters_survives_the_disk(tmp_path: Path) -> None:
    made = texts._corpus_outside()
    again = Corpus.open(made.save(tmp_path / "index"))
    terms = ["crude oil", "interest rate", "opec", "a phrase that nobody writes"]
    assert again.counts(terms).tolist() == made.counts(terms).tolist()
    assert np.array_equal(again.keys, made.keys)


def test_a_sentence_model_tells_less_than_texts_of_the_field_and_more_than_chance() -> None:
    if cure_of_missing_model():
        pytest.skip("the sentence model is not installed: make model")
    chosen = selection("reuters-dense")
    made = Coat(k=10, protect="items").publish(chosen.data, seeded(1))
    by_texts, by_model = (
        eliminated_members(
            chosen.data,
            made.release,
            key=made.linkage_key,
            knowledge=WordKnowledge(relatedness=measure),
        )["elimination_by_relatedness"]
        for measure in (chosen.measure, SentenceModel.read())
    )
    assert 0.05 < by_model < by_texts - 0.05
