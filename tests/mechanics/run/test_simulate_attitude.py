"""Free bodies turned by three angles are integrated in a quaternion: the motion of the angles, and beyond a lock."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sm
from contact_models import TIGHT, Case
from hypothesis import strategies as st
from quick_members import examples, members
from scipy.special import ellipj
from sympy.physics.mechanics import ReferenceFrame, RigidBody, System, Torque, dynamicsymbols, inertia
from sympy.physics.vector import Point

from sympact import Contact, HybridModel, Interpolated, Plane, Status, load, models

t = dynamicsymbols._t
SEQUENCES = [a + b + c for a in "XYZ" for b in "XYZ" for c in "XYZ" if a != b != c]
WAYS = ("body", "space", "one by one")
SPEEDS = ("rates", "frame", "parent")
EDGES, MOMENTS = (0.6, 0.4, 0.5), (0.1, 0.17, 0.22)
NUMBERS = {"e": 0.6, "mu": 0.4}


def turned(frame: ReferenceFrame, parent: ReferenceFrame, angles, sequence: str, way: str) -> None:
    """Turn a frame by three angles."""
    if way == "body":
        frame.orient_body_fixed(parent, angles, sequence)
    elif way == "space":
        frame.orient_space_fixed(parent, angles, sequence)
    else:
        for k, (axis, angle) in enumerate(zip(sequence, angles, strict=True)):
            after = frame if k == 2 else ReferenceFrame(f"{frame.name}_{k}")
            after.orient_axis(parent, angle, getattr(parent, axis.lower()))
            parent = after


def box(
    sequence: str = "ZXZ",
    way: str = "body",
    speeds: str = "rates",
    *,
    tilt: bool = False,
    signs=(1, 1, 1),
    moments=MOMENTS,
    friction: bool = False,
    torque=None,
    corners: bool = True,
    **options,
) -> Case:
    """A box above a floor. State [x, y, z, a, b, c, u1..u6]; the last three speeds are as `speeds` says."""
    N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    parent = N.orientnew("P", "Body", [0.3, -0.7, 0.4], "XYZ") if tilt else N
    place, angles, u = dynamicsymbols("x y z"), dynamicsymbols("a b c"), dynamicsymbols("u1:7")
    turned(B, parent, [sign * angle for sign, angle in zip(signs, angles, strict=True)], sequence, way)
    C = O.locatenew("C", sum((q * axis for q, axis in zip(place, N, strict=True)), start=0 * N.x))
    spin = B.ang_vel_in(parent)
    turning = [angle.diff(t) for angle in angles] if speeds == "rates" else None
    turning = turning or [spin.dot(axis) for axis in (B if speeds == "frame" else parent)]
    system = System(N, O)
    system.add_bodies(RigidBody("box", C, B, 2.0, (inertia(B, *moments), C)))
    system.add_coordinates(*place, *angles)
    system.add_speeds(*u)
    system.add_kdes(*(rate - speed for rate, speed in zip([*(q.diff(t) for q in place), *turning], u, strict=True)))
    system.apply_uniform_gravity(-9.81 * N.z)
    if torque is not None:
        system.add_loads(Torque(B, torque(B, N, angles, u)))
    e, mu, floor = sm.Symbol("e"), sm.Symbol("mu") if friction else 0, Plane(O, N.z)
    contacts = []
    for signs in product((1, -1), repeat=3) if corners else ():
        arm = sum((s * edge / 2 * axis for s, edge, axis in zip(signs, EDGES, B, strict=True)), start=0 * B.x)
        corner = C.locatenew("corner" + "".join("+-"[s < 0] for s in signs), arm)
        contacts.append(Contact(corner, floor, restitution=e, friction=mu, name=corner.name))
    return Case(HybridModel(system, contacts, **options), NUMBERS)


@cache
def pair(*key, **options) -> tuple[Case, Case]:
    """The box by quaternion, and by its own angles."""
    return box(*key, **options), box(*key, **options, attitude="angles")


START = np.array([0, 0, 1.0, 0.7, 1.9, -0.4, 1, 0, 0, 2.0, -1.0, 3.0])


def agree(one, other, bound: float) -> None:
    """The same events at the same times, and the same states between them."""
    assert [event.contacts for event in one.events] == [event.contacts for event in other.events]
    np.testing.assert_allclose(one.events.t, other.events.t, rtol=0, atol=bound)
    times = np.linspace(*one.t_span, 97)
    times = times[(np.abs(times[:, np.newaxis] - other.events.t) > 1e-6).all(axis=1)]
    scale = 1.0 + np.abs(other.x).max(axis=1, keepdims=True)
    assert (np.abs(one(times) - other(times)) / scale).max() <= bound


@examples(
    4,
    40,
    sequence=st.sampled_from(SEQUENCES),
    way=st.sampled_from(WAYS),
    speeds=st.sampled_from(SPEEDS),
    tilt=st.booleans(),
    signs=st.tuples(*[st.sampled_from((1, -1))] * 3),
    angles=st.tuples(st.floats(-9, 9), st.floats(0.4, 1.2), st.floats(-9, 9)),
    turns=st.integers(-3, 3),
)
def test_the_motion_is_that_in_angles(sequence, way, speeds, tilt, signs, angles, turns):
    """For all angles of rotations about perpendicular axes, and all speeds; a flight and its first impacts."""
    quaternion, own = (case.model for case in pair(sequence, way, speeds, tilt=tilt, signs=signs))
    assert quaternion.attitudes == {"B": "quaternion"}
    beta = angles[1] - (0 if sequence[0] == sequence[2] else 0.8) + 2 * np.pi * turns
    start = [0, 0, 0.7, angles[0], beta, angles[2], 1, 0, 0, 0.5, -0.3, 0.8]
    runs = [model.simulate((0, 0.5), start, {sm.Symbol("e"): 0.6}, **TIGHT) for model in (quaternion, own)]
    agree(*runs, 1e-9)
    assert np.array_equal(runs[0].x[:, 0], start)


@pytest.mark.parametrize("speeds", members(SPEEDS, slow=["frame"]))
def test_a_throw_takes_fewer_steps(speeds):
    """A long flight, not far from a gimbal lock, and an impact; the runs pass the shared check."""
    start = [0, 0, 6.0, 0.7, 0.3, -0.4, 1, 0, 0, 4.0, -3.0, 5.0]
    runs = [case.simulate((0, 1.4), start, rtol=1e-10, atol=1e-12) for case in pair("ZXZ", "body", speeds)]
    agree(*runs, 1e-7)
    assert len(runs[0].events) > 0
    assert 2 * runs[0].steps < runs[1].steps


def test_forces_and_energies_are_those_in_angles():
    quaternion, own = (case.simulate((0, 1.2), START) for case in pair("XYZ", "body", "frame", friction=True))
    times = np.linspace(0, 1.2, 50)
    np.testing.assert_allclose(
        quaternion.normal_force_at(times), own.normal_force_at(times), rtol=0, atol=1e-4 * own.normal_force.max()
    )
    flight = quaternion.t < quaternion.events.t[0]
    np.testing.assert_allclose(quaternion.energy[flight], quaternion.energy[0], rtol=1e-9)


def free_top(moments, spin, span):
    """A free box with angles Z, X, Z whose angular momentum is along N.z, and its run."""
    case = box("ZXZ", "body", "frame", moments=moments, corners=False)
    momentum = np.array(moments) * spin
    size = np.linalg.norm(momentum)
    beta, gamma = np.arccos(momentum[2] / size), np.arctan2(momentum[0], momentum[1])
    start = [0, 0, 0, 0, beta, gamma, 0, 0, 0, *spin]
    return size, start, case.simulate(span, start, **TIGHT)


def test_a_symmetric_top_precesses_for_many_turns():
    """theta' = 0, psi' = L / A, phi' = (1 / C - 1 / A) L cos(theta): angles grow over thirty turns."""
    a, c = 0.3, 0.1
    size, start, result = free_top((a, a, c), np.array([1.0, 2.0, 9.0]), (0, 60))
    times = np.linspace(0, 60, 1001)
    psi, theta, phi = result(times)[3:6]
    tilt, gamma = start[4:6]
    np.testing.assert_allclose(psi, size / a * times, rtol=0, atol=1e-8)
    np.testing.assert_allclose(theta, tilt, rtol=0, atol=1e-9)
    np.testing.assert_allclose(phi, gamma + (1 / c - 1 / a) * size * np.cos(tilt) * times, rtol=0, atol=1e-8)
    assert psi[-1] > 60 * np.pi


def test_an_asymmetric_top_turns_as_jacobi_says():
    """Landau and Lifshitz, section 37: omega by sn, cn, dn; theta and phi from the fixed angular momentum."""
    i1, i2, i3 = 0.1, 0.2, 0.4
    spin = np.array([0.5, 0.0, 2.0])
    size, _, result = free_top((i1, i2, i3), spin, (0, 20))
    twice = i1 * spin[0] ** 2 + i3 * spin[2] ** 2
    tau = np.sqrt((i3 - i2) * (size**2 - twice * i1) / (i1 * i2 * i3))
    modulus = (i2 - i1) * (twice * i3 - size**2) / ((i3 - i2) * (size**2 - twice * i1))
    times = np.linspace(0, 20, 401)
    sn, cn, dn, _ = ellipj(tau * times, modulus)
    w = np.array([spin[0] * cn, np.sqrt((twice * i3 - size**2) / (i2 * (i3 - i2))) * sn, spin[2] * dn])
    found = result(times)
    np.testing.assert_allclose(found[9:], w, rtol=0, atol=1e-9)
    momentum = np.array([i1, i2, i3])[:, np.newaxis] * w / size
    np.testing.assert_allclose(np.cos(found[4]), momentum[2], rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.sin(found[4]) * np.sin(found[5]), momentum[0], rtol=0, atol=1e-9)
    rate = size * (i1 * w[0] ** 2 + i2 * w[1] ** 2) / ((i1 * w[0]) ** 2 + (i2 * w[1]) ** 2)
    psi = np.concatenate([[0.0], np.cumsum((rate[1:] + rate[:-1]) / 2 * np.diff(times))])
    np.testing.assert_allclose(found[3], psi, rtol=0, atol=1e-2)
    assert np.abs(np.diff(found[3:6])).max() < 1.0


LOCKS = [*product(("ZXZ", "XYZ", "YZX"), ["rates"], (False, True)), *product(["ZXZ"], ["parent"], (False, True))]
UPRIGHT = [("ZXZ", "rates", False), ("YZX", "rates", False), ("YZX", "rates", True), ("ZXZ", "parent", False)]


@pytest.mark.parametrize(("sequence", "speeds", "tilt"), members(LOCKS, slow=UPRIGHT))
def test_a_body_passes_through_gimbal_locks(sequence, speeds, tilt):
    """It turns about the axis of its second angle, through five locks; the other angles stay."""
    case = box(sequence, speeds=speeds, tilt=tilt, corners=False)
    spin = {"rates": (0, 4, 0), "parent": (4, 0, 0)}[speeds]
    result = case.simulate((0, 4), [0, 0, 0, 0, 0.3, 0, 0, 0, 0, *spin], **TIGHT)
    times = np.linspace(0, 4, 333)
    expected = np.zeros((6, len(times)))
    expected[1] = 0.3 + 4 * times
    expected[3:] = np.array(spin)[:, np.newaxis]
    np.testing.assert_allclose(result(times)[[3, 4, 5, 9, 10, 11]], expected, rtol=0, atol=1e-9)
    np.testing.assert_allclose(result.x[4], 0.3 + 4 * result.t, rtol=0, atol=1e-9)


@pytest.mark.parametrize("speeds", SPEEDS)
def test_a_run_may_start_at_a_gimbal_lock(speeds):
    """Every orientation there has many angles; what moves is the orientation."""
    start = [0, 0, 0.8, 0.4, 0.0, 0.3, 0, 0, 0, 0.0, 2.0, 1.0]
    quaternion, own = (case.model for case in pair("ZXZ", "body", speeds))
    with pytest.raises(ValueError, match=r"gimbal lock|mass matrix is not finite"):
        own.simulate((0, 1), start, {sm.Symbol("e"): 0.6})
    result = quaternion.simulate((0, 1), start, {sm.Symbol("e"): 0.6})
    assert result.status is Status.FINISHED
    assert np.array_equal(result.x[:, 0], start)
    assert len(result.events) > 1
    later = result.events[0]
    again = quaternion.simulate((later.t, 1), later.x_plus, {sm.Symbol("e"): 0.6})
    assert again.events[0].t == pytest.approx(result.events[1].t, abs=1e-8)
    flight = result.t < later.t
    np.testing.assert_allclose(result.gaps[:, 0].min(), 0.8 - 0.25, atol=1e-15)
    np.testing.assert_allclose(result.energy[flight][1:], result.energy[1], rtol=1e-8)


def test_a_box_comes_to_rest_on_a_face_at_a_gimbal_lock():
    """theta = pi and 0 are faces: in angles the run ends there, in a quaternion the box lies still."""
    quaternion, own = (case.model for case in pair("ZXZ", "body", "frame", friction=True))
    start = [0, 0, 1.0, 0.4, 1.1, 0.3, 1, 0, 0, 1.48207606, 1.40728561, 1.40719224]
    numbers = {sm.Symbol("e"): 0.3, sm.Symbol("mu"): 0.4}
    result = quaternion.simulate((0, 2.5), start, numbers)
    assert result.t_span[1] == 2.5
    assert "at rest" in result.stages[-1]
    assert abs(np.sin(result.x[4, -1])) < 1e-8
    assert not result.x[6:, -1].any()
    np.testing.assert_array_equal(result(2.0), result.x[:, -1])
    weight = result.normal_force[:, -1].sum()
    assert weight == pytest.approx(2.0 * 9.81, rel=1e-9)
    assert own.simulate((0, 2.5), start, numbers).t_span[1] < 2.0


KEPT = {
    "a spring": (lambda B, N, q, u: -q[0] * B.x, r"angles: a\(t\) outside"),
    "a torque along an axis of an angle": (lambda B, N, q, u: sm.cos(q[1]) * B.y, r"angles: b\(t\) outside"),
    "damping of a rate": (lambda B, N, q, u: -0.1 * q[1].diff(t) * B.x, r"angles: Derivative\(b\(t\), t\)"),
    "damping of a speed that is a rate": (lambda B, N, q, u: -0.1 * u[4] * B.x, r"angles: u5\(t\) outside"),
}


@pytest.mark.parametrize("name", members(KEPT, slow=["a torque along an axis of an angle"]))
def test_what_else_contains_an_angle_keeps_the_angles(name):
    torque, told = KEPT[name]
    model = box("XYZ", torque=torque).model
    assert re.match(told, model.attitudes["B"])
    result = Case(model, NUMBERS).simulate((0, 0.5), START)
    own = box("XYZ", torque=torque, attitude="angles").simulate((0, 0.5), START)
    np.testing.assert_array_equal(result.x, own.x)


def test_loads_in_other_letters_are_taken_along():
    """Torques in the frames, by components of the angular velocity, and by time."""

    def torque(B, N, q, u):
        return 0.3 * N.z - 0.1 * (u[3] * B.x + u[4] * B.y + u[5] * B.z) + sm.sin(3 * t) * B.y

    quaternion, own = pair("XYZ", speeds="frame", torque=torque)
    assert quaternion.model.attitudes == {"B": "quaternion"}
    agree(*(case.simulate((0, 0.8), START, **TIGHT) for case in (quaternion, own)), 1e-9)


def test_inputs_of_time_are_taken_along_and_those_of_the_state_see_the_angles():
    force = dynamicsymbols("F")
    case = box("XYZ", speeds="frame", torque=lambda B, N, q, u: force * B.x)
    own = box("XYZ", speeds="frame", torque=lambda B, N, q, u: force * B.x, attitude="angles")
    angle, numbers = case.model.q[3], {sm.Symbol("e"): 0.6}
    ways = {
        "a number": 0.4,
        "a formula of time": sm.sin(3 * t),
        "a formula of another coordinate": case.model.q[2] - case.model.u[2],
        "a formula of an angle": -2 * angle,
        "data": Interpolated([0.0, 1.0, 2.0], [0.0, 1.0, -1.0], "cubic"),
        "a function of time": lambda time: np.sin(3 * time),
        "a function of the state": lambda time, x: -2 * x[3],
    }
    found = {}
    for name, way in ways.items():
        quaternion, angles = (
            one.model.simulate((0, 0.7), START, numbers, inputs={force: way}, **TIGHT) for one in (case, own)
        )
        agree(quaternion, angles, 1e-9)
        found[name] = quaternion.steps < angles.steps
    assert [name for name, fewer in found.items() if not fewer] == ["a formula of an angle", "a function of the state"]


def test_conditions_in_the_equations_are_taken_along():
    """Their switches are events of both runs, under the same names."""

    def torque(B, N, q, u):
        by_place = sm.Piecewise((0.3, u[0] > 1), (-0.2, True))
        return by_place * N.z - 0.05 * sm.Abs(u[3]) * B.x + 0.1 * sm.sign(u[2]) * B.y

    quaternion, own = pair("XYZ", speeds="frame", torque=torque)
    runs = [case.model.simulate((0, 0.8), START, {sm.Symbol("e"): 0.6}, **TIGHT) for case in (quaternion, own)]
    assert "switch" in {event.kind for event in runs[0].events}
    assert runs[0].path == runs[1].path
    agree(*runs, 1e-9)


def test_velocities_that_sympy_stored_in_angles_do_not_matter():
    """`form_eoms`, and asking for a velocity, leave velocities in the points, written in rates of angles."""
    case = box("XYZ", corners=False)
    case.model.source.form_eoms()
    centre, frame = case.model.source.bodies[0].masscenter, case.model.source.frame
    corner = centre.locatenew("corner", 0.3 * case.model.source.bodies[0].frame.x)
    assert corner.v2pt_theory(centre, frame, case.model.source.bodies[0].frame) != 0
    floor = Plane(case.model.source.fixed_point, frame.z)
    contact = Contact(corner, floor, restitution=0.5, friction=0)
    runs = [HybridModel(case.model.source, [contact], attitude=way) for way in ("quaternion", "angles")]
    assert runs[0].attitudes == {"B": "quaternion"}
    agree(*(model.simulate((0, 0.7), START, {}, **TIGHT) for model in runs), 1e-9)


def test_several_bodies_choose_for_themselves():
    """Three spinning bodies: one by angles, one whose spring needs its angle, one that carries another."""
    N, O = ReferenceFrame("N"), Point("O")
    system, start = System(N, O), {}
    for k, name in enumerate("DEF"):
        frame, angles, u = ReferenceFrame(name), dynamicsymbols(f"{name}1:4"), dynamicsymbols(f"v{name}1:4")
        frame.orient_body_fixed(N, angles, "123")
        system.add_bodies(RigidBody(f"body {name}", O, frame, 1, (inertia(frame, 1, 2, 3), O)))
        system.add_coordinates(*angles)
        system.add_speeds(*u)
        system.add_kdes(*(angle.diff(t) - speed for angle, speed in zip(angles, u, strict=True)))
        start |= dict(zip([*angles, *u], [0.1, 0.2, 0.3, 1.0 + k, -2.0, 0.5], strict=True))
        if name == "E":
            system.add_loads(Torque(frame, -angles[0] * frame.x))
        if name == "F":
            rotor, angle, speed = ReferenceFrame("R"), *dynamicsymbols("r w")
            rotor.orient_axis(frame, angle, frame.z)
            system.add_bodies(RigidBody("rotor", O, rotor, 1, (inertia(rotor, 1, 1, 1), O)))
            system.add_coordinates(angle)
            system.add_speeds(speed)
            system.add_kdes(angle.diff(t) - speed)
            start |= {angle: 0.0, speed: 3.0}
    runs = [HybridModel(system, [], attitude=way) for way in ("quaternion", "angles")]
    assert runs[0].attitudes == {
        "D": "quaternion",
        "E": "angles: E1(t) outside of the rotation",
        "F": "angles: the motion of 'rotor' depends on it",
    }
    agree(*(model.simulate((0, 3), start, {}, **TIGHT) for model in runs), 1e-9)


def test_bodies_may_have_frames_of_one_name():
    N, O = ReferenceFrame("N"), Point("O")
    system, start, numbers = System(N, O), {}, sm.symbols("e_B0 omega_B2")
    for k in range(2):
        frame, angles, u = ReferenceFrame("B"), dynamicsymbols(f"q{k}_1:4"), dynamicsymbols(f"u{k}_1:4")
        frame.orient_body_fixed(N, angles, "313")
        system.add_bodies(RigidBody(f"body {k}", O, frame, 1, (inertia(frame, 1, 2 + numbers[k], 4), O)))
        system.add_coordinates(*angles)
        system.add_speeds(*u)
        system.add_kdes(*(angle.diff(t) - speed for angle, speed in zip(angles, u, strict=True)))
        start |= dict(zip([*angles, *u], [0.1, 1.2, 0.3, 1.0 + k, -2.0, 0.5], strict=True))
    runs = [HybridModel(system, [], attitude=way) for way in ("quaternion", "angles")]
    assert runs[0].attitudes == {"B": "quaternion", "B (2)": "quaternion"}
    agree(*(model.simulate((0, 3), start, dict.fromkeys(numbers, 0.5), **TIGHT) for model in runs), 1e-8)


def test_fixed_steps_and_python_laws_integrate_the_angles():
    quaternion, own = pair("ZXZ", "body", "frame")
    options = {"method": "RK4", "max_step": 1e-3}
    one, other = (case.model.simulate((0, 0.3), START, {sm.Symbol("e"): 0.6}, **options) for case in (quaternion, own))
    np.testing.assert_array_equal(one.x, other.x)


@pytest.mark.parametrize("method", ["RK45", "DOP853", "Radau", "LSODA"])
def test_adaptive_methods_integrate_the_quaternion(method):
    quaternion, own = pair("ZXZ", "body", "rates")
    options = {"method": method, "rtol": 1e-8, "atol": 1e-10}
    one, other = (case.model.simulate((0, 0.6), START, {sm.Symbol("e"): 0.6}, **options) for case in (quaternion, own))
    assert one.steps < other.steps
    agree(one, other, 1e-4)


def test_a_run_continues_from_each_of_its_events():
    case, _ = pair("ZXZ", "body", "rates")
    whole = case.simulate((0, 1.5), START, **TIGHT)
    for k in range(6):  # the impacts before the first accumulation
        event, following = whole.events[k], whole.events[k + 1]
        again = case.simulate((event.t, 1.5), event.x_plus, **TIGHT, max_events=1)
        assert again.events[0].t == pytest.approx(following.t, abs=1e-9)
        np.testing.assert_allclose(again.events[0].x_plus, following.x_plus, rtol=0, atol=1e-6)


def test_asked_times_files_and_expressions(tmp_path):
    ready = models.tumbling_cube()
    times = np.linspace(0, 5, 501)
    result, asked = ready.simulate(), ready.simulate(t_eval=times)
    np.testing.assert_array_equal(asked.x, result(times))
    assert np.abs(np.diff(result(np.linspace(0, 5, 20001))[3:6])).max() < 0.2, "the angles are continuous"
    assert asked.x[3].max() > 4 * np.pi, "and counted"
    theta = ready.model.q[4]
    np.testing.assert_allclose(result[sm.sin(theta) ** 2 + sm.cos(theta) ** 2], 1.0, rtol=0, atol=1e-15)
    result.save(tmp_path / "cube.npz")
    again = load(tmp_path / "cube.npz")
    np.testing.assert_array_equal(again.x, result.x)
    np.testing.assert_array_equal(again(times), result(times))
    assert again.table() == result.table()
    for event, other in zip(result.events, again.events, strict=True):
        np.testing.assert_array_equal(event.x_plus, other.x_plus)


def test_a_fault_keeps_the_run_in_angles():
    torque = dynamicsymbols("T")
    case = box("XYZ", speeds="frame", torque=lambda B, N, q, u: torque * B.x)

    def failing(time: float) -> float:
        if time > 0.2:
            raise RuntimeError("stop")
        return 0.0

    with pytest.raises(RuntimeError, match="stop") as caught:
        case.model.simulate((0, 1), START, {sm.Symbol("e"): 0.6}, inputs={torque: failing})
    result = caught.value.result
    assert result.state_names[3:6] == ("a", "b", "c")
    np.testing.assert_array_equal(result.x[:, 0], START)
    assert 0.05 < result.t_span[1] <= 0.2


def test_tolerances_are_those_of_the_user():
    ready = models.tumbling_cube()
    atol = np.full(12, 1e-9)
    atol[4] = 1e-11
    assert ready.simulate(atol=1e-11).settings["atol"] == 1e-11
    assert ready.simulate(atol=atol).settings["atol"] == atol.tolist()
    assert ready.simulate(atol=atol, rtol=1e-12).steps > ready.simulate(rtol=1e-6).steps
