"""What a module says it exports is what it holds."""

import importlib
import pkgutil
from pathlib import Path

import pytest

import discreet
from tests import conformance


def walked() -> list[str]:
    return [module.name for module in pkgutil.walk_packages(discreet.__path__, prefix="discreet.")]


MODULES = walked()


def test_the_walk_finds_the_house() -> None:
    files = [path for room in discreet.__path__ for path in Path(room).rglob("*.py")]
    assert len(walked()) == len(files) - 1  # the house itself is none of its rooms
    assert len(MODULES) > 40


@pytest.mark.parametrize("name", ["discreet", *MODULES])
def test_all_is_what_is_there(name: str) -> None:
    assert conformance.faults_of_exports(importlib.import_module(name)) == []


@pytest.mark.parametrize("name", MODULES)
def test_a_module_speaks(name: str) -> None:
    assert not conformance.is_silent(importlib.import_module(name))
