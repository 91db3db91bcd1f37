"""What the fixture ``run`` is."""

import json
from collections.abc import Callable
from typing import TypeAlias

from click.testing import Result


def holds_by_parts(run: "Run", *words: object) -> bool | None:
    """Whether ``verify`` finds what a seeded release promises, part by part; it ends with 3."""
    done = run("verify", *words, "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["holds"], told["seeded"]) == (3, None, True)
    whole: bool | None = told["by_parts"]
    return whole


Run: TypeAlias = Callable[..., Result]
