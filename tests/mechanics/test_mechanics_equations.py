"""The promise: M, f and q' are those of SymPy's own `form_eoms`, whatever the model is made of."""

import warnings

import pytest
import sympy as sm
from mechanics_oracle import assert_same_equations, bead_on_hoop, body, chain, cube, evaluate, states, sympy_numbers
from quick_members import members
from sympy.physics.mechanics import (
    CylindricalJoint,
    DuffingSpring,
    Force,
    ForceActuator,
    KanesMethod,
    LinearDamper,
    LinearPathway,
    LinearSpring,
    ObstacleSetPathway,
    Particle,
    PinJoint,
    PlanarJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    SphericalJoint,
    System,
    Torque,
    TorqueActuator,
    WeldJoint,
    WrappingCylinder,
    WrappingPathway,
    dynamicsymbols,
    inertia,
)

from sympact import SympactWarning
from sympact.graph import count
from sympact.mechanics import derive, describe

t = dynamicsymbols._t


def derive_and_compare(system):
    """Derive first, so that nothing SymPy caches in the model can help or hurt."""
    derivation = derive(describe(system))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SymPy finds several ways to a velocity and says so
        system.form_eoms()
    assert_same_equations(derivation, system.mass_matrix, system.forcing)
    return derivation


@pytest.mark.parametrize(
    ("n", "kind"), members([(4, "planar"), (3, "spatial"), (2, "spherical")], slow=[(2, "spherical"), (4, "planar")])
)
def test_chains(n, kind):
    derive_and_compare(chain(n, kind)[0])


@pytest.mark.parametrize("speeds", members(["rates", "spin", "quaternion"], slow=["spin", "quaternion"]))
def test_free_body(speeds):
    """Those of quaternions are quick in `test_body_tree` and in the shared check of runs."""
    derivation = derive_and_compare(cube(speeds)[0])
    assert derivation.quaternions == (((3, 4, 5, 6),) if speeds == "quaternion" else ())


def pin(name, parent, child, **more):
    return PinJoint(name, parent, child, **more)


def slider(name, parent, child, **more):
    return PrismaticJoint(name, parent, child, joint_axis=parent.x, **more)


def spherical(name, parent, child, **more):
    return SphericalJoint(name, parent, child, rot_type="SPACE", rot_order="ZXZ", **more)


def pin_in_turned_frames(name, parent, child, **more):
    turned = ReferenceFrame("turned")
    turned.orient_axis(parent.frame, parent.x, sm.Symbol("alpha"))
    return PinJoint(name, parent, child, parent_interframe=turned, child_interframe=child.x + child.z, **more)


JOINTS = [
    (pin, pin),
    (slider, pin),
    (pin, slider),
    (CylindricalJoint, CylindricalJoint),
    (PlanarJoint, PlanarJoint),
    (PlanarJoint, spherical),
    (pin, WeldJoint),
    (pin, pin_in_turned_frames),
]


@pytest.mark.parametrize(
    ("first", "second"), members(JOINTS, slow=[(pin, pin), (slider, pin), (PlanarJoint, PlanarJoint)])
)
def test_joints(first, second):
    """The second joint sits off the mass centres of both bodies."""
    ground, one, two = RigidBody("ground"), body("one"), body("two")
    place = one.masscenter.locatenew("place", sm.Symbol("a") * one.x + sm.Symbol("b") * one.z)
    system = System.from_newtonian(ground)
    system.add_joints(
        first("A", ground, one, child_point=sm.Symbol("d") * one.y),
        second("B", one, two, parent_point=place, child_point=-sm.Symbol("c") * two.y),
    )
    system.apply_uniform_gravity(-sm.Symbol("g") * ground.y)
    derive_and_compare(system)


def cart_and_pole():
    rail, cart, pole = RigidBody("rail"), body("cart"), body("pole")
    top = pole.masscenter.locatenew("top", sm.Symbol("l") * pole.y)
    joint = PinJoint("pin", cart, pole, child_point=top, joint_axis=cart.z)
    system = System.from_newtonian(rail)
    system.add_joints(PrismaticJoint("slider", rail, cart, joint_axis=rail.x), joint)
    system.apply_uniform_gravity(-sm.Symbol("g") * rail.y)
    wall = rail.masscenter.locatenew("wall", -sm.Symbol("w") * rail.x + sm.Symbol("h") * rail.y)
    return system, wall, cart, pole, joint


def test_actuators_along_lines():
    system, wall, cart, pole, _ = cart_and_pole()
    k, c, l0, k3 = sm.symbols("k c l0 k3")
    to_cart = LinearPathway(wall, cart.masscenter)
    to_pole = LinearPathway(wall, pole.masscenter)
    over_cart = ObstacleSetPathway(wall, cart.masscenter, pole.masscenter)
    system.add_actuators(
        LinearSpring(k, to_cart, equilibrium_length=l0),
        LinearSpring(k, to_pole),
        LinearDamper(c, to_pole),
        DuffingSpring(k, k3, to_pole, l0),
        ForceActuator(dynamicsymbols("F"), to_cart),
        LinearSpring(k, over_cart, equilibrium_length=l0),
        LinearDamper(c, over_cart),
    )
    assert derive_and_compare(system).symbols.inputs == (dynamicsymbols("F"),)


def test_spring_of_no_free_length_at_no_length():
    """Its force is -k r, so it must stay finite where the ends meet."""
    system, _, cart, _, _ = cart_and_pole()
    system.add_actuators(LinearSpring(sm.Symbol("k"), LinearPathway(system.fixed_point, cart.masscenter)))
    derivation = derive(describe(system))
    for _, p, _ in states(derivation, 1):
        at_rest = evaluate(derivation.graph, derivation.equations.forcing, [0.0] * 4, p)
        assert at_rest[0] == 0.0


def test_torque_actuators_and_free_inputs():
    system, _, cart, pole, joint = cart_and_pole()
    torque, push = dynamicsymbols("T F")
    k, c = sm.symbols("k c")
    q, u = joint.coordinates[0], joint.speeds[0]
    system.add_actuators(
        TorqueActuator.at_pin_joint(-k * q - c * u + torque, joint),
        TorqueActuator(sm.sin(torque), pole.z, pole.frame),
    )
    system.add_loads(
        Force(cart.masscenter, push * cart.x),
        Torque(pole.frame, -c * q.diff(t) * pole.z),
        Force(pole, push**2 * pole.x),
    )
    assert derive_and_compare(system).symbols.inputs == (push, torque)


def test_wrapping_pathway_by_its_own_loads():
    """A pathway the reader does not know is asked for its loads."""
    system = cart_and_pole()[0]
    r = sm.Symbol("r", positive=True)
    cylinder = WrappingCylinder(r, system.fixed_point, system.z)
    start = system.fixed_point.locatenew("start", r * system.x)
    end = system.fixed_point.locatenew("end", r * sm.cos(system.q[1]) * system.x + r * sm.sin(system.q[1]) * system.y)
    end.set_vel(system.frame, end.pos_from(system.fixed_point).dt(system.frame))
    system.add_actuators(ForceActuator(dynamicsymbols("F"), WrappingPathway(start, end, cylinder)))
    with pytest.warns(SympactWarning, match="pull its ends together where the force is positive"):
        derive_and_compare(system)


def test_particles_and_bodies_placed_by_hand():
    """Polar coordinates, a particle on a body, and a velocity that only SymPy's own edges give."""
    N, O = ReferenceFrame("N"), Point("O")
    r, phi, v, w = dynamicsymbols("r phi v w")
    m1, m2, d, g = sm.symbols("m1 m2 d g")
    A = N.orientnew("A", "Axis", [phi, N.z])
    rod = body("rod", frame=A)
    rod.masscenter.set_pos(O, r * A.x)
    P = rod.masscenter.locatenew("P", d * A.y)
    system = System(frame=N, fixed_point=O)
    system.add_bodies(rod, Particle("p", P, m1), Particle("held", O.locatenew("H", d * N.x), m2))
    system.add_coordinates(r, phi)
    system.add_speeds(v, w)
    system.add_kdes(v - r.diff(t), w - 2 * phi.diff(t))
    system.add_loads((P, -m1 * g * N.y), (A, g * N.z))
    derivation = derive_and_compare(system)
    assert m2 not in derivation.symbols.parameters


def test_velocity_components_in_the_body_as_speeds():
    N, O, B = ReferenceFrame("N"), Point("O"), ReferenceFrame("B")
    x, y, phi, u1, u2, u3 = dynamicsymbols("x y phi u1 u2 u3")
    B.orient_axis(N, N.z, phi)
    C = O.locatenew("C", x * N.x + y * N.y)
    velocity = C.pos_from(O).dt(N)
    kdes = [velocity.dot(B.x) - u1, velocity.dot(B.y) - u2, phi.diff(t) - u3]
    C.set_vel(N, u1 * B.x + u2 * B.y)
    B.set_ang_vel(N, u3 * B.z)
    disc = body("disc", frame=B)
    disc.masscenter.set_pos(C, sm.Symbol("s") * B.x)
    system = System(frame=N, fixed_point=O)
    system.add_bodies(disc)
    system.add_coordinates(x, y, phi)
    system.add_speeds(u1, u2, u3)
    system.add_kdes(*kdes)
    derive_and_compare(system)


def test_prescribed_motion_of_the_base():
    """A base that moves as s(t), left free, on an arm that turns with the time itself."""
    N, O = ReferenceFrame("N"), Point("O")
    s, q, u = dynamicsymbols("s q u")
    l, m, g, rate = sm.symbols("l m g Omega")
    A = N.orientnew("A", "Axis", [rate * t**2, N.y])
    B = A.orientnew("B", "Axis", [q, A.z])
    base = O.locatenew("base", s * N.y + sm.sin(t) * A.x)
    system = System(frame=N, fixed_point=O)
    system.add_bodies(Particle("bob", base.locatenew("P", -l * B.y), m))
    system.add_coordinates(q)
    system.add_speeds(u)
    system.add_kdes(u - q.diff(t) - rate * s)
    system.apply_uniform_gravity(-g * N.y)
    derivation = derive_and_compare(system)
    assert derivation.symbols.inputs == (s, s.diff(t), s.diff(t, 2))


def test_kanes_method_before_and_after_its_equations():
    method = bead_on_hoop()[0]
    derivation = derive(describe(method))
    assert_same_equations(derivation, method.mass_matrix, method.forcing)
    fresh = KanesMethod(method._inertial, method.q, method.u, kd_eqs=[method.q[0].diff(t) - method.u[0]])
    by_hand = derive(describe(fresh, bodies=method.bodies, loads=method.loads))
    assert_same_equations(by_hand, method.mass_matrix, method.forcing)


def test_velocities_that_do_not_follow_from_positions_are_trusted():
    """SymPy's rolling disc: the point of contact is at rest though its position moves."""
    q1, q2, q3, u1, u2, u3 = dynamicsymbols("q1 q2 q3 u1 u2 u3")
    r, m, g = sm.symbols("r m g")
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    spin = u1 * L.x + u2 * L.y + u3 * L.z
    kdes = [R.ang_vel_in(N).dot(axis) - u for axis, u in zip(L, (u1, u2, u3), strict=True)]
    R.set_ang_vel(N, spin)
    C = Point("C")
    C.set_vel(N, 0)
    centre = C.locatenew("centre", r * L.z)
    centre.v2pt_theory(C, N, R)
    disc = RigidBody("disc", centre, R, m, (inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), centre))
    method = KanesMethod(N, [q1, q2, q3], [u1, u2, u3], kd_eqs=kdes)
    loads = [(centre, -m * g * Y.z)]
    derivation = derive(describe(method, bodies=[disc], loads=loads))
    method.kanes_equations([disc], loads)
    assert_same_equations(derivation, method.mass_matrix, method.forcing)


def test_orientation_matrix_set_by_hand():
    N, O, B = ReferenceFrame("N"), Point("O"), ReferenceFrame("B")
    a, b, ua, ub = dynamicsymbols("a b ua ub")
    first = sm.Matrix([[sm.cos(a), -sm.sin(a), 0], [sm.sin(a), sm.cos(a), 0], [0, 0, 1]])
    second = sm.Matrix([[1, 0, 0], [0, sm.cos(b), -sm.sin(b)], [0, sm.sin(b), sm.cos(b)]])
    B.orient_explicit(N, first * second)
    top = body("top", frame=B)
    top.masscenter.set_pos(O, sm.Symbol("l") * B.z)
    system = System(frame=N, fixed_point=O)
    system.add_bodies(top)
    system.add_coordinates(a, b)
    system.add_speeds(ua, ub)
    system.add_kdes(ua - a.diff(t), ub - b.diff(t))
    derive_and_compare(system)


def test_potential_energy_of_a_body_acts():
    """V = k q^2/2 - m g l cos(q) in place of the loads with the same generalized force."""
    system, _, _, pole, joint = cart_and_pole()
    q = joint.coordinates[0]
    k = sm.Symbol("k")
    pole.potential_energy = k * q**2 / 2 + sm.sin(q) * system.q[0]
    with pytest.warns(UserWarning, match="the potential energy of 'pole' acts as a load"):
        derivation = derive(describe(system))
    system.form_eoms()
    force = sm.Matrix([-sm.sin(q), -k * q - sm.cos(q) * system.q[0]])
    assert_same_equations(derivation, system.mass_matrix, system.forcing + force)


@pytest.mark.parametrize(
    "build",
    [
        lambda: chain(3, "spatial"),
        lambda: cube("spin"),
        pytest.param(lambda: cube("quaternion"), marks=pytest.mark.slow),
    ],
)
def test_same_result_from_a_model_that_sympy_has_been_through(build):
    """`form_eoms` leaves long velocities in the points; they change neither the equations nor, much, their size."""
    fresh = derive(describe(build()[0]))
    system, _ = build()
    system.form_eoms()
    used = derive(describe(system))
    assert_same_equations(used, system.mass_matrix, system.forcing)
    sizes = [count(d.graph, [*d.rates, *d.equations.nodes()]) for d in (fresh, used)]
    assert sizes[1] <= 1.1 * sizes[0]


def tables(frames, points):
    found = [(frame, name, dict(getattr(frame, name))) for frame in frames for name in vars(frame) if "dict" in name]
    found += [(frame, "cache", dict(frame._dcm_cache)) for frame in frames]
    return found + [
        (point, name, dict(table)) for point in points for name, table in vars(point).items() if "dict" in name
    ]


def test_the_users_model_is_left_as_it_was():
    """No velocity, orientation or matrix is added to any frame or point, and none is changed."""
    system, wall, cart, pole, _ = cart_and_pole()
    pathway = LinearPathway(wall, pole.masscenter)
    system.add_actuators(LinearSpring(sm.Symbol("k"), pathway), ForceActuator(pathway.length, pathway))
    frames = [system.frame, cart.frame, pole.frame]
    points = [system.fixed_point, wall, cart.masscenter, pole.masscenter]
    before = tables(frames, points)
    derive(describe(system))
    assert tables(frames, points) == before


def test_rates_of_the_coordinates():
    """q' from kinematic equations in body-fixed angular velocity against SymPy's solution of them."""
    system, _ = cube("spin")
    derivation = derive(describe(system))
    kinematic = KanesMethod(system.frame, system.q, system.u, kd_eqs=system.kdes).kindiffdict()
    truth = sympy_numbers(derivation, [kinematic[q.diff(t)] for q in system.q])
    for x, p, time in states(derivation):
        assert evaluate(derivation.graph, derivation.rates, x, p) == pytest.approx(
            truth(x, p, time), rel=1e-12, abs=1e-12
        )


def test_rates_where_elimination_would_divide_by_zero():
    """At c = pi/2 the first entry of the Euler kinematics vanishes, though the equations can be solved."""
    system, _ = cube("spin")
    derivation = derive(describe(system))
    x = [0.0, 0.0, 0.0, 0.3, 0.7, sm.pi / 2, 0, 0, 0, 0.1, 0.2, 0.3]
    for angle in (float(sm.pi / 2), 0.0):
        x[5] = angle
        assert all(
            abs(rate) < 1 for rate in evaluate(derivation.graph, derivation.rates, [float(v) for v in x], [1.0] * 9)
        )


def test_reading_gives_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        derive(describe(chain(2, "planar")[0]))
