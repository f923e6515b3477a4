"""Flights that start on a boundary: q'' = a above the ground at 0, from q = 0 with the speed v."""

import numpy as np
import pytest
import sympy as sm
from hypothesis import given
from hypothesis import strategies as st
from integrate_processes import ADAPTIVE, FIXED, STIFF, check_run, q, u

from sympact import HybridSystem, Status, Transition

A = sm.Symbol("a")
FALL = HybridSystem.from_sympy(
    {"air": [u, A], "ground": [0, 0]}, [Transition("air", "ground", boundary=-q)], states=[q, u], parameters=[A]
)
MOVING_IN = [(-1, 0), (-1, 10), (-1, -10), (-1e-6, 10)]
STAYING = [(0, 0), (0, 10), (1, 0), (1, 10), (1e-6, 10)]


def plain(a):
    return HybridSystem(
        {"air": lambda t, x: [x[1], a], "ground": lambda t, x: [0.0, 0.0]},
        [Transition("air", "ground", boundary=lambda t, x: -x[0])],
    )


def times(kind, v, a, method="DOP853", **options):
    """When the ground is met within 3 s."""
    options["max_step"] = options.get("max_step", 0.1 if method in FIXED else np.inf)
    if kind == "symbolic":
        result = FALL.simulate((0, 3), [0.0, v], start="air", parameters=[a], method=method, **options)
    else:
        result = plain(a).simulate((0, 3), [0.0, v], start="air", method=method, **options)
    check_run(result)
    assert result.status is Status.FINISHED
    return result.events.t.tolist()


@pytest.mark.parametrize("method", [*ADAPTIVE, *FIXED, *STIFF])
@pytest.mark.parametrize("kind", ["symbolic", "plain"])
class TestEveryStepper:
    @pytest.mark.parametrize(("v", "a"), MOVING_IN)
    def test_moving_in_fires_at_once(self, kind, method, v, a):
        assert times(kind, v, a, method) == [0.0]

    @pytest.mark.parametrize(("v", "a"), STAYING)
    def test_moving_out_or_staying_does_not_fire(self, kind, method, v, a):
        assert times(kind, v, a, method) == []

    def test_at_rest_and_pulled_in(self, kind, method):
        """Euler's first step from rest stands still: its own motion leaves the ground downwards only after it."""
        assert times(kind, 0, -10, method) == ([0.1] if method == "Euler" else [0.0])


@pytest.mark.parametrize("kind", ["symbolic", "plain"])
@given(exponent=st.floats(-14, 1))
def test_hops_of_any_size(kind, exponent):
    """A hop with the speed v lasts 2 v/|a|, whatever v; both explicit steppers follow a parabola to rounding."""
    v = 10.0**exponent
    for method in ADAPTIVE:
        assert times(kind, v, -10.0, method) == pytest.approx([v / 5], rel=2e-14)


@pytest.mark.parametrize("v", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("method", ["improved Euler", "RK4"])
def test_hops_within_a_fixed_step(method, v):
    """The step is 0.1 s; hops longer than 2^-20 of it are seen, to a rounding of 1e-3 of the step."""
    assert times("symbolic", v, -10.0, method) == pytest.approx([v / 5], abs=1e-16)


@pytest.mark.parametrize("offset", [0.0, 1e-16, -1e-16])
@pytest.mark.parametrize("kind", ["symbolic", "plain"])
def test_rounding_of_the_start_does_not_matter(kind, offset):
    """A height of 1e-16 m with a speed of 1 m/s is rounding: the hop lasts 0.2 s."""
    process, options = (FALL, {"parameters": [-10.0]}) if kind == "symbolic" else (plain(-10.0), {})
    result = process.simulate((0, 3), [offset, 1.0], start="air", **options)
    assert result.events.t.tolist() == pytest.approx([0.2], abs=1e-15)


@pytest.mark.parametrize("kind", ["symbolic", "plain"])
def test_a_start_beyond_the_boundary_fires_when_it_comes_back(kind):
    """From q = -1 upwards: the boundary is met falling only, after the ball has been above the ground."""
    process, options = (FALL, {"parameters": [-10.0]}) if kind == "symbolic" else (plain(-10.0), {})
    result = process.simulate((0, 3), [-1.0, 6.0], start="air", **options)
    assert result.events.t.tolist() == pytest.approx([1.0], abs=1e-12)


@pytest.mark.parametrize("kind", ["symbolic", "plain"])
@pytest.mark.parametrize("power", [1, 2, 3])
def test_a_boundary_met_with_the_clock(kind, power):
    """x' = 1 from the boundary x^p = 0 at x = 0: odd powers are crossed at the start, even ones touched."""
    flow = {"before": [1], "after": [1]}
    if kind == "symbolic":
        edge = Transition("before", "after", boundary=q**power)
        process = HybridSystem.from_sympy(flow, [edge], states=[q])
    else:
        edge = Transition("before", "after", boundary=lambda t, x: x[0] ** power)
        process = HybridSystem({name: lambda t, x: [1.0] for name in flow}, [edge])
    result = process.simulate((0, 1), [0.0], start="before")
    assert result.events.t.tolist() == [0.0]
