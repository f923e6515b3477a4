"""The promise: A and B are those of SymPy's `KanesMethod.linearize`, at any state."""

from itertools import product

import numpy as np
import pytest
import sympy as sm
from quick_members import members
from sympy.physics.mechanics import (
    Force,
    KanesMethod,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    Particle,
    Point,
    ReferenceFrame,
    System,
    dynamicsymbols,
)

from sympact import HybridModel
from sympact.models import cart_pole, compass_walker, double_pendulum, kane_pendulum
from sympact.models.planar import planar_system

pytestmark = pytest.mark.filterwarnings("ignore:[\\s\\S]*automatically calculated:UserWarning")  # of SymPy's velocities
t = dynamicsymbols._t
F, torque = dynamicsymbols("F T")


def kane_of(system: System) -> KanesMethod:
    """SymPy's own equations of a planar model."""
    system.form_eoms()
    return system.eom_method


def sympy_linear(kane: KanesMethod, numbers: dict, inputs: dict) -> tuple[np.ndarray, np.ndarray]:
    """A and B of SymPy's linearisation at a state, with its accelerations."""
    point = {**numbers, **inputs}
    plain = kane.mass_matrix.subs(point).evalf(30)
    speeds_up = plain.LUsolve(kane.forcing.subs(point).evalf(30))
    formulas = kane.kindiffdict()
    rates = {q.diff(t): formulas[q.diff(t)].subs(point) for q in kane.q}
    accelerations = {u.diff(t): value for u, value in zip(kane.u, speeds_up, strict=True)}
    a, b, _ = kane.linearize(A_and_B=True, op_point=[accelerations, rates, point])
    return tuple(np.array(m.subs(point).evalf(), dtype=float) for m in (a, b))


def states(model: HybridModel, seed: int) -> dict:
    return dict(zip(model.x, np.random.default_rng(seed).uniform(-1.2, 1.2, len(model.x)), strict=True))


READY = (cart_pole, double_pendulum, kane_pendulum, compass_walker)
SECOND = [(1 + (i + 1) % 2, ready) for i, ready in enumerate(READY)] + [(2, compass_walker)]
"""What a quick run leaves out: it has one seed of each model but the walker, which is a double pendulum."""


@pytest.mark.parametrize(("seed", "ready"), members(product([1, 2], READY), slow=SECOND))
def test_a_of_ready_made_models_is_that_of_sympy(ready, seed):
    """At random states in motion; both are exact, so that 1e-9 leaves room for the condition of M alone."""
    made = ready()
    x = states(made.model, seed)
    truth, _ = sympy_linear(kane_of(made.model.source), {**x, **made.parameters}, {})
    found = made.model.linearize(x, made.parameters, closed=())
    assert found.states == made.model.x
    np.testing.assert_allclose(found.A, truth, rtol=1e-9, atol=1e-9 * np.abs(truth).max())


def driven_cart() -> tuple[HybridModel, dict]:
    """A cart with a force F, a bob with a force T/l across its rod, spring and damper, and a speed that is no rate."""
    M, m, l, g, k, c, d = sm.symbols("M m l g k c d", positive=True)
    x, theta, v, w = dynamicsymbols("x theta v w")
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    B.orient_axis(N, theta, N.z)
    pivot = O.locatenew("pivot", x * N.x)
    bob = Particle("bob", pivot.locatenew("tip", -l * B.y), m)
    wall, cart = O.locatenew("wall", -d * N.x), Particle("cart", pivot, M)
    system = System(N, O)
    system.add_bodies(cart, bob)
    system.add_coordinates(x, theta)
    system.add_speeds(v, w)
    system.add_kdes(x.diff() - v, theta.diff() - w + v / l)  # w is the rate of theta, and v/l
    system.apply_uniform_gravity(-g * N.y)
    system.add_loads(Force(pivot, F * sm.cos(x) * N.x))
    pathway = LinearPathway(wall, pivot)
    system.add_actuators(LinearSpring(k, pathway, d), LinearDamper(c, pathway))
    system.add_loads(Force(bob.masscenter, torque / l * B.x))
    outputs = {"height of the bob": -l * sm.cos(theta), "power": F * v, "rate": theta.diff()}
    numbers = {M: 2.0, m: 0.7, l: 0.9, g: 9.81, k: 30.0, c: 1.5, d: 2.5}
    return HybridModel(system, [], outputs=outputs), numbers


@pytest.mark.parametrize("seed", members([3, 4, 5], slow=[4, 5]))
def test_a_and_b_of_a_model_with_inputs_are_those_of_sympy(seed):
    model, numbers = driven_cart()
    x, inputs = states(model, seed), {F: 1.5, torque: -0.4}
    truth, through = sympy_linear(kane_of(model.source), {**x, **numbers}, inputs)
    found = model.linearize(x, numbers, inputs=inputs)
    assert found.inputs == (F, torque)
    np.testing.assert_allclose(found.A, truth, rtol=1e-10, atol=1e-10 * np.abs(truth).max())
    np.testing.assert_allclose(found.B, through, rtol=1e-10, atol=1e-12)


def test_c_and_d_are_the_derivatives_of_the_outputs():
    model, numbers = driven_cart()
    x, inputs = states(model, 6), {F: 1.5, torque: -0.4}
    found = model.linearize(x, numbers, inputs=inputs)
    _, theta, v, _ = model.x
    l = next(symbol for symbol in numbers if symbol.name == "l")
    rows = [[0, l * sm.sin(theta), 0, 0], [0, 0, F, 0], [0, 0, -1 / l, 1]]
    truth = np.array([[sm.sympify(e).subs({**x, **numbers, **inputs}) for e in row] for row in rows], dtype=float)
    np.testing.assert_allclose(found.C, truth, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(found.D, [[0, 0], [x[v], 0], [0, 0]], rtol=1e-15)
    assert found.outputs == tuple(model.outputs)


def test_a_planar_model_by_kanes_method_is_linearized_as_by_its_system():
    """A model built from a `KanesMethod` and one built from a `System` have one A."""
    made = double_pendulum()
    kane = kane_of(planar_copy(made))
    x = states(made.model, 7)
    model = HybridModel(kane, [])
    free = {key: value for key, value in made.parameters.items() if key in model.parameters}
    first, second = model.linearize(x, free), made.model.linearize(x, made.parameters, closed=())
    np.testing.assert_allclose(first.A, second.A, rtol=1e-12, atol=1e-12)


def planar_copy(made) -> System:
    """A system of the same bodies, whose equations are not formed yet."""
    source, g = made.model.source, next(symbol for symbol in made.parameters if symbol.name == "g")
    return planar_system(source.frame, source.fixed_point, list(source.bodies), source.q, source.u, g)
