"""The nouns: immutable, and none of them knows a method of the literature."""
