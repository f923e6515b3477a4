"""The flow of modes with friction: the motion by forces that satisfy Coulomb's law.

Where no contact slips the motion of a mode does not depend on which forces give it. Where some slip and contacts are
redundant it does, as their friction is a part of the motion: a rigid body on two supports, one of which slips, is
accelerated by the share of its load that this one carries. The forces are those of least norm; where these leave a
cone, those of least norm within the cones, which are also the reported ones (`margin_kernel`).
"""

from sympact.contact.linalg.support_kernel import add_within, support_of
from sympact.contact.modes.cone_forces_kernel import constrained_count, find_in_cones
from sympact.contact.modes.margin_kernel import leaves_cones
from sympact.contact.problem.arc_audit_kernel import audit_with_friction, is_audited
from sympact.contact.problem.assemble_kernel import list_closed
from sympact.contact.problem.closed_friction_kernel import (
    all_slip,
    constrain_directly,
    constrain_with_friction,
    some_slip,
)
from sympact.contact.problem.closed_kernel import at_rest, change_of_speeds, hand_over, recorded_row, table_at
from sympact.contact.problem.closed_margin_kernel import gather_forces, least_margins
from sympact.contact.problem.interior_force_kernel import follow_interior
from sympact.native.kernel import kernel
from sympact.native.pointer import reals, row_of


def friction_rates(t, x, data, out):
    """The flow of every mode with a closed contact, see `Stage.flow`; nothing moves where the model is at rest."""
    contacts, size = table_at(data)
    margins, audited = contacts.problem.stage_margins, is_audited(contacts, out)
    if at_rest(contacts, reals(out, size)):
        margins.several = 0
        return
    row = recorded_row(contacts, out)
    total = constrain_directly(contacts, t, reals(x, size), row >= 0 or audited)
    hand_over(contacts, reals(out, size))
    shared = total > contacts.problem.rank.count[0]
    outside = shared and some_slip(contacts) and leaves_cones(contacts, gather_forces(contacts, total))
    if audited and not outside:
        audit_with_friction(contacts, total)
    if row >= 0:
        follow_interior(contacts, total)
        least_margins(contacts, total, row_of(margins.values, row))
        margins.several = 1 if shared and not all_slip(contacts) else 0
    if outside:
        total = move_within_cones(contacts, t, reals(x, size))
        hand_over(contacts, reals(out, size))
        if audited:
            audit_with_friction(contacts, total)


@kernel
def move_within_cones(contacts, t, x):
    """The rates by the forces of least norm within the cones, or without cones if there are none; returns their
    number."""
    list_closed(contacts)
    total = constrain_with_friction(contacts, t, x, True)
    if total > constrained_count(contacts):
        add_motion(contacts, total, -1.0)
        find_in_cones(contacts, total)
        add_motion(contacts, total, 1.0)
    return total


@kernel
def add_motion(contacts, total, sign):
    """Add the accelerations by the forces in `multipliers`, times a sign, to `rates`."""
    problem = contacts.problem
    m, motion, force_rows, force = problem.n_u, problem.motion, problem.force_rows, problem.multipliers
    for i in range(m):
        motion[i] = 0.0
    for k in range(total):
        add_within(support_of(force_rows, k), force[k], force_rows, k, motion)
    change = change_of_speeds(contacts)
    for k in range(m):
        problem.rates[problem.n_q + k] += sign * change[k]
