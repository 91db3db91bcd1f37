"""A cluster beside those that share members with it."""

from fractions import Fraction

from discreet.series.republishing.meeting import Meeting


def test_a_cluster_that_comes_back_with_fewer_copies_tells_of_those_who_left() -> None:
    # ten, of whom eight come back in a cluster of eight with one copy of the two
    meeting = Meeting(10, ((frozenset(), 2), (frozenset({0}), 8)), [8])
    cover, telling = meeting.evidence(2, [1])
    assert telling == [[0]]
    assert cover.ranges == ((1, 1),)
    assert cover.posteriors == (Fraction(1, 2), Fraction(1, 8))


def test_what_a_cluster_knows_by_itself_is_no_news() -> None:
    meeting = Meeting(10, ((frozenset(), 5), (frozenset({0}), 5)), [10])
    cover, telling = meeting.evidence(2, [2])
    assert telling == []
    assert cover.ranges == ()


def test_of_ranges_that_exclude_each_other_the_last_one_stands() -> None:
    meeting = Meeting(4, ((frozenset(), 2), (frozenset({0, 1}), 2)), [2, 2])
    cover, telling = meeting.evidence(2, [0, 2])
    assert telling == [[0, 1]]
    assert cover.ranges == ((2, 2),)


def test_counterfeits_lie_in_no_overlap() -> None:
    meeting = Meeting(6, ((frozenset({0}), 4),), [4])
    cover, _ = meeting.evidence(2, [1], extra=3)
    assert dict(cover.cells) == {frozenset(): 5, frozenset({0}): 4}
