"""What each measure says: which way is better, in which unit, and in a sentence."""

import re
from typing import Final, Literal, NamedTuple, TypeAlias

Direction: TypeAlias = Literal["less is better", "more is better", "neither"]


class Meaning(NamedTuple):
    """What a number says."""

    direction: Direction
    """Which way is better for who uses the release."""
    unit: str
    """What it is counted in."""
    sentence: str
    """What it says."""


LESS: Final = "less is better"
MORE: Final = "more is better"
PLAIN: Final = "neither"
SHARE, COUNT, BITS, RATIO = "share from 0 to 1", "number", "bits", "ratio"

MEANINGS: Final[dict[str, Meaning]] = {
    "itemsets": Meaning(PLAIN, COUNT, "itemsets in the release"),
    "total_count": Meaning(PLAIN, "people", "people that the published counts add up to"),
    "records": Meaning(PLAIN, "people", "people in the original"),
    "support_error_mean": Meaning(LESS, SHARE, "how far the share of an item is off, on average"),
    "support_error_max": Meaning(LESS, SHARE, "how far the share of an item is off, at worst"),
    "length_distance": Meaning(LESS, SHARE, "how far the sizes of sets are off"),
    "top_N_overlap": Meaning(MORE, SHARE, "of the N most frequent itemsets, how many are the same"),
    "top_N_precision": Meaning(MORE, SHARE, "of N itemsets published as frequent, how many are"),
    "top_N_recall": Meaning(MORE, SHARE, "of the N most frequent itemsets, how many are found"),
    "error_of_counts_of_items_and_pairs": Meaning(
        LESS, SHARE, "how far counts of items and of pairs are off, each by at most 100 %"
    ),
    "loss_of_cells_and_associations": Meaning(
        LESS, SHARE, "what cells and the associations of sensitive attributes lost together"
    ),
    "query_error": Meaning(LESS, RATIO, "how far counts of itemsets are off, of any kind"),
    "query_error_existing": Meaning(LESS, RATIO, "how far counts of sets that people hold are off"),
    "query_error_random": Meaning(LESS, RATIO, "how far counts of random itemsets are off"),
    "query_error_expected": Meaning(LESS, RATIO, "how far counts are off, reading blocks evenly"),
    "query_error_worst": Meaning(LESS, RATIO, "how far counts can be off, reading blocks badly"),
    "occurrences_by_name": Meaning(MORE, SHARE, "occurrences of items that are published by name"),
    "occurrences_hidden": Meaning(LESS, SHARE, "occurrences of items hidden among others"),
    "occurrences_suppressed": Meaning(LESS, SHARE, "occurrences of items that are left out"),
    "kept_by_known": Meaning(
        MORE, SHARE, "secrets, and all occurrences, that stay, by how many items are known"
    ),
    "ncp": Meaning(LESS, SHARE, "how general items became; 1 if all became the same"),
    "pairs_kept": Meaning(MORE, SHARE, "pairs of items of a person that stay together"),
    "pair_error": Meaning(LESS, RATIO, "how far the count of a pair is off, as expected, up to 2"),
    "top_pairs_lost": Meaning(LESS, SHARE, "of the 1,000 most frequent pairs, how many are not"),
    "occurrences_in_term_chunks": Meaning(LESS, SHARE, "occurrences of items without a number"),
    "elimination_by_frequency": Meaning(LESS, SHARE, "right guesses at hidden items by frequency"),
    "elimination_by_context": Meaning(LESS, SHARE, "right guesses at hidden items by context"),
    "elimination_by_both": Meaning(LESS, SHARE, "right guesses at hidden items by both"),
    "elimination_by_embedding": Meaning(
        LESS, SHARE, "right guesses at hidden items by context, items as points"
    ),
    "elimination_by_embedding_and_frequency": Meaning(
        LESS, SHARE, "right guesses at hidden items by context, items as points, and frequency"
    ),
    "elimination_by_relatedness": Meaning(
        LESS, SHARE, "right guesses at hidden items by what words mean"
    ),
    "elimination_by_relatedness_and_frequency": Meaning(
        LESS, SHARE, "right guesses at hidden items by what words mean, and frequency"
    ),
    "elimination_chance": Meaning(PLAIN, SHARE, "right guesses at random, which those go beyond"),
    "density": Meaning(PLAIN, SHARE, "how many of the items a record could hold it does hold"),
    "generalised_items": Meaning(LESS, COUNT, "blocks of several items"),
    "length": Meaning(PLAIN, "items", "items, or blocks, in a record on average"),
    "item_distortion_mean": Meaning(LESS, RATIO, "how far an item's count is off, on average"),
    "item_distortion_max": Meaning(LESS, RATIO, "how far an item's count is off, at worst"),
    "utility_loss": Meaning(LESS, "weighted share", "what merging and leaving out items cost"),
    "utility_loss_of_blocks": Meaning(LESS, "weighted share", "what merging items cost"),
    "utility_loss_of_blocks_log2": Meaning(LESS, "power of two", "the same as a power of two"),
    "utility_loss_of_suppression": Meaning(LESS, "weighted share", "what leaving out items cost"),
    "tables": Meaning(PLAIN, COUNT, "tables in the release"),
    "rows": Meaning(PLAIN, "people", "rows of the original"),
    "suppressed_share": Meaning(LESS, SHARE, "rows that are left out of a table, at worst"),
    "discernibility": Meaning(LESS, "pairs of rows", "pairs of rows that look alike"),
    "average_class_size": Meaning(LESS, "rows", "rows that look alike, on average"),
    "smallest_class": Meaning(PLAIN, "rows", "rows of the smallest class"),
    "relational_loss": Meaning(LESS, SHARE, "what the cells of quasi-identifiers lost, on average"),
    "transaction_loss": Meaning(LESS, SHARE, "what occurrences in the set column lost, on average"),
    "item_count_error": Meaning(LESS, RATIO, "how far the counts of items are off, blocks evenly"),
    "loss_by_column": Meaning(LESS, SHARE, "what the cells of each column lost, on average"),
    "association_loss_ratio": Meaning(LESS, SHARE, "association of sensitive attributes that went"),
    "information_exposure_ratio": Meaning(LESS, SHARE, "what joins within tables may newly tell"),
    "closeness": Meaning(LESS, SHARE, "how far the values of a class are from the table, at worst"),
    "closeness_by_attribute": Meaning(LESS, SHARE, "the same for each sensitive attribute"),
    "edges_kept": Meaning(MORE, "edges", "friendships that are still there"),
    "edges_kept_share": Meaning(MORE, SHARE, "friendships that are still there"),
    "edges_added": Meaning(LESS, "edges", "friendships that were made up"),
    "edges_deleted": Meaning(LESS, "edges", "friendships that are gone"),
    "edges_changed_at_least": Meaning(PLAIN, "edges", "edges that any method must change"),
    "degree_total_variation": Meaning(LESS, SHARE, "how far the numbers of friends are off"),
    "degree_mean_change": Meaning(LESS, "friends", "by how many friends a person is off"),
    "community_jaccard": Meaning(MORE, SHARE, "how much of a community is still together"),
    "community_jaccard_symmetric": Meaning(MORE, SHARE, "the same, seen from both sides"),
    "community_jaccard_by_people": Meaning(MORE, SHARE, "the same, counted by people"),
    "modularity_before": Meaning(PLAIN, RATIO, "how clear the communities of the original are"),
    "modularity_after": Meaning(PLAIN, RATIO, "how clear those of the release are"),
    "clustering_before": Meaning(PLAIN, SHARE, "friends of a friend who are friends, originally"),
    "clustering_after": Meaning(PLAIN, SHARE, "friends of a friend who are friends, as released"),
    "average_path_length_before": Meaning(PLAIN, "steps", "steps between two people, originally"),
    "average_path_length_before_within": Meaning(PLAIN, "steps", "half the width of its interval"),
    "average_path_length_after": Meaning(PLAIN, "steps", "steps between two people, as released"),
    "average_path_length_after_within": Meaning(PLAIN, "steps", "half the width of its interval"),
    "kl_divergence": Meaning(LESS, BITS, "how far the shares of items are off"),
    "jensen_shannon_divergence": Meaning(LESS, BITS, "the same, bounded by 1"),
    "association_rules": Meaning(PLAIN, COUNT, "rules in the original"),
    "association_rules_lost": Meaning(LESS, COUNT, "rules of the original that are gone"),
    "association_rules_new": Meaning(LESS, COUNT, "rules that only the release has"),
    "deleted_share": Meaning(LESS, SHARE, "occurrences of items that are deleted"),
    "generalised_share": Meaning(LESS, SHARE, "occurrences of items that became more general"),
    "sensitive_deleted": Meaning(LESS, "occurrences", "sensitive items that are deleted"),
    "sensitive_deleted_if_all_were": Meaning(PLAIN, "occurrences", "sensitive items there are"),
    "deleted_share_if_all_sensitive_were": Meaning(PLAIN, SHARE, "what deleting all would cost"),
    "published transactions": Meaning(PLAIN, "people", "transactions in the release"),
    "clusters": Meaning(PLAIN, COUNT, "clusters in the release"),
    "declared counterfeits, share": Meaning(LESS, SHARE, "transactions that are made up"),
    "share of private copies in the bag": Meaning(LESS, SHARE, "private terms without a cluster"),
    "private terms": Meaning(PLAIN, COUNT, "private terms in the release"),
    "private terms seen in clusters": Meaning(MORE, COUNT, "private terms that have a cluster"),
    "perturbation rate": Meaning(LESS, SHARE, "transactions that were changed or made up"),
    "withheld, share": Meaning(LESS, SHARE, "people who are left out"),
    "relative error of pairs held by N to N": Meaning(LESS, RATIO, "how far their counts are off"),
}
"""What each measure says; digits in a name stand as N."""


def meaning_of(name: str) -> Meaning | None:
    """Return what a measure says, None for a name that nobody explained.

    >>> meaning_of("top_10_recall").sentence, meaning_of("query_error_low").direction
    ('of the 10 most frequent itemsets, how many are found', 'less is better')
    """
    stem = re.sub(r"_(low|high)$", "", name)
    digits = re.search(r"\d+", stem)
    meaning = MEANINGS.get(stem) or MEANINGS.get(re.sub(r"\d+", "N", stem))
    if meaning is None or digits is None:
        return meaning
    return meaning._replace(sentence=meaning.sentence.replace(" N ", f" {digits[0]} "))


TITLES: Final = {
    "ncp": "certainty penalty (NCP)",
    "kl divergence": "Kullback-Leibler divergence",
    "jensen shannon divergence": "Jensen-Shannon divergence",
    "community jaccard": "communities that stay (Jaccard)",
    "community jaccard symmetric": "communities that stay, both ways (Jaccard)",
    "community jaccard by people": "communities that stay, by people (Jaccard)",
}
"""What people call a measure whose name in a file says too little."""


def title_of(name: str) -> str:
    """Return a measure's name as people read it.

    Parameters
    ----------
    name
        As it is written in files; what stands behind a colon is kept.

    Returns
    -------
    str
        In words.

    Examples
    --------
    >>> title_of("kl_divergence"), title_of("ncp: sets"), title_of("query_error")
    ('Kullback-Leibler divergence', 'certainty penalty (NCP): sets', 'query error')
    """
    first, colon, detail = name.replace("_", " ").partition(":")
    return f"{TITLES.get(first, first)}{colon}{detail}"
