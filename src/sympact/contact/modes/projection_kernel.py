"""Settling: gap rates of closed contacts, and the slip of those that stick, taken out of the speeds.

What is taken is y, the shortest with A y = -v over the rank of the directions A that are held. At a dead point of a
mechanism a direction of A passes through zero: slip is slow there because A is, v = A y with y as large as ever, and is
no slip that ends. Ending it would take a change of speeds far beyond that of the slip, which is how it is told.
"""

import math

from sympact.contact.linalg.cholesky_kernel import norm
from sympact.contact.linalg.rank_kernel import find_null, pick, reach, shortest_motion
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.assemble_kernel import factor_mass, list_closed, read_gaps, read_terms
from sympact.contact.problem.closed_friction_kernel import held_rank, hold_direction
from sympact.contact.problem.closed_kernel import change_of_speeds, note_rates, refuse_leap, still_gaps, table_at
from sympact.contact.problem.slip_kernel import VELOCITY, along_tangents, coefficients, read_slips, slow_slip
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_flow, reals, wholes

REACH = 1e3  # times the change of speeds that takes a slow slip along the longest line of its contact: the most it may


@kernel
def hold_velocities(table, count):
    """The directions whose velocities are taken from the contacts in WHO: normals, and the tangents of sticky ones."""
    n, nb, held = table[at.N_C], table[at.N_B], 0
    who, sticky = wholes(table[at.WHO], n), wholes(table[at.STICKY], n)
    rates = reals(table[at.ALONG] + 8 * nb, nb)
    for i in range(count):
        j = who[i]
        hold_direction(table, held, 3 * j, -rates[j])
        held += 1
        if sticky[j] == 1:
            a, b = along_tangents(table, j, VELOCITY)
            hold_direction(table, held, 3 * j + 1, -a)
            hold_direction(table, held + 1, 3 * j + 2, -b)
            held += 2
    return held


@kernel
def take_out_of(table, count):
    """The shortest y that takes these velocities out into MOTION; returns (|y|, the most it may be where slip ends).

    The second number is negative where slip is left that no motion has, as a wall's that moves.
    """
    n, m, slow, squares = table[at.N_C], table[at.N_U], slow_slip(table), 0.0
    held = hold_velocities(table, count)
    rank, bounds, y = held_rank(table, held), reals(table[at.HELD_BOUNDS], 3 * n), reals(table[at.MOTION], m)
    pick(rank)
    left, k = reach(rank, bounds, y), 0
    while k < held:
        end, taken = k, slow
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
def pass_dead_points(table, count):
    """Slip that ends only by a change of speeds far beyond its own is left: the contact passes a dead point.

    The contact without whose slip the change is least goes first. MOTION has the change that is left.
    """
    n = table[at.N_C]
    who, sticky = wholes(table[at.WHO], n), wholes(table[at.STICKY], n)
    for _ in range(count + 1):
        size, most = take_out_of(table, count)
        best, least = -1, math.inf
        for i in range(count if size > most else 0):
            j = who[i]
            if sticky[j] == 1:
                sticky[j] = 0
                without, _ = take_out_of(table, count)
                sticky[j] = 1
                if without < least:
                    best, least = j, without
        if best < 0:
            return
        sticky[best] = 0


@kernel
def take_held_rates(table, t, x, count):
    """Take the gap rates of the contacts in WHO, and the slip of sticky ones, out of the speeds, the shortest way.

    Returns the energy that goes with them by the contacts' own measure, which is -|y|^2 / 2.
    """
    nq, m, nb, energy = table[at.N_Q], table[at.N_U], table[at.N_B], 0.0
    along, rates = reals(table[at.ALONG], 3 * nb), reals(table[at.RATES], nq + m)
    read_terms(table, t, x)
    reals(table[at.SCALAR], at.N_SCALARS)[at.CLOSED_RATE] = 0.0
    if count == 0 or not factor_mass(table):
        return 0.0
    for trial in range(2):
        call_flow(table[at.FLOW], t, x, table[at.PARAMETERS], rates)
        call_boundary(table[at.GAPS], t, x, rates, table[at.PARAMETERS], along)
        read_slips(table, t, x)
        if trial == 0:
            pass_dead_points(table, count)
            energy = -0.5 * norm(reals(table[at.MOTION], m), m) ** 2
            note_rates(table, x, count)
        else:
            take_out_of(table, count)
        change = change_of_speeds(table)
        for k in range(m):
            x[nq + k] += change[k]
    return energy


def take_slow_rates(t, x_address, data, out_address):
    """Take gap rates, and slip that may end in sticking, out of a state for the contacts in WHO; `out` is the state."""
    table, size = table_at(data)
    n, x = table[at.N_C], reals(out_address, size)
    who, sticky = wholes(table[at.WHO], n), wholes(table[at.STICKY], n)
    read_gaps(table, t, x)
    read_slips(table, t, x)
    slow = slow_slip(table)
    for i in range(table[at.COUNT]):
        a, b = along_tangents(table, who[i], VELOCITY)
        _, static = coefficients(table, who[i])
        sticky[who[i]] = 1 if static > 0.0 and math.sqrt(a * a + b * b) <= slow else 0
    taken = take_held_rates(table, t, x, table[at.COUNT])
    reals(table[at.SCALAR], at.N_SCALARS)[at.TAKEN] = taken


def settle_rubbing(t, x_address, data, out_address):
    """Closed gaps and rates, and the slip of sticky contacts, brought to zero; `out` is the state itself."""
    table, size = table_at(data)
    x = reals(out_address, size)
    count = list_closed(table)
    still_gaps(table, t, x, count)
    taken = take_held_rates(table, t, x, count)
    reals(table[at.SCALAR], at.N_SCALARS)[at.TAKEN] = taken


def project_rubbing(t, x_address, data, out_address):
    """The end of a step with closed contacts, see `Stage.project`: unit quaternions, gaps, rates and sticking slip."""
    table, size = table_at(data)
    n, x, out = table[at.N_C], reals(x_address, size), reals(out_address, size)
    status, sticky = wholes(table[at.STATUS], n + 1), wholes(table[at.STICKY], n)
    for i in range(size):
        out[i] = x[i]
    if status[n] == 1:
        return
    if table[at.PROJECT] != 0:
        call_flow(table[at.PROJECT], t, out, table[at.PARAMETERS], out)
    for j in range(n):
        sticky[j] = 1 if status[j] == at.STICK else 0
    reals(table[at.SCALAR], at.N_SCALARS)[at.CLOSED_RATE] = 0.0
    call_flow(table[at.SETTLE], t, out, data, out)
    refuse_leap(table, out)
