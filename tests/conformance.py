"""What every method and module must be, as functions that list the faults they see.

The contract tests run them over the catalog, and the tests of the guards over planted faults.
"""

import ast
import dataclasses
import inspect
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import numpy as np

from discreet import rng, verify
from discreet.catalog import parameters_of
from discreet.core.publication import Publication

PRIVACY_PARAMETERS = {"epsilon", "k", "t", "rho", "r_th", "m", "l"}


def faults_of_shape(method: Any) -> list[str]:
    """A method is a frozen, slotted, keyword-only dataclass of parameters."""
    if not dataclasses.is_dataclass(method):
        return ["no dataclass"]
    said = {
        "not frozen": not vars(method)["__dataclass_params__"].frozen,
        "no slots": "__slots__" not in vars(method),
        "not keyword-only": not all(field.kw_only for field in dataclasses.fields(method)),
    }
    return [fault for fault, present in said.items() if present]


def defaulted_privacy(method: Any) -> list[str]:
    """A privacy parameter is chosen by a person, so it has no default."""
    return [
        field.name
        for field in dataclasses.fields(method)
        if field.name in PRIVACY_PARAMETERS
        and (field.default, field.default_factory) != (dataclasses.MISSING, dataclasses.MISSING)
    ]


def undocumented_fields(method: Any) -> list[str]:
    """Every field says under itself what it means."""
    return [part.name for part in parameters_of(method) if len(part.help.split()) < 2]


def without_sample(methods: Iterable[type], sampled: Iterable[type]) -> list[str]:
    """A method that the contract tests cannot run is no part of the catalog."""
    there = set(sampled)
    return [method.__name__ for method in methods if method not in there]


def faults_of_publishing(instance: Any, data: Any) -> list[str]:
    """A publisher keeps its promise, claims it in the release, and leaves its data alone."""
    before = _seen(data)
    publication = instance.publish(data, rng.seeded(3))
    if not isinstance(publication, Publication):
        return ["no publication"]
    promised, claimed = set(instance.guarantees), set(publication.release.guarantees)
    # a method that works on a release may hand on what that one promised
    inherited = set(getattr(data, "guarantees", ()))
    said = {
        "other guarantees": not promised <= claimed <= promised | inherited,
        "broken promise": verify(publication.release).holds is False,
        "changed data": _seen(data) != before,
    }
    return [fault for fault, present in said.items() if present]


def faults_of_chance(instance: Any, data: Any) -> list[str]:
    """All chance comes from ``rng``: one seed, one release; another seed, another release."""
    first, again, other = (
        instance.publish(data, rng.seeded(seed)).release.to_polars() for seed in (5, 5, 6)
    )
    said = {
        "a seed does not repeat": not all(first[name].equals(again[name]) for name in first),
        "a seed does not matter": all(first[name].equals(other[name]) for name in first),
    }
    return [fault for fault, present in said.items() if present]


def faults_of_an_attack(method: Any) -> list[str]:
    """An attack is given releases and what the adversary knows, never the private data."""
    taken = list(inspect.signature(method.attack).parameters)
    return [] if taken == ["self", "releases", "knowledge"] else taken


def faults_of_exports(module: ModuleType) -> list[str]:
    """What a module says it exports is what it holds, each name once."""
    exported = getattr(module, "__all__", [])
    missing = [name for name in exported if not hasattr(module, name)]
    return missing + sorted({name for name in exported if exported.count(name) > 1})


def is_silent(module: ModuleType) -> bool:
    """A module that does not say in a few words what it is for."""
    return len((module.__doc__ or "").split()) < 3


def uses_of_folded(source: str) -> list[int]:
    """Lines where a verifier leans on the folding that publishers use."""
    tree = ast.parse(source)
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "folded"
    ]


def _seen(value: Any) -> Any:
    """Everything in a noun that a method could change, down to the bytes of its arrays."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if not dataclasses.is_dataclass(value):
        return repr(value)
    parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
    return [_seen(part) for part in (*parts, getattr(value, "folded", None))]
