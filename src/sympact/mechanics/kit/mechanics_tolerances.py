"""Every tolerance of models: its value, relative to what, why, and the test that notices it.

``docs/theory/tolerances.rst`` is made from this file.
"""

from sympact.integrate.memory.run_tolerances import DEAD_BAND

FELL = 1e-3
"""The smallest singular value of the rows of closed contacts below which a mechanism is at a dead point.

Relative to: its largest value since they closed.
Why: near a dead point the speeds have grown a thousandfold; a run that ends for another reason rarely ends there.
Test: mechanics/test_mechanics_tolerances.py::test_a_wall_that_drives_to_a_dead_point_is_told.
"""

TWO_PLACES = 1e-6
"""The gaps to two places of a surface below which a ball touches both, so that its gap has no value.

Relative to: its radius.
Why: more than the error of a second place after Newton's method, so that none is missed, and so little that the time
at which a run ends hardly depends on it.
Test: mechanics/test_nearest_places.py::test_a_ball_that_touches_two_places_has_no_gap.
"""

ALONG_A_LINE = 1e-6
"""The least curvature along a line with which Newton's method divides.

Relative to: the inverse of the distance.
Why: steps of Newton's method then stay within a million distances.
"""

FOOT_ROUNDING = 0.1 * DEAD_BAND
"""The error of a closest point that is accepted.

Relative to: the distance; the radius.
Why: a tenth of the dead band.
"""

NO_PLACE = 1e-3
"""The distance from the surface above which a result of Newton's method is no point of it.

Relative to: the distance that is sought.
Why: the method has diverged; where it converges, the result is within 1e-11.
"""
