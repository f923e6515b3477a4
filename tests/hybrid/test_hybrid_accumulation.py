"""Bounces of a plain process that accumulate end the run; the truth is the geometric series of their times."""

from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sm
from quick_members import members

from sympact import HybridSystem, Status, Transition

RESTITUTIONS = (0.1, 0.5, 0.8, 0.95)


def plain(e):
    bounce = Transition("air", "air", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -e * x[1]])
    return HybridSystem({"air": lambda t, x: [x[1], -10.0]}, [bounce])


def symbolic(e):
    y, v = sm.symbols("y v")
    bounce = Transition("air", "air", boundary=-y, jump={v: -e * v})
    return HybridSystem.from_sympy({"air": [v, -10]}, [bounce], states=[y, v])


@pytest.mark.parametrize("e", RESTITUTIONS)
@pytest.mark.parametrize("build", [plain, symbolic])
def test_dropped_ball_comes_to_its_accumulation(build, e):
    """Dropped from 5 m it hits at 1 s; the bounces of 2 e^k s add up to t_inf = (1 + e)/(1 - e) s."""
    t_inf = (1 + e) / (1 - e)
    result = build(e).simulate((0, t_inf + 0.5), [5.0, 0.0], start="air", max_events=3000)
    assert result.status is Status.ACCUMULATION
    assert result.t_inf == pytest.approx(t_inf, rel=1e-9)
    assert result.t_span[1] == pytest.approx(t_inf, rel=1e-5)
    assert "t_inf = " in result.message


@pytest.mark.parametrize("build", [plain, symbolic])
def test_without_loss_there_is_no_accumulation(build):
    result = build(1.0).simulate((0, 50), [5.0, 0.0], start="air")
    assert result.status is Status.FINISHED
    assert result.events.t.tolist() == pytest.approx([1.0 + 2.0 * k for k in range(25)], abs=1e-6)


DRAG = 0.3
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)


def dragged(kind):
    """A ball in a thick fluid, y'' = -10 - DRAG y' |y'|, with e = 0.7."""
    if kind == "symbolic":
        y, v = sm.symbols("y v")
        bounce = Transition("air", "air", boundary=-y, jump={v: -sm.Rational(7, 10) * v})
        return HybridSystem.from_sympy({"air": [v, -10 - DRAG * v * sm.sqrt(v**2)]}, [bounce], states=[y, v])
    bounce = Transition("air", "air", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.7 * x[1]])
    return HybridSystem({"air": lambda t, x: [x[1], -10 - DRAG * x[1] * abs(x[1])]}, [bounce])


@cache
def dragged_truth():
    """t_inf of that ball by formulas: rise and fall in square drag are known (tan and tanh), hop by hop."""
    g, b, h, t, e = 10.0, DRAG, 5.0, 0.0, 0.7
    root = np.sqrt(g * b)
    speed = 0.0
    for _ in range(200):
        rise, top = (np.arctan(speed * np.sqrt(b / g)) / root, h + np.log1p(b * speed**2 / g) / (2 * b))
        fall_time = np.arccosh(np.exp(b * top)) / root if b * top > 1e-3 else _fall(b * top) / root
        t += rise + fall_time
        speed, h = e * np.sqrt(g / b * -np.expm1(-2 * b * top)), 0.0
    return t


def _fall(depth):
    """arccosh(exp(depth)) for small depths, by log(exp(d) + sqrt(expm1(2 d)))."""
    return np.log1p(np.expm1(depth) + np.sqrt(np.expm1(2 * depth)))


@pytest.mark.parametrize(
    ("kind", "method"), members(product(["plain", "symbolic"], ["DOP853", "RK45"]), slow=[("plain", "RK45")])
)
def test_the_error_of_t_inf_contains_that_of_the_integration(kind, method):
    """The truth is inside for every tolerance, and the error told at most 100 times the true one in the median."""
    process, ratios = dragged(kind), []
    for rtol in TOLERANCES:
        result = process.simulate((0, 20), [5.0, 0.0], start="air", method=method, rtol=rtol, atol=1e-3 * rtol)
        assert result.status is Status.ACCUMULATION
        off = abs(result.t_inf - dragged_truth())
        assert off <= result.t_inf_error, f"{method}, rtol = {rtol}: off {off:.3g}, told {result.t_inf_error:.3g}"
        ratios.append(result.t_inf_error / max(off, 1e-15))
    assert np.median(ratios) <= 100


@pytest.mark.parametrize(("method", "step"), [("RK4", 0.01), ("improved Euler", 0.01), ("Radau", np.inf)])
def test_methods_without_an_estimate_of_their_error_tell_one(method, step):
    result = dragged("symbolic").simulate((0, 20), [5.0, 0.0], start="air", method=method, max_step=step, rtol=1e-7)
    assert result.status is Status.ACCUMULATION
    off = abs(result.t_inf - dragged_truth())
    assert off <= result.t_inf_error <= 1e3 * max(off, 1e-9)
