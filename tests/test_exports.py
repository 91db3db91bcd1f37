"""What a module says it exports is what it holds."""

import importlib
import pkgutil

import pytest

import discreet

MODULES = [module.name for module in pkgutil.walk_packages(discreet.__path__, prefix="discreet.")]


def test_the_walk_finds_the_house() -> None:
    rooms = {name.split(".")[1] for name in MODULES}
    assert {"data", "engine", "chance", "publish", "attack", "measure", "verify", "cli"} <= rooms
    assert len(MODULES) > 40


@pytest.mark.parametrize("name", ["discreet", *MODULES])
def test_all_is_what_is_there(name: str) -> None:
    module = importlib.import_module(name)
    exported = getattr(module, "__all__", [])
    assert [missing for missing in exported if not hasattr(module, missing)] == []
    assert len(set(exported)) == len(exported)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_speaks(name: str) -> None:
    assert len(importlib.import_module(name).__doc__ or "") > 20
