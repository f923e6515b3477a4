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
SHORT_ROWS = (0, 5, 6, 7, 12)  # where the rates of short steps of DOP853 are: both ends, and rows whose forces are kept
PROPORTIONAL, INTEGRAL = 0.8, 0.15  # with SAFETY the fewest calls at equal error, of a dozen settings on two models


def _weighted(row, places):
    """``sum_j row_j K[places_j, i]`` as source text, without the zeros."""
    return " + ".join(f"{weight!r} * K[{j}, i]" for j, weight in zip(places, row, strict=False) if weight != 0.0)


def _stage(row, c, target, places):
    return (
        f"    for i in range(n):\n        y[i] = x[i] + h * ({_weighted(row, places)})\n"
        f"    call_flow(flow, t + {c!r} * h, y, data, K[{target}])\n"
    )


def _stages_source(table, places):
    """The stages after the first, and the end of the step."""
    stages = zip(places, table.a, table.c, strict=False)
    body = "".join(_stage(row, c, place, places) for place, row, c in stages if place > 0)
    return (
        "def stages(flow, data, t, h, x, K, x_new, y):\n    n = x.size\n" + body + f"    for i in range(n):\n"
        f"        x_new[i] = x[i] + h * ({_weighted(table.b, places)})\n"
    )


def _error_source(table, places):
    """The error of the step in units of the tolerance, root mean square over the moving states (Hairer II.5)."""
    sums = "".join(
        f"        e{k} = ({_weighted(row, places)}) * unit\n        sum{k} += e{k} * e{k}\n"
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


def _worst_source(table, places):
    """The state with the largest error of a rejected step in units of its tolerance; one that is no number first."""
    return (
        "def worst(h, x, x_new, K, atol, rtol):\n    n, found, largest = x.size, 0, -1.0\n    for i in range(n):\n"
        "        unit = 1.0 / (atol[i] + rtol * max(abs(x[i]), abs(x_new[i])))\n"
        f"        e = abs(({_weighted(table.error[0], places)}) * unit)\n"
        "        if not abs(e) < math.inf:\n            return i\n"
        "        if e > largest:\n            found, largest = i, e\n    return found\n"
    )


def _dense_source(table, places, degree):
    """The further stages and the rows of the polynomial, zeros up to its degree."""
    further = range(places[-1] + 1, places[-1] + 1 + len(table.extra))
    every, rows = (*places, *further), ""
    body = "".join(_stage(row, c, place, every) for place, (c, row) in zip(further, table.extra, strict=True))
    for j, (delta, row) in enumerate(table.dense, start=1):
        shift = f" + {delta!r} * F[0, i]" if delta else ""
        rows += f"        F[{j}, i] = h * ({_weighted(row, every)}){shift}\n"
    for j in range(len(table.dense) + 1, degree):
        rows += f"        F[{j}, i] = 0.0\n"
    return (
        "def polynomial(flow, data, t, h, x, K, x_new, y, F):\n    n = x.size\n"
        + body
        + "    for i in range(n):\n        F[0, i] = x_new[i] - x[i]\n"
        + rows
    )


@kernel
def end_rates(run, row):
    """The rates at the end of the step."""
    call_flow(run.stage.flow, run.t + run.h, run.x_new, run.stage.flow_data, run.rates[row])
    run.flow_calls += 1


def _build(source, name):
    """The kernel that the source text defines."""
    scope = {"call_flow": call_flow, "math": math}
    exec(source, scope)
    return kernel(scope[name])


def _stage_taker(table, places):
    """The kernel that takes the stages of a step: the state at its end, without the rates there."""
    stages, calls = _build(_stages_source(table, places), "stages"), len(table.b) - 1

    @kernel
    def take_stages(run):
        x, x_new = run.x, run.x_new
        K, y = run.rates, row_of(run.scratch, 0)
        stages(run.stage.flow, run.stage.flow_data, run.t, run.h, x, K, x_new, y)
        run.flow_calls += calls

    return take_stages


def _polynomial_writer(table, places, degree):
    """The kernel that writes the polynomial of a step, with its further stages."""
    polynomial, calls = _build(_dense_source(table, places, degree), "polynomial"), len(table.extra)

    @kernel
    def write_polynomial(run):
        x, x_new = run.x, run.x_new
        K, y, F = run.rates, row_of(run.scratch, 0), run.polynomial
        polynomial(run.stage.flow, run.stage.flow_data, run.t, run.h, x, K, x_new, y, F)
        run.flow_calls += calls
        run.dense_calls += 1

    return write_polynomial


def explicit(table, low=None, places=()):
    """The units (advance, dense, exact) of an explicit method, and of one of low order for short steps.

    The stages of the latter are stored in the given rows of the rates; its polynomial has the degree of the other.
    """
    last, uses_end, degree = len(table.b), table.uses_end, len(table.dense) + 1
    take_stages = _stage_taker(table, range(last + 1))
    write_polynomial = _polynomial_writer(table, range(last + 1), degree)

    @kernel
    def repeat(run):
        take_stages(run)
        if uses_end or run.stage.project == 0:
            end_rates(run, last)

    def exact(address):
        repeat(run_at(address))
        return codes.OK

    def dense(address):
        write_polynomial(run_at(address))
        return codes.OK

    advance = _adaptive(table, take_stages) if table.error else _fixed(repeat, last)
    if low is None:
        return advance, dense, exact
    low_order = _low_order(low, places, most=0.5 ** (-1.0 / table.exponent))
    return _with_short_steps(advance, write_polynomial, repeat, low_order, _polynomial_writer(low, places, degree))


def _low_order(table, places, most):
    """The kernels that try a short step by a method of low order, and count a trial that is not taken.

    Its rates are stored in the given rows; its error may be at most the part `most` of the tolerance.
    """
    take_stages, error = _stage_taker(table, places), _build(_error_source(table, places), "error")
    worst, last, exponent = _build(_worst_source(table, places), "worst"), places[-1], table.exponent

    @kernel
    def is_taken(run):
        """Whether the error of the step of the size `h` is so small; its end is projected already."""
        x, x_new, K, h = run.x, run.x_new, run.rates, run.h
        take_stages(run)
        if run.stage.project != 0:
            call_flow(run.stage.project, run.t + h, x_new, run.stage.flow_data, x_new)
        end_rates(run, last)
        size = error(h, x, x_new, K, run.atol, run.rtol, run.n_moving) if finite(K[last]) else math.inf
        size *= spread(run) / most
        reach = shrunk(h, max(size, HALF_DIGITS) if size < math.inf else math.inf, exponent)
        run.low = 1 if size <= 1.0 else 0
        run.short = max(run.short, reach) if run.low == 1 else reach
        return run.low == 1

    @kernel
    def blame(run):
        """Count the trial, for the state with the largest error."""
        run.rejected += 1
        run.rejected_by[worst(run.h, run.x, run.x_new, run.rates, run.atol, run.rtol)] += 1

    return is_taken, blame


def _with_short_steps(advance, write_polynomial, repeat, low_order, write_short_polynomial):
    """The units of a method with those of one of low order, whose steps are short.

    A step that ends at a predicted event, or is repeated to end at one, is mostly a small part of what the motion
    permits. There the method of low order, which takes fewer stages, has an error far below the tolerance, that of the
    other with half of the size that it permits. Where the estimate says otherwise the step is taken by the other.
    Orders that follow the size of the step: J. R. Cash and A. H. Karp, A variable order Runge-Kutta method for initial
    value problems with rapidly varying right-hand sides, ACM Trans. Math. Softw. 16 (1990), 201-222.
    """
    whole, (is_taken, blame) = kernel(advance), low_order

    def advance(address):
        run = run_at(address)
        asked, h = min(run.h_next, run.max_step), bounded(run, run.h_next)
        run.low = 0
        if tries_low_order(run, h):
            accept(run, h)
            if is_taken(run):
                keep_size(run, asked)
                return codes.OK
            if run.fault != 0:
                return codes.FAULTED
            blame(run)
        return whole(address)

    def dense(address):
        run = run_at(address)
        if run.low == 1:
            write_short_polynomial(run)
        else:
            write_polynomial(run)
        return codes.OK

    def exact(address):
        run = run_at(address)
        if run.low == 0 or not is_taken(run):
            repeat(run)
        return codes.OK

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
def tries_low_order(run, h):
    """Whether a step of this size is first tried by the method of low order: it ends at a predicted event, and such
    sizes had small errors."""
    return run.predicted > 0.0 and h <= run.short


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


def _adaptive(table, take_stages):
    """Steps are tried until the error estimate is at most 1; a NaN is an error too large.

    Where the end of the step is projected, the rates there follow it, unless the error depends on them.
    """
    last, exponent, uses_end = len(table.b), table.exponent, table.uses_end
    error = _build(_error_source(table, range(last + 1)), "error")
    worst = _build(_worst_source(table, range(last + 1)), "worst")

    def advance(address):
        run = run_at(address)
        x, x_new, K, atol, t = run.x, run.x_new, run.rates, run.atol, run.t
        h, rejected, asked = bounded(run, run.h_next), False, min(run.h_next, run.max_step)
        ended = uses_end or run.stage.project == 0
        while True:
            run.h = h
            take_stages(run)
            if ended:
                end_rates(run, last)
            if run.fault != 0:
                return codes.FAULTED
            size = error(h, x, x_new, K, atol, run.rtol, run.n_moving) if not ended or finite(K[last]) else math.inf
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


def _fixed(repeat, last):
    """Steps of the size max_step."""

    def advance(address):
        run = run_at(address)
        accept(run, bounded(run, run.max_step))
        repeat(run)
        if run.fault != 0:
            return codes.FAULTED
        ended = run.stage.project == 0
        return codes.OK if finite(run.x_new) and (not ended or finite(run.rates[last])) else codes.NOT_FINITE

    return advance


dop853_advance, dop853_dense, dop853_exact = explicit(tableau.dop853(), tableau.rk43(), SHORT_ROWS)
rk45_advance, rk45_dense, rk45_exact = explicit(tableau.rk45())
rk4_advance, rk4_dense, rk4_exact = explicit(tableau.rk4())
improved_euler_advance, improved_euler_dense, improved_euler_exact = explicit(tableau.improved_euler())
euler_advance, euler_dense, euler_exact = explicit(tableau.euler())
