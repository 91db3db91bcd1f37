"""Settings shared by all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# the first call of a kernel compiles it, which takes seconds and says nothing about the code;
# `make test-slow` looks at new examples each time, `make test` at the same ones
settings.register_profile(
    "discreet",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize="DISCREET_EXPLORE" not in os.environ,
)
settings.load_profile("discreet")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of the papers' real data sets."""
    folder = os.environ.get("DISCREET_DATA")
    if not folder:
        pytest.skip("DISCREET_DATA is not set: the papers' data sets are not at hand")
    return Path(folder)
