"""Which members of a generalised item were added: rules over a table of distances."""
