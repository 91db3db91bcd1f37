"""All sensitive attributes in one table, each as close as asked: the baseline of CODIP."""

from dataclasses import dataclass

from discreet.core.guarantee import Guarantee, KAnonymity
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.publication import Publication
from discreet.core.publisher import manifest_of
from discreet.core.release import Release
from discreet.rng import Rng, secure
from discreet.tables.parameters import Close

__all__ = ["NaiveTCloseness"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NaiveTCloseness(Close):
    """One table with every sensitive attribute close to its distribution; they can be joined.

    Fang, Ashrafi and Ng 2011, section 3.1: t-closeness of each attribute by itself, a multi-valued
    one as bits. Who knows one sensitive value of a person can join the others to it.
    """

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K-anonymity, and closeness of each attribute; diversity where it was asked for."""
        return (KAnonymity(k=self.k), self.closeness, *self.diverse)

    def publish(self, data: Microdata, rng: Rng | None = None) -> Publication[ProjectedTables]:
        """Publish the table under the close generalisation of least discernibility."""
        rng = rng or secure()
        planner = self.judge(data)
        work = planner.work
        place = planner.node(work.people.sensitive)
        if place is None:
            raise planner.refusal((work.people.sensitive,))
        node = work.scores.nodes[place]
        content, keep = work.tables([(node, work.people.sensitive)], rng)
        levels = dict(zip(data.qids, node, strict=True))
        manifest = manifest_of(self, "naive-t-closeness", rng, {"levels": levels})
        return Publication(Release(content, self.guarantees, manifest), keep)
