"""CONTRIBUTING is true: a publisher, a guarantee and an attack are added as it says, in a copy."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text()

GUARANTEE = '''

@dataclass(frozen=True, slots=True, kw_only=True)
class LeastSupport:
    """Every item that is published is held by at least k people."""

    k: int
    """Least number of people."""

    def __post_init__(self) -> None:
        at_least_one(k=self.k)

    @property
    def promise(self) -> str:
        """Say the promise in words."""
        return f"whoever knows one item of a person is left with at least {self.k} records"

    @property
    def limit(self) -> str:
        """Say what the promise leaves open."""
        return "two items together may still fit one person"
'''

VERIFIER = '''"""Every published item is held by at least k people: the definition read aloud."""

from discreet.core.guarantees.sets import LeastSupport
from discreet.core.transactions import Transactions
from discreet.core.verdict import Verdict


def least_support(content: Transactions, claim: LeastSupport) -> Verdict:
    """Count the people who hold each item."""
    held = content.supports
    few = [item for item, n in zip(content.universe, held, strict=True) if 0 < n < claim.k]
    witness = f"few people hold {few[0]}" if few else None
    return Verdict(guarantee=claim, holds=not few, checked="every item", witness=witness)
'''

PUBLISHER = '''"""Common items: what few people hold is left out."""

from dataclasses import dataclass
from typing import Annotated

from discreet.core.doc import Doc
from discreet.core.exact import at_least_one
from discreet.core.fields import check_fields
from discreet.core.fold import canonical_order
from discreet.core.guarantee import Guarantee
from discreet.core.guarantees.sets import LeastSupport
from discreet.core.publication import Publication
from discreet.core.publisher import manifest_of, refuse_misfits
from discreet.core.release import Release
from discreet.core.transactions import Transactions
from discreet.rng import Rng, secure


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonItems:
    """Publish the items that at least k people hold."""

    k: Annotated[int, Doc("Least number of people who hold an item.")]

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(k=self.k)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Nobody is nearly alone with an item."""
        return (LeastSupport(k=self.k),)

    def publish(self, data: Transactions, rng: Rng | None = None) -> Publication[Transactions]:
        """Publish what is left of each record, in random order."""
        refuse_misfits(data, Transactions, rng)
        rng = rng or secure()
        common = sorted(
            item for item, n in zip(data.universe, data.supports, strict=True) if n >= self.k
        )
        order = canonical_order(data)[rng.permutation(len(data))]
        content = Transactions(data.sets.take(order).over(common))
        return Publication(
            Release(content, self.guarantees, manifest_of(self, "common-items", rng))
        )
'''

ATTACK = '''"""Rare items: who holds what few people hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from discreet.core.attack import each_of
from discreet.core.doc import Doc
from discreet.core.exact import at_least_one
from discreet.core.fields import check_fields
from discreet.core.findings import Claim, Findings, Threat
from discreet.core.release import Release
from discreet.core.transactions import Transactions


@dataclass(frozen=True, slots=True, kw_only=True)
class Rumour:
    """What is known of a victim."""

    items: Annotated[tuple[str, ...], Doc("Items that the person holds.")] = ()

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class RareItems:
    """Find the rows with an item that few others have."""

    threatens: ClassVar[tuple[Threat, ...]] = ("singling out",)

    people: Annotated[int, Doc("Most people who share such an item.")] = 1

    def __post_init__(self) -> None:
        check_fields(self)
        at_least_one(people=self.people)

    def attack(
        self, releases: Release[Any] | Sequence[Release[Any]], knowledge: Rumour | None = None
    ) -> Findings:
        """Return the rows that stand out."""
        claims = tuple(
            Claim(release=number, row=row, known=(item,), inferred=held, confidence=1.0, people=1)
            for number, release in enumerate(each_of(releases, Transactions), start=1)
            for row, held in enumerate(release.content)
            for item in held
            if release.content.supports[release.content.universe.index(item)] <= self.people
        )
        return Findings(attack="rare-items", claims=claims)
'''

ENTRIES = """        OfferedPublisher(
            name="common-items",
            when="Never.",
            example=("publish common-items baskets.csv --people 5 --out release",),
            method=CommonItems,
            source="Nobody 1999.",
            data=Transactions,
            contents=(Transactions,),
        ),
    ),
    attacks=(
        OfferedAttack(
            name="rare-items",
            when="Never.",
            tried_on="common-items",
            example="attack rare-items release",
            method=RareItems,
            source="Nobody 1999.",
            contents=(Transactions,),
            knowledge=Rumour,
        ),
"""


class Copy:
    """A copy of the house in which somebody contributes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        leave = shutil.ignore_patterns("*.pyc")
        for name in ("src", "tests"):
            shutil.copytree(ROOT / name, folder / name, ignore=leave)
        shutil.copy(ROOT / "pyproject.toml", folder)

    def write(self, path: str, text: str) -> None:
        with (self.folder / path).open("a") as file:
            file.write(text)

    def insert(self, path: str, after: str, text: str) -> None:
        file = self.folder / path
        before = file.read_text()
        assert after in before, f"{path} no longer holds {after!r}"
        file.write_text(before.replace(after, after + text, 1))

    def run(self, *command: str) -> tuple[int, str]:
        inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        done = subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=inherited | {"PYTHONPATH": str(self.folder / "src")},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


def contributed(folder: Path) -> Copy:
    """Do what CONTRIBUTING says, file by file."""
    house = Copy(folder)
    core, verify = "src/discreet/core/guarantee.py", "src/discreet/verify/__init__.py"
    house.write("src/discreet/core/guarantees/sets.py", GUARANTEE)
    house.insert(core, "from discreet.core.guarantees.sets import (\n", "    LeastSupport,\n")
    house.insert(core, "__all__ = [", '\n    "LeastSupport",')
    house.insert(core, "SetGuarantee: TypeAlias = ", "LeastSupport | ")
    house.write("src/discreet/verify/least_support.py", VERIFIER)
    house.insert(verify, "from discreet.core.guarantee import (", "\n    LeastSupport,")
    moved = "from discreet.verify.least_support import least_support\n"
    house.insert(verify, "from discreet.verify.l_diversity import l_diversity\n", moved)
    house.insert(verify, "        case ConstraintSupport()", " | LeastSupport()")
    unchecked = "return least_support(_content(release, Transactions), claim)"
    case = f"\n        case LeastSupport():\n            {unchecked}"
    house.insert(verify, "return km_anonymity(_sets(release), claim)", case)
    family = "src/discreet/generalised"
    house.write(f"{family}/common_items.py", PUBLISHER)
    house.write(f"{family}/rare_items.py", ATTACK)
    imported = (
        "from discreet.generalised.common_items import CommonItems\n"
        "from discreet.generalised.rare_items import RareItems, Rumour\n"
    )
    house.insert(f"{family}/__init__.py", "from discreet.generalised.coat import Coat\n", imported)
    house.insert(
        f"{family}/__init__.py", "__all__ = [", '\n    "CommonItems", "RareItems", "Rumour",'
    )
    file = house.folder / family / "__init__.py"
    file.write_text(file.read_text().replace("    ),\n    attacks=(\n", ENTRIES, 1))
    house.insert(
        "pyproject.toml",
        '    "discreet.generalised.semantic",\n',
        '    "discreet.generalised.rare_items",\n',
    )
    house.insert(
        "pyproject.toml",
        '    "discreet.generalised.coat",\n',
        '    "discreet.generalised.common_items",\n',
    )
    house.insert(
        "tests/samples.py",
        "from discreet.generalised import (\n",
        "    CommonItems,\n    RareItems,\n    Rumour,\n",
    )
    house.insert(
        "tests/samples.py",
        "PUBLISHERS: dict[type, tuple[Any, Any]] = {\n",
        "    CommonItems: (CommonItems(k=20), BASKETS),\n",
    )
    house.insert(
        "tests/samples.py",
        "ATTACKS: dict[type, tuple[Any, Any]] = {\n",
        "    RareItems: (RareItems(), Rumour()),\n",
    )
    return house


def test_the_guide_names_files_that_are_there() -> None:
    named = re.findall(r"`((?:src|tests|docs)/[\w/.]+|pyproject\.toml|README\.md)`", GUIDE)
    plain = [name for name in named if not re.search(r"FAMILY|NAME|ROOM", name)]
    assert len(plain) > 5
    assert [name for name in plain if not (ROOT / name).exists()] == []


def test_what_is_added_as_the_guide_says_keeps_the_contract(tmp_path: Path) -> None:
    house = contributed(tmp_path)
    code, output = house.run(
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_contracts.py"),
        *("-k", "CommonItems or RareItems or sample or catalog"),
    )
    assert code == 0, output[-3000:]
    assert int(re.search(r"(\d+) passed", output)[1]) >= 12
    linted = house.run("-c", "from importlinter.cli import lint_imports_command as run; run()")
    assert linted[0] == 0, linted[1][-2000:]
    shown = house.run("-m", "discreet.cli", "publish", "common-items", "--help")
    assert "Least number of people who hold an item." in " ".join(shown[1].split())


def test_what_is_left_out_is_caught(tmp_path: Path) -> None:
    house = contributed(tmp_path)
    samples = house.folder / "tests" / "samples.py"
    line = "    RareItems: (RareItems(), Rumour()),\n"
    samples.write_text(samples.read_text().replace(line, ""))
    code, output = house.run("-m", "pytest", "-q", "tests/test_contracts.py", "-k", "has_a_sample")
    assert code == 1
    assert "RareItems" in output
