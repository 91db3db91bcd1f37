"""Errors carry the parameter at fault as a value, and everybody is told the name they know."""

import ast
import pickle
from pathlib import Path

import pytest

import discreet
from discreet.counts import AplKiller
from discreet.errors import DataError, DiscreetError, InfeasibleError, ParameterError
from discreet.generalised import Coat
from discreet.networks import GpAsn

SOURCE = Path(discreet.__file__).parent


@pytest.mark.parametrize("kind", [DataError, InfeasibleError, ParameterError])
def test_an_error_names_the_field_in_python_and_the_option_elsewhere(
    kind: type[DiscreetError],
) -> None:
    error = kind("`fan_out` must be at least 2, got 1", parameter="fan_out")
    assert str(error) == "fan_out must be at least 2, got 1"
    assert (
        error.message({"fan_out": "--fan-out"}.__getitem__) == "--fan-out must be at least 2, got 1"
    )
    assert error.parameter == "fan_out"
    sent = pickle.loads(pickle.dumps(error))
    assert (str(sent), sent.parameter) == (str(error), "fan_out")


def test_an_error_without_a_parameter_says_so() -> None:
    assert DataError("there is nothing").parameter is None


def test_a_refused_parameter_is_a_value() -> None:
    with pytest.raises(ParameterError) as refused:
        AplKiller(epsilon=0)
    assert refused.value.parameter == "epsilon"
    with pytest.raises(ParameterError) as refused:
        GpAsn(rho="0.5", g_min=1)
    assert refused.value.parameter == "g_min"
    with pytest.raises(ParameterError) as refused:
        Coat(k=5)
    assert (refused.value.parameter, str(refused.value)) == (
        "privacy",
        "the itemsets to protect must come from one place: give a file with privacy, or let them "
        "be made with protect items, share or rare",
    )


def _literal_text(node: ast.AST) -> str:
    """Return the words of a message, whatever is put in between them."""
    return "".join(str(child.value) for child in ast.walk(node) if isinstance(child, ast.Constant))


def _raised(function: ast.AST) -> list[tuple[int, str, bool]]:
    """Return line, text and whether a parameter is carried, for each error raised by a message."""
    messages = {
        node.lineno: _literal_text(node.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id == "msg"
    }
    return [
        (
            node.lineno,
            _literal_text(message)
            if isinstance(message, ast.Constant | ast.JoinedStr)
            else messages[max(line for line in messages if line < node.lineno)],
            any(keyword.arg == "parameter" for keyword in node.exc.keywords),
        )
        for node in ast.walk(function)
        if isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and isinstance(node.exc.func, ast.Name)
        and node.exc.func.id in ("ParameterError", "InfeasibleError", "DataError")
        and (message := node.exc.args[0])
        and (
            isinstance(message, ast.Constant | ast.JoinedStr)
            or (isinstance(message, ast.Name) and messages and min(messages) < node.lineno)
        )
    ]


def test_a_message_is_seen_where_it_stands() -> None:
    text = """
def refuse(k):
    msg = f"`k` must be at least 2, got {k}"
    raise ParameterError(msg, parameter="k")

def refuse_again(k):
    raise DataError(f"`k` must be at least 3, got {k}")
"""
    assert [each[1:] for each in _raised(ast.parse(text))] == [
        ("`k` must be at least 2, got ", True),
        ("`k` must be at least 3, got ", False),
    ]


def test_who_names_a_field_carries_it() -> None:
    raised = [
        (path.relative_to(SOURCE).as_posix(), *raised)
        for path in SOURCE.rglob("*.py")
        for raised in _raised(ast.parse(path.read_text()))
    ]
    assert len(raised) > 400
    naming = [each for each in raised if "`" in each[2]]
    assert len(naming) > 150
    assert [each for each in naming if not each[3]] == []
