"""How many releases leak: APLKiller and DiffPart on NLTCS and MSNBC, over epsilon and C1."""

from itertools import product

from benchmarks.results import Results, data_at_hand
from discreet import Transactions, rng, verify
from discreet.counts import AplKiller, AttributeLinkage, DiffPart
from discreet.counts.knowledge import Known

EPSILONS = ("0.25", "1", "2")
CONSTANTS = ("0.1", "0.5", "1")
RELEASES = 200


def leaking(
    data: Transactions, kind: type[AplKiller] | type[DiffPart], releases: int, **options: str
) -> tuple[int, int]:
    """Return how many of so many seeded releases leak by the attack, and by the verifier."""
    method = kind(fan_out=2, c2=1, universe=data.universe, **options)  # type: ignore[arg-type]
    attacked = refused = 0
    for seed in range(releases):
        release = method.publish(data, rng.seeded(seed)).release
        attacked += bool(AttributeLinkage().attack([release], Known()).claims)
        refused += verify(release).by_parts is False
    return attacked, refused


def main(results: Results) -> None:
    if not data_at_hand():
        return
    for name in ("nltcs", "msnbc"):
        data = Transactions.read(f"dataset:{name}")
        for epsilon, c1 in product(EPSILONS, CONSTANTS):
            options = {"epsilon": epsilon, "c1": c1}
            killer, refused = leaking(data, AplKiller, RELEASES, **options)
            plain, _ = leaking(data, DiffPart, RELEASES, **options)
            results.add(
                f"leaking releases of apl-killer, {name}, epsilon {epsilon}, C1 {c1}",
                f"{killer / RELEASES:.1%}",
                "diff-part's",
                killer / max(plain, 1),
                f"of {RELEASES} seeded releases; by the verifier {refused / RELEASES:.1%}, "
                f"diff-part {plain / RELEASES:.1%}",
            )
