"""The motion of a constrained system, and the projection of states onto its constraints.

    M u' = f + A^T kappa,   A u' + (A' u + a') = 0,   q' = S u + b

With M = C C^T and y = C^T (u' - M^-1 f), the motion is the shortest y with B y = -(A' u + a') - A M^-1 f, B = A C^-T
with its rows divided by the lengths that they have at other places of the mechanism. y is sought by iterated
regularisation (as augmented Lagrangian formulation Bayo and Avello, Nonlinear Dynamics 5, 1994):

    (B B^T + e^2) dk = v - B y,   y + B^T dk -> y

A direction with the singular value s converges by e^2 / (s^2 + e^2) an iteration. So constraints may depend on each
other, and where their rank decreases for an instant, as in a parallelogram that is stretched flat, the motion along the
direction that is lost goes on by inertia, instead of with a violation of the constraints divided by s. Where a state
violates constraints that depend on each other, as within a step, those that others imply are left out
(`violated_rank_kernel`).

States are projected by the shortest change in the same metric: of the coordinates by Newton's method, of the speeds at
once.

Formulations in independent coordinates or speeds evaluate the same motion at a completed state: its dependent part
follows from the constraints (`completion_kernel`, `null_space_motion_kernel`), and what a step makes of it is no more
than a first guess. The state that is integrated therefore is the same for all formulations.
"""

import math

from sympact.contact.constraints.completion_kernel import completed
from sympact.contact.constraints.move_kernel import copy_numbers, largest_of, move
from sympact.contact.constraints.null_space_motion_kernel import accelerate_on_basis, on_basis
from sympact.contact.constraints.start_formulation_kernel import begin_formulation, prepare_formulation
from sympact.contact.constraints.tree_motion_kernel import measure_along_tree, meets_mass_matrix, solve_along_tree
from sympact.contact.constraints.violated_rank_kernel import discount_violated, unsure_below
from sympact.contact.linalg.cholesky_kernel import backward, factor, forward, row_norm
from sympact.contact.linalg.constrained_kernel import add_constraints, add_row, largest_inertia, rank_constraints, weigh
from sympact.contact.linalg.rank_kernel import rank_of
from sympact.contact.memory.bilateral import Bilateral
from sympact.contact.memory.contact_tolerances import MOTION_ROUNDING, WEAK
from sympact.contact.memory.reduction import NO_BASIS, NO_DIRECTIONS
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, reals, view
from sympact.native.rounding import HALF_DIGITS

bilateral_at = view(Bilateral)
TRIES = 8  # corrections of the coordinates; after one smaller than HALF_DIGITS the next would be rounding
PLACES = 8  # at which rows are measured
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0  # places are spread by its multiples
ITERATIONS = 8  # of the multipliers; three are enough where no singular value is small


def measure_lengths(t, x, data, out):
    """The lengths of the rows C^-1 A^T: the largest of those at a state and at places around it, into `lengths`.

    How many rows depend on others at the state is written into `spare`.

    A row that is short here only, such as one of a parallelogram that is stretched flat, thereby counts as short. `out`
    has the size of the state and is overwritten.
    """
    bilateral = bilateral_at(data)
    nq, m, lengths = bilateral.n_q, bilateral.n_u, bilateral.lengths
    state, place = reals(x, nq + m), reals(out, nq + m)
    mass, columns = bilateral.mass, bilateral.columns
    measure_weights(bilateral, t, state, place)
    for k in range(bilateral.n_rows):
        lengths[k] = 0.0
    for trial in range(PLACES):
        go_to_place(bilateral, t, state, place, trial)
        if not factor_metric(bilateral):
            continue
        for k in range(bilateral.n_rows):
            for i in range(m):
                columns[k, i] = bilateral.jacobian[k, i]
            forward(mass, m, columns, k)
            length = row_norm(columns, k, m)
            if lengths[k] < length < math.inf:
                lengths[k] = length
    for k in range(bilateral.n_rows):
        if lengths[k] == 0.0:
            lengths[k] = 1.0
    go_to_place(bilateral, t, state, place, 0)
    if factor_metric(bilateral):
        rank_constraints(mass, m, bilateral.jacobian, bilateral.rank)
        bilateral.spare = bilateral.n_rows - bilateral.rank.count[0]
    bilateral.along_tree = 1 if measure_tree(bilateral, t, state, place) else 0


@kernel
def measure_tree(bilateral, t, state, place):
    """Whether the motion may be solved along the tree of joints: M is regular, and no constraint depends on others."""
    if bilateral.tree_function == 0 or bilateral.spare > 0 or bilateral.reduction.basis != NO_BASIS:
        return False
    lengths = bilateral.tree_lengths
    for k in range(bilateral.n_rows):
        lengths[k] = 0.0
    for trial in range(PLACES - 1, -1, -1):
        go_to_place(bilateral, t, state, place, trial)
        measure_along_tree(bilateral, t, place)
    for k in range(bilateral.n_rows):
        if lengths[k] == 0.0:
            lengths[k] = 1.0
    return meets_mass_matrix(bilateral)


@kernel
def measure_weights(bilateral, t, state, place):
    """D of M + A^T D A, from the places where the rows are largest: a row that vanishes adds nothing to M there."""
    m, weights, squares = bilateral.n_u, bilateral.weights, bilateral.lengths
    for k in range(bilateral.n_rows):
        weights[k] = squares[k] = 0.0
    for trial in range(PLACES):
        go_to_place(bilateral, t, state, place, trial)
        heaviest = largest_inertia(bilateral.mass, m)
        for k in range(bilateral.n_rows):
            weight, square = weigh(bilateral.mass, m, bilateral.jacobian, k, heaviest)
            if squares[k] < square < math.inf and weight < math.inf:
                weights[k], squares[k] = weight, square
    bilateral.measured = 1


@kernel
def go_to_place(bilateral, t, state, place, trial):
    """The equations at one of the places around a state, the first of which is the state itself with latches closed."""
    nq, m, latches = bilateral.n_q, bilateral.n_u, bilateral.latches
    for i in range(nq + m):
        place[i] = state[i]
    for i in range(nq):
        turn = (trial * (i + 1) * GOLDEN) % 1.0 - 0.5 if trial > 0 else 0.0
        place[i] += turn * max(1.0, abs(state[i]))
        if latches[i] == 1:
            place[i] = 1.0
    call_flow(bilateral.equations, t, place, bilateral.parameters, bilateral.terms)


def constrained_rates(t, x, data, out):
    """The flow of a constrained model, see `Stage.flow`; NaN where the motion is not determined."""
    bilateral = bilateral_at(data)
    nq, m = bilateral.n_q, bilateral.n_u
    state, rates = reals(x, nq + m), reals(out, nq + m)
    if bilateral.in_stages == 1:
        state = put_onto(bilateral, t, state)
    elif bilateral.reduction.rule != NO_DIRECTIONS:
        state = completed(bilateral, t, state)
    elif bilateral.reduction.basis != NO_BASIS:
        state = on_basis(bilateral, t, state)
    found = bilateral.along_tree == 1 and solve_along_tree(bilateral, t, state, ITERATIONS)
    if not found:
        call_flow(bilateral.equations, t, state, bilateral.parameters, bilateral.terms)
        if bilateral.reduction.basis == NO_BASIS:
            accelerate(bilateral, state)
        else:
            accelerate_on_basis(bilateral)
    for i in range(nq):
        rates[i] = bilateral.tree_rates[i] if found else bilateral.rates[i]
    for k in range(m):
        rates[nq + k] = bilateral.motion[k]


@kernel
def put_onto(bilateral, t, state):
    """The state projected onto the constraints, in memory of its own."""
    placed = bilateral.placed
    for i in range(state.size):
        placed[i] = state[i]
    meet_constraints(bilateral, t, placed)
    return placed


@kernel
def accelerate(bilateral, x):
    """u' of the last equations, which are those of a state x, into `motion`."""
    m, y = bilateral.n_u, bilateral.motion
    mass, load, wanted, columns = bilateral.mass, bilateral.load, bilateral.wanted, bilateral.columns
    if not factor_metric(bilateral):
        for k in range(m):
            y[k] = math.nan
        return
    if bilateral.spare > 0:
        leave_out_dependent(bilateral, x)
    scale_rows(bilateral, bilateral.jacobian)
    for k in range(m):
        load[0, k] = bilateral.forcing[k]
    forward(mass, m, load, 0)
    for k in range(bilateral.n_rows):
        s = bilateral.biases[k] + bilateral.rate_gain * bilateral.speeds[k]
        wanted[k] = -s - bilateral.position_gain * bilateral.positions[k]
    scale_values(bilateral)
    for k in range(bilateral.n_rows):
        for i in range(m):
            wanted[k] -= columns[k, i] * load[0, i]
    if find_motion(bilateral) > HALF_DIGITS:
        bilateral.unmet += 1
    for k in range(m):
        y[k] += load[0, k]
    backward(mass, m, y)


@kernel
def leave_out_dependent(bilateral, x):
    """Clear the rows of the last equations that are independent of others by no more than the violation explains."""
    m, size = bilateral.n_u, bilateral.n_rows
    rank_constraints(bilateral.mass, m, bilateral.jacobian, bilateral.rank)
    rank = rank_of(bilateral.rank, size)
    discount_violated(rank, unsure_below(bilateral.positions, bilateral.jacobian, x, bilateral.n_q))
    for place in range(rank.count[0], size):
        k = rank.picked[place]
        bilateral.positions[k] = bilateral.speeds[k] = bilateral.biases[k] = 0.0
        for i in range(m):
            bilateral.jacobian[k, i] = 0.0


@kernel
def factor_metric(bilateral):
    """Replace M of the last equations by the factor of M + A^T D A; False where it is not positive definite."""
    m, mass = bilateral.n_u, bilateral.mass
    add_weighted(bilateral)
    return factor(mass, m) < 0


@kernel
def add_weighted(bilateral):
    """M + A^T D A of the last equations, with D as it was measured, or else of the rows as they are."""
    m, mass, rows = bilateral.n_u, bilateral.mass, bilateral.jacobian
    if bilateral.measured == 0:
        add_constraints(mass, m, rows, bilateral.n_rows)
        return
    for k in range(bilateral.n_rows):
        add_row(mass, m, rows, k, bilateral.weights[k])


@kernel
def scale_rows(bilateral, rows):
    """B into `columns`, and the factor of B B^T + e^2 into `gram`."""
    m, size = bilateral.n_u, bilateral.n_rows
    mass, columns, lengths, gram = bilateral.mass, bilateral.columns, bilateral.lengths, bilateral.gram
    for k in range(size):
        for i in range(m):
            columns[k, i] = rows[k, i]
        forward(mass, m, columns, k)
        for i in range(m):
            columns[k, i] /= lengths[k]
    for k in range(size):
        for j in range(k + 1):
            s = WEAK * WEAK if j == k else 0.0
            for i in range(m):
                s += columns[k, i] * columns[j, i]
            gram[k, j] = s
    factor(gram, size)


@kernel
def scale_values(bilateral):
    """The rates of the constraints in `wanted`, for the rows of B."""
    wanted, lengths = bilateral.wanted, bilateral.lengths
    for k in range(bilateral.n_rows):
        wanted[k] /= lengths[k]


@kernel
def find_motion(bilateral):
    """The shortest y with B y = v, v in `wanted`, into `motion`, and the multipliers of the rows of B.

    Returns the largest part of v that is not met, relative to the largest of v.
    """
    m, size, y = bilateral.n_u, bilateral.n_rows, bilateral.motion
    columns, gram, wanted = bilateral.columns, bilateral.gram, bilateral.wanted
    step, multipliers, largest = bilateral.step, bilateral.multipliers, 0.0
    for i in range(m):
        y[i] = 0.0
    for k in range(size):
        multipliers[k], step[0, k] = 0.0, wanted[k]
        largest = max(largest, abs(wanted[k]))
    left = 0.0
    for _ in range(ITERATIONS):
        forward(gram, size, step, 0)
        backward(gram, size, bilateral.steps)
        left = 0.0
        for k in range(size):
            multipliers[k] += step[0, k]
            for i in range(m):
                y[i] += columns[k, i] * step[0, k]
        for k in range(size):
            s = wanted[k]
            for i in range(m):
                s -= columns[k, i] * y[i]
            step[0, k] = s
            left = max(left, abs(s))
        if not left > MOTION_ROUNDING * largest:
            break
    return left / largest if largest > 0.0 else 0.0


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


def meet_speeds(t, x, data, out):
    """The speeds projected onto the constraints, where prescribed ones have jumped; `out` must be the state itself."""
    bilateral = bilateral_at(data)
    state = reals(out, bilateral.n_q + bilateral.n_u)
    call_flow(bilateral.equations, t, state, bilateral.parameters, bilateral.terms)
    if factor_metric(bilateral):
        correct_speeds(bilateral, t, state)


@kernel
def meet_constraints(bilateral, t, x):
    """Project the coordinates, then the speeds of a state, which is changed in place, in the metric of M there."""
    call_flow(bilateral.equations, t, x, bilateral.parameters, bilateral.terms)
    if not factor_metric(bilateral):
        return
    for _ in range(TRIES):
        find_change(bilateral, t, x, bilateral.phi)
        if move(bilateral, t, x) <= HALF_DIGITS * largest_of(x, 0, bilateral.n_q):
            break
    correct_speeds(bilateral, t, x)


@kernel
def correct_speeds(bilateral, t, x):
    """Project the speeds of a state, which is changed in place, in the metric that is factored."""
    nq, m = bilateral.n_q, bilateral.n_u
    for _ in range(TRIES):
        find_change(bilateral, t, x, bilateral.rate)
        for k in range(m):
            x[nq + k] += bilateral.motion[k]
        if largest_of(bilateral.motion, 0, m) <= HALF_DIGITS * largest_of(x, nq, nq + m):
            break


@kernel
def find_change(bilateral, t, x, values):
    """The shortest change of the speeds that changes the rates of the constraints by minus `values`, a part of
    `constraint` at the state, into `motion`."""
    call_flow(bilateral.constraints, t, x, bilateral.parameters, bilateral.constraint)
    scale_rows(bilateral, bilateral.rows)
    for k in range(bilateral.n_rows):
        bilateral.wanted[k] = -values[k]
    scale_values(bilateral)
    find_motion(bilateral)
    backward(bilateral.mass, bilateral.n_u, bilateral.motion)
