"""What rho-m keeps is counted occurrence by occurrence, for each number of known items."""

from itertools import combinations

from discreet import Transactions, rng
from discreet.networks import Dist, RhoM, kept_by_known

SETS = [set(each) for each in combinations("abcde", 3)] * 2
DATA = Transactions.of(
    [each | ({"s"} if n % 3 == 0 else set()) for n, each in enumerate(SETS)], sensitive=["s"]
)


def shares(content: Transactions) -> tuple[float, float]:
    published, original = list(content), list(DATA)
    secrets = sum("s" in each for each in published) / sum("s" in each for each in original)
    return secrets, sum(map(len, published)) / sum(map(len, original))


def test_the_release_itself_is_on_the_curve() -> None:
    for known in (1, 2, 3):
        release = RhoM(rho="1/3", known=known).publish(DATA, rng.seeded(4)).release
        rows = kept_by_known(DATA, release)["kept_by_known"]
        assert [row[0] for row in rows] == sorted({1, 2, known})
        assert {row[0]: row[1:] for row in rows}[known] == shares(release.content)


def test_other_points_are_those_of_releases_with_the_same_choices() -> None:
    method = RhoM(rho="1/3", known=1, names_first="1/2")
    rows = kept_by_known(DATA, method.publish(DATA, rng.seeded(4)).release)["kept_by_known"]
    two = RhoM(rho="1/3", known=2, names_first="1/2").publish(DATA, rng.seeded(0)).release
    assert rows[1] == (2, *shares(two.content))


def test_other_methods_have_no_curve() -> None:
    assert kept_by_known(DATA, Dist(rho="1/3").publish(DATA, rng.seeded(1)).release) == {}
