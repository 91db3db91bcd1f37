"""What every method and module must be, as functions that list the faults they see.

The contract tests run them over the catalog, and the tests of the guards over planted faults.
"""

import ast
import dataclasses
import inspect
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from types import ModuleType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np
import polars as pl

from discreet import Microdata, Release, SocialNetwork, Transactions, rng, verify
from discreet.catalog import Parameter, parameters_of
from discreet.catalog.syntax import bare
from discreet.core.graph import Network
from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.publication import Publication
from discreet.errors import ParameterError

PRIVACY_PARAMETERS = {"epsilon", "k", "t", "rho", "r_th", "m", "l"}
UNPROMISED = {("Mondrian", "t")}
"""Where a parameter is left out and its promise is not made, beside others that are."""


def faults_of_shape(method: Any) -> list[str]:
    """A method is a frozen, slotted, keyword-only dataclass of parameters."""
    if not dataclasses.is_dataclass(method):
        return ["no dataclass"]
    manifest = {
        "not frozen": not vars(method)["__dataclass_params__"].frozen,
        "no slots": "__slots__" not in vars(method),
        "not keyword-only": not all(field.kw_only for field in dataclasses.fields(method)),
    }
    return [fault for fault, present in manifest.items() if present]


def defaulted_privacy(method: Any) -> list[str]:
    """A privacy parameter is chosen by a person, so it has no default."""
    return [
        field.name
        for field in dataclasses.fields(method)
        if field.name in PRIVACY_PARAMETERS
        and (method.__name__, field.name) not in UNPROMISED
        and (field.default, field.default_factory) != (dataclasses.MISSING, dataclasses.MISSING)
    ]


def undocumented_fields(method: Any) -> list[str]:
    """Every field says under itself what it means."""
    return [
        parameter.name for parameter in parameters_of(method) if len(parameter.help.split()) < 2
    ]


WRONG = {
    int: (2.5, True, "many"),
    bool: ("yes", 1),
    str: (5, b"text"),
    tuple: ("text", 5, [object()]),
    Literal: ("reject", "", 1),
    Fraction: (True, "much"),
}
"""For a kind of field values that it must refuse; any kind refuses an object of no kind."""


def unrefused_values(instance: Any) -> list[str]:
    """A method is refused, by the field at fault, where a value is not what its field says."""
    missed = []
    for parameter in parameters_of(type(instance)):
        for wrong in (object(), *_wrong(parameter)):
            try:
                dataclasses.replace(instance, **{parameter.name: wrong})
            except ParameterError as error:
                if error.parameter == parameter.name:
                    continue
            except Exception as error:  # noqa: BLE001 (that is the fault looked for)
                missed.append(f"{parameter.name}={wrong!r}: {type(error).__name__}")
                continue
            missed.append(f"{parameter.name}={wrong!r}")
    return missed


def _wrong(parameter: Parameter) -> list[Any]:
    """Return what no kind of the field allows, and the empty tuple where it is no default."""
    plain = bare(parameter.kind)
    union = get_origin(plain) in (Union, UnionType)
    kinds = [get_origin(kind) or kind for kind in (get_args(plain) if union else (plain,))]
    # a number that decides is typed Fraction | int | float | str: only nonsense is refused
    kinds = [Fraction] if Fraction in kinds else kinds
    wrong = list(WRONG.get(kinds[0], ())) if len(kinds) == 1 else []
    takes_tuples = tuple in [get_origin(kind) or kind for kind in (plain, *get_args(plain))]
    return wrong + ([()] if takes_tuples and parameter.default != () else [])


def without_sample(methods: Iterable[type], sampled: Iterable[type]) -> list[str]:
    """A method that the contract tests cannot run is no part of the catalog."""
    there = set(sampled)
    return [method.__name__ for method in methods if method not in there]


def faults_of_publishing(instance: Any, data: Any, after: Any = ()) -> list[str]:
    """A publisher keeps its promise, claims it in the release, and leaves its data alone.

    Releases before this one stand in ``after``, if the method does not name them itself.
    """
    before = _seen(data)
    publication = instance.publish(data, rng.seeded(3))
    if not isinstance(publication, Publication):
        return ["no publication"]
    promised, claimed = set(instance.guarantees), set(publication.release.guarantees)
    # a method that works on a release may hand on what that one promised
    inherited = set(getattr(data, "guarantees", ()))
    # all that a promise may ask for is handed in: what still cannot be told cannot be checked
    earlier = after or getattr(instance, "after", ())
    verdicts = [verify(publication, after=earlier, against=original) for original in (None, data)]
    faults = {
        "other guarantees": not promised <= claimed <= promised | inherited,
        "broken promise": any(verdict.by_parts is False for verdict in verdicts),
        "promise that cannot be told": any(
            not isinstance(guarantee, DifferentialPrivacy) for guarantee in verdicts[-1].untold
        ),
        "changed data": _seen(data) != before,
    }
    return [fault for fault, present in faults.items() if present]


def faults_of_chance(instance: Any, data: Any) -> list[str]:
    """All chance comes from ``rng``: one seed, one release; another seed, another release."""
    first, again, other = (
        instance.publish(data, rng.seeded(seed)).release.to_polars() for seed in (5, 5, 6)
    )
    faults = {
        "a seed does not repeat": not all(first[name].equals(again[name]) for name in first),
        "a seed does not matter": all(first[name].equals(other[name]) for name in first),
    }
    return [fault for fault, present in faults.items() if present]


def faults_of_order(instance: Any, data: Any) -> list[str]:
    """For one seed a release does not depend on the order of the rows of the input."""
    expected = instance.publish(data, rng.seeded(5)).release.to_polars()
    faults = []
    for seed in (1, 2):
        tables = instance.publish(permuted(data, seed), rng.seeded(5)).release.to_polars()
        faults += [name for name in expected if not tables[name].equals(expected[name])]
    return sorted(set(faults))


def untried_choices(method: Any, tried: list[Any]) -> set[tuple[str, str]]:
    """Every word that a field allows is chosen somewhere, and every other field once by hand."""
    missed = set()
    for parameter in parameters_of(method):
        seen = [getattr(instance, parameter.name) for instance in tried]
        if parameter.choices:
            missed |= {
                (method.__name__, choice) for choice in parameter.choices if choice not in seen
            }
        elif all(value == parameter.default for value in seen):
            missed.add((method.__name__, parameter.name))
    return missed


def faults_of_slices(instance: Any, data: Any) -> list[str]:
    """A plan applied to parts of the data gives the rows that it gives for the whole."""
    chance = rng.seeded(5)
    plan = instance.decide(instance.statistics(data, chance), chance)
    whole = instance.apply(plan, data).tables()
    number = np.random.default_rng(8).integers(0, 3, len(data))
    slices = [
        _rows(data, np.flatnonzero(number == number_of_slice)) for number_of_slice in range(3)
    ]
    tables = [instance.apply(plan, slice_).tables() for slice_ in slices]
    return [
        name
        for name in whole
        if not _adds_up(whole[name], [tables_of_slice[name] for tables_of_slice in tables])
    ]


def _adds_up(whole: pl.DataFrame, parts: list[pl.DataFrame]) -> bool:
    """Whether the parts' rows are the whole's, or each part has the same public table."""
    if all(table.equals(whole) for table in parts):
        return True
    return Counter(map(repr, pl.concat(parts).rows())) == Counter(map(repr, whole.rows()))


def permuted(data: Any, seed: int) -> Any:
    """Return the same data with their rows in another order; ids move along."""
    if isinstance(data, Release):
        content = data.content.take(_order(len(data.content), seed))
        return Release(content, data.guarantees, data.manifest)
    if isinstance(data, Network | SocialNetwork):
        return _renumbered(data, _order(len(data), seed))
    return _rows(data, _order(len(data), seed))


def _order(rows: int, seed: int) -> Any:
    return np.random.default_rng(seed).permutation(rows)


def _rows(data: Any, order: Any) -> Any:
    """Return these rows of the data, in this order."""
    if isinstance(data, Microdata):
        return dataclasses.replace(data, table=data.table[order])
    if isinstance(data, Transactions):
        ids = None if data.ids is None else data.ids[order]
        return dataclasses.replace(data, sets=data.sets.take(order), ids=ids)
    msg = f"no rows can be taken of {type(data).__name__}"
    raise TypeError(msg)


def _renumbered(data: Any, order: Any) -> Any:
    """Return a network with its people in another order, and its edges as before."""
    edges = np.sort(np.argsort(order)[data.edges], axis=1)
    edges = edges[np.lexsort(edges.T[::-1])]
    if isinstance(data, SocialNetwork):
        return dataclasses.replace(data, people=_rows(data.people, order), edges=edges)
    return dataclasses.replace(data, edges=edges, ids=None if data.ids is None else data.ids[order])


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
    return [_seen(component) for component in (*parts, getattr(value, "folded", None))]
