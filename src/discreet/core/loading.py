"""Release folders back from disk, refusing what is incomplete or was changed."""

from pathlib import Path
from typing import Any

from discreet.core.clusters import Clusters
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.graph import Network
from discreet.core.guarantee import guarantee_of
from discreet.core.histogram import ItemsetHistogram
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Manifest, Release
from discreet.core.sets_with_network import SetsWithNetwork
from discreet.core.transactions import Transactions
from discreet.errors import DataError
from discreet.io.release_folder import read_release_folder

__all__ = ["CONTENTS", "load_release"]

CONTENTS = (
    ItemsetHistogram,
    Transactions,
    ProjectedTables,
    Clusters,
    GeneralisedSets,
    SetsWithNetwork,
    Network,
)
"""Every content type a release folder can hold."""


def load_release(path: Path) -> Release[Any]:
    """Read the release in the folder ``path``."""
    manifest, tables = read_release_folder(path)
    kinds = {kind.__name__: kind for kind in CONTENTS}
    try:
        kind = kinds[manifest["content"]]
        guarantees = tuple(guarantee_of(record) for record in manifest["guarantees"])
        described = Manifest(
            method=manifest["method"],
            parameters=manifest["parameters"],
            randomness=manifest["randomness"],
            notes=manifest["notes"],
        )
        return Release(kind.of_tables(tables), guarantees, described)
    except (KeyError, TypeError, AttributeError):
        msg = f"{path.name} is not a release this version can read: its manifest is malformed"
        raise DataError(msg) from None
