"""Files into nouns: one module for each format, and what they share."""
