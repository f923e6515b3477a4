"""The first step from places where the flow vanishes or is symmetric: the run's true error against its tolerance."""

import numpy as np
import pytest
import sympy as sm
from integrate_processes import ADAPTIVE, OSCILLATOR, check_run, q, u
from mpmath import mp
from scipy.integrate import solve_ivp

from sympact import HybridSystem, Status

A, B, C, D = sm.symbols("a b c d")


def double_pendulum():
    """Two point masses on two rods, all of size 1; angles from the hanging rest, gravity 1."""
    mass = sm.Matrix([[2, sm.cos(A - B)], [sm.cos(A - B), 1]])
    forcing = sm.Matrix([-(D**2) * sm.sin(A - B) - 2 * sm.sin(A), C**2 * sm.sin(A - B) - sm.sin(B)])
    return [C, D, *mass.LUsolve(forcing)]


FREE = {"states": [q, u], "transitions": []}
OSCILLATING = HybridSystem.from_sympy({"only": OSCILLATOR}, **FREE)
PENDULUM = HybridSystem.from_sympy({"only": [u, -sm.sin(q)]}, **FREE)
TWO_LINKS = HybridSystem.from_sympy({"only": double_pendulum()}, [], states=[A, B, C, D])
TOLERANCES = [1e-3, 1e-6, 1e-9, 1e-12]


def in_tolerances(process, start, t_end, exact, method, rtol):
    """The largest error of the run, also between its samples, over atol + rtol times the largest of each state.

    `exact` may give the first states only.
    """
    atol = 1e-3 * rtol
    result = process.simulate((0, t_end), start, start="only", method=method, rtol=rtol, atol=atol)
    check_run(result)
    t = np.linspace(0, t_end, 200)
    truth = exact(t)
    return (np.abs(result(t)[: len(truth)] - truth) / (atol + rtol * np.abs(truth).max(axis=1, keepdims=True))).max()


@pytest.mark.parametrize("rtol", TOLERANCES)
@pytest.mark.parametrize("method", ADAPTIVE)
class TestErrorBelowTenTolerances:
    @pytest.mark.parametrize("t_end", [2.0, 6.0])
    def test_pendulum_beside_its_upper_rest(self, method, rtol, t_end):
        """q = pi - d cosh(t) up to (d cosh t)^3, below 1e-20. A first step over the whole span misses it by 6 to 16."""
        d = float(mp.pi - mp.mpf(np.pi - 1e-9))
        assert in_tolerances(PENDULUM, [np.pi - 1e-9, 0.0], t_end, lambda t: np.pi - d * np.cosh([t]), method, rtol) < 1

    @pytest.mark.parametrize("amplitude", [1e-3, 1.0, 1e3])
    def test_oscillator_at_rest_off_its_centre(self, method, rtol, amplitude):
        def exact(t):
            return amplitude * np.array([np.cos(t), -np.sin(t)])

        assert in_tolerances(OSCILLATING, [amplitude, 0.0], 3.0, exact, method, rtol) < 10

    @pytest.mark.parametrize(
        "angles", [(np.pi / 2, np.pi / 2), (np.pi / 2, -np.pi / 2), (0.5, 0.5), (np.pi, np.pi - 1e-9)]
    )
    def test_two_links_at_rest(self, method, rtol, angles):
        """Aligned, folded, and upright; the truth is SciPy's DOP853 at its tightest, in small steps."""
        flow = sm.lambdify((A, B, C, D), double_pendulum(), "math")
        start = [*angles, 0.0, 0.0]
        tight = {"method": "DOP853", "rtol": 3e-14, "atol": 1e-16, "max_step": 0.02, "dense_output": True}
        exact = solve_ivp(lambda t, x: flow(*x), (0, 1), start, **tight).sol
        assert in_tolerances(TWO_LINKS, start, 1.0, exact, method, rtol) < 10


@pytest.mark.parametrize("scale", [1e-100, 1e-12, 1e12, 1e100])
@pytest.mark.parametrize("method", ADAPTIVE)
def test_time_scales_far_from_one(method, scale):
    """x' = -x/scale over three time scales: the first step finds the scale, whatever it is."""
    result = HybridSystem({"only": lambda t, x: -x / scale}, []).simulate(
        (0, 3 * scale), [1.0], start="only", method=method
    )
    assert result.status is Status.FINISHED
    assert result.x[0, -1] == pytest.approx(np.exp(-3), rel=1e-8)
    assert result.counts["steps"] < 1000


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_flow_of_zero(method):
    """Nothing moves: the state is bit-equal to the start after 1e6 s."""
    result = HybridSystem({"only": lambda t, x: 0 * x}, []).simulate((0, 1e6), [0.0, 3.0], start="only", method=method)
    assert result.status is Status.FINISHED
    assert (result.x == [[0.0], [3.0]]).all()
