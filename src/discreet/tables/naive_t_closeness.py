"""All sensitive attributes in one table, each as close as asked: the baseline of CODIP."""

from dataclasses import dataclass
from typing import ClassVar

from discreet.core.guarantee import Guarantee, KAnonymity
from discreet.rng import Rng
from discreet.tables.applying import TablesPlan
from discreet.tables.folding import FoldedTable
from discreet.tables.parameters import Close


@dataclass(frozen=True, slots=True, kw_only=True)
class NaiveTCloseness(Close):
    """One table, every sensitive attribute close to its overall distribution; they can be joined.

    Fang, Ashrafi and Ng 2011, section 3.1: t-closeness of each attribute by itself, where a
    multi-valued attribute is one column of 0 and 1 for each value. Someone who knows one sensitive
    value of a person can link the others to it.
    """

    called: ClassVar = "naive-t-closeness"

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K-anonymity, and closeness of each attribute; diversity where it was asked for."""
        return (KAnonymity(k=self.k), self.closeness, *self.diverse)

    def decide(self, statistics: FoldedTable, rng: Rng) -> TablesPlan:
        """Return the table under the close generalisation of least discernibility."""
        return self.judge(statistics).whole(self.guarantees)
