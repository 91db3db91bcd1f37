"""A person's groups show the same m or more private values, or no value in common.

Who is in a group and which value each one has only the owner knows: the key of a series lists the
rows of all its releases, whose they are and with which value.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Any, TypeAlias

from discreet.core.clusters import BAG, Clusters
from discreet.core.guarantees.clusters import MInvariant
from discreet.core.lineage import content_of, earlier_missing, follow
from discreet.core.publication import LinkageKey
from discreet.core.release import Release
from discreet.core.verdict import Verdict
from discreet.errors import DataError

BETWEEN = "\x00"
"""Between the terms of a value in a key; a value without terms is empty."""

Row: TypeAlias = tuple[str | None, str]
"""Who a row is, nobody for a counterfeit, and the value."""

_CHECKED = (
    "for every group of {} releases, that it holds m or more values, each once, that these are the "
    "terms it publishes and that its counterfeits are declared; for everyone, that any two groups "
    "show the same values or none in common"
)


def m_invariant(
    release: Release[Any],
    claim: MInvariant,
    after: Sequence[Release[Any]],
    key: LinkageKey | None,
) -> Verdict:
    """Read the groups of all releases through the owner's key."""
    if key is None:
        needed = "needs the owner's key of the series (--key)"
        return Verdict(guarantee=claim, holds=None, checked=needed, needs=("--key",))
    if needed := earlier_missing(release, after):
        return Verdict(guarantee=claim, holds=None, checked=needed, needs=("--after",))
    series = (*after, release)
    names = follow(series)
    signatures: dict[str, set[frozenset[str]]] = defaultdict(set)
    witness = None
    for number, (version, name) in enumerate(zip(series, names, strict=True), start=1):
        content = content_of(version, number)
        groups = _groups(content, _rows(key, number - 1, name, len(content)))
        fault = _poor_group(content, claim, groups)
        witness = witness or (fault and f"release {number}, {fault}")
        for members in groups.values():
            sign = frozenset(value for _, value in members)
            for person, _ in members:
                if person is not None:
                    signatures[person].add(sign)
    witness = witness or _changed_signature(signatures)
    checked = _CHECKED.format(len(series))
    return Verdict(guarantee=claim, holds=witness is None, checked=checked, witness=witness)


def _rows(key: LinkageKey, index: int, name: str, rows: int) -> list[Row]:
    """Return who each row of the release of that fingerprint is, and with which value.

    Releases of other people may say the same: then their place in the series tells them apart.
    """
    table, releases = key.tables.get("history"), list(key.facts.get("releases", ()))
    if table is None or not {"release", "row", "id", "value"} <= set(table.columns):
        raise DataError("the key must be the one that m-invariance wrote for this series")
    if releases[index : index + 1] != [name]:
        msg = "the key must be of this series, but it knows nothing of one of the releases"
        raise DataError(msg)
    recorded = table.filter(table["release"] == index).sort("row")
    if recorded["row"].to_list() != list(range(rows)):
        raise DataError("the key must be of this series, but it lists other rows")
    return recorded.select("id", "value").rows()


def _groups(content: Clusters, rows: list[Row]) -> dict[int, list[Row]]:
    groups: dict[int, list[Row]] = defaultdict(list)
    for cluster, row in zip(content.cluster.tolist(), rows, strict=True):
        groups[cluster].append(row)
    return groups


def _poor_group(content: Clusters, claim: MInvariant, groups: dict[int, list[Row]]) -> str | None:
    """Find a group with too few values, one twice, or others than it publishes."""
    published: dict[int, Counter[str]] = defaultdict(Counter)
    entries = zip(
        content.private_cluster, content.private_term, content.private_copies, strict=True
    )
    for cluster, term, copies in entries:
        published[int(cluster)][content.terms[term]] = int(copies)
    if BAG in published:
        return "m-invariance knows no global bag, but the release has one"
    for group, members in groups.items():
        values = [value for _, value in members]
        if len(set(values)) < max(claim.m, len(values)):
            return f"cluster {group} does not hold m values, each once"
        terms = Counter(term for value in values if value for term in value.split(BETWEEN))
        if terms != published[group]:
            return f"cluster {group} does not publish the terms of its rows"
        if sum(person is None for person, _ in members) != content.counterfeits[group]:
            return f"cluster {group} does not declare its counterfeits"
    return None


def _changed_signature(signatures: dict[str, set[frozenset[str]]]) -> str | None:
    """Find someone two of whose groups differ and still have values in common."""
    for number, signs in enumerate(signatures.values()):
        if any(one & two for one, two in combinations(signs, 2)):
            return f"two groups of person {number + 1} of the key differ and have values in common"
    return None
