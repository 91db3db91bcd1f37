"""What probably goes with an item of another chunk, beside all pairs weighed one by one."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Transactions, rng
from discreet.core.disassociated import Disassociated
from discreet.core.publication import Publication
from discreet.generalised import Cover, Disassociation
from discreet.generalised.chunks.weighing import likely
from discreet.generalised.guesses import score_covered
from discreet.study.examine import Evidence, examined
from discreet.study.judgement import judged
from tests.generalised.chunks.test_covering import contents

Places = list[tuple[list[int], dict[str, Fraction]]]


def places(content: Disassociated) -> Places:
    """The clusters of each chunk and of each term, and the share of their people with each item."""
    found: Places = [
        ([cluster], {term: Fraction(1, int(content.people[cluster]))})
        for cluster, terms in enumerate(content.terms)
        for term in terms
    ]
    for chunks in (content.chunks, content.shared):
        for chunk in range(len(chunks)):
            over = chunks.over(chunk).tolist()
            rows = [chunks.sets[row] for row in (chunks.chunk == chunk).nonzero()[0].tolist()]
            people = int(content.people[over].sum())
            names = {item for row in rows for item in row}
            found.append(
                (over, {item: Fraction(sum(item in r for r in rows), people) for item in names})
            )
    return found


def gains(
    content: Disassociated, least: Fraction
) -> Iterator[tuple[int, str, dict[str, Fraction]]]:
    """Each item of each cluster, with what is likely of the other places and what that gains."""
    found = places(content)
    prior = {
        item: sum(
            (
                share.get(item, Fraction(0)) * int(content.people[over].sum())
                for over, share in found
            ),
            Fraction(0),
        )
        / len(content)
        for item in content.universe
    }
    for cluster in range(content.count):
        here = [(number, share) for number, (over, share) in enumerate(found) if cluster in over]
        for number, shares in here:
            others = {
                item: share - prior[item]
                for other, chances in here
                for item, share in chances.items()
                if other != number and share >= least and share >= 2 * prior[item]
            }
            for known in shares:
                if others and max(others.values()) > 0:
                    yield cluster, known, others


@given(contents(), st.sampled_from(["1", "0.75", "0.5", "0.2"]))
def test_the_item_that_gains_most_is_claimed_of_each(content: Disassociated, share: str) -> None:
    names = content.universe
    made = {(each.cluster, names[each.known]): each for each in likely(content, Fraction(share))}
    expected = {
        (cluster, known): others for cluster, known, others in gains(content, Fraction(share))
    }
    assert made.keys() == expected.keys()
    for place, each in made.items():
        best = max(expected[place].values())
        assert expected[place][names[each.inferred]] == best
        assert each.share - each.prior == pytest.approx(float(best))


def nearly_everybodys() -> tuple[Transactions, Publication[Disassociated]]:
    """A cluster of twenty in which nineteen have wine, beside many who have none."""
    few = [["wine", f"rare{row}"] for row in range(19)] + [["rare19"]]
    many = [["bread", "milk"]] * 90 + [["bread", "tea"]] * 90
    data = Transactions.of(few + many)
    method = Disassociation(k=5, m=2, cluster_size=20, cover="0.9")
    return data, method.publish(data, rng.seeded(1))


def test_what_nearly_everybody_has_is_claimed_though_it_must_not_follow() -> None:
    data, made = nearly_everybodys()
    assert not Cover().attack([made.release]).claims
    found = Cover(originals="most", confidence="0.5").attack([made.release])
    wine = [claim for claim in found.claims if claim.inferred == ("wine",)]
    assert wine
    assert all(claim.prior is not None and claim.prior < 0.2 for claim in wine)
    (advantage,) = score_covered(found, [data], [made.release], [made.linkage_key]).advantages
    assert advantage.success.share > 0.9
    assert advantage.baseline.share < 0.2


def test_an_audit_does_not_pass_what_nearly_everybody_of_a_cluster_has() -> None:
    data, made = nearly_everybodys()
    evidence = Evidence(original=data, key=made.linkage_key)
    reasons = judged(examined(made.release, evidence), study=True).reasons
    assert [reason.words.startswith("cover (originals most") for reason in reasons] == [True]
    assert reasons[0].level == "do not release"
