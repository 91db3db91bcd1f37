"""The Bayesian network of PrivBayes, and the neighbouring data that an audit of it tries."""
