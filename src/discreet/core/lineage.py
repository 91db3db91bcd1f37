"""Releases of one series: in order, complete, and about the same private terms."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from discreet.core.clusters import Clusters
from discreet.core.guarantee import spoken
from discreet.core.release import Release
from discreet.errors import DataError
from discreet.lazy import pl


def fingerprint(content: Clusters) -> str:
    """Return a hash of what a release says, whatever the format it was written in."""
    digest = hashlib.sha256()
    # the items of a set in the same order, whatever order a file or the data gave them
    content = replace(content, sets=content.sets.over(sorted(content.sets.vocabulary)))
    for name, table in sorted(content.tables().items()):
        digest.update(name.encode())
        for column in table.get_columns():
            if column.dtype == pl.List(pl.String):
                digest.update(column.list.len().cast(pl.Int64).to_numpy().tobytes())
                column = column.explode(empty_as_null=False)
            if column.dtype == pl.String:
                digest.update("\x1f".join(column.to_list()).encode())
            else:
                digest.update(column.fill_null(-1).to_numpy().tobytes())
    return digest.hexdigest()


def content_of(release: Release[Any], index: int) -> Clusters:
    """Return the clusters of the release at ``index`` of a series."""
    if not isinstance(release.content, Clusters):
        kind = spoken(type(release.content).__name__)
        msg = f"the releases of a series must hold clusters, but release {index} holds {kind}"
        raise DataError(msg)
    return release.content


def earlier_missing(release: Release[Any], after: Sequence[Release[Any]]) -> str:
    """Say what a check of a whole series needs where no earlier release is given; or nothing."""
    earlier = len(release.manifest.follows or ())
    if not earlier or after:
        return ""
    whom = "the earlier release" if earlier == 1 else f"the {earlier} earlier releases"
    return f"needs {whom} of the series (--after, oldest first)"


def follow(releases: Sequence[Release[Any]]) -> tuple[str, ...]:
    """Return the fingerprints of the releases of a series, refusing one that is not whole.

    Every release names those before it, so a wrong order, a gap and a change are seen.
    """
    seen: list[str] = []
    for index, release in enumerate(releases, start=1):
        content = content_of(release, index)
        declared = release.manifest.follows
        if declared is None:
            msg = (
                f"release {index} of the series was not made to be followed (it is by "
                f"{release.manifest.method}); begin the series with sanony or "
                "m-invariance"
            )
            raise DataError(msg)
        if list(declared) != seen:
            raise DataError(_fault(declared, seen, index))
        seen.append(fingerprint(content))
    return tuple(seen)


def _fault(declared: Sequence[str], seen: list[str], index: int) -> str:
    if len(declared) != len(seen):
        return (
            f"release {index} of the series must follow {index - 1} others, but it was made after "
            f"{len(declared)}; give all earlier releases, oldest first"
        )
    wrong = next(
        number for number, pair in enumerate(zip(declared, seen, strict=True)) if len(set(pair)) > 1
    )
    return (
        f"release {index} of the series was made after another release {wrong + 1} than this one, "
        "or that one was changed since; give the releases as they were published, oldest first"
    )
