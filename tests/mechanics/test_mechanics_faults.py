"""The promise: what cannot be built is refused in sentences that name the thing, what was found and the cure."""

import pytest
import sympy as sm
from mechanics_oracle import bead_on_hoop, cube
from sympy.physics.mechanics import (
    JointsMethod,
    KanesMethod,
    LagrangesMethod,
    Particle,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    SymbolicSystem,
    System,
    dynamicsymbols,
    inertia,
)
from worlds import World

from sympact import Contact, HybridModel, Limit, Plane, Sphere, SympactWarning

t = dynamicsymbols._t


def falling(mass=None):
    """A particle that falls along N.z."""
    N, O = ReferenceFrame("N"), Point("O")
    z, v = dynamicsymbols("z v")
    system = System(frame=N, fixed_point=O)
    system.add_bodies(Particle("ball", O.locatenew("P", z * N.z), sm.Symbol("m") if mass is None else mass))
    system.add_coordinates(z)
    system.add_speeds(v)
    system.add_kdes(z.diff(t) - v)
    return system


def bounce(system, **options):
    settings = {"restitution": 1, "friction": 0, "point": system.bodies[0].masscenter} | options
    return Contact(surface=Plane(system.fixed_point, system.z), **settings)


@pytest.mark.parametrize("source", [None, "model", 3])
def test_a_source_of_another_kind(source):
    with pytest.raises(
        TypeError, match=r"is a sympy.physics.mechanics System, KanesMethod, .* or SymbolicSystem; found a "
    ):
        HybridModel(source, [])


@pytest.mark.filterwarnings("ignore::sympy.utilities.exceptions.SymPyDeprecationWarning")
def test_the_method_of_joints_is_named():
    ground, ball = RigidBody("ground"), RigidBody("ball")
    joints = JointsMethod(ground, PrismaticJoint("slide", ground, ball))
    with pytest.raises(TypeError, match=r"after joints.form_eoms\(\) its joints.method is a Kanes"):
        HybridModel(joints, [])
    joints.form_eoms()
    assert HybridModel(joints.method, []).mass_matrix == sm.Matrix([[sm.Symbol("ball_mass")]])


def lagrange(L, q, **options):
    return lambda: HybridModel(LagrangesMethod(L, q, **options), [])


def test_lagrangians_that_do_not_determine_the_motion():
    q, r, (m, k) = dynamicsymbols("q"), dynamicsymbols("r"), sm.symbols("m k")
    spring, both = k * q**2 / 2, [q, r]
    for L, letters, sentence in [
        (m * q.diff() ** 4 - spring, [q], "the Lagrangian is not quadratic in the derivatives of the coordinates"),
        (m * sm.sqrt(1 + q.diff() ** 2) - spring, [q], "the Lagrangian is not quadratic in the derivatives"),
        (-spring, [q], r"contains no kinetic energy of Derivative\(q\(t\), t\), so that its motion is not determined"),
        (m * q.diff() ** 2 - r * q, both, r"contains no kinetic energy of Derivative\(r\(t\), t\)"),
        (m * (q.diff() - r.diff()) ** 2 - spring, both, r"mass matrix .* singular for the motion along .*q.* and .*r"),
        (m * q.diff(t, 2) * q + m * q.diff() ** 2, [q], r"the Lagrangian contains the acceleration Derivative\(q\(t\)"),
        (m * q.diff() ** 2 - sm.Function("V")(q), [q], r"the Lagrangian contains V\(q\(t\)\); expected symbols, func"),
        (m * q.diff() ** 2 - q * sm.Symbol("q"), [q], "two different symbols are called 'q'"),
        (m * q.diff() ** 2 - sm.gamma(q), [q], "gamma"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            lagrange(L, letters)()


def test_a_lagrangian_that_is_not_quadratic_is_one_fault():
    q, m = dynamicsymbols("q"), sm.Symbol("m")
    with pytest.raises(ValueError, match=r"^the model cannot be built: the Lagrangian is not quadratic"):
        lagrange(m * q.diff() ** 4, [q])()


def test_a_lagrangian_whose_quadratic_form_is_hidden_is_read():
    """1 + x'^2 as a quotient: its second derivatives contain x', and do not depend on it."""
    x, m = dynamicsymbols("x"), sm.Symbol("m")
    square = (1 + 2 * x.diff() ** 2 + x.diff() ** 4) / (1 + x.diff() ** 2)
    assert sm.simplify(lagrange(m * square / 2, [x])().mass_matrix) == sm.Matrix([[m]])


def test_coordinates_that_are_no_functions_of_time():
    q, u, x = dynamicsymbols("q"), sm.Function("u")(sm.Symbol("s")), sm.Symbol("x")
    system = SymbolicSystem([x], sm.Matrix([u, -x]), [u], mass_matrix=sm.eye(2))
    with pytest.raises(
        ValueError, match=r"its coordinates and speeds \['x', 'u\(s\)'\] are no functions of time; expec"
    ):
        HybridModel(system, [])
    other = dynamicsymbols("other")
    system = SymbolicSystem([q], sm.Matrix([other.diff(), -q]), [other.diff()], mass_matrix=sm.eye(2))
    with pytest.raises(ValueError, match=r"speeds \['Derivative\(other\(t\), t\)'\] are no functions of time"):
        HybridModel(system, [])
    with pytest.raises(ValueError, match="is not a dynamicsymbol"):  # SymPy's own sentence
        LagrangesMethod(x**2, [x])


def test_points_and_bodies_without_a_frame():
    """Limits need none; friction, planes and strings do."""
    q, (m, mu) = dynamicsymbols("q"), sm.symbols("m mu")
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", q * N.x)
    contact = Contact(P, Plane(O, N.x), restitution=1, friction=mu)
    L = m * q.diff() ** 2 / 2
    with pytest.raises(
        ValueError, match=r"contact 'P on O' is given by points and .* without frame= has no inertial fr"
    ):
        HybridModel(LagrangesMethod(L, [q]), [contact])
    with pytest.raises(
        ValueError, match=r"contact 'P on O' is given by points .* write the gap as an expression of its"
    ):
        HybridModel(SymbolicSystem([q], sm.Matrix([q.diff(), 0]), [q.diff()], mass_matrix=sm.eye(2)), [contact])
    for more in ({"bodies": [Particle("p", P, m)]}, {"forcelist": [(P, -q * N.x)]}):
        with pytest.raises(ValueError, match="has bodies or forces, but no inertial frame; give it frame=N"):
            HybridModel(LagrangesMethod(L, [q], **more), [])
    with pytest.raises(ValueError, match=r"the load .* is neither a Force or Torque nor a pair"):
        HybridModel(LagrangesMethod(L, [q], forcelist=[3], frame=N), [])
    with pytest.raises(ValueError, match=r"give a LagrangesMethod its own: bodies=.* and forcelist="):
        HybridModel(LagrangesMethod(L, [q]), [], bodies=[])
    with pytest.raises(
        ValueError, match="friction of the limit 'q' is mu, but a limit has none: the expression does not"
    ):
        Limit(q, restitution=1, friction=mu)
    assert Limit(q, restitution=1, friction=0).friction == 0


def test_symbolic_systems_that_do_not_determine_the_impacts():
    q, u, v = dynamicsymbols("q u v")
    m = sm.Symbol("m")
    limit = Limit(q, restitution=1)

    def separate(kinematics, matrix, forcing, speeds):
        return SymbolicSystem(
            [q],
            sm.Matrix(forcing),
            speeds,
            mass_matrix=sm.Matrix(matrix),
            coordinate_derivatives=sm.Matrix(kinematics),
        )

    for system, sentence in [
        (
            SymbolicSystem([q, u], sm.Matrix([u, 1])),
            r"the states \['q\(t\)', 'u\(t\)'\] .* are neither coordinates nor",
        ),
        (
            separate([u], [[m]], [1, 2], [u]),
            r"right_hand_side of the SymbolicSystem has the shape \(2, 1\), expected \(1,",
        ),
        (separate([u], [[m, m], [m, m]], [1, 2], [u, v]), "the mass matrix is singular for the motion along"),
        (separate([u], [[m + u]], [1], [u]), "not symmetric or depends on the speeds"),
        (separate([u**2], [[m]], [1], [u]), "the rate of the gap of the limit 'q' is not linear in the speeds"),
        (
            SymbolicSystem([q, u, v], sm.Matrix([u, v, -u]), coord_idxs=[0], speed_idxs=[1, 2]),
            "are explicit, u' = F, for 2 speeds: an impact of the limit 'q' .* the mass matrix M is not known",
        ),
        (
            SymbolicSystem([q], sm.Matrix([u, 1]), [u], mass_matrix=sm.Matrix([[0, 1], [0, m]])),
            "it has 1 coordinates and 0 kinematic differential equations",
        ),
    ]:
        with pytest.raises(ValueError, match=sentence):
            HybridModel(system, [limit])


def test_a_speed_that_is_the_rate_of_a_coordinate_needs_no_equation():
    """Beside one with a symbol of its own; counts of equations are still checked."""
    system = falling()
    (z,) = system.q
    system.u_ind = [z.diff()]
    with pytest.raises(
        ValueError, match="has 0 coordinates whose derivative is no speed and 1 kinematic differential equations; each"
    ):
        HybridModel(system, [])
    system.kdes = []
    assert HybridModel(system, []).x == (z, z.diff())


def test_kanes_method_without_bodies():
    system = falling()
    method = KanesMethod(system.frame, system.q, system.u, kd_eqs=system.kdes)
    with pytest.raises(ValueError, match="no bodies, because kanes_equations has not been called; call it, or give"):
        HybridModel(method, [])
    with pytest.raises(ValueError, match=r"the load .* is neither a Force or Torque nor a pair"):
        HybridModel(method, [], bodies=system.bodies, loads=[system.bodies[0]])
    with pytest.raises(ValueError, match="bodies= and loads= are for a KanesMethod"):
        HybridModel(system, [], bodies=system.bodies)


def test_counts_of_coordinates_and_equations():
    system = falling()
    system.kdes = []
    with pytest.raises(
        ValueError, match="1 coordinates and 0 kinematic differential equations; each coordinate needs one"
    ):
        HybridModel(system, [])


@pytest.mark.parametrize(
    ("equation", "sentence"),
    [
        (lambda z, v: z.diff(t) ** 2 - v, "not linear in the derivatives of the coordinates"),
        (lambda z, v: z - v, r"are for the derivatives of no coordinate"),
        (lambda z, v: z.diff(t) - v**2, "velocities are not linear in the generalized speeds"),
        (lambda z, v: z.diff(t, 2) - v, r"a kinematic differential equation contains the acceleration"),
    ],
)
def test_kinematic_equations_that_cannot_be_solved(equation, sentence):
    system = falling()
    system.kdes = [equation(system.q[0], system.u[0])]
    with pytest.raises(ValueError, match=sentence):
        HybridModel(system, [])


def test_equations_for_the_same_coordinate_twice():
    system, _ = cube("rates")
    kdes = list(system.kdes)
    kdes[1] = 2 * kdes[0]
    system.kdes = kdes
    with pytest.raises(
        ValueError, match=r"2 of the kinematic differential equations are for the derivatives of x\(t\)"
    ):
        HybridModel(system, [])


@pytest.mark.parametrize("restitution", [-0.1, 1.5, sm.nan, sm.I, sm.oo])
def test_restitution_outside_its_range(restitution):
    with pytest.raises(ValueError, match=r"the restitution of the contact 'P on O' is .*, expected a number from 0"):
        bounce(falling(), restitution=restitution)


def test_restitution_that_changes_with_the_motion():
    system = falling()
    with pytest.raises(
        ValueError, match=r"restitution of the contact 'P on O' is z\(t\); expected a number or an expr"
    ):
        HybridModel(system, [bounce(system, restitution=system.q[0])])


@pytest.mark.parametrize("friction", [-0.25, sm.nan, sm.I, -sm.oo, sm.zoo])
def test_friction_that_is_no_coefficient(friction):
    with pytest.raises(ValueError, match=r"the friction of the contact 'P on O' is .*, expected a number that is"):
        bounce(falling(), friction=friction)
    with pytest.raises(ValueError, match=r"the static friction of the contact 'P on O' is .*, expected a number"):
        bounce(falling(), friction=0, static_friction=friction)


def test_static_friction_below_friction():
    with pytest.raises(
        ValueError, match=r"the static friction of the contact 'P on O' is 0\.2, less than its friction 0\.3"
    ):
        bounce(falling(), friction=0.3, static_friction=0.2)


def test_coefficients_are_checked_by_their_numbers_at_the_start():
    mu, static = sm.symbols("mu static")
    system = falling()
    model = HybridModel(system, [bounce(system, friction=mu, static_friction=static)])
    with pytest.raises(ValueError, match=r"the friction of the contact 'P on O' is -0\.1, expected a number >= 0"):
        model.simulate((0, 1), [1, 0], {sm.Symbol("m"): 1, mu: -0.1, static: 0})
    with pytest.raises(ValueError, match=r"static friction of the contact 'P on O' is 0\.2, expected at least its fr"):
        model.simulate((0, 1), [1, 0], {sm.Symbol("m"): 1, mu: 0.3, static: 0.2})


def test_friction_on_material_that_may_turn_unseen():
    """A sphere looks the same whether it turns or not: friction has to be told its frame."""
    system = falling()
    point, N = system.bodies[0].masscenter, system.frame
    ball = Contact(point, Sphere(system.fixed_point, 1), restitution=1, friction=0.3)
    with pytest.raises(
        ValueError, match=r"'P on O' has friction, but the sphere about 'O' does not say in which frame"
    ):
        HybridModel(system, [ball])
    with pytest.raises(
        ValueError, match=r"'P on O' has friction, but the sphere about 'P' does not say in which frame"
    ):
        HybridModel(system, [bounce(system, friction=0.3, point=Sphere(point, 0.1))])
    several = Plane(system.fixed_point, N.x / sm.sqrt(2) + N.orientnew("A", "Axis", [1, N.x]).x / sm.sqrt(2))
    with pytest.raises(ValueError, match=r"the normal of the plane at 'O' is given in several frames; say with frame="):
        HybridModel(system, [Contact(point, several, restitution=1, friction=0.3)])


def test_things_that_are_no_points_normals_or_surfaces():
    N, O = ReferenceFrame("N"), Point("O")
    with pytest.raises(TypeError, match="the point of a plane is a sympy Point; found N"):
        Plane(N, N.z)
    with pytest.raises(TypeError, match=r"the normal of a plane is a sympy Vector such as N.z; found 1"):
        Plane(O, 1)
    with pytest.raises(TypeError, match="the surface of a contact is a Plane, a Sphere or another Surface; found"):
        Contact(O, N, restitution=1, friction=0)
    with pytest.raises(TypeError, match=r"the point of a contact is a sympy Point, or a round body: .*; found N"):
        Contact(N, Plane(O, N.z), restitution=1, friction=0)
    with pytest.raises(TypeError, match=r"contacts: expected Contact, .* objects; found O"):
        HybridModel(falling(), [O])
    with pytest.raises(TypeError, match=r"impact: expected ImpactLaw objects; found 0.5"):
        HybridModel(falling(), [], impact=0.5)


def test_a_normal_that_is_no_unit_vector():
    """At once for numbers, when the model is built for symbols and several frames."""
    system, _ = cube("rates")
    N, B = system.frame, system.bodies[0].frame
    with pytest.raises(ValueError, match=r"the normal 2\*N.z of the plane at 'O' has the length 2, expected 1"):
        Plane(system.fixed_point, 2 * N.z)
    with pytest.raises(ValueError, match="has the length 0, expected 1"):
        Plane(system.fixed_point, 0 * N.z)
    for normal in (sm.Symbol("n") * N.z, N.z + B.z):
        contact = Contact(system.bodies[0].masscenter, Plane(system.fixed_point, normal), restitution=1, friction=0)
        with pytest.raises(
            ValueError, match=r"has the length .*, expected 1; divide it by its length, .*\(at a random state\)"
        ):
            HybridModel(system, [contact])


@pytest.mark.parametrize("radius", [0, -2, sm.oo, sm.I, sm.nan])
def test_a_radius_that_is_no_positive_length(radius):
    with pytest.raises(ValueError, match=r"the radius of the sphere about 'O' is .*, expected a positive length; for"):
        Sphere(Point("O"), radius)


def test_things_that_are_no_centre_or_radius():
    with pytest.raises(TypeError, match="the center of a sphere is a sympy Point; found 3"):
        Sphere(3, Point("O"))
    for radius in (None, "R", [1]):
        with pytest.raises(TypeError, match="the radius of the sphere about 'O' is a number or a sympy expression;"):
            Sphere(Point("O"), radius)


def test_a_radius_that_depends_on_a_speed_is_refused():
    system = falling()
    sphere = Sphere(system.fixed_point, 1 + system.u[0] ** 2)
    with pytest.raises(ValueError, match=r"the surface of the contact 'P' depends on .*; a position or orientation"):
        HybridModel(system, [Contact(system.bodies[0].masscenter, sphere, restitution=1, friction=0, name="P")])


def test_a_sphere_that_no_position_connects():
    system = falling()
    contact = Contact(system.bodies[0].masscenter, Sphere(Point("lost"), 1), restitution=1, friction=0, name="P")
    with pytest.raises(ValueError, match="the surface of the contact 'P' uses the point 'lost', which no position"):
        HybridModel(system, [contact])


def test_a_point_that_no_position_connects():
    system = falling()
    plane = Plane(system.fixed_point, system.z)
    lost = Contact(Point("lost"), plane, restitution=1, friction=0)
    with pytest.raises(ValueError, match="contact 'lost on O' uses the point 'lost', which no position connects"):
        HybridModel(system, [lost])
    flying = Point("flying")
    flying.set_vel(system.frame, system.u[0] * system.z)
    with pytest.raises(
        ValueError, match="no position connects the point 'flying' of the contact 'flying on O' with the point 'O'"
    ):
        HybridModel(system, [Contact(flying, plane, restitution=1, friction=0)])


def test_a_frame_without_orientation():
    system = falling()
    system.add_bodies(RigidBody("box", system.bodies[0].masscenter))
    with pytest.raises(
        ValueError, match="the body 'box' uses the frame 'box_frame', which has no orientation relative to 'N'"
    ):
        HybridModel(system, [])


def test_massless_bodies():
    with pytest.raises(ValueError, match=r"the speed v\(t\) moves no mass and no inertia.*mass 0: 'ball'"):
        HybridModel(falling(0), [])
    with pytest.raises(ValueError, match="the mass of the body 'ball' is -1, expected a positive one"):
        HybridModel(falling(-1), [])


def test_a_massless_body_between_others_is_no_fault():
    """A universal joint is two pins with a massless body between: M is regular."""
    from mechanics_oracle import body
    from sympy.physics.mechanics import PinJoint

    ground, cross, rod = RigidBody("ground"), RigidBody("cross", mass=0), body("rod")
    cross.central_inertia = inertia(cross.frame, 0, 0, 0)
    place = rod.masscenter.locatenew("top", sm.Symbol("l") * rod.y)
    system = System.from_newtonian(ground)
    system.add_joints(
        PinJoint("A", ground, cross, joint_axis=ground.x),
        PinJoint("B", cross, rod, child_point=place, joint_axis=cross.z),
    )
    assert HybridModel(system, []).mass_matrix[0, 0] != 0


def test_symbols_that_share_a_name():
    system = falling(sm.Symbol("m", positive=True))
    system.add_loads((system.bodies[0].masscenter, -sm.Symbol("m") * system.z))
    with pytest.raises(ValueError, match=r"two different symbols are called 'm': .*make the symbol once"):
        HybridModel(system, [])


def test_contacts_that_share_a_name():
    system = falling()
    with pytest.raises(ValueError, match="2 contacts are called 'P on O'; give each its own name="):
        HybridModel(system, [bounce(system), bounce(system)])


def test_loads_that_hold_accelerations():
    system = falling()
    system.add_loads((system.bodies[0].masscenter, system.u[0].diff(t) * system.z))
    with pytest.raises(ValueError, match="the load on 'P' contains the acceleration"):
        HybridModel(system, [])


def test_functions_of_something_else_than_time():
    system = falling()
    other = sm.Function("f")(system.q[0])
    system.add_loads((system.bodies[0].masscenter, other * system.z))
    with pytest.raises(
        ValueError, match=r"the load on 'P' contains f\(z\(t\)\); expected symbols, functions of t alone"
    ):
        HybridModel(system, [])


def test_expressions_the_graph_cannot_read():
    system = falling()
    system.add_loads((system.bodies[0].masscenter, sm.zeta(system.q[0]) * system.z))
    with pytest.raises(ValueError, match=r"cannot read zeta\(z\(t\)\)"):
        HybridModel(system, [])


def test_gap_rates_that_are_not_the_rates_of_the_gaps():
    """A velocity that contradicts the position is trusted for the motion, but no impact could be found with it."""
    system = falling()
    P = system.bodies[0].masscenter
    P.set_vel(system.frame, 2 * system.u[0] * system.z)
    with pytest.warns(SympactWarning, match="'P', the mass centre of the body 'ball', differs by 0.5 of itself"):
        assert HybridModel(system, []).mass_matrix == sm.Matrix([[4 * sm.Symbol("m")]])
    with pytest.raises(
        ValueError, match=r"'P on O' does not change at the rate that the velocities give.*velocity of 'P' was set"
    ):
        HybridModel(system, [bounce(system)])


def test_all_faults_at_once():
    """Nothing is fixed twice: a wrong restitution, a lost point and a frame without orientation in one error."""
    system = falling()
    system.add_bodies(RigidBody("box", system.bodies[0].masscenter))
    lost = Contact(Point("lost"), Plane(system.fixed_point, system.z), restitution=1, friction=0)
    wrong = bounce(system, restitution=system.q[0])
    with pytest.raises(
        ValueError, match=r"(?s)for 3 reasons:\n  1\. .*box_frame.*\n  2\. .*lost.*\n  3\. .*restitution"
    ):
        HybridModel(system, [lost, wrong])


def test_length_and_outputs():
    system = falling()
    with pytest.raises(ValueError, match="length=-1: expected a positive length"):
        HybridModel(system, [], length=-1)
    with pytest.raises(ValueError, match="cannot read k"):
        HybridModel(system, [], outputs={"power": sm.Symbol("k") * system.u[0]})
    with pytest.raises(TypeError, match="formulation: expected a Formulation such as Projection objects; found"):
        HybridModel(system, [], formulation="index 3")


def test_a_contact_is_found_by_itself_its_name_or_its_point():
    system, corners = cube("rates")
    floor = Plane(system.fixed_point, system.z)
    contacts = [Contact(point, floor, restitution=1, friction=0) for point in corners[:2]]
    twin = Contact(corners[1], Plane(system.fixed_point, -system.z), restitution=1, friction=0, name="ceiling")
    model = HybridModel(system, [*contacts, twin])
    assert [model.contact(wanted) for wanted in (contacts[1], "ceiling", "P0", "P1 on O")] == [1, 2, 0, 1]
    with pytest.raises(KeyError, match="'P1' may mean the contacts 'P1 on O', 'ceiling'; say which"):
        model.contact("P1")
    with pytest.raises(KeyError, match="there is no contact 'P9'; the model's contacts are 'P0 on O'"):
        model.contact("P9")


def test_a_kanes_method_after_its_equations_needs_nothing_more():
    method, P, O = bead_on_hoop()
    floor = Plane(O, method._inertial.z)
    model = HybridModel(method, [Contact(P, floor, restitution=0.5, friction=0)])
    assert model.gap_rates == sm.Matrix([sm.Symbol("r") * sm.sin(model.q[0]) * model.u[0]])
    assert model.parameters == (sm.Symbol("Omega"), sm.Symbol("g"), sm.Symbol("m"), sm.Symbol("r"))


def test_friction_on_what_does_not_slide():
    """A one-sided constraint of a user's own may have a coefficient of friction and no slip that it could act on."""

    class Grinding(Limit):
        friction = sm.Rational(1, 2)

    system = falling()
    with pytest.raises(ValueError, match="the limit 'z' has friction, but nothing of it slides along a surface"):
        HybridModel(system, [Grinding(system.q[0], restitution=0)])


def test_friction_that_changes_in_steps_is_a_contact_for_each_patch_or_one_with_conditions():
    """A block of 3 m/s slides 1 m over ice and stops where both patches have taken its energy."""
    world = World()
    place = world.particle(axes=2)
    x = world.system.q[0]
    world.weigh(world.N.y)
    floor = Plane(world.O, world.N.y)
    ice = Contact(place, floor, restitution=0, friction=0.05, active=x < 1, name="ice")
    road = Contact(place, floor, restitution=0, friction=0.7, active=x >= 1, name="road")
    both = Contact(place, floor, restitution=0, friction=sm.Piecewise((0.05, x < 1), (0.7, True)))
    for contacts in ([ice, road], [both]):
        result = HybridModel(world.system, contacts).simulate((0, 2), [0, 0, 3, 0], {})
        assert result.x[0, -1] == pytest.approx(1 + (9 - 2 * 0.05 * 9.81) / (2 * 0.7 * 9.81), rel=1e-12)
