"""What the methods for tables share: lattices searched, plans made, tables projected."""
