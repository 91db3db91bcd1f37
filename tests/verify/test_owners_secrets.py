"""A promise about secrets is about those that the owner names, not about those a release names."""

from dataclasses import replace
from typing import Any

import pytest

from discreet import Hierarchy, SocialNetwork, Transactions, verify
from discreet.core.guarantee import KmAnonymity, RhoUncertainty
from discreet.core.release import Release
from discreet.generalised import Coherence
from discreet.networks import GpAsn, RhoM
from discreet.series import Anatomy

HELD = [["bread", "hiv"], ["bread", "beer"], ["bread", "wine"], ["beer", "wine"]] * 10
PEOPLE = Transactions.of({str(number): held for number, held in enumerate(HELD)})


def _named(*secrets: str) -> Transactions:
    return replace(PEOPLE, sensitive=frozenset(secrets))


def _releases() -> list[Release[Any]]:
    data = _named("hiv")
    friends = SocialNetwork.of(data, [(str(row), str((row + 1) % 40)) for row in range(40)])
    return [
        RhoM(rho="0.9", known=1).publish(data).release,
        Coherence(h="0.9", k=2, p=1).publish(data).release,
        GpAsn(rho="0.9").publish(friends).release,
        Anatomy(l=2).publish(data).release,
    ]


@pytest.mark.parametrize("release", _releases(), ids=lambda each: each.manifest.method)
def test_secrets_that_only_the_owner_names_break_the_promise(release: Release[Any]) -> None:
    assert verify(release).holds is True
    assert verify(release, against=_named("hiv")).holds is True
    verdicts = verify(release, against=_named("hiv", "wine"))
    assert verdicts.holds is False
    assert verdicts.witness == "wine is named as sensitive, and not protected here"
    assert verify(release, against=_named("wine")).holds is False


def test_a_promise_that_is_not_about_secrets_is_judged_by_itself() -> None:
    release = RhoM(rho="0.9", known=1).publish(_named("hiv")).release
    of_rows = (KmAnonymity(k=2, m=1), KmAnonymity(k=999, m=1))
    more = replace(release, guarantees=(*of_rows, *release.guarantees))
    verdicts = verify(more, against=_named("hiv", "wine"))
    assert [part.holds for part in verdicts.parts] == [True, False, False]
    _, too_few, exposed = (part.witness for part in verdicts.parts)
    assert too_few != exposed == "wine is named as sensitive, and not protected here"


def test_a_promise_about_secrets_that_is_broken_keeps_its_own_witness() -> None:
    release = RhoM(rho="0.9", known=1).publish(_named("hiv")).release
    broken = replace(release, guarantees=(RhoUncertainty(rho="0.001"),))
    own = verify(broken)
    assert own.holds is False
    assert verify(broken, against=_named("hiv", "wine")).witness == own.witness


def test_a_secret_that_is_gone_needs_no_protection() -> None:
    data = _named("hiv")
    release = RhoM(rho="0.9", known=1).publish(data).release
    more = replace(data.over([*data.universe, "cancer"]), sensitive=frozenset({"hiv", "cancer"}))
    assert verify(release, against=more).holds is True


def test_a_secret_under_a_name_of_the_hierarchy_is_shown() -> None:
    tree = Hierarchy.of_pairs(
        [("beer", "drink"), ("wine", "drink"), ("bread", "*"), ("hiv", "*"), ("drink", "*")]
    )
    release = RhoM(rho="0.9", known=1).publish(_named("hiv")).release
    rows = [["drink" if item in ("beer", "wine") else item for item in row] for row in PEOPLE]
    recoded = replace(release, content=replace(Transactions.of(rows), applied=tree))
    assert verify(recoded).holds is True
    assert verify(recoded, against=_named("hiv", "wine")).holds is False
