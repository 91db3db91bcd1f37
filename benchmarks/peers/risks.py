"""Anonymeter's three attacks on synthetic people; runs in the peers' environment.

``python risks.py FOLDER`` reads original.csv, control.csv and synthetic.csv and prints for each
attack the 95 % interval of the risk, the success on the original beyond that on the control group,
and both rates of success.
"""

import json
import sys
from pathlib import Path

import pandas as pd
from anonymeter.evaluators import (
    InferenceEvaluator,
    LinkabilityEvaluator,
    SinglingOutEvaluator,
)

ATTACKS = 4_000
QUERIES = 500
"""Conditions that are to single somebody out: each is tried on all rows."""
MOST_TRIES = 20_000
"""Conditions that are made up to find these; unless told, anonymeter makes ten million."""


def interval(evaluator: object, **how: str) -> dict[str, float]:
    evaluator.evaluate(**how)
    rates, (low, high) = evaluator.results(), evaluator.risk(confidence_level=0.95).ci
    return {
        "low": low,
        "high": high,
        "on people": rates.attack_rate.value,
        "on the control group": rates.control_rate.value,
    }


def main() -> None:
    folder = Path(sys.argv[1])
    tables = [pd.read_csv(folder / f"{name}.csv") for name in ("original", "synthetic", "control")]
    whole = dict(zip(("ori", "syn", "control"), tables, strict=True))
    columns = list(tables[0].columns)
    half = len(columns) // 2
    secret = columns[-1]
    risks = {
        "singling out": interval(
            SinglingOutEvaluator(
                **whole, n_attacks=QUERIES, n_cols=len(columns), max_attempts=MOST_TRIES, seed=1
            ),
            mode="multivariate",
        ),
        "linkability": interval(
            LinkabilityEvaluator(
                **whole, n_attacks=ATTACKS, aux_cols=(columns[:half], columns[half:])
            )
        ),
        "inference": interval(
            InferenceEvaluator(**whole, n_attacks=ATTACKS, aux_cols=columns[:-1], secret=secret)
        ),
    }
    print(json.dumps(risks))


if __name__ == "__main__":
    main()
