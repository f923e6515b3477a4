"""Every tolerance of steps, boundaries and runs: its value, relative to what, why, and the test that notices it.

Kernels read these numbers when they are compiled. ``docs/theory/tolerances.rst`` is made from this file.
"""

from sympact.native.rounding import EPS, HALF_DIGITS

DEFAULT_RTOL = 1e-9
"""The relative tolerance of a run that asks for none.

Relative to: each state.
Why: an eighth-order step costs little more at 1e-9 than at 1e-6, and gaps are right to the dead band for a length of 1.
Test: house/test_tolerances.py::test_a_run_that_asks_for_none_has_the_tolerances_of_the_manual.
"""

DEFAULT_ATOL = 1e-12
"""The absolute tolerance of a run that asks for none.

Relative to: the units of each state.
Why: a thousandth of the relative tolerance, so that states of a thousandth of a unit are still followed to it.
Test: house/test_tolerances.py::test_a_run_that_asks_for_none_has_the_tolerances_of_the_manual.
"""

DRIFT = 1000.0 * DEFAULT_RTOL
"""What no integration leaves of a closed gap or its rate: a deeper start, or a larger rate, is refused.

Relative to: the length of the model; the speeds that a rate is made of.
Why: a thousand times the default tolerance; more is a leap, or no place that a user means to be on a surface.
Test: house/test_tolerances.py::test_a_start_may_lie_a_millionth_of_the_length_deep_at_most.
"""

LEAST_RTOL = 100.0 * EPS
"""The least permitted relative tolerance.

Relative to: each state.
Why: a hundred roundings; below, error estimates are rounding and steps are refused without end.
Test: house/test_tolerances.py::test_a_relative_tolerance_below_a_hundred_roundings_is_refused.
"""

DEAD_BAND = 1e-10
"""How deep a dip of a gap may be passed over, and how deep a start may lie below a surface.

Relative to: the length of the model.
Why: a tenth of the default tolerance, a thousand times the rounding of a gap.
Test: contact/test_contact_tolerances.py::test_a_rebound_lower_than_the_dead_band_is_none.
"""

GAP_ROUNDING = 1e-13
"""What rounding leaves of a gap, of the acceleration of one, and of a part of a step.

Relative to: the length of the model; the largest acceleration of a gap so far; the step.
Why: some hundred roundings of coordinates of the size of the length, which a gap may be a small difference of.
Test: contact/test_contact_tolerances.py::test_an_approach_that_is_rounding_has_no_impulse.
"""

NEGLIGIBLE = 1e-9
"""A force, an acceleration or an approach that is none: friction within it keeps its cone, a contact does not open.

Relative to: the largest of its kind: the force, the acceleration without contact forces, the speeds.
Why: ten times the residual of a solution.
Test: contact/test_contact_tolerances.py::test_a_closed_contact_takes_part_if_it_is_pushed,
contact/test_contact_tolerances.py::test_a_body_at_rest_wakes_where_a_force_moves_it.
"""

PRESSED = 10.0 * NEGLIGIBLE
"""An acceleration towards a surface that closes a contact at the start, and a pull that lets one go.

Relative to: the largest acceleration.
Why: ten times the acceleration that counts as none, so that what is kept is not let go at once.
"""

PULLS = 2.0 * NEGLIGIBLE
"""How far the force of a contact has to go below zero before the contact clearly pulls.

Relative to: the scale of the force.
Why: twice the acceleration that counts as none, so that the problem of forces drops what the search has found.
"""

PROBE = 2.0**-20
"""The look-ahead that decides the direction of a margin at zero; the smallest block of a search; a small difference.

Relative to: the step; the time scale of contacts; the coordinate; the unit of time where nothing shows its size.
Why: a millionth, at which a quadratic term has six digits; a power of 16, so that it is met by halving. Hairer, Norsett
and Wanner I, II.4, take 1e-6 for a first step.
Test: house/test_tolerances.py::test_a_tolerance_that_is_a_root_or_so_many_roundings_is_near_it.
"""

SLIGHT = 1e-9
"""A part of a step that is not worth one: a correction made along the rates, a rest that joins the last step.

Relative to: the step; a thousandth of it where a secant, wrong by up to 1e-3 at loose tolerances, is taken for a rate.
Why: what is neglected is its square, 1e-18 of the step, below rounding.
Test: integrate/test_integrate_tolerances.py::test_what_is_left_of_a_span_joins_the_last_step_if_its_square_is_rounding.
"""

SECANT = HALF_DIGITS**0.5
"""Half of the distance over which a secant is taken.

Relative to: the step.
Why: differences over it lose four digits to rounding and 1e-8 to curvature, less than the interpolant is wrong by.
"""

NEAR_END = (0.01 * DEAD_BAND) ** 0.5
"""The remaining time until an accumulation when it is reported.

Relative to: the time since the start.
Why: rebounds of this duration are as high as its square, a hundredth of the dead band.
Test: integrate/test_integrate_tolerances.py::test_hops_of_a_plain_process_end_once_they_are_rounding_of_a_boundary.
"""

FIRST_REACH = 1e-7
"""How far across the flow the first step looks.

Relative to: 1 and each state.
Why: between the root of the machine epsilon and the default tolerance's: a difference with seven digits.
"""

NOISE_OF_ATOL = 1000.0 * DEFAULT_ATOL
"""The largest absolute tolerance that counts as noise in a margin.

Relative to: the units of each state.
Why: looser ones say what error a user takes, not what rounding leaves.
"""

TOO_MANY = 1e9
"""Steps that the rest of a span may take at the pace of a run, before the run is ended.

Relative to: 1.
Why: their samples fill the memory of a machine.
Test: integrate/test_integrate_tolerances.py::test_a_pace_that_needs_more_steps_than_memory_holds_ends_a_run.
"""

PLACE_SPACING = 2.2e-16
"""The search for a root within a step ends when its bracket is as narrow as this.

Relative to: the step, or the time where that is larger.
Why: about one rounding; a narrower bracket has no number inside.
Test: integrate/test_integrate_event_time.py::test_the_state_is_on_the_boundary.
"""
