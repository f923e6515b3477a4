"""The motion of a constrained system, and the projection of states onto its constraints.

    M u' = f + A^T kappa,   A u' + (A' u + a') = 0,   q' = S u + b

With M = C C^T and y = C^T (u' - M^-1 f), the motion is the shortest y with (C^-1 A^T)^T y = -(A' u + a') - A M^-1 f. It
is unique also where constraints depend on each other: their rank is decided in numbers (`constrained_kernel`). States
are projected by the shortest change in the same metric: of the coordinates by Newton's method, of the speeds at once.
"""

import math

from sympact.contact.linalg.cholesky_kernel import backward, forward
from sympact.contact.linalg.constrained_kernel import factor_constrained, rank_constraints
from sympact.contact.linalg.rank_kernel import rank_of, reach
from sympact.contact.memory.bilateral import Bilateral
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, reals, view
from sympact.native.rounding import HALF_DIGITS

bilateral_at = view(Bilateral)
TRIES = 8  # corrections of the coordinates; after one smaller than HALF_DIGITS the next would be rounding


def constrained_rates(t, x, data, out):
    """The flow of a constrained model, see `Stage.flow`; NaN where the motion is not determined."""
    bilateral = bilateral_at(data)
    nq, m = bilateral.n_q, bilateral.n_u
    state, rates = reals(x, nq + m), reals(out, nq + m)
    if bilateral.in_stages == 1:
        placed = bilateral.placed
        for i in range(nq + m):
            placed[i] = state[i]
        meet_constraints(bilateral, t, placed)
        call_flow(bilateral.equations, t, placed, bilateral.parameters, bilateral.terms)
    else:
        call_flow(bilateral.equations, t, state, bilateral.parameters, bilateral.terms)
    accelerate(bilateral)
    for i in range(nq):
        rates[i] = bilateral.rates[i]
    for k in range(m):
        rates[nq + k] = bilateral.motion[k]


@kernel
def accelerate(bilateral):
    """u' of the last equations into `motion`."""
    m, y = bilateral.n_u, bilateral.motion
    mass, load, wanted = bilateral.mass, bilateral.load, bilateral.wanted
    if factor_constrained(mass, m, bilateral.jacobian, bilateral.rank) >= 0:
        for k in range(m):
            y[k] = math.nan
        return
    for k in range(m):
        load[0, k] = bilateral.forcing[k]
    forward(mass, m, load, 0)
    rank = rank_of(bilateral.rank, bilateral.n_rows)
    for k in range(bilateral.n_rows):
        s = 0.0
        for i in range(m):
            s += rank.rows[k, i] * load[0, i]
        wanted[k] = -bilateral.biases[k] - s / rank.factor[k]
        wanted[k] -= bilateral.rate_gain * bilateral.speeds[k] + bilateral.position_gain * bilateral.positions[k]
    bilateral.violation = reach(rank, wanted, y)
    for k in range(m):
        y[k] += load[0, k]
    backward(mass, m, y)


def project_constrained(t, x, data, out):
    """The end of a step, see `Stage.project`: unit quaternions, and the constraints met where they are projected."""
    bilateral = bilateral_at(data)
    size = bilateral.n_q + bilateral.n_u
    state, projected = reals(x, size), reals(out, size)
    for i in range(size):
        projected[i] = state[i]
    if bilateral.normalize != 0:
        call_flow(bilateral.normalize, t, projected, bilateral.parameters, projected)
    if bilateral.projects == 1:
        meet_constraints(bilateral, t, projected)


def assemble_state(t, x, data, out):
    """A state projected onto the constraints, whatever the formulation of the run is."""
    bilateral = bilateral_at(data)
    size = bilateral.n_q + bilateral.n_u
    state, projected = reals(x, size), reals(out, size)
    for i in range(size):
        projected[i] = state[i]
    if bilateral.normalize != 0:
        call_flow(bilateral.normalize, t, projected, bilateral.parameters, projected)
    meet_constraints(bilateral, t, projected)


@kernel
def meet_constraints(bilateral, t, x):
    """Project the coordinates, then the speeds of a state, which is changed in place, in the metric of M there."""
    nq, m = bilateral.n_q, bilateral.n_u
    call_flow(bilateral.equations, t, x, bilateral.parameters, bilateral.terms)
    if factor_constrained(bilateral.mass, m, bilateral.jacobian, bilateral.rank) >= 0:
        return
    for _ in range(TRIES):
        shortest_change(bilateral, t, x, bilateral.phi)
        if move(bilateral, t, x) <= HALF_DIGITS * largest(x, 0, nq):
            break
    for _ in range(TRIES):
        shortest_change(bilateral, t, x, bilateral.rate)
        for k in range(m):
            x[nq + k] += bilateral.motion[k]
        if largest(bilateral.motion, 0, m) <= HALF_DIGITS * largest(x, nq, nq + m):
            break


@kernel
def shortest_change(bilateral, t, x, values):
    """The shortest change of the speeds that changes the rates of the constraints by minus `values`, a part of
    `constraint` at the state, into `motion`."""
    m, mass, wanted = bilateral.n_u, bilateral.mass, bilateral.wanted
    call_flow(bilateral.constraints, t, x, bilateral.parameters, bilateral.constraint)
    rank_constraints(mass, m, bilateral.rows, bilateral.rank)
    for k in range(bilateral.n_rows):
        wanted[k] = -values[k]
    reach(rank_of(bilateral.rank, bilateral.n_rows), wanted, bilateral.motion)
    backward(mass, m, bilateral.motion)


@kernel
def move(bilateral, t, x):
    """Move the coordinates along S times `motion`; returns the largest change."""
    nq, m = bilateral.n_q, bilateral.n_u
    state, turn, still, far = bilateral.state, bilateral.turn, bilateral.still, 0.0
    for i in range(nq):
        state[i] = x[i]
    for k in range(m):
        state[nq + k] = 0.0
    call_flow(bilateral.kinematics, t, state, bilateral.parameters, still)
    for k in range(m):
        state[nq + k] = bilateral.motion[k]
    call_flow(bilateral.kinematics, t, state, bilateral.parameters, turn)
    for i in range(nq):
        step = turn[i] - still[i]
        x[i] += step
        far = max(far, abs(step))
    if bilateral.normalize != 0:
        call_flow(bilateral.normalize, t, x, bilateral.parameters, x)
    return far


@kernel
def largest(x, first, end):
    """The largest of some of the numbers, absolute."""
    found = 0.0
    for i in range(first, end):
        found = max(found, abs(x[i]))
    return found
