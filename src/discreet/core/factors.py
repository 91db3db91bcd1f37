"""A bound on a logarithm, such as epsilon, as people say it."""

from math import exp, log


def times(exponent: float) -> str:
    """Return what a bound on a logarithm allows, as people say it.

    >>> times(1), times(0.01), times(12), times(1000)
    ('2.7 times', '1.01 times', '162,755 times', '1e+434 times')
    """
    if exponent > 300:
        return f"1e+{int(exponent / log(10))} times"
    factor = exp(exponent)
    if factor >= 100:
        return f"{factor:,.0f} times"
    shown = (f"{factor:.{digits}g}" for digits in range(2, 17))
    return f"{next((text for text in shown if float(text) > 1), '1')} times"
