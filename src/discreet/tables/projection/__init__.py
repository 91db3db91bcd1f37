"""Which sensitive attributes share a table, by what they tell about each other."""
