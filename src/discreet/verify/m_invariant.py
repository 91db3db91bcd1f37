"""A person's group shows the same m or more private values in every release.

Who is in a group and which value each one has only the owner knows: the key of a release lists its
rows with their values, and what every person's signature was before.
"""

from collections import Counter

from discreet.core.clusters import BAG, Clusters
from discreet.core.guarantees.clusters import MInvariant
from discreet.core.publication import LinkageKey
from discreet.core.verdict import Verdict
from discreet.errors import DataError

__all__ = ["m_invariant"]

NOTHING = "\x00"
"""Between the terms of a value in a key; a value without terms is empty."""

_CHECKED = (
    "for every group, that it holds m or more values, each once, that these are the terms it "
    "publishes, and that everyone in it had this signature before"
)
_COLUMNS = {
    "rows": {"row", "record"},
    "values": {"row", "value"},
    "people": {"record", "id"},
    "signatures": {"id", "signature"},
    "before": {"id", "signature"},
}


def m_invariant(content: Clusters, claim: MInvariant, key: LinkageKey | None) -> Verdict:
    """Read the groups through the owner's key."""
    if key is None:
        needed = "needs the owner's key of this release (--key)"
        return Verdict(guarantee=claim, holds=None, checked=needed, needs=("--key",))
    for name, columns in _COLUMNS.items():
        if name not in key.tables or not columns <= set(key.tables[name].columns):
            msg = "the key must be the one that m-invariance wrote for this release"
            raise DataError(msg)
    if sorted(key.tables["values"]["row"].to_list()) != list(range(len(content))):
        msg = "the key must be of this release, but it lists other rows"
        raise DataError(msg)
    witness = _poor_group(content, claim, key) or _changed_signature(content, key)
    return Verdict(guarantee=claim, holds=witness is None, checked=_CHECKED, witness=witness)


def _values(content: Clusters, key: LinkageKey) -> dict[int, list[str]]:
    """Return the values of each group's rows."""
    groups: dict[int, list[str]] = {}
    for row, value in key.tables["values"].select("row", "value").iter_rows():
        groups.setdefault(int(content.cluster[row]), []).append(value)
    return groups


def _terms(value: str) -> list[str]:
    return value.split(NOTHING) if value else []


def _poor_group(content: Clusters, claim: MInvariant, key: LinkageKey) -> str | None:
    """Find a group with too few values, one twice, or other terms than it publishes."""
    published: dict[int, Counter[str]] = {}
    entries = zip(
        content.private_cluster, content.private_term, content.private_copies, strict=True
    )
    for cluster, term, copies in entries:
        published.setdefault(int(cluster), Counter())[content.terms[term]] = int(copies)
    if BAG in published:
        return "m-invariance knows no global bag, but the release has one"
    for group, values in _values(content, key).items():
        if len(set(values)) < claim.m or len(set(values)) < len(values):
            return f"cluster {group} does not hold m values, each once"
        told = Counter(term for value in values for term in _terms(value))
        if told != published.get(group, Counter()):
            return f"cluster {group} does not publish the terms of its rows"
    return None


def _changed_signature(content: Clusters, key: LinkageKey) -> str | None:
    """Find someone whose group is not his signature, or not the one he had before."""
    signature = dict(key.tables["signatures"].select("id", "signature").iter_rows())
    before = dict(key.tables["before"].select("id", "signature").iter_rows())
    groups = {group: sorted(values) for group, values in _values(content, key).items()}
    people = key.tables["rows"].join(key.tables["people"], on="record")
    for row, person in people.select("row", "id").iter_rows():
        group = int(content.cluster[row])
        held = sorted(signature.get(person, ()))
        if held != groups[group] or sorted(before.get(person, held)) != held:
            return f"cluster {group}: someone's group does not show his signature"
    return None
