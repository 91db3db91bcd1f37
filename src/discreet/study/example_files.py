"""Made-up files on which every example of the help texts runs."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Final

import numpy as np

from discreet.core.transactions import Transactions
from discreet.rng import Rng
from discreet.study.example import PRODUCTS, pharmacy

PEOPLE: Final = 1000
PATIENTS: Final = 600
AGES: Final = range(20, 80)
FIRST_DAY: Final = date(2024, 1, 1)
WEEKS: Final = 104
FRIENDS: Final = 3
"""Draws among the next ten people, of whom everybody knows some."""

PRIVATE: Final = ("pregnancy test", "insulin")
KINDS: Final = {
    "care": ("toothpaste", "soap", "shampoo", "sunscreen", "nappies"),
    "remedies": ("plasters", "aspirin", "cough syrup", "vitamins", "folic acid"),
    "other remedies": PRIVATE,
}
TEXTS: Final = """\
Who has a cough takes cough syrup, and aspirin against the fever.

Folic acid and vitamins are recommended before and after a pregnancy test.

Soap, shampoo and toothpaste stand side by side, sunscreen in summer.

Insulin is injected; plasters are at hand.

Nappies, soap and vitamins for the child, aspirin and plasters for the parents.
"""
STUDY: Final = """\
title = "Baskets of a pharmacy"
seeds = 1

[[data]]
source = "baskets.csv"

[[publish]]
method = "km-anonymity"
k = [5, 10]
m = 2
"""


def example_files(rng: Rng) -> Mapping[str, str]:
    """Return the content of made-up files by their names.

    Parameters
    ----------
    rng
        The chance that makes the people up.

    Returns
    -------
    Mapping[str, str]
        Baskets of this year and the next, friends, patients, lists, hierarchies, texts, a study.
    """
    patients, baskets, later = _patients(rng), pharmacy(PEOPLE, rng), pharmacy(PEOPLE, rng)
    common = zip(later.universe, later.supports.tolist(), strict=True)
    return {
        "baskets.csv": _baskets(baskets),
        "next-year.csv": _baskets(later),
        "friends.csv": _lines("source,target", _friends(baskets, rng)),
        "patients.csv": _lines("age,sex,town,job,diagnoses", patients),
        "register.csv": _lines("age,sex,town", (row.rsplit(",", 2)[0] for row in patients)),
        "items.txt": _lines(*PRODUCTS),
        "private.txt": _lines(*PRIVATE),
        # a tab says that the spaces belong to the names
        "protected.txt": _lines(*(f"{item}\t" for item in PRIVATE), "folic acid\tvitamins"),
        "products.csv": _lines("child,parent", _kinds()),
        "age.csv": _lines(*(f"{age};{age // 10 * 10}-{age // 10 * 10 + 9};*" for age in AGES)),
        "frequencies.csv": _lines("item,count", (f"{item},{count}" for item, count in common)),
        "days.txt": _lines(str(FIRST_DAY + timedelta(weeks=week)) for week in range(WEEKS)),
        "texts.txt": TEXTS,
        "study.toml": STUDY,
    }


def _lines(*blocks: str | Iterable[str]) -> str:
    """Return a text of lines; what is no line is an iterable of them."""
    rows = (row for block in blocks for row in ([block] if isinstance(block, str) else block))
    return "".join(f"{row}\n" for row in rows)


def _baskets(people: Transactions) -> str:
    return _lines(
        "id,item", (f"{person},{item}" for person, basket in enumerate(people) for item in basket)
    )


def _friends(people: Transactions, rng: Rng) -> list[str]:
    """Draw friends among those who bought something; nobody else has an id in the file."""
    ids = [person for person, basket in enumerate(people) if basket]
    steps = rng.integers(10, FRIENDS * len(ids)).reshape(-1, FRIENDS) + 1
    return [
        f"{person},{ids[(at + step) % len(ids)]}"
        for at, (person, known) in enumerate(zip(ids, steps.tolist(), strict=True))
        for step in sorted(set(known))
    ]


def _patients(rng: Rng) -> list[str]:
    """Draw patients: the old are ill more often, and in other ways."""
    ages = rng.integers(len(AGES), PATIENTS) + AGES.start
    towns, jobs = ("Aix", "Bern", "Cork"), ("nurse", "cook", "clerk", "farmer")
    chances = np.column_stack([np.full(PATIENTS, 20), np.full(PATIENTS, 15), ages // 2, 60 - ages])
    ill = rng.integers(100, 4 * PATIENTS).reshape(PATIENTS, 4) < chances
    names = np.array(["flu", "asthma", "diabetes", "migraine"])
    drawn = zip(
        ages.tolist(),
        rng.integers(2, PATIENTS).tolist(),
        rng.integers(len(towns), PATIENTS).tolist(),
        rng.integers(len(jobs), PATIENTS).tolist(),
        ("|".join(names[row]) for row in ill),
        strict=True,
    )
    return [
        f"{age},{'fm'[sex]},{towns[town]},{jobs[job]},{illnesses}"
        for age, sex, town, job, illnesses in drawn
    ]


def _kinds() -> list[str]:
    pairs = [(item, kind) for kind, items in KINDS.items() for item in items]
    return [f"{child},{parent}" for child, parent in (*pairs, *((kind, "ALL") for kind in KINDS))]
