"""Communities that take hours are found once and kept."""

from pathlib import Path

import numpy as np
import pytest

from discreet.cli.reproduce import _chosen
from discreet.networks.communities import communities
from discreet.papers import BY_NAME, PAPERS, girvan_newman
from discreet.papers.sampling import Lab

PATH = np.array([[0, 1], [0, 2], [1, 2], [2, 3], [3, 4], [3, 5], [4, 5]])


def test_what_is_kept_is_not_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lab = Lab(folder=tmp_path)
    found = girvan_newman.kept_communities(lab, 6, PATH)
    assert found.tolist() == communities(6, PATH, 0, algorithm="Girvan-Newman").tolist()
    monkeypatch.setattr(girvan_newman, "communities", lambda *_, **__: np.zeros(6, dtype=np.int64))
    # the same edges in another order, their ends changed round: the same graph
    again = girvan_newman.kept_communities(lab, 6, PATH[::-1, ::-1])
    assert again.tolist() == found.tolist()
    assert girvan_newman.kept_communities(lab, 7, PATH).tolist() == [0] * 6
    assert girvan_newman.kept_communities(lab, 6, PATH[1:]).tolist() == [0] * 6


def test_hours_are_spent_only_where_they_are_asked_for() -> None:
    assert {name for figures in PAPERS.values() for name in figures} >= BY_NAME
    assert "girvan-newman" not in _chosen("gpasn", (), BY_NAME)
    assert list(_chosen("gpasn", ("girvan-newman",), BY_NAME)) == ["girvan-newman"]
    assert "figure-6" in _chosen("gpasn", (), BY_NAME)
