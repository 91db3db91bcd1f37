"""All sensitive attributes in one table, each as close as asked: the baseline of CODIP."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from discreet.chance import Rng
from discreet.data.exact import Exact
from discreet.data.guarantee import Guarantee, KAnonymity
from discreet.data.microdata import Microdata
from discreet.data.publication import Publication
from discreet.data.release import Release
from discreet.data.table_guarantee import Diversity, distances_of
from discreet.data.tables import ProjectedTables
from discreet.publish.contract import manifest_of
from discreet.publish.plans import (
    Planner,
    check_thresholds,
    closeness_claim,
    diversity_of,
    refuse_without_secrets,
    threshold,
)
from discreet.publish.projecting import Hierarchies, projecting

__all__ = ["NaiveTCloseness"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NaiveTCloseness:
    """One table with every sensitive attribute close to its distribution; they can be joined.

    Fang, Ashrafi and Ng 2011, section 3.1: t-closeness of each attribute by itself, a multi-valued
    one as bits. Who knows one sensitive value of a person can join the others to it.
    """

    k: int
    """Least number of rows that share their quasi-identifiers."""
    t: Exact
    """Largest distance between the values in a class and in the table, from 0 to 1."""
    n: int | None = None
    """Compare a class with a more general class of at least n rows instead: (n,t)-closeness."""
    hierarchy: Hierarchies = field(default=(), metadata={"unwritten": True})
    """A column and its public hierarchy; a column without one is kept or suppressed as a whole."""
    distance: Mapping[str, str] | None = None
    """Attributes whose values are ordered or hierarchical, such as pay=ordered; others: equal."""
    suppression_limit: Exact = 0
    """Share of rows that may be left out, from 0 to 1; no more than necessary are."""
    discernibility_limit: int | None = None
    """Largest discernibility of the table; none by default."""
    diversity: Exact | None = None
    """The l of l-diversity that every class must also have; none by default."""
    diversity_kind: Diversity = "distinct"
    """Distinct values, an entropy of at least log(l), or recursive with diversity_c."""
    diversity_c: Exact | None = None
    """For recursive: the commonest value is rarer than c times the l-th and rarer ones."""

    def __post_init__(self) -> None:
        check_thresholds(self)
        _ = self.guarantees

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K-anonymity, and closeness of each attribute; diversity where it was asked for."""
        claims = (KAnonymity(k=self.k), closeness_claim(self))
        diversity = diversity_of(self)
        return (*claims, diversity) if diversity else claims

    def publish(self, data: Microdata, rng: Rng) -> Publication[ProjectedTables]:
        """Publish the table under the close generalisation of least discernibility."""
        refuse_without_secrets(data)
        work = projecting(
            data,
            self.hierarchy,
            k=self.k,
            suppression_limit=self.suppression_limit,
            distance=distances_of(self.distance),
        )
        everything = Fraction(1)
        bounds = (threshold(self.t), everything, everything)
        planner = Planner(work, *bounds, self.discernibility_limit, diversity_of(self), self.n)
        place = planner.node(work.people.sensitive)
        if place is None:
            raise planner.refusal((work.people.sensitive,))
        node = work.scores.nodes[place]
        content, keep = work.tables([(node, work.people.sensitive)], rng)
        levels = dict(zip(data.qids, node, strict=True))
        manifest = manifest_of(self, "naive-t-closeness", rng, {"levels": levels})
        return Publication(Release(content, self.guarantees, manifest), keep)
