"""Each sensitive attribute in exactly one table, and nothing that joins them: read aloud."""

from discreet.core.guarantees.tables import ProjectionPlan
from discreet.core.projected_tables import ProjectedTables
from discreet.core.verdict import Verdict

_CHECKED = (
    "whether a column beside the quasi-identifiers stands in two tables, a table has no sensitive "
    "attribute, or two columns of different tables number their rows alike, as ids would"
)


def projection_plan(content: ProjectedTables, claim: ProjectionPlan) -> Verdict:
    """Look for an attribute of two tables, an empty projection, and ids that could be shared."""
    witness = _shared(content) or _empty(content) or _id(content)
    return Verdict(guarantee=claim, holds=witness is None, checked=_CHECKED, witness=witness)


def _shared(content: ProjectedTables) -> str | None:
    home: dict[str, int] = {}
    for number, columns in enumerate(_besides(content), start=1):
        for name in columns:
            if home.setdefault(name, number) != number:
                return f"{name} is in table {home[name]} and in table {number}"
    return None


def _empty(content: ProjectedTables) -> str | None:
    for number, attributes in enumerate(content.sensitive, start=1):
        if not attributes:
            return f"table {number} holds no sensitive attribute"
    return None


def _id(content: ProjectedTables) -> str | None:
    """Find two columns of different tables that number the rows alike, as row ids would."""
    seen: dict[frozenset[str], tuple[int, str]] = {}
    for number, columns in enumerate(_besides(content), start=1):
        table = content.parts[number - 1]
        rows = int(content.people[number - 1].sum()) if content.people else table.height
        for name in columns:
            if rows < 2 or table[name].n_unique() < rows:
                continue
            values = frozenset(table[name].to_list())
            if values == {0, 1}:  # a value that one of two people has, not a number of theirs
                continue
            values = frozenset(map(str, values))
            first, other = seen.setdefault(values, (number, name))
            if first != number:
                return f"{other} of table {first} and {name} of table {number} number the rows"
    return None


def _besides(content: ProjectedTables) -> list[list[str]]:
    """Return for each table its columns but the quasi-identifiers; what was kept joins as well."""
    known = {*content.qids, content.set_column}
    return [[name for name in table.columns if name not in known] for table in content.parts]
