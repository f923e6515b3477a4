"""Stiff flows: implicit methods meet boundaries on closed forms with a handful of steps."""

import numpy as np
import pytest
import sympy as sm
from integrate_processes import STIFF, check_run, q, t

from sympact import HybridSystem, Status, Transition

FAST = 1e6
LEVEL = 0.5
SLOW_MOTION = {"RadauIIA": (1e4, 1e-5), "Radau": (1e4, 1e-5), "BDF": (1e6, 1e-7), "LSODA": (1e6, 1e-7)}
"""Rate of the fast part, and the error allowed at rtol 1e-8.

Radau's error estimate speaks for the ends of its steps. The stiffer the flow, the better they are, the longer the
steps, and the rougher the cubic between them.
"""


def relaxing(kind, fast):
    """x' = -fast (x - cos t), with a gate at 1/2."""
    if kind == "symbolic":
        flow = [-fast * (q - sm.cos(t))]
        edges = [
            Transition("above", "below", boundary=sm.Rational(1, 2) - q),
            Transition("below", "above", boundary=q - sm.Rational(1, 2)),
        ]
        return HybridSystem.from_sympy({"above": flow, "below": flow}, edges, states=[q])
    edges = [
        Transition("above", "below", boundary=lambda t, x: LEVEL - x[0]),
        Transition("below", "above", boundary=lambda t, x: x[0] - LEVEL),
    ]
    return HybridSystem(dict.fromkeys(["above", "below"], lambda t, x: [-fast * (x[0] - np.cos(t))]), edges)


@pytest.mark.parametrize("method", STIFF)
@pytest.mark.parametrize("kind", ["symbolic", "plain"])
def test_slow_motion_of_a_stiff_flow(kind, method):
    """After a transient of 1/fast^2 the motion is x = cos(t - d)/sqrt(1 + 1/fast^2) with tan(d) = 1/fast."""
    fast, error = SLOW_MOTION[method]
    result = relaxing(kind, fast).simulate((0, 12), [1.0], start="above", method=method, rtol=1e-8, atol=1e-11)
    check_run(result)
    assert result.status is Status.FINISHED
    lag, size = np.arctan(1 / fast), 1 / np.hypot(1, 1 / fast)
    angle, turns = np.arccos(LEVEL / size), 2 * np.pi * np.arange(3)
    expected = lag + np.sort(np.concatenate([turns + angle, turns - angle]))[1:5]
    np.testing.assert_allclose(result.events.t, expected, rtol=0, atol=error)
    times = np.linspace(0, 12, 1001)
    np.testing.assert_allclose(result(times)[0], size * np.cos(times - lag), rtol=0, atol=error)
    # an explicit method is stable for steps below 7/fast only: twenty thousand of them, or two million
    assert result.counts["steps"] < 2000


@pytest.mark.parametrize("method", STIFF)
def test_fast_relaxation_to_a_boundary(method):
    """x' = -FAST x from 1 is at 1/e at t = 1/FAST; the next stage, the flow reversed, is back at 1 at 2/FAST."""
    process = HybridSystem(
        {"down": lambda t, x: -FAST * x, "up": lambda t, x: FAST * x},
        [
            Transition("down", "up", boundary=lambda t, x: np.exp(-1) - x[0]),
            Transition("up", "down", boundary=lambda t, x: x[0] - 1.0),
        ],
    )
    result = process.simulate((0, 5.5 / FAST), [1.0], start="down", method=method, rtol=1e-8, atol=1e-12)
    check_run(result)
    np.testing.assert_allclose(result.events.t * FAST, [1, 2, 3, 4, 5], rtol=0, atol=1e-5)


@pytest.mark.parametrize("method", STIFF)
def test_robertson_meets_a_level(method):
    """Robertson's reaction, the classical stiff problem [1]_; mass is kept, and each species is found where it is said.

    References
    ----------
    .. [1] Hairer, Wanner, Solving Ordinary Differential Equations II, sec. IV.1; at t = 40 the concentrations are
       0.7158270688, 9.185534e-6 and 0.2841637457 (Hairer's test set).
    """
    a, b, c = sm.symbols("a b c")
    slow = sm.Rational(4, 100) * a - 10**4 * b * c
    flow = [-slow, slow - 3 * 10**7 * b**2, 3 * 10**7 * b**2]
    level = sm.Float(0.7158270688)
    edges = [Transition("early", "late", boundary=level - a)]
    process = HybridSystem.from_sympy({"early": flow, "late": flow}, edges, states=[a, b, c])
    options = {"method": method, "rtol": 1e-8, "atol": [1e-10, 1e-14, 1e-10]}
    result = process.simulate((0, 100), [1.0, 0.0, 0.0], start="early", **options)
    check_run(result)
    assert result.events.t.tolist() == pytest.approx([40.0], abs=1e-3)
    assert result.events[0].x_minus.tolist() == pytest.approx([0.7158270688, 9.185534e-6, 0.2841637457], rel=1e-6)
    np.testing.assert_allclose(result.x.sum(axis=0), 1.0, rtol=0, atol=1e-8)


def test_what_a_flow_raises_within_an_implicit_step_reaches_the_caller():
    """SciPy's Newton iterations are in between; the exception is the flow's own, with the run so far."""

    def flow(t, x):
        if t > 0.5:
            raise LookupError("no further")
        return -x

    for method in STIFF:
        with pytest.raises(LookupError, match="no further") as caught:
            HybridSystem({"only": flow}, []).simulate((0, 1), [1.0], start="only", method=method)
        assert caught.value.result.status is Status.FAULT
        assert caught.value.result.t_span[1] <= 0.5
