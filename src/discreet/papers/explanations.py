"""Why a number of ours is not the printed one, in a sentence; docs/reproduction says more."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple


class Reason(NamedTuple):
    """A sentence, and the numbers that it explains: those with one of these values, if any."""

    why: str
    figure: tuple[str, ...]
    data: tuple[str, ...] = ()
    publisher: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    measure: tuple[str, ...] = ()

    def fits(self, row: Mapping[str, Any]) -> bool:
        """Whether it is about this number."""
        names = ("figure", "data", "publisher", "against", "measure")
        return all(not getattr(self, name) or row[name] in getattr(self, name) for name in names)


SHARES = ("aplkiller figure-3", "aplkiller figure-4", "aplkiller figure-8")
REASONS: Final = (
    Reason(
        "other data: the paper's check-ins are not available",
        ("aplkiller table-6",),
        data=("checkin",),
    ),
    Reason(
        "the fan-out is not printed and decides: near the printed shares at 4 and an epsilon of 1 "
        "or more, far below at 2; a larger c1 publishes the target less often",
        SHARES,
        publisher=("diff-part",),
    ),
    Reason(
        "both methods are compiled alike here; APLKiller partitions once for each size and adds "
        "boundaries, which outweighs what its pruning spares",
        ("aplkiller figure-7",),
    ),
    Reason(
        "this counts one leak chosen beforehand, which sampling fills in by chance in four "
        "releases of ten; if any leak of the target counts, the printed share comes out",
        ("aplkiller figure-9",),
        publisher=("priv-bayes",),
        measure=("P(APL for the target)",),
    ),
    Reason(
        "a share between 0.972 and 0.986 is printed; ours is a little higher from epsilon 0.2 on",
        ("aplkiller figure-9",),
        publisher=("priv-bayes",),
        measure=("P(some APL for the target)",),
    ),
    Reason(
        "other data: the paper's check-ins are not available, and on sets this short nearly "
        "nothing is frequent enough to be published",
        ("aplkiller figure-10",),
        data=("checkin",),
    ),
    Reason(
        "made-up records of the paper's sizes, not its check-ins",
        ("aplkiller figure-10",),
        data=("synthetic 266909x77",),
    ),
    Reason(
        "APLKiller splits the budget of each size as finely as DiffPart does that of all sizes, "
        "over partitions with fewer people, so more of them fall below their threshold",
        (
            "aplkiller figure-10",
            "aplkiller figure-11",
        ),
        against=("diff-part",),
    ),
    Reason(
        "the fan-out is not printed: below PrivBayes by 22 to 35 % at fan-out 4 and c1 = 0.5, "
        "above it elsewhere",
        ("aplkiller figure-11",),
        against=("priv-bayes",),
    ),
    Reason(
        "the number of anonymous nodes and every closeness depend on the hierarchies, which are "
        "not printed; one more level for one attribute moves all of them past the printed ones",
        ("codip figure-9",),
    ),
    Reason(
        "the plan nearest to the printed point, on the other split of the data",
        ("codip figure-5",),
    ),
    Reason(
        "other texts: the paper's were withdrawn, are restricted or are gone",
        (
            "semantic table-1",
            "semantic table-2",
        ),
    ),
    Reason(
        "other texts and another scoring corpus; read from the paper's words, its figure has no "
        "numbers; for k = 2 fewer candidates are added, so that there is less to find",
        ("semantic figure-13",),
    ),
    Reason(
        "the paper's posterior is no bound and its FP2 need not end; a method that keeps its "
        "promise needs more counterfeits",
        ("sanony figure-7",),
        publisher=("sanony",),
    ),
    Reason(
        "people whom no group of m can hide are postponed here, and counted as left out, not as "
        "counterfeits",
        ("sanony figure-7",),
        publisher=("m-invariance",),
    ),
    Reason(
        "a slip in print: 2 x 1,269,076 friendships / 103,271 people is 24.6",
        ("gpasn table-4",),
        data=("flixster",),
    ),
)
"""The first that fits is told."""


def reason_for(row: Mapping[str, Any]) -> str:
    """Return why a number of ours is not the printed one, or nothing where nobody knows.

    >>> from discreet.papers.figure import row_of, table_of
    >>> number = row_of("data", "average degree", 24.6)
    >>> reason_for(table_of("gpasn table-4", [number], data="flixster").row(0, named=True))
    'a slip in print: 2 x 1,269,076 friendships / 103,271 people is 24.6'
    """
    return next((reason.why for reason in REASONS if reason.fits(row)), "")
