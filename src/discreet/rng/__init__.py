"""Chance: random words that nobody can foresee, and exact draws made of them."""

from discreet.core.randomness import Rng
from discreet.rng.discrete_laplace import bernoulli_exp, discrete_laplace
from discreet.rng.select import permute_and_flip
from discreet.rng.stream import secure, seeded

__all__ = ["Rng", "bernoulli_exp", "discrete_laplace", "permute_and_flip", "secure", "seeded"]
