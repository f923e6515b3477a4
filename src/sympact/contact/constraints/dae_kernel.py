"""Constrained motion with further multipliers, as implicit methods solve it: x' = f(t, x, z), 0 = g(t, x, z).

    q' = S (u + M^-1 A^T mu) + b,   M u' = f + A^T (kappa + eta)
    phi = 0,   A u + a = 0,   A u^ + (A' u + a') = 0 with M u^ = f + A^T kappa

With three multipliers of each constraint these are the overdetermined equations of Fuhrer and Leimkuhler; with two,
without eta and the last condition, those of Gear, Gupta and Leimkuhler. M + A^T D A takes the place of M, see
`constrained_kernel`: that changes kappa by D times the condition of accelerations, and not the motion.

Where constraints depend on each other, those that the rank leaves out have no multipliers: z = 0 are their equations.
"""

import math

from sympact.contact.constraints.bilateral_kernel import accelerate, add_weighted, bilateral_at
from sympact.contact.linalg.cholesky_kernel import backward, factor, forward
from sympact.contact.linalg.constrained_kernel import rank_constraints
from sympact.contact.linalg.rank_kernel import rank_of
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, leading, reals


def dae_residual(t, v, data, out):
    """[x', g] at [x, z], see `Stage.residual`: z are mu, kappa, eta, and g the conditions in the order above."""
    bilateral = bilateral_at(data)
    nq, m, rows, kinds = bilateral.n_q, bilateral.n_u, bilateral.n_rows, bilateral.kinds
    size = nq + m
    given, result = reals(v, size + kinds * rows), reals(out, size + kinds * rows)
    state, push, motion = bilateral.placed, bilateral.push, bilateral.motion
    for i in range(size):
        state[i] = given[i]
    call_flow(bilateral.equations, t, state, bilateral.parameters, bilateral.terms)
    add_weighted(bilateral)
    if factor(bilateral.mass, m) >= 0:
        for i in range(result.size):
            result[i] = math.nan
        return
    force(bilateral, given, size + rows, bilateral.forcing)
    if kinds == 3:
        write_conditions(bilateral, given, result, 2, bilateral.holds_speed)
        for k in range(m):
            bilateral.forcing[k] = 0.0
        for k in range(m):
            result[nq + k] = push[k]
        force(bilateral, given, size + 2 * rows, bilateral.forcing)
        for k in range(m):
            result[nq + k] += push[k]
    else:
        for k in range(m):
            result[nq + k] = push[k]
    write_conditions(bilateral, given, result, 0, bilateral.holds_position)
    write_conditions(bilateral, given, result, 1, bilateral.holds_speed)
    for k in range(m):
        motion[k] = 0.0
    force(bilateral, given, size, motion)
    for k in range(m):
        state[nq + k] += push[k]
    call_flow(bilateral.kinematics, t, state, bilateral.parameters, leading(result, nq))


@kernel
def force(bilateral, given, first, load):
    """M^-1 of a load and the forces A^T of the multipliers from `first` on, into `push`."""
    m, jacobian, push = bilateral.n_u, bilateral.jacobian, bilateral.push
    row = bilateral.load
    for k in range(m):
        row[0, k] = load[k]
    for r in range(bilateral.n_rows):
        for k in range(m):
            row[0, k] += jacobian[r, k] * given[first + r]
    forward(bilateral.mass, m, row, 0)
    for k in range(m):
        push[k] = row[0, k]
    backward(bilateral.mass, m, push)


@kernel
def write_conditions(bilateral, given, result, level, holds):
    """The conditions of one level, 0: positions, 1: speeds, 2: accelerations `push`; -z where z is no unknown."""
    size, rows = bilateral.n_q + bilateral.n_u, bilateral.n_rows
    for r in range(rows):
        place = size + level * rows + r
        if holds[r] == 0:
            result[place] = -given[place]
        elif level == 0:
            result[place] = bilateral.positions[r]
        elif level == 1:
            result[place] = bilateral.speeds[r]
        else:
            s = bilateral.biases[r]
            for k in range(bilateral.n_u):
                s += bilateral.jacobian[r, k] * bilateral.push[k]
            result[place] = s


def dae_begin(t, x, data, out):
    """The multipliers at a state into `out`, behind the state: kappa, and zero for the others.

    The rank of the constraints decides which of them are unknowns until the next call.
    """
    bilateral = bilateral_at(data)
    size, rows = bilateral.n_q + bilateral.n_u, bilateral.n_rows
    state, given = reals(x, size), reals(out, size + bilateral.kinds * rows)
    for i in range(size, given.size):
        given[i] = 0.0
    call_flow(bilateral.equations, t, state, bilateral.parameters, bilateral.terms)
    accelerate(bilateral, state)
    rank_constraints(bilateral.mass, bilateral.n_u, bilateral.jacobian, bilateral.rank)
    for r in range(rows):
        bilateral.holds_speed[r] = 0
    find_multipliers(bilateral, given, size + rows)
    for r in range(rows):
        bilateral.holds_position[r] = bilateral.holds_speed[r] * bilateral.positional[r]
    hold_positions(bilateral)


@kernel
def find_multipliers(bilateral, given, first):
    """kappa of the picked constraints, by A^T kappa = C y with the motion y that all of them require."""
    m, rank, y = bilateral.n_u, rank_of(bilateral.rank, bilateral.n_rows), bilateral.push
    for c in range(m):
        y[c] = 0.0
        for r in range(bilateral.n_rows):
            y[c] += bilateral.columns[r, c] * bilateral.multipliers[r]
    for k in range(rank.count[0] - 1, -1, -1):
        r, s = rank.picked[k], 0.0
        for c in range(m):
            s += rank.q[k, c] * y[c]
        for c in range(k + 1, rank.count[0]):
            s -= rank.part[rank.picked[c], k] * given[first + rank.picked[c]]
        given[first + r] = s / rank.part[r, k]
    for k in range(rank.count[0]):
        r = rank.picked[k]
        given[first + r] *= rank.factor[r]
        bilateral.holds_speed[r] = 1


@kernel
def hold_positions(bilateral):
    """The constraints of positions whose multipliers are unknowns, by their own rank where others are picked, too."""
    m, rows, others = bilateral.n_u, bilateral.n_rows, 0
    for r in range(rows):
        if bilateral.holds_speed[r] == 1 and bilateral.positional[r] == 0:
            others += 1
    if others == 0:
        return
    for r in range(rows):
        bilateral.holds_position[r] = 0
        if bilateral.positional[r] == 0:
            for k in range(m):
                bilateral.jacobian[r, k] = 0.0
    rank_constraints(bilateral.mass, m, bilateral.jacobian, bilateral.rank)
    rank = rank_of(bilateral.rank, rows)
    for k in range(rank.count[0]):
        bilateral.holds_position[rank.picked[k]] = 1
