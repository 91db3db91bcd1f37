"""What noisy counts of all sets leave open: a model, draws from its posterior, a decision."""
