"""The choices that publishers of tables share, once: how to generalise, and how close to stay."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from discreet.data.exact import Exact, exact
from discreet.data.guarantee import KAnonymity
from discreet.data.microdata import Microdata
from discreet.data.table_guarantee import (
    Diversity,
    LDiversity,
    NTCloseness,
    TCloseness,
    distances_of,
)
from discreet.errors import ParameterError
from discreet.publish.tables.plans import Planner, refuse_without_secrets
from discreet.publish.tables.projecting import Hierarchies, check_share, projecting

__all__ = ["Close", "Generalising"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Generalising:
    """Tables whose columns are generalised as a whole until nobody is alone."""

    k: int
    """Least number of rows that share their quasi-identifiers, in each table."""
    hierarchy: Hierarchies = field(default=(), metadata={"unwritten": True})
    """A column and its public hierarchy; a column without one is kept or suppressed as a whole."""
    suppression_limit: Exact = 0
    """Share of rows that may be left out of a table, from 0 to 1; no more than necessary are."""

    def __post_init__(self) -> None:
        KAnonymity(k=self.k)
        check_share("suppression_limit", self.suppression_limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Close(Generalising):
    """Tables in which every class is close to the table as well, and diverse where asked for."""

    t: Exact
    """Largest distance between the values in a class and in its table, from 0 to 1."""
    n: int | None = None
    """Compare a class with a more general class of at least n rows instead: (n,t)-closeness."""
    distance: Mapping[str, str] | None = None
    """Attributes whose values are ordered or hierarchical, such as pay=ordered; others: equal."""
    discernibility_limit: int | None = None
    """Largest discernibility of a table; none by default."""
    diversity: Exact | None = None
    """The l of l-diversity that every class must also have; none by default."""
    diversity_kind: Diversity = "distinct"
    """Distinct values, an entropy of at least log(l), or recursive with diversity_c."""
    diversity_c: Exact | None = None
    """For recursive: the commonest value is rarer than c times the l-th and rarer ones."""

    def __post_init__(self) -> None:
        # a class with slots is made twice, and the bare super() would look into the first
        Generalising.__post_init__(self)
        _ = self.closeness, self.diverse
        if self.discernibility_limit is not None and self.discernibility_limit < 1:
            msg = f"discernibility_limit must be at least 1, got {self.discernibility_limit}"
            raise ParameterError(msg)

    @property
    def closeness(self) -> TCloseness | NTCloseness:
        """The closeness that is promised."""
        distance = distances_of(self.distance)
        if self.n is None:
            return TCloseness(t=self.t, distance=distance)
        return NTCloseness(n=self.n, t=self.t, distance=distance)

    @property
    def diverse(self) -> tuple[LDiversity, ...]:
        """The diversity that is promised, where it was asked for."""
        if self.diversity is None:
            return ()
        return (LDiversity(l=self.diversity, kind=self.diversity_kind, c=self.diversity_c),)

    def judge(self, data: Microdata, alpha: Exact = 1, beta: Exact = 1) -> Planner:
        """Return the judge of plans for these data, which computes everything once."""
        refuse_without_secrets(data)
        work = projecting(
            data,
            self.hierarchy,
            k=self.k,
            suppression_limit=self.suppression_limit,
            distance=distances_of(self.distance),
        )
        bounds = (exact("t", self.t), exact("alpha", alpha), exact("beta", beta))
        diversity = self.diverse[0] if self.diverse else None
        return Planner(work, *bounds, self.discernibility_limit, diversity, self.n)
