"""The machine epsilon, and numbers that all rooms compare with."""

EPS = 2.220446049250313e-16
"""What one rounding of a double may do, twice over.

Relative to: the number that is rounded.
Why: the distance from 1 to the next double, 2^-52, the only machine epsilon of the package.
Test: house/test_tolerances.py::test_there_is_one_machine_epsilon.
"""

LEAST_NORMAL = 2.0**-1022
"""The least number that has all its digits.

Relative to: 1.
Why: that of IEEE 754 doubles; the bounds of what is none in any unit are made from it.
Test: house/test_tolerances.py::test_there_is_one_machine_epsilon.
"""

ROUNDINGS = 64.0
"""So many roundings are left of a time, a length or a rate that a few formulas have made.

Relative to: the machine epsilon.
Why: rates are sums over some ten speeds, and times are met to four roundings: 64 is well above both, and 1e-14 of them.
Test: contact/test_contact_participants.py::test_window_is_an_instant_or_a_trillionth_of_the_time_scale.
"""

HALF_DIGITS = 1e-8
"""What is none once it is squared, or is only known to a half of the digits; what steers nothing when it is smaller.

Relative to: what it is compared with: terms of an equation, a margin, the speeds, the tolerances of a run.
Why: the root of the machine epsilon.
Test: contact/test_contact_rank.py::test_a_singular_value_counts_above_1e_8_of_the_largest.
"""

WRITTEN = 1e-12
"""By how much numbers that a user writes may miss a sum or a length that has to be exact.

Relative to: 1.
Why: a number of 15 digits is off by up to 1e-15, and sums have a hundred terms.
Test: house/test_tolerances.py::test_a_normal_is_one_to_twelve_digits.
"""

SAME = 1e-9
"""Numbers that are meant to be equal: of a sample, a rotation, data on both sides of a knot, outcomes of two laws.

Relative to: the larger of them.
Why: numbers are written with ten digits; formulas that differ do so by far more at a random place.
Test: house/test_tolerances.py::test_a_quaternion_is_one_to_ten_digits.
"""
