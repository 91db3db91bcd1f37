"""What engines that are asked in SQL have in common."""

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from discreet.errors import DataError
from discreet.scale.limits import bytes_of
from discreet.scale.queries import filled
from discreet.scale.verbs import SetColumns, Survey


class SqlEngine(ABC):
    """An engine that answers the verbs by queries of its own dialect."""

    def __init__(self, dialect: str, column: Callable[[str], str], memory: str) -> None:
        self._filled, self._column = partial(filled, dialect), column
        self.limit = bytes_of(memory)
        # only its owner may look into it: private rows are spilled there
        self.scratch = Path(tempfile.mkdtemp(prefix="discreet-"))
        self._surveys: dict[tuple[str, SetColumns], Survey] = {}

    @abstractmethod
    def _all(self, query: str) -> list[Any]:
        """Return all rows of an answer."""

    @abstractmethod
    def _person(self, table: str, name: str) -> str:
        """Return how ids are compared."""

    @abstractmethod
    def _counted(self, table: str, person: str) -> tuple[int, int, int]:
        """Return how many rows and people there are, and how many rows name nobody."""

    def survey(self, table: str, columns: SetColumns) -> Survey:
        """Look at the rows once."""
        survey = self._surveys.get((table, columns))
        if survey is None:
            survey = self._surveys[table, columns] = self._survey(table, columns)
        return survey

    def _survey(self, table: str, columns: SetColumns) -> Survey:
        if columns.person is None:
            [(rows,)] = self._all(f"SELECT count(*) FROM {table}")
            return Survey(rows, rows, 0, repeated=False)
        person = self._person(table, columns.person)
        counted, repeated = self._counted(table, person), False
        if columns.lists:
            [(repeated,)] = self._all(self._filled("repeated", table=table, person=person))
        return Survey(*counted, repeated)

    def faulty(self, table: str, lists: str) -> int:
        """Count the rows of a column of lists in which a member is missing or stands twice."""
        [(rows,)] = self._all(self._filled("faulty", table=table, column=self._column(lists)))
        return int(rows)

    def subsets(
        self, table: str, lists: str, size: int, least: int
    ) -> tuple[tuple[str, ...], int] | None:
        """Find a set of up to ``size`` members that stands in some rows, but in few."""
        asked = {"column": self._column(lists), "table": table, "least": least}
        sets, known = self._filled("first_members", **asked), "member_1"
        for longer in range(1, size + 1):
            if longer > 1:
                sets = self._filled("further_members", known=known, size=longer, shorter=sets)
                known = f"{known}, member_{longer}"
            for *members, rows in self._all(self._filled("rare", known=known, sets=sets, **asked)):
                return tuple(map(str, members)), rows
        return None


def ending_in(folder: Path) -> str:
    """Return the ending of the files of a folder, which must be of one kind."""
    endings = {file.suffix for file in folder.iterdir() if file.suffix in (".csv", ".parquet")}
    if len(endings) != 1:
        msg = f"{folder.name} must hold files of one kind, csv or parquet, and it does not"
        raise DataError(msg)
    return endings.pop()
