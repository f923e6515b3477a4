"""Projection: gap rates of closed contacts, and the slip of sticking ones, are removed from the speeds.

The change is y, the shortest with A y = -v over the rank of the constrained directions A. At a dead point of a
mechanism a direction of A passes through zero: slip is slow there because A is small, v = A y with y of usual size, and
it is no slip that ends. Ending it would need a change of speeds far larger than that of the slip, which is the
criterion.
"""

import math

from sympact.contact.linalg.cholesky_kernel import norm
from sympact.contact.linalg.rank_kernel import find_null, pick, reach, shortest_motion
from sympact.contact.memory import contact_codes as codes
from sympact.contact.modes.cone_forces_kernel import NONE, opens_all, present_rank
from sympact.contact.modes.slip_scale_kernel import note_slip_errors
from sympact.contact.problem.assemble_kernel import (
    call_own_gaps,
    factor_mass,
    list_closed,
    read_own_gaps,
    read_own_terms,
)
from sympact.contact.problem.closed_friction_kernel import constrain_direction, constrained_rank, scale_constrained
from sympact.contact.problem.closed_kernel import change_of_speeds, close_gaps, note_rates, refuse_leap, table_at
from sympact.contact.problem.slip_kernel import VELOCITY, along_tangents, coefficients, has_no_slip, read_own_slips
from sympact.integrate.memory.run_tolerances import DRIFT
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, reals

REACH = 1e3  # times the change of speeds that removes a slow slip along the longest line of its contact: the limit


@kernel
def constrain_velocities(contacts, count):
    """The directions whose velocities are removed from the participants: normals, and the tangents of sticky ones."""
    mode, problem = contacts.mode, contacts.problem
    who, sticky, held = problem.participants, mode.sticky, 0
    for i in range(count):
        j = who[i]
        for c in range(3 if sticky[j] == 1 else 1):
            constrain_direction(contacts, held + c, 3 * j + c, 0.0)
        held += 3 if sticky[j] == 1 else 1
    scale_constrained(contacts, held)
    for k in range(held, 3 * problem.n_contacts):
        problem.constrained_lines[k] = -1
    return held


@kernel
def bound_velocities(contacts, held):
    """The bounds of these directions: less their velocities."""
    problem = contacts.problem
    lines, bounds, rates = problem.constrained_lines, problem.constrained_bounds, problem.gap_rate
    for k in range(held):
        j = lines[k] // 3
        if lines[k] == 3 * j:
            bounds[k] = -rates[j]
        else:
            a, b = along_tangents(contacts, j, VELOCITY)
            bounds[k] = -a if lines[k] == 3 * j + 1 else -b


@kernel
def take_out_of(contacts, count):
    """The shortest y that removes these velocities into `motion`; returns (|y|, its limit where slip ends).

    The second number is negative where slip outside the range of motions remains, such as that of a moving surface.
    """
    held = constrain_velocities(contacts, count)
    pick(constrained_rank(contacts, held))
    return take_out_again(contacts)


@kernel
def take_out_again(contacts):
    """The same for other velocities along the same directions."""
    problem, rank = contacts.problem, present_rank(contacts)
    m, least, squares, held = problem.n_u, contacts.mode.slip_error, 0.0, rank.rows.shape[0]
    bounds, y = problem.constrained_bounds, problem.motion
    bound_velocities(contacts, held)
    left, k = reach(rank, bounds, y), 0
    while k < held:
        end, taken = k, least[problem.constrained_lines[k] // 3]
        while end < held and rank.group[end] == rank.group[k]:
            taken = max(taken, abs(bounds[end]))
            end += 1
        squares += (rank.factor[k] * taken) ** 2
        k = end
    if left <= math.sqrt(squares):
        return norm(y, m), REACH * math.sqrt(squares)
    find_null(rank)
    shortest_motion(rank, bounds, y)
    return norm(y, m), -1.0


@kernel
def is_drift(contacts, x, count):
    """Whether the change in `motion` is the drift of a step beside the parts of the velocities of each participant.

    Two lines of a contact may depend on each other but for a small part, as those of a rim without mass.
    """
    problem = contacts.problem
    lines, change, nq, small = problem.lines, change_of_speeds(contacts), problem.n_q, True
    for i in range(count):
        j, moved, speed = problem.participants[i], 0.0, 0.0
        for k in range(problem.n_u):
            part = abs(lines[3 * j, k]) + abs(lines[3 * j + 1, k]) + abs(lines[3 * j + 2, k])
            moved += part * abs(change[k])
            speed += part * abs(x[nq + k])
        small = small and moved <= DRIFT * speed
    return small


@kernel
def pass_dead_points(contacts, x, count):
    """Leave slip that ends only by a change of speeds far beyond its own: the contact passes a dead point.

    The contact without whose slip the change is least comes first. `motion` has the remaining change. Returns whether
    the directions decided on last are those of this change.
    """
    mode, problem = contacts.mode, contacts.problem
    who, sticky = problem.participants, mode.sticky
    for _ in range(count + 1):
        size, most = take_out_of(contacts, count)
        if not size > most or (most >= 0.0 and is_drift(contacts, x, count)):
            return True
        best, least = -1, math.inf
        for i in range(count):
            j = who[i]
            if sticky[j] == 1:
                sticky[j] = 0
                without, _ = take_out_of(contacts, count)
                sticky[j] = 1
                if without < least:
                    best, least = j, without
        if best < 0:
            break
        sticky[best] = 0
    return False


@kernel
def project_constrained_rates(contacts, t, x, count):
    """Remove the gap rates of the participants, and the slip of sticky ones, from the speeds, by the shortest change.

    Returns its energy, without the work of moving surfaces, which is -|y|^2 / 2.
    """
    model, mode, problem = contacts.model, contacts.mode, contacts.problem
    nq, m, energy, decided = problem.n_q, problem.n_u, 0.0, False
    rates = problem.rates
    read_own_terms(contacts, t, x)
    mode.closed_rate = 0.0
    if count == 0 or not factor_mass(contacts):
        return 0.0
    for trial in range(2):
        call_flow(model.free_flow, t, x, model.free_data, rates)
        call_own_gaps(contacts, t, x, rates)
        read_own_slips(contacts, t, x, count)
        if trial == 0:
            decided = pass_dead_points(contacts, x, count)
            energy = -0.5 * norm(problem.motion, m) ** 2
            note_rates(contacts, x, count)
        elif decided:
            take_out_again(contacts)
        else:
            take_out_of(contacts, count)
        change = change_of_speeds(contacts)
        for k in range(m):
            x[nq + k] += change[k]
    return energy


@kernel
def constrains_all(contacts):
    """Whether the last projection has constrained the tangents of all contacts that stick, none at a dead point."""
    mode, all_constrained = contacts.mode, True
    for j in range(mode.n_contacts):
        all_constrained = all_constrained and (mode.status[j] != codes.STICK or mode.sticky[j] == 1)
    return all_constrained


def project_slow_rates(t, x_address, data, out_address):
    """Remove gap rates, and slip that may end in sticking, from a state for the participants; `out` is the state."""
    contacts, size = table_at(data)
    mode, problem = contacts.mode, contacts.problem
    x = reals(out_address, size)
    who, sticky = problem.participants, mode.sticky
    read_own_gaps(contacts, t, x)
    read_own_slips(contacts, t, x, problem.count)
    note_slip_errors(contacts, x)
    for i in range(problem.count):
        _, static = coefficients(contacts, who[i])
        sticky[who[i]] = 1 if static > 0.0 and has_no_slip(contacts, who[i]) else 0
    taken = project_constrained_rates(contacts, t, x, problem.count)
    mode.removed_energy = taken


def project_frictional_gaps(t, x_address, data, out_address):
    """Project closed gaps and rates, and the slip of sticky contacts, to zero; `out` is the state itself."""
    contacts, size = table_at(data)
    mode = contacts.mode
    x = reals(out_address, size)
    count = list_closed(contacts)
    close_gaps(contacts, t, x, count)
    taken = project_constrained_rates(contacts, t, x, count)
    mode.removed_energy = taken


def project_frictional(t, x_address, data, out_address):
    """The end of a step with closed contacts, see `Stage.project`: unit quaternions, gaps, rates and sticking slip.

    Forces inside the cones are kept as long as no self-stress fits into these.
    """
    contacts, size = table_at(data)
    model, mode = contacts.model, contacts.mode
    n, x, out = mode.n_contacts, reals(x_address, size), reals(out_address, size)
    status, sticky = mode.statuses, mode.sticky
    for i in range(size):
        out[i] = x[i]
    if status[n] == 1:
        return
    if model.normalize != 0:
        call_flow(model.normalize, t, out, model.free_data, out)
    for j in range(n):
        sticky[j] = 1 if status[j] == codes.STICK else 0
    mode.closed_rate = 0.0
    call_flow(model.project_positions, t, out, data, out)
    if contacts.problem.interior > 0 and not (constrains_all(contacts) and opens_all(contacts)):
        contacts.problem.interior = NONE
    refuse_leap(contacts, out)
