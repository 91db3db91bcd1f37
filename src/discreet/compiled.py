"""The one decorator for compiled code: compile at the first call, keep the function's own type.

Importing numba takes longer than most commands run, so nothing here imports it until a kernel is
really called. A kernel may call other kernels by their global names.
"""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

__all__ = ["kernel"]

P = ParamSpec("P")
R = TypeVar("R")


class _Kernel:
    """A function that turns into its compiled form when it is first needed."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.compiled: Callable[..., Any] | None = None
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function

    def __call__(self, *args: Any) -> Any:
        return (self.compiled or self.compile())(*args)

    def compile(self) -> Callable[..., Any]:
        """Compile this kernel and, before it, every kernel it calls."""
        if self.compiled is None:
            import numba

            names = self.function.__globals__
            for name in self.function.__code__.co_names:
                called = names.get(name)
                if isinstance(called, _Kernel) and called is not self:
                    # numba resolves globals by value and knows its own dispatchers only
                    names[name] = called.compile()
            self.compiled = cast(
                "Callable[..., Any]", numba.njit(cache=True, nogil=True)(self.function)
            )
        return self.compiled


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` to machine code at its first call.

    Set ``NUMBA_DISABLE_JIT=1`` to run the same code interpreted, for coverage and debugging.
    """
    return cast("Callable[P, R]", _Kernel(function))
