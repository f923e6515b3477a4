"""The sums over stages of Dormand and Prince's method 5(4) (1980, Journal of Computational and Applied Mathematics 6),
for kernels that integrate within an impact; the last stage is the end of the step."""

import math

from sympact.contact.memory.solvers import STAGES
from sympact.integrate.steppers import tableau
from sympact.native.kernel import kernel
from sympact.native.rounding import HALF_DIGITS

_METHOD = tableau.rk45()
_INNER = len(_METHOD.b)  # stages before the end of the step
_WEIGHTS = (*(row + (0.0,) * (_INNER - len(row)) for row in _METHOD.a), _METHOD.b)
_ERROR = _METHOD.error[0]


@kernel
def stage_point(z, k, stage, h, out, n):
    """The point at which a stage is evaluated, from z and the rates of the stages before it, the rows of k."""
    weights = _WEIGHTS[stage]
    for i in range(n):
        s = 0.0
        for j in range(stage):
            s += weights[j] * k[j, i]
        out[i] = z[i] + h * s


@kernel
def step_error(k, h, i):
    """The estimated error of a step in component i."""
    s = 0.0
    for j in range(STAGES):
        s += _ERROR[j] * k[j, i]
    return abs(h * s)


@kernel
def next_step(h, error):
    """The step to try after one with this error, in units of the tolerance."""
    if not math.isfinite(error):
        return 0.1 * h
    return h * min(4.0, max(0.2, 0.9 * max(error, HALF_DIGITS) ** -0.2))
