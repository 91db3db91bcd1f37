"""All benchmarks, one after the other: ``python -m benchmarks [--save | --compare] [NAME ...]``.

``--save`` writes the table of docs/reference/benchmarks.md; ``--compare`` says which ratio has
grown by half against it, and ends with 1 where one has.
"""

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


def main() -> int:
    """Run what is named, or all."""
    options = {word for word in sys.argv[1:] if word.startswith("--")}
    results = Results()
    for name in [word for word in sys.argv[1:] if word not in options] or NAMES:
        print(f"\n== {name}")
        results.benchmark = name
        import_module(f"benchmarks.{name}").main(results)
    if "--save" in options:
        save(results.rows)
    if "--compare" not in options:
        return 0
    lines = worsened(results.rows)
    print("\nworse by half or more:", *(lines or ["nothing"]), sep="\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
