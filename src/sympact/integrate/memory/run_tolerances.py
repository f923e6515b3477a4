"""Every tolerance of steps, boundaries and runs: its value, relative to what, why, and the test that notices it.

Kernels read these numbers when they are compiled. ``docs/theory/tolerances.rst`` is made from this file.
"""

DEFAULT_RTOL = 1e-9
"""The default relative tolerance of a run.

Relative to: each state.
Why: an eighth-order step costs little more at 1e-9 than at 1e-6, and gaps are correct to the dead band for a length of
1.
Test: house/test_tolerances.py::test_a_run_that_asks_for_none_has_the_tolerances_of_the_manual.
"""

DEFAULT_ATOL = 1e-12
"""The default absolute tolerance of a run.

Relative to: the units of each state.
Why: a thousandth of the relative tolerance, so that states of a thousandth of a unit have that accuracy.
Test: house/test_tolerances.py::test_a_run_that_asks_for_none_has_the_tolerances_of_the_manual.
"""

LEAST_RTOL = 2.3e-14
"""The least permitted relative tolerance.

Relative to: each state.
Why: a hundred roundings; below, error estimates are rounding and steps are rejected without end.
Test: house/test_tolerances.py::test_a_relative_tolerance_below_a_hundred_roundings_is_refused.
"""

DEAD_BAND = 1e-10
"""The depth of a crossing of a gap that the search may omit, and of a start below a surface.

Relative to: the length of the model.
Why: a tenth of the default tolerance, a thousand times the rounding of a gap.
Test: house/test_tolerances.py::test_heights_and_speeds_of_hops_fit_each_other.
"""

GAP_ROUNDING = 1e-13
"""The rounding of a gap, or of the acceleration of one.

Relative to: the length of the model; the largest acceleration of a gap so far.
Why: some hundred roundings of coordinates of the size of the length, of which a gap may be a small difference.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

PRESSED = 1e-8
"""An acceleration towards a surface that closes a contact at the start, and one that opens it.

Relative to: the largest acceleration.
Why: ten times the negligible acceleration, so that a kept contact is not released at once.
Test: house/test_tolerances.py::test_a_contact_that_is_kept_is_not_let_go_at_once.
"""

PULLS = 2e-9
"""The tension of a contact at which it clearly pulls.

Relative to: the scale of the force.
Why: twice the negligible acceleration, so that the problem of forces drops the contact that the search has found.
Test: house/test_tolerances.py::test_a_contact_that_is_kept_is_not_let_go_at_once.
"""

PROBE = 2.0**-20
"""The look-ahead for boundaries that start at zero; the smallest block of a search; a small difference.

Relative to: the step; the time scale of contacts; the coordinate.
Why: a millionth, at which a quadratic term has six digits; a power of 16, so that halving reaches it.
Test: house/test_tolerances.py::test_what_is_squared_is_a_root_of_the_machine_epsilon.
"""

SEGMENT = 1e-13
"""The shortest segment into which a step is cut between two roots.

Relative to: the step.
Why: a few hundred roundings of a step's fraction, below which values of a polynomial are their rounding.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

SLIGHT = 1e-9
"""A negligible part of a step: a correction made along the rates, a remainder that joins the last step.

Relative to: the step; a thousandth of it where a secant, with errors up to 1e-3 at loose tolerances, replaces a rate.
Why: the neglected term is its square, 1e-18 of the step, below rounding.
Test: house/test_tolerances.py::test_what_is_squared_is_a_root_of_the_machine_epsilon.
"""

SECANT = 1e-4
"""Half of the distance over which a secant is taken.

Relative to: the step.
Why: differences over it lose four digits to rounding and 1e-8 to curvature, less than the error of the interpolant.
Test: house/test_tolerances.py::test_what_is_squared_is_a_root_of_the_machine_epsilon.
"""

NEAR_END = 1e-6
"""The remaining time to an accumulation when it is reported.

Relative to: the time since the start.
Why: the root of 1e-12: rebounds of this duration have heights that are the rounding of a height.
Test: house/test_tolerances.py::test_what_is_squared_is_a_root_of_the_machine_epsilon.
"""

SWITCH_MET = 1e-8
"""The residual of a condition's margin at a zero that was just found.

Relative to: the largest margin, or its way at its present rate.
Why: the root of the machine epsilon: the accuracy of the zero of a boundary that is touched, not crossed.
Test: house/test_tolerances.py::test_what_is_squared_is_a_root_of_the_machine_epsilon.
"""

FIRST_SIZE = 1e-5
"""States and rates below it do not determine the size of the first step.

Relative to: the tolerances of the run.
Why: Hairer, Norsett, Wanner I, II.4.
"""

FIRST_STEP = 1e-6
"""The first step tried where nothing determines its size.

Relative to: the unit of time.
Why: Hairer, Norsett, Wanner I, II.4.
"""

FIRST_FLAT = 1e-15
"""A change of the flow along the first step that does not bound its size.

Relative to: the tolerances of the run, in the unit of time.
Why: Hairer, Norsett, Wanner I, II.4.
"""

FIRST_REACH = 1e-7
"""The distance across the flow for the size of the first step.

Relative to: 1 and each state.
Why: between the root of the machine epsilon and the default tolerance's: a difference with seven digits.
"""

ERROR_FLOOR = 1e-8
"""Errors of a step below it count as this.

Relative to: the tolerances of the run.
Why: its logarithm is finite, and a step already grows by the largest factor at 1e-5.
"""

SHORTEST_STEP = 1e-290
"""Steps below it end a run.

Relative to: the unit of time.
Why: at t = 0 the roundings of the time are no bound; numbers below 1e-308 lose digits.
"""

NOISE_OF_ATOL = 1e-9
"""The largest absolute tolerance that counts as noise in a margin.

Relative to: the units of each state.
Why: looser ones are the accepted error of a user, not rounding.
"""

PLACE_SPACING = 2.2e-16
"""The search for a root within a step ends when its bracket is as narrow as this.

Relative to: the step, or the time where that is larger.
Why: about one rounding; a narrower bracket has no number inside.
"""
