"""The promise: with contacts closed, A is that of the motion with these contacts, in independent coordinates."""

from functools import cache

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, System, dynamicsymbols
from trajectory import check_trajectory

from sympact import Contact, Cylinder, HybridModel, Implicit, Plane, Sphere
from sympact.models import belt_oscillator, rocking_block, tumbling_cube
from sympact.models.blocks.rocking_block import HEIGHT, WIDTH
from sympact.models.planar import planar_body, planar_system

DIAGONAL, G = np.hypot(WIDTH, HEIGHT), 9.81
q, u = sm.Matrix(dynamicsymbols("x y theta")), sm.Matrix(dynamicsymbols("v_x v_y omega"))
N, B, O = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
B.orient_axis(N, q[2], N.z)
C = O.locatenew("C", q[0] * N.x + q[1] * N.y)
m, r, R, k, g, mu = sm.symbols("m r R k g mu", positive=True)
PIPE, BOWL = Cylinder(O, N.z, R, inside=True), Implicit(O, N, lambda x, y, z: R**2 - x**2 - y**2, name="bowl")


@cache
def disc_in(name: str) -> HybridModel:
    """A disc of radius r and moment k m r^2 on the inside of a pipe of radius R."""
    surface, friction = PIPES[name]
    body = planar_body("disc", C, B, m, k * m * r**2)
    contact = Contact(Sphere(C, r, frame=B), surface, restitution=0, friction=friction, name="pipe")
    return HybridModel(planar_system(N, O, [body], q, u, g), [contact])


PIPES = {"pipe": (PIPE, 0), "rough pipe": (PIPE, mu), "bowl": (BOWL, 0), "rough bowl": (BOWL, mu)}
SIZES = {m: 1.7, r: 0.2, R: 1.1, k: 0.4, g: G}


@pytest.mark.parametrize(("friction", "squared"), [(0.0, 6.0 * G / DIAGONAL), (0.6, 1.5 * G / DIAGONAL)])
def test_a_block_balanced_on_its_corner_falls_at_the_rate_of_its_inertia(friction, squared):
    """m g d/2 over m d^2/12 on a smooth floor, where the centre stays; over m d^2/3 about a corner that sticks."""
    block = rocking_block(0.3, friction)
    tilt = np.arctan2(WIDTH, HEIGHT)
    linear = block.model.linearize([0, DIAGONAL / 2, tilt, 0, 0, 0], block.parameters, closed=["left"])
    growth = linear.eigenvalues().real
    np.testing.assert_allclose(growth[[0, -1]], np.sqrt(squared) * np.array([1, -1]), rtol=1e-12)
    np.testing.assert_allclose(growth[1:-1], 0, atol=1e-12)
    assert linear.stable is False
    assert list(linear.closed) == ["left"]
    np.testing.assert_allclose(linear.basis[1], 0, atol=1e-12)  # above its corner the centre neither rises nor falls


def test_a_block_on_both_corners_can_only_slide():
    block = rocking_block(0.3, 0.0)
    linear = block.model.linearize([0.2, HEIGHT / 2, 0, 0.5, 0, 0], block.parameters)
    assert [str(state) for state in linear.states] == ["x(t)", "v_x(t)"]
    np.testing.assert_allclose(linear.A, [[0, 1], [0, 0]], atol=1e-14)
    np.testing.assert_allclose(linear.basis.T, np.eye(6)[[0, 3]], atol=1e-14)


def test_a_block_that_sticks_on_both_corners_has_no_speed_left():
    """Its place on the floor is left: a change of it is another equilibrium."""
    block = rocking_block(0.3, 0.5)
    linear = block.model.linearize([0.2, HEIGHT / 2, 0, 0, 0, 0], block.parameters)
    assert linear.A.tolist() == [[0.0]]
    assert set(linear.closed.values()) == {"sticks"}


@pytest.mark.parametrize("name", ["pipe", "bowl"])
def test_a_smooth_disc_in_a_pipe_is_a_pendulum(name):
    """omega^2 = g/(R - r)."""
    linear = disc_in(name).linearize([0, -0.9, 0.3, 0, 0, 0], SIZES)
    fastest = linear.modes()[-1]
    assert fastest.frequency**2 == pytest.approx(G / 0.9, rel=1e-11)
    assert abs(fastest.eigenvalue.real) < 1e-11


@pytest.mark.parametrize("name", ["rough pipe", "rough bowl"])
def test_a_disc_that_rolls_in_a_pipe_is_slower_by_its_moment_of_inertia(name):
    """omega^2 = g/((R - r) (1 + k)), as in the textbooks of mechanics; one speed is left."""
    linear = disc_in(name).linearize([0, -0.9, 0.3, 0, 0, 0], SIZES | {mu: 0.7})
    assert linear.closed == {"pipe": "sticks"}
    assert len(linear.states) == 3  # two coordinates, one speed
    assert linear.modes()[-1].frequency ** 2 == pytest.approx(G / 0.9 / 1.4, rel=1e-11)


def tangent_of(curve, s: tuple[float, float], step: float = 1e-6) -> list[tuple[np.ndarray, np.ndarray]]:
    """The derivatives of x(s) and of F(s), for each parameter s of the states of a motion with one freedom."""
    found = []
    for i in range(2):
        ends = [curve(*(np.array(s) + side * step * np.eye(2)[i])) for side in (1, -1)]
        found.append(tuple((first - second) / (2 * step) for first, second in zip(*ends, strict=True)))
    return found


def assert_along(linear, curve, s, tolerance):
    """A dz = dz' for the changes of states with one freedom: its angle and its rate."""
    places = [list(linear.model_states).index(state) for state in linear.states]
    for change, slope in tangent_of(curve, s):
        expected = slope[places]
        np.testing.assert_allclose(linear.A @ change[places], expected, atol=tolerance * np.abs(expected).max())
        np.testing.assert_allclose(linear.basis @ change[places], change, atol=tolerance)


def corner_motion(angle: float, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """States and rates of a block that rotates about its lower left corner, by I_O theta'' = -m g x_C."""
    arm = np.array([WIDTH / 2 * np.cos(angle) - HEIGHT / 2 * np.sin(angle), 0.0])
    arm[1] = WIDTH / 2 * np.sin(angle) + HEIGHT / 2 * np.cos(angle)
    turning = -G * arm[0] / (DIAGONAL**2 / 3)
    across = np.array([-arm[1], arm[0]])
    velocity, acceleration = rate * across, turning * across - rate**2 * arm
    return np.array([*arm, angle, *velocity, rate]), np.array([*velocity, rate, *acceleration, turning])


def test_a_block_that_rotates_about_a_corner_is_linearized_along_its_motion():
    """Central differences at 1e-6 of the motion of one freedom."""
    block = rocking_block(0.3, 0.6)
    x, rate = corner_motion(0.2, -1.3)
    linear = block.model.linearize(x, block.parameters, closed=["left"])
    np.testing.assert_allclose(linear.rate, rate, atol=1e-12)
    assert_along(linear, corner_motion, (0.2, -1.3), 1e-8)


def pipe_motion(angle: float, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """States and rates of a smooth disc in a pipe, a pendulum of the length R - r that does not spin."""
    length = SIZES[R] - SIZES[r]
    turning = -G / length * np.sin(angle)
    out, across = np.array([np.sin(angle), -np.cos(angle)]), np.array([np.cos(angle), np.sin(angle)])
    velocity, acceleration = length * rate * across, length * (turning * across - rate**2 * out)
    return np.array([*length * out, 0, *velocity, 0]), np.array([*velocity, 0, *acceleration, 0])


@pytest.mark.parametrize("name", ["pipe", "bowl"])
def test_a_disc_in_a_pipe_is_linearized_along_its_motion(name):
    """The curvature of the surface enters with its third derivative."""
    x, rate = pipe_motion(0.7, 1.9)
    linear = disc_in(name).linearize(x, SIZES)
    np.testing.assert_allclose(linear.rate, rate, atol=1e-11)
    assert_along(linear, pipe_motion, (0.7, 1.9), 1e-7)


def rolling_motion(angle: float, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """The same of a disc that rolls without slip, r omega = -(R - r) rate."""
    length, ratio = SIZES[R] - SIZES[r], (SIZES[R] - SIZES[r]) / SIZES[r]
    turning = -G / length / (1 + SIZES[k]) * np.sin(angle)
    out, across = np.array([np.sin(angle), -np.cos(angle)]), np.array([np.cos(angle), np.sin(angle)])
    velocity, acceleration = length * rate * across, length * (turning * across - rate**2 * out)
    x = np.array([*length * out, -ratio * angle, *velocity, -ratio * rate])
    return x, np.array([*velocity, -ratio * rate, *acceleration, -ratio * turning])


def test_a_disc_that_rolls_in_a_pipe_is_linearized_along_its_motion():
    x, rate = rolling_motion(0.7, 1.9)
    linear = disc_in("rough pipe").linearize(x, SIZES | {mu: 5.0})
    np.testing.assert_allclose(linear.rate, rate, atol=1e-11)
    assert_along(linear, rolling_motion, (0.7, 1.9), 1e-7)


def test_rolling_on_a_searched_surface_is_linearized_at_rest_alone():
    x, _ = rolling_motion(0.7, 1.9)
    with pytest.raises(NotImplementedError, match="search"):
        disc_in("rough bowl").linearize(x, SIZES | {mu: 5.0})


def test_a_mass_that_slides_on_a_belt_has_no_damping():
    """The friction mu m g does not depend on the speed: omega^2 = k/m about x = mu m g/k."""
    mass = belt_oscillator()
    linear = mass.model.linearize([0.02943, 0, 0, 0], mass.parameters)
    assert linear.closed == {"mass": "slips"}
    np.testing.assert_allclose(linear.A, [[0, 1], [-100, 0]], atol=1e-12)


def sliding_particle(friction) -> HybridModel:
    """A particle on a horizontal floor, free to move in space."""
    place, speed = dynamicsymbols("x y z"), dynamicsymbols("v_x v_y v_z")
    P = O.locatenew("P", place[0] * N.x + place[1] * N.y + place[2] * N.z)
    system = System(N, O)
    system.add_bodies(Particle("mass", P, m))
    system.add_coordinates(*place)
    system.add_speeds(*speed)
    system.add_kdes(*(v - x.diff() for v, x in zip(speed, place, strict=True)))
    system.apply_uniform_gravity(-g * N.z)
    return HybridModel(system, [Contact(P, Plane(O, N.z), restitution=0, friction=friction, name="floor")])


def test_friction_damps_the_velocity_across_a_slip():
    """v' = -mu g v/|v|: across a slip of 2 m/s the rate of decay is mu g/2, along it zero."""
    linear = sliding_particle(mu).linearize([0, 0, 0, 2.0, 0, 0], {m: 3.0, g: G, mu: 0.3})
    assert [str(state) for state in linear.states] == ["x(t)", "y(t)", "v_x(t)", "v_y(t)"]
    np.testing.assert_allclose(linear.A[2:], [[0, 0, 0, 0], [0, 0, 0, -0.3 * G / 2]], atol=1e-14)
    np.testing.assert_allclose(linear.rate, [2, 0, 0, -0.3 * G, 0, 0], atol=1e-14)


def test_a_table_that_is_an_input_moves_what_lies_on_it():
    """z = r + h of a particle on a table at the height h(t): nothing is free, y = z is h, and its rate is h'."""
    (h,), z, w = dynamicsymbols("h,"), *dynamicsymbols("z w")
    P = O.locatenew("P", z * N.y)
    system = System(N, O)
    system.add_bodies(Particle("mass", P, m))
    system.add_coordinates(z)
    system.add_speeds(w)
    system.add_kdes(w - z.diff())
    system.apply_uniform_gravity(-g * N.y)
    table = Plane(O.locatenew("T", h * N.y), N.y)
    contact = Contact(P, table, restitution=0, friction=0, name="table")
    model = HybridModel(system, [contact], outputs={"height": z, "speed": w})
    t = dynamicsymbols._t
    linear = model.linearize([0.3, 0.2], {m: 1, g: G}, inputs={h: 0.1 + 0.2 * (t + 1)}, closed=["table"])
    assert linear.states == ()
    assert linear.stable is True
    assert linear.inputs == (h, h.diff(), h.diff().diff())
    np.testing.assert_allclose(linear.D, [[1, 0, 0], [0, 1, 0]], atol=1e-15)
    np.testing.assert_allclose(linear.rate, [0.2, 0.0], atol=1e-12)


def test_four_corners_of_a_cube_count_as_the_three_rows_that_are_independent():
    """It can slide and turn about the vertical: three coordinates and three speeds, without a force on them."""
    cube = tumbling_cube()
    rest = cube.model.equilibrium([0.1, 0.2, 0.5, 0.3, 1.5707963267948966, 0.0], cube.parameters)
    assert len(rest.closed) == 4
    linear = cube.model.linearize(rest.x, cube.parameters, closed=rest.closed)
    assert len(linear.states) == 6
    np.testing.assert_allclose(linear.A[:3, 3:] @ linear.A[3:], 0, atol=1e-9)
    np.testing.assert_allclose(linear.A[3:], 0, atol=1e-9)


def test_a_run_gives_state_and_closed_contacts():
    """While the block rotates about its left corner; a contact counts as closed where it transmits a force."""
    block = rocking_block(0.3, 0.6)
    run = block.simulate()
    check_trajectory(run, block.model, block.parameters)
    assert run.stages[3] == "left sticks"
    linear = block.model.linearize(run, block.parameters, t=0.1)
    assert linear.closed == {"left": "sticks"}
    assert linear.t == 0.1
    again = block.model.linearize(run(0.1), block.parameters, t=0.1, closed=["left"])
    np.testing.assert_array_equal(linear.A, again.A)
    with pytest.raises(ValueError, match="outside this run"):
        block.model.linearize(run, block.parameters, t=99.0)


def test_sliding_on_feet_that_depend_on_each_other_is_refused_because_the_friction_is_not_determined():
    place, speed = dynamicsymbols("x y z psi"), dynamicsymbols("v_x v_y v_z w_psi")
    D = ReferenceFrame("D")
    D.orient_axis(N, place[3], N.z)
    centre = O.locatenew("centre", place[0] * N.x + place[1] * N.y + place[2] * N.z)
    box = planar_body("box", centre, D, m, m * r**2)
    system = System(N, O)
    system.add_bodies(box)
    system.add_coordinates(*place)
    system.add_speeds(*speed)
    system.add_kdes(*(v - x.diff() for v, x in zip(speed, place, strict=True)))
    system.apply_uniform_gravity(-g * N.z)
    feet = [centre.locatenew(f"foot {i}", s * D.x - R * N.z) for i, s in enumerate((-1, 1))]
    contacts = [Contact(foot, Plane(O, N.z), restitution=0, friction=mu, name=foot.name) for foot in feet]
    model = HybridModel(system, contacts)
    numbers = {m: 1, r: 1, R: 0.5, g: G, mu: 0.4}
    with pytest.raises(NotImplementedError, match=r"'foot 0', 'foot 1' slide.*not determined"):
        model.linearize([0, 0, 0.5, 0, 1, 0, 0, 0], numbers)
    assert len(model.linearize([0, 0, 0.5, 0, 0, 0, 0, 0], numbers).states) == 3  # at rest it sticks
