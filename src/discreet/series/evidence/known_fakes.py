"""Counterfeits that an attacker knows of, read from a file."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.core.clusters import Clusters
from discreet.core.release import Release
from discreet.errors import DataError
from discreet.lazy import pl


def known_fakes(
    releases: Sequence[Release[Clusters]], path: Path | None
) -> tuple[NDArray[np.int64], ...]:
    """Return for each cluster the fakes without private terms that are known."""
    if path is None:
        return ()
    counts = [np.zeros(each.content.count, dtype=np.int64) for each in releases]
    by_release = dict(enumerate(counts, start=1))
    try:
        # unsigned: a negative number would count from the end, and a gap would mean every cluster
        rows = pl.read_csv(path).select("release", "cluster", "count").cast(pl.UInt32).rows()
        for release, cluster, count in rows:
            by_release[release][int(cluster)] += count
    except OSError:
        msg = f"{path.name}, named by `fakes`, must be a csv file that can be read"
        raise DataError(msg, parameter="fakes") from None
    except (pl.exceptions.PolarsError, IndexError, KeyError, TypeError):
        msg = (
            f"{path.name}, named by `fakes`, must have columns release (from 1), cluster and count "
            "of the attacked releases"
        )
        raise DataError(msg, parameter="fakes") from None
    if any(
        (fakes < 0).any() or (fakes >= each.content.size).any()
        for fakes, each in zip(counts, releases, strict=True)
    ):
        msg = f"{path.name}, named by `fakes`, must leave at least one transaction in each cluster"
        raise DataError(msg, parameter="fakes")
    return tuple(counts)
