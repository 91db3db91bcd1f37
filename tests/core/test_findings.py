from discreet.core.findings import Claim, Findings


def test_a_representation_shows_no_claim_and_nobody_of_the_private_data() -> None:
    claim = Claim(row=1, known=("beer",), inferred=("insulin",), confidence=1.0, people=1, person=7)
    assert repr(Findings(attack="propagation", claims=(claim,))) == "Findings(propagation: 1 claim)"
    assert "person" not in repr(claim)
