"""Every tolerance of models: its value, relative to what, why, and the test that notices it.

``docs/theory/tolerances.rst`` is made from this file.
"""

from sympact.integrate.memory.run_tolerances import DEAD_BAND

FELL = 1e-3
"""What the smallest singular value of closed contacts' rows has fallen to at a dead point.

Relative to: the largest that it had since they closed.
Why: from there on to the dead point the speeds grow a thousandfold; a run that stops otherwise rarely stops there.
Test: mechanics/test_mechanics_tolerances.py::test_a_wall_that_drives_to_a_dead_point_is_told.
"""

TWO_PLACES = 1e-6
"""A ball that is as near as that to two places touches both, and has no gap.

Relative to: its radius.
Why: more than what Newton's method leaves of the error of a second place, so that none is overlooked, and so little
that where a run ends hardly depends on it.
Test: mechanics/test_nearest_places.py::test_a_ball_that_touches_two_places_has_no_gap.
"""

ALONG_A_LINE = 1e-6
"""How small the curvature along a line may be.

Relative to: the inverse of the distance.
Why: Newton's steps stay within a million distances.
"""

FOOT_ROUNDING = 0.1 * DEAD_BAND
"""The remaining error of a closest point after the last step that was needed.

Relative to: the distance; the radius.
Why: a tenth of the dead band.
"""

NO_PLACE = 1e-3
"""So far from the surface nothing is a place of it.

Relative to: the distance.
Why: Newton's method has left it; one that has found a place is at 1e-11.
"""
