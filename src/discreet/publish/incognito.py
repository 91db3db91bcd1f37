"""Incognito: the best full-domain generalisation that is k-anonymous."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.chance import Rng
from discreet.data.exact import Exact
from discreet.data.guarantee import Guarantee, KAnonymity
from discreet.data.microdata import Microdata
from discreet.data.publication import Publication
from discreet.data.release import Release
from discreet.data.tables import ProjectedTables
from discreet.publish.contract import manifest_of
from discreet.publish.projecting import Hierarchies, Projecting, check_share, projecting

__all__ = ["Incognito"]

Score: TypeAlias = Literal["discernibility", "class-size", "precision"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Incognito:
    """One table, each column generalised as a whole, in which nobody is alone.

    LeFevre, DeWitt and Ramakrishnan, SIGMOD 2005. All level vectors that are k-anonymous are found,
    and the best of them is published. Sensitive attributes stay as they are.
    """

    k: int
    """Least number of rows that share their quasi-identifiers."""
    hierarchy: Hierarchies = field(default=(), metadata={"unwritten": True})
    """A column and its public hierarchy; a column without one is kept or suppressed as a whole."""
    suppression_limit: Exact = 0
    """Share of rows that may be left out, from 0 to 1; no more than necessary are."""
    score: Score = "discernibility"
    """What the best generalisation has least of: discernibility, rows per class, or generality."""

    def __post_init__(self) -> None:
        KAnonymity(k=self.k)
        check_share("suppression_limit", self.suppression_limit)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K-anonymity."""
        return (KAnonymity(k=self.k),)

    def publish(self, data: Microdata, rng: Rng) -> Publication[ProjectedTables]:
        """Publish the table of ``data`` under its best generalisation."""
        work = projecting(data, self.hierarchy, k=self.k, suppression_limit=self.suppression_limit)
        node = work.scores.nodes[int(np.argmin(self.costs(work)))]
        content, keep = work.tables([(node, work.people.sensitive)], rng)
        levels = dict(zip(data.qids, node, strict=True))
        manifest = manifest_of(self, "incognito", rng, {"levels": levels})
        return Publication(Release(content, self.guarantees, manifest), keep)

    def costs(self, work: Projecting) -> NDArray[np.float64]:
        """Return what each k-anonymous generalisation costs; the lowest stand first."""
        scores = work.scores
        if self.score == "discernibility":
            return scores.discernibility.astype(np.float64)
        if self.score == "class-size":
            return scores.rows / scores.classes
        heights = np.array(work.lattice.heights)
        return np.asarray((np.array(scores.nodes) / heights).mean(axis=1), dtype=np.float64)
