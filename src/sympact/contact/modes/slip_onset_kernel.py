"""The onset of slip: the direction of friction at zero slip.

Where slip ends or begins friction opposes the impending slip. A contact that stuck up to its limit slips in the
direction of the acceleration of its slip after release, with the kinetic coefficient, or against the last friction. A
mechanism may leave a contact only one direction of slip, whatever the friction while it stuck: then it is that one.
"""

import math

from sympact.contact.linalg.rank_kernel import pick
from sympact.contact.memory.contact_tolerances import SLOW_SLIP
from sympact.contact.memory.contacts_kernel import contacts_at
from sympact.contact.modes.cone_forces_kernel import begin_interior
from sympact.contact.problem.assemble_kernel import (
    assemble_accelerations,
    list_closed,
    read_own_gaps,
    read_own_terms,
    time_scale,
)
from sympact.contact.problem.closed_friction_kernel import constrain_accelerations, constrained_rank
from sympact.contact.problem.free_slip_kernel import along_free_slip, freest_slip
from sympact.contact.problem.slip_kernel import (
    STEADY,
    VELOCITY,
    along_tangents,
    begin_all,
    coefficients,
    constrained_acceleration,
    pushed_direction,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, leading, reals

TURN_TIME = 0.1 * SLOW_SLIP  # of the time scale: slip that begins does not become faster than slow slip in it


def begin_slips(t, x_address, data, out_address):
    """Store the direction in which each contact slips at the start of a smooth arc, and forces inside the cones where
    those of least norm violate them.

    At the onset of slip it is that of the acceleration of its slip, or opposite to its friction, and turns as this.
    """
    contacts = contacts_at(data)
    model, mode = contacts.model, contacts.mode
    x = reals(x_address, model.n_q + model.n_u)
    mode.singular_ratio = 0.0
    if begin_all(contacts, t, x):
        rank = set_impending_reference(contacts, t, x)
        if note_friction_directions(contacts, rank):
            set_impending_turn(contacts, t, x)
    begin_interior(contacts, t, x)


@kernel
def solve_onset(contacts, t, x):
    """The forces of all closed contacts, with kinetic friction of those that begin to slip."""
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    list_closed(contacts)
    assemble_accelerations(contacts, problem.gap_acceleration)
    call_flow(model.assemble_slip, t, x, contacts.address, x)
    who, beginning, mu = problem.participants, mode.begins_to_slip, problem.coefficient
    for i in range(problem.count):
        if beginning[who[i]] == 1:
            mu[i], _ = coefficients(contacts, who[i])
    call_unit(model.force_solver, contacts.address)


@kernel
def set_impending_reference(contacts, t, x):
    """The directions of contacts that begin to slip: those of their slips under the forces of all closed ones.

    Returns the rank of the constrained directions.
    """
    mode, problem = contacts.mode, contacts.problem
    solve_onset(contacts, t, x)
    force, after = problem.friction_impulse, problem.slip_plus
    who, beginning = problem.participants, mode.begins_to_slip
    rank = constrained_rank(contacts, constrain_accelerations(contacts, problem.count))
    pick(rank)
    for i in range(problem.count):
        j = who[i]
        if beginning[j] == 0:
            continue
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
    return rank


@kernel
def note_friction_directions(contacts, rank):
    """The directions of friction in the last problem of contacts that begin to slip, into `reference_turn`.

    Returns whether there are any. A contact that the directions in `rank` leave a single direction of slip has none:
    its friction does not turn it.
    """
    mode, problem, turns = contacts.mode, contacts.problem, False
    who, beginning, force = problem.participants, mode.begins_to_slip, problem.friction_impulse
    for i in range(problem.count):
        if beginning[who[i]] == 1 and (force[i, 0] != 0.0 or force[i, 1] != 0.0):
            _, _, only = freest_slip(contacts, rank, who[i])
            if not only:
                add_friction_direction(contacts, i, 1.0)
                turns = True
    return turns


@kernel
def set_impending_turn(contacts, t, x):
    """The rates of the reference directions: how those opposite to friction change along the motion that begins.

    A larger change than `STEADY` in so short a time is a jump, and no turn: only one of the forces is not zero.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    later, rates, ahead = leading(problem.ahead_state, x.size), leading(problem.trial, x.size), TURN_TIME
    ahead *= time_scale(contacts)
    call_flow(model.closed_flow, t, x, contacts.address, rates)
    for i in range(x.size):
        later[i] = x[i] + ahead * rates[i]
    list_closed(contacts)
    read_own_gaps(contacts, t + ahead, later)
    read_own_terms(contacts, t + ahead, later)
    solve_onset(contacts, t + ahead, later)
    turn, force, beginning = mode.reference_turn, problem.friction_impulse, mode.begins_to_slip
    for i in range(problem.count):
        j = problem.participants[i]
        if beginning[j] == 0 or turn_size(contacts, j) == 0.0:
            continue
        if force[i, 0] != 0.0 or force[i, 1] != 0.0:
            add_friction_direction(contacts, i, -1.0)
        turning = turn_size(contacts, j) < STEADY
        for k in range(3):
            turn[j, k] = turn[j, k] / ahead if turning else 0.0


@kernel
def turn_size(contacts, j):
    """The length of `reference_turn` of contact j."""
    turn = contacts.mode.reference_turn
    return math.sqrt(turn[j, 0] ** 2 + turn[j, 1] ** 2 + turn[j, 2] ** 2)


@kernel
def add_friction_direction(contacts, i, sign):
    """Add the direction of friction on participant i, in N, to its `reference_turn`, with a sign."""
    problem = contacts.problem
    j, force, tangents = problem.participants[i], problem.friction_impulse, problem.tangents
    turn = contacts.mode.reference_turn
    size = math.sqrt(force[i, 0] ** 2 + force[i, 1] ** 2)
    for k in range(3):
        turn[j, k] += sign * (force[i, 0] * tangents[j, k] + force[i, 1] * tangents[j, 3 + k]) / size
