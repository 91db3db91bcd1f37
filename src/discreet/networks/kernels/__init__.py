"""Compiled loops of this family: arrays and words of chance go in, arrays come out."""
