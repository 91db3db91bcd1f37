"""Publishes again and again, each time in a process that is killed at some moment. Run by tests.

The parent writes nothing: it forks, waits a random while, and kills.
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

import cryptography.hazmat.primitives.ciphers  # noqa: F401 (what a child would import each time)
import polars  # noqa: F401 (what a child would import each time)
import sqlalchemy  # noqa: F401 (what a child would import each time)

from discreet import Transactions, rng
from discreet.counts import DiffPart
from discreet.store import Store

PEOPLE = Transactions.of([["a", "b"], ["a"], ["c"]] * 30)
METHOD = DiffPart(epsilon="1/1000", universe=("a", "b", "c"))


def publish(where: str, out: Path) -> None:
    """Publish one release by the book."""
    store = Store(where)
    booking = store.reserve("town", "diff-part", METHOD.guarantees)
    publication = METHOD.publish(PEOPLE, rng.secure())
    booking.examine(publication)
    booking.write(publication, out, file_format="csv")


def tried(where: str, out: Path, longest: float) -> bool:
    """Publish in a child that lives for a random while; say whether it came to its end."""
    child = os.fork()
    if child == 0:
        publish(where, out)
        os._exit(0)
    time.sleep(random.uniform(0, longest))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status)


def main(where: str, folder: str, times: int) -> None:
    """Learn how long a release takes, then kill at random moments of it."""
    METHOD.publish(PEOPLE, rng.secure())  # loads what is compiled, once for all children
    began = time.monotonic()
    if os.fork() == 0:
        publish(where, Path(folder) / "whole")
        os._exit(0)
    os.wait()
    longest = 1.2 * (time.monotonic() - began)
    done = 0
    for number in range(times):
        ended = tried(where, Path(folder) / f"release{number}", longest)
        # a busy machine is slower than it was a moment ago: about half of them come to their end
        longest *= 0.8 if ended else 1.25
        done += ended
    print(done, times)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
