"""OpenDP's AIM and MST on a table of zeros and ones; runs in the peers' environment.

``python marginals.py IN.parquet OUT.parquet AIM|MST EPSILON DELTA`` writes the synthetic table and
prints the CPU seconds of learning and sampling. With a delta of 0 the budget is spent under pure
differential privacy, otherwise under the zero-concentrated one that gives (epsilon, delta).
"""

import math
import sys
from time import process_time
from typing import Any

import opendp.prelude as dp
import polars as pl
from opendp.extras.mbi import _mst

dp.enable_features("contrib")
# MST divides a share of the budget by the edges of its tree, one step of a float below, and OpenDP
# adds the parts up again with every sum rounded up: often a hair too much, which is refused
_mst.prior = lambda share: share * (1 - 1e-12)


def spent(epsilon: float, delta: float) -> dict[str, float]:
    """Return the budget: epsilon, or the largest rho that gives epsilon and delta.

    Bun and Steinke 2016, Proposition 1.3: rho + 2 sqrt(rho ln(1 / delta)) is epsilon.
    """
    if not delta:
        return {"epsilon": epsilon}
    root = math.sqrt(math.log(1 / delta))
    return {"rho": (math.sqrt(root**2 + epsilon) - root) ** 2}


def released(table: pl.LazyFrame, name: str, budget: dict[str, float]) -> Any:
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
            algorithm=getattr(dp.mbi, name)(),
        )
        .release()
    )


def main() -> None:
    source, target, name, epsilon, delta = sys.argv[1:]
    start = process_time()
    measured = released(pl.scan_parquet(source), name, spent(float(epsilon), float(delta)))
    made = measured.synthesize()
    print(process_time() - start)
    # a value outside the keys is none of the two
    made.with_columns(pl.all().fill_null(0)).write_parquet(target)


if __name__ == "__main__":
    main()
