"""Every tolerance of contacts: its value, relative to what, why, and the test that notices it.

Three of them are a ladder of roundings: `RESOLVED` is left of one operation, `SUM_ROUNDING` of a sum of some tens of
terms, `ANSWER_ROUNDING` of a small linear system. Kernels read these numbers when they are compiled.
``docs/theory/tolerances.rst`` is made from this file.
"""

from sympact.integrate.memory.run_tolerances import DEAD_BAND, GAP_ROUNDING, SLIGHT, TOO_MANY
from sympact.native.rounding import EPS, HALF_DIGITS, ROUNDINGS

IMPULSE_ROUNDINGS = 4.0
"""So many roundings of G times the impulses are left of the speeds after, whatever the impulses.

Relative to: the machine epsilon.
Why: of sums of a few large terms.
Test: contact/test_contact_tolerances.py::test_impulses_that_are_lost_in_rounding_are_refused.
"""

RESOLVED = IMPULSE_ROUNDINGS * EPS
"""A change in one round of an iteration, or a remainder of a motion or stiffness, that one operation may make.

Relative to: what is iterated; the speeds; the larger stiffness.
Why: four roundings: an iteration that asks for less does not end.
"""

SUM_ROUNDING = ROUNDINGS * EPS
"""What rounding leaves of a sum of impulses, forces or residuals.

Relative to: the largest of the terms.
Why: of sums of some tens of terms.
"""

ANSWER_ROUNDING = GAP_ROUNDING
"""What rounding leaves of an answer: of residuals, impulses, ratios, directions and energies.

Relative to: the speeds of the problem; the largest impulse; the constants; the energies in the impact.
Why: some five hundred roundings, of the elimination of a few contacts, as many as a gap has.
Test: contact/test_contact_tolerances.py::test_a_row_of_a_contact_counts_unless_it_is_rounding_beside_the_others.
"""

MOTION_ROUNDING = 10.0 * ANSWER_ROUNDING
"""Difference of two motions that is rounding, and the residual from which on a motion gets no sharper.

Relative to: the speeds of the problem, or the motion and the bounds.
Why: ten times what rounding leaves of an answer, a hundredth of what is accepted.
Test: contact/test_contact_tolerances.py::test_a_row_of_a_contact_counts_unless_it_is_rounding_beside_the_others.
"""

PIVOT = 1e-12
"""A pivot, or the square of a sine, below which a direction depends on those before.

Relative to: the diagonal.
Why: a sine of 1e-6, of which sixteen digits leave ten.
Test: contact/test_contact_tolerances.py::test_a_mass_matrix_is_singular_where_few_digits_of_its_answers_are_left.
"""

DEPENDENT = MOTION_ROUNDING
"""The remainder of a vector in the span of others, and of a row that is rounding.

Relative to: the longest vector of its kind, and what coefficients make of roundings.
Why: that of a motion; rows of a contact differ by less than 1e12 where they count.
Test: contact/test_contact_tolerances.py::test_a_row_of_a_contact_counts_unless_it_is_rounding_beside_the_others.
"""

RANK = HALF_DIGITS
"""The remainder of a row that adds no direction, and the angle between two directions that count as one.

Relative to: the longest row, with rows of different kinds made comparable; radians.
Why: the root of the machine epsilon: the Delassus matrix has squares of it, and Newton's method squares it.
Test: contact/test_contact_rank.py::test_a_singular_value_counts_above_1e_8_of_the_largest.
"""

DIGITS_LOST = HALF_DIGITS**0.5
"""A part of a vector from which nothing is computed: the remainder of a square, a normal in a null direction; also
the impulse given to a contact after a tensile one, so that it shares the load, and the error of a slip near its end.

Relative to: the square before; the null direction; the largest impulse; the slip.
Why: four digits are lost; such an impulse is more than rounding, and the law takes it back where it is too much.
"""

ACCEPTED = 1e-10
"""The residual of an answer that is a solution; less than it proves nothing against one, and is no gain of energy, no
velocity at the end of a path, no entry of a column that a basis takes up.

Relative to: the speeds of the problem; the energy before an impact; the largest entry.
Why: the guarantee of the manual; a thousand times the rounding of an answer.
Test: contact/test_contact_tolerances.py::test_columns_that_differ_by_the_error_of_a_solution_are_one.
"""

CONE_ACCEPTED = 0.3 * ACCEPTED
"""The residual of an answer of the cone solver.

Relative to: the speeds of the problem.
Why: other ways of measuring it stay below `ACCEPTED`.
"""

NO_VELOCITY = 0.1 * ACCEPTED
"""A velocity that solvers leave of none.

Relative to: the speeds of the problem; the rate of approach.
Why: a tenth of the residual of a solution.
Test: contact/test_contact_tolerances.py::test_columns_that_differ_by_the_error_of_a_solution_are_one.
"""

COLUMN_SPANNED = NO_VELOCITY
"""The remainder of a column that counts as spanned by others.

Relative to: the column.
Why: columns come from answers of other solvers, with a hundred times their rounding.
Test: contact/test_contact_tolerances.py::test_columns_that_differ_by_the_error_of_a_solution_are_one.
"""

STEP_ERROR = 0.01 * ACCEPTED
"""The error of a step along an impact, and slip or approach that is none where one contact has its impact.

Relative to: the speeds before.
Why: a hundred steps leave the residual of a solution.
Test: contact/impacts/test_impact_laws.py::test_slip_that_turns_is_followed_to_the_twelfth_digit.
"""

BEYOND_ERROR = 1e-6
"""What no error of a solution makes: energy that stops a run where an event gains it or settling takes it, the distance
of a sticking contact from the edge of its cone, a contact that bears in a self-stress.

Relative to: the energy of the event; the edge; the largest normal force.
Why: ten thousand times the residual of a solution.
Test: contact/test_contact_tolerances.py::test_a_wall_that_bears_more_than_the_errors_of_a_solution_is_named.
"""

IMPULSES_LOST = 1e-6
"""Rounding of the speeds after that impulses leave, at which they show nothing of the motion any more.

Relative to: the speeds of the problem; for all the impulses of an event, the impulse that its speeds could transfer.
Why: six digits of the motion after remain.
Test: contact/test_contact_tolerances.py::test_impulses_that_are_lost_in_rounding_are_refused.
"""

NEARLY_MASSLESS = IMPULSES_LOST
"""What friction leaves of the inverse mass where the force counts as unbounded.

Relative to: the inverse mass without friction.
Why: forces are then a million times the loads, and a run gains nothing beyond.
"""

AT_ZERO = 100.0 * NEARLY_MASSLESS
"""The same of a state a little before or after the one where it is zero.

Relative to: the inverse mass without friction.
Why: between it and `NEARLY_MASSLESS` lie the steps that come so near.
"""

CORRECTED = SLIGHT
"""A correction back to the path that is none.

Relative to: the stride.
Why: Newton's method squares it: the next would be rounding.
"""

ARMIJO = 1e-4
"""Part of the expected decrease that a step along a line must bring.

Relative to: the decrease.
Why: Nocedal and Wright, Numerical Optimization, section 3.1.
Test: house/test_tolerances.py::test_a_line_search_asks_what_its_book_asks.
"""

STEADY = 1.0 - 1.0 / TOO_MANY
"""Coefficients of restitution above this lose nothing: their rebounds never end.

Relative to: 1.
Why: a rebound keeps its height for more bounces than a run may have steps.
Test: contact/test_contact_tolerances.py::test_a_low_hop_that_would_last_longer_than_any_run_goes_on.
"""

NO_DISTANCE = 0.01 * DEAD_BAND
"""A distance that is none: contacts that touch within the time in which it is covered hit at once, and speeds that
cover it in the time scale are rest.

Relative to: the length of the model.
Why: a hundredth of the dead band: the integration does not decide their order.
Test: contact/test_contact_participants.py::test_window_is_an_instant_or_a_trillionth_of_the_time_scale.
"""

NO_SPEED = 0.5 * GAP_ROUNDING
"""An approach that is none.

Relative to: the speed that the reference acceleration gives over the length.
Why: half of the rounding of a gap in the time scale; a rebound of such a speed is 1e-27 of the length high.
Test: contact/test_contact_tolerances.py::test_an_approach_that_is_rounding_has_no_impulse.
"""

SLOW_SLIP = 10.0 * HALF_DIGITS
"""Slip that may end in sticking.

Relative to: the length of the model in its time scale.
Why: 1e-14 of the length is covered until it has stopped.
Test: contact/test_contact_tolerances.py::test_slip_that_may_end_stops_within_the_rounding_of_a_place.
"""

CLOSED_GAP = 4e-16
"""A gap that projection leaves as it is: it is as good as zero.

Relative to: the length of the model.
Why: about two roundings of the length; one more projection would move the coordinates by no more than that.
Test: contact/test_contact_tolerances.py::test_a_closed_gap_is_taken_out_down_to_the_rounding_of_the_length.
"""
