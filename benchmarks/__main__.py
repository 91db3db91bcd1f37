"""All benchmarks, one after the other: ``python -m benchmarks [--save | --compare] [NAME ...]``.

``--save`` writes the table of docs/reference/benchmarks.md; ``--compare`` says which ratio has
grown by half against it, and ends with 1 where one has.
"""

import argparse
import sys
from importlib import import_module

from benchmarks.results import Results, save, worsened

NAMES = (
    "reading",
    "reading_memory",
    "noise",
    "partitioning",
    "large_universes",
    "table_bayes",
    "projections",
    "leakage",
    "priv_bayes",
    "tables",
    "rho",
    "generalising",
    "k_m",
    "series",
    "series_publish",
    "semantics",
    "graphs",
    "scale",
    "workbench",
)
PEERS = ("peers.priv_bayes", "peers.tables", "peers.synthesis")
"""Only by name: they need the environments of ``make bench-peers``."""


def main() -> int:
    """Run what is named, or all."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0], allow_abbrev=False
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join((*NAMES, *PEERS)))
    parser.add_argument("--save", action="store_true", help="write docs/reference/benchmarks.md")
    parser.add_argument("--compare", action="store_true", help="tell what has grown by half")
    options = parser.parse_args()
    if unknown := sorted({*options.names} - {*NAMES, *PEERS}):
        parser.error(f"there is no benchmark {unknown[0]!r}: {', '.join((*NAMES, *PEERS))}")
    results = Results()
    for name in options.names or NAMES:
        print(f"\n== {name}")
        results.benchmark = name
        import_module(f"benchmarks.{name}").main(results)
    if options.save:
        save(results.rows)
    if not options.compare:
        return 0
    lines = worsened(results.rows)
    print("\nworse by half or more:", *(lines or ["nothing"]), sep="\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
