"""A server of counting queries that spends a privacy budget and stops when it is spent."""

from fractions import Fraction
from typing import NoReturn

from discreet.core.budget import Budget, OwnBudget
from discreet.core.exact import Exact
from discreet.core.guarantee import DifferentialPrivacy
from discreet.core.transactions import Transactions
from discreet.counts.queries.query import Query
from discreet.errors import InfeasibleError
from discreet.rng import Rng, discrete_laplace
from discreet.rng.stream import this_process


class QueryServer:
    """Answers counting queries with exact integer noise, within one total budget.

    One person more or less changes a count by at most one, so an answer with discrete Laplace
    noise at a query's epsilon costs that epsilon, and costs add up (Theorem 1 of Wang, Li, Lui and
    Sun 2022) whatever an adversary asks next. Queries about disjoint people could share a budget;
    the server does not look for that. It refuses a query it cannot afford, and whether it does
    depends on the budgets asked for only, never on the data. How long an answer takes is not
    hidden.

    Unlike a publisher it has a state, the budget. A budget of its own lives as long as the server,
    which then answers only in the process that opened it; a budget in the store
    (``discreet.store``) is the same for every process and outlives them all. A server cannot be
    copied or pickled either way.

    >>> from discreet.rng import seeded
    >>> people = Transactions.of([["beer", "bread"]] * 20 + [["bread"]] * 5)
    >>> server = QueryServer(people, 1, seeded(4))
    >>> abs(server(Query(items=("bread",), epsilon="0.75")) - 25) < 20
    True
    >>> server.left
    Fraction(1, 4)
    """

    def __init__(self, data: Transactions, budget: Exact | Budget, rng: Rng) -> None:
        self._folded = data.folded
        self._counted: dict[tuple[frozenset[str], bool], int] = {}
        self._budget: Budget
        self._opened_in: tuple[int, int] | None = None
        if isinstance(budget, Fraction | int | float | str):
            self._budget, self._opened_in = OwnBudget(budget), this_process()
        else:
            self._budget = budget
        self._rng = rng
        self._ledger: list[Fraction] = []

    def __reduce__(self) -> NoReturn:
        msg = "a query server cannot be copied or pickled: a copy would spend its budget again"
        raise TypeError(msg)

    def __repr__(self) -> str:
        # never the content: a representation ends up in logs and tracebacks
        return f"QueryServer({len(self._ledger)} queries answered, {self.left} of budget left)"

    @property
    def guarantee(self) -> DifferentialPrivacy:
        """What all answers together promise, however many there will be."""
        return DifferentialPrivacy(epsilon=self._budget.total)

    @property
    def ledger(self) -> tuple[Fraction, ...]:
        """What each answer has cost."""
        return tuple(self._ledger)

    @property
    def left(self) -> Fraction:
        """The budget that is left."""
        return self._budget.left

    def __call__(self, query: Query) -> int:
        """Return the noisy count; below 0 where the noise says so."""
        if self._opened_in is not None and this_process() != self._opened_in:
            msg = (
                "a query server answers only in the process that opened it, for a forked one "
                "would spend its budget again; open another server with a budget of its own"
            )
            raise InfeasibleError(msg)
        # spent before the noise is drawn: a draw that fails is paid for as well
        self._budget.spend(query.budget)
        self._ledger.append(query.budget)
        return self._count(query) + int(discrete_laplace(1, query.budget, self._rng)[0])

    def _count(self, query: Query) -> int:
        """Return the true count, found once for all that ask the same."""
        asked = (frozenset(query.items), query.exactly)
        if asked not in self._counted:
            self._counted[asked] = query.count(self._folded)
        return self._counted[asked]
