"""What the methods for series share: corpora, the published past, counterfeits."""
