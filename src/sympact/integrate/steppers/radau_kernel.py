"""Radau IIA of order 5: three implicit stages, the last of which is the end of the step.

    x' = f(t, x, z),   0 = g(t, x, z)

The stages X_i = x_0 + Z_i, z_i satisfy Z_i = h sum_j a_ij f(t_j, X_j, z_j) and 0 = g(t_i, X_i, z_i). The method, its
simplified Newton iteration along the eigenvectors of A^-1, the error estimate and the choice of the step follow Hairer
and Wanner, *Solving Ordinary Differential Equations II*, sections IV.8 and VII. Without multipliers z it is that of
ordinary differential equations. The unknowns are Z and h z, so that matrices have a limit as h becomes zero.

The polynomial of a step is that of collocation, through its start and its stages.
"""

import math

import numpy as np

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import run_at
from sympact.integrate.steppers.lu_kernel import factor_rows, solve_rows
from sympact.integrate.steppers.runge_kutta_kernel import (
    SAFETY,
    SHRINK,
    accept,
    bounded,
    exact_size,
    finite,
    keep_size,
    smallest_size,
    spread,
)
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, leading, row_of
from sympact.native.rounding import EPS, HALF_DIGITS

MOST, MOST_EXACT = 7, 20  # iterations
GROW = 8.0
KEEP = 1.2  # smaller growth of the step is not worth new factors
NEAR = 2.0  # times the step before: multipliers are continued to the end of such a step
LOOSE = HALF_DIGITS**0.25  # 0.01: of the tolerance, no change of the error estimate; a rate that keeps the Jacobian


def _method():
    """c, T, T^-1, the real eigenvalue of A^-1, the parts of the pair, the weights of the error estimate, the basis."""
    root = math.sqrt(6.0)
    c = np.array([(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0])
    powers = np.array([c**k for k in range(3)]).T
    integrals = np.array([c ** (k + 1) / (k + 1) for k in range(3)]).T
    values, vectors = np.linalg.eig(np.linalg.inv(integrals @ np.linalg.inv(powers)))
    real, pair = int(np.argmin(np.abs(values.imag))), int(np.argmax(values.imag))
    t = np.array([vectors[:, real].real, vectors[:, pair].real, vectors[:, pair].imag]).T
    weights = np.array([-13.0 - 7.0 * root, -13.0 + 7.0 * root, -1.0]) / 3.0
    nested = np.array([c, c * (1.0 - c), c * c * (1.0 - c)]).T
    own, both = float(values[real].real), values[pair]
    return c, t, np.linalg.inv(t), own, float(both.real), float(both.imag), weights, np.linalg.inv(nested)


_C, _T, _INVERSE, _OWN, _ALPHA, _BETA, _WEIGHTS, _TO_ROWS = (
    np.ascontiguousarray(part) if isinstance(part, np.ndarray) else part for part in _method()
)


def radau_iia_advance(address):
    """Make one accepted step and its polynomial."""
    run = run_at(address)
    newton = run.implicit
    begin_step(run, newton)
    t, h, rejected, asked = run.t, bounded(run, run.h_next), False, min(run.h_next, run.max_step)
    while True:
        if newton.has_jacobian == 0:
            differentiate(run, newton, h)
        guess(run, newton, h)
        converged = solve_stages(run, newton, h, wanted_error(run), MOST)
        if run.fault != 0:
            return codes.FAULTED
        if converged:
            size = estimate(run, newton, h, rejected)
            if size <= 1.0:
                break
            run.rejected_by[worst(run, newton)] += 1
            factor = max(SHRINK, caution(newton) * foreseen(newton, h, size)) if size < math.inf else SHRINK
        elif newton.current == 0:
            newton.has_jacobian = 0
            continue
        else:
            size, factor = math.inf, 0.5
        run.rejected, rejected = run.rejected + 1, True
        h *= factor
        if h < smallest_size(t):
            return codes.STEP_TOO_SMALL if newton.lost == 0 else codes.NOT_FINITE
        h = exact_size(t, h)
    grow = min(GROW, caution(newton) * foreseen(newton, h, size))
    end_step(run, newton, h, size)
    if rejected:
        grow = min(1.0, grow)
    if newton.has_jacobian == 1 and 1.0 <= grow < KEEP:
        grow = 1.0
    run.h_next = h * grow
    accept(run, h)
    if grow >= 1.0 and not rejected:
        keep_size(run, asked)
    return codes.OK


def radau_iia_dense(address):
    """The polynomial is there already."""
    run_at(address).dense_calls += 1
    return codes.OK


def radau_iia_exact(address):
    """Repeat the step with the size h, to the rounding of the iteration, with its polynomial."""
    run = run_at(address)
    newton = run.implicit
    tight = max(10.0 * EPS / run.rtol, HALF_DIGITS)
    for _ in range(2):
        if newton.has_jacobian == 0:
            differentiate(run, newton, run.h)
        guess(run, newton, run.h)
        if solve_stages(run, newton, run.h, tight, MOST_EXACT) or newton.current == 1:
            break
        newton.has_jacobian = 0
    hand_over(run, newton, run.h)
    return codes.OK


@kernel
def begin_step(run, newton):
    """The state at the start of the step; a new smooth arc forgets what belongs to the old one."""
    x, start = run.x, newton.initial
    if run.fresh == 1:
        newton.has_jacobian, newton.h_old, newton.error_old = 0, 0.0, 0.0
    newton.current = newton.lost = 0
    for i in range(run.n_states):
        start[i] = x[i]


@kernel
def unknowns(run):
    """States and multipliers of a stage of the method."""
    return run.n_states + run.stage.multipliers


@kernel
def evaluate(run, t, v, out):
    """f and g at a state with multipliers."""
    stage = run.stage
    call_flow(stage.residual if stage.residual != 0 else stage.flow, t, v, stage.flow_data, out)
    run.flow_calls += 1


@kernel
def differentiate(run, newton, h):
    """The Jacobian of f and g at the start of the step, by difference quotients; g and f are linear in z."""
    n, size, t = run.n_states, unknowns(run), run.t
    point, value, base, jacobian = newton.point, newton.value, newton.error, newton.jacobian
    start, atol, rates = newton.initial, run.atol, run.rates[0]
    if size > n:
        call_flow(run.stage.begin_residual, t, start, run.stage.flow_data, value)
        for k in range(n, size):
            start[k] = value[k]
    for i in range(size):
        point[i] = start[i]
    evaluate(run, t, point, base)
    for j in range(size):
        if j < n and not atol[j] < math.inf:
            for i in range(size):
                jacobian[i, j] = 0.0  # a state that does not change along the flow
            continue
        reach = 1.0
        if j < n:
            reach = math.sqrt(EPS) * max(abs(start[j]), h * abs(rates[j]), atol[j] / run.rtol)
            reach = (start[j] + reach) - start[j]
        point[j] = start[j] + reach
        evaluate(run, t, point, value)
        point[j] = start[j]
        for i in range(size):
            jacobian[i, j] = (value[i] - base[i]) / reach
    newton.has_jacobian, newton.current, newton.factored = 1, 1, 0.0


@kernel
def scaled(newton, n, h, i, j):
    """An entry of the Jacobian for a step h: rows of rates times h, columns of multipliers over h."""
    entry = newton.jacobian[i, j]
    if i < n:
        entry *= h
    return entry if j < n else entry / h


@kernel
def factor_both(run, newton, h):
    """The factors of the real matrix, and of the complex one as a real matrix of twice the size."""
    n, size = run.n_states, unknowns(run)
    single, double = newton.single, newton.double
    for i in range(size):
        for j in range(size):
            entry = -scaled(newton, n, h, i, j)
            diagonal = i == j and i < n
            single[i, j] = entry + (_OWN if diagonal else 0.0)
            double[i, j] = double[size + i, size + j] = entry + (_ALPHA if diagonal else 0.0)
            double[i, size + j] = _BETA if diagonal else 0.0
            double[size + i, j] = -_BETA if diagonal else 0.0
    newton.factored = 0.0
    if not factor_rows(single, size, newton.single_order, newton.single_scale):
        return False
    if not factor_rows(double, 2 * size, newton.double_order, newton.double_scale):
        return False
    newton.factored = h
    return True


@kernel
def guess(run, newton, h):
    """First values of the stages: the polynomials of the step before, continued."""
    n, size = run.n_states, unknowns(run)
    F, z, z_old, start = run.polynomial, newton.z, newton.z_old, newton.initial
    follows = newton.h_old > 0.0 and newton.t_old == run.t
    for s in range(3):
        at = 1.0 + _C[s] * h / newton.h_old if follows else 0.0
        for i in range(n):
            z[s, i] = at * (F[0, i] + (1.0 - at) * (F[1, i] + at * F[2, i])) - F[0, i] if follows else 0.0
        for k in range(n, size):
            value = start[k]
            if follows and h <= NEAR * newton.h_old:
                value = 0.0
                for j in range(3):
                    value += lagrange(at, j) * z_old[j, k]
            z[s, k] = h * value
    turn(newton, size)


@kernel
def lagrange(at, j):
    """The polynomial that is 1 at stage j and 0 at the others."""
    a, b = _C[(j + 1) % 3], _C[(j + 2) % 3]
    return (at - a) * (at - b) / ((_C[j] - a) * (_C[j] - b))


@kernel
def turn(newton, size):
    """W = T^-1 Z."""
    z, w = newton.z, newton.w
    for s in range(3):
        for i in range(size):
            w[s, i] = _INVERSE[s, 0] * z[0, i] + _INVERSE[s, 1] * z[1, i] + _INVERSE[s, 2] * z[2, i]


@kernel
def solve_stages(run, newton, h, wanted, most):
    """Newton's method for the stages with a constant matrix; True when its error is at most `wanted` tolerances."""
    size = unknowns(run)
    if newton.factored != h and not factor_both(run, newton, h):
        return False
    before = 0.0
    for trial in range(most):
        newton.iterations = trial + 1
        if not evaluate_stages(run, newton, h):
            newton.rate = 1.0
            return False
        correct(run, newton, h)
        change = measure(run, newton) * spread(run)
        if not change < math.inf:
            newton.rate = 1.0
            return False
        rate = change / before if before > 0.0 else 0.0
        if trial > 0:
            newton.rate = rate
            hopeless = rate >= 1.0 or rate ** (most - trial) / (1.0 - rate) * change > wanted
            if trial > 1 and change > wanted and hopeless:  # the first correction is that of the guess, and no measure
                add_correction(newton, size)
                return max(before, change) <= LOOSE  # rounding of states with small tolerances
        else:
            newton.rate = 0.0
        add_correction(newton, size)
        settled = rate < 1.0 and rate / (1.0 - rate) * change < wanted
        if change == 0.0 or (trial > 0 and (settled or max(before, change) < LOOSE * wanted)):
            return True
        before = change
    return False


@kernel
def evaluate_stages(run, newton, h):
    """f and g at the stages into `rates`; False where they are not finite."""
    n, size = run.n_states, unknowns(run)
    point, z, x = newton.point, newton.z, run.x
    for s in range(3):
        for i in range(size):
            point[i] = x[i] + z[s, i] if i < n else z[s, i] / h
        out = row_of(newton.rates, s)
        evaluate(run, run.t + _C[s] * h, point, out)
        if run.fault != 0 or not finite(leading(out, size)):
            newton.lost = 1
            return False
    return True


@kernel
def correct(run, newton, h):
    """The correction of W into `change`."""
    n, size = run.n_states, unknowns(run)
    right, w, change = newton.right, newton.w, newton.change
    for i in range(size):
        right[i] = along(newton, 0, i, n, h) - (_OWN * w[0, i] if i < n else 0.0)
    solve_rows(newton.single, size, newton.single_order, newton.single_scale, right, newton.turned)
    for i in range(size):
        change[0, i] = right[i]
    for i in range(size):
        right[i] = along(newton, 1, i, n, h) - (_ALPHA * w[1, i] + _BETA * w[2, i] if i < n else 0.0)
        right[size + i] = along(newton, 2, i, n, h) - (_ALPHA * w[2, i] - _BETA * w[1, i] if i < n else 0.0)
    solve_rows(newton.double, 2 * size, newton.double_order, newton.double_scale, right, newton.turned)
    for i in range(size):
        change[1, i], change[2, i] = right[i], right[size + i]


@kernel
def along(newton, s, i, n, h):
    """Component s of T^-1 times the rates (times h) or the constraints of the stages."""
    rates = newton.rates
    total = _INVERSE[s, 0] * rates[0, i] + _INVERSE[s, 1] * rates[1, i] + _INVERSE[s, 2] * rates[2, i]
    return h * total if i < n else total


@kernel
def measure(run, newton):
    """Root mean square of the correction of the state, in units of the tolerance."""
    n, total = run.n_states, 0.0
    change, x, atol = newton.change, run.x, run.atol
    for i in range(n):
        unit = 1.0 / (atol[i] + run.rtol * abs(x[i]))
        for s in range(3):
            total += (change[s, i] * unit) ** 2
    return math.sqrt(total / (3 * run.n_moving))


@kernel
def add_correction(newton, size):
    """W and Z after the correction."""
    z, w, change = newton.z, newton.w, newton.change
    for i in range(size):
        for s in range(3):
            w[s, i] += change[s, i]
        for s in range(3):
            z[s, i] = _T[s, 0] * w[0, i] + _T[s, 1] * w[1, i] + _T[s, 2] * w[2, i]


@kernel
def wanted_error(run):
    """The error of the iteration that is accepted, in units of the tolerance."""
    return max(10.0 * EPS / run.rtol, min(LOOSE, math.sqrt(run.rtol)))


@kernel
def estimate(run, newton, h, rejected):
    """The error of the step in units of the tolerance, by an embedded method of order 3 (Hairer and Wanner IV.8)."""
    n, size = run.n_states, unknowns(run)
    error, rates = newton.error, run.rates[0]
    for i in range(size):
        error[i] = h * rates[i] + mixed(newton, i) if i < n else 0.0
    solve_rows(newton.single, size, newton.single_order, newton.single_scale, error, newton.turned)
    found = length(run, newton) * spread(run)
    if found < 1.0 or not (rejected or run.fresh == 1):
        return found
    point, value, start = newton.point, newton.value, newton.initial
    for i in range(size):
        point[i] = start[i] + (error[i] if i < n else 0.0)
    evaluate(run, run.t, point, value)
    for i in range(size):
        error[i] = h * value[i] + mixed(newton, i) if i < n else value[i]
    solve_rows(newton.single, size, newton.single_order, newton.single_scale, error, newton.turned)
    return length(run, newton) * spread(run)


@kernel
def mixed(newton, i):
    """The part of the stages in the error estimate."""
    z = newton.z
    return _WEIGHTS[0] * z[0, i] + _WEIGHTS[1] * z[1, i] + _WEIGHTS[2] * z[2, i]


@kernel
def length(run, newton):
    """Root mean square of `error` over the moving states, in units of the tolerance; infinite where it is no number."""
    n, total = run.n_states, 0.0
    for i in range(n):
        total += in_tolerances(run, newton, i) ** 2
    return math.sqrt(total / run.n_moving) if total < math.inf else math.inf


@kernel
def in_tolerances(run, newton, i):
    """The error of a state in units of its tolerance."""
    x, end = run.x[i], run.x[i] + newton.z[2, i]
    return newton.error[i] / (run.atol[i] + run.rtol * max(abs(x), abs(end)))


@kernel
def worst(run, newton):
    """The state with the largest error in units of its tolerance."""
    found, largest = 0, -1.0
    for i in range(run.n_states):
        size = abs(in_tolerances(run, newton, i))
        if size > largest:
            found, largest = i, size
    return found


@kernel
def caution(newton):
    """The safety factor of the next step: smaller after many iterations."""
    return SAFETY * (2 * MOST + 1) / (2 * MOST + newton.iterations)


@kernel
def foreseen(newton, h, size):
    """The factor to a step whose error is the tolerance, from this step and the one before (Gustafsson)."""
    size = max(size, HALF_DIGITS)
    trend = h / newton.h_old * (newton.error_old / size) ** 0.25 if newton.h_old > 0.0 else 1.0
    return min(1.0, trend) * size**-0.25


@kernel
def end_step(run, newton, h, size):
    """The end of the step and its polynomial; whether the next one needs a new Jacobian."""
    hand_over(run, newton, h)
    newton.h_old, newton.error_old = h, max(size, HALF_DIGITS)
    newton.t_old = run.t_stop if h == run.t_stop - run.t else run.t + h
    if newton.iterations > 2 and newton.rate > LOOSE:
        newton.has_jacobian = 0
    start, z = newton.initial, newton.z
    for k in range(run.n_states, unknowns(run)):
        start[k] = z[2, k] / h
        for s in range(3):
            newton.z_old[s, k] = z[s, k] / h


@kernel
def hand_over(run, newton, h):
    """The state and its rates at the end of the stages, and the rows of the polynomial."""
    n = run.n_states
    x, x_new, F, z = run.x, run.x_new, run.polynomial, newton.z
    for i in range(n):
        x_new[i] = x[i] + z[2, i]
        for j in range(3):
            F[j, i] = _TO_ROWS[j, 0] * z[0, i] + _TO_ROWS[j, 1] * z[1, i] + _TO_ROWS[j, 2] * z[2, i]
    if run.stage.project == 0:
        call_flow(run.stage.flow, run.t + h, x_new, run.stage.flow_data, run.rates[1])
        run.flow_calls += 1
