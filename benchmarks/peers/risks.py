"""Anonymeter's three attacks on synthetic people; runs in the peers' environment.

``python risks.py FOLDER`` reads original.csv, control.csv and synthetic.csv and prints for each
attack the 95 % interval of the risk: the success on the original beyond that on the control group.
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

ATTACKS = 500


def interval(evaluator: object, **how: str) -> tuple[float, float]:
    evaluator.evaluate(**how)
    low, high = evaluator.risk(confidence_level=0.95).ci
    return float(low), float(high)


def main() -> None:
    folder = Path(sys.argv[1])
    tables = [pd.read_csv(folder / f"{name}.csv") for name in ("original", "synthetic", "control")]
    whole = dict(zip(("ori", "syn", "control"), tables, strict=True))
    columns = list(tables[0].columns)
    half = len(columns) // 2
    secret = columns[-1]
    found = {
        "singling out": interval(
            SinglingOutEvaluator(**whole, n_attacks=ATTACKS, n_cols=5), mode="multivariate"
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
    print(json.dumps(found))


if __name__ == "__main__":
    main()
