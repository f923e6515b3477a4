"""Forces along a line whose ends pass each other, and squares under roots: their corner at zero is a condition."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import (
    Force,
    ForceActuator,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    Particle,
    Point,
    ReferenceFrame,
    System,
    dynamicsymbols,
)
from trajectory import checked_run

from sympact import HybridModel

m, k, c, F, l = sm.symbols("m k c F l", positive=True)
q, u, s, w = dynamicsymbols("q u s w")
TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def slider(act, turned: float = 0.0, planar: bool = False) -> HybridModel:
    """A particle on an axis through O, which `act(O, P, axis)` pulls; with `planar` it moves across the axis, too."""
    N, O = ReferenceFrame("N"), Point("O")
    A = N.orientnew("A", "Axis", (turned, N.z)) if turned else N
    P = O.locatenew("P", q * A.x + (s * A.y if planar else 0 * A.y))
    system = System(N, O)
    system.add_bodies(Particle("bob", P, m))
    system.add_coordinates(*([q, s] if planar else [q]))
    system.add_speeds(*([u, w] if planar else [u]))
    system.add_kdes(u - q.diff(), *([w - s.diff()] if planar else []))
    acting = act(O, P, A.x)
    (system.add_loads if isinstance(acting, Force) else system.add_actuators)(acting)
    return HybridModel(system, [])


def pulled_back(t):
    """q of q'' = -sign(q) from rest at q = 1: parabolas of a quarter period sqrt(2)."""
    quarter = np.sqrt(2.0)
    phase = np.mod(t, 4 * quarter)
    flipped = phase > 2 * quarter
    phase = np.where(flipped, phase - 2 * quarter, phase)
    x = np.where(phase < quarter, 1 - phase**2 / 2, -1 + (2 * quarter - phase) ** 2 / 2)
    return np.where(flipped, -x, x)


WAYS = {
    "an actuator": lambda O, P, axis: ForceActuator(-F, LinearPathway(O, P)),
    "its loads": lambda O, P, axis: ForceActuator(-F, LinearPathway(O, P)).to_loads()[1],
    "a root of a square": lambda O, P, axis: Force(P, -F * sm.sqrt(q**2) / q * axis),
    "a root of a product": lambda O, P, axis: Force(P, -F * sm.sqrt(m * q**2) / sm.sqrt(m) / q * axis),
    "a higher root": lambda O, P, axis: Force(P, -F * q / (q**4) ** sm.Rational(1, 4) * axis),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("turned", [0.0, 0.3])
def test_a_constant_pull_turns_over_where_its_ends_pass(way, turned):
    model = slider(WAYS[way], turned)
    result = checked_run(model, (0, 20), [1, 0], {m: 1, F: 1}, **TIGHT)
    times = np.linspace(0, 20, 301)
    np.testing.assert_allclose(result(times)[0], pulled_back(times), rtol=0, atol=2e-8)
    assert [str(event.kind) for event in result.events] == ["switch"] * 7
    np.testing.assert_allclose(result.events.t, np.sqrt(2.0) * (1 + 2 * np.arange(7)), rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("act", "exact"),
    [
        (lambda O, P, axis: LinearSpring(k, LinearPathway(O, P), 0), lambda t: np.cos(2 * t)),
        (lambda O, P, axis: LinearDamper(k, LinearPathway(O, P)), lambda t: 1 - 2 * (1 - np.exp(-4 * t)) / 4),
    ],
)
def test_springs_without_length_and_dampers_pass_zero_without_an_event(act, exact):
    """m = 1, k = 4: q = cos 2t from rest; from the speed -2 against a damper of 4 N s/m q = 1 - (1 - exp -4t)/2."""
    model = slider(act)
    moving = -2.0 if exact(1e9) == 0.5 else 0.0
    result = checked_run(model, (0, 3), [1, moving], {m: 1, k: 4}, **TIGHT)
    assert not len(result.events)
    assert not model.derivation.switches
    np.testing.assert_allclose(result(result.t)[0], exact(result.t), rtol=0, atol=1e-9)


def test_a_spring_with_a_length_turns_over():
    """V = k (|q| - l)^2/2 keeps the energy over the crossing, where the force jumps by 2 k l."""
    model = slider(lambda O, P, axis: LinearSpring(k, LinearPathway(O, P), l))
    result = checked_run(model, (0, 10), [2, 0], {m: 1, k: 3, l: 0.5}, **TIGHT)
    assert len(result.events) > 3
    np.testing.assert_allclose(result.energy, 3 * 1.5**2 / 2, rtol=1e-8)


def test_a_spring_without_length_at_the_start_is_told_as_that():
    stretched = slider(lambda O, P, axis: LinearSpring(k, LinearPathway(O, P), l), planar=True)
    with pytest.raises(ValueError, match="the actuator between 'O' and 'P' has zero length there") as caught:
        stretched.simulate((0, 1), [0, 0, 0, 0], {m: 1, k: 1, l: 1})
    assert "gimbal" not in str(caught.value)
    pushed = slider(lambda O, P, axis: Force(P, F / q * axis))
    with pytest.raises(ValueError, match=r"the rate of u\(t\) is not finite there; check for a division by zero"):
        pushed.simulate((0, 1), [0, 0], {m: 1, F: 1})


@pytest.mark.parametrize("value", [-2.5, -1e-200, 1e-200, 0.3])
def test_roots_of_squares_are_magnitudes(value):
    """As NumPy evaluates them, where no square underflows."""
    from sympact.graph import FromSympy, Function, Graph, numpy_function

    x, y = sm.symbols("x y")
    expressions = [sm.sqrt(x**2), (x**2) ** sm.Rational(3, 2), sm.sqrt(x**2 * y), sm.sqrt(x**2 / y), (x**4) ** 0.25]
    graph = Graph()
    read = FromSympy(graph, {x: graph.input("x", 0), y: graph.input("x", 1)})
    function = numpy_function(graph, Function("f", tuple(map(read, expressions)), ("t", "x", "p")))
    size = abs(value)
    exact = [size, size**3, size * np.sqrt(3.0), size / np.sqrt(3.0), size]
    np.testing.assert_allclose(function(0.0, [value, 3.0], []), exact, rtol=4e-16)
    assert np.isnan(function(0.0, [value, -3.0], [])[2])
