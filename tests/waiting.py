"""Waiting for what other threads and processes do, however busy the machine is."""

import time
from collections.abc import Callable
from typing import Any

import pytest

PATIENCE = 900
"""Seconds after which something is not slow but stuck; nothing that comes takes as long."""


def until(true: Callable[[], Any]) -> None:
    """Wait until something is true; a failure where it never is."""
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end:
            pytest.fail("it did not come to this")
        time.sleep(0.05)
