"""The rules of composition, one by one."""

import pytest

from discreet.store.firewall import Profile, beside_later, examined, next_release, together


def release(method: str, *promises: str, **rest: object) -> Profile:
    return Profile(name=method, method=method, promises=frozenset(promises), **rest)


DP = release("diff-part", "DifferentialPrivacy")
TABLE = release("mondrian", "KAnonymity")
SETS = release("km-anonymity", "KmAnonymity")
FIRST = release("sanony", "SeriallyPreserving", follows=(), fingerprint="f1")
SECOND = release("sanony", "SeriallyPreserving", follows=("f1",), fingerprint="f2")
ELSEWHERE = SECOND  # where the first is not on the shelf
REPEATABLE = release("diff-part", "DifferentialPrivacy", seeded=True)
TAKEN = release("diff-part", "DifferentialPrivacy", items_from_data=True)
ALONE = release("anony", "SPreserving", fingerprint="f3")


@pytest.mark.parametrize(
    ("new", "shelved", "levels"),
    [
        (DP, [], []),
        (DP, [DP, DP], []),
        (TABLE, [], []),
        (TABLE, [TABLE], ["flagged"]),
        (DP, [TABLE], ["flagged"]),
        (TABLE, [DP], ["flagged"]),
        (SECOND, [FIRST], []),
        (SECOND, [FIRST, DP], ["flagged"]),
        (release("sanony", "SeriallyPreserving", follows=()), [FIRST], ["refused"]),
        (release("m-invariance", "MInvariant", follows=("f1",)), [FIRST], ["refused"]),
        (ALONE, [FIRST], ["refused"]),
        (SETS, [FIRST], ["flagged"]),
        (FIRST, [ALONE], ["refused"]),
        (ALONE, [ALONE], ["flagged"]),
        (release("apl-killer"), [], ["flagged"]),
        (release("diff-part", "DifferentialPrivacy", seeded=True), [], ["flagged"]),
        (release("diff-part", "DifferentialPrivacy", items_from_data=True), [], ["flagged"]),
        (release("apl-free", "NoAttributeLeakage", derived=True), [TABLE, DP], []),
        (DP, [REPEATABLE], ["flagged"]),
        (ELSEWHERE, [], ["flagged"]),
        (release("sanony", "SeriallyPreserving", follows=("f2",)), [ELSEWHERE], ["refused"]),
        (release("sanony", "SeriallyPreserving", follows=("f1", "f2")), [ELSEWHERE], []),
    ],
)
def test_each_rule(new: Profile, shelved: list[Profile], levels: list[str]) -> None:
    assert [flag.level for flag in examined(new, shelved)] == levels


@pytest.mark.parametrize(
    ("mine", "later", "levels"),
    [
        (TABLE, [], []),
        (TABLE, [SETS], ["flagged"]),
        (DP, [DP], []),
        (DP, [TABLE], ["flagged"]),
        (FIRST, [SECOND], []),
        (FIRST, [SECOND, SETS], ["flagged"]),
    ],
)
def test_what_came_later_speaks_against_a_release_too(
    mine: Profile, later: list[Profile], levels: list[str]
) -> None:
    assert [flag.level for flag in beside_later(mine, later)] == levels


def test_a_series_must_go_on_from_all_of_it() -> None:
    third = release("sanony", "SeriallyPreserving", follows=("f1",))
    told = examined(third, [FIRST, SECOND])
    assert [flag.level for flag in told] == ["refused"]
    assert "does not go on from all 2 of them" in told[0].words


@pytest.mark.parametrize(
    ("shelved", "words"),
    [
        ([], "nothing is on the shelf yet"),
        ([DP, DP], "add up"),
        ([FIRST, SECOND], "one series by sanony"),
        ([TABLE], "one release"),
        ([TABLE, DP], "no promise covers them together"),
        ([DP, REPEATABLE], "nothing: whose chance can be repeated"),
        ([REPEATABLE], "nothing: whose chance can be repeated"),
        ([release("priv-bayes"), DP], "who promises nothing, is out (priv-bayes)"),
        ([DP, TAKEN], "which items occur was taken from the data"),
        ([ELSEWHERE], "1 before them that are not on the shelf"),
    ],
)
def test_what_releases_promise_together(shelved: list[Profile], words: str) -> None:
    assert words in together(shelved)


@pytest.mark.parametrize(
    ("shelved", "words"),
    [
        ([], "only for what it is itself"),
        ([DP, DP], "while budget is left"),
        ([FIRST, SECOND], "may go on from all 2 of the series"),
        ([ALONE], "cannot begin any more"),
        ([TABLE], "whatever comes next is flagged"),
    ],
)
def test_what_may_come_next(shelved: list[Profile], words: str) -> None:
    assert words in next_release(shelved)
