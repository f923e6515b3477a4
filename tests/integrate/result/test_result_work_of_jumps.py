"""The jumps of one's own are booked as work, so that the energy balance closes."""

import numpy as np
import sympy as sm
from sympy.physics.mechanics import dynamicsymbols

from sympact import HybridModel, Transition
from sympact.models import bouncing_ball

TIGHT = {"rtol": 1e-12, "atol": 1e-13}


def kicked_ball():
    """A ball that is kicked upwards by 1 m/s at its apex, and lifted by 0.1 m where it falls past 0.3 m."""
    ball = bouncing_ball()
    (z,), (v,) = ball.model.q, ball.model.u
    k, n = dynamicsymbols("k n")
    once = [
        Transition(boundary=sm.And(v < 0, k < 1), jump={v: 1, k: 1}, name="kick"),
        Transition(boundary=sm.And(z < sm.Rational(3, 10), n < 1), jump={z: z + sm.Rational(1, 10), n: 1}, name="lift"),
    ]
    model = HybridModel(ball.model.source, ball.model.contacts, transitions=once, discrete=[k, n])
    return model, {z: 1, v: 1, k: 0, n: 0}, ball.parameters


def test_the_balance_of_a_kicked_ball_closes():
    model, start, numbers = kicked_ball()
    result = model.simulate((0, 2), start, numbers, **TIGHT)
    assert {"kick", "lift"} <= {name for event in result.events for name in event.contacts}
    lost = np.zeros(len(result.t))
    for event in result.events.impacts:
        lost[np.flatnonzero(result.t == event.t)[-1] :] += event.energy
    rest = result.energy - result.work.total - lost
    np.testing.assert_allclose(rest, rest[0], rtol=0, atol=1e-10)


def test_each_jump_has_its_energy():
    model, start, numbers = kicked_ball()
    (m,) = (value for symbol, value in numbers.items() if symbol.name == "m")
    result = model.simulate((0, 2), start, numbers, **TIGHT)
    steps = {event.t: event.contacts for event in result.events if not event.contacts[0].startswith("ball")}
    for t, names in steps.items():
        left, right = (result.work.at(t, side)["transitions"][0] for side in ("left", "right"))
        truth = m / 2 if "kick" in names else m * 9.81 / 10
        np.testing.assert_allclose(right - left, truth, rtol=1e-9)
    assert set(result.work) == {"transitions"}
    assert result.work["transitions"][0] == 0.0


def test_models_without_jumps_have_no_such_work():
    assert list(bouncing_ball().simulate().work) == []
