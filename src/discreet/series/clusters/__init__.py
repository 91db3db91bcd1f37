"""Clusters of one release: their order, how many copies each may show, their rows."""
