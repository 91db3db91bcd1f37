"""Audits of the methods of the house on the data they propose."""

import os
from dataclasses import fields, replace
from typing import Any

import pytest

from discreet.core.exact import positive
from discreet.counts.batch import outcomes
from discreet.mechanism_audit.audit import AuditVerdict, audit
from discreet.rng import seeded

compiled = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1",
    reason="tens of thousands of runs take minutes without the compiler",
)


def tried(method: Any, which: int, seed: int, runs: int, error: float = 1e-4) -> AuditVerdict:
    """Audit a method on one of the pairs it proposes."""
    pair = method.worst_pair()[which]
    public = {"universe": pair.universe, "max_size": pair.sizes[1]}
    known = {field.name for field in fields(method)}
    method = replace(method, **{name: public[name] for name in public.keys() & known})
    rng, smallest = seeded(seed), pair.sizes[0]
    return audit(
        lambda n: outcomes(method, pair.one, rng, n, smallest=smallest),
        lambda n: outcomes(method, pair.other, rng, n, smallest=smallest),
        runs=runs,
        epsilon=float(positive("epsilon", method.epsilon)),
        error=error,
    )
