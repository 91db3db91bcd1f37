"""The one decorator for compiled code: compile at the first call, keep the function's own type.

Importing numba takes longer than most commands run, so nothing here imports it until a kernel is
really called. A kernel may call other kernels by their global names.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from discreet import precompiled

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
        # by name now: once compiled, a global stands for machine code and tells its source no more
        self.calls: dict[str, _Kernel] = {}

    def __call__(self, *args: Any) -> Any:
        return (self.compiled or self.compile())(*args)

    def compile(self) -> Callable[..., Any]:
        """Compile this kernel and, before it, every kernel it calls."""
        if self.compiled is None:
            import numba

            _listen()
            for name, called in self._called():
                # numba resolves globals by value and knows its own dispatchers only
                self.function.__globals__[name] = called.compile()
                _SOURCES[id(called.compiled)] = called
                self.calls[name] = called
            dispatcher = numba.njit(cache=True, nogil=True)(self.function)
            # with the compiler off the function comes back as it is
            if dispatcher is not self.function:
                _stamp(dispatcher, self.stamp())
                _without_constants(dispatcher)
            self.compiled = cast("Callable[..., Any]", dispatcher)
        return self.compiled

    def _called(self) -> "Iterator[tuple[str, _Kernel]]":
        for name in self.function.__code__.co_names:
            called = self.function.__globals__.get(name)
            called = _SOURCES.get(id(called), called)
            if isinstance(called, _Kernel) and called is not self:
                yield name, called

    def stamp(self) -> str:
        """Return a hash of all this kernel is made of: files, its own and of those it calls.

        Numbers of other files that it knows by a global name become part of its machine code too.
        """
        known = self.function.__globals__
        named = [(name, known.get(name)) for name in self.function.__code__.co_names]
        constants = [pair for pair in named if isinstance(pair[1], int | float | str | tuple)]
        parts = [_file_hash(self.function.__code__.co_filename), repr(constants)]
        parts += [called.stamp() for _, called in sorted(self.calls.items())]
        return sha256("".join(parts).encode()).hexdigest()


_SOURCES: dict[int, _Kernel] = {}
"""The kernel behind each compiled function that has taken its place among the globals."""


@lru_cache
def _file_hash(path: str) -> str:
    return sha256(Path(path).read_bytes()).hexdigest()


def _stamp(dispatcher: Any, stamp: str) -> None:
    """Let the cache on disk go stale with any source it was made of, and fall back to what ships.

    numba looks at the kernel's own file only, so a change in a kernel of another file would go
    unnoticed. Where no folder can be written to, numba keeps no such file.
    """
    cached = getattr(dispatcher._cache, "_cache_file", None)
    if cached is None:
        return
    cached._source_stamp = stamp
    load, load_index = cached.load, cached._load_index

    def index_or_none() -> Any:
        try:
            return load_index()
        except (AttributeError, ImportError):
            # numba unpickles the types before it looks at the stamp: one has another name by now
            return {}

    def load_or_take(key: tuple[Any, ...]) -> Any | None:
        data = load(key)
        return precompiled.taken(cached._index_name, stamp, key) if data is None else data

    cached.load, cached._load_index = load_or_take, index_or_none


def _without_constants(dispatcher: Any) -> None:
    """Let one compilation serve every constant that another kernel passes.

    numba gives a constant a type of its own, and would compile the kernel anew for each.
    """
    from numba.core.types import unliteral

    template = getattr(dispatcher, "get_call_template", None)
    if template is None:  # the compiler is off, and this is the function itself
        return

    def get_call_template(args: Any, kws: Any) -> Any:
        args = tuple(map(unliteral, args))
        return template(args, {name: unliteral(kind) for name, kind in kws.items()})  # type: ignore[no-untyped-call]

    dispatcher.get_call_template = get_call_template


_ON_COMPILE: ContextVar[Callable[[], None] | None] = ContextVar("told of compiling", default=None)
"""Who wants to know, in this thread, that a function has to be compiled."""


@contextmanager
def compiling(callback: Callable[[], None]) -> Iterator[None]:
    """Call ``callback`` each time a function is compiled meanwhile; what is in the cache is not."""
    before = _ON_COMPILE.set(callback)
    try:
        yield
    finally:
        _ON_COMPILE.reset(before)


@lru_cache
def _listen() -> None:
    """Hear from numba, once, whenever it has to compile."""
    from numba.core import event

    class Compilation(event.Listener):
        def on_start(self, _: Any) -> None:
            callback = _ON_COMPILE.get()
            if callback:
                callback()

        def on_end(self, _: Any) -> None:
            """Nothing to do: a compilation is told when it begins."""

    # numba is not typed
    event.register("numba:compile", Compilation())  # type: ignore[no-untyped-call]


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` to machine code at its first call.

    Set ``NUMBA_DISABLE_JIT=1`` to run the same code interpreted, for coverage and debugging.
    """
    return cast("Callable[P, R]", _Kernel(function))
