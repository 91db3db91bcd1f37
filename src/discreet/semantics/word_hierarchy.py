"""A hierarchy of terms by what WordNet puts above them: public, nothing of it comes from data."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from discreet.core.hierarchy import Hierarchy
from discreet.errors import DataError
from discreet.semantics.wordnet import WordNet


def hierarchy_of_words(terms: Iterable[str], net: WordNet, *, root: str = "*") -> Hierarchy:
    """Put terms below the senses above the first sense of each; names above one thing are left out.

    Parameters
    ----------
    terms
        The values, nouns or phrases that end in one.
    net
        The WordNet.
    root
        The top, under which a term that the WordNet does not know hangs by itself.

    Returns
    -------
    Hierarchy
        The tree over the terms.

    Raises
    ------
    DataError
        Where the WordNet knows none of the terms.

    Examples
    --------
    >>> net = WordNet.of(
    ...     {
    ...         "thing": [],
    ...         "animal": ["thing"],
    ...         "dog": ["animal"],
    ...         "cat": ["animal"],
    ...         "car": ["thing"],
    ...     },
    ...     {
    ...         "thing": ["thing"],
    ...         "animal": ["animal"],
    ...         "dog": ["dog"],
    ...         "cat": ["cat"],
    ...         "car": ["car"],
    ...     },
    ... )
    >>> hierarchy_of_words(["dog", "cat", "car", "xyz"], net).ancestors("cat")
    ('animal', 'thing', '*')
    """
    values = list(dict.fromkeys(terms))
    senses_upwards = {term: _way_up(term, net) for term in values}
    if not any(senses_upwards.values()):
        raise DataError("the WordNet must know at least one of the values, and knows none")
    below: dict[int, set[str | int]] = {}
    for term, senses in senses_upwards.items():
        node: str | int = term
        for sense in senses:
            below.setdefault(sense, set()).add(node)
            node = sense
    names = _names([sense for sense in below if len(below[sense]) > 1], values, root, net)
    pairs: dict[tuple[str, str], None] = {}
    for term, senses in senses_upwards.items():
        path = [term, *(names[sense] for sense in senses if sense in names), root]
        pairs |= dict.fromkeys(pairwise(path))
    return Hierarchy.of_pairs(pairs)


def unknown_words(terms: Iterable[str], net: WordNet) -> list[str]:
    """Return the terms that the WordNet does not know.

    >>> unknown_words(["dog", "xyz"], WordNet.of({"dog": []}, {"dog": ["dog"]}))
    ['xyz']
    """
    return [term for term in terms if net.lemma_of(term) is None]


def _way_up(term: str, net: WordNet) -> list[int]:
    """Return the first sense of a term and, one above the other, the first one above each."""
    lemma = net.lemma_of(term)
    path = list(net.senses[lemma][:1]) if lemma else []
    while path and net.above[path[-1]] and net.above[path[-1]][0] not in path:
        path.append(net.above[path[-1]][0])
    return path


def _names(
    senses: Sequence[int], values: Sequence[str], root: str, net: WordNet
) -> Mapping[int, str]:
    """Return a name of its own for each sense: the shortest lemma that means it first."""
    wanted, lemma_of = set(senses), dict[int, tuple[int, int, str]]()
    taken = {*values, root}
    for lemma, meanings in net.senses.items():
        for rank, sense in enumerate(meanings):
            if sense in wanted:
                candidate = (rank, len(lemma), lemma)
                lemma_of[sense] = min(lemma_of.get(sense, candidate), candidate)
    names = {}
    for sense in senses:
        base = lemma_of[sense][-1] if sense in lemma_of else "group"
        name, number = (f"kinds of {base}" if base in values else base), 1
        while name in taken:
            number += 1
            name = f"{base} ({number})"
        taken.add(name)
        names[sense] = name
    return names
