"""The verifiers of tables beside pycanon, on the same rows in the same run.

``make bench-peers`` makes the environment of the peers and runs this.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from time import process_time

from benchmarks.results import Results
from discreet import Hierarchy, Release, verify
from discreet.core.guarantee import Guarantee, KAnonymity, LDiversity, TCloseness
from discreet.core.microdata import Microdata
from discreet.core.projected_tables import ProjectedTables
from discreet.core.release import Manifest
from discreet.verify.classes import counts_of
from discreet.verify.t_closeness import earth_mover

QIDS = ("sex", "age", "race", "marital-status", "education", "native-country")
SECRETS = ("salary-class", "occupation")
BAR = 20
"""How many times less CPU time is wanted."""
PEER = Path(".venv-peers", "bin", "python")
SCRIPT = Path(__file__).parent / "canon.py"
CLAIMS: dict[str, Guarantee] = {
    "k": KAnonymity(k=1),
    "l": LDiversity(l=1),
    "t": TCloseness(t=1),
    "entropy l": LDiversity(l=1, kind="entropy"),
}


def main(results: Results) -> None:
    if "DISCREET_DATA" not in os.environ or not PEER.exists():
        print("skipped: needs DISCREET_DATA and the environment of make bench-peers")
        return
    table = Microdata.read("dataset:adult-arx", qids=QIDS, sensitive=SECRETS).table
    applied = {name: Hierarchy.flat(table[name].unique()).tables()["hierarchy"] for name in QIDS}
    content = ProjectedTables((table,), applied)
    manifest = Manifest(method="none", parameters={}, randomness="none")
    # the first query starts polars' threads, the first grouping pandas' machinery: neither counts
    verify(Release(ProjectedTables((table.head(10),), applied), (CLAIMS["k"],), manifest))
    ours = {}
    for name, claim in CLAIMS.items():
        start = process_time()
        verify(Release(content, (claim,), manifest))
        ours[name] = process_time() - start
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder) / "rows.csv"
        table.write_csv(rows)
        command = [str(PEER), str(SCRIPT), ",".join(QIDS), ",".join(SECRETS), str(rows)]
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
    peer = json.loads(answer.stdout)
    for name in CLAIMS:
        taken = peer["seconds"][name]
        ratio = ours[name] / taken
        results.add(f"verify {name}", f"{ours[name]:.2f} s", f"pycanon, {taken:.2f} s", ratio)
    taken, together = sum(peer["seconds"].values()), sum(ours.values())
    times = f"a {BAR}th of pycanon's {taken:.2f} s"
    results.add("verify all four", f"{together:.2f} s", times, BAR * together / taken)
    values = [
        max(float(earth_mover(shares, tally.whole)) for shares in tally.classes.values())
        for tally in counts_of(content)
    ]
    print(f"closeness: ours {values}, pycanon {peer['values']['t']}")


if __name__ == "__main__":
    main(Results())
