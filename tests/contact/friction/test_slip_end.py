"""The promise: a slip whose direction turns ends where and when it should; one that passes near zero goes on."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import sympy as sm
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols
from trajectory import checked_run

from sympact import Contact, HybridModel, Plane

t = dynamicsymbols._t
GRAVITY, MU = 9.81, 0.4
BOUND = MU * GRAVITY
"""The deceleration by friction (m/s^2)."""


@cache
def pulled() -> HybridModel:
    """A particle of 1 kg on a rough table, pulled by a force of constant size in a direction that turns."""
    q, u = dynamicsymbols("x y z"), dynamicsymbols("v_x v_y v_z")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, q[0] * N.x + q[1] * N.y + q[2] * N.z)
    O.set_vel(N, 0)
    P.set_vel(N, u[0] * N.x + u[1] * N.y + u[2] * N.z)
    system = System(N, O)
    system.add_bodies(Particle("particle", P, 1))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(a.diff(t) - b for a, b in zip(q, u, strict=True)))
    pull, angle, turn = sm.symbols("F phi omega")
    way = sm.cos(angle + turn * t) * N.x + sm.sin(angle + turn * t) * N.y
    system.add_loads(Force(P, pull * way - GRAVITY * N.z))
    return HybridModel(system, [Contact(P, Plane(O, N.z, frame=N), restitution=0, friction=MU, name="foot")])


def numbers(pull: float, angle: float, turn: float) -> dict[sm.Symbol, float]:
    """The parameters of the model."""
    values = {"F": pull, "phi": angle, "omega": turn}
    return {symbol: values[symbol.name] for symbol in pulled().parameters}


def slope(pull: float, angle: float, turn: float):
    """The motion by Coulomb's law, of (x, y, v_x, v_y)."""

    def rates(time, y):
        way = np.array([np.cos(angle + turn * time), np.sin(angle + turn * time)])
        return np.concatenate([y[2:], pull * way - BOUND * y[2:] / np.linalg.norm(y[2:])])

    return rates


@pytest.mark.parametrize("share", [0.2, 0.5, 0.7])
@pytest.mark.parametrize("turn", [0.0, 3.0])
def test_a_slip_that_turns_stops_where_coulomb_says(share, turn):
    """The pull bends the path of a particle of 1 m/s until it stops, along the pull; the truth is integrated by DOP853.

    The truth ends at 1e-7 m/s; from there it takes less than 1e-7 s, and 1e-14 m.
    """
    pull, angle = share * BOUND, 1.0
    result = checked_run(pulled(), (0, 1.0), [0, 0, 0, 1.0, 0, 0], numbers(pull, angle, turn), rtol=1e-10, atol=1e-12)
    stop = next(event for event in result.events if event.kind == "stick")

    def slow(time, y):
        return np.linalg.norm(y[2:]) - 1e-7

    slow.terminal = True
    rates = slope(pull, angle, turn)
    truth = solve_ivp(rates, (0, 1.0), [0, 0, 1.0, 0], rtol=1e-13, atol=1e-16, method="DOP853", events=slow)
    left = 1e-7 / (BOUND - pull)
    assert stop.t == pytest.approx(truth.t[-1] + left, abs=1e-10)
    np.testing.assert_allclose(stop.x_minus[:2], truth.y[:2, -1], atol=1e-10)


@pytest.mark.parametrize("miss", [0.01, 0.003, 0.001])
def test_a_slip_that_nearly_ends_goes_on_along_its_own_direction(miss):
    """A pull against the slip, a little beside its line, stops and reverses it: it passes zero at a small speed.

    Friction turns round within this instant. The truth is integrated by DOP853.
    """
    pull, angle = 1.2 * BOUND, np.pi
    start = [0, 0, 0, 1.0, miss, 0]
    result = checked_run(pulled(), (0, 1.0), start, numbers(pull, angle, 0.0), rtol=1e-11, atol=1e-14)
    rates = slope(pull, angle, 0.0)
    truth = solve_ivp(rates, (0, 1.0), [0, 0, 1.0, miss], rtol=1e-13, atol=1e-16, method="DOP853")
    assert [event.kind for event in result.events] == ["close"]
    np.testing.assert_allclose(result.x[[0, 1, 3, 4], -1], truth.y[:, -1], atol=1e-10)
