from discreet.web.repairs import offers

SAME = "discreet publish km-anonymity DATA --k 5 --m 3 --out NEW"


def test_a_command_becomes_choices() -> None:
    (step,) = offers([{"words": "more", "command": SAME}], {"kind": "sets"})
    assert (step.method, step.parameters) == ("km-anonymity", {"k": "5", "m": "3"})
    assert not step.needs_data


def test_what_this_project_cannot_do_stays_a_command() -> None:
    for command, kind in (
        (SAME, "table"),
        ("discreet audit RELEASE --against DATA --key KEY --out PAGE.html", "sets"),
        ("discreet publish apl-free RELEASE --out NEW", "sets"),
        ("discreet publish METHOD DATA --out NEW", "sets"),
        ("discreet publish km-anonymity DATA --k 5 --out NEW", "sets"),
    ):
        (step,) = offers([{"words": "more", "command": command}], {"kind": kind})
        assert step.method is None, command


def test_a_list_that_is_missing_is_asked_for() -> None:
    command = "discreet publish counts DATA --epsilon 1 --out NEW --universe FILE"
    (step,) = offers([{"words": "more", "command": command}], {"kind": "sets"})
    assert (step.method, step.parameters, step.needs_data) == ("counts", {"epsilon": "1"}, True)


def test_friends_may_go_and_sets_stay() -> None:
    command = "discreet publish rho-m DATA --rho 0.5 --known 2 --strict --out NEW"
    (step,) = offers([{"words": "more", "command": command}], {"kind": "network"})
    assert step.parameters == {"rho": "0.5", "known": "2", "strict": "True"}
