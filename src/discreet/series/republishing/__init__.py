"""A release that follows others: what they told, and what the next may add to it."""
