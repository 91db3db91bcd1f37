"""How secrets are kept from being inferred: occurrences deleted, groups generalised."""
