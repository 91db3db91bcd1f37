"""Runs pycanon in its own environment: python canon.py ROWS QIDS SECRETS."""

import json
import sys
from time import process_time

import pandas as pd
from pycanon import anonymity


def main() -> None:
    table = pd.read_csv(sys.argv[1], dtype=str, keep_default_na=False)
    qids, secrets = sys.argv[2].split(","), sys.argv[3].split(",")
    seconds = {}
    for name, run in {
        "k": lambda: anonymity.k_anonymity(table, qids),
        "l": lambda: anonymity.l_diversity(table, qids, secrets),
        "t": lambda: closeness.extend(anonymity.t_closeness(table, qids, [s]) for s in secrets),
        "entropy l": lambda: anonymity.entropy_l_diversity(table, qids, secrets),
    }.items():
        start = process_time()
        run()
        seconds[name] = process_time() - start
    print(json.dumps({"seconds": seconds, "closeness": closeness}))


closeness: list[float] = []

if __name__ == "__main__":
    main()
