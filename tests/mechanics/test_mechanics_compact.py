"""The promise: short equations are found short, and they are more exact than the long ones, not less."""

import mpmath as mp
import numpy as np
import pytest
import sympy as sm
from graph_values import SIGNATURE, exact_value
from mechanics_oracle import chain, cube, states
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact.graph import Function, count, numpy_function, to_sympy
from sympact.mechanics import derive, describe
from sympact.mechanics.derived.compiled_functions import flow_function
from sympact.models import tumbling_cube, two_links


def in_letters(derivation, nodes):
    """Nodes as SymPy expressions of the model's own letters."""
    graph, symbols = derivation.graph, derivation.symbols
    names = {node: letter for letter, node in symbols.nodes(graph).items()}
    return to_sympy(graph, nodes, names)


def test_cube_has_its_closed_form():
    """M of the angles is m a^2/6 [[1, 0, cos theta], [0, 1, 0], [cos theta, 0, 1]], f that times three products."""
    derivation = tumbling_cube().model.derivation
    matrix, forcing = derivation.equations.mass_matrix, derivation.equations.forcing
    m, a, g = (next(p for p in derivation.symbols.parameters if p.name == name) for name in "mag")
    theta = derivation.symbols.q[4]
    psi_rate, theta_rate, phi_rate = derivation.symbols.u[3:]
    moment = m * a**2 / 6
    shape = sm.Matrix([[1, 0, sm.cos(theta)], [0, 1, 0], [sm.cos(theta), 0, 1]])
    turning = [theta_rate * phi_rate, -psi_rate * phi_rate, psi_rate * theta_rate]
    expected = [
        *sm.diag(m, m, m, moment * shape),
        *(0, 0, -m * g),
        *(moment * sm.sin(theta) * product for product in turning),
    ]
    found = in_letters(derivation, [*(entry for row in matrix for entry in row), *forcing])
    for one, other in zip(found, expected, strict=True):
        assert sm.nsimplify(one - other) == 0


def test_flow_of_the_cube_is_that_of_the_textbook():
    """psi'' = theta' (phi' - psi' cos theta)/sin theta, theta'' = - psi' phi' sin theta, the same with phi and psi."""
    derivation = tumbling_cube().model.derivation
    flow = flow_function(derivation)
    theta, (psi_rate, theta_rate, phi_rate) = derivation.symbols.q[4], derivation.symbols.u[3:]
    expected = [
        theta_rate * (phi_rate - psi_rate * sm.cos(theta)) / sm.sin(theta),
        -psi_rate * phi_rate * sm.sin(theta),
        theta_rate * (psi_rate - phi_rate * sm.cos(theta)) / sm.sin(theta),
    ]
    for one, other in zip(in_letters(derivation, flow.outputs[-3:]), expected, strict=True):
        assert sm.expand(one - other) == 0
    assert count(derivation.graph, flow.outputs) <= 14


def test_operations_of_known_models():
    """Gates: they may fall, not rise."""
    spatial = derive(describe(chain(2, "spatial")[0]))
    pendulum = two_links().model.derivation
    assert count(pendulum.graph, pendulum.equations.nodes()) <= 36
    assert count(pendulum.graph, flow_function(pendulum).outputs) <= 48
    assert count(spatial.graph, spatial.equations.nodes()) <= 47


def scaled_error(derivation, nodes, x, p, time):
    """The error of nodes in double precision relative to the largest of them, in units of 2^-52."""
    inputs = {("t", 0): time} | {("x", i): float(v) for i, v in enumerate(x)}
    inputs |= {("p", i): float(v) for i, v in enumerate(p)}
    found = numpy_function(derivation.graph, Function("f", tuple(nodes), SIGNATURE))(time, x, p)
    with mp.workdps(50):
        exact = [exact_value(derivation.graph, node, inputs) for node in nodes]
        errors = [float(abs(mp.mpf(float(one)) - other)) for one, other in zip(found, exact, strict=True)]
    return max(errors) / float(max(map(abs, exact))) / np.finfo(float).eps


SUBJECTS = {
    "cube": lambda: tumbling_cube().model.derivation,
    "two links": lambda: two_links().model.derivation,
    "top": lambda: derive(describe(cube("rates")[0])),
    "planar": lambda: derive(describe(chain(2, "planar")[0])),
    "spatial": lambda: derive(describe(chain(3, "spatial")[0])),
    "spherical": lambda: derive(describe(chain(1, "spherical")[0])),
}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_equations_are_exact_to_rounding(subject):
    """M and f are a few products and sums: 8 units of the last place of their largest entry."""
    derivation = SUBJECTS[subject]()
    equations = derivation.equations
    for x, p, time in states(derivation, number=10):
        assert scaled_error(derivation, equations.nodes()[: -len(equations.forcing)], x, p, time) < 8
        assert scaled_error(derivation, equations.forcing, x, p, time) < 8


@pytest.mark.parametrize("theta", [1e-1, 1e-4, 1e-7])
def test_flow_of_the_cube_is_exact_near_gimbal_lock(theta):
    """The determinant of M is sin^2 theta: written as 1 - cos^2 theta it would lose all digits at theta = 1e-8."""
    derivation = tumbling_cube().model.derivation
    x = np.array([0.1, 0.2, 0.3, 0.4, theta, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, -1.3])
    p = np.linspace(0.6, 1.4, len(derivation.symbols.parameters))
    assert scaled_error(derivation, flow_function(derivation).outputs, x, p, 0.0) < 8


def test_coordinate_rates_divide_by_the_sine_alone():
    """The determinant of the kinematic equations of 3-1-3 angles is -sin beta; the second rate divides by nothing."""
    derivation = derive(describe(cube("spin")[0]))
    alpha_rate, beta_rate, gamma_rate = in_letters(derivation, derivation.rates[3:])
    beta = derivation.symbols.q[4]
    assert all(sm.denom(sm.together(rate)) == sm.sin(beta) for rate in (alpha_rate, gamma_rate))
    assert sm.denom(sm.together(beta_rate)) == 1


def sphere():
    """A free body with equal moments of inertia, and its angular velocity as speeds."""
    N, B, O, C = ReferenceFrame("N"), ReferenceFrame("B"), Point("O"), Point("C")
    e, w = dynamicsymbols("e0:4"), dynamicsymbols("w1:4")
    x, v = dynamicsymbols("x1:4"), dynamicsymbols("v1:4")
    B.orient_quaternion(N, e)
    spin = B.ang_vel_in(N)
    kdes = [spin.dot(axis) - rate for axis, rate in zip(B, w, strict=True)]
    kdes += [sum(part * part.diff() for part in e), *(a.diff() - b for a, b in zip(x, v, strict=True))]
    B.set_ang_vel(N, sum((rate * axis for axis, rate in zip(B, w, strict=True)), start=0 * B.x))
    C.set_pos(O, sum((c * axis for axis, c in zip(N, x, strict=True)), start=0 * N.x))
    C.set_vel(N, sum((c * axis for axis, c in zip(N, v, strict=True)), start=0 * N.x))
    m, i = sm.symbols("m i", positive=True)
    system = System(frame=N, fixed_point=O)
    system.add_bodies(RigidBody("sphere", C, B, m, (inertia(B, i, i, i), C)))
    system.add_coordinates(*e, *x)
    system.add_speeds(*w, *v)
    system.add_kdes(*kdes)
    return system


def test_equal_moments_of_inertia_need_no_torque():
    """omega x (I omega) vanishes."""
    derivation = derive(describe(sphere()))
    assert derivation.equations.forcing == (derivation.graph.zero,) * 6
