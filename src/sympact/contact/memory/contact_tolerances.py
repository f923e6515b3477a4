"""Every tolerance of contacts: its value, relative to what, why, and the test that notices it.

Three of them are a ladder of roundings: `RESOLVED` is left of one operation, `SUM_ROUNDING` of a sum of some tens of
terms, `ANSWER_ROUNDING` of a small linear system. Kernels read these numbers when they are compiled.
``docs/theory/tolerances.rst`` is made from this file.
"""

RESOLVED = 1e-15
"""A change in one round of an iteration, or what is left of a motion or stiffness, that one operation may make.

Relative to: what is iterated; the speeds; the larger stiffness.
Why: five roundings: an iteration that asks for less does not end.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

SUM_ROUNDING = 1e-14
"""What rounding leaves of a sum of impulses, forces or residuals.

Relative to: the largest of the terms.
Why: some fifty roundings, of sums of some tens of terms.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

ANSWER_ROUNDING = 1e-13
"""What rounding leaves of an answer: of residuals, impulses, ratios, directions and energies.

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
"""What is left of a vector that lies in the span of others, and of a row that is rounding.

Relative to: the longest vector of its kind, and what coefficients make of roundings.
Why: ten times what rounding leaves of an answer; rows of a contact differ by less than 1e12 where they count.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

COLUMN_SPANNED = 1e-11
"""What is left of a column that counts as spanned by others.

Relative to: the column.
Why: columns come from answers of other solvers, with a hundred times their rounding.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

RANK = 1e-8
"""What is left of a row that adds no direction, and the angle between two directions that are one.

Relative to: the longest row, with rows of different kinds made comparable; radians.
Why: the root of the machine epsilon: the Delassus matrix has squares of it, and Newton's method squares it.
Test: contact/test_contact_rank.py::test_a_singular_value_counts_above_1e_8_of_the_largest.
"""

DIGITS_LOST = 1e-4
"""A part of a vector from which nothing is computed: what is left of a square, a normal in a null direction.

Relative to: the square before; the null direction.
Why: four digits are lost.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

MOTION_ROUNDING = 1e-12
"""Difference of two motions that is rounding, and the residual from which on a motion gets no sharper.

Relative to: the speeds of the problem, or the motion and the bounds.
Why: ten times what rounding leaves of an answer, a hundredth of what is accepted.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

ACCEPTED = 1e-10
"""The residual of an answer that is a solution; less than it proves nothing against one, and is no gain of energy.

Relative to: the speeds of the problem; the energy before an impact.
Why: the guarantee of the manual; a thousand times the rounding of an answer.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

CONE_ACCEPTED = 3e-11
"""The residual of an answer of the cone solver.

Relative to: the speeds of the problem.
Why: other ways of measuring it stay below `ACCEPTED`.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

IMPULSE_ROUNDINGS = 4.0
"""So many roundings of G times the impulses are left of the speeds after, whatever the impulses.

Relative to: the machine epsilon.
Why: of sums of a few large terms.
Test: house/test_tolerances.py::test_roundings_are_so_many_operations.
"""

IMPULSES_LOST = 1e-6
"""Rounding of the speeds after that impulses leave, at which they show nothing of the motion any more.

Relative to: the speeds of the problem; for all the impulses of an event, what its speeds could hand over.
Why: six digits of the motion after are left.
Test: house/test_tolerances.py::test_what_is_lost_is_lost_for_every_law.
"""

CORRECTED = 1e-9
"""A correction back to the path that is none.

Relative to: the stride.
Why: Newton's method squares it: the next would be rounding.
Test: house/test_tolerances.py::test_what_is_squared_is_a_root_of_the_machine_epsilon.
"""

ARMIJO = 1e-4
"""Part of the expected decrease that a step along a line must bring.

Relative to: the decrease.
Why: Nocedal and Wright, Numerical Optimization, section 3.1.
Test: house/test_tolerances.py::test_a_line_search_asks_what_its_book_asks.
"""

FORCE_NONE = 1e-9
"""A part of a force that is none: by so much it may lie outside its cone, and a contact with less has not taken part.

Relative to: the force; the largest change of a gap rate that an impulse makes.
Why: ten times the residual of a solution.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

INSIDE = 1e-6
"""How far a sticking contact keeps off the edge of its cone.

Relative to: the edge.
Why: impulses are right to 1e-10 of their largest, and one that is ten thousand times smaller to this.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

LEMKE_FLAT = 1e-10
"""An entry of the entering column that is none.

Relative to: the largest of the column.
Why: a pivot so small would leave six digits.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

NO_VELOCITY = 1e-11
"""A velocity that solvers leave of none.

Relative to: the speeds of the problem; the rate of approach.
Why: a third of the residual of a solution.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

STEP_ERROR = 1e-12
"""The error of a step along an impact, and slip or approach that is none where one contact has its impact.

Relative to: the speeds before.
Why: a hundred steps leave the residual of a solution.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

SLIP_ERROR = 1e-3
"""The same of a slip that comes to its end.

Relative to: the slip.
Why: it keeps its direction to a thousandth of a radian.
"""

PATH_NONE = 1e-10
"""What is left of an approach, of velocity outside its range and of turning as a path ends; half of it, of a slip.

Relative to: the speeds before; the largest turning there can be.
Why: a hundred steps with `STEP_ERROR` each.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

SLIPS_JOINED = 1e-8
"""Slips that end with one that ends, and what v_N and slip leave together; from twice as much on slip has begun.

Relative to: the speeds before.
Why: a slip that ends with another falls as its root, which rounding meets to 1e-8.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

SURPLUS = 1e-4
"""What a contact that pulled is given, so that it shares.

Relative to: the largest impulse.
Why: more than rounding, and taken back by the law where it is too much.
"""

HOP_HEIGHT = 1e-10
"""Rebounds lower than this are the end of an accumulation.

Relative to: the length of the model.
Why: the dead band: lower rebounds are passed over by the search.
Test: contact/test_rest_closed_forms.py::test_every_bounce_of_a_ball_is_in_time.
"""

STEADY = 1.0 - 1e-9
"""Coefficients of restitution above this lose nothing: their rebounds never end.

Relative to: 1.
Why: a rebound keeps its height for a billion bounces, more than a run can have.
Test: house/test_tolerances.py::test_a_hop_without_loss_bounces_for_longer_than_a_run_can_take.
"""

AT_ONCE = 1e-12
"""Contacts that touch within the time in which this is covered hit at once.

Relative to: the length of the model.
Why: a hundredth of the dead band: the integration does not decide their order.
Test: contact/test_contact_participants.py::test_window_is_an_instant_or_a_trillionth_of_the_time_scale.
"""

NO_SPEED = 5e-14
"""An approach that is none.

Relative to: the speed that the reference acceleration gives over the length.
Why: a rebound of such a speed is 1e-27 of the length high.
Test: house/test_tolerances.py::test_heights_and_speeds_of_hops_fit_each_other.
"""

STILL_SPEED = 1e-12
"""A gap rate, and the speeds of a body, that are rounding of rest.

Relative to: the speed that the reference acceleration gives over the length.
Why: what the end of a step leaves of a rate that is zero.
Test: house/test_tolerances.py::test_heights_and_speeds_of_hops_fit_each_other.
"""

SLOW_SLIP = 1e-7
"""Slip that may end in sticking.

Relative to: the length of the model in its time scale.
Why: 1e-14 of the length is covered until it has stopped.
Test: house/test_tolerances.py::test_heights_and_speeds_of_hops_fit_each_other.
"""

NO_ACCELERATION = 1e-9
"""An acceleration that is none: a contact does not open, slip does not begin, a body at rest stays.

Relative to: the acceleration without contact forces.
Why: ten times the residual of a solution of the forces.
Test: house/test_tolerances.py::test_a_contact_that_is_kept_is_not_let_go_at_once.
"""

FORCES_MISS = 1e-8
"""By how much forces may miss the equations or the law they have to meet.

Relative to: their terms.
Why: the root of the machine epsilon; a step with these forces is worse by its own error.
Test: house/test_tolerances.py::test_what_is_squared_is_a_root_of_the_machine_epsilon.
"""

NO_JAM = 1e-9
"""The approach that counts as none where friction makes an impact.

Relative to: the speeds.
Why: what it makes of the speeds after is its own size, above the residual of a solution.
Test: house/test_tolerances.py::test_what_solvers_take_is_more_than_what_they_leave.
"""

NEARLY_MASSLESS = 1e-6
"""What friction leaves of the inverse mass where the force counts as unbounded.

Relative to: the inverse mass without friction.
Why: forces are then a million times the loads, and a run gains nothing beyond.
Test: house/test_tolerances.py::test_what_is_lost_is_lost_for_every_law.
"""

AT_ZERO = 1e-4
"""The same of a state a little before or after the one where it is zero.

Relative to: the inverse mass without friction.
Why: between it and `NEARLY_MASSLESS` lie the steps that come so near.
Test: house/test_tolerances.py::test_what_is_lost_is_lost_for_every_law.
"""

DRIFT = 1e-6
"""A gap rate of a closed contact that the end of a step may have.

Relative to: the speeds that it is made of.
Why: a thousand times the default tolerance of a run; more is a leap, not drift.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

AUDIT_ENERGY = 1e-6
"""Energy that an event may gain or that settling may take, before the run is stopped.

Relative to: the energy of the event.
Why: ten thousand times what correct events show.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

BEARS = 1e-6
"""A contact that bears in a self-stress.

Relative to: the largest normal force.
Why: a linear program's answer is right to 1e-10.
Test: house/test_tolerances.py::test_digits_that_are_left_are_enough.
"""

VANISHED = 1e-150
"""A gap rate that is none in any unit.

Relative to: the unit of speed.
Why: its square is the least number.
"""

CLOSED_GAP = 4e-16
"""A gap that projection leaves as it is: it is as good as zero.

Relative to: the length of the model.
Why: about two roundings of the length; one more projection would move the coordinates by no more than that.
"""
