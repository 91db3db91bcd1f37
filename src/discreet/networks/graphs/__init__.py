"""Graphs of people: communities, equal degrees, swaps."""
