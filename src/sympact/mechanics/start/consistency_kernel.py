"""Whether a start is certainly consistent; where it may not be, `consistency.py` checks it and writes the message.

The conditions are slightly stricter than necessary: eigenvalues are replaced by their lower bounds, so that no start is
accepted that `consistency.py` would refuse.
"""

import math

from sympact.contact.linalg.cholesky_kernel import factor
from sympact.contact.linalg.constrained_kernel import add_constraints
from sympact.contact.memory.bilateral import Bilateral
from sympact.contact.memory.contact_tolerances import PIVOT
from sympact.integrate.memory.run_tolerances import DEAD_BAND
from sympact.mechanics.start.scale_kernel import LARGE
from sympact.mechanics.start.start_memory import DOUBTFUL, FINE, NOMINAL, StartMemory
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, call_flow, reals, view
from sympact.native.rounding import EPS, ROUNDINGS, SAME, WRITTEN

start_at = view(StartMemory)
bilateral_at = view(Bilateral)


@kernel
def consistent(t, x, data):
    """`NOMINAL` for a consistent start, `FINE` for one whose gaps remain to be checked, else `DOUBTFUL`."""
    start = start_at(data)
    state = reals(x, start.n_q + start.n_u)
    call_flow(start.flow, t, state, start.flow_data, start.rates)
    call_flow(start.terms, t, state, start.parameters, start.term)
    call_boundary(start.gaps, t, state, start.rates, start.parameters, start.along)
    regular = are_units(start, state) and are_finite(start.rates) and are_finite(start.along)
    regular = regular and are_coefficients(start, t, state) and are_met(start, t, state) and is_positive(start)
    if not regular or (start.tied == 1 and not is_free(start, t, state)):
        return DOUBTFUL
    return NOMINAL if are_apart(start, state) else FINE


@kernel
def are_finite(values):
    """Whether all numbers are finite."""
    finite = True
    for value in values:
        finite = finite and abs(value) < math.inf
    return finite


@kernel
def are_units(start, state):
    """Whether all quaternions have the norm 1."""
    for group in start.quaternions:
        square = 0.0
        for place in group:
            square += state[place] * state[place]
        if not abs(math.sqrt(square) - 1.0) <= SAME:
            return False
    return True


@kernel
def are_apart(start, state):
    """Whether no gap is below minus the dead band, and no coordinate has a larger rounding error than gaps."""
    apart = True
    for i in range(start.n_q):
        apart = apart and abs(state[i]) <= LARGE * start.length
    for k in range(start.n_contacts):
        apart = apart and start.along[k] >= -DEAD_BAND * start.length
    return apart


@kernel
def are_coefficients(start, t, state):
    """Whether restitutions and coefficients of friction are in their ranges: 0 <= e <= 1, 0 <= mu <= mu_s.

    A kinetic coefficient that varies may be more than the static one where it slips.
    """
    n = start.n_contacts
    for k in range(n):
        e = start.restitution[k]
        if start.at_impact[k] == 0 and not (0.0 <= e <= 1.0):
            return False
    if start.slips == 0:
        return True
    call_boundary(start.slips, t, state, start.rest, start.parameters, start.slip)
    last = start.slip_width - 1
    for k in range(n):
        mu, static = start.slip[k, last - 1], start.slip[k, last]
        if not (mu >= 0.0 and static >= 0.0 and (mu <= static or start.varying[k] == 1)):
            return False
    return True


@kernel
def are_met(start, t, state):
    """Whether phi = 0 and A u + a = 0, and dependent constraints do not contradict each other in accelerations."""
    if start.n_rows == 0:
        return True
    n, m, size, fastest, rounding = start.n_q, start.n_u, start.length, 0.0, 0.0
    call_flow(start.constraints, t, state, start.parameters, start.constraint)
    for i in range(n):
        size = max(size, abs(state[i]))
    for j in range(m):
        fastest = max(fastest, abs(state[n + j]))
    for k in range(start.n_rows):
        for j in range(m):
            rounding = max(rounding, ROUNDINGS * EPS * abs(start.rows[k, j]))
    for k in range(start.n_rows):
        drift, largest = start.rate[k], 0.0
        for j in range(m):
            drift -= start.rows[k, j] * state[n + j]
            largest = max(largest, abs(start.rows[k, j]))
        met = abs(start.phi[k]) <= (WRITTEN * largest + rounding) * size
        if not (met and abs(start.rate[k]) <= (WRITTEN * largest + rounding) * fastest + WRITTEN * abs(drift)):
            return False
    return are_compatible(start, t, state)


@kernel
def are_compatible(start, t, state):
    """Whether the motion satisfies all constraints, A u' + (A' u + a') = 0, also those that depend on others."""
    bilateral, n, m = bilateral_at(start.flow_data), start.n_q, start.n_u
    if bilateral.along_tree == 1:
        call_flow(bilateral.equations, t, state, bilateral.parameters, bilateral.terms)
    biases = bilateral.biases
    fastest, scale = 0.0, 0.0
    for j in range(m):
        fastest = max(fastest, abs(start.rates[n + j]))
    for k in range(start.n_rows):
        scale = max(scale, abs(biases[k]))
    for k in range(start.n_rows):
        left, largest = biases[k], 0.0
        for j in range(m):
            left += start.rows[k, j] * start.rates[n + j]
            largest = max(largest, abs(start.rows[k, j]))
        if not abs(left) <= 0.1 * SAME * (largest * fastest + scale):
            return False
    return True


@kernel
def is_positive(start):
    """Whether the mass matrix, scaled to a unit diagonal, is positive definite; stores the factor of M itself.

    With constraints M + A^T D A takes its place, see `constrained_kernel`.
    """
    n, c, diagonal = start.n_u, start.factor, start.diagonal
    take_mass(start, c)
    add_constraints(c, n, start.rows, start.n_rows)
    for i in range(n):
        diagonal[i] = c[i, i]
        if not (0.0 < diagonal[i] < math.inf):
            return False
        diagonal[i] = math.sqrt(diagonal[i])
    for i in range(n):
        for j in range(i + 1):
            c[i, j] = c[i, j] / (diagonal[i] * diagonal[j])
    if factor(c, n) >= 0 or not least_eigenvalue(start, n) > PIVOT:
        return False
    for i in range(n):
        for j in range(i + 1):
            c[i, j] *= diagonal[i]
    return True


@kernel
def take_mass(start, c):
    """M into c, where `terms` gives R as M = R^T R."""
    n, term = start.n_u, start.term
    for i in range(n):
        for j in range(i + 1):
            s = term[i * n + j]
            if start.factored == 1:
                s = 0.0
                for k in range(n):
                    s += term[k * n + i] * term[k * n + j]
            c[i, j] = c[j, i] = s


@kernel
def least_eigenvalue(start, n):
    """A lower bound of the eigenvalues of C C^T: 1 / |C^-1|^2 in Frobenius' norm."""
    c, inverse, total = start.factor, start.inverse, 0.0
    for j in range(n):
        for i in range(j, n):
            s = 1.0 if i == j else 0.0
            for k in range(j, i):
                s -= c[i, k] * inverse[k, j]
            inverse[i, j] = s / c[i, i]
            total += inverse[i, j] * inverse[i, j]
    return 1.0 / total if total > 0.0 else math.inf


@kernel
def is_free(start, t, state):
    """Whether the rates of the coordinates are independent in motions of unit energy; at a gimbal lock they are not.

    With M = C C^T and q' = S u + b, they are where the normalized rows of S C^-T are independent; `motions` stores S
    transposed.
    """
    n, m, rows, c = start.n_q, start.n_u, start.motions, start.factor
    if n < m:
        return False
    moving, rates = start.state, start.motion
    for i in range(n + m):
        moving[i] = state[i] if i < n else 0.0
    call_flow(start.flow, t, moving, start.flow_data, rates)
    for j in range(m):
        for i in range(n):
            rows[j, i] = -rates[i]
    for j in range(m):
        moving[n + j] = 1.0
        call_flow(start.flow, t, moving, start.flow_data, rates)
        moving[n + j] = 0.0
        for i in range(n):
            rows[j, i] += rates[i]
    for i in range(n):
        size = 0.0
        for j in range(m):
            s = rows[j, i]
            for k in range(j):
                s -= c[j, k] * rows[k, i]
            s /= c[j, j]
            rows[j, i] = s
            size += s * s
        length = math.sqrt(size) if size > 0.0 else 1.0
        for j in range(m):
            rows[j, i] /= length
    for j in range(m):
        for k in range(j + 1):
            s = 0.0
            for i in range(n):
                s += rows[j, i] * rows[k, i]
            c[j, k] = s
    return factor(c, m) < 0 and least_eigenvalue(start, m) > PIVOT
