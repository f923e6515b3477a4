"""Events on boundaries to which no step of Newton's method leads: their places are those of the step's polynomial."""

import numpy as np
import pytest

from sympact import HybridSystem, Transition


def crossing(boundary, method):
    """A run of x' = 1 from 0 to a boundary near 1."""
    flows = {"before": lambda t, x: [1.0], "behind": lambda t, x: [0.0]}
    process = HybridSystem(flows, [Transition("before", "behind", boundary=boundary)])
    return process.simulate((0, 3), [0.0], start="before", method=method)


@pytest.mark.parametrize("method", ["DOP853", "RK45"])
@pytest.mark.parametrize(
    ("boundary", "times"),
    [
        (lambda t, x: x[0] - 1, {0}),
        (lambda t, x: (x[0] - 1) ** 3, {0}),
        (lambda t, x: -1.0 if x[0] < 1 else 1.0, {1}),
        (lambda t, x: np.copysign(np.sqrt(abs(x[0] - 1)), x[0] - 1), {0, 1}),
    ],
    ids=["line", "cubic", "jump", "root"],
)
def test_a_boundary_that_jumps_or_is_steep_is_found_on_the_polynomial(boundary, times, method):
    """Repeated steps are corrected by the slope of the boundary, which a jump has not and a root has without bound.

    Whether a repeated step ends on the root depends on the last digit of its size.
    The polynomial of x' = 1 is x itself, so that its root is the place of the event, t = 1.
    """
    result = crossing(boundary, method)
    (event,) = result.events
    assert result.counts["interpolated"] in times
    assert event.t == pytest.approx(1.0, abs=1e-14)
    assert event.x_minus == pytest.approx([1.0], abs=1e-14)
