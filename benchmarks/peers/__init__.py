"""Other people's programs, each in its own environment, beside ours in one run."""
