"""Confidence bounded in published counts: over all sets of a small universe, or few of any."""
