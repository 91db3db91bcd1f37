"""A name that stands for secrets alone is a secret: whoever shows it shows that one is held."""

import numpy as np

from discreet.core.hierarchy import Hierarchy

__all__ = ["with_names_above"]


def with_names_above(
    secrets: frozenset[str] | None, tree: Hierarchy | None
) -> frozenset[str] | None:
    """Return the secrets that a release names, and the names with nothing but these below them.

    >>> tree = Hierarchy.of_levels([("hiv", "std", "*"), ("hpv", "std", "*"), ("flu", "cold", "*")])
    >>> sorted(with_names_above(frozenset({"hiv", "hpv"}), tree))
    ['hiv', 'hpv', 'std']
    """
    if secrets is None or tree is None:
        return secrets
    public = np.array([value not in secrets for value in tree.values])
    above_public = set(tree.levels[public].ravel().tolist())
    return secrets.union(
        name for number, name in enumerate(tree.names) if number not in above_public
    )
