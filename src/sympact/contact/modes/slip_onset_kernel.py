"""How a slip begins: the direction of friction before there is a slip.

Where slip ends or begins friction opposes the slip to come. A contact that friction held to its last slips where the
acceleration of its slip points to once it is let go, with the coefficient of slip, or against that friction. A
mechanism may leave a contact but one direction to slip in, whatever friction did while it held: then it is that one.
"""

import math

from sympact.contact.linalg.rank_kernel import pick
from sympact.contact.memory import contact_layout as at
from sympact.contact.problem.assemble_kernel import list_closed, pose_accelerations
from sympact.contact.problem.closed_friction_kernel import held_rank, hold_accelerations
from sympact.contact.problem.free_slip_kernel import along_free_slip
from sympact.contact.problem.slip_kernel import (
    VELOCITY,
    along_tangents,
    begin_all,
    coefficients,
    held_acceleration,
    pushed_direction,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, reals, reals2, wholes


def begin_slips(t, x_address, data, out_address):
    """Note the direction in which each contact slips at the start of a flight.

    Of one that begins to slip there is none yet: then the acceleration of its slip tells, or its friction, which
    opposes the slip to come.
    """
    table = wholes(data, at.SIZE)
    reals(table[at.SCALAR], at.N_SCALARS)[at.ALL_BUT_ZERO] = 0.0
    if begin_all(table, t, reals(x_address, table[at.N_Q] + table[at.N_U])):
        anchor_beginning(table, t, reals(x_address, table[at.N_Q] + table[at.N_U]))


@kernel
def anchor_beginning(table, t, x):
    """The directions of contacts that begin to slip: those in which the forces of all closed ones let them slip."""
    n, nb = table[at.N_C], table[at.N_B]
    list_closed(table)
    pose_accelerations(table, reals(table[at.ALONG] + 16 * nb, nb))
    call_flow(table[at.POSE_SLIP], t, x, table[at.SELF], x)
    who, beginning, mu = wholes(table[at.WHO], n), wholes(table[at.BEGINNING], n), reals(table[at.COEFFICIENT], n)
    for i in range(table[at.COUNT]):
        if beginning[who[i]] == 1:
            mu[i], _ = coefficients(table, who[i])
    call_unit(table[at.FORCE_SOLVER], table[at.SELF])
    force, after = reals2(table[at.FRICTION_IMPULSE], n, 2), reals2(table[at.SLIP_PLUS], n, 2)
    rank = held_rank(table, hold_accelerations(table, table[at.COUNT]))
    pick(rank)
    for i in range(table[at.COUNT]):
        j = who[i]
        if beginning[j] == 0:
            continue
        a, b = along_tangents(table, j, VELOCITY)
        if math.sqrt(after[i, 0] ** 2 + after[i, 1] ** 2) > held_acceleration(table):
            pushed_direction(table, j, after[i, 0], after[i, 1], 1.0)
        elif force[i, 0] != 0.0 or force[i, 1] != 0.0:
            c, d = along_free_slip(table, rank, j, -force[i, 0], -force[i, 1])
            pushed_direction(table, j, c, d, 1.0)
        elif a != 0.0 or b != 0.0:
            pushed_direction(table, j, a, b, 1.0)
        else:
            pushed_direction(table, j, 1.0, 0.0, 1.0)
