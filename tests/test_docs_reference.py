"""Commands of reference pages run as they stand, in order, on the files of `demo --files`.

Pages that are not listed show files that only their reader has, a cluster, or public data.
"""

import re
import shlex
from pathlib import Path
from shutil import copytree, rmtree

import pytest
from click.testing import CliRunner

from discreet.cli.root import root

PAGES = Path(__file__).parents[1] / "docs" / "reference"
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN = (
    "apl-free", "apl-killer", "attribute-linkage", "background-join", "certify", "coat",
    "codip-star", "coherence", "counts", "diff-part", "disassociation", "frequency", "gp-asn",
    "greedy-swap", "interactive-linkage", "item-supports", "km-anonymity", "ledger", "like",
    "mondrian", "priv-bayes", "probabilistic-linkage", "propagation", "rho-m", "rt-anonymity",
    "sanony", "scale", "sets-and-degree", "sparse-histogram",
)  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reference") / "files"
    assert CliRunner().invoke(root, ["demo", "--files", str(folder)]).exit_code == 0
    return folder


def commands(page: str) -> list[list[str]]:
    """Return the commands of a page word by word, without what a comment says of them."""
    text = "".join(BLOCK.findall((PAGES / f"{page}.md").read_text("utf-8"))).replace("\\\n", " ")
    lines = re.findall(r"^discreet (.*)$", text, re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines]


@pytest.mark.parametrize("page", RUN)
def test_the_commands_of_a_page_run(
    page: str, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(copytree(files, tmp_path / "files"))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DISCREET_STORE", str(tmp_path / "store.db"))
    assert commands(page)
    for args in commands(page):
        if "--out" in args:  # a page may show the same release made in several ways
            rmtree(folder / args[args.index("--out") + 1], ignore_errors=True)
        ended = CliRunner().invoke(root, args)
        assert ended.exit_code == 0, f"{' '.join(args)}: {ended.output}"
