"""Whatever is public says what it takes, what it returns and what it raises, as numpydoc lays out.

A function of nothing, or of one thing that its first sentence names, may say all of that in the
sentence. What every publisher, attack, measure, scorer and relatedness has in common is said
once, by the contract.
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from discreet.catalog import FAMILIES, parameters_of
from discreet.core.attack import Attack
from discreet.core.family import Measure, Scorer
from discreet.core.publisher import PlannedPublisher, Publisher, RowwisePublisher
from discreet.semantics.relatedness import JointRelatedness

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
import api_pages  # the page that lists what is public

Function = Callable[..., Any]


def sections(text: str) -> dict[str, list[str]]:
    """Return the entries of each numpydoc section of a docstring."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}$", text, flags=re.MULTILINE)
    return {
        name: [
            entry.lstrip("*")
            for line in body.splitlines()
            if line and not line.startswith((" ", ">>>"))
            for entry in line.split(", ")
        ]
        for name, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def taken(function: Function) -> list[str]:
    """Return the names of the parameters."""
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]


def returns(function: Function) -> bool:
    """Tell whether a function gives something back."""
    return inspect.signature(function).return_annotation not in (None, "None")


def faults(function: Function) -> list[str]:
    """Return what a docstring lacks."""
    text = inspect.getdoc(function) or ""
    sentence, names, laid_out = text.split("\n\n")[0], taken(function), sections(text)
    says_all = re.match(r"(Return|Yield|Whether|Draw)\b", sentence) is not None
    if len(names) <= 1 and says_all and all(f"``{name}``" in sentence for name in names):
        return []
    wrong = []
    if names and laid_out.get("Parameters") != names:
        wrong.append(f"Parameters: {laid_out.get('Parameters')} are not {names}")
    if returns(function) and not {"Returns", "Yields"} & laid_out.keys():
        wrong.append("Returns")
    return wrong


def functions_of(name: str, value: Any) -> Iterator[tuple[str, Function]]:
    """Yield a function, or what a class defines and does not hide."""
    if inspect.isfunction(value):
        yield name, value
    elif inspect.isclass(value):
        for own, member in vars(value).items():
            bare = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            if inspect.isfunction(bare) and not own.startswith("_"):
                yield f"{name}.{own}", bare


def exported(module: ModuleType) -> dict[str, Function]:
    return dict(
        pair
        for name in module.__all__
        for pair in functions_of(f"{module.__name__}.{name}", getattr(module, name))
    )


METHODS = tuple(
    dict.fromkeys(
        offered.method for family in FAMILIES for offered in (*family.publishers, *family.attacks)
    )
)
"""What the steps of a method are like is said by the contracts; its fields by their own words."""


def reference() -> dict[str, Function]:
    """Return what the Python reference offers, but for the steps of methods."""
    offered = {}
    for name in api_pages.MODULES:
        module = import_module(name)
        methods = {
            f"{module.__name__}.{method.__name__}."
            for method in METHODS
            if getattr(module, method.__name__, None) is method
        }
        own = exported(module).items()
        offered |= {key: value for key, value in own if not key.startswith(tuple(methods))}
    return offered


PUBLIC = reference()
COMMON = {
    offered.function: type(offered).__call__
    for family in FAMILIES
    for offered in (*family.measures, *family.scorers)
}
VERBS = {
    f"{family.name}.{offered.method.__name__}": (offered.method, contract, verb)
    for family in FAMILIES
    for contract, verb, offers in (
        (Publisher, "publish", family.publishers),
        (Attack, "attack", family.attacks),
    )
    for offered in offers
}


def test_the_walk_finds_what_is_public() -> None:
    assert {"discreet.verify", "discreet.Transactions.of", "discreet.rng.Rng.words"} <= set(PUBLIC)
    assert {"discreet.tables.dependence", "discreet.semantics.Corpus.build"} <= set(PUBLIC)
    assert len(PUBLIC) > 200
    assert len(VERBS) > 35


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_public_is_documented(name: str) -> None:
    function = PUBLIC[name]
    contract = COMMON.get(function) or getattr(JointRelatedness, function.__name__, None)
    common = contract is not None and {*taken(function)} <= {*taken(contract)}
    assert common or faults(function) == []


CONTRACTS = (
    Publisher.publish,
    PlannedPublisher.statistics,
    PlannedPublisher.decide,
    RowwisePublisher.apply,
    RowwisePublisher.claims,
    Attack.attack,
    Measure.__call__,
    Scorer.__call__,
    JointRelatedness.distances,
    JointRelatedness.joint_distances,
)


@pytest.mark.parametrize("function", CONTRACTS)
def test_a_contract_says_what_all_have_in_common(function: Function) -> None:
    assert faults(function) == []


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_documented_by_itself_or_by_its_contract(name: str) -> None:
    method, contract, verb = VERBS[name]
    function = getattr(method, verb)
    assert inspect.getdoc(function), "its own sentence says what becomes of the data"
    common = taken(function) == taken(getattr(contract, verb))
    assert common or faults(function) == []


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_a_step_takes_what_its_contract_says(method: Any) -> None:
    for step in CONTRACTS[1:5]:
        own = getattr(method, step.__name__, None)
        assert own is None or taken(own) == taken(step), step.__name__


def test_a_page_says_the_same_in_every_run() -> None:
    assert [name for name, page in api_pages.pages().items() if " at 0x" in page] == []


def silent(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def outdated(a: int, b: int) -> int:
    """Add two numbers.

    Parameters
    ----------
    a
        One of them.

    Returns
    -------
    int
        The sum.
    """
    return a + b


def short(a: int) -> int:
    """Return ``a`` and one more."""
    return a + 1


def test_a_planted_fault_is_seen() -> None:
    assert len(faults(silent)) == 2
    assert faults(outdated) == ["Parameters: ['a'] are not ['a', 'b']"]
    assert faults(short) == []


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.__name__)
def test_the_reference_shows_every_field_with_its_type_and_words(method: Any) -> None:
    package = ".".join(method.__module__.split(".")[:2])
    page = api_pages.pages()[package].split(f"\n## {method.__name__}\n")[1].split("\n## ")[0]
    signature = page.split("```")[1]
    assert all(
        len(line) <= api_pages.WIDTH + len(method.__name__) for line in signature.split("\n")
    )
    for parameter in parameters_of(method):
        (row,) = [line for line in page.split("\n") if line.startswith(f"| `{parameter.name}` |")]
        assert row.count("|") - row.count("\\|") == 5
        assert parameter.name in signature
        assert all(f"`{choice!r}`" in row for choice in parameter.choices)
