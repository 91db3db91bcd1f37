"""Compiled loops that two or more families use: they know arrays, not nouns."""
