"""No sensitive value is likelier than 1/m, in a published class or in what was left out.

Everyone being alike before the release, a value of a published class is as likely as it is common
there, and a value of people left out as common as among all of them in classes of that size.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from discreet.core.guarantees.tables import KAnonymity, MConfidentiality
from discreet.core.hierarchy import Hierarchy
from discreet.core.microdata import GAP, Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Release
from discreet.core.verdict import Verdict
from discreet.errors import DataError
from discreet.verify.classes import counts_of, named

_PUBLISHED = "for every class, how many of its rows hold the same sensitive value"
_UNTOLD = f"{_PUBLISHED}; for those who were left out, the original data are needed"
_WHOLE = f"{_PUBLISHED}, and how many of those left out who are in classes of the same size"

_DECLARED = "whether every value that needs no protection was declared so by the owner"
_NOTHING = "nothing: every sensitive value is declared to need no protection"

_Key = tuple[str, ...]


def m_confidentiality(
    release: Release[ProjectedTables], claim: MConfidentiality, against: Microdata | None
) -> Verdict:
    """Count values in the published classes, and with the original also in those left out."""
    if against is not None and (undeclared := _undeclared(claim, against)):
        return Verdict(guarantee=claim, holds=False, checked=_DECLARED, witness=undeclared)
    if not _protects(release.content, claim):
        return Verdict(guarantee=claim, holds=None, checked=_NOTHING)
    witness = _published(release.content, claim)
    if witness is None and against is None:
        return Verdict(guarantee=claim, holds=None, checked=_UNTOLD, needs=("--against",))
    if witness is None and against is not None:
        witness = _left_out(release, claim, against)
    return Verdict(guarantee=claim, holds=witness is None, checked=_WHOLE, witness=witness)


def _undeclared(claim: MConfidentiality, against: Microdata) -> str | None:
    """Name a value that needs no protection by the release alone, and not by its owner."""
    declared = against.bitmap.non_sensitive
    for name, value in claim.non_sensitive:
        lacking = value == "0" and name.partition("=")[0] in against.multi_valued
        if not lacking and value not in declared.get(name, ()):
            return f"{name} {value} needs protection in the original, and has none here"
    return None


def _protects(content: ProjectedTables, claim: MConfidentiality) -> bool:
    """Whether some published value needs protection; without a row none can tell."""
    tallies = [tally for tally in counts_of(content) if tally.whole]
    return not tallies or any(
        (tally.attribute, value) not in claim.non_sensitive
        for tally in tallies
        for value in tally.whole
    )


def _published(content: ProjectedTables, claim: MConfidentiality) -> str | None:
    for tally in counts_of(content):
        for key, counts in tally.classes.items():
            if _common(tally.attribute, counts, claim):
                name = named(content, key)
                return f"{tally.where}: {name} holds a value in more than 1/{claim.m} of its rows"
    return None


def _common(attribute: str, counts: Mapping[str, int], claim: MConfidentiality) -> bool:
    """Whether a value is held by too many of those with a value; a gap is no value."""
    rows = sum(count for value, count in counts.items() if value != GAP)
    return any(
        claim.m * count > rows
        for value, count in counts.items()
        if value != GAP and (attribute, value) not in claim.non_sensitive
    )


def _left_out(
    release: Release[ProjectedTables], claim: MConfidentiality, against: Microdata
) -> str | None:
    """Look for a class that is published in part, and for a value too common among those left."""
    people = against.bitmap
    content = release.content
    keys = _keys(release, people)
    sizes = Counter(keys)
    # a class too small for k-anonymity is left out whatever its values are
    least = max(
        (guarantee.k for guarantee in release.guarantees if isinstance(guarantee, KAnonymity)),
        default=1,
    )
    for number, table in enumerate(content.parts, start=1):
        shown = Counter(table.select(content.qids).iter_rows())
        if any(sizes[key] != rows for key, rows in shown.items()):
            return f"table {number} publishes a class that is no whole class of the original"
        gone = [p for p, key in enumerate(keys) if key not in shown and sizes[key] >= least]
        for attribute in content.sensitive[number - 1]:
            cells = people.table[attribute].to_list()
            by_size: dict[int, Counter[str]] = {}
            for index in gone:
                by_size.setdefault(sizes[keys[index]], Counter())[cells[index]] += 1
            for size, counts in by_size.items():
                if _common(attribute, counts, claim):
                    return (
                        f"table {number}, {attribute}: of those left out in classes of {size} rows "
                        f"more than 1/{claim.m} hold the same value"
                    )
    return None


def _keys(release: Release[ProjectedTables], people: Microdata) -> list[_Key]:
    """Return for each record of the original what its quasi-identifiers were generalised to."""
    levels = release.manifest.notes.get("levels")
    names = release.content.qids
    if not isinstance(levels, Mapping) or not set(levels) == set(names) == set(people.qids):
        msg = "the original must be read with the quasi-identifiers of the release, and is not"
        raise DataError(msg)
    columns = [
        _generalised(release.content, name, people.table[name].to_list(), levels[name])
        for name in names
    ]
    return list(zip(*columns, strict=True))


def _generalised(
    content: ProjectedTables, name: str, cells: Sequence[str], level: Any
) -> Sequence[str]:
    pairs = content.applied[name]
    tree = Hierarchy.of_tables({"hierarchy": pairs}) if pairs.height else None
    height = tree.height if tree else 1
    if type(level) is not int or not 0 <= level <= height:
        msg = f"the level of {name} must be from 0 to {height}, got {level!r} in the notes"
        raise DataError(msg)
    values = set(cells)
    known = values.intersection(tree.values) if tree else set()
    up = {value: tree.level(value, level) for value in known} if tree else {}
    # the root stands for what no hierarchy names too, and below it such a value is in no class
    root = _root(content, name) if level == height else None
    return [up.get(cell, cell if root is None else root) for cell in cells]


def _root(content: ProjectedTables, name: str) -> str | None:
    """Return what a column that is suppressed as a whole shows; None where it shows nothing."""
    shown = content.parts[0][name].unique().to_list()
    return str(shown[0]) if len(shown) == 1 else None
