"""Words that an audit uses and not everybody knows, each in a sentence."""

from typing import Final

GLOSSARY: Final = {
    "95 % interval": "The range in which the true share lies in 95 of 100 such counts.",
    "attack": "A way to learn about people from what was released, tried here before others do.",
    "base rate": "How often somebody would be right who knows only how common a thing is.",
    "candidate": "Somebody who could hold what is known, as far as the release tells.",
    "control group": "People of the same kind who are not in the data: what is learned of them is "
    "learned of everybody.",
    "counterfeit": "A made-up person, put in so that nothing can be concluded about real ones.",
    "differential privacy": "A property of a method: with or without one person, any outcome is "
    "about as likely. Epsilon says how nearly: the smaller, the nearer.",
    "generalise": "Replace a thing by a coarser one, such as a town by its country.",
    "inference": "Learning something about a person that was not known before.",
    "k-map": "How many people of the population look alike, at least.",
    "linkability": "Telling that two rows are about the same person.",
    "linkage key": "The owner's list of which record is behind which row; it stays with the owner.",
    "occurrence": "One item of one person.",
    "quasi-identifier": "What somebody may know of a person, such as age, sex and place.",
    "sensitive": "What must not be learned of a person.",
    "singling out": "Finding the one row that is a given person's.",
    "support": "How many people hold an item.",
}

"""Words that the pages of audits use."""
FURTHER: Final = {
    "advantage": "How much more often an attack is right than guessing by the base rate.",
    "class": "Rows of a table that look alike: nobody who knows the quasi-identifiers of a person "
    "can say which of them it is.",
    "cluster": "People whose sets are published together, apart from a common bag of private "
    "terms.",
    "composition": "Comparing several releases about the same people.",
    "epsilon": "The budget of differential privacy: the smaller, the safer and the noisier. At 1 "
    "one person changes the probability of any result by at most 2.7 times.",
    "generalised item": "A name that stands for several items, of which the person has at least "
    "one.",
    "guarantee": "What a release promises, as a definition that can be proved or checked.",
    "hierarchy": "Which coarser names a value may be replaced by, level by level.",
    "item": "One thing of a set: a product, a page, a diagnosis, a place.",
    "itemset": "Several items together.",
    "k-anonymity": "At least k people share the quasi-identifiers of every row.",
    "k^m-anonymity": "Whoever knows up to m items of a person finds at least k records that fit, "
    "or none.",
    "l-diversity": "Among the rows that fit a person there are l well-represented sensitive "
    "values.",
    "manifest": "The file of a release that says how it was made and what it promises.",
    "noise": "Random numbers added to counts, so that one person hardly changes them.",
    "population": "All people whom the data could be about.",
    "posterior": "How likely something is after a release was seen.",
    "public universe": "The list of all items that can occur, known to everybody beforehand.",
    "record": "What the data hold about one person.",
    "release": "What is given out: a folder with tables, a manifest and a README.txt.",
    "rho-uncertainty": "No sensitive item follows from known items with a confidence above rho.",
    "seeded": "Made with chance that can be repeated: for tests and studies, never for "
    "publication.",
    "set-valued data": "One set of items for each person.",
    "suppress": "Leave out.",
    "t-closeness": "Among the rows that fit a person, sensitive values are spread nearly as in "
    "the whole table.",
    "verifier": "The part of discreet that checks a promise from its definition, and shares no "
    "code with the methods.",
    "witness": "An example that shows that a promise is broken.",
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
    said = text.lower()
    return [(word, meaning) for word, meaning in GLOSSARY.items() if word.rstrip("e") in said]
