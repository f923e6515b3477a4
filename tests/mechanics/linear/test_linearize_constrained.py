"""The promise: constrained models are linearized as by SymPy, as in minimal coordinates, and as their flow changes."""

from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sm
from closed_mechanisms import ClosedMechanism
from constrained_models import (
    accelerations,
    cartesian_pendulum,
    driven_crank,
    four_bar,
    kinematics_of,
    knife_edge,
    rolling_disc,
    slider_crank,
)
from hypothesis import reject
from hypothesis import strategies as st
from quick_members import examples, members
from sympy.physics.mechanics import (
    Force,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

from sympact import BallClosure, Contact, Holonomic, HybridModel, Limit, Plane

t = dynamicsymbols._t
G = 9.81
CASES = {
    make.__name__: make for make in (four_bar, slider_crank, rolling_disc, cartesian_pendulum, knife_edge, driven_crank)
}
F = dynamicsymbols("F")


@cache
def source_of(name):
    return CASES[name]()


@cache
def model_of(name):
    return HybridModel(source_of(name).source, [])


def numbers_of(model, rng):
    return {letter: float(rng.uniform(0.7, 1.3)) for letter in model.parameters}


def consistent(model, rng, numbers, **options):
    """A random state in motion that satisfies the constraints."""
    guess = dict(zip(model.x, rng.uniform(-0.6, 0.6, len(model.x)), strict=True))
    return model.assemble(guess, numbers, **options).x


def rates(model, x, numbers, time=0.0, inputs=()):
    """x' by M u' = f + A^T kappa, A u' + (A' u + a') = 0 in NumPy."""
    derivation = model.derivation
    p = np.array([*(numbers[letter] for letter in model.parameters), *inputs])
    q_rates = model.walk(lambda one: one.rates)(time, x, p)
    return np.concatenate([q_rates, accelerations(derivation, x, p, time)[0]])


# SymPy's Linearizer


@pytest.mark.parametrize(
    "name", members(["four_bar", "slider_crank", "rolling_disc"], slow=["four_bar", "slider_crank"])
)
def test_a_is_that_of_sympys_kane_with_dependent_coordinates(name):
    """At a random state in motion, in SymPy's choice of independent coordinates and speeds; both are exact."""
    case, model, rng = source_of(name), model_of(name), np.random.default_rng(1)
    numbers = numbers_of(model, rng)
    x = consistent(model, rng, numbers)
    point = {**dict(zip(model.x, x, strict=True)), **numbers}
    speeds_up = rates(model, x, numbers)[len(model.q) :]
    operating = [
        dict(zip([u.diff(t) for u in model.u], speeds_up, strict=True)),
        {rate: value.subs(point) for rate, value in kinematics_of(case).items()},
        point,
    ]
    linearizer = case.source.eom_method.to_linearizer()
    truth, _ = linearizer.linearize(op_point=operating, A_and_B=True)
    truth = np.array(truth.subs(point).evalf(), dtype=float)
    names = [*linearizer.q_i, *linearizer.u_i]
    found = model.linearize(x, numbers, independent=names)
    assert found.states == tuple(names)
    np.testing.assert_allclose(found.A, truth, atol=1e-12 * np.abs(truth).max())


@pytest.mark.parametrize("name", ["cartesian_pendulum", "knife_edge"])
def test_a_is_that_of_sympys_lagrange_with_multipliers(name):
    case, model, rng = source_of(name), model_of(name), np.random.default_rng(2)
    numbers = numbers_of(model, rng)
    x = consistent(model, rng, numbers)
    q, fast = list(model.q), [letter.diff(t) for letter in model.q]
    speeds = fast[:1] + fast[2:]
    places, rest = (q[:1], q[1:]) if case.positions else (q, None)
    point = {**dict(zip(model.x, x, strict=True)), **numbers}
    up = dict(zip([u.diff(t) for u in fast], rates(model, x, numbers)[len(q) :], strict=True))
    multipliers = case.source.solve_multipliers(op_point={**up, **point}, sol_type="dict")
    linearizer = case.source.to_linearizer(q_ind=places, qd_ind=speeds, q_dep=rest, qd_dep=[fast[1]])
    truth, _ = linearizer.linearize(op_point=[up, point, multipliers], A_and_B=True)
    truth = np.array(truth.subs(multipliers).subs(point).evalf(), dtype=float)
    found = model.linearize(x, numbers, independent=[*places, *speeds])
    np.testing.assert_allclose(found.A, truth, atol=1e-12 * np.abs(truth).max())


# Slopes of the flow


def slopes_of_the_flow(model, linear, numbers, inputs, time, step=1e-5):
    """A by central differences of x' in the independent states, the dependent ones assembled with these kept."""
    places = [model.x.index(letter) for letter in linear.states]
    columns = []
    for letter, place in zip(linear.states, places, strict=True):
        ends = []
        for side in (1, -1):
            moved = linear.x + side * step * linear.basis[:, linear.states.index(letter)]
            moved = model.assemble(moved, numbers, keep=linear.states, t=time, inputs=inputs).x
            assert moved[place] == linear.x[place] + side * step
            ends.append(rates(model, moved, numbers, time, tuple(inputs.values()))[places])
        columns.append((ends[0] - ends[1]) / (2 * step))
    return np.array(columns).T


@examples(3, 25, seed=st.integers(0, 2**32 - 1), name=st.sampled_from(sorted(set(CASES) - {"driven_crank"})))
def test_a_is_the_slope_of_the_constrained_flow(seed, name):
    """Central differences at 1e-5 of the multiplier equations: 1e-5^2 of third derivatives, 1e-15/1e-5 of rounding."""
    model, rng = model_of(name), np.random.default_rng(seed)
    numbers = numbers_of(model, rng)
    try:
        x = consistent(model, rng, numbers)
    except ValueError:
        reject()  # lengths with which the loop does not close
    linear = model.linearize(x, numbers)
    truth = slopes_of_the_flow(model, linear, numbers, {}, 0.0)
    size = max(np.abs(truth).max(), np.abs(linear.basis).max())
    np.testing.assert_allclose(linear.A, truth, atol=1e-6 * size**3)
    np.testing.assert_allclose(linear.rate, rates(model, x, numbers), atol=1e-10 * size)


@pytest.mark.parametrize(
    ("planar", "seed"),
    members(product([True, False], [1, 2, 8, 13]), slow=[*product([True, False], [8, 13]), (True, 1), (False, 2)]),
)
def test_a_of_random_mechanisms_is_the_slope_of_their_flow(seed, planar):
    """Trees of joints closed to loops, in a plane and in space; some of their constraints depend on others."""
    mechanism = ClosedMechanism(seed, planar=planar)
    model = mechanism.model
    linear = model.linearize(model.assemble(mechanism.start, {}), {})
    truth = slopes_of_the_flow(model, linear, {}, {}, 0.0)
    np.testing.assert_allclose(linear.A, truth, atol=1e-6 * np.abs(truth).max())


def test_a_is_the_slope_of_what_a_run_integrates():
    """The machine code of the flow, whose accelerations are exact to 1e-10, over steps of 1e-4."""
    model, rng = model_of("four_bar"), np.random.default_rng(6)
    numbers = numbers_of(model, rng)
    linear = model.linearize(consistent(model, rng, numbers), numbers)
    compiled, places = model.compile(), [model.x.index(letter) for letter in linear.states]
    columns = []
    for column in linear.basis.T:
        ends = [model.assemble(linear.x + side * column, numbers, keep=linear.states).x for side in (1e-4, -1e-4)]
        flows = [compiled.flow(0.0, end, compiled.parameters(numbers))[places] for end in ends]
        columns.append((flows[0] - flows[1]) / 2e-4)
    np.testing.assert_allclose(linear.A, np.array(columns).T, atol=1e-5 * np.abs(columns).max())


@pytest.mark.parametrize("time", [0.0, 0.4])
def test_a_bead_on_a_driven_wire_is_linearized_along_its_motion(time):
    """r'' = w^2 r on the wire y = x tan(w t): x'' = -2 w^2 tan^2 x - 2 w tan x'."""
    system, (x, y), _ = particles(1)
    w = sm.Symbol("w")
    model = HybridModel(system, [], constraints=[Holonomic(x * sm.sin(w * t) - y * sm.cos(w * t), "wire")])
    numbers = {w: 1.5, m: 1.0, g: 0.0}
    state = model.assemble([0.3, 0.1, -0.2, 0.5], numbers, t=time)
    found, slope = model.linearize(state, numbers, t=time, independent=[x]), np.tan(1.5 * time)
    assert found.states == (x, model.u[0])
    np.testing.assert_allclose(found.A, [[0, 1], [-2 * 1.5**2 * slope**2, -2 * 1.5 * slope]], atol=1e-13)


def test_a_mechanism_that_is_driven_has_no_states():
    model = model_of("driven_crank")
    rng = np.random.default_rng(3)
    numbers, inputs = numbers_of(model, rng), dict.fromkeys(model.inputs, 0.4)
    found = model.linearize(consistent(model, rng, numbers, inputs=inputs), numbers, inputs=inputs)
    assert (found.states, found.A.shape) == ((), (0, 0))
    assert len(found.constraints) == 3


# Closed forms

m, M, l, g, r, radial, axial = sm.symbols("m M l g r radial axial", positive=True)


def particles(count, angles=0):
    """Particles in a vertical plane with Cartesian coordinates, and angles that belong to nothing."""
    names = [name for k in range(count) for name in (f"x{k}", f"y{k}")] + [f"a{k}" for k in range(angles)]
    q, u = dynamicsymbols(names), dynamicsymbols([f"u_{name}" for name in names])
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    system = System(frame, origin)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(t) - speed for place, speed in zip(q, u, strict=True)))
    for k in range(count):
        place = origin.locatenew(f"P{k}", q[2 * k] * frame.x + q[2 * k + 1] * frame.y)
        system.add_bodies(Particle(f"p{k}", place, m))
    system.apply_uniform_gravity(-g * frame.y)
    return system, q, u


def test_a_double_pendulum_in_cartesian_coordinates_has_its_two_frequencies():
    """omega^2 = (2 -+ sqrt(2)) g/l of equal masses and lengths: the forces of the rods are what restores."""
    system, (x1, y1, x2, y2), _ = particles(2)
    rods = [Holonomic(x1**2 + y1**2 - l**2), Holonomic((x2 - x1) ** 2 + (y2 - y1) ** 2 - l**2)]
    model, numbers = HybridModel(system, [], constraints=rods), {m: 0.7, l: 0.4, g: G}
    rest = model.equilibrium([0.1, -0.3, 0.2, -0.9], numbers)
    np.testing.assert_allclose(rest.x, [0, -0.4, 0, -0.8, 0, 0, 0, 0], atol=1e-9)
    forces = [kappa[0] * length for kappa, length in zip(rest.reaction.values(), (0.8, 0.8), strict=True)]
    np.testing.assert_allclose(forces, [-2 * 0.7 * G, -0.7 * G], rtol=1e-9)  # 2 kappa l pulls up with the weight below
    squared = [mode.frequency**2 * 0.4 / G for mode in rest.linearization.modes()]
    np.testing.assert_allclose(squared, [2 - np.sqrt(2), 2 + np.sqrt(2)], rtol=1e-9)
    for mode in rest.linearization.modes():  # the second bob moves by +-sqrt(2) + 1 of the first
        ratio = mode.shape[2] / mode.shape[0]
        assert abs(ratio - (1 + np.sqrt(2))) < 1e-8 or abs(ratio - (1 - np.sqrt(2))) < 1e-8


@pytest.mark.parametrize("axial_part", [0.5, 1.0])
@pytest.mark.parametrize("rate", [0.5, 0.99, 1.01, 3.0])
def test_a_rolling_disc_stays_upright_above_its_critical_speed(axial_part, rate):
    """v^2 > g r/3 of a thin disc, g r/4 of a hoop (O'Reilly, Nonlinear Dynamics 10 (1996), 287-305).

    Lean and yaw of a disc that rolls straight ahead: s^2 = (m g r - C (C + m r^2) w^2/A)/(A + m r^2), A = C/2.
    """
    model = model_of("rolling_disc")
    yaw, lean, spin, x, y, w1, w2, w3, vx, _ = model.x
    mass, radius = 0.8, 0.3
    C = axial_part * mass * radius**2
    A = C / 2
    critical = G * radius * {0.5: 1 / 3, 1.0: 1 / 4}[axial_part]
    w = rate * np.sqrt(critical) / radius
    named = dict(zip(("m", "r", "g", "i", "j"), (mass, radius, G, A, C), strict=True))
    numbers = {letter: named[letter.name] for letter in model.parameters}
    state = dict.fromkeys(model.x, 0.0) | {w2: w, vx: w * radius}
    found = model.linearize(state, numbers, independent=[w1, w2, w3])
    assert found.states == (yaw, lean, spin, x, y, w1, w2, w3)
    np.testing.assert_allclose(found.rate, [0, 0, w, w * radius, *np.zeros(6)], atol=1e-12)
    squared = (mass * G * radius - C * (C + mass * radius**2) * w**2 / A) / (A + mass * radius**2)
    fastest = found.modes()[-1].eigenvalue
    np.testing.assert_allclose(fastest**2, squared, rtol=1e-10, atol=1e-10)
    assert (squared > 0) == (rate < 1)
    assert found.stable is (False if rate < 1 else None)
    assert np.count_nonzero(np.abs(found.eigenvalues()) > 1e-6) == 2  # six zeros: places, heading, spin and two speeds


def cart_and_bob():
    """A cart on a line and a bob, tied by a rod, with an angle of the rod that has no inertia; upright at 0."""
    names = ("x", "X", "Y", "theta")
    q, u = dynamicsymbols(names), dynamicsymbols([f"u_{name}" for name in names])
    x, X, Y, theta = q
    frame, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(frame, 0)
    cart, bob = origin.locatenew("cart", x * frame.x), origin.locatenew("bob", X * frame.x + Y * frame.y)
    system = System(frame, origin)
    system.add_bodies(Particle("cart", cart, M), Particle("bob", bob, m))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(t) - speed for place, speed in zip(q, u, strict=True)))
    system.add_loads(Force(cart, F * frame.x))
    system.apply_uniform_gravity(-g * frame.y)
    system.add_holonomic_constraints(X - x - l * sm.sin(theta), Y - l * sm.cos(theta))
    return HybridModel(system, [], outputs={"bob": X, "height": Y}), q, u


def test_a_cart_pole_with_a_massless_angle_has_the_a_and_b_of_the_textbooks():
    """M is singular, and regular on the motions that the constraints leave."""
    model, (x, _, _, theta), u = cart_and_bob()
    numbers = {M: 1.3, m: 0.4, l: 0.6, g: G}
    found = model.linearize([0, 0, 0.6, 0, 0, 0, 0, 0], numbers, inputs={F: 0}, independent=[x, theta, u[0], u[3]])
    assert found.states == (x, theta, u[0], u[3])
    falls = np.array([[0, -0.4 * G / 1.3], [0, 1.7 * G / (1.3 * 0.6)]])
    np.testing.assert_allclose(
        found.A, np.block([[np.zeros((2, 2)), np.eye(2)], [falls, np.zeros((2, 2))]]), atol=1e-13
    )
    np.testing.assert_allclose(found.B, [[0], [0], [1 / 1.3], [-1 / (1.3 * 0.6)]], atol=1e-14)
    np.testing.assert_allclose(found.C, [[1, 0.6, 0, 0], [0, 0, 0, 0]], atol=1e-14)
    space = found.to_state_space()
    assert (space.A.shape, space.B.shape, space.C.shape) == ((4, 4), (4, 1), (2, 4))


def test_a_body_that_a_ball_joint_holds_is_a_compound_pendulum():
    """Six coordinates of places and quaternion: omega^2 = m g d/(I + m d^2) about both horizontal axes."""
    names = ("x", "y", "z", "e0", "e1", "e2", "e3")
    q, u = dynamicsymbols(names), dynamicsymbols(("v_x", "v_y", "v_z", "w_1", "w_2", "w_3"))
    frame, B, origin = ReferenceFrame("N"), ReferenceFrame("B"), Point("O")
    origin.set_vel(frame, 0)
    B.orient_quaternion(frame, q[3:])
    kdes = [place.diff(t) - speed for place, speed in zip(q[:3], u[:3], strict=True)]
    turns = sm.Matrix([[-q[4], -q[5], -q[6]], [q[3], -q[6], q[5]], [q[6], q[3], -q[4]], [-q[5], q[4], q[3]]])
    kdes += list(sm.Matrix(q[3:]).diff(t) - turns * sm.Matrix(u[3:]) / 2)
    B.set_ang_vel(frame, u[3] * B.x + u[4] * B.y + u[5] * B.z)
    centre = origin.locatenew("C", q[0] * frame.x + q[1] * frame.y + q[2] * frame.z)
    centre.set_vel(frame, u[0] * frame.x + u[1] * frame.y + u[2] * frame.z)
    system = System(frame, origin)
    system.add_bodies(RigidBody("body", centre, B, m, (inertia(B, 0.3, 0.5, 0.2), centre)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*kdes)
    system.apply_uniform_gravity(-g * frame.z)
    model = HybridModel(system, [], constraints=[BallClosure(origin, centre.locatenew("hook", l * B.z))])
    numbers = {m: 2.0, l: 0.4, g: G}
    rest = model.equilibrium([0.1, 0, -0.3, 1, 0.1, -0.05, 0], numbers)
    assert np.linalg.norm(rest.x[3:7]) == pytest.approx(1.0, abs=1e-12)
    assert len(rest.linearization.states) == 6
    squared = [mode.frequency**2 for mode in rest.linearization.modes()[-2:]]
    stiff, body = 2.0 * G * 0.4, 2.0 * 0.4**2
    np.testing.assert_allclose(squared, [stiff / (0.5 + body), stiff / (0.3 + body)], rtol=1e-8)


def test_an_input_that_moves_a_support_is_an_input_of_the_pendulum():
    """x2'' = g/l (F - x2) for small angles: F enters by the place of the support, F' and F'' do not."""
    system, (x1, y1, x2, y2), u = particles(2)
    rows = [
        Holonomic(x1 - F, "along"),
        Holonomic(y1, "level"),
        Holonomic((x2 - x1) ** 2 + (y2 - y1) ** 2 - l**2, "rod"),
    ]
    model = HybridModel(system, [], constraints=rows)
    x = [0.2, 0, 0.2, -0.5, 0, 0, 0, 0]
    found = model.linearize(x, {m: 1.0, l: 0.5, g: G}, inputs={F: 0.2}, independent=[x2, u[2]])
    assert found.inputs == (F, F.diff(t), F.diff(t, 2))
    np.testing.assert_allclose(found.A, [[0, 1], [-G / 0.5, 0]], atol=1e-13)
    np.testing.assert_allclose(found.B, [[0, 0, 0], [G / 0.5, 0, 0]], atol=1e-13)


# Dependent constraints


def test_constraints_that_are_said_twice_change_nothing():
    """A four-bar with each equation twice, one of them scaled."""
    case, model = source_of("four_bar"), model_of("four_bar")
    rng = np.random.default_rng(5)
    numbers = numbers_of(model, rng)
    x = consistent(model, rng, numbers)
    again = [
        Holonomic(scale * phi, f"again {k}")
        for k, (scale, phi) in enumerate(zip((3, -0.2), case.positions, strict=True))
    ]
    twice = HybridModel(case.source, [], constraints=again)
    first = model.linearize(x, numbers)
    found = twice.linearize(x, numbers, independent=first.states)
    np.testing.assert_allclose(found.A, first.A, rtol=1e-12)
    assert found.constraints == ("holonomic 1", "holonomic 2", "again 0", "again 1")


def table_on_cranks(count):
    """A plate in a plane that hangs on parallel rods of one length."""
    x, y, angle = q = dynamicsymbols("x y angle")
    u = dynamicsymbols("u_x u_y w")
    frame, plate, origin = ReferenceFrame("N"), ReferenceFrame("plate"), Point("O")
    origin.set_vel(frame, 0)
    plate.orient_axis(frame, angle, frame.z)
    plate.set_ang_vel(frame, u[2] * frame.z)
    centre = origin.locatenew("centre", x * frame.x + y * frame.y)
    centre.set_vel(frame, u[0] * frame.x + u[1] * frame.y)
    system = System(frame, origin)
    system.add_bodies(RigidBody("plate", centre, plate, m, (inertia(frame, 0, 0, m / 5), centre)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(t) - speed for place, speed in zip(q, u, strict=True)))
    system.apply_uniform_gravity(-g * frame.y)
    rods = []
    for k in range(count):
        arm = (k - 1) * plate.x
        away = x * frame.x + y * frame.y + arm - (k - 1) * frame.x
        rods.append(Holonomic((away.dot(away) / l - l) / 2, f"rod {k}"))
    return HybridModel(system, [], constraints=rods), q


@pytest.mark.parametrize("count", [2, 3, 5])
def test_a_plate_on_parallel_rods_is_a_pendulum_however_many_there_are(count):
    """omega^2 = g/l, as the plate does not turn; the forces of more than two rods are the smallest ones."""
    model, _ = table_on_cranks(count)
    numbers = {m: 2.0, l: 0.5, g: G}
    rest = model.equilibrium([0.1, -0.4, 0.02], numbers)
    np.testing.assert_allclose(rest.x, [0, -0.5, 0, 0, 0, 0], atol=1e-8)
    assert rest.linearization.modes()[0].frequency ** 2 == pytest.approx(G / 0.5, rel=1e-8)
    assert len(rest.linearization.states) == 2
    assert sum(kappa[0] for kappa in rest.reaction.values()) == pytest.approx(-2.0 * G, rel=1e-8)
    swung = 0.5 * np.array([np.sin(0.7), -np.cos(0.7)])
    along = model.linearize([*swung, 0, *(0.3 * np.array([-swung[1], swung[0]])), 0], numbers)
    assert along.basis[2] == pytest.approx(np.zeros(2), abs=1e-12)


def test_a_place_where_the_rank_changes_has_no_linearization():
    model = model_of("four_bar")
    lengths = {"l_r0": 1.0, "l_r1": 2.0, "l_r2": 1.0, "d_x": 2.0, "d_y": 0.0}
    numbers = {letter: lengths.get(letter.name, 1.0) for letter in model.parameters}
    with pytest.raises(ValueError, match=r"rank of the constraints 'holonomic 1' changes at this state.*beside it"):
        model.linearize([0.0, 0.0, np.pi, 0, 0, 0], numbers)
    beside = model.assemble([0.1, -0.1, np.pi, 0, 0, 0], numbers, keep=[model.q[0]])
    assert len(model.linearize(beside, numbers).states) == 2


# Contacts


def hung_below(friction):
    """A bead on a floor and a bob that hangs on it below the floor."""
    system, (x1, y1, x2, y2), _ = particles(2)
    rod = Holonomic((x2 - x1) ** 2 + (y2 - y1) ** 2 - l**2, "rod")
    floor = Plane(system.fixed_point, system.frame.y)
    contact = Contact(system.bodies[0].masscenter, floor, restitution=0, friction=friction, name="bead")
    return HybridModel(system, [contact], constraints=[rod])


@pytest.mark.parametrize(("friction", "factor", "states"), [(0, 2.0, 4), (0.4, 1.0, 3)])
def test_a_bob_below_a_bead_on_a_floor_swings(friction, factor, states):
    """omega^2 = 2 g/l where the bead of the same mass slides, g/l where it sticks; the search closes the contact."""
    model, numbers = hung_below(friction), {m: 0.6, l: 0.5, g: G}
    rest = model.equilibrium([0.3, 0.2, 0.4, -0.2], numbers)
    assert rest.closed == ("bead",)
    assert rest.normal_force == pytest.approx([2 * 0.6 * G], rel=1e-9)
    assert rest.reaction["rod"] == pytest.approx([-0.6 * G / (2 * 0.5)], rel=1e-8)
    linear = rest.linearization
    assert len(linear.states) == states
    assert linear.modes()[-1].frequency ** 2 == pytest.approx(factor * G / 0.5, rel=1e-8)
    assert "bead" in repr(linear)
    assert "rod" in repr(linear)


def test_a_bead_that_slides_with_friction_drags_a_rod():
    """x'' of the two beads from M u' = f + A^T kappa + (n - mu t) N in NumPy, by differences at 1e-5."""
    model, mu, numbers = hung_below(0.4), 0.4, {m: 0.6, l: 0.5, g: G}
    x1, y1, x2, y2 = model.q
    rod = Holonomic((x2 - x1) ** 2 + (y2 - y1) ** 2 - l**2, "rod")
    lying = HybridModel(model.source, [], constraints=[rod, Holonomic(y1, "floor")])
    start = lying.assemble([0.1, 0.0, 0.3, -0.4, 1.2, 0.0, 0.9, 0.2], numbers).x
    found = model.linearize(start, numbers, independent=[x1, x2, model.u[0], model.u[2]])
    assert found.closed == {"bead": "slips"}

    def flow(x):
        away, relative = x[2:4] - x[:2], x[6:] - x[4:6]
        rows = np.array([[*-2 * away, *2 * away], [0, 1, 0, 0]])
        push = np.array([rows[0], [-mu * np.sign(x[4]), 1, 0, 0]])
        left = np.block([[0.6 * np.eye(4), -push.T], [rows, np.zeros((2, 2))]])
        weight = -0.6 * G * np.array([0, 1, 0, 1])
        return np.concatenate([x[4:], np.linalg.solve(left, [*weight, -2 * relative @ relative, 0])[:4]])

    places = [0, 2, 4, 6]
    columns = []
    for column in found.basis.T:
        ends = [lying.assemble(start + side * column, numbers, keep=found.states).x for side in (1e-5, -1e-5)]
        columns.append((flow(ends[0]) - flow(ends[1]))[places] / 2e-5)
    np.testing.assert_allclose(found.rate, flow(start), atol=1e-10)
    np.testing.assert_allclose(found.A, np.array(columns).T, atol=1e-7 * np.abs(columns).max())


@examples(5, 15, seed=st.integers(0, 2**32 - 1))
def test_a_closed_contact_is_linearized_as_the_constraint_of_its_gap(seed):
    """Two beads on a rod whose first is on a rail: the rail as a contact, and as a constraint."""
    rng = np.random.default_rng(seed)
    system, q, _ = particles(2)
    gap = q[0] + q[3] ** 2 / 3 - q[1]
    rod = Holonomic((q[2] - q[0]) ** 2 + (q[3] - q[1]) ** 2 - l**2, "rod")
    with_contact = HybridModel(system, [Limit(gap, restitution=0, name="rail")], constraints=[rod])
    without = HybridModel(system, [], constraints=[rod, Holonomic(gap, "rail")])
    numbers = numbers_of(without, rng)
    x = consistent(without, rng, numbers)
    truth = without.linearize(x, numbers)
    found = with_contact.linearize(x, numbers, closed=["rail"], independent=truth.states)
    assert found.closed == {"rail": "without friction"}
    np.testing.assert_allclose(found.A, truth.A, rtol=1e-9, atol=1e-9 * np.abs(truth.A).max())


# The state and the choice of coordinates


def test_a_state_of_a_run_is_linearized():
    """Between samples the state of a run satisfies the constraints to its tolerance: it is assembled."""
    model, rng = model_of("cartesian_pendulum"), np.random.default_rng(7)
    numbers = numbers_of(model, rng)
    run = model.simulate((0, 3), consistent(model, rng, numbers), numbers, rtol=1e-6)
    found = model.linearize(run, numbers, t=1.2345)
    np.testing.assert_allclose(found.x, run(1.2345), atol=1e-4)
    truth = slopes_of_the_flow(model, found, numbers, {}, 0.0)
    np.testing.assert_allclose(found.A, truth, atol=1e-7 * np.abs(truth).max())


def test_the_user_chooses_independent_coordinates_and_the_eigenvalues_stay():
    model, rng = model_of("four_bar"), np.random.default_rng(1)
    numbers = numbers_of(model, rng)
    x = consistent(model, rng, numbers)
    for coordinate in model.q:
        found = model.linearize(x, numbers, independent=[coordinate])
        assert found.states[0] == coordinate
        assert found.basis[model.x.index(coordinate)].tolist() == [1.0, 0.0]
    guess = x[: len(model.q)]
    rest = model.equilibrium(guess, numbers)
    values = [model.linearize(rest.x, numbers, independent=[u]).eigenvalues() for u in model.u]
    np.testing.assert_allclose(values, [rest.linearization.eigenvalues()] * 3, rtol=1e-9)


def test_coordinates_that_are_not_independent_are_refused():
    model, numbers = model_of("cartesian_pendulum"), {}
    numbers = dict.fromkeys(model.parameters, 1.0)
    x, y = model.q
    with pytest.raises(ValueError, match=r"coordinates \[y\(t\)\] are not independent.*leave 1 of 2.*such as x\(t\)"):
        model.linearize([0, -1, 0, 0], numbers, independent=[y])
    with pytest.raises(ValueError, match=r"\[x\(t\), y\(t\)\] are not independent"):
        model.linearize([0.6, -0.8, 0, 0], numbers, independent=[x, y])


def test_a_state_beside_the_constraints_is_refused():
    model = model_of("cartesian_pendulum")
    numbers = dict.fromkeys(model.parameters, 1.0)
    with pytest.raises(
        ValueError, match=r"'holonomic 1' is 0\.0201, the rate of 'holonomic 1' is 2\.02; model\.assemble"
    ):
        model.linearize([1.01, 0, 1, 0], numbers)


# Equilibria


@examples(3, 10, seed=st.integers(0, 2**32 - 1), name=st.sampled_from(["four_bar", "slider_crank"]))
def test_an_equilibrium_of_a_mechanism_is_a_stationary_place_of_its_energy(seed, name):
    """By differences at 1e-4 of assembled states; it oscillates where the energy is least, else it falls."""
    model, rng = model_of(name), np.random.default_rng(seed)
    numbers = numbers_of(model, rng)
    try:
        x = consistent(model, rng, numbers)
    except ValueError:
        reject()  # lengths with which the loop does not close
    rest = model.equilibrium(x[: len(model.q)], numbers)
    np.testing.assert_allclose(rates(model, rest.x, numbers), 0, atol=1e-8)
    energies, p = [], np.array([numbers[letter] for letter in model.parameters])
    for side in (1, 0, -1):
        moved = rest.x + side * 1e-4 * rest.linearization.basis[:, 0]
        moved = model.assemble(moved, numbers, keep=[rest.linearization.states[0]]).x
        energies.append(float(model.compile().potential_along(0.0, moved, p)[0]))
    first, second = (energies[0] - energies[2]) / 2e-4, (energies[0] - 2 * energies[1] + energies[2]) / 1e-8
    assert abs(first) <= 1e-6 * (1.0 + abs(energies[1]))
    fastest = rest.linearization.modes()[-1].eigenvalue
    assert abs(second) < 1e-4 or (second > 0) == (abs(fastest.imag) > abs(fastest.real))


def test_no_equilibrium_names_the_constraint_that_moves():
    """A wire that rises with the velocity w takes its bead along."""
    system, (_, y), _ = particles(1)
    w = sm.Symbol("w")
    model = HybridModel(system, [], constraints=[Holonomic(y - w * t, "wire")])
    with pytest.raises(ValueError, match=r"no equilibrium.* -1\.5 in the rate of 'wire'"):
        model.equilibrium([0.3, 0.1], {w: 1.5, m: 1.0, g: G})
    risen = model.equilibrium([0.3, 0.1], {w: 1.5, m: 1.0, g: G}, t=2.0, speeds={model.u[1]: 1.5})
    assert risen.x[1] == pytest.approx(3.0, rel=1e-12)


def test_a_skate_on_a_slope_rests_where_it_points_across():
    """A nonholonomic constraint bears what acts across the edge: m g sin(slope)."""
    model = model_of("knife_edge")
    values = {"m": 0.7, "j": 0.1, "g": G, "slope": 0.3}
    numbers = {letter: values[letter.name] for letter in model.parameters}
    rest = model.equilibrium([0.2, 0.1, 1.2], numbers)
    assert rest.x[2] == pytest.approx(np.pi / 2, abs=1e-9)
    assert rest.reaction["nonholonomic 1"] == pytest.approx([-0.7 * G * np.sin(0.3)], rel=1e-9)
    assert len(rest.linearization.states) == 5
