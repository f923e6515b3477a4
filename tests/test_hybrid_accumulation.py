"""Bounces of a plain process that accumulate end the run; the truth is the geometric series of their times."""

import pytest
import sympy as sm

from sympact import HybridSystem, Transition
from sympact.integrate.status import Status

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
