"""The files of the examples hold what their names say, and nobody real."""

from discreet import rng
from discreet.study.example import PRODUCTS
from discreet.study.example_files import KINDS, PRIVATE, example_files

FILES = example_files(rng.seeded(3))


def test_every_item_has_a_kind_and_is_known() -> None:
    assert {item for items in KINDS.values() for item in items} == set(PRODUCTS)
    bought = {line.split(",")[1] for line in FILES["baskets.csv"].splitlines()[1:]}
    assert bought == set(PRODUCTS)
    assert FILES["private.txt"].splitlines() == list(PRIVATE)


def test_friends_are_people_with_a_basket() -> None:
    people = {line.split(",")[0] for line in FILES["baskets.csv"].splitlines()[1:]}
    ends = [line.split(",") for line in FILES["friends.csv"].splitlines()[1:]]
    assert {end for pair in ends for end in pair} <= people
    assert all(one != other for one, other in ends)


def test_the_register_is_of_the_patients() -> None:
    patients = [line.split(",")[:3] for line in FILES["patients.csv"].splitlines()]
    assert [line.split(",") for line in FILES["register.csv"].splitlines()] == patients
