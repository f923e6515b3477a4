"""Every tolerance of steps, boundaries and runs: its value, relative to what, why, and the test that notices it.

Kernels read these numbers when they are compiled. ``docs/theory/tolerances.rst`` is made from this file.
"""

from sympact.native.rounding import EPS, HALF_DIGITS

DEFAULT_RTOL = 1e-9
"""The relative tolerance of a run that states none.

Relative to: each state.
Why: an eighth-order method costs little more at 1e-9 than at 1e-6, and gaps are accurate to the dead band for a length
of 1.
Test: house/test_tolerances.py::test_a_run_that_asks_for_none_has_the_tolerances_of_the_manual.
"""

DEFAULT_ATOL = 1e-12
"""The absolute tolerance of a run that states none.

Relative to: the units of each state.
Why: a thousandth of the relative tolerance, which then applies to states down to a thousandth of a unit.
Test: house/test_tolerances.py::test_a_run_that_asks_for_none_has_the_tolerances_of_the_manual.
"""

DRIFT = 1000.0 * DEFAULT_RTOL
"""The largest error of a closed gap, or of its rate, that integration can cause: a start with a larger one is refused.

Relative to: the length of the model; the speeds of which a rate is the sum.
Why: a thousand times the default tolerance; a larger error is a jump, or a start that is not on the surface.
Test: house/test_tolerances.py::test_a_start_may_lie_a_millionth_of_the_length_deep_at_most.
"""

LEAST_RTOL = 100.0 * EPS
"""The least relative tolerance that a run accepts.

Relative to: each state.
Why: a hundred roundings; below it error estimates are rounding, and no step would be accepted.
Test: house/test_tolerances.py::test_a_relative_tolerance_below_a_hundred_roundings_is_refused.
"""

DEAD_BAND = 1e-10
"""The depth of a crossing that the search may omit, and of a start below a surface.

Relative to: the length of the model.
Why: a tenth of the default tolerance, a thousand times the rounding of a gap.
Test: contact/test_contact_tolerances.py::test_a_rebound_lower_than_the_dead_band_is_none.
"""

GAP_ROUNDING = 1e-13
"""The rounding error of a gap, of its second derivative, and of a part of a step.

Relative to: the length of the model; the largest acceleration of a gap so far; the step.
Why: some hundred roundings of coordinates as large as the length; a gap may be a small difference of them.
Test: contact/test_contact_tolerances.py::test_an_approach_that_is_rounding_has_no_impulse.
"""

NEGLIGIBLE = 1e-9
"""A force, an acceleration or an approach that is zero: friction that exceeds its cone by less still sticks, and a
contact does not open.

Relative to: the largest of its kind: the force, the acceleration without contact forces, the speeds.
Why: ten times the residual that is accepted.
Test: contact/test_contact_tolerances.py::test_a_closed_contact_takes_part_if_it_is_pushed.
"""

PRESSED = 10.0 * NEGLIGIBLE
"""The acceleration towards a surface that closes a contact at the start, and the tension that opens one.

Relative to: the largest acceleration.
Why: ten times the acceleration that counts as zero, so that a contact that was closed does not open at once.
"""

PULLS = 2.0 * NEGLIGIBLE
"""The tensile force at which a contact is found to pull.

Relative to: the scale of the force.
Why: twice the force that counts as zero, so that the problem of forces opens the contact that the search has found.
"""

LEAVES = 30.0
"""How deep the gap of a contact that is leaving its surface may be below zero by the error of a step, and how far its
acceleration, in steps whose polynomial does not follow the flow closely.

Relative to: the relative tolerance times the length of the model; times the largest acceleration.
Why: methods of several past steps have errors of some ten tolerances.
Test: contact/test_contact_leaving.py::test_a_point_leaves_a_dome_once.
"""

PROBE = 2.0**-20
"""The part of a step after which the sign of a function that starts at zero is evaluated; the smallest part of a step
that the search examines; the step of a finite difference.

Relative to: the step; the time scale of contacts; the coordinate; the unit of time where nothing shows its size.
Why: a millionth, at which a quadratic term is a millionth of a linear one; a power of 2, so that halving reaches it
exactly. Hairer, Norsett and Wanner I, II.4, use 1e-6 for a first step.
Test: house/test_tolerances.py::test_a_tolerance_that_is_a_root_or_so_many_roundings_is_near_it.
"""

SLIGHT = 1e-9
"""A part of a step that needs no step: a correction along the rates, a remainder that joins the last step.

Relative to: the step; a thousandth of it where a secant replaces a rate, with an error up to 1e-3 at loose tolerances.
Why: the neglected term is its square, 1e-18 of the step, which is below rounding.
Test: integrate/test_integrate_tolerances.py::test_what_is_left_of_a_span_joins_the_last_step_if_its_square_is_rounding.
"""

NEARBY = EPS ** (1.0 / 3.0)
"""A part of a step that needs no step: a correction along the mean of the rates at both of its ends.

Relative to: the step.
Why: the neglected term is a twelfth of its cube, 2e-17 of the step, which is below rounding.
Test: house/test_tolerances.py::test_a_tolerance_that_is_a_root_or_so_many_roundings_is_near_it.
"""

BEND = 500.0
"""The error of the second derivative of a step's polynomial at its end. Such a correction leaves the polynomial by half
of its square times this, which must be rounding: a time of an event is a root of the polynomial.

Relative to: the relative tolerance times the state, over the square of the step.
Why: the largest in runs of two oscillators with both adaptive methods at relative tolerances from 1e-3 to 1e-12 is 450.
Test: integrate/test_integrate_tolerances.py::test_the_polynomial_bends_at_its_end_as_the_flow_does.
"""

SECANT = HALF_DIGITS**0.5
"""Half of the interval of a secant.

Relative to: the step.
Why: the difference loses four digits to rounding and 1e-8 to curvature, less than the error of the interpolant.
"""

NEAR_END = (0.01 * DEAD_BAND) ** 0.5
"""The time to an accumulation at which it is reported.

Relative to: the time since the start.
Why: the height of a rebound is proportional to the square of its duration, here a hundredth of the dead band.
Test: integrate/test_integrate_tolerances.py::test_hops_of_a_plain_process_end_once_they_are_rounding_of_a_boundary.
"""

FIRST_REACH = 1e-7
"""The displacement across the flow over which the first step is estimated.

Relative to: 1 and each state.
Why: between the roots of the machine epsilon and of the default tolerance: the difference has seven digits.
"""

NOISE_OF_ATOL = 1000.0 * DEFAULT_ATOL
"""The largest absolute tolerance that counts as noise in a margin.

Relative to: the units of each state.
Why: a larger one is an error that the user accepts, not rounding.
"""

TOO_MANY = 1e9
"""The number of steps, predicted for the remaining time span, above which a run ends.

Relative to: 1.
Why: their samples fill the memory of a computer.
Test: integrate/test_integrate_tolerances.py::test_a_pace_that_needs_more_steps_than_memory_holds_ends_a_run.
"""

PLACE_SPACING = 2.2e-16
"""The width of the bracket at which the search for a root within a step ends.

Relative to: the step, or the time where that is larger.
Why: about one rounding; a narrower bracket contains no other number.
Test: integrate/test_integrate_event_time.py::test_the_state_is_on_the_boundary.
"""

NO_ARGUMENT = 1e-10
"""The size of a complex number below which it has no argument: a curve that comes nearer to zero passes through it.

Relative to: 1, the norm of a quaternion of which the number is two components: half the angle to a gimbal lock (rad).
Why: a rotation is known to 1e-13 at the tightest tolerances, and the argument of a number to that error over its size.
Test: integrate/test_attitude.py::test_a_curve_through_zero_goes_straight_on,
integrate/test_attitude.py::test_a_curve_past_zero_turns_by_half_a_turn_on_its_side.
"""
