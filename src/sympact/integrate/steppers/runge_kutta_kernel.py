"""Explicit Runge-Kutta steppers as units: one accepted step, its polynomial, and the same step of a given size.

The sums over stages are written out from the tableau as straight-line code, so that the compiler sees every
coefficient.
"""

import math

from sympact.integrate.memory import run_codes as codes
from sympact.integrate.memory.run_kernel import run_at
from sympact.integrate.memory.run_tolerances import SLIGHT
from sympact.integrate.steppers import tableau
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, row_of
from sympact.native.rounding import EPS, HALF_DIGITS, LEAST_NORMAL

SAFETY, SHRINK, GROW = 0.82, 0.2, 10.0
PROPORTIONAL, INTEGRAL = 0.8, 0.15  # with SAFETY the fewest calls at equal error, of a dozen settings on two models


def _weighted(row):
    """``sum_j row_j K[j, i]`` as source text, without the zeros."""
    return " + ".join(f"{weight!r} * K[{j}, i]" for j, weight in enumerate(row) if weight != 0.0)


def _stage(row, c, target):
    return (
        f"    for i in range(n):\n        y[i] = x[i] + h * ({_weighted(row)})\n"
        f"    call_flow(flow, t + {c!r} * h, y, data, K[{target}])\n"
    )


def _stages_source(table):
    """The stages after the first, the end of the step, and the rates there."""
    last = len(table.b)
    body = "".join(_stage(row, c, i) for i, (row, c) in enumerate(zip(table.a, table.c, strict=True)) if i > 0)
    return (
        "def stages(flow, data, t, h, x, K, x_new, y):\n    n = x.size\n" + body + f"    for i in range(n):\n"
        f"        x_new[i] = x[i] + h * ({_weighted(table.b)})\n"
        f"    call_flow(flow, t + h, x_new, data, K[{last}])\n"
    )


def _error_source(table):
    """The error of the step in units of the tolerance, root mean square over the moving states (Hairer II.5)."""
    sums = "".join(
        f"        e{k} = ({_weighted(row)}) * unit\n        sum{k} += e{k} * e{k}\n"
        for k, row in enumerate(table.error)
    )
    if len(table.error) == 2:
        norm = "    both = sum0 + 0.01 * sum1\n    return h * sum0 / math.sqrt(both * moving) if both != 0.0 else 0.0\n"
    else:
        norm = "    return h * math.sqrt(sum0 / moving)\n"
    zeros = "".join(f"    sum{k} = 0.0\n" for k in range(len(table.error)))
    return (
        "def error(h, x, x_new, K, atol, rtol, moving):\n    n = x.size\n" + zeros + "    for i in range(n):\n"
        "        unit = 1.0 / (atol[i] + rtol * max(abs(x[i]), abs(x_new[i])))\n" + sums + norm
    )


def _worst_source(table):
    """The state with the largest error of a rejected step in units of its tolerance; one that is no number first."""
    return (
        "def worst(h, x, x_new, K, atol, rtol):\n    n, found, largest = x.size, 0, -1.0\n    for i in range(n):\n"
        "        unit = 1.0 / (atol[i] + rtol * max(abs(x[i]), abs(x_new[i])))\n"
        f"        e = abs(({_weighted(table.error[0])}) * unit)\n"
        "        if not abs(e) < math.inf:\n            return i\n"
        "        if e > largest:\n            found, largest = i, e\n    return found\n"
    )


def _dense_source(table):
    """The further stages and the rows of the polynomial."""
    last = len(table.b)
    body = "".join(_stage(row, c, last + 1 + i) for i, (c, row) in enumerate(table.extra))
    rows = ""
    for j, (delta, row) in enumerate(table.dense, start=1):
        shift = f" + {delta!r} * F[0, i]" if delta else ""
        rows += f"        F[{j}, i] = h * ({_weighted(row)}){shift}\n"
    return (
        "def polynomial(flow, data, t, h, x, K, x_new, y, F):\n    n = x.size\n"
        + body
        + "    for i in range(n):\n        F[0, i] = x_new[i] - x[i]\n"
        + rows
    )


def _build(source, name):
    """The kernel that the source text defines."""
    scope = {"call_flow": call_flow, "math": math}
    exec(source, scope)
    return kernel(scope[name])


def explicit(table):
    """The units (advance, dense, exact) of an explicit method."""
    stages = _build(_stages_source(table), "stages")
    polynomial = _build(_dense_source(table), "polynomial")
    calls, extra_calls = len(table.b), len(table.extra)

    def exact(address):
        run = run_at(address)
        x, x_new = run.x, run.x_new
        K, y = run.rates, row_of(run.scratch, 0)
        stages(run.stage.flow, run.stage.flow_data, run.t, run.h, x, K, x_new, y)
        run.flow_calls += calls
        return codes.OK

    def dense(address):
        run = run_at(address)
        x, x_new = run.x, run.x_new
        K, y, F = run.rates, row_of(run.scratch, 0), run.polynomial
        polynomial(run.stage.flow, run.stage.flow_data, run.t, run.h, x, K, x_new, y, F)
        run.flow_calls += extra_calls
        run.dense_calls += 1
        return codes.OK

    advance = _adaptive(table, stages, calls) if table.error else _fixed(stages, calls)
    return advance, dense, exact


@kernel
def finite(values):
    """True when all numbers are finite."""
    every = True
    for i in range(values.size):
        every = every and abs(values[i]) < math.inf
    return every


@kernel
def spread(run):
    """The factor from a root mean square over all states to that over the states of the stage: others have no error."""
    present = run.stage.n_present
    return math.sqrt(run.n_states / present) if present > 0 else 1.0


@kernel
def exact_size(t, h):
    """The step whose end t + h is a number: else the rounding of the end, of one sign for long, would accumulate."""
    return (t + h) - t


@kernel
def smallest_size(t):
    """A step of a few roundings of time, and at t = 0 one of whose parts all digits are left."""
    return max(16.0 * EPS * abs(t), LEAST_NORMAL / EPS)


@kernel
def bounded(run, h):
    """The step limited to max_step, `predicted` and `t_stop`; a very short remainder is part of the last step."""
    t, end = run.t, run.predicted if run.predicted > 0.0 else math.inf
    h, rest = max(min(h, run.max_step, end), smallest_size(t)), run.t_stop - t
    return rest if h >= rest * (1.0 - SLIGHT) else exact_size(t, h)


@kernel
def accept(run, h):
    """Write the size and the end of the step; the last one before `t_stop` ends there exactly."""
    run.h = h
    run.t_new = run.t_stop if h == run.t_stop - run.t else run.t + h


@kernel
def keep_size(run, asked):
    """A step that `predicted` or the schedule has made shorter than `asked` does not determine the size of the next."""
    if run.h < asked and (run.predicted > 0.0 or run.t_new == run.t_stop):
        run.h_next, run.log_error = max(run.h_next, asked), 0.0


@kernel
def growth(run, size, exponent):
    """Factor to the next step from the errors of this one and the one before.

    A proportional-integral controller (Gustafsson; Hairer and Wanner, *Solving Ordinary Differential Equations II*,
    IV.2): where the stiffness of the flow increases steadily it uses the trend, and fewer steps are rejected than with
    the last error alone.
    """
    now, old = math.log(max(size, HALF_DIGITS)), run.log_error
    run.log_error = now
    return min(GROW, max(SHRINK, SAFETY * math.exp(exponent * (PROPORTIONAL * now - INTEGRAL * old))))


@kernel
def shrunk(h, size, exponent):
    """The size to try after a trial of size h with an error too large."""
    return h * (max(SHRINK, SAFETY * size**exponent) if size < math.inf else SHRINK)


@kernel
def conclude(run, h, size, asked, exponent, rejected):
    """The end of a step that is accepted with an error of this size, and the size of the next one."""
    grow = growth(run, size, exponent)
    run.h_next = h * (min(1.0, grow) if rejected else grow)
    accept(run, h)
    if grow >= 1.0 and not rejected:
        keep_size(run, asked)


def _adaptive(table, stages, calls):
    """Steps are tried until the error estimate is at most 1; a NaN is an error too large."""
    error, worst = _build(_error_source(table), "error"), _build(_worst_source(table), "worst")
    exponent = table.exponent

    def advance(address):
        run = run_at(address)
        x, x_new, atol = run.x, run.x_new, run.atol
        K, y = run.rates, row_of(run.scratch, 0)
        t = run.t
        h, rejected, asked = bounded(run, run.h_next), False, min(run.h_next, run.max_step)
        while True:
            stages(run.stage.flow, run.stage.flow_data, t, h, x, K, x_new, y)
            run.flow_calls += calls
            if run.fault != 0:
                return codes.FAULTED
            size = error(h, x, x_new, K, atol, run.rtol, run.n_moving) if finite(K[calls]) else math.inf
            size *= spread(run)
            if size <= 1.0:
                break
            run.rejected += 1
            run.rejected_by[worst(h, x, x_new, K, atol, run.rtol)] += 1
            rejected = True
            h = shrunk(h, size, exponent)
            if h < smallest_size(t):
                return codes.STEP_TOO_SMALL if size < math.inf else codes.NOT_FINITE
            h = exact_size(t, h)
        conclude(run, h, size, asked, exponent, rejected)
        return codes.OK

    return advance


def _fixed(stages, calls):
    """Steps of the size max_step."""

    def advance(address):
        run = run_at(address)
        x, x_new = run.x, run.x_new
        K, y = run.rates, row_of(run.scratch, 0)
        h = bounded(run, run.max_step)
        stages(run.stage.flow, run.stage.flow_data, run.t, h, x, K, x_new, y)
        run.flow_calls += calls
        if run.fault != 0:
            return codes.FAULTED
        if not (finite(x_new) and finite(K[calls])):
            return codes.NOT_FINITE
        accept(run, h)
        return codes.OK

    return advance


dop853_advance, dop853_dense, dop853_exact = explicit(tableau.dop853())
rk45_advance, rk45_dense, rk45_exact = explicit(tableau.rk45())
rk4_advance, rk4_dense, rk4_exact = explicit(tableau.rk4())
improved_euler_advance, improved_euler_dense, improved_euler_exact = explicit(tableau.improved_euler())
euler_advance, euler_dense, euler_exact = explicit(tableau.euler())
