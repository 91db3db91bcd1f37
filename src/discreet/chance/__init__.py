"""Chance: random words that nobody can foresee, and exact draws made of them."""

from discreet.chance.discrete_laplace import bernoulli_exp, discrete_laplace
from discreet.chance.rng import Rng, secure, seeded
from discreet.chance.select import permute_and_flip

__all__ = ["Rng", "bernoulli_exp", "discrete_laplace", "permute_and_flip", "secure", "seeded"]
