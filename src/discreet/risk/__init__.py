"""How attackable data are as they stand, in numbers a custodian knows."""
