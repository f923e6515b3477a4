"""Every tolerance of contacts: its value, relative to what, why, and the test that notices it.

Three of them are levels of rounding: `RESOLVED` of one operation, `SUM_ROUNDING` of a sum of some tens of terms,
`ANSWER_ROUNDING` of a small linear system. Kernels read these numbers when they are compiled.
``docs/theory/tolerances.rst`` is made from this file.
"""

RESOLVED = 1e-15
"""A change in one round of an iteration, or a remainder of a motion or stiffness, that is one rounding.

Relative to: the iterated value; the speeds; the larger stiffness.
Why: five roundings: an iteration with a smaller tolerance does not end.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

SUM_ROUNDING = 1e-14
"""The rounding of a sum of impulses, forces or residuals.

Relative to: the largest of the terms.
Why: some fifty roundings, of sums of some tens of terms.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

ANSWER_ROUNDING = 1e-13
"""The rounding of a solution: of residuals, impulses, ratios, directions and energies.

Relative to: the speeds of the problem; the largest impulse; the constants; the energies in the impact.
Why: some five hundred roundings, of the elimination of a few contacts.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

PIVOT = 1e-12
"""A pivot, or the square of a sine, below which a direction depends on those before.

Relative to: the diagonal.
Why: a sine of 1e-6, of which sixteen digits leave ten.
Test: house/test_tolerances.py::test_what_is_squared_is_a_root_of_the_machine_epsilon.
"""

DEPENDENT = 1e-12
"""The remainder of a vector in the span of others, and of a row that is rounding.

Relative to: the longest vector of its kind, and the effect of coefficients on roundings.
Why: ten times the rounding of a solution; the rows of a contact differ by less than 1e12 where they matter.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

COLUMN_SPANNED = 1e-11
"""The remainder of a column that counts as spanned by others.

Relative to: the column.
Why: columns come from solutions of other solvers, with a hundred times their rounding.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

RANK = 1e-8
"""The remainder of a row that adds no direction, and the angle between two equal directions.

Relative to: the longest row, with rows of different kinds made comparable; radians.
Why: the root of the machine epsilon: the Delassus matrix has squares of it, and Newton's method squares it.
Test: contact/test_contact_rank.py::test_a_singular_value_counts_above_1e_8_of_the_largest.
"""

DIGITS_LOST = 1e-4
"""A part of a vector from which nothing is computed: the remainder of a square, a normal in a null direction.

Relative to: the square before; the null direction.
Why: four digits are lost.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

MOTION_ROUNDING = 1e-12
"""The difference of two motions that is rounding, and the residual at which refinement of a motion stops.

Relative to: the speeds of the problem, or the motion and the bounds.
Why: ten times the rounding of a solution, a hundredth of the tolerance of solutions.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

ACCEPTED = 1e-10
"""The residual of an accepted solution; a smaller one is no proof against a solution, and no gain of energy.

Relative to: the speeds of the problem; the energy before an impact.
Why: the guarantee of the manual; a thousand times the rounding of a solution.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

CONE_ACCEPTED = 3e-11
"""The residual of a solution of the cone solver.

Relative to: the speeds of the problem.
Why: other measures of it stay below `ACCEPTED`.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

IMPULSE_ROUNDINGS = 4.0
"""The rounding of G times the impulses in the speeds after, for all impulses.

Relative to: the machine epsilon.
Why: of sums of a few large terms.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

IMPULSES_LOST = 1e-6
"""The rounding of the speeds after by the impulses at which the motion is lost.

Relative to: the speeds of the problem; for all the impulses of an event, the largest ones that its speeds permit.
Why: six digits of the motion after remain.
Test: house/test_tolerances.py::test_what_is_lost_is_lost_for_every_law.
"""

CORRECTED = 1e-9
"""A negligible correction back to the path.

Relative to: the stride.
Why: Newton's method squares it: the next would be rounding.
Test: house/test_tolerances.py::test_what_is_squared_is_a_root_of_the_machine_epsilon.
"""

ARMIJO = 1e-4
"""The part of the expected decrease that a step along a line must give.

Relative to: the decrease.
Why: Nocedal and Wright, Numerical Optimization, section 3.1.
Test: house/test_tolerances.py::test_a_line_search_asks_what_its_book_asks.
"""

FORCE_NONE = 1e-9
"""A negligible part of a force: the permitted violation of its cone; a contact with less does not take part.

Relative to: the force; the largest change of a gap rate by an impulse.
Why: ten times the residual of a solution.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

INSIDE = 1e-6
"""The distance of a sticking contact from the edge of its cone.

Relative to: the edge.
Why: impulses are correct to 1e-10 of their largest, and one that is ten thousand times smaller to this.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

LEMKE_FLAT = 1e-10
"""A negligible entry of the entering column.

Relative to: the largest of the column.
Why: a pivot so small would leave six digits.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

NO_VELOCITY = 1e-11
"""A residual velocity of solvers.

Relative to: the speeds of the problem; the approach speed.
Why: a third of the residual of a solution.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

STEP_ERROR = 1e-12
"""The error of a step along an impact, and a negligible slip or approach where one contact has its impact.

Relative to: the speeds before.
Why: a hundred steps give the residual of a solution.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

SLIP_ERROR = 1e-3
"""The same of a slip that ends.

Relative to: the slip.
Why: it keeps its direction to a thousandth of a radian.
"""

PATH_NONE = 1e-10
"""The remainder of an approach, of velocity outside its range and of turning as a path ends; half of it, of a slip.

Relative to: the speeds before; the largest possible turning.
Why: a hundred steps with `STEP_ERROR` each.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

SLIPS_JOINED = 1e-8
"""Slips that end with one that ends, and the remainder of v_N and slip; from twice as much on slip has begun.

Relative to: the speeds before.
Why: a slip that ends with another decreases as its root, which rounding determines to 1e-8.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

SURPLUS = 1e-4
"""The impulse given to a contact after a tensile one, so that it shares the load.

Relative to: the largest impulse.
Why: more than rounding, and removed by the law where it is too much.
"""

HOP_HEIGHT = 1e-10
"""Rebounds lower than this are the end of an accumulation.

Relative to: the length of the model.
Why: the dead band: the search omits lower rebounds.
Test: contact/test_rest_closed_forms.py::test_every_bounce_of_a_ball_is_in_time.
"""

STEADY = 1.0 - 1e-9
"""Coefficients of restitution above this lose nothing: their rebounds never end.

Relative to: 1.
Why: a rebound keeps its height for a billion bounces, more than a run can have.
Test: house/test_tolerances.py::test_a_hop_without_loss_bounces_for_longer_than_a_run_can_take.
"""

AT_ONCE = 1e-12
"""Contacts that touch within the time in which this is covered have one impact.

Relative to: the length of the model.
Why: a hundredth of the dead band: the integration does not determine their order.
Test: contact/test_contact_participants.py::test_window_is_an_instant_or_a_trillionth_of_the_time_scale.
"""

NO_SPEED = 5e-14
"""A negligible approach speed.

Relative to: the speed that the reference acceleration gives over the length.
Why: a rebound of such a speed is 1e-27 of the length high.
Test: house/test_tolerances.py::test_heights_and_speeds_of_hops_fit_each_other.
"""

STILL_SPEED = 1e-12
"""A gap rate, and the speeds of a body, that are rounding of rest.

Relative to: the speed that the reference acceleration gives over the length.
Why: the rest of a zero rate at the end of a step.
Test: house/test_tolerances.py::test_heights_and_speeds_of_hops_fit_each_other.
"""

SLOW_SLIP = 1e-7
"""Slip that may end in sticking.

Relative to: the length of the model in its time scale.
Why: 1e-14 of the length is covered until it has stopped.
Test: house/test_tolerances.py::test_heights_and_speeds_of_hops_fit_each_other.
"""

NO_ACCELERATION = 1e-9
"""A negligible acceleration: a contact does not open, slip does not begin, a body at rest stays.

Relative to: the acceleration without contact forces.
Why: ten times the residual of a solution of the forces.
Test: house/test_tolerances.py::test_a_contact_that_is_kept_is_not_let_go_at_once.
"""

FORCES_MISS = 1e-8
"""The permitted residual of forces in their equations or their law.

Relative to: their terms.
Why: the root of the machine epsilon; a step with these forces has that additional error.
Test: house/test_tolerances.py::test_what_is_squared_is_a_root_of_the_machine_epsilon.
"""

NO_JAM = 1e-9
"""The approach that counts as zero in an impact without collision.

Relative to: the speeds.
Why: its effect on the speeds after is of its own size, above the residual of a solution.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

NEARLY_MASSLESS = 1e-6
"""The ratio of inverse masses with and without friction at which the force counts as unbounded.

Relative to: the inverse mass without friction.
Why: forces are then a million times the loads, and larger ones do not matter for a run.
Test: house/test_tolerances.py::test_what_is_lost_is_lost_for_every_law.
"""

AT_ZERO = 1e-4
"""The same of a state a little before or after the zero of the ratio.

Relative to: the inverse mass without friction.
Why: between it and `NEARLY_MASSLESS` lie the steps that come so near.
Test: house/test_tolerances.py::test_what_is_lost_is_lost_for_every_law.
"""

DRIFT = 1e-6
"""A permitted gap rate of a closed contact at the end of a step.

Relative to: the speeds in it.
Why: a thousand times the default tolerance of a run; more is a jump, not drift.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

AUDIT_ENERGY = 1e-6
"""Energy that an event may gain, or the projection remove, before the run is stopped.

Relative to: the energy of the event.
Why: ten thousand times that of correct events.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

BEARS = 1e-6
"""A contact with a force in a self-stress.

Relative to: the largest normal force.
Why: the solution of a linear program is correct to 1e-10.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

VANISHED = 1e-150
"""A negligible gap rate in any unit.

Relative to: the unit of speed.
Why: its square is the least number.
"""

CLOSED_GAP = 4e-16
"""A gap that projection leaves unchanged.

Relative to: the length of the model.
Why: about two roundings of the length; another projection would move the coordinates by no more than that.
"""
