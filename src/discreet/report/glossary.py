"""Words that an audit uses and not everybody knows, each in a sentence."""

from typing import Final

GLOSSARY: Final = {
    "95 % interval": "The range that contains the true share in 95 of 100 such counts.",
    "attack": (
        "A way to learn about people from what was released, tried here before others try it."
    ),
    "base rate": "How often a guess is right that uses only how common something is.",
    "candidate": "A person who could hold what is known, as far as the release shows.",
    "control group": (
        "Similar people who are not in the data: what is learned about them too is learned about "
        "everybody."
    ),
    "counterfeit": "A made-up person, put in so that nothing can be concluded about real ones.",
    "differential privacy": (
        "A property of a method: any outcome is about as likely with or without one person. "
        "Epsilon says how nearly so: smaller is closer."
    ),
    "generalise": "Replace a value with a coarser one, such as a town with its country.",
    "inference": "Learning something about a person that was not known before.",
    "k-map": "The least number of people in the population who look alike.",
    "linkability": "Recognising that two rows are about the same person.",
    "linkage key": "The owner's list of which record became which row; it stays with the owner.",
    "occurrence": "One item of one person.",
    "quasi-identifier": "What others may know about a person, such as age, sex and place.",
    "sensitive": "What nobody should learn about a person.",
    "singling out": "Finding the one row that belongs to a given person.",
    "support": "How many people hold an item.",
}

"""Words that the pages of audits use."""
FURTHER: Final = {
    "advantage": (
        "How many percentage points more often an attack is right than guessing by the base rate."
    ),
    "class": (
        "Rows of a table that share their quasi-identifiers: someone who knows those of a person "
        "cannot say which row is theirs."
    ),
    "cluster": "People whose sets are published together, separately from their private terms.",
    "composition": "Comparing several releases about the same people.",
    "epsilon": (
        "The budget of differential privacy: the smaller, the safer and the noisier. At 1, one "
        "person changes the probability of any result by at most a factor of 2.7."
    ),
    "generalised item": "A name that stands for several items, of which the person has at least "
    "one.",
    "guarantee": "What a release promises, as a definition that can be proved or checked.",
    "hierarchy": "Which coarser names a value may be replaced by, level by level.",
    "item": "One thing of a set: a product, a page, a diagnosis, a place.",
    "itemset": "Several items together.",
    "k-anonymity": "At least k people share the quasi-identifiers of every row.",
    "k^m-anonymity": (
        "Anyone who knows up to m items of a person finds at least k matching records, or none."
    ),
    "l-diversity": (
        "Among the rows that match a person there are l well-represented sensitive values."
    ),
    "manifest": "The file of a release that says how it was made and what it promises.",
    "noise": "Random numbers added to counts, so that one person hardly changes them.",
    "population": "All people whom the data could be about.",
    "posterior": "How likely something is after seeing a release.",
    "public universe": "The list of all items that can occur, known to everybody beforehand.",
    "record": "What the data hold about one person.",
    "release": "What is published: a folder with tables, a manifest and a README.txt.",
    "rho-uncertainty": "No sensitive item follows from known items with a confidence above rho.",
    "seeded": (
        "Made with randomness that can be repeated: for tests and studies, never for publication."
    ),
    "set-valued data": "One set of items for each person.",
    "suppress": "Leave out.",
    "t-closeness": (
        "Among the rows that match a person, sensitive values are distributed nearly as in the "
        "whole table."
    ),
    "verifier": "The part of discreet that checks a promise from its definition, and shares no "
    "code with the methods.",
    "witness": "An example that proves a promise broken.",
}
"""Words that the documentation and the workbench use besides."""


def whole_glossary() -> list[tuple[str, str]]:
    """Return every word with its meaning, by the alphabet."""
    return sorted((GLOSSARY | FURTHER).items(), key=lambda entry: entry[0].lower())


def glossary(text: str) -> list[tuple[str, str]]:
    """Return the words that a text uses, with their meanings.

    >>> [word for word, _ in glossary("guessing by the base rate")]
    ['base rate']
    """
    lowered = text.lower()
    return [(word, meaning) for word, meaning in GLOSSARY.items() if word.rstrip("e") in lowered]
