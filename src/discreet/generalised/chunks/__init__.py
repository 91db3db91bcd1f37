"""How records are cut into chunks, what chunks say together, and a possible original."""
