"""The rules of composition, one by one."""

import pytest

from discreet.store.firewall import Profile, examined, next_release, together


def release(method: str, *promises: str, **rest: object) -> Profile:
    return Profile(name=method, method=method, promises=frozenset(promises), **rest)  # type: ignore[arg-type]


DP = release("diff-part", "DifferentialPrivacy")
TABLE = release("mondrian", "KAnonymity")
SETS = release("km-anonymity", "KmAnonymity")
FIRST = release("sanony", "SeriallyPreserving", follows=(), fingerprint="f1")
SECOND = release("sanony", "SeriallyPreserving", follows=("f1",), fingerprint="f2")
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
    ],
)
def test_each_rule(new: Profile, shelved: list[Profile], levels: list[str]) -> None:
    assert [flag.level for flag in examined(new, shelved)] == levels


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
        ([TABLE, DP], "nobody promises anything of them together"),
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
