"""Every tolerance of bounds and series: its value, relative to what, why, and the test that notices it.

``docs/theory/tolerances.rst`` is made from this file.
"""

ENCLOSED = 1e-12
"""The widening of a bound of a length.

Relative to: the length.
Why: some thousand roundings, more than those of a sum of squares and its root.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

ANGLE_ROUNDING = 1e-15
"""The widening of an interval of an angle.

Relative to: the angle.
Why: four roundings.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

TURN = 1e-7
"""The permitted distance of an extremum beyond the end of an angle's interval.

Relative to: a turn.
Why: angles up to 1e8 are known to 1e-8 of a turn.
"""
