"""Counting queries: one, a workload of them, and those for the most frequent itemsets."""
