"""Classes whose sensitive values are distributed unlike the whole table."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from discreet.core.attack import Limited, Releases, each_of
from discreet.core.doc import Doc
from discreet.core.exact import Exact, exact, positive_share
from discreet.core.findings import Claim, Findings, Threat
from discreet.core.projected_tables import ProjectedTables
from discreet.tables.background import Background, class_in_words, class_of_rows, fitting_rows
from discreet.tables.generalising.lattice import first_rows, grouped
from discreet.tables.promises.closeness import coded


@dataclass(frozen=True, slots=True, kw_only=True)
class Skewness(Limited):
    """Find the classes in which a sensitive value is much more likely than in the whole table.

    Li, Li and Venkatasubramanian, ICDE 2007. A class can be diverse and still make a value far more
    likely for its people than for others. Under t-closeness with equal distances, no value becomes
    more likely by more than t.
    """

    threatens: ClassVar[tuple[Threat, ...]] = ("inference",)

    gain: Annotated[
        Exact,
        Doc(
            "Claim a value whose probability is higher in the class than in the table by at "
            "least this."
        ),
    ] = "0.25"

    def __post_init__(self) -> None:
        Limited.__post_init__(self)
        positive_share("gain", self.gain)

    def attack(
        self, releases: Releases[ProjectedTables], knowledge: Background | None = None
    ) -> Findings:
        """Return the values that became likelier, for the known person or for everyone."""
        knowledge = knowledge or Background()
        claims: list[Claim] = []
        largest = 0.0
        for number, release in enumerate(each_of(releases, ProjectedTables)):
            rises = list(self._rises(number, release.content, knowledge))
            largest = max([largest, *(rise for rise, _ in rises)])
            least = float(exact("gain", self.gain))
            claimed = [(rise, claim) for rise, claim in rises if rise >= least]
            claimed.sort(key=lambda each: (-each[0], -each[1].people))
            claims += [claim for _, claim in claimed[: self.limit]]
        summary = {"largest_rise": largest, "claims": len(claims)}
        return Findings(attack="skewness", claims=tuple(claims), summary=summary)

    def _rises(
        self, number: int, content: ProjectedTables, knowledge: Background
    ) -> Iterator[tuple[float, Claim]]:
        """Yield for each class and attribute the value that rises most."""
        person = {n: v for n, v in (knowledge.person or {}).items() if n in content.applied}
        for table, attributes in zip(content.parts, content.sensitive, strict=True):
            classes = class_of_rows(content, table)
            met = set(classes[fitting_rows(content, table, person)].tolist())
            sizes = np.bincount(classes)
            for name in attributes:
                codes, count = coded(table[name].cast(str))
                overall = np.bincount(codes, minlength=count)
                pairs, counts = grouped([classes, codes])
                first = first_rows(pairs, len(counts))
                rows, everyone = sizes[classes[first]], table.height
                # whole numbers up to the last step, so that a rise of just the gain is claimed
                rise = (counts * everyone - overall[codes[first]] * rows) / (rows * everyone)
                rising = np.lexsort((rise, classes[first]))
                best = rising[np.flatnonzero(np.diff(classes[first][rising], append=-1))]
                for index in best.tolist():
                    row = int(first[index])
                    if classes[row] in met:
                        claim = Claim(
                            release=number + 1,
                            row=row,
                            known=class_in_words(content, table, row),
                            inferred=(f"{name}={table[name][row]}",),
                            confidence=int(counts[index]) / int(rows[index]),
                            people=int(sizes[classes[row]]),
                            prior=int(overall[codes[row]]) / everyone,
                        )
                        yield float(rise[index]), claim
