"""Every tolerance of contacts: its value, relative to what, why, and the test that notices it.

Three of them are rounding errors, in ascending order: `RESOLVED` of one operation, `SUM_ROUNDING` of a sum of some tens
of terms, `ANSWER_ROUNDING` of the solution of a small linear system. Kernels read these numbers when they are compiled.
``docs/theory/tolerances.rst`` is made from this file.
"""

from sympact.integrate.memory.run_tolerances import DEAD_BAND, GAP_ROUNDING, SLIGHT, TOO_MANY
from sympact.native.rounding import EPS, HALF_DIGITS, ROUNDINGS

IMPULSE_ROUNDINGS = 4.0
"""The rounding error of the velocities after an impact, in roundings of G times the impulses.

Relative to: the machine epsilon.
Why: that of a sum of a few large terms.
Test: contact/test_contact_tolerances.py::test_impulses_that_are_lost_in_rounding_are_refused.
"""

RESOLVED = IMPULSE_ROUNDINGS * EPS
"""The rounding error of one operation: a change in one round of an iteration, or a remainder of a velocity or of a
stiffness, that is zero.

Relative to: the quantity that is iterated; the speeds; the larger stiffness.
Why: four roundings; an iteration with a smaller tolerance does not end.
"""

STILL = 2.0 * RESOLVED
"""The acceleration that closed contacts leave to a state at rest.

Relative to: the sum of the magnitudes of its terms, and of its changes by the coordinates, see ``rest_kernel``.
Why: eight roundings: two for each product and sum of the mass matrix and the motion without forces.
Test: contact/test_contact_tolerances.py::test_a_body_at_rest_wakes_where_a_force_moves_it,
mechanics/run/test_unstable_equilibria.py::test_a_rod_falls_from_a_hundredth_of_a_trillionth_of_a_radian.
"""

SUM_ROUNDING = ROUNDINGS * EPS
"""The rounding error of a sum of impulses, forces or residuals.

Relative to: the largest of the terms.
Why: that of a sum of some tens of terms.
"""

ANSWER_ROUNDING = GAP_ROUNDING
"""The rounding error of a solution: of residuals, impulses, ratios, directions and energies.

Relative to: the speeds of the problem; the largest impulse; the constants; the energies in the impact.
Why: some five hundred roundings, from the elimination of a few contacts; a gap has as many.
Test: contact/test_contact_tolerances.py::test_a_row_of_a_contact_counts_unless_it_is_rounding_beside_the_others.
"""

MOTION_ROUNDING = 10.0 * ANSWER_ROUNDING
"""A difference of two motions that is rounding, and a residual at which the refinement of a motion ends.

Relative to: the speeds of the problem, or the motion and the bounds.
Why: ten times the rounding error of a solution, a hundredth of the residual that is accepted.
Test: contact/test_contact_tolerances.py::test_a_row_of_a_contact_counts_unless_it_is_rounding_beside_the_others.
"""

PIVOT = 1e-12
"""A pivot, or the square of a sine, below which a direction is linearly dependent on the previous ones.

Relative to: the diagonal.
Why: the square of a sine of 1e-6, which is known to ten of sixteen digits.
Test: contact/test_contact_tolerances.py::test_a_mass_matrix_is_singular_where_few_digits_of_its_answers_are_left.
"""

DEPENDENT = MOTION_ROUNDING
"""The remainder of a vector that lies in the span of others, and the size of a row that is rounding.

Relative to: the longest vector of its kind; the rounding error times the coefficients.
Why: the rounding error of a motion; the lengths of the rows of a contact have ratios below 1e12 where they count.
Test: contact/test_contact_tolerances.py::test_a_row_of_a_contact_counts_unless_it_is_rounding_beside_the_others.
"""

RANK = HALF_DIGITS
"""The remainder of a row that adds no direction, and the angle between two directions that count as one.

Relative to: the longest row, with rows of different kinds scaled to one unit; radians.
Why: the root of the machine epsilon: the Delassus matrix contains its square, and Newton's method squares it.
Test: contact/test_contact_rank.py::test_a_singular_value_counts_above_1e_8_of_the_largest.
"""

DIGITS_LOST = HALF_DIGITS**0.5
"""The part of a vector that has lost too many digits to be used: a remainder of a square, the normal part of a null
direction. Also the impulse with which a contact that pulled begins anew, so that it takes its share, the error of a
slip near its end, and what is added to a curvature of impulses of least norm.

Relative to: the square before; the null direction; the largest impulse; the slip; the curvature and the part of the
motion that is left.
Why: four digits are lost; such an impulse is more than rounding, and the law reduces it where it is too large. With
such a curvature a step is Newton's to four digits.
"""

ACCEPTED = 1e-10
"""The residual at which a solution is accepted. A smaller gain of energy, a smaller velocity at the end of a path, or a
smaller entry of a column that enters a basis is zero.

Relative to: the speeds of the problem; the energy before an impact; the largest entry.
Why: the accuracy that the manual states; a thousand times the rounding error of a solution.
Test: contact/test_contact_tolerances.py::test_columns_that_differ_by_the_error_of_a_solution_are_one.
"""

CONE_ACCEPTED = 0.3 * ACCEPTED
"""The residual at which the cone solver accepts a solution.

Relative to: the speeds of the problem.
Why: the residual in other norms is then below `ACCEPTED`.
"""

NO_VELOCITY = 0.1 * ACCEPTED
"""A velocity that a solver leaves where it should be zero.

Relative to: the speeds of the problem; the rate of approach.
Why: a tenth of the residual that is accepted.
Test: contact/test_contact_tolerances.py::test_columns_that_differ_by_the_error_of_a_solution_are_one.
"""

COLUMN_SPANNED = NO_VELOCITY
"""The remainder of a column that counts as spanned by others.

Relative to: the column.
Why: columns are solutions of other solvers, with a hundred times the rounding error.
Test: contact/test_contact_tolerances.py::test_columns_that_differ_by_the_error_of_a_solution_are_one.
"""

STEP_ERROR = 0.01 * ACCEPTED
"""The error of a step along an impact, and a slip or an approach that is zero in the impact of one contact.

Relative to: the speeds before.
Why: the errors of a hundred steps add up to the residual that is accepted.
Test: contact/impacts/test_impact_laws.py::test_slip_that_turns_is_followed_to_the_twelfth_digit.
"""

BEYOND_ERROR = 1e-6
"""More than any error of a solution: energy that an event gains, or removes without an impulse, so that the run ends;
the distance of a sticking contact from the edge of its cone; a normal force in a state of self-stress; on a smooth arc
a residual of the equations of motion, a force outside its cone, or a slip against its direction, so that the run ends.

Relative to: the energy of the event; the edge; the largest normal force; the largest force of the arc, measured by the
mass, or its slip.
Why: ten thousand times the residual that is accepted.
Test: contact/test_contact_tolerances.py::test_a_wall_that_bears_more_than_the_errors_of_a_solution_is_named,
contact/test_arc_audit.py::test_a_fault_below_the_threshold_passes.
"""

IMPULSES_LOST = 1e-6
"""The rounding error of the velocities after an impact above which its impulses are refused.

Relative to: the speeds of the problem; for all impulses of an event, the impulse that its kinetic energy can transmit.
Why: the motion after the impact is then known to six digits.
Test: contact/test_contact_tolerances.py::test_impulses_that_are_lost_in_rounding_are_refused.
"""

NEARLY_MASSLESS = IMPULSES_LOST
"""The inverse mass with friction below which the force counts as unbounded.

Relative to: the inverse mass without friction.
Why: forces are then a million times the loads; a run has nothing to gain from larger ones.
"""

AT_ZERO = 100.0 * NEARLY_MASSLESS
"""The inverse mass with friction in states a little before or after the one in which it is zero.

Relative to: the inverse mass without friction.
Why: the last steps before that state end between `NEARLY_MASSLESS` and this.
"""

UNBOUNDED = 100.0 / ACCEPTED
"""The largest coefficient of friction of the solvers, which replaces an infinite one.

Relative to: the normal force or impulse.
Why: the forces of the limit are then outside the cone by a hundredth of what solvers accept, at most.
Test: contact/friction/test_infinite_friction.py::test_a_finite_cone_stands_for_the_limit.
"""

CORRECTED = SLIGHT
"""The correction back to the path at which Newton's method ends.

Relative to: the stride.
Why: Newton's method squares it: the next correction would be rounding.
"""

ARMIJO = 1e-4
"""The part of the expected decrease that a step of a line search must achieve.

Relative to: the decrease.
Why: Nocedal and Wright, Numerical Optimization, section 3.1.
Test: house/test_tolerances.py::test_a_line_search_asks_what_its_book_asks.
"""

STEADY = 1.0 - 1.0 / TOO_MANY
"""The coefficient of restitution above which rebounds count as lossless and never end.

Relative to: 1.
Why: rebounds keep their height for more impacts than a run may have steps.
Test: contact/test_contact_tolerances.py::test_a_low_hop_that_would_last_longer_than_any_run_goes_on.
"""

NO_DISTANCE = 0.01 * DEAD_BAND
"""A distance that is zero: contacts that close within the time in which it is covered have their impacts at one
instant, and a motion that covers no more in the time scale is rest.

Relative to: the length of the model.
Why: a hundredth of the dead band: the integration does not determine the order of such impacts.
Test: contact/test_contact_participants.py::test_window_is_an_instant_or_a_trillionth_of_the_time_scale.
"""

NO_SPEED = 0.5 * GAP_ROUNDING
"""A speed of approach that is zero.

Relative to: the speed that the reference acceleration gives over the length.
Why: half of the rounding error of a gap in the time scale; a rebound at such a speed rises by 1e-27 of the length.
Test: contact/test_contact_tolerances.py::test_an_approach_that_is_rounding_has_no_impulse.
"""

NO_SLIP = ACCEPTED
"""A slip velocity that counts as none.

Relative to: the scale of this slip, see `slip_scale_kernel`; after an impact the parts that impulses have in it.
Why: the residual at which an impact is accepted, and a tenth of the default tolerance of a step; its energy is 1e-20 of
that of the motion of its own bodies.
Test: fuzz/test_touching.py::test_chains_of_large_ratios_of_speeds_obey_newton_and_coulomb.
"""

SLOW_SLIP = 10.0 * HALF_DIGITS
"""The slip velocity that may be left where a slip ends: in space it seldom passes through zero exactly.

Relative to: the scale of this slip along its tangents, with the accelerations of its mode.
Why: its energy is 1e-14 of that of the motion of its own bodies, and the contact slips by 1e-14 of the length until it
stops.
Test: contact/test_contact_tolerances.py::test_slip_that_may_end_stops_within_the_rounding_of_a_place.
"""

WEAK = 1e-5
"""The singular value below which a direction of bilateral constraints is left to inertia.

Relative to: the lengths of the constraints in the mass metric, elsewhere in the mechanism.
Why: a violation of 1e-16 grows as its inverse; where the rank decreases for an instant a step passes that is longer.
Test: mechanics/run/test_simulate_constrained.py::test_a_parallelogram_passes_its_flat_positions.
"""

CLOSED_GAP = 4e-16
"""A gap that counts as zero, so that projection leaves it unchanged.

Relative to: the length of the model.
Why: about two roundings of the length; another projection would move the coordinates by no more.
Test: contact/test_contact_tolerances.py::test_a_closed_gap_is_taken_out_down_to_the_rounding_of_the_length.
"""
