"""The promise: a slip begins in the direction in which friction lets it go, and turns from its first step on."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Plane, Status

t = dynamicsymbols._t
GRAVITY, MU = 9.81, 0.4


def pulled(static: float, turn: float) -> tuple[HybridModel, dict]:
    """A particle of 1 kg on a rough table, pulled by MU g (0.5 + t) in a direction that turns."""
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
    pull = MU * GRAVITY * (sm.Rational(1, 2) + t)
    system.add_loads(Force(P, pull * (sm.cos(turn * t) * N.x + sm.sin(turn * t) * N.y) - GRAVITY * N.z))
    table = Plane(O, N.z, frame=N)
    return HybridModel(system, [Contact(P, table, restitution=0, friction=MU, static_friction=static, name="foot")])


@pytest.mark.parametrize("turn", [0.5, 20.0])
@pytest.mark.parametrize("static", [0.5, 0.8])
def test_the_first_steps_of_a_slip_follow_a_pull_that_turns(static, turn):
    """It lets go where the pull is static friction, and from there obeys v' = F - mu g v/|v|, integrated by Radau."""
    result = pulled(static, turn).simulate((0, 2.0), [0.0] * 6, {}, rtol=1e-10, atol=1e-12)
    assert result.status is Status.FINISHED
    start = static / MU - 0.5
    begun = next(event for event in result.events if event.kind == "slip")
    assert begun.t == pytest.approx(start, abs=1e-9)

    def force(time):
        return MU * GRAVITY * (0.5 + time) * np.array([np.cos(turn * time), np.sin(turn * time)])

    def slope(time, y):
        return np.concatenate([y[2:], force(time) - MU * GRAVITY * y[2:] / np.linalg.norm(y[2:])])

    first = force(start) * (1.0 - MU / static)
    later = 1e-9
    y = np.concatenate([first * later**2 / 2, first * later])
    truth = solve_ivp(slope, (start + later, 2.0), y, method="Radau", rtol=1e-11, atol=1e-14).y[:, -1]
    np.testing.assert_allclose(result.x[[0, 1, 3, 4], -1], truth, atol=2e-8)
