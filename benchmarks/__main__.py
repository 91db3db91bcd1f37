"""All benchmarks, one after the other: ``python -m benchmarks [NAME ...]``."""

import sys
from importlib import import_module

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
)


def main() -> None:
    for name in sys.argv[1:] or NAMES:
        print(f"\n== {name}")
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
