"""The promise: matrices, frequencies, damping ratios and shapes are those of closed forms, and of the compiled flow."""

import numpy as np
import pytest
import sympy as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanics_oracle import cube
from quick_members import examples
from sympy.physics.mechanics import (
    Force,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    Particle,
    Point,
    ReferenceFrame,
    System,
    dynamicsymbols,
)
from trajectory import check_trajectory

from sympact import HybridModel
from sympact.models import cart_pole, double_pendulum, tumbling_cube

m, c, k = sm.symbols("m c k", positive=True)
q, u, F = dynamicsymbols("q u F")
N, O = ReferenceFrame("N"), Point("O")
x_1, x_2, v_1, v_2 = dynamicsymbols("x_1 x_2 v_1 v_2")


def oscillator(outputs=None) -> HybridModel:
    """A mass m on a spring k and a damper c, driven by a force F."""
    P = O.locatenew("P", q * N.x)
    system = System(N, O)
    system.add_bodies(Particle("mass", P, m))
    system.add_coordinates(q)
    system.add_speeds(u)
    system.add_kdes(u - q.diff())
    system.add_loads(Force(P, (F - k * q - c * u) * N.x))
    return HybridModel(system, [], outputs=outputs)


OSCILLATOR = oscillator({"deflection": q, "spring force": -k * q})
POSITIVE = st.floats(0.1, 10.0)


@settings(max_examples=40, deadline=None)
@given(mass=POSITIVE, damping=POSITIVE, stiffness=POSITIVE)
def test_a_mass_on_spring_and_damper_has_the_frequency_and_damping_of_the_textbooks(mass, damping, stiffness):
    """omega_0 = sqrt(k/m), zeta = c/(2 sqrt(k m)), for every mass, spring and damper."""
    linear = OSCILLATOR.linearize([0.0, 0.0], {m: mass, c: damping, k: stiffness}, inputs={F: 0})
    np.testing.assert_allclose(linear.A, [[0, 1], [-stiffness / mass, -damping / mass]], rtol=1e-14)
    np.testing.assert_allclose(linear.B, [[0], [1 / mass]], rtol=1e-14)
    np.testing.assert_array_equal(linear.C, [[1, 0], [-stiffness, 0]])
    assert linear.stable is True
    omega, zeta = np.sqrt(stiffness / mass), damping / (2 * np.sqrt(stiffness * mass))
    if zeta < 0.999:
        (mode,) = linear.modes()
        assert mode.frequency == pytest.approx(omega, rel=1e-12)
        assert mode.damping_ratio == pytest.approx(zeta, rel=1e-12)
        assert mode.shape[1] == pytest.approx(mode.eigenvalue, rel=1e-9)  # u = s q
    elif zeta > 1.001:
        product = np.prod([mode.frequency for mode in linear.modes()])
        assert product == pytest.approx(omega**2, rel=1e-9)
        assert [mode.damping_ratio for mode in linear.modes()] == pytest.approx([1, 1])


@settings(max_examples=30, deadline=None)
@given(masses=st.tuples(POSITIVE, POSITIVE), lengths=st.tuples(POSITIVE, POSITIVE), gravity=POSITIVE)
def test_the_frequencies_of_every_double_pendulum_are_those_of_its_quadratic_equation(masses, lengths, gravity):
    """m_1 l_1 l_2 s^2 - M g (l_1 + l_2) s + M g^2 = 0 with s = omega^2, M = m_1 + m_2."""
    made = DOUBLE
    letters = {symbol.name: symbol for symbol in made.parameters}
    numbers = dict(made.parameters) | {
        letters["m_1"]: masses[0],
        letters["m_2"]: masses[1],
        letters["l_1"]: lengths[0],
        letters["l_2"]: lengths[1],
        letters["g"]: gravity,
    }
    total = sum(masses)
    roots = np.roots([masses[0] * lengths[0] * lengths[1], -total * gravity * sum(lengths), total * gravity**2])
    linear = made.model.linearize(np.zeros(4), numbers)
    found = [mode.frequency**2 for mode in linear.modes()]
    np.testing.assert_allclose(found, np.sort(roots.real), rtol=1e-9)
    assert linear.stable is None


DOUBLE = double_pendulum()


def test_the_shapes_of_equal_pendulums_are_one_to_plus_and_minus_the_root_of_two():
    slow, fast = DOUBLE.model.linearize(np.zeros(4), DOUBLE.parameters).modes()
    np.testing.assert_allclose([slow.frequency**2, fast.frequency**2], 9.81 * (2 + np.sqrt(2) * np.array([-1, 1])))
    np.testing.assert_allclose(slow.shape[:2], [np.sqrt(0.5), 1], atol=1e-12)
    np.testing.assert_allclose(fast.shape[:2], [-np.sqrt(0.5), 1], atol=1e-12)


def test_an_upright_double_pendulum_is_unstable_and_grows_as_fast_as_it_would_oscillate():
    linear = DOUBLE.model.linearize([np.pi, np.pi, 0, 0], DOUBLE.parameters, closed=())
    assert linear.stable is False
    growth = np.sqrt(9.81 * (2 + np.sqrt(2)))
    np.testing.assert_allclose(linear.eigenvalues()[[0, -1]], [growth, -growth], rtol=1e-9)


def two_masses() -> HybridModel:
    """Two masses with a spring and a damper between them, free to drift."""
    a, b = O.locatenew("A", x_1 * N.x), O.locatenew("B", x_2 * N.x)
    system = System(N, O)
    system.add_bodies(Particle("a", a, m), Particle("b", b, m))
    system.add_coordinates(x_1, x_2)
    system.add_speeds(v_1, v_2)
    system.add_kdes(v_1 - x_1.diff(), v_2 - x_2.diff())
    pathway = LinearPathway(a, b)
    system.add_actuators(LinearSpring(k, pathway, 1), LinearDamper(c, pathway))
    return HybridModel(system, [])


def test_a_motion_that_costs_nothing_leaves_stability_undecided():
    """The double zero of the drift moves by the root of rounding errors; it neither grows nor decays."""
    linear = two_masses().linearize([0, 1, 0, 0], {m: 1.3, c: 0.7, k: 37.0})
    assert linear.stable is None
    pair = [mode for mode in linear.modes() if mode.frequency > 1]
    assert [mode.frequency for mode in pair] == pytest.approx([np.sqrt(2 * 37 / 1.3)])
    assert pair[0].damping_ratio == pytest.approx(0.7 * np.sqrt(2 / 1.3 / 37) / 2)


def along_the_flow(model: HybridModel, numbers: dict, x: np.ndarray, step: float = 1e-5) -> np.ndarray:
    """dF/dx of the compiled flow by central differences."""
    compiled = model.compile()
    p = compiled.all_parameters(compiled.parameters(numbers))

    def slopes(i: int) -> np.ndarray:
        ends = []
        for side in (step, -step):
            moved = x.copy()
            moved[i] += side
            ends.append(compiled.flow(0.0, moved, p))
        return (ends[0] - ends[1]) / (2 * step)

    return np.stack([slopes(i) for i in range(len(x))], axis=1)


@pytest.mark.parametrize("ready", [cart_pole, double_pendulum, tumbling_cube])
def test_a_along_a_motion_is_the_slope_of_the_compiled_flow(ready):
    """Central differences at 1e-5 are right to some 1e-9 of the largest entry."""
    made = ready()
    x = np.random.default_rng(11).uniform(0.3, 1.1, len(made.model.x))
    truth = along_the_flow(made.model, made.parameters, x)
    found = made.model.linearize(x, made.parameters, closed=())
    np.testing.assert_allclose(found.A, truth, atol=1e-8 * np.abs(truth).max())
    np.testing.assert_allclose(found.rate, made.model.compile().flow(0.0, x, numbers_of(made)), rtol=1e-12, atol=1e-12)


def numbers_of(made) -> np.ndarray:
    compiled = made.model.compile()
    return compiled.all_parameters(compiled.parameters(made.parameters))


@pytest.mark.parametrize("seed", range(4))
def test_a_quaternion_has_three_independent_numbers(seed):
    """z -> x(z) with the fourth number from the unit norm, by central differences of the compiled flow."""
    model = HybridModel(cube("quaternion")[0], [])
    rng = np.random.default_rng(seed)
    numbers = dict(zip(model.parameters, rng.uniform(0.5, 2.0, len(model.parameters)), strict=True))
    x = rng.uniform(-1, 1, len(model.x))
    x[3:7] /= np.linalg.norm(x[3:7])
    linear = model.linearize(x, numbers)
    assert len(linear.states) == 12
    assert set(linear.states) < set(model.x)
    truth = along_the_flow(model, numbers, x) @ linear.basis
    places = [model.x.index(state) for state in linear.states]
    np.testing.assert_allclose(linear.A, truth[places], atol=1e-8 * np.abs(truth).max())
    np.testing.assert_allclose(x[3:7] @ linear.basis[3:7], 0, atol=1e-15)
    np.testing.assert_array_equal(linear.basis[places], np.eye(12))


def test_the_spin_of_a_free_body_about_its_middle_axis_grows_at_eulers_rate():
    """w' of a body that spins with W about the axis 2: s^2 = W^2 (I2 - I1) (I3 - I2)/(I1 I3) > 0 for I1 < I2 < I3."""
    model = HybridModel(cube("quaternion")[0], [])
    numbers = {symbol: {"i1": 1.0, "i2": 2.0, "i3": 3.0}.get(symbol.name, 1.0) for symbol in model.parameters}
    x = np.zeros(13)
    x[3], x[11] = 1.0, 5.0
    linear = model.linearize(x, numbers)
    spin = [linear.states.index(model.u[i]) for i in (3, 5)]
    growth = np.linalg.eigvals(linear.A[np.ix_(spin, spin)])
    np.testing.assert_allclose(np.sort(growth.real), 5 * np.sqrt(1 / 3) * np.array([-1, 1]), rtol=1e-12)
    assert linear.stable is False


@examples(8, 25, gains=st.tuples(*[st.floats(-20, 20)] * 2))
def test_an_input_that_is_an_expression_of_the_state_is_a_feedback(gains):
    """With F = -K z + w the matrix is A - B K, and B, C, D + ... stay those of w."""
    numbers = {m: 1.3, c: 0.2, k: 5.0}
    free = OSCILLATOR.linearize([0.1, 0.2], numbers, inputs={F: -gains[0] * 0.1 - gains[1] * 0.2})
    closed = OSCILLATOR.linearize([0.1, 0.2], numbers, inputs={F: -gains[0] * q - gains[1] * u})
    np.testing.assert_allclose(closed.A, free.A - free.B @ [gains], rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(closed.B, free.B)
    np.testing.assert_allclose(closed.rate, free.rate, rtol=1e-12, atol=1e-12)


def test_a_small_change_of_a_motion_grows_as_the_matrix_says():
    """dx(t + h) = exp(A h) dx along a run: a constant A neglects terms of h^2, so that halving h quarters the error."""
    made = cart_pole()
    run = made.model.simulate((0, 0.4), made.start, made.parameters, rtol=1e-12)
    check_trajectory(run, made.model, made.parameters, rtol=1e-12)
    linear = made.model.linearize(run, made.parameters, t=0.3)
    change, errors = 1e-5 * np.array([1.0, -2.0, 0.5, 3.0]), []
    for h in (2e-2, 1e-2):
        ends = [
            made.model.simulate((0.3, 0.3 + h), run(0.3) + side * change, made.parameters, rtol=1e-13).x[:, -1]
            for side in (1, -1)
        ]
        error = (ends[0] - ends[1]) / 2 - exponential(linear.A * h) @ change
        errors.append(np.linalg.norm(error) / np.linalg.norm(change))
    assert errors[0] < 1e-2
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.3)


def exponential(matrix: np.ndarray) -> np.ndarray:
    """exp of a small matrix by its series."""
    term = total = np.eye(len(matrix))
    for i in range(1, 30):
        term = term @ matrix / i
        total = total + term
    return total


def test_a_state_space_of_scipy_responds_as_the_model():
    """The step response of the state space is that of the simulated model, a linear one."""
    numbers = {m: 1.3, c: 0.7, k: 5.0}
    linear = OSCILLATOR.linearize([0.0, 0.0], numbers, inputs={F: 0})
    times, response = linear.to_state_space().step(T=np.linspace(0, 3, 40))
    run = OSCILLATOR.simulate((0, 3), [0, 0], numbers, inputs={F: 1}, t_eval=times, rtol=1e-10)
    np.testing.assert_allclose(response[:, 0], run[q], atol=1e-8)
    np.testing.assert_allclose(response[:, 1], -5 * run[q], atol=1e-7)


def test_without_outputs_of_the_model_the_state_space_gives_the_states():
    linear = oscillator().linearize([0, 0], {m: 1, c: 1, k: 1}, inputs={F: 0})
    np.testing.assert_array_equal(linear.to_state_space().C, np.eye(2))


def test_what_is_printed_names_states_inputs_outputs_and_modes():
    linear = OSCILLATOR.linearize([0, 0], {m: 1, c: 2, k: 101}, inputs={F: 0})
    text = str(linear)
    for part in ("states   q, u", "inputs   F", "outputs  deflection, spring force", "stable   yes", "-1 +- 10i"):
        assert part in text, part
    assert "10.0499 0.0995037" in " ".join(text.split())
