"""Libraries that take long to import, imported when something of theirs is first used.

``import discreet`` and help texts need none of them. At run time annotations that name them stay
in quotes.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["pl", "sa"]

if TYPE_CHECKING:
    import polars as pl
    import sqlalchemy as sa
else:

    class _Lazy:
        """Stands for a module, and asks it for whatever is asked of it."""

        _module: ModuleType | None = None

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                # whoever looks at a module from outside uses nothing of it
                raise AttributeError(name)
            # waits where another thread is just importing it
            self._module = self._module or import_module(self._name)
            return getattr(self._module, name)

    pl, sa = _Lazy("polars"), _Lazy("sqlalchemy")
