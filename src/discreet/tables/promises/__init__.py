"""What every class of a table must keep: how close to the whole, how diverse."""
