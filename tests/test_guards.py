"""Each guard bites: a fault planted in a copy of the house is caught, and the copy without passes.

Every tool runs as `make check` runs it, with the settings of the project's own `pyproject.toml`.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import settings

import discreet
from discreet.catalog import FAMILIES
from discreet.core.doc import Doc
from discreet.core.family import Family
from discreet.core.guarantee import ConstraintSupport, Guarantee, NoAttributeLeakage
from discreet.core.histogram import ItemsetHistogram
from discreet.core.publication import Publication
from discreet.core.release import Manifest, Release
from discreet.core.transactions import Transactions
from discreet.generalised import Km
from discreet.rng import Rng
from tests import conformance, samples

ROOT = Path(__file__).parents[1]
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as run; run()"


class House:
    """A copy of the package and its settings, to plant faults in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        leave = shutil.ignore_patterns("__pycache__", "*.nb?", "*.pyc")
        (package,) = discreet.__path__
        for name in ("discreet", "discreet_command"):
            shutil.copytree(Path(package).parent / name, folder / "src" / name, ignore=leave)
        shutil.copy(ROOT / "pyproject.toml", folder)

    def plant(self, path: str, text: str) -> Path:
        """Write ``text`` at the end of a file, new or not."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a") as stream:
            stream.write(text)
        return file

    def replace(self, path: str, old: str, new: str) -> None:
        """Change one place of a file, which must be there."""
        file = self.folder / path
        before = file.read_text()
        assert before.count(old) >= 1, f"{path} no longer holds {old!r}"
        file.write_text(before.replace(old, new, 1))

    def run(self, *command: str) -> tuple[int, str]:
        """Run a Python tool inside the copy; return its exit code and what it said."""
        inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        done = subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=inherited | {"PYTHONPATH": str(self.folder / "src"), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_a_misformatted_file_is_caught(house: House) -> None:
    check = ("-m", "ruff", "format", "--check", "--no-cache", "src/discreet/errors.py")
    assert house.run(*check)[0] == 0
    house.plant("src/discreet/errors.py", "\n\nPLANTED = { 'a':1 }\n")
    code, output = house.run(*check)
    assert code == 1
    assert "errors.py" in output


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("import numpy as np\n\nDRAW = np.random.rand(3)", "NPY002"),
        ("from discreet.core.verdict import Verdict\n\nGOOD = Verdict(True)", "FBT003"),
        ("def flag(on: bool) -> bool:\n    return on", "FBT001"),
        ("from . import errors", "TID252"),
        ("import polars as pl\n\nEMPTY = pl.DataFrame()", "TID251"),
        ("import os\n\nHERE = os.path.join('a', 'b')", "PTH118"),
        ("def silent() -> None:\n    return None", "D103"),
        ("try:\n    ONE = 1\nexcept Exception:\n    ONE = 2", "BLE001"),
    ],
)
def test_a_careless_line_is_caught(house: House, line: str, rule: str) -> None:
    file = "src/discreet/counts/planted.py"
    check = ("-m", "ruff", "check", "--no-cache", "--output-format", "concise", file)
    house.plant(file, '"""A planted file."""\n')
    assert house.run(*check)[0] == 0
    house.plant(file, f"\n{line}\n")
    code, output = house.run(*check)
    assert code == 1
    assert rule in output


def test_a_long_winding_function_is_caught(house: House) -> None:
    branches = "".join(f"    if number == {at}:\n        number += {at}\n" for at in range(9))
    text = (
        f'"""Planted."""\n\n\ndef winding(number):\n    """Wind."""\n{branches}    return number\n'
    )
    file = house.plant("src/discreet/core/planted.py", text)
    code, output = house.run("-m", "ruff", "check", "--no-cache", str(file))
    assert code == 1
    assert "C901" in output


CARELESS = '''

@dataclass(frozen=True, slots=True, kw_only=True)
class Careless:
    """A publisher that is given no chance."""

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """None."""
        return ()

    def publish(self, data: Transactions) -> Publication[ItemsetHistogram]:
        """Publish by chance of its own."""
        raise NotImplementedError
'''

UNCHECKED = '''

@dataclass(frozen=True, slots=True, kw_only=True)
class Unchecked:
    """A promise that nobody checks."""

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return "all will be well"

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        return "everything"

'''


def test_what_does_not_fit_its_type_is_caught(house: House) -> None:
    """One run for several faults, because it reads the whole house."""
    house.plant("src/discreet/counts/diff_part.py", CARELESS)
    rooms = "src/discreet/counts/__init__.py"
    house.replace(rooms, "import DiffPart", "import Careless, DiffPart")
    house.replace(rooms, "method=DiffPart", "method=Careless")
    guarantees = "src/discreet/core/guarantee.py"
    house.replace(guarantees, "\nGuarantee: TypeAlias =", UNCHECKED + "\nGuarantee: TypeAlias =")
    house.replace(guarantees, "    | TableGuarantee\n", "    | Unchecked\n    | TableGuarantee\n")
    house.plant("src/discreet/errors.py", "\n\ndef unannotated(number):\n    return number\n")
    code, output = house.run("-m", "mypy", "--no-color-output", "--cache-dir", "mypy-cache")
    assert code == 1
    errors = re.findall(r"^src/discreet/(\S+):\d+: error: (.*)$", output, flags=re.MULTILINE)
    caught = dict(errors)
    # of a long tuple the note says which item does not fit
    assert "counts/__init__.py" in caught
    assert re.search(r"counts/__init__\.py:\d+: (error|note): .*Careless", output)
    assert '"assert_never" has incompatible type "Unchecked"' in caught["verify/__init__.py"]
    assert "missing a type annotation" in caught["errors.py"]


@pytest.mark.parametrize(
    ("annotation", "complaint"),
    [
        ("k: Annotated[imt, Doc('Fine words.')]", "NameError: name 'imt' is not defined"),
        ("k: Annotated[complex, Doc('Fine words.')]", "TypeError: .*add the type to SYNTAXES"),
        ("k: Annotated[int, 'Fine words.']", "TypeError: Shy.k must say what it means"),
        ("k: int", "TypeError: Shy.k must say what it means"),
    ],
)
@pytest.mark.parametrize("field", ["method", "knowledge"])
def test_a_mistyped_annotation_is_an_error_at_import(
    house: House, field: str, annotation: str, complaint: str
) -> None:
    rooms = "src/discreet/counts/__init__.py"
    offer = {"method": "method=AplKiller", "knowledge": "knowledge=Known"}[field]
    house.replace(rooms, offer, f"{field}=Shy")
    house.plant(
        "src/discreet/counts/shy.py",
        "from dataclasses import dataclass\nfrom typing import Annotated\n\n"
        "from discreet.core.doc import Doc\n\n\n"
        f"@dataclass(frozen=True, slots=True, kw_only=True)\nclass Shy:\n    {annotation}\n",
    )
    house.replace(
        rooms, "from discreet.core", "from discreet.counts.shy import Shy\nfrom discreet.core"
    )
    code, output = house.run("-c", "import discreet.catalog")
    assert code == 1
    assert re.search(complaint, output)


def test_the_house_as_it_stands_keeps_its_layers(house: House) -> None:
    code, output = house.run("-c", LINT_IMPORTS, "--no-cache")
    assert code == 0
    assert "0 broken" in output


@pytest.mark.parametrize(
    ("room", "line", "contract"),
    [
        ("verify/planted.py", "from discreet.counts import FAMILY", "rooms and their stairs"),
        ("counts/planted.py", "from discreet.series import FAMILY", "rooms and their stairs"),
        ("core/planted.py", "from discreet import rng", "rooms and their stairs"),
        ("catalog/planted.py", "from discreet.cli import main", "rooms and their stairs"),
        ("utils.py", "", "rooms and their stairs"),
        (
            "verify/planted.py",
            "from discreet.kernels.supersets import subset_sums",
            "verifier owes nothing",
        ),
        ("series/planted.py", "from discreet.verify import verify", "does not ask its verifier"),
        (
            "counts/kernels/planted.py",
            "from discreet.core.exact import exact",
            "Kernels know arrays",
        ),
        ("verify/planted.py", "from discreet.io.writing import *", "verifier owes nothing"),
        ("verify/planted.py", "from discreet.measure import score", "verifier owes nothing"),
        ("verify/planted.py", "from discreet.precompiled import pack", "verifier owes nothing"),
        ("core/planted.py", "from discreet import verify", "rooms and their stairs"),
        ("core/planted.py", "from discreet import audit", "front door stands on top"),
        ("study/planted.py", "import discreet", "front door stands on top"),
        ("risk/kernels/planted.py", "from discreet.core.exact import exact", "Kernels know arrays"),
        (
            "counts/attribute_linkage.py",
            "from discreet.counts.apl_killer import AplKiller",
            "attack of counts knows",
        ),
        (
            "generalised/semantic.py",
            "from discreet.generalised.coat import Coat",
            "attack of generalised knows",
        ),
        (
            "tables/background_join.py",
            "from discreet.tables.incognito import Incognito",
            "attack of tables knows",
        ),
        (
            "series/composition.py",
            "from discreet.series.anony import Anony",
            "attack of series knows",
        ),
        (
            "networks/neighbourhood.py",
            "from discreet.networks.gp_asn import GpAsn",
            "attack of networks knows",
        ),
        ("web/pages.py", "from discreet.counts import DiffPart", "workbench knows no family"),
    ],
)
def test_an_import_up_the_stairs_is_caught(
    house: House, room: str, line: str, contract: str
) -> None:
    house.plant(f"src/discreet/{room}", f"{line}\n")
    code, output = house.run("-c", LINT_IMPORTS, "--no-cache")
    assert code == 1
    assert re.search(rf"{contract}.* BROKEN", output)
    assert room.removesuffix(".py").replace("/", ".") in output


def _contracts() -> dict[str, dict[str, Any]]:
    settings_of = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    return {each["name"]: each for each in settings_of["contracts"]}


def _defines_attack(file: Path) -> bool:
    nodes = ast.walk(ast.parse(file.read_text()))
    statements = (
        statement for node in nodes if isinstance(node, ast.ClassDef) for statement in node.body
    )
    return any(
        isinstance(statement, ast.FunctionDef) and statement.name == "attack"
        for statement in statements
    )


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_attack_and_publisher_of_a_family_is_in_its_contract(family: Family) -> None:
    contract = _contracts()[f"An attack of {family.name} knows no publisher"]
    folder = Path(*discreet.__path__) / family.name
    holding = (file.stem for file in folder.glob("*.py") if _defines_attack(file))
    attacks = {f"discreet.{family.name}.{name}" for name in holding}
    assert attacks >= {offered.method.__module__ for offered in family.attacks}
    assert set(contract["source_modules"]) == attacks
    publishers = {offered.method.__module__ for offered in family.publishers}
    assert set(contract["forbidden_modules"]) == publishers


def test_every_contract_has_a_planted_fault() -> None:
    (mark,) = test_an_import_up_the_stairs_is_caught.pytestmark
    tried = [contract for _, _, contract in mark.args[1]]
    assert [name for name in _contracts() if not any(topic in name for topic in tried)] == []


def test_a_verifier_that_uses_the_folding_is_caught() -> None:
    for file in Path(*discreet.__path__).glob("verify/*.py"):
        assert conformance.uses_of_folded(file.read_text()) == [], file.name
    assert conformance.uses_of_folded("rows = 1\nsets = data.folded.sets\n") == [2]


PLANTED_TESTS = {
    "src/discreet/planted.py": '"""Two and two.\n\n>>> 2 + 2\n5\n"""\n',
    "tests/test_warns.py": (
        "import warnings\n\n\ndef test_it() -> None:\n    warnings.warn('beware', stacklevel=1)\n"
    ),
    "tests/test_mended.py": (
        "import pytest\n\n\n@pytest.mark.xfail(reason='mended')\ndef test_it() -> None:\n    pass\n"
    ),
    "tests/test_marker.py": (
        "import pytest\n\n\n@pytest.mark.slwo\ndef test_it() -> None:\n    pass\n"
    ),
    "tests/test_sound.py": "def test_it() -> None:\n    assert 2 + 2 == 4\n",
}


def test_wrong_examples_warnings_and_mended_faults_are_caught(house: House) -> None:
    for path, text in PLANTED_TESTS.items():
        house.plant(path, text)
    code, output = house.run(
        "-m", "pytest", "-p", "no:cacheprovider", "--continue-on-collection-errors", *PLANTED_TESTS
    )
    assert code == 1
    assert "FAILED src/discreet/planted.py::discreet.planted" in output
    assert re.search(r"FAILED tests/test_warns.py::test_it .*UserWarning: beware", output)
    assert re.search(r"FAILED tests/test_mended.py::test_it .*XPASS\(strict\)", output)
    assert re.search(r"ERROR tests/test_marker.py .*slwo", output)
    assert "3 failed, 1 passed, 1 error" in output


def test_hypothesis_has_no_deadline() -> None:
    assert settings.default.deadline is None


def test_an_export_that_is_not_there_is_caught() -> None:
    module = ModuleType("planted", "A planted module.")
    module.__dict__.update(__all__=["here", "gone", "here"], here=1)
    assert conformance.faults_of_exports(module) == ["gone", "here"]
    assert not conformance.is_silent(module)
    assert conformance.is_silent(ModuleType("planted", "."))


@dataclass
class Loose:
    """Everything that a publisher must not be."""

    epsilon: float = 1.0
    k: int = 2
    """Fine words."""
    m: int | None = None

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """A promise it does not keep."""
        return (NoAttributeLeakage(),)

    def publish(self, data: Transactions, rng: Rng) -> Publication[ItemsetHistogram]:
        """Publish what there is, without chance, and spoil the data."""
        data.items.setflags(write=True)
        data.items[-1:] = 0
        content = ItemsetHistogram.of({("beer", "bread"): 3, ("wine",): 1})
        manifest = Manifest(method="loose", parameters={}, randomness=rng.label)
        return Publication(Release(content, self.guarantees, manifest))

    def attack(self, releases: Any, data: Transactions) -> None:
        """Attack with the private data at hand."""


class Dice:
    """A publisher with chance of its own."""

    guarantees = ()
    thrown = 0

    def publish(self, data: Transactions, rng: Rng) -> Publication[ItemsetHistogram]:
        """Publish another number each time."""
        self.thrown += len(data)
        manifest = Manifest(method="dice", parameters={}, randomness=rng.label)
        return Publication(
            Release(
                ItemsetHistogram.of([(["beer"], self.thrown)]), (NoAttributeLeakage(),), manifest
            )
        )


def test_a_method_out_of_shape_is_caught() -> None:
    assert conformance.faults_of_shape(Loose) == ["not frozen", "no slots", "not keyword-only"]
    assert conformance.faults_of_shape(Dice) == ["no dataclass"]


def test_a_privacy_parameter_with_a_default_is_caught() -> None:
    assert conformance.defaulted_privacy(Loose) == ["epsilon", "k", "m"]


def test_a_field_without_words_is_caught() -> None:
    @dataclass
    class Silent:
        k: Annotated[int, Doc("Fine words.")]
        m: Annotated[int, Doc("Word")]

    assert conformance.undocumented_fields(Silent) == ["m"]


def test_a_method_without_a_sample_is_caught() -> None:
    known = [*samples.PUBLISHERS]
    assert conformance.without_sample([*known, Loose], samples.PUBLISHERS) == ["Loose"]


def test_a_broken_promise_and_spoilt_data_are_caught() -> None:
    data = Transactions.of([["beer"], ["beer", "bread"]])
    assert conformance.faults_of_publishing(Loose(), data) == ["broken promise", "changed data"]


def test_a_promise_that_could_be_told_and_is_not_is_caught() -> None:
    @dataclass(frozen=True, slots=True, kw_only=True)
    class Keyless:
        guarantees: tuple[Guarantee, ...] = (ConstraintSupport(k=2),)

        def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Any]:
            released = Km(k=2, m=1).publish(data, rng).release
            return Publication(Release(released.content, self.guarantees, released.manifest))

    assert conformance.faults_of_publishing(Keyless(), samples.BASKETS) == [
        "promise that cannot be told"
    ]


def test_a_release_that_promises_something_else_is_caught() -> None:
    assert "other guarantees" in conformance.faults_of_publishing(Dice(), samples.BASKETS)


def test_chance_that_does_not_come_from_rng_is_caught() -> None:
    data = Transactions.of([["beer"], ["beer", "bread"]])
    assert conformance.faults_of_chance(Loose(), data) == ["a seed does not matter"]
    assert conformance.faults_of_chance(Dice(), data) == ["a seed does not repeat"]


class AsItCame:
    """Publishes records in the order of the input, and half of each slice."""

    def statistics(self, data: Transactions, _rng: Any) -> int:
        return len(data)

    def decide(self, statistics: int, _rng: Any) -> int:
        return statistics // 2

    def apply(self, plan: int, data: Transactions) -> Transactions:
        return Transactions(data.sets.take(np.arange(min(plan, len(data)))))

    def publish(self, data: Transactions, rng: Any) -> Any:
        manifest = Manifest(method="as-it-came", parameters={}, randomness=rng.label)
        return Publication(Release(Transactions(data.sets), (), manifest))


def test_a_release_in_the_order_of_the_input_is_caught() -> None:
    assert conformance.faults_of_order(AsItCame(), samples.BASKETS) == ["transactions"]


def test_a_plan_that_looks_at_more_than_a_record_is_caught() -> None:
    assert conformance.faults_of_slices(AsItCame(), samples.BASKETS) == ["transactions"]


def test_an_attack_with_the_private_data_at_hand_is_caught() -> None:
    assert conformance.faults_of_an_attack(Loose) == ["self", "releases", "data"]


def test_make_check_and_the_ci_run_every_guard() -> None:
    recipe = (ROOT / "Makefile").read_text()
    for step in ("ruff format --check .", "ruff check .", "mypy", "lint-imports", "pytest"):
        assert re.search(rf"^\t\$\(BIN\)/.*{re.escape(step)}", recipe, flags=re.MULTILINE), step
    assert re.search(r"^check: lint test\b", recipe, flags=re.MULTILINE)
    ci = (ROOT / ".ci" / "run").read_text()
    assert {"make lint", "make test"} <= set(ci.splitlines())
