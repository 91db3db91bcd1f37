"""Incognito: the best full-domain generalisation that is k-anonymous."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.core.doc import Doc
from discreet.core.guarantee import Guarantee, KAnonymity, MConfidentiality
from discreet.rng import Rng
from discreet.tables.applying import TablesPlan
from discreet.tables.folding import FoldedTable
from discreet.tables.generalising.confidential import harmless_values, unlinkable
from discreet.tables.generalising.generalisations import Generalisations
from discreet.tables.generalising.lattice import Node
from discreet.tables.parameters import Generalising
from discreet.tables.projection.plans import refuse_without_secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Incognito(Generalising):
    """One k-anonymous table, each column generalised as a whole.

    LeFevre, DeWitt and Ramakrishnan, SIGMOD 2005. All combinations of levels that make the table
    k-anonymous are found, and the best of them is published. Sensitive attributes are not changed.
    """

    called: ClassVar = "incognito"

    m_confidentiality: Annotated[
        int | None,
        Doc(
            "Let nobody be linked to a sensitive value with a probability above 1/m, not even by "
            "someone who knows how the table was made; within the `suppression_limit`, classes "
            "that would reveal more are left out, and with them others of the same size, to hide "
            "which ones those are."
        ),
    ] = None

    def __post_init__(self) -> None:
        Generalising.__post_init__(self)
        _ = self.guarantees  # they check their own parameters

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """K-anonymity, and m-confidentiality where it was asked for."""
        claims = (KAnonymity(k=self.k),)
        if self.m_confidentiality is None:
            return claims
        return (*claims, MConfidentiality(m=self.m_confidentiality))

    def decide(self, statistics: FoldedTable, rng: Rng) -> TablesPlan:
        """Return the table under its best generalisation."""
        generalisations = self.search(statistics)
        node = generalisations.scores.nodes[int(np.argmin(generalisations.costs))]
        claims, gone = self._confidential(generalisations, node, rng)
        return generalisations.plan([(node, generalisations.sensitive)], claims, gone)

    def _confidential(
        self, generalisations: Generalisations, node: Node, rng: Rng
    ) -> tuple[tuple[Guarantee, ...], NDArray[np.bool_] | None]:
        """Return what is claimed, and the classes left out for it."""
        if self.m_confidentiality is None:
            return self.guarantees, None
        refuse_without_secrets(generalisations.folded)
        gone = unlinkable(
            generalisations, node, self.m_confidentiality, self.suppression_limit, rng
        )
        harmless = harmless_values(generalisations.folded)
        claim = MConfidentiality(m=self.m_confidentiality, non_sensitive=harmless)
        return (KAnonymity(k=self.k), claim), gone
