"""Every guarantee comes to its verifier, whatever content it is claimed of."""

from dataclasses import replace
from typing import Any

import pytest

from discreet import Release, Transactions, rng, verify
from discreet.core.constraints import Constraints
from discreet.core.exact import LARGEST
from discreet.core.generalised_sets import GeneralisedSets
from discreet.core.guarantee import (
    BetaLikeness,
    Coherence,
    DeltaDisclosure,
    DifferentialPrivacy,
    Disassociated,
    Guarantee,
    KAnonymity,
    KDegree,
    KmAnonymity,
    LDiversity,
    Lkc,
    MConfidentiality,
    NoAttributeLeakage,
    NTCloseness,
    RhoUncertainty,
    SPreserving,
)
from discreet.core.histogram import ItemsetHistogram
from discreet.core.synthetic_people import SyntheticPeople
from discreet.core.verdict import Verdict
from discreet.counts import AplKiller
from discreet.errors import DataError
from discreet.generalised import Coherence as CoherentSets
from discreet.generalised import Disassociation, Km
from discreet.networks import GpAsn
from discreet.tables import Mondrian
from tests.samples import PUBLISHERS


def published(kind: type[Any]) -> Release[Any]:
    method, data = PUBLISHERS[kind]
    release: Release[Any] = method.publish(data, rng.seeded(1)).release
    return release


@pytest.mark.parametrize("kind", PUBLISHERS, ids=lambda kind: kind.__name__)
def test_every_claim_gets_a_verdict_of_its_own(kind: type[Any]) -> None:
    release = published(kind)
    beside: dict[str, Any] = {"after": getattr(PUBLISHERS[kind][0], "after", ())}
    if isinstance(release.content, GeneralisedSets):
        beside["privacy"] = Constraints.of([["bread"]])
    verdicts = verify(release, **beside)
    assert [part.guarantee for part in verdicts.parts] == list(release.guarantees)
    assert all(isinstance(part, Verdict) and part.holds is not False for part in verdicts.parts)


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        (LDiversity(l=1), True),
        (NTCloseness(n=1, t=1), True),
        (BetaLikeness(beta=1000), True),
        (DeltaDisclosure(delta=1000), True),
        (MConfidentiality(m=2), False),
    ],
)
def test_claims_about_tables_that_no_sample_makes(claim: Guarantee, *, holds: bool) -> None:
    release = replace(published(Mondrian), guarantees=(claim,))
    (part,) = verify(release).parts
    assert (part.guarantee, part.holds) == (claim, holds)


EQUAL = Transactions.of([["beer", "bread"]] * 9 + [[]] * 9, sensitive=["beer"])
"""People of whom whatever is known fits nine."""


@pytest.mark.parametrize(
    ("method", "claim"),
    [
        (Km(k=5, m=2), KmAnonymity(k=5, m=LARGEST)),
        (CoherentSets(k=5, p=2, h=1), Coherence(k=5, p=LARGEST, h=1)),
        (CoherentSets(k=5, p=2, h=1), Lkc(k=5, l=LARGEST, c=1)),
        (CoherentSets(k=5, p=2, h=1), RhoUncertainty(rho=1, known=LARGEST)),
        (Disassociation(k=5, m=2), Disassociated(k=5, m=LARGEST)),
    ],
)
def test_sets_larger_than_anybody_holds_are_not_gone_through(method: Any, claim: Guarantee) -> None:
    release = replace(method.publish(EQUAL, rng.seeded(1)).release, guarantees=(claim,))
    (part,) = verify(release).parts
    assert (part.guarantee, part.holds) == (claim, True)
    assert f"{LARGEST:,}" in part.checked


def test_made_up_people_are_the_counts_they_spell_out() -> None:
    for counts, holds in (({("a",): 3, ("b",): 2}, True), ({("a", "b"): 1}, False)):
        people = SyntheticPeople.of_counts(ItemsetHistogram.of(counts), rng.seeded(1))
        release = replace(published(AplKiller), content=people, guarantees=(NoAttributeLeakage(),))
        assert verify(release).by_parts is holds


@pytest.mark.parametrize(
    ("kind", "claim", "about"),
    [
        (Km, KAnonymity(k=2), "ProjectedTables"),
        (Km, DifferentialPrivacy(epsilon=1), "ItemsetHistogram"),
        (CoherentSets, DifferentialPrivacy(epsilon=1), "ItemsetHistogram"),
        (Mondrian, DifferentialPrivacy(epsilon=1), "ItemsetHistogram"),
        (Km, Disassociated(k=2, m=2), "Disassociated"),
        (Km, SPreserving(r_th=2), "Clusters"),
        (Km, NoAttributeLeakage(), "ItemsetHistogram"),
        (Km, KDegree(k=2), "Network"),
        (GpAsn, KmAnonymity(k=2, m=2), "GeneralisedSets"),
    ],
)
def test_a_claim_about_another_content_is_refused(
    kind: type[Any], claim: Guarantee, about: str
) -> None:
    release = replace(published(kind), guarantees=(claim,))
    with pytest.raises(DataError, match=f"this guarantee is about {about}, but the release holds"):
        verify(release)
