"""The motion of a constrained system, and the projection of states onto its constraints.

    M u' = f + A^T kappa,   A u' + (A' u + a') = 0,   q' = S u + b

With M = C C^T and y = C^T (u' - M^-1 f), the motion is the shortest y with (C^-1 A^T)^T y = -(A' u + a') - A M^-1 f. It
is unique also where constraints depend on each other: their rank is decided in numbers (`constrained_kernel`). States
are projected by the shortest change in the same metric: of the coordinates by Newton's method, of the speeds at once.

Formulations in independent coordinates or speeds evaluate the same motion at a completed state: its dependent part
follows from the constraints (`completion_kernel`, `null_space_motion_kernel`), and what a step makes of it is no more
than a first guess. The state that is integrated therefore is the same for all formulations.
"""

import math

from sympact.contact.constraints.completion_kernel import completed
from sympact.contact.constraints.move_kernel import copy_numbers, largest, move
from sympact.contact.constraints.null_space_motion_kernel import accelerate_on_basis, on_basis
from sympact.contact.constraints.start_formulation_kernel import begin_formulation, prepare_formulation
from sympact.contact.constraints.violated_rank_kernel import discount_violated
from sympact.contact.linalg.cholesky_kernel import backward, forward
from sympact.contact.linalg.constrained_kernel import factor_constrained, rank_constraints
from sympact.contact.linalg.rank_kernel import rank_of, reach
from sympact.contact.memory.bilateral import Bilateral
from sympact.contact.memory.reduction import NO_BASIS, NO_DIRECTIONS
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
    if bilateral.reduction.rule != NO_DIRECTIONS:
        state = completed(bilateral, t, state)
    elif bilateral.reduction.basis != NO_BASIS:
        state = on_basis(bilateral, t, state)
    call_flow(bilateral.equations, t, state, bilateral.parameters, bilateral.terms)
    if bilateral.reduction.basis == NO_BASIS:
        accelerate(bilateral, state)
    else:
        accelerate_on_basis(bilateral)
    for i in range(nq):
        rates[i] = bilateral.rates[i]
    for k in range(m):
        rates[nq + k] = bilateral.motion[k]


@kernel
def accelerate(bilateral, x):
    """u' of the last equations, which are those of a state x, into `motion`."""
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
    discount_violated(rank, bilateral.positions, bilateral.jacobian, x, bilateral.n_q)
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
    """The end of a step, see `Stage.project`: unit quaternions, and the constraints met as the formulation does it."""
    bilateral = bilateral_at(data)
    size = bilateral.n_q + bilateral.n_u
    state, projected = reals(x, size), reals(out, size)
    for i in range(size):
        projected[i] = state[i]
    if bilateral.normalize != 0:
        call_flow(bilateral.normalize, t, projected, bilateral.parameters, projected)
    if bilateral.projects == 1:
        meet_constraints(bilateral, t, projected)
    elif bilateral.reduction.rule != NO_DIRECTIONS:
        copy_numbers(completed(bilateral, t, projected), projected)


def begin_constrained(t, x, data, out):
    """The start of a smooth arc, see `Stage.begin`: directions, or a basis, are chosen at the state."""
    bilateral = bilateral_at(data)
    begin_formulation(bilateral, t, reals(x, bilateral.n_q + bilateral.n_u))


def prepare_constrained(t, x, data, out):
    """The start of a further step, see `Stage.prepare`: they are chosen anew where their rule says so."""
    bilateral = bilateral_at(data)
    prepare_formulation(bilateral, t, reals(x, bilateral.n_q + bilateral.n_u))


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
    rank = rank_of(bilateral.rank, bilateral.n_rows)
    discount_violated(rank, bilateral.phi, bilateral.rows, x, bilateral.n_q)
    for k in range(bilateral.n_rows):
        wanted[k] = -values[k]
    reach(rank, wanted, bilateral.motion)
    backward(mass, m, bilateral.motion)
