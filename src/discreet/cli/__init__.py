"""People on top: the command line reads, calls and prints; everything else happens below."""

from discreet.cli.root import main

__all__ = ["main"]
