"""Whatever is public says what it takes, what it returns and what it raises, as numpydoc lays out.

A function of nothing, or of one thing that its first sentence names, may say all of that in the
sentence. What every publisher and every attack has in common is said once, by the contract.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

import discreet
from discreet import measure, rng
from discreet.catalog import FAMILIES
from discreet.core.attack import Attack
from discreet.core.publisher import Publisher

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


def functions_of(name: str, thing: Any) -> Iterator[tuple[str, Function]]:
    """Yield a function, or what a class defines and does not hide."""
    if inspect.isfunction(thing):
        yield name, thing
    elif inspect.isclass(thing):
        for own, member in vars(thing).items():
            bare = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            if inspect.isfunction(bare) and not own.startswith("_"):
                yield f"{name}.{own}", bare


def exported(module: ModuleType) -> dict[str, Function]:
    return dict(
        pair
        for name in module.__all__
        for pair in functions_of(f"{module.__name__}.{name}", getattr(module, name))
    )


PUBLIC = exported(discreet) | exported(rng) | exported(measure)
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
    assert len(PUBLIC) > 80
    assert len(VERBS) > 35


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_public_is_documented(name: str) -> None:
    assert faults(PUBLIC[name]) == []


@pytest.mark.parametrize("function", [Publisher.publish, Attack.attack])
def test_a_contract_says_what_all_have_in_common(function: Function) -> None:
    assert faults(function) == []


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_documented_by_itself_or_by_its_contract(name: str) -> None:
    method, contract, verb = VERBS[name]
    function = getattr(method, verb)
    assert inspect.getdoc(function), "its own sentence says what becomes of the data"
    common = taken(function) == taken(getattr(contract, verb))
    assert common or faults(function) == []


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
