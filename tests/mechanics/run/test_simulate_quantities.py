"""What a run of a model answers: expressions of its letters, energies, states between samples."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import sympy as sm
from contact_models import TIGHT, ball, contact, cube, linkage
from mechanics_oracle import bead_on_hoop
from oracles.free_cube import rotation_313, spin_313
from sympy.physics.mechanics import (
    Particle,
    PinJoint,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)
from trajectory import check_trajectory

from sympact import HybridModel, Plane, models
from sympact.integrate.result import Result

t = dynamicsymbols._t


@cache
def tumbling() -> tuple[models.ReadyModel, Result]:
    ready = models.tumbling_cube()
    result = ready.simulate(**TIGHT)
    check_trajectory(result, ready.model, ready.parameters)
    return ready, result


def test_states_by_letter_name_and_place():
    ready, result = tumbling()
    for i, state in enumerate(ready.model.x):
        assert np.array_equal(result[state], result.x[i])
        assert np.array_equal(result[state.func.__name__], result.x[i])
        assert np.array_equal(result[i], result.x[i])


def test_rates_of_coordinates_and_arithmetic():
    ready, result = tumbling()
    x, z, v_z = ready.model.q[0], ready.model.q[2], ready.model.u[2]
    assert np.array_equal(result[z.diff(t)], result[v_z])
    np.testing.assert_allclose(result[sm.sqrt(x**2 + z**2) + t], np.hypot(result[x], result[z]) + result.t, rtol=1e-15)
    assert np.array_equal(result[sm.Integer(3)], np.full(len(result.t), 3.0))


def test_heights_of_points():
    """The height of a corner from the user's own points, against the rotation matrix of the angles."""
    ready, result = tumbling()
    contact = ready.model.contacts[1]
    height = contact.point.pos_from(contact.surface.point).dot(contact.surface.normal)
    corner = np.array([1, 1, -1]) / 2
    exact = result.x[2] + (rotation_313(result.x[3:6].T).astype(float) @ corner)[:, 2]
    np.testing.assert_allclose(result[height], exact, rtol=0, atol=1e-14)
    gaps = np.array([result[gap] for gap in ready.model.gaps])
    assert gaps.min() >= -1e-12
    np.testing.assert_allclose(gaps[1], exact, rtol=0, atol=1e-14)


def test_energy_is_kept_in_flight_and_lost_as_the_impacts_certify():
    """T + m g z between impacts; over an impact it changes by the event's energy, the floor being at rest."""
    ready, result = tumbling()
    symbols = {symbol.name: symbol for symbol in ready.model.parameters}
    potential = symbols["m"] * symbols["g"] * ready.model.q[2]
    total = result.kinetic_energy + result[potential]
    sides = [np.flatnonzero(result.t == event.t) for event in result.events]
    cuts = [0, *(int(right) for _, right in sides), len(total)]
    for first, last in pairwise(cuts):
        np.testing.assert_allclose(total[first:last], total[first], rtol=0, atol=1e-11 * total[0])
    for event, (left, right) in zip(result.events, sides, strict=True):
        assert total[right] - total[left] == pytest.approx(event.energy, abs=1e-12 * total[0])
        assert event.energy < 0


def test_kinetic_energy_is_that_of_a_cube():
    """m v^2/2 + J w^2/2 with J = m a^2/6 about every axis."""
    _, result = tumbling()
    spin = spin_313(result.x[3:6].T, result.x[9:].T).astype(float)
    expected = (result.x[6:9] ** 2).sum(axis=0) / 2 + (spin**2).sum(axis=1) / 12
    np.testing.assert_allclose(result.kinetic_energy, expected, rtol=1e-13)


def test_expressions_follow_the_times_asked_for():
    ready, free = tumbling()
    times = np.linspace(0, 5, 101)
    z = ready.model.q[2]
    asked = ready.simulate(t_eval=times, **TIGHT)
    assert np.array_equal(asked[z**2], free(times)[2] ** 2)
    assert asked.kinetic_energy.shape == (101,)


def test_outputs_are_asked_for_by_name():
    y, v = dynamicsymbols("y v")
    m, g = sm.symbols("m g")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, y * N.y)
    system = System(N, O)
    system.add_bodies(Particle("ball", P, m))
    system.add_coordinates(y)
    system.add_speeds(v)
    system.add_kdes(v - y.diff(t))
    system.apply_uniform_gravity(-g * N.y)
    model = HybridModel(system, [], outputs={"power": -m * g * v, "depth": -y})
    result = model.simulate((0, 1), [0.0, 0.0], {m: 2.0, g: 10.0})
    np.testing.assert_allclose(result["power"], 200 * result.t, rtol=1e-13)
    assert np.array_equal(result["depth"], -result["y"])
    with pytest.raises(KeyError, match=r"no state and no output 'heat'; states \['y', 'v'\], outputs \['power',"):
        result["heat"]


def test_a_letter_the_model_does_not_have_is_named():
    _, result = tumbling()
    with pytest.raises(ValueError, match="cannot read k"):
        result[sm.Symbol("k") * 2]


def test_the_acceleration_of_a_corner_in_flight():
    """r'' = -g + w (w.r) - r w.w: no torque acts, and the inertia of a cube is the same about every axis.

    Near their gimbal lock angles have accelerations up to 1e5 rad/s^2, of which 1e-13 is left where they cancel.
    """
    ready, result = tumbling()
    contact = ready.model.contacts[1]
    height = contact.point.pos_from(contact.surface.point).dot(contact.surface.normal)
    arm = (rotation_313(result.x[3:6].T) @ (np.array([1, 1, -1]) / 2)).astype(float)
    spin = spin_313(result.x[3:6].T, result.x[9:].T).astype(float)
    exact = -9.8 + spin[:, 2] * (spin * arm).sum(axis=1) - arm[:, 2] * (spin**2).sum(axis=1)
    np.testing.assert_allclose(result[height.diff(t, 2)], exact, rtol=0, atol=1e-8)
    np.testing.assert_allclose(result[ready.model.u[2].diff(t)], -9.8, rtol=1e-14)


def test_accelerations_contain_the_forces_of_contacts():
    """A rod that slides down a wall turns with -3 g cos(theta)/(2 l), then is pushed by the floor alone."""
    ready = models.rod_on_wall()
    result = ready.simulate()
    check_trajectory(result, ready.model, ready.parameters)
    x, y, theta = ready.model.q
    numbers = ready.named_parameters()
    leaves = result.events.of("A on wall").t[-1]
    slides = result.stages == "A on wall, B on floor"
    assert slides.sum() > 5
    turning = -1.5 * numbers["g"] / numbers["l"] * np.cos(result[theta])
    np.testing.assert_allclose(result[theta.diff(t, 2)][slides], turning[slides], rtol=1e-9)
    np.testing.assert_allclose(result[x.diff(t, 2)][result.t > leaves], 0.0, rtol=0, atol=1e-9)
    foot = x + numbers["l"] / 2 * sm.cos(theta), y - numbers["l"] / 2 * sm.sin(theta)
    np.testing.assert_allclose(result[foot[1].diff(t, 2)][slides], 0.0, rtol=0, atol=1e-9)
    assert result[foot[0].diff(t, 2)][slides].max() > 1.0


def test_what_is_known_of_derivatives_is_told():
    ready, result = tumbling()
    z, v_z = ready.model.q[2], ready.model.u[2]
    for unknown in (v_z.diff(t, 2), 1 + z.diff(t, 3), v_z.diff(t) + sm.Derivative(z * v_z, t)):
        with pytest.raises(ValueError, match=r"a result has no Derivative\(.*the second ones of coordinates"):
            result[unknown]
    np.testing.assert_allclose(result[(z * v_z).diff(t)], result[v_z] ** 2 - 9.8 * result[z], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        (ReferenceFrame("N").x, "N.x, a Vector"),
        (ReferenceFrame("N").x.outer(ReferenceFrame("N").x), "(N.x|N.x), a Dyadic"),
        (sm.Matrix([1, 2]), "Matrix([[1], [2]]), a MutableDenseMatrix"),
        (sm.MatrixSymbol("A", 2, 2), "A, a MatrixSymbol"),
        ([1, 2], "[1, 2], a list"),
        (None, "None, a NoneType"),
    ],
)
def test_what_is_no_scalar_is_refused_with_the_cure(key, kind):
    _, result = tumbling()
    with pytest.raises(TypeError, match="ask for a component of a vector, such as") as error:
        result[key]
    assert f"cannot evaluate {kind}: expected one scalar expression" in str(error.value)


def test_letters_that_drop_out_have_the_numbers_that_were_given():
    """A planar motion does not depend on the moments about the axes in the plane; what a joint bears may."""
    ground, rod = RigidBody("ground"), RigidBody("rod")
    J = sm.Symbol("J")
    rod.central_inertia = inertia(rod.frame, J, 1, 2)
    system = System.from_newtonian(ground)
    system.add_joints(PinJoint("pin", ground, rod, joint_axis=ground.z))
    model = HybridModel(system, [])
    result = model.simulate((0, 1), [0.0, 1.0], dict.fromkeys(model.parameters, 1.0) | {J: 3.0})
    assert result[J * model.u[0]] == pytest.approx(np.full(len(result.t), 3.0), rel=1e-14)
    assert result.kinetic_energy[0] == 1.0


def test_the_dense_output_follows_the_flow():
    """Its derivative is the flow, to the accuracy of a difference quotient."""
    case = linkage()
    result = case.simulate((0, 0.4), [0.4, -0.3, 0.2, 0.5, -1.0, 0.8], {"h": 5.0}, **TIGHT)
    compiled, p = case.model.compile(), case.model.compile().parameters(case.parameters(h=5.0))
    step = 1e-4
    for time in np.linspace(0.05, 0.35, 7):
        slope = (result(time + step) - result(time - step)) / (2 * step)
        np.testing.assert_allclose(slope, compiled.flow(time, result(time), p), rtol=0, atol=1e-4)


def test_a_kanes_method_runs():
    """A bead on a hoop that turns at the rate W keeps r^2 (q'^2 - W^2 sin^2 q)/2 - g r cos q until it meets a plane."""
    method, bead, centre = bead_on_hoop()
    model = HybridModel(method, [contact(bead, Plane(centre, method._inertial.z), "plane")])
    numbers = {"m": 0.7, "r": 1.5, "g": 9.8, "Omega": 2.0, "e": 0.6}
    parameters = {symbol: numbers[symbol.name] for symbol in model.parameters}
    result = model.simulate((0, 2), [2.5, 0.0], parameters, **TIGHT)
    check_trajectory(result, model, parameters)
    q, u = result.x
    integral = 1.5**2 * (u**2 - 4 * np.sin(q) ** 2) / 2 - 9.8 * 1.5 * np.cos(q)
    first = result.events[0]
    before = result.t < first.t
    np.testing.assert_allclose(integral[before], integral[0], rtol=1e-11)
    assert first.x_minus[0] == pytest.approx(np.pi / 2, abs=1e-12)
    assert first.x_plus[1] == pytest.approx(-0.6 * first.x_minus[1], rel=1e-12)


def test_functions_refuse_arrays_of_another_shape():
    """The machine code reads memory: a short array would be read beyond its end."""
    compiled = ball().model.compile()
    x, p = np.array([1.0, 0.0]), np.array([0.5, 9.8, 1.0])
    assert compiled.flow(0.0, x, p).tolist() == [0.0, -9.8]
    for call in (compiled.flow, compiled.mass_forcing, compiled.gaps, compiled.kinetic_energy):
        with pytest.raises(ValueError, match=r"x has the shape \(1,\), expected \(2,\): \[y\(t\), v\(t\)\]"):
            call(0.0, x[:1], p)
        with pytest.raises(ValueError, match=r"p has the shape \(4,\), expected \(3,\): \[e, g, m\]"):
            call(0.0, x, np.append(p, 1.0))
    assert compiled.flow(0, [1, 0], [0.5, 9.8, 1]).tolist() == [0.0, -9.8]


def test_a_saved_run_answers_bit_for_bit(tmp_path):
    from sympact import load

    case = cube("quaternion")
    result = case.simulate((0, 3), [0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 3.0, -2.0, 1.0])
    result.save(tmp_path / "cube.npz")
    again = load(tmp_path / "cube.npz")
    times = np.linspace(*result.t_span, 1001)
    for side in ("left", "right"):
        assert np.array_equal(result(times, side), again(times, side))
        assert np.array_equal(result(result.events.t, side), again(result.events.t, side))
    assert np.array_equal(result.x, again.x)
    assert again.table() == result.table()
    assert (again.status, again.path, again.state_names) == (result.status, result.path, result.state_names)
    assert (again.t_inf, again.t_inf_error) == pytest.approx((result.t_inf, result.t_inf_error), nan_ok=True)
    for event, known in zip(again.events, result.events, strict=True):
        assert (event.kind, event.window, event.nearest) == (known.kind, known.window, known.nearest)
    np.testing.assert_allclose(again.kinetic_energy, result.kinetic_energy, rtol=1e-13)
