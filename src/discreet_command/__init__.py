"""The command ``discreet`` from its first moment: loading everything takes most of a second.

Beside the package and not in it, because whoever imports a part of that loads the rest first.
"""

import os
import signal
from typing import NoReturn

__all__ = ["main"]


def _leave(*_: object) -> NoReturn:
    """End at once: nothing was begun that would have to be tidied up."""
    os.write(2, b"discreet: interrupted; nothing was begun\n")
    os._exit(130)


def main() -> None:
    """Load the command line and run it."""
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heard:
        signal.signal(signal.SIGINT, _leave)
    from discreet.cli import main as run

    if heard:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()
