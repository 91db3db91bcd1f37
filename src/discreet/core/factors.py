"""A bound on a logarithm, such as epsilon, as people say it."""

from math import exp, log


def times(exponent: float) -> str:
    """Return what a bound on a logarithm allows, as people say it.

    >>> times(1), times(0.01), times(12), times(1000)
    ('2.7 times', '1.01 times', '162,755 times', '1e+434 times')
    """
    return f"{factor(exponent)} times"


def factor(exponent: float) -> str:
    """Return the factor that a bound on a logarithm allows, never rounded to 1.

    >>> factor(1), factor(0.01), factor(12), factor(1000)
    ('2.7', '1.01', '162,755', '1e+434')
    """
    if exponent > 300:
        return f"1e+{int(exponent / log(10))}"
    ratio = exp(exponent)
    if ratio >= 100:
        return f"{ratio:,.0f}"
    shown = (f"{ratio:.{digits}g}" for digits in range(2, 17))
    return next((text for text in shown if float(text) > 1), "1")
