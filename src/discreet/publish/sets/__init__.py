"""What the methods for sets with sensitive items share: their bound, their rows, their words."""
