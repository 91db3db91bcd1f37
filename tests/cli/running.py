"""What the fixture ``run`` is."""

from collections.abc import Callable
from typing import TypeAlias

from click.testing import Result

Run: TypeAlias = Callable[..., Result]
