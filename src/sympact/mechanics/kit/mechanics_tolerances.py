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
Why: the default tolerance of a run, to which a state of its result is correct.
Test: house/test_tolerances.py::test_a_gap_of_a_billionth_of_the_length_is_closed.
"""

LOOSE = 1e-6
"""How deep a start may lie below a surface, however loose the tolerance.

Relative to: the length of the model.
Why: a user who places a body on a surface is more precise than a part in a million.
Test: house/test_tolerances.py::test_a_start_may_lie_a_millionth_of_the_length_deep_at_most.
"""

FELL = 1e-3
"""The smallest singular value of the rows of closed contacts at a dead point.

Relative to: the largest that it had since they closed.
Why: from there to the dead point the speeds grow a thousandfold; a run that stops for another reason rarely stops
there.
"""

TWO_PLACES = 1e-6
"""The difference of two distances at which a ball touches two places, and has no gap.

Relative to: its radius.
Why: more than the error that Newton's method leaves in a second place, so that none is overlooked, and so small that
the end of a run hardly depends on it.
"""

ALONG_A_LINE = 1e-6
"""The smallest curvature along a line.

Relative to: the inverse of the distance.
Why: Newton's steps stay within a million distances.
"""

FOOT_ROUNDING = 1e-11
"""The error of a closest point after the last step that was needed.

Relative to: the distance; the radius.
Why: a tenth of the dead band.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

NO_PLACE = 1e-3
"""The distance from the surface beyond which an iterate is no point of it.

Relative to: the distance.
Why: an iterate there has diverged; a converged one is at 1e-11.
"""

PARALLEL = 1e-14
"""The square of the sine of an angle below which segments are parallel.

Relative to: 1.
Why: below it no point between the ends is closer than both, beyond this value.
"""
