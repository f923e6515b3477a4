"""The scale of gaps where it is not the length of the model alone: by the change of gaps with each coordinate."""

import math

from sympact.integrate.memory.run_tolerances import DEAD_BAND, DRIFT, GAP_ROUNDING, PROBE
from sympact.mechanics.start.start_memory import ScaleMemory
from sympact.native.kernel import kernel
from sympact.native.pointer import call_boundary, reals, view
from sympact.native.rounding import EPS

ROUNDINGS_OF_COORDINATE = 16.0 * EPS  # its own, and that of the few operations of a gap
LARGE = GAP_ROUNDING / ROUNDINGS_OF_COORDINATE  # of the length: larger coordinates have larger rounding than gaps

scale_at_address = view(ScaleMemory)


def measure_scale(t, x, rates, data):
    """The scale at a state, whose gaps have these rates."""
    scale = scale_at_address(data)
    find_scale(scale, t, reals(x, scale.n_states), reals(rates, scale.n_contacts))


@kernel
def find_scale(scale, t, x, rates):
    """Write the length, the grains and the permitted depths, see `scale_at`."""
    add_slopes(scale, t, x)
    largest = 0.0
    for k in range(scale.n_contacts):
        largest = max(largest, scale.tolerances[k])
    scale.measured = 1 if scale.own == 0.0 else 0
    if scale.own > 0.0:
        scale.length = scale.own
    else:
        scale.length = largest / DEAD_BAND if largest > 0.0 else 1.0
    part = max(DEAD_BAND, min(scale.rtol, DRIFT)) * scale.length
    for k in range(scale.n_contacts):
        clock = scale.clock * abs(rates[k])
        if not clock < math.inf:
            clock = 0.0
        scale.depths[k] = part + 2.0 * scale.grains[k] + scale.tolerances[k] + clock


@kernel
def add_slopes(scale, t, x):
    """The rounding and the tolerance of each gap: the sums of |dg/dq| |q| and |dg/dq| atol, by central differences."""
    moved, grains, tolerances = scale.moved, scale.grains, scale.tolerances
    for i in range(scale.n_states):
        moved[i] = x[i]
    for k in range(scale.n_contacts):
        grains[k] = tolerances[k] = 0.0
    for i in range(scale.n_q):
        step = max(1e4 * scale.atol[i], PROBE * abs(x[i]))
        if step == 0.0:
            step = 1e-2 * PROBE
        moved[i] = x[i] - step
        call_boundary(scale.gaps, t, moved, scale.rest, scale.parameters, scale.behind)
        moved[i] = x[i] + step
        call_boundary(scale.gaps, t, moved, scale.rest, scale.parameters, scale.ahead)
        moved[i] = x[i]
        for k in range(scale.n_contacts):
            slope = abs(scale.ahead[k] - scale.behind[k]) / (2.0 * step)
            if slope < math.inf:  # NaN and infinity count as zero
                grains[k] += ROUNDINGS_OF_COORDINATE * slope * abs(x[i])
                tolerances[k] += slope * scale.atol[i]
