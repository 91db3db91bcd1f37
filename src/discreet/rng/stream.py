"""Where chance comes from: one stream of random words, cryptographic, from the system or a seed."""

import os
from collections.abc import Callable
from hashlib import sha256
from threading import Lock, get_ident, local
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.core.exact import is_whole
from discreet.core.randomness import Rng
from discreet.errors import ParameterError
from discreet.kernels.noise import shuffle

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers import CipherContext

Sampler: TypeAlias = Callable[[NDArray[np.uint64], NDArray[np.int64]], int]
"""A kernel waiting for words and a position only; says it needs more by a position beyond them."""
Step: TypeAlias = Callable[[int, NDArray[np.uint64], NDArray[np.int64]], int]
"""A kernel that goes on from an index and returns the index reached when it is out of words."""

LEAST_WORDS = 64
MOST_WORDS = 1 << 16
"""Words fetched at once: few at first, up to half a megabyte where many are used."""
SECURE = "operating system entropy through AES-CTR"
SEEDED = "seeded: not for publication"
BEGINNING = Lock()
FORKS = [0]
"""How often this process and its ancestors were forked: a number of a process may come again."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: FORKS.__setitem__(0, FORKS[0] + 1))


class _Words:
    """The words of AES-256 in counter mode, fetched in growing blocks, for one thread."""

    def __init__(self, seed: int | None, block: int | None) -> None:
        self.owner = _this_thread()
        self.ahead = np.empty(0, dtype=np.uint64)
        self._cipher = _cipher(seed)
        self._block = block
        self._fetched = LEAST_WORDS // 2

    def fetch(self, missing: int) -> None:
        """Encrypt zeros into at least ``missing`` words more."""
        self._fetched = self._block or min(2 * self._fetched, MOST_WORDS)
        blocks = -(-missing // self._fetched)
        stream = self._cipher.update(bytes(8 * blocks * self._fetched))
        # the same seed gives the same words on every machine
        more = np.frombuffer(stream, dtype="<u8").astype(np.uint64, copy=False)
        self.ahead = np.concatenate([self.ahead, more])
        self.ahead.setflags(write=False)


class _Keystream:
    """A stream of random words that no two threads, processes or copies ever share.

    Without a seed each thread of each process has words of its own. A seed names one stream, which
    belongs to the thread that first draws from it. ``block`` fixes the number of words fetched at
    once; what is drawn must not depend on it.
    """

    def __init__(self, seed: int | None, block: int | None = None) -> None:
        self._seed = seed
        self._block = block
        self._own = local()
        self._first: tuple[int, int, int] | None = None

    def __reduce__(self) -> NoReturn:
        msg = "chance cannot be copied or pickled, for a copy would repeat it; make another one"
        raise TypeError(msg)

    @property
    def label(self) -> str:
        return SEEDED if self.seeded else SECURE

    @property
    def seeded(self) -> bool:
        return self._seed is not None

    def _words(self) -> _Words:
        """Return the words of this thread; in a forked process they are not the parent's."""
        own: _Words | None = getattr(self._own, "words", None)
        if own is None or (self._seed is None and own.owner != _this_thread()):
            self._own.words = own = self._begun()
        return own

    def _begun(self) -> _Words:
        with BEGINNING:
            if self._seed is not None and self._first not in (None, _this_thread()):
                msg = (
                    "seeded chance belongs to the thread that first drew from it, and another one "
                    "asks; make one for each thread"
                )
                raise ParameterError(msg, parameter="rng")
            self._first = _this_thread()
        return _Words(self._seed, self._block)

    def peek(self, n: int) -> NDArray[np.uint64]:
        own = self._words()
        if n > own.ahead.size:
            own.fetch(n - own.ahead.size)
        return own.ahead

    def advance(self, k: int) -> None:
        own = self._words()
        if not 0 <= k <= own.ahead.size:
            msg = f"an advance must stay within the {own.ahead.size} words peeked at, got {k}"
            raise ParameterError(msg, parameter="k")
        own.ahead = own.ahead[k:]

    def words(self, n: int) -> NDArray[np.uint64]:
        taken = self.peek(n)[:n]
        self.advance(n)
        return taken

    def integers(self, bound: int, size: int) -> NDArray[np.int64]:
        if not 1 <= bound <= 1 << 63:
            msg = f"the bound of random integers must be from 1 to 2**63, got {bound}"
            raise ParameterError(msg, parameter="bound")
        out = np.zeros(size, dtype=np.int64)
        mask = np.uint64((1 << (bound - 1).bit_length()) - 1)
        # one number needs no chance, and takes no word
        reached = size if bound == 1 else 0
        while reached < size:
            some = min(2 * (size - reached) + LEAST_WORDS, MOST_WORDS)
            ahead = self.peek(some)[:some] & mask
            hits = np.flatnonzero(ahead <= np.uint64(bound - 1))[: size - reached]
            out[reached : reached + hits.size] = ahead[hits]
            reached += hits.size
            self.advance(int(hits[-1]) + 1 if reached == size else ahead.size)
        return out

    def permutation(self, n: int) -> NDArray[np.int64]:
        order = np.arange(n, dtype=np.int64)
        fill(self, n, 1, lambda start, words, pos: shuffle(order, start, words, pos))
        return order


def this_process() -> tuple[int, int]:
    """Return what tells this process from the one that it was forked from, and from its forks."""
    return os.getpid(), FORKS[0]


def _this_thread() -> tuple[int, int, int]:
    """Return what tells this process and thread from all others that could share a stream."""
    return *this_process(), get_ident()


def _cipher(seed: int | None) -> "CipherContext":
    """Start AES-256-CTR on the system's entropy, or on a key made from ``seed``."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    if seed is None:
        key, nonce = os.urandom(32), os.urandom(16)
    else:
        key, nonce = sha256(f"discreet.chance.seeded:{seed}".encode()).digest(), bytes(16)
    return Cipher(algorithms.AES(key), modes.CTR(nonce)).encryptor()


def secure() -> Rng:
    """Return chance that nobody can foresee or repeat: for everything that is published.

    >>> secure().label
    'operating system entropy through AES-CTR'
    """
    return _Keystream(None)


def seeded(n: int) -> Rng:
    """Return chance that repeats itself for the same ``n``: for tests and studies only.

    Parameters
    ----------
    n
        The seed.

    Returns
    -------
    Rng
        What is published with it is marked as not for publication.

    Raises
    ------
    ParameterError
        Where ``n`` is no whole number.

    Examples
    --------
    >>> seeded(7).integers(10, 5).tolist() == seeded(7).integers(10, 5).tolist()
    True
    >>> seeded(7).label
    'seeded: not for publication'
    """
    if not is_whole(n):
        msg = f"`n` must be a whole number, got something of type {type(n).__name__}"
        raise ParameterError(msg, parameter="n")
    return _Keystream(int(n))


def bits(rng: Rng, n: int) -> int:
    """Return ``n`` random bits as one number, however large.

    >>> 0 <= bits(seeded(1), 100) < 2**100
    True
    """
    words = -(-n // 64)
    stream = rng.words(words).astype("<u8", copy=False).tobytes()
    return int.from_bytes(stream, "little") >> (64 * words - n)


def drawn(rng: Rng, sampler: Sampler) -> int:
    """Run ``sampler`` on the next words of ``rng``, with more of them until they suffice.

    >>> from discreet.kernels.noise import below
    >>> drawn(seeded(1), lambda words, pos: below(6, words, pos)) in range(6)
    True
    """
    pos = np.zeros(1, dtype=np.int64)
    words = rng.peek(LEAST_WORDS)
    value = sampler(words, pos)
    while pos[0] > words.size:
        words = rng.peek(2 * words.size)
        pos[0] = 0
        value = sampler(words, pos)
    rng.advance(int(pos[0]))
    return value


def fill(rng: Rng, end: int, words_each: int, step: Step) -> int:
    """Run ``step`` from index 0 until it reaches ``end`` or returns a negative number.

    ``words_each`` is a guess of the words needed per index; a step without any progress is run
    again with more words behind the same ones.
    """
    pos = np.zeros(1, dtype=np.int64)
    reached = 0
    while 0 <= reached < end:
        start = reached
        words = rng.peek(min((end - start) * words_each + LEAST_WORDS, MOST_WORDS))
        reached = step(start, words, pos)
        while reached == start:
            words = rng.peek(2 * words.size)
            reached = step(start, words, pos)
        rng.advance(int(pos[0]))
        pos[0] = 0
    return reached
