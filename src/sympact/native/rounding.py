"""The machine epsilon and its multiples."""

EPS = 2.220446049250313e-16
"""Twice the largest relative error of one rounding of a double.

Relative to: the number that is rounded.
Why: the distance from 1 to the next double, 2^-52, the only machine epsilon of the package.
Test: house/test_tolerances.py::test_there_is_one_machine_epsilon.
"""

ROUNDINGS = 64.0
"""The rounding error of a time, a length or a rate that a few formulas have computed.

Relative to: the machine epsilon.
Why: rates are sums over some ten speeds, times have an error of four roundings: 64 is above both, and 1e-14 of them.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

SAME = 1e-9
"""The difference of equal numbers: of a sample, a rotation, data on both sides of a knot, outcomes of two laws.

Relative to: the larger of them.
Why: numbers are written with ten digits; formulas that differ do so by far more at a random place.
Test: house/test_tolerances.py::test_a_quaternion_is_one_to_ten_digits.
"""
