"""Steps that end at a predicted impact: exact times, few evaluations, and no lasting effect on the steps."""

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from hypothesis import strategies as st
from quick_members import examples

from sympact import Contact, HybridModel, HybridSystem, Plane, Transition

y, v, z, w, c = sm.symbols("y v z w c")
BALL = HybridSystem.from_sympy(
    {"air": [v, -1]},
    [Transition("air", "air", boundary=-y, jump={v: -c * v}, name="floor")],
    states=[y, v],
    parameters=[c],
)


@pytest.mark.parametrize("method", ["DOP853", "RK45"])
def test_a_rebound_of_a_ball_takes_one_step(method):
    """Rebounds at 2 v / g; the parabola is the motion itself, so that the step ends at each of them."""
    result = BALL.simulate((0, 5.5), [0.0, 1.0], start="air", parameters=[0.8], method=method)
    times = np.cumsum(2.0 * 0.8 ** np.arange(len(result.events)))
    assert len(result.events) == 3
    assert np.max(np.abs([e.t for e in result.events] - times)) < 1e-13
    long = BALL.simulate((0, 9.9), [0.0, 1.0], start="air", parameters=[0.8], method=method)
    bounces = len(long.events)
    assert bounces > 18
    assert long.counts["steps"] <= bounces + 8
    assert long.counts["dense"] <= 4


@examples(
    20,
    60,
    st.floats(0.2, 5.0),
    st.floats(0.3, 0.95),
    st.floats(-1.0, 1.0),
    st.sampled_from([1e-6, 1e-9]),
    st.floats(0.05, 0.9),
)
def test_impacts_of_an_oscillator_at_a_wall(omega, restitution, wall, rtol, speed):
    """x'' = -omega^2 x above a wall: between impacts the motion is a sine, whose next crossing is a closed form."""
    flow = {"free": [v, -(z**2) * y]}
    edge = Transition("free", "free", boundary=w - y, jump={v: -c * v})
    oscillator = HybridSystem.from_sympy(flow, [edge], states=[y, v], parameters=[z, w, c])
    begin = [wall + 0.5, speed]
    numbers = [omega, wall, restitution]
    result = oscillator.simulate((0, 12 / omega), begin, start="free", parameters=numbers, rtol=rtol, atol=1e-3 * rtol)
    before, state = 0.0, np.array(begin)
    for event in result.events:
        size, phase = np.hypot(state[0], state[1] / omega), np.arctan2(-state[1] / omega, state[0])
        crossing = np.arccos(np.clip(wall / size, -1.0, 1.0))
        period = 2 * np.pi
        ahead = (crossing - phase) % period
        assert event.t - before == pytest.approx(ahead / omega, abs=200 * rtol / omega)
        assert abs(event.x_minus[0] - wall) < 1e-12
        before, state = event.t, event.x_plus


def test_a_prediction_does_not_shorten_the_steps_after_it():
    """A pendulum past a gate: the step that ends there is followed by one as long as the motion permits."""
    q, u = sm.symbols("q u")
    plain = HybridSystem.from_sympy({"swing": [u, -sm.sin(q)]}, [], states=[q, u])
    again = HybridSystem.from_sympy(
        {"swing": [u, -sm.sin(q)], "past": [u, -sm.sin(q)]},
        [Transition("swing", "past", boundary=q - 0.3), Transition("past", "swing", boundary=-q - 0.3)],
        states=[q, u],
    )
    free = plain.simulate((0, 40), [0.0, 1.0], start="swing")
    gated = again.simulate((0, 40), [0.0, 1.0], start="swing")
    crossings = len(gated.events)
    assert crossings >= 10
    assert gated.counts["steps"] <= free.counts["steps"] + 3 * crossings
    assert np.max(np.abs(gated.x[:, -1] - free.x[:, -1])) < 1e-7


def test_a_rebound_with_friction_takes_one_step():
    """A mass point thrown along a floor: rebounds at 2 v / g, whatever friction does to its speed along the floor."""
    h, s, a, b, g = *me.dynamicsymbols("h s a b"), sm.Symbol("g", positive=True)
    N, O = me.ReferenceFrame("N"), me.Point("O")
    P = O.locatenew("P", s * N.x + h * N.y)
    P.set_vel(N, a * N.x + b * N.y)
    system = me.System(N, O)
    system.add_bodies(me.Particle("P", P, sm.Integer(1)))
    system.add_coordinates(s, h)
    system.add_speeds(a, b)
    system.add_kdes(s.diff() - a, h.diff() - b)
    system.apply_uniform_gravity(-g * N.y)
    model = HybridModel(system, [Contact(P, Plane(O, N.y), restitution=0.8, friction=0.1)])
    result = model.simulate((0, 9.9), {s: 0.0, h: 0.0, a: 30.0, b: 1.0}, {g: 1.0})
    bounces = len(result.events)
    times = np.cumsum(2.0 * 0.8 ** np.arange(bounces))
    assert bounces > 18
    assert np.max(np.abs([e.t for e in result.events] - times)) < 1e-12
    assert result.counts["steps"] <= bounces + 12
    assert result.counts["dense"] <= 4
