"""The sums over stages of Dormand and Prince's method 5(4) (1980, Journal of Computational and Applied Mathematics 6),
for kernels that integrate within an impact; the last stage is the end of the step."""

import math

from sympact.native.kernel import kernel

STAGES = 7
_WEIGHTS = (
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (1 / 5, 0.0, 0.0, 0.0, 0.0, 0.0),
    (3 / 40, 9 / 40, 0.0, 0.0, 0.0, 0.0),
    (44 / 45, -56 / 15, 32 / 9, 0.0, 0.0, 0.0),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0.0, 0.0),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0.0),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


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
    return h * min(4.0, max(0.2, 0.9 * max(error, 1e-10) ** -0.2))
