"""Every tolerance of models: its value, relative to what, why, and the test that notices it.

``docs/theory/tolerances.rst`` is made from this file.
"""

UNIT_NORMAL = 1e-12
"""By how much the length of a normal may differ from 1.

Relative to: 1.
Why: a normal written with 15 digits is off by up to 1e-15.
Test: house/test_tolerances.py::test_a_normal_is_one_to_twelve_digits.
"""

CLOSED = 1e-9
"""A gap that is closed, and a gap rate of a contact that was closed before an impact.

Relative to: the length of the model; the fastest approach.
Why: the default tolerance of a run, which a state of its result is right to.
Test: house/test_tolerances.py::test_a_gap_of_a_billionth_of_the_length_is_closed.
"""

LOOSE = 1e-6
"""How deep a start may lie below a surface, however loose the tolerance.

Relative to: the length of the model.
Why: a part in a million is no place that a user means to be on a surface.
Test: house/test_tolerances.py::test_a_start_may_lie_a_millionth_of_the_length_deep_at_most.
"""

FELL = 1e-3
"""What the smallest singular value of closed contacts' rows has fallen to at a dead point.

Relative to: the largest that it had since they closed.
Why: from there on to the dead point the speeds grow a thousandfold; a run that stops otherwise rarely stops there.
"""

TWO_PLACES = 1e-6
"""A ball that is as near as that to two places touches both, and has no gap.

Relative to: its radius.
Why: more than what Newton's method leaves of the error of a second place, so that none is overlooked, and so little
that where a run ends hardly depends on it.
"""

ALONG_A_LINE = 1e-6
"""How small the curvature along a line may be.

Relative to: the inverse of the distance.
Why: Newton's steps stay within a million distances.
"""

FOOT_ROUNDING = 1e-11
"""What is left of the error of a nearest place after the last step that was needed.

Relative to: the distance; the radius.
Why: a tenth of the dead band.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

NO_PLACE = 1e-3
"""So far from the surface nothing is a place of it.

Relative to: the distance.
Why: Newton's method has left it; one that has found a place is at 1e-11.
"""

PARALLEL = 1e-14
"""The square of the sine of an angle below which segments are parallel.

Relative to: 1.
Why: below it no place between the ends is nearer than both, but by it.
"""
