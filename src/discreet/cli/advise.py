"""``discreet advise METHOD``: parameters from public facts only, and what to expect of them."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import click

from discreet.catalog import ItemList, find, unknown
from discreet.cli import show
from discreet.cli.listing import Listing
from discreet.cli.options import command, filled
from discreet.core.doc import Doc
from discreet.core.exact import Exact
from discreet.errors import ParameterError

if TYPE_CHECKING:
    from discreet.counts.partition.advice import SizeAdvice


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicFacts:
    """What everyone may know; the data themselves are never asked for."""

    epsilon: Annotated[Exact, Doc("Privacy budget; smaller is safer and noisier.")]
    items: Annotated[int | None, Doc("How many items the public universe has.")] = None
    universe: Annotated[
        ItemList, Doc("The public universe, one item per line, instead of `items`.")
    ] = None
    max_size: Annotated[
        int | None, Doc("Largest itemset to publish; default: all items, up to 64.")
    ] = None
    records: Annotated[
        int | None, Doc("About how many records there are, where that is public.")
    ] = None

    @property
    def number(self) -> int:
        """How many items there are."""
        if (self.items is None) == (self.universe is None):
            msg = "advice needs the number of items: give either `items` or `universe`"
            raise ParameterError(msg, parameter="items")
        return len(self.universe) if self.universe is not None else self.items or 0


def _apl_killer(*, json: bool, **typed: Any) -> int:
    from discreet.counts.partition import advice

    facts = filled(PublicFacts, typed)
    proposed = advice.advise(facts.epsilon, facts.number, facts.max_size, records=facts.records)
    if json:
        sizes = [
            asdict(proposal) | {"sparse_keeps_more": proposal.sparse_keeps_more}
            for proposal in proposed
        ]
        show.as_json({"method": "apl-killer", "epsilon": facts.epsilon, "sizes": sizes})
    else:
        _tell(facts, proposed)
    return 0


def _tell(facts: PublicFacts, proposed: "tuple[SizeAdvice, ...]") -> None:
    headings = ("size", "--fan-out", "--c1", "--c2", "noise", "survives", "sparse-histogram")
    show.table(headings, [_row(proposal) for proposal in proposed])
    show.lines(
        "",
        "noise: itemsets to expect that nobody has, were there no data; with data there are more",
        "survives: smallest count published with 90 % probability, if nobody else is near",
        "sparse-histogram: the same under that method, with five noise itemsets of each size",
    )
    options = " ".join(
        f"--{name} {value}"
        for name, value in (("max-size", facts.max_size), ("records", facts.records))
        if value is not None
    )
    show.heading("to publish so")
    show.lines(
        f"discreet publish apl-killer DATA --epsilon {facts.epsilon} --auto {options}".strip()
    )
    rarer = [str(proposal.size) for proposal in proposed if proposal.sparse_keeps_more]
    if rarer:
        show.heading("consider sparse-histogram")
        show.lines(
            f"it keeps rarer itemsets of size {', '.join(rarer)}; "
            "publish apl-free then takes attribute leakage out of its release"
        )


def _row(proposal: "SizeAdvice") -> tuple[str, ...]:
    numbers = (proposal.size, proposal.fan_out, proposal.c1, proposal.c2)
    counts = (f"{proposal.noise:.2g}", str(proposal.survives), str(proposal.sparse_survives))
    return (*map(str, numbers), *counts)


ADVISERS: Final[Mapping[str, Callable[..., int]]] = {"apl-killer": _apl_killer}
"""Who gives advice on which method."""


def _build(name: str) -> click.Command:
    if name not in ADVISERS:
        find(name, "publisher")
        raise unknown("method with advice", name, ADVISERS)
    return command(
        name,
        ADVISERS[name],
        arguments=[],
        sections={"Public facts": PublicFacts},
        about=f"Propose parameters for {name} from public facts only, and say what to expect.",
    )


advise = Listing(
    "advise",
    offered=lambda: {name: find(name, "publisher").summary for name in ADVISERS},
    build=_build,
    help="Propose parameters for METHOD from public facts only; no data are read.",
    subcommand_metavar="METHOD --epsilon E --items N [OPTIONS]",
)
