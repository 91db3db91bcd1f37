"""Ways to generalise a whole table: their lattice, their cost, and those published."""
