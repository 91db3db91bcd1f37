"""OpenDP's AIM and MST on a table of zeros and ones; runs in the peers' environment.

``python marginals.py IN.parquet OUT.parquet AIM|MST EPSILON DELTA`` writes the synthetic table and
prints the CPU seconds of learning and sampling. With a delta of 0 the budget is spent under pure
differential privacy, otherwise under the zero-concentrated one that gives (epsilon, delta).
"""

import math
import sys
from time import process_time

import opendp.prelude as dp
import polars as pl
from opendp.mod import OpenDPException

dp.enable_features("contrib")
SPLIT = 0.875
"""The share for measuring; 0.9, the default, is refused where rounding makes it a hair too much."""


TRIES, LESS = 6, 1e-4
"""How often a refused budget is made smaller, and by which share."""


def spent(epsilon: float, delta: float) -> dict[str, float]:
    """Return the budget: epsilon, or the largest rho that gives epsilon and delta.

    Bun and Steinke 2016, Proposition 1.3: rho + 2 sqrt(rho ln(1 / delta)) is epsilon.
    """
    if not delta:
        return {"epsilon": epsilon}
    root = math.sqrt(math.log(1 / delta))
    return {"rho": (math.sqrt(root**2 + epsilon) - root) ** 2}


def released(table: pl.LazyFrame, name: str, budget: dict[str, float]) -> object:
    """Let OpenDP learn a table of all marginals."""
    columns = table.collect_schema().names()
    context = dp.Context.compositor(
        data=table,
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(**budget),
    )
    return (
        context.query(**budget)
        .select(*columns)
        .contingency_table(
            keys={column: [0, 1] for column in columns},
            algorithm=getattr(dp.mbi, name)(measure_split=SPLIT),
        )
        .release()
    )


def main() -> None:
    source, target, name, epsilon, delta = sys.argv[1:]
    table = pl.scan_parquet(source)
    (loss, budget), *_ = spent(float(epsilon), float(delta)).items()
    for tries in range(TRIES):
        start = process_time()
        try:
            found = released(table, name, {loss: budget * (1 - tries * LESS)})
        except OpenDPException as error:
            # shares of the budget are added up with rounding, and a hair too much is refused
            if "insufficient budget" not in str(error) or tries + 1 == TRIES:
                raise
            continue
        break
    made = found.synthesize()
    print(process_time() - start)
    # a value outside the keys is none of the two
    made.with_columns(pl.all().fill_null(0)).write_parquet(target)


if __name__ == "__main__":
    main()
