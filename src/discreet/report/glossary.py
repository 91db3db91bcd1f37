"""Words that an audit uses and not everybody knows, each in a sentence."""

from typing import Final

__all__ = ["GLOSSARY", "glossary"]

GLOSSARY: Final = {
    "95 % interval": "The range in which the true share lies in 95 of 100 such counts.",
    "attack": "A way to learn about people from what was released, tried here before others do.",
    "base rate": "How often somebody would be right who knows only how common a thing is.",
    "control group": "People of the same kind who are not in the data: what is learned of them is "
    "learned of everybody.",
    "counterfeit": "A made-up person, put in so that others cannot be told.",
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


def glossary(text: str) -> list[tuple[str, str]]:
    """Return the words that a text uses, with their meanings.

    >>> [word for word, _ in glossary("guessing by the base rate")]
    ['base rate']
    """
    said = text.lower()
    return [(word, meaning) for word, meaning in GLOSSARY.items() if word.rstrip("e") in said]
