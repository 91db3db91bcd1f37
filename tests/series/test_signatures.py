"""Who goes into which bucket: values balanced so that each group shows every one of them once."""

from discreet.series.signatures import allot, share_a_term


def test_who_changes_to_a_new_value_meets_none_of_the_earlier_ones() -> None:
    values = ["s", "t", "u", "s"]
    buckets, postponed = allot(values, {0: [("s", "t")], 2: [("s", "t")]}, [0, 1, 2, 3], 2)
    assert postponed == [2], "s and t were met before, and there is no other value beside u"
    assert all({"s", "t"} == {*sign} for sign in buckets)
    more = [*values, "v"]
    buckets, postponed = allot(more, {0: [("s", "t")], 2: [("s", "t")]}, range(5), 2)
    assert not postponed
    assert buckets["u", "v"]["u"] == [2]


def test_a_signature_without_a_common_term_is_chosen_where_there_is_one() -> None:
    values = ["s", "s", "s\x00t", "s\x00t", "u", "u", "", ""]
    buckets, postponed = allot(values, {}, range(8), 2)
    assert not postponed
    assert not any(share_a_term(sign) for sign in buckets)
    # where everyone has the term there is none
    buckets, _ = allot(["s", "s\x00t", "s", "s\x00t"], {}, range(4), 2)
    assert {*buckets} == {("s", "s\x00t")}
