"""Every kind of file that is read: sound ones to begin with, and how each is read.

Whatever the bytes are, a reader gives what it reads or one sentence; the sentence never says what
a record holds. ``fault`` tells which input does not keep that.
"""

import io
import json
import random
import traceback
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from discreet.errors import DiscreetError

SECRET = "zq7k"
"""Stands in cells of private seeds, never in a header; no sentence may repeat it."""
PIECES = (
    b"", b"\0", b"\n", b"\r\n", b'"', b",", b";", b"\t", b"-", b"[", b"]", b"{}", b"1", b"0", b"-1",
    b"1e400", b"9" * 20, b"nan", b"null", b"true", b"\xff", b"\xef\xbb\xbf", b" ", b"=", b"|", b"*",
    b"PAR1", b"PK\x03\x04", b"id", b"items", b"x" * 300, b"\xc3\xa9", b"\\u0000", b"[[", b"#",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Target:
    """One kind of file."""

    read: Callable[[Path], object]
    """Reads the file, or of a folder the file that was changed."""
    seeds: Callable[[], Mapping[str, bytes]]
    """Makes sound files; a name with a slash is a file of a folder, to be read as a whole."""
    lay: Callable[[Path, str, bytes, Mapping[str, bytes]], Path] | None = None
    """Lays out a folder with one file changed."""


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Return a file in which a few places were cut out, doubled or written over."""
    if content.lstrip()[:1] in (b"{", b"[") and chance.random() < 0.6:
        return _other_values(content, chance)
    if b" = " in content and chance.random() < 0.6:
        return _other_settings(content, chance)
    for _ in range(chance.randint(1, 4)):
        begin = chance.randint(0, len(content))
        end = min(len(content), begin + chance.choice((0, 1, 4, 12)))
        middle = chance.choice((chance.choice(PIECES), chance.randbytes(3), content[begin:end]))
        content = content[:begin] + middle + content[begin if chance.random() < 0.5 else end :]
    return content


VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2**70, 1e308, "", "x", "any", "1/0", [], [[]], [None], {}, {"x": 1},
    [1, 2],
)  # fmt: skip


def _other_values(content: bytes, chance: random.Random) -> bytes:
    """Return JSON, or its first line, in which a value is of another kind or is not there."""
    text, rest = content, b""
    try:
        whole = json.loads(text)
    except ValueError:
        text, _, rest = content.partition(b"\n")
        try:
            whole = json.loads(text)
        except ValueError:
            return content[: chance.randint(0, len(content))]
    box: Any = [whole]
    at: Any = 0
    holder = box
    while isinstance(holder[at], dict | list) and holder[at] and chance.random() < 0.85:
        holder = holder[at]
        at = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    if chance.random() < 0.15:
        del holder[at]
    else:
        holder[at] = chance.choice(VALUES)
    return json.dumps(box[0] if box else None).encode() + b"\n" + rest


def _other_settings(content: bytes, chance: random.Random) -> bytes:
    """Return TOML in which a setting has another value, another name, or another table."""
    lines = content.split(b"\n")
    at = chance.randrange(len(lines))
    name, equals, value = lines[at].partition(b" = ")
    others = (
        b"[]",
        b"[[1]]",
        b"{}",
        b"-1",
        b"1e999",
        b"nan",
        b'""',
        b"true",
        b"[{}]",
        b"2024-01-01",
    )
    lines[at] = chance.choice(
        (name + b" = " + chance.choice(others), chance.choice(lines), b"x" + lines[at],
         b"", lines[at].strip(b"[]"), b"[" + lines[at] + b"]", name + equals + b"[" + value + b"]")
    )  # fmt: skip
    return b"\n".join(lines)


def fault(
    target: Target, seeds: Mapping[str, bytes], folder: Path, name: str, content: bytes
) -> str | None:
    """Return what is wrong with how ``content`` is read in place of the seed ``name``."""
    if target.lay:
        path = target.lay(folder, name, content, seeds)
    else:
        path = folder / name
        path.write_bytes(content)
    try:
        target.read(path)
    except DiscreetError as error:
        return _of_sentence(str(error), name, content)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # noqa: BLE001 (a panic of a library is no Exception)
        return traceback.format_exc()
    return None


def _of_sentence(said: str, name: str, content: bytes) -> str | None:
    if not said or "Traceback" in said:
        return f"no sentence: {said!r}"
    # a name of a column may be told, wherever the damage moved it
    header = content.split(b"\n", 1)[0] if not name.endswith((".jsonl", ".json")) else b""
    if SECRET in said and SECRET.encode() not in header and not _names_secret(content):
        return f"it tells what a record holds: {said}"
    return None


def _names_secret(content: bytes) -> bool:
    """Whether the secret became a name: a key of JSON, or anything in a binary file."""
    return f'{SECRET}"'.encode() + b":" in content.replace(b" ", b"") or b"\0" in content


# seeds


def _table(ending: str, **columns: object) -> bytes:
    import polars as pl

    file, frame = io.BytesIO(), pl.DataFrame(columns)
    if ending == "xlsx":
        frame.write_excel(file)
    elif ending == "csv":
        frame.write_csv(file)
    else:
        frame.write_parquet(file)
    return file.getvalue()


def _sets() -> dict[str, bytes]:
    from tests.io.test_fuzz import SOUND

    private = {
        "secret.csv": f"id,item\n{SECRET}1,a\n{SECRET}1,b\n2,{SECRET}c\n".encode(),
        "secret.dat": f"1 {SECRET}\n2 3\n".encode(),
        "secret.jsonl": f'{{"id": "{SECRET}", "items": ["a", "{SECRET}"]}}\n'.encode(),
    }
    return SOUND | private


def _read_sets(path: Path) -> None:
    from tests.io.test_fuzz import check

    check(path, path.read_bytes())


PEOPLE = {
    "age": ["31", "32", "31", "47"], "sex": ["f", "m", "f", SECRET],
    "job": ["spy", "cook", "", "?"], "ill": ["flu|cough", "", "flu", SECRET],
}  # fmt: skip


def _read_table(path: Path) -> None:
    from discreet import Microdata

    people = Microdata.read(
        path, qids=["age", "sex"], sensitive=["job", "ill"], multi_valued=["ill"]
    )
    kept = people.treat_missing("value").discretise("age", ["20", "40"])
    assert len(kept.table) == len(people.table) > 0


def _read_edges(path: Path) -> None:
    from discreet.core.graph import Network

    assert len(Network.read(path).edges) > 0


HIERARCHIES = {
    "levels.csv": b"31;30-39;*\n32;30-39;*\n47;40-49;*\n",
    "pairs.csv": b"child,parent\nbeer,drinks\nwine,drinks\nbread,food\nfood,ALL\ndrinks,ALL\n",
    "amnesia.txt": b"distinct\nname job\ntype string\nheight 2\n\n* has:a b \na has:c \nb has:d \n",
}


def _read_hierarchy(path: Path) -> None:
    from discreet.core.hierarchy import Hierarchy

    assert Hierarchy.read(path).values


def _read_constraints(path: Path) -> None:
    from discreet.core.constraints import Constraints

    Constraints.read(path)


def _read_items(path: Path) -> None:
    from discreet.io.public import read_items

    assert all(read_items(path))


def _read_workload(path: Path) -> None:
    from discreet.core.workload import Workload

    Workload.read(path)


def _read_frequencies(path: Path) -> None:
    from discreet.generalised import ItemFrequencies

    ItemFrequencies.read(path)


def _read_distances(path: Path) -> None:
    from discreet.semantics import DistanceTable

    DistanceTable.read(path)


def _keys() -> dict[str, bytes]:
    import polars as pl

    from discreet.core.publication import LinkageKey

    rows = pl.DataFrame({"row": [0, 1, 2], "record": [2, 0, 1], "name": [SECRET, "b", "c"]})
    packed = LinkageKey({"rows": rows}, {"reading": {"sensitive": [SECRET]}}).packed()
    plain = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(packed)) as old, zipfile.ZipFile(plain, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    return {"key": packed, "stored": plain.getvalue()}


def _read_key(path: Path) -> None:
    from discreet.core.publication import LinkageKey

    key = LinkageKey.load(path)
    assert repr(key)
    key.records(3, 3)


def _rules() -> dict[str, bytes]:
    from discreet.core.rules import SetRules, TableRule, TableRules, rules_text

    sets = SetRules(method="km-anonymity", blocks=(("a", "b"), ("c",)), hierarchy=(("a", "x"),))
    table = TableRules(
        method="incognito",
        qids=("age",),
        tables=(TableRule(attributes=("job",), levels={"age": 1}),),
        hierarchies={"age": (("31", "30-39"), ("30-39", "*"))},
        heights={"age": 2},
    )
    return {"sets.json": rules_text(sets).encode(), "table.json": rules_text(table).encode()}


def _read_rules(path: Path) -> None:
    from discreet.core.rules import read_rules

    read_rules(path)


def _choices() -> dict[str, bytes]:
    from discreet.catalog.choices import Choices

    chosen = Choices(
        method="km-anonymity",
        options={"k": "5", "m": "2", "hierarchy": "hierarchy-1.csv"},
        files={"hierarchy-1.csv": b"child,parent\na,b\n"},
        about={"people": "town"},
    )
    return {"choices.json": chosen.text().encode()}


def _read_choices(path: Path) -> None:
    from discreet.catalog.choices import Choices

    list(Choices.read(path).words(path.parent / "laid"))


STUDY = b"""title = "t"
seeds = [1, 2]
[[data]]
source = "a.dat"
name = "baskets"
[[publish]]
method = "km-anonymity"
k = [5, 10]
m = 2
[[publish]]
steps = [{method = "diff-part", epsilon = [0.5, 1]}, {method = "apl-free"}]
[[attack]]
method = "singling-out"
[front]
exposure = "a"
loss = "b"
"""


def _read_study(path: Path) -> None:
    from discreet.study.plan import Study

    (path.parent / "a.dat").write_bytes(b"1 2\n3\n")
    assert Study.read(path).cells()


def _signed() -> dict[str, bytes]:
    from tempfile import TemporaryDirectory

    from discreet.report.signing import make_keys, read_signing_key, sign

    with TemporaryDirectory() as name:
        path = Path(name) / "signing.key"
        make_keys(path)
        signature = sign(read_signing_key(path), {"manifest": "0" * 64})
        return {
            "signing.key": path.read_bytes(),
            "signing.key.pub": path.with_name("signing.key.pub").read_bytes(),
            "cert.pdf.sig": signature.encode(),
        }


def _lay_signed(folder: Path, name: str, content: bytes, seeds: Mapping[str, bytes]) -> Path:
    for each, held in seeds.items():
        (folder / each).write_bytes(content if each == name else held)
    return folder


def _read_signed(folder: Path) -> None:
    from discreet.report.signing import read_public_key, read_signature, read_signing_key

    public = read_public_key(folder / "signing.key.pub")
    read_signature(folder / "cert.pdf.sig", public)
    read_signing_key(folder / "signing.key")


def _index() -> dict[str, bytes]:
    from tempfile import TemporaryDirectory

    from discreet.semantics import Corpus

    with TemporaryDirectory() as name:
        path = Corpus.build(["aspirin and soap", "soap for a cough"]).save(Path(name) / "index")
        return {f"index/{file.name}": file.read_bytes() for file in path.iterdir()}


def _lay_index(folder: Path, name: str, content: bytes, seeds: Mapping[str, bytes]) -> Path:
    (folder / "index").mkdir(exist_ok=True)
    for each, held in seeds.items():
        (folder / each).write_bytes(content if each == name else held)
    return folder / "index"


def _read_index(path: Path) -> None:
    from discreet.semantics import Corpus

    Corpus.open(path).counts(["aspirin", "soap cough", "nothing"])


def _read_texts(path: Path) -> None:
    from discreet.semantics import read_texts

    read_texts(path, split="paragraph")


def _releases() -> dict[str, bytes]:
    """Return the files of one release of every method, in all formats."""
    from tempfile import TemporaryDirectory

    from discreet import rng
    from discreet.io.release_folder import FORMATS
    from tests.samples import PUBLISHERS

    seeds: dict[str, bytes] = {}
    with TemporaryDirectory() as name:
        for number, (method, data) in enumerate(PUBLISHERS.values()):
            release = method.publish(data, rng.seeded(7)).release
            label = release.manifest.method
            path = release.save(Path(name) / label, file_format=FORMATS[number % 3])
            for file in sorted(path.iterdir()):
                if file.name != "README.txt":
                    seeds[f"{label}/{file.name}"] = file.read_bytes()
            seeds[f"{label}/README.txt"] = (path / "README.txt").read_bytes()
    return seeds


def _lay_release(folder: Path, name: str, content: bytes, seeds: Mapping[str, bytes]) -> Path:
    """Write the release with one file changed, and its checksums and seal made to fit again."""
    from discreet.io.release_folder import seal

    label, _, changed = name.partition("/")
    path = folder / label
    path.mkdir(exist_ok=True)
    parts = {
        each.partition("/")[2]: held for each, held in seeds.items() if each.startswith(f"{label}/")
    } | {changed: content}
    try:
        manifest = json.loads(parts["manifest.json"])
        if changed != "manifest.json":
            manifest["files"][changed]["sha256"] = sha256(content).hexdigest()
        manifest["seal"] = seal(manifest)
        parts["manifest.json"] = json.dumps(manifest).encode()
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        pass  # it is no manifest any more, and is read as it is
    for each, held in parts.items():
        (path / each).write_bytes(held)
    return path


def _read_release(path: Path) -> None:
    from discreet import verify
    from discreet.core.release import Release

    assert verify(Release.load(path)).holds in (None, True, False)


TARGETS: dict[str, Target] = {
    "sets": Target(_read_sets, _sets),
    "table": Target(_read_table, lambda: {
        f"people.{ending}": _table(ending, **PEOPLE) for ending in ("csv", "parquet", "xlsx")
    } | {"people.jsonl": b'{"age": 31, "sex": "f", "job": "spy", "ill": "flu"}\n'
         b'{"age": null, "sex": "m", "ill": "", "job": "zq7k"}\n'}),
    "edges": Target(_read_edges, lambda: {
        "edges.csv": b"source,target\nzq7k1,zq7k2\nzq7k2,zq7k3\n",
        "edges.parquet": _table("parquet", source=[1, 2], target=[2, 3]),
    }),
    "hierarchy": Target(_read_hierarchy, lambda: HIERARCHIES),
    "constraints": Target(_read_constraints, lambda: {
        "c.txt": b"a b\nc\n", "t.txt": b"a b\tc\nd\t\n",
    }),
    "items": Target(_read_items, lambda: {"items.txt": b"beer\nred wine\n\nbread\n"}),
    "workload": Target(_read_workload, lambda: {"w.txt": b"age=30-39|40-49; job=cook\nsex=f\n"}),
    "frequencies": Target(_read_frequencies, lambda: {
        "f.csv": b"item,count\nbeer,5\nwine,0.5\n",
        "f.parquet": _table("parquet", item=["beer", "wine"], count=[5.0, 1.0]),
    }),
    "distances": Target(_read_distances, lambda: {
        "d.csv": b"one,other,distance\na,b,0.5\na,c,1\n",
    }),
    "key": Target(_read_key, _keys),
    "rules": Target(_read_rules, _rules),
    "choices": Target(_read_choices, _choices),
    "study": Target(_read_study, lambda: {"study.toml": STUDY}),
    "signed": Target(_read_signed, _signed, _lay_signed),
    "index": Target(_read_index, _index, _lay_index),
    "texts": Target(_read_texts, lambda: {
        "t.txt": b"Soap and aspirin.\n\nA cough.\n",
        "t.csv": b'id,text\n1,"soap, cough"\n2,aspirin\n',
        "t.jsonl": b'{"id": 1, "text": "soap"}\n',
    }),
    "release": Target(_read_release, _releases, _lay_release),
}  # fmt: skip
"""Each kind of file by its name."""
