"""The choices that COAT and PCTA share: what to protect, what may mix, what may be left out."""

from dataclasses import dataclass, field
from pathlib import Path

from discreet.data.constraints import Constraints
from discreet.data.exact import Exact
from discreet.data.guarantee import ConstraintSupport, Guarantee
from discreet.data.hierarchy import Hierarchy
from discreet.publish.blocks.constraining import Protect, Rounds, Undo, UtilityFrom, check_choices
from discreet.publish.blocks.generalised import promised

__all__ = ["Merging"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merging:
    """Items merged into blocks until every protected itemset fits enough records."""

    k: int
    """Least number of records that a protected itemset must fit, unless it fits none."""
    privacy: Constraints | None = field(default=None, metadata={"unwritten": True})
    """The itemsets to protect, one a line; >=10 at the end of a line asks for 10 if k is less."""
    protect: Protect = "file"
    """What to protect without such a file: every item, a share of them drawn by chance, or every
    itemset up to a size that fewer than k people have."""
    share: Exact = 10
    """For protect share: how many items to protect, in percent."""
    rare_size: int = 2
    """For protect rare: the largest itemsets to protect."""
    utility: Constraints | None = field(default=None, metadata={"unwritten": True})
    """Sets of items, one a line, that may stand for each other; without it, see utility-from."""
    utility_from: UtilityFrom = "one"
    """Where such sets come from: a file, if one is given; one set of all items; a level of a
    hierarchy; or what WordNet relates to the items of a constraint."""
    hierarchy: Hierarchy | None = field(default=None, metadata={"unwritten": True})
    """For utility-from hierarchy: the hierarchy of the items."""
    hierarchy_level: int = 1
    """For utility-from hierarchy: items with one name on this level may stand for each other."""
    wordnet: Path | None = field(default=None, metadata={"unwritten": True})
    """For utility-from wordnet: the folder of its files; default: that of DISCREET_DATA."""
    suppress: Exact = 0
    """How many items of a utility set may be left out, in percent from 0 to 100."""
    rounds: Rounds = "all"
    """Go through the constraints until all are met, or once, which is known to leave some unmet
    and then promises nothing."""
    undo: Undo = "merges"
    """What to give back at the end where it can be: last merges, or single members too."""

    def __post_init__(self) -> None:
        check_choices(self)
        ConstraintSupport(k=self.k)

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Support of every privacy constraint; nothing where constraints are gone through once."""
        return promised(self)
