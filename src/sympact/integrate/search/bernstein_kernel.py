"""Polynomials in Bernstein's form on a segment of a step: value, slope, and the zero of one that falls."""

from sympact.integrate.memory.run_tolerances import SLIGHT
from sympact.native.kernel import kernel


@kernel
def on_bernstein(b, degree, s):
    """Value and slope of the polynomial with the coefficients b, at the fraction s of its segment; by Horner's rule."""
    r, power, choose = 1.0 - s, 1.0, 1.0
    value, slope = b[0], 0.0
    for i in range(1, degree + 1):
        choose *= (degree - i + 1) / i
        slope = slope * r + i * choose * power * (b[i] - b[i - 1])
        power *= s
        value = value * r + choose * power * b[i]
    return value, slope


@kernel
def zero_of_falling(b, degree, s):
    """(the zero of such a polynomial that falls, its slope there), by Newton's method in a bracket of signs.

    The search begins at s. A slope of zero or more says that the polynomial does not fall there.
    """
    low, high, slope = 0.0, 1.0, 0.0
    for _ in range(30):
        value, slope = on_bernstein(b, degree, s)
        if value > 0.0:
            low = s
        else:
            high = s
        following = s - value / slope if slope < 0.0 else 0.5 * (low + high)
        if not low <= following <= high:
            following = 0.5 * (low + high)
        change, s = following - s, following
        if abs(change) <= SLIGHT:
            break
    return s, slope
