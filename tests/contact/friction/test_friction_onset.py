"""The promise: a slip begins in the direction in which friction lets it go, and turns from its first step on."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from quick_members import members
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols
from trajectory import checked_run

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


ONSETS = [(0.5, 0.5), (0.5, 20.0), (0.8, 0.5), (0.8, 20.0)]


@pytest.mark.parametrize(("static", "turn"), members(ONSETS, slow=ONSETS[1:3]))
def test_the_first_steps_of_a_slip_follow_a_pull_that_turns(static, turn):
    """It lets go where the pull is static friction, and from there obeys v' = F - mu g v/|v|, integrated by Radau."""
    result = checked_run(pulled(static, turn), (0, 2.0), [0.0] * 6, {}, rtol=1e-10, atol=1e-12)
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


def test_what_breaks_away_slips_where_the_friction_of_slip_lets_it():
    """A block of 1 kg in a carriage of 3 kg along x, pulled at 40 degrees until 0.8 m g: then friction is 0.4 m g.

    Its masses are 4 kg along x and 1 kg along y. Slip begins along the d for which F - mu m g d accelerates it along d,
    19 degrees from the friction that held it.
    """
    q, u = dynamicsymbols("x y z"), dynamicsymbols("v_x v_y v_z")
    N, O, P, C = ReferenceFrame("N"), Point("O"), Point("P"), Point("C")
    O.set_vel(N, 0)
    P.set_pos(O, q[0] * N.x + q[1] * N.y + q[2] * N.z)
    P.set_vel(N, u[0] * N.x + u[1] * N.y + u[2] * N.z)
    C.set_pos(O, q[0] * N.x)
    C.set_vel(N, u[0] * N.x)
    system = System(N, O)
    system.add_bodies(Particle("block", P, 1), Particle("carriage", C, 3))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(a.diff(t) - b for a, b in zip(q, u, strict=True)))
    angle, masses = np.deg2rad(40.0), np.array([4.0, 1.0])
    way = np.array([np.cos(angle), np.sin(angle)])
    pull = MU * GRAVITY * (1 + t)
    system.add_loads(Force(P, pull * (way[0] * N.x + way[1] * N.y) - GRAVITY * N.z))
    contact = Contact(P, Plane(O, N.z, frame=N), restitution=0, friction=MU, static_friction=2 * MU, name="foot")
    result = checked_run(HybridModel(system, [contact]), (0, 1 + 1e-6), [0.0] * 6, {}, rtol=1e-10, atol=1e-14)
    begun = next(event for event in result.events if event.kind == "slip")
    assert begun.t == pytest.approx(1.0, abs=1e-9)

    def turns(theta):
        d = np.array([np.cos(theta), np.sin(theta)])
        rate = MU * GRAVITY * (2 * way - d) / masses
        return d[0] * rate[1] - d[1] * rate[0]

    theta = brentq(turns, angle, np.pi / 2)
    slip = result.x[3:5, -1]
    assert abs(theta - angle) > 0.1
    assert np.arctan2(slip[1], slip[0]) == pytest.approx(theta, abs=1e-4)
