"""Runs pycanon in its own environment: python canon.py QIDS SECRETS ROWS...

For each file of rows one line: what pycanon finds, and the seconds of CPU time it took. A secret
of whole numbers counts as ordered.
"""

import json
import sys
from time import process_time

import pandas as pd
from pycanon import anonymity


def main() -> None:
    qids, secrets = sys.argv[1].split(","), sys.argv[2].split(",")
    for file in sys.argv[3:]:
        table = pd.read_csv(file, dtype=str, keep_default_na=False)
        for name in secrets:
            if table[name].str.isdigit().all():
                table[name] = pd.to_numeric(table[name])
        print(json.dumps(suppressed(table, qids, secrets)))


def suppressed(table: pd.DataFrame, qids: list[str], secrets: list[str]) -> dict[str, dict]:
    anonymity.k_anonymity(table.head(10), qids)  # the first grouping pays for all
    seconds, values = {}, {}
    for name, run in {
        "k": lambda: int(anonymity.k_anonymity(table, qids)),
        "l": lambda: int(anonymity.l_diversity(table, qids, secrets)),
        "t": lambda: [float(anonymity.t_closeness(table, qids, [each])) for each in secrets],
        "beta": lambda: [
            float(anonymity.basic_beta_likeness(table, qids, [each])) for each in secrets
        ],
        "enhanced beta": lambda: [
            float(anonymity.enhanced_beta_likeness(table, qids, [each])) for each in secrets
        ],
        "delta": lambda: [
            float(anonymity.delta_disclosure(table, qids, [each])) for each in secrets
        ],
        "entropy l": lambda: int(anonymity.entropy_l_diversity(table, qids, secrets)),
    }.items():
        start = process_time()
        values[name] = run()
        seconds[name] = process_time() - start
    return {"seconds": seconds, "values": values}


if __name__ == "__main__":
    main()
