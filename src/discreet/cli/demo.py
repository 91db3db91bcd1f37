"""``discreet demo``: the main job on made-up data, as a story of five short scenes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from discreet import rng
from discreet.cli import show
from discreet.cli.examples import EXAMPLES, shown
from discreet.core.findings import Claim, Findings, rounded_percent
from discreet.core.itemsets import Itemsets
from discreet.core.release import Release
from discreet.core.synthetic_people import PublishedCounts
from discreet.core.transactions import Transactions
from discreet.counts import (
    AplKiller,
    AttributeLinkage,
    Counts,
    DiffPart,
    ProbabilisticLinkage,
    histogram_measures,
)
from discreet.counts.knowledge import Known
from discreet.errors import DataError
from discreet.io.writing import write_file
from discreet.measure import answers
from discreet.study.example import PRODUCTS, pharmacy
from discreet.study.example_files import example_files
from discreet.verify import verify

PEOPLE = 20_000
SEED = 2022
EPSILON = 1
TRY = (EXAMPLES["publish"], EXAMPLES["verify"], EXAMPLES["attack"])


@dataclass(frozen=True, slots=True)
class _Act:
    """One way to publish, attacked and measured."""

    release: Release[PublishedCounts]
    folder: Path
    findings: Findings
    loss: dict[str, Any]


def _act(method: AplKiller | Counts | DiffPart, data: Transactions, folder: Path) -> _Act:
    release = method.publish(data, rng.seeded(SEED)).release
    release.save(folder, force=True)
    return _Act(
        release,
        folder,
        AttributeLinkage().attack([release], Known()),
        dict(histogram_measures(data, release)),
    )


@click.command(short_help="See the whole workflow on built-in example data, in seconds.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("demo-release"),
    show_default=True,
    help="The folder to write the three releases to.",
)
@click.option(
    "--files",
    type=click.Path(path_type=Path),
    help="Only write made-up files to this folder; every example in a help text runs on them.",
)
@show.json_option
def demo(*, out: Path, files: Path | None, json: bool) -> int:
    """Publish made-up baskets in three ways, attack them, and see what each costs.

    Nothing private is involved, and a fixed seed makes the result the same each time.
    """
    if files is not None:
        return _write_files(files, json=json)
    with show.working("making up the baskets of a pharmacy"):
        data = pharmacy(PEOPLE, rng.seeded(SEED))
    with show.working("publishing, attacking, measuring"):
        plain = _act(
            DiffPart(epsilon=EPSILON, c1="0.5", universe=PRODUCTS), data, out / "diff-part"
        )
        paper = _act(AplKiller(epsilon=EPSILON, universe=PRODUCTS), data, out / "apl-killer")
        safe = _act(Counts(epsilon=EPSILON, universe=PRODUCTS), data, out / "counts")
    if json:
        show.as_json({act.release.manifest.method: _record(act) for act in (plain, paper, safe)})
    else:
        _tell(data, plain, paper, safe)
    return 0


def _write_files(folder: Path, *, json: bool) -> int:
    """Write the files of the examples, and say what to do with them."""
    made = example_files(rng.seeded(SEED))
    taken = [name for name in made if (folder / name).exists()]
    if taken:
        raise DataError(f"{folder / taken[0]} exists; name another folder with --files")
    for name, content in made.items():
        write_file(folder / name, content, "an example")
    return show.result(
        {"folder": folder, "files": list(made)},
        f"made-up files in {folder.as_posix()}: {', '.join(made)}",
        "",
        "Go there and try any example from a help text, such as:",
        *shown(TRY),
        json=json,
    )


def _record(act: _Act) -> dict[str, Any]:
    return {
        "folder": act.folder.as_posix(),
        "leaks": act.findings.record()["summary"],
        "verified": verify(act.release).record(),
        "measures": act.loss,
    }


def _tell(data: Transactions, plain: _Act, paper: _Act, safe: _Act) -> None:
    show.heading("1. The data")
    show.lines(
        f"{len(data):,} made-up people, each with the set of things they bought in a pharmacy;",
        f"{len(PRODUCTS)} products, {len(data.folded):,} different baskets. Some purchases are",
        "nobody's business.",
    )
    _tell_attack(plain, data)
    _tell_defence(safe)
    _tell_cost(plain, paper, safe)
    show.heading("5. Where the files are")
    show.lines(
        f"{', '.join(act.folder.as_posix() for act in (plain, paper, safe))}: each with its data,",
        "a manifest and a README.txt.",
        f"Try: discreet verify {safe.folder.as_posix()}",
        f"     discreet attack attribute-linkage {plain.folder.as_posix()}",
        "     discreet profile YOUR-DATA.csv",
        "     discreet publish counts YOUR-DATA.csv --universe ITEMS.txt --epsilon 1 --out R",
    )


def _tell_attack(act: _Act, data: Transactions) -> None:
    show.heading(f"2. Published with noise (DiffPart, epsilon {EPSILON}): the attack succeeds")
    findings = act.findings
    show.lines(
        f"{len(act.release.content):,} itemsets with noisy counts went out. From the release "
        "alone, an outsider",
        f"finds {len(findings):,} ways to be certain of something about a person"
        + (", for example:" if findings.claims else "."),
    )
    for claim in findings.claims[:3]:
        show.lines("", *_sentence(claim, data))


def _sentence(claim: Claim, data: Transactions) -> tuple[str, str]:
    known = ", ".join(claim.known) or "nothing at all"
    itemsets = Itemsets.of([claim.known, (*claim.known, *claim.inferred)], data.universe)
    fitting, right = answers(data.folded, itemsets).tolist()
    return (
        f"  who is known to have bought {known}",
        f"  must also have bought {', '.join(claim.inferred)} "
        f"(and of the {fitting:,} such people {right:,} really did)",
    )


def _tell_defence(act: _Act) -> None:
    show.heading(f"3. Published by counts, the same epsilon {EPSILON}: nothing found")
    verdicts = verify(act.release)
    show.lines(
        f"{len(act.release.content):,} itemsets went out. The same attack finds "
        f"{len(act.findings) or 'nothing'}.",
        "The independent verifier says: no such leak exists"
        if verdicts.by_parts
        else "The independent verifier says: BROKEN",
        "(that the noise is differentially private no release can show; the method is proved).",
    )
    likely = ProbabilisticLinkage().attack([act.release], Known())
    share = float(likely.summary["share_affected"])
    show.lines(
        "Certainty is gone, likelihood is not: for "
        f"{rounded_percent(share)} of the published people with two or more items",
        "some item still follows from the others with more than 90 % probability, by the published",
        "counts. Most of that is what the population gives away: `discreet attack",
        "probabilistic-linkage` tells, and `publish counts --tau 0.9` bounds it.",
    )


def _tell_cost(*acts: _Act) -> None:
    show.heading("4. What it cost")
    show.table(
        ("", "DiffPart", "APLKiller", "counts"),
        [
            (words, *(_number(act.loss[name]) for act in acts))
            for name, words in (
                ("itemsets", "itemsets published"),
                ("total_count", f"people in the release (of {PEOPLE:,})"),
                ("query_error_existing", "error of counts that exist (relative)"),
                ("query_error_random", "error of counts of random itemsets"),
                ("support_error_mean", "error of an item's share, on average"),
            )
        ],
    )


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
