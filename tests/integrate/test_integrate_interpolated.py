"""Events on boundaries to which no step of Newton's method leads: their places are those of the step's polynomial."""

import numpy as np
import pytest
import sympy as sm

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


@pytest.mark.parametrize("method", ["DOP853", "RK45"])
def test_a_root_where_the_curvature_misleads_is_found_on_the_polynomial(method):
    """(x - 1) |x - 1|, smoothed within a millionth: from any place near the root its parabola there has no zero.

    The estimate of the root cannot be corrected, so that the whole step is searched again, by its polynomial, from
    whose root a repeated step is corrected. Within the millionth the slope is 1e-6: the zero is known to a rounding.
    """
    x = sm.Symbol("x")
    boundary = (x - 1) * sm.sqrt((x - 1) ** 2 + sm.Float("1e-12"))
    process = HybridSystem.from_sympy(
        {"before": [1], "behind": [0]}, [Transition("before", "behind", boundary=boundary)], states=[x]
    )
    result = process.simulate((0, 3), [0.0], start="before", method=method)
    (event,) = result.events
    assert result.counts["dense"] > 0
    assert result.counts["interpolated"] == 0
    assert event.t == pytest.approx(1.0, abs=1e-14)
    assert event.x_minus == pytest.approx([1.0], abs=1e-14)
