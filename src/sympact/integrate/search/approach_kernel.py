"""The end of a step is moved to the boundary that is met in it."""

import math

from sympact.integrate.memory import run_layout as at
from sympact.integrate.search.arc_kernel import evaluate_gaps, gaps, project, state_at, values_at
from sympact.native.kernel import kernel
from sympact.native.pointer import call_flow, call_unit, reals, reals2

SLIGHT = 1e-9  # of the step: corrections below this are made along the rates
SLIGHTER = 1e-12  # the same where the slope of the gap is a secant's, wrong by up to 1e-3 at loose tolerances


@kernel
def approach(frame, real, address, first, root):
    """Move the end of the step to the root, with the full order of the stepper where it can repeat a step.

    The repeated step is corrected by the quadratic through g, g', g'' until the correction is below the spacing of
    times. Where the repeated step does not reach the boundary, the root of the dense output stands.
    """
    n, whole = frame[at.N], real[at.H]
    x_new, end = reals(frame[at.X_NEW], n), reals2(frame[at.RATES], frame[at.ROWS], n)[frame[at.LAST]]
    new, t = gaps(frame, at.GAPS_NEW), real[at.T]
    if frame[at.EXACT] != 0 and polish(frame, real, address, first, root * whole):
        return
    real[at.H] = whole
    t_root = t + root * whole
    state_at(frame, root, x_new)
    call_flow(frame[at.FLOW], t_root, x_new, frame[at.FLOW_DATA], end)
    frame[at.FLOW_CALLS] += 1
    project(frame, t_root)
    real[at.T_NEW] = t_root
    evaluate_gaps(frame, t_root, x_new, end, new)


@kernel
def polish(frame, real, address, first, h):
    """Repeat the step with the size h, corrected until it ends on the boundary; False if it does not come to that."""
    nb, n, whole = frame[at.NB], frame[at.N], real[at.H]
    x_new, end = reals(frame[at.X_NEW], n), reals2(frame[at.RATES], frame[at.ROWS], n)[frame[at.LAST]]
    new, t = gaps(frame, at.GAPS_NEW), real[at.T]
    by_values = frame[at.DERIVATIVES] == 0 or frame[at.LOOKING] == at.BY_VALUES
    slope, slight = (secant(frame, real, first, h / whole), SLIGHTER) if by_values else (0.0, SLIGHT)
    for _ in range(6):
        real[at.H] = h
        call_unit(frame[at.EXACT], address)
        project(frame, t + h)
        evaluate_gaps(frame, t + h, x_new, end, new)
        if frame[at.FAULT] != 0:
            return True
        real[at.T_NEW] = t + h
        dt = correction(new[first], new[nb + first], new[2 * nb + first]) if slope == 0.0 else -new[first] / slope
        if abs(dt) <= slight * h:
            shift(frame, real, dt)
            return True
        if not abs(dt) < 0.5 * h or h + dt > whole * (1.0 + 1e-6):
            return False
        h += dt
    return False


@kernel
def shift(frame, real, dt):
    """Move the end of the step by a time so short that the rates there carry it: the rest is of the order dt^2."""
    n = frame[at.N]
    x_new, end = reals(frame[at.X_NEW], n), reals2(frame[at.RATES], frame[at.ROWS], n)[frame[at.LAST]]
    for i in range(n):
        x_new[i] += dt * end[i]
    real[at.T_NEW] += dt
    evaluate_gaps(frame, real[at.T_NEW], x_new, end, gaps(frame, at.GAPS_NEW))


@kernel
def correction(g, d, a):
    """Time to the zero of g + d t + a t^2 / 2 that is met falling; infinite where the parabola turns before."""
    inside = d * d - 2.0 * a * g
    if inside < 0.0:
        return math.inf
    below = math.sqrt(inside) - d
    return 2.0 * g / below if below != 0.0 else 0.0


@kernel
def secant(frame, real, k, s):
    """Slope of gap k in time near the fraction s of the step, from the dense output."""
    here = gaps(frame, at.GAPS_HERE)
    a, c = max(0.0, s - 1e-4), min(1.0, s + 1e-4)
    values_at(frame, real, a, here)
    before = here[k]
    values_at(frame, real, c, here)
    return (here[k] - before) / ((c - a) * real[at.H])
