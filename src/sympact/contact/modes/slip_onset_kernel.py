"""The onset of slip: the direction of friction at zero slip.

Where slip ends or begins friction opposes the impending slip. A contact that stuck up to its limit slips in the
direction of the acceleration of its slip after release, with the kinetic coefficient, or against the last friction. A
mechanism may leave a contact only one direction of slip, whatever the friction while it stuck: then it is that one.
"""

import math

from sympact.contact.linalg.rank_kernel import pick
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.modes.cone_forces_kernel import begin_interior
from sympact.contact.modes.free_slip_kernel import along_free_slip
from sympact.contact.modes.slip_scale_kernel import begin_arc_errors, note_slack, note_slip_scales
from sympact.contact.problem.assemble_kernel import assemble_accelerations, list_closed
from sympact.contact.problem.closed_friction_kernel import constrain_accelerations, constrained_rank
from sympact.contact.problem.slip_kernel import (
    VELOCITY,
    along_tangents,
    begin_all,
    coefficients,
    constrained_acceleration,
    pushed_direction,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, reals


def begin_slips(t, x_address, data, out_address):
    """Store the direction in which each contact slips at the start of a smooth arc, and forces inside the cones where
    those of least norm violate them.

    At the onset of slip it is that of the acceleration of its slip, or opposite to its friction.
    """
    contacts = contacts_at(data)
    model, mode = contacts.model, contacts.mode
    x = reals(x_address, model.n_q + model.n_u)
    mode.singular_ratio = 0.0
    slips = begin_arc_errors(contacts, t, x)
    if begin_all(contacts, t, x):
        set_impending_reference(contacts, t, x)
    begin_interior(contacts, t, x)
    if slips:
        note_slip_scales(contacts, x)


@kernel
def set_impending_reference(contacts, t, x):
    """The directions of contacts that begin to slip: those of their slips under the forces of all closed ones."""
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    list_closed(contacts)
    assemble_accelerations(contacts, problem.gap_acceleration)
    call_flow(model.assemble_slip, t, x, contacts.address, x)
    who, beginning, mu = problem.participants, mode.begins_to_slip, problem.coefficient
    for i in range(problem.count):
        if beginning[who[i]] == 1:
            mu[i], _ = coefficients(contacts, who[i])
    call_unit(model.force_solver, contacts.address)
    force, after = problem.friction_impulse, problem.slip_plus
    rank = constrained_rank(contacts, constrain_accelerations(contacts, problem.count))
    pick(rank)
    for i in range(problem.count):
        j = who[i]
        if beginning[j] == 0:
            continue
        note_slack(contacts, i)
        a, b = along_tangents(contacts, j, VELOCITY)
        if math.sqrt(after[i, 0] ** 2 + after[i, 1] ** 2) > constrained_acceleration(contacts):
            pushed_direction(contacts, j, after[i, 0], after[i, 1], 1.0)
        elif force[i, 0] != 0.0 or force[i, 1] != 0.0:
            c, d = along_free_slip(contacts, rank, j, -force[i, 0], -force[i, 1])
            pushed_direction(contacts, j, c, d, 1.0)
        elif a != 0.0 or b != 0.0:
            pushed_direction(contacts, j, a, b, 1.0)
        else:
            pushed_direction(contacts, j, 1.0, 0.0, 1.0)
