"""A list of wrong inputs, each as the line a user would write, with the kind of error and what its sentence must say.

    python tests/wrong_inputs.py

writes them with their sentences as the page ``docs/api/errors.rst``; `test_wrong_inputs` compares.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from beginners_inputs import BEGINNERS

from sympact import NoEquilibrium

PAGE = Path(__file__).parent.parent / "docs" / "api" / "errors.rst"

SETTING = """\
import numpy as np
import sympy as sm
from sympy.physics import units
from sympy.physics.mechanics import (
    Force, LagrangesMethod, Particle, PinJoint, Point, ReferenceFrame, RigidBody, SymbolicSystem, System,
    dynamicsymbols,
)

from sympact import (
    Ball, Box, Capsule, Contact, ConvexPolygon, Cylinder, Disc, Ground, HybridModel, HybridSystem, Implicit,
    Interpolated, Limit, Plane, Rod, Sphere, Status, Stop, String, Transition, load, polygon_contacts,
)
from sympact import (
    BallClosure, Baumgarte, Controller, Direct, Holonomic, Latch, LineClosure, Nonholonomic, NullSpace, Partitioning,
    PinClosure, Reaction, RodClosure, Sampled, WeldClosure,
)
from sympact import DiscreteTime, Nested
from sympact import (
    Crossing, ImpulseRatio, Newton, NormalForce, CustomLaw, Poisson, Sequential, When, compare_impacts,
    ensemble, solve_impact,
)
from sympact.models import bouncing_ball

N, O, P, y, v = ReferenceFrame("N"), Point("O"), Point("P"), *sm.symbols("y v")
floor = Plane(O, N.z)
ball = bouncing_ball()
model, x0, numbers, span = ball.model, ball.start, ball.parameters, (0, 1)
z, w = model.x  # height and speed
e, g, m = model.parameters
result = ball.simulate(max_events=5)
q = dynamicsymbols("q")
kinetic = m * q.diff() ** 2 / 2

(F, r), A = dynamicsymbols("F r"), O.locatenew("A", z * N.z)
driven = System(N, O)  # a particle that F lifts, above a table at the height r
driven.add_bodies(Particle("mass", A, m))
driven.add_coordinates(z)
driven.add_speeds(w)
driven.add_kdes(w - z.diff())
driven.add_loads(Force(A, F * N.z))
driven = HybridModel(driven, [Contact(A, Plane(O.locatenew("T", r * N.z), N.z), restitution=e, friction=0)])

wheel = RigidBody("wheel", mass=1)
chained = System.from_newtonian(RigidBody("ground"))
chained.add_joints(PinJoint("pin", chained.bodies[0], wheel))
wheels = System.from_newtonian(RigidBody("ground"))  # two wheels with an uneven gear between them
for name in ("pin", "other"):
    wheels.add_joints(PinJoint(name, wheels.bodies[0], RigidBody(f"{name}_wheel", mass=1)))
gear = Holonomic(wheels.q[0] - wheels.q[1] ** 2, "gear")
latch = Latch(chained.q[0], closes=chained.u[0] > 1, name="k")
geared = HybridModel(wheels, [], constraints=[gear])
geared = geared.simulate(span, [0, 0, 0, 1], {letter: 1 for letter in geared.parameters})

turned = HybridModel(chained, []).simulate(span, [0, 1], {sm.Symbol("wheel_ixx"): 1})


(a, b), M = dynamicsymbols("a b"), sm.Symbol("M")  # a bead on a ring of radius 1
bead = HybridModel(LagrangesMethod(M * (a.diff() ** 2 + b.diff() ** 2) / 2, [a, b], hol_coneqs=[a**2 + b**2 - 1]), [])
cross = HybridModel(LagrangesMethod(M * (a.diff() ** 2 + b.diff() ** 2) / 2, [a, b], hol_coneqs=[a * b]), [])


def act(*controllers, also=()):
    return driven.simulate(span, {z: 1, w: 0}, {m: 1, e: 0.5}, inputs={r: 0, **dict(also)}, controllers=[*controllers])


def drive(force=0.0, height=0.0):
    return driven.simulate(span, {z: 1, w: 0}, {m: 1, e: 0.5}, inputs={F: force, r: height})


def fall(t, x):
    return [x[1], -10.0]


def ground(t, x):
    return -x[0]


def bounce(t, x):
    return [0.0, -0.5 * x[1]]


edge = Transition("air", "air", boundary=ground, jump=bounce)
process = HybridSystem({"air": fall}, [edge], states=["height", "speed"])
symbolic = HybridSystem.from_sympy({"air": [v, -g]}, [], states=[y, v], parameters=[g])
plain = process.simulate((0, 1.5), [5, 0], start="air")
"""
"""What the lines below are written under."""


@dataclass(frozen=True)
class Wrong:
    """One wrong input.

    Parameters
    ----------
    code : str
        The line, valid under `SETTING`.
    error : type
        The exception it raises.
    sentence : str
        A regular expression that the message contains: what is wrong, what was found, what was expected.
    """

    code: str
    error: type[Exception]
    sentence: str


TYPE, VALUE, KEY, INDEX, LATER = TypeError, ValueError, KeyError, IndexError, NotImplementedError

WRONG: dict[str, list[Wrong]] = {
    "Contacts": [
        Wrong(
            "Contact(N, floor, restitution=1, friction=0)",
            TYPE,
            r"point of a contact is a sympy Point, or a round.*found N",
        ),
        Wrong("Contact(P, N.z, restitution=1, friction=0)", TYPE, r"surface of a contact is a Plane.*found N\.z"),
        Wrong("Contact(P, floor, restitution=1.5, friction=0)", VALUE, r"restitution.*'P on O' is 1\.5.*from 0 .*to 1"),
        Wrong(
            "Contact(P, floor, restitution=None, friction=0)", TYPE, r"restitution.*'P on O' is a number.*found None"
        ),
        Wrong("Contact(P, floor, restitution='soft', friction=0)", TYPE, r"restitution.*is a number.*found 'soft'"),
        Wrong("Contact(P, floor, restitution=[1], friction=0)", TYPE, r"restitution.*is a number.*found \[1\]"),
        Wrong("Contact(P, floor, restitution=1, friction=None)", TYPE, r"friction.*is a number.*found None"),
        Wrong(
            "Contact(P, floor, restitution=1, friction=-0.3)", VALUE, r"friction.*'P on O' is -0\.3, expected a number"
        ),
        Wrong(
            "Contact(P, floor, restitution=1, friction=0.3, static_friction=0.2)",
            VALUE,
            r"static friction.*'P on O' is 0\.2, less than its friction 0\.3",
        ),
        Wrong(
            "Contact(Sphere(P, 1, inside=True), floor, restitution=1, friction=0)",
            VALUE,
            r"'P on O' has no gap: the sphere about 'P' is hollow.*leave inside out",
        ),
        Wrong(
            "Contact(Sphere(P, 1), ConvexPolygon([O, P, Point('Q')], N.z, N), restitution=1, friction=0)",
            VALUE,
            r"gap of the ConvexPolygon 'O-P-Q' is a distance only where it is zero.*let the point 'P' touch it",
        ),
        Wrong(
            "Contact(Capsule(O, P, 1), floor, restitution=1, friction=0)",
            VALUE,
            r"capsule 'O-P' can touch the Plane 'O' with both ends.*one for each ball of its \.ends",
        ),
        Wrong(
            "Contact(Capsule(O, P, 1), ConvexPolygon([O, P, Point('Q')], N.z, N), restitution=1, friction=0)",
            VALUE,
            r"capsule 'O-P' touches Spheres, Cylinders, Capsules and.*it cannot touch the ConvexPolygon 'O-P-Q'",
        ),
        Wrong(
            "Contact(Disc(P, N.x, 1), ConvexPolygon([O, P, Point('Q')], N.z, N), restitution=1, friction=0)",
            VALUE,
            r"disc about 'P' moves in space, but the ConvexPolygon 'O-P-Q' in a plane; there let points",
        ),
        Wrong(
            "polygon_contacts(floor, floor, restitution=1, friction=0)", TYPE, r"two ConvexPolygon objects; found Plane"
        ),
        Wrong("Contact(P, floor, restitution=1, friction=0, name=3)", TYPE, r"name of a contact is 3, expected a text"),
    ],
    "Surfaces": [
        Wrong("Plane('O', N.z)", TYPE, r"point of a plane is a sympy Point; found 'O'"),
        Wrong("Plane(O, 'z')", TYPE, r"normal of a plane is a sympy Vector such as N\.z; found 'z'"),
        Wrong("Plane(O, 2 * N.z)", VALUE, r"normal 2\*N\.z.*'O' has the length 2, expected 1; divide"),
        Wrong("Sphere(N, 1)", TYPE, r"center of a sphere is a sympy Point; found N"),
        Wrong("Sphere(O, 'big')", TYPE, r"radius of the sphere about 'O' is a number.*found 'big'"),
        Wrong("Sphere(O, -2)", VALUE, r"radius of the sphere about 'O' is -2, expected a positive length"),
        Wrong("Sphere(O, 2, inside='yes')", TYPE, r"inside of the sphere about 'O' is 'yes', expected True or False"),
        Wrong("Sphere(O, 2, frame=O)", TYPE, r"frame of the sphere about 'O' is O, expected a sympy ReferenceFrame"),
        Wrong("Cylinder(N, N.z, 1)", TYPE, r"point of a cylinder is a sympy Point; found N"),
        Wrong("Cylinder(O, 'z', 1)", TYPE, r"axis of a cylinder is a sympy Vector such as N\.z; found 'z'"),
        Wrong("Cylinder(O, 2 * N.z, 1)", VALUE, r"axis 2\*N\.z of the cylinder at 'O' has the length 2, expected 1"),
        Wrong("Cylinder(O, N.z, 0)", VALUE, r"radius of the cylinder at 'O' is 0, expected a positive length"),
        Wrong("Cylinder(O, N.z, 1, inside=1)", TYPE, r"inside of the cylinder at 'O' is 1, expected True or False"),
        Wrong("Capsule(O, N, 1)", TYPE, r"end of a capsule is a sympy Point; found N"),
        Wrong("Capsule(O, P, -1)", VALUE, r"radius of the capsule 'O-P' is -1, expected a positive length"),
        Wrong("Disc(N, N.z, 1)", TYPE, r"center of a disc is a sympy Point; found N"),
        Wrong("Disc(P, 3, 1)", TYPE, r"axis of a disc is a sympy Vector such as B\.z; found 3"),
        Wrong("Disc(P, N.z, -1)", VALUE, r"radius of the disc about 'P' is -1, expected a positive length"),
        Wrong("Implicit(N, N, max)", TYPE, r"origin of an implicit surface is a sympy Point; found N"),
        Wrong("Implicit(O, O, max)", TYPE, r"frame of the implicit surface 'O' is O, expected a sympy ReferenceFrame"),
        Wrong("Implicit(O, N, y)", TYPE, r"phi of the implicit surface 'O' is y, expected a function such as lambda x"),
        Wrong("Implicit(O, N, lambda x, y, z: 'z')", TYPE, r"what phi of the implicit.* gives is a number.*found 'z'"),
        Wrong("Implicit(O, N, lambda x, y, z: 1)", VALUE, r"depends on none of x, y and z; it has no surface"),
        Wrong("ConvexPolygon([O, P], N.z, N)", VALUE, r"convex polygon has three corners or more; found 2"),
        Wrong("ConvexPolygon([O, P, N], N.z, N)", TYPE, r"corner of a convex polygon is a sympy Point; found N"),
        Wrong(
            "ConvexPolygon([O, P, Point('Q')], 1, N)", TYPE, r"axis of the polygon 'O-P-Q' is a sympy Vector.*found 1"
        ),
        Wrong(
            "ConvexPolygon([O, P, Point('Q')], N.z, 'N')", TYPE, r"frame of the polygon 'O-P-Q' is 'N', expected the"
        ),
    ],
    "Limits and strings": [
        Wrong("Limit('q', restitution=1)", TYPE, r"what a Limit keeps from being negative is a number.*found 'q'"),
        Wrong("Limit(1, restitution=1)", VALUE, r"Limit of 1 never changes; expected an expression of coordinates"),
        Wrong("Limit(z, restitution=2)", VALUE, r"restitution of the limit 'z' is 2, expected a number from 0"),
        Wrong("Limit(z, restitution=1, lever=0)", VALUE, r"lever of the limit 'z' is 0, expected a positive length"),
        Wrong(
            "Limit(z, restitution=1, friction=0.3)", VALUE, r"friction of the limit 'z' is 0\.3, but a limit has none"
        ),
        Wrong("Limit(z, restitution=1, name=1)", TYPE, r"name of a limit is 1, expected a text"),
        Wrong("String(O, N, 1, restitution=0)", TYPE, r"end of a String is a sympy Point; found N"),
        Wrong(
            "String(O, P, -1, restitution=0)", VALUE, r"length of the string 'O to P' is -1, expected a positive length"
        ),
        Wrong("String(O, P, 1, restitution=-1)", VALUE, r"restitution of the string 'O to P' is -1, expected a number"),
    ],
    "Constraints": [
        Wrong(
            "HybridModel(driven.source, [], constraints=[sm.Eq(z, 1)])", TYPE, r"zero; found Eq\(z, 1\); write z - 1"
        ),
        Wrong(
            "HybridModel(driven.source, [], constraints=[z > r])",
            TYPE,
            r"found z > r; an inequality is a contact, Limit\(-r \+ z, restitution=\.\.\.\)",
        ),
        Wrong(
            "Holonomic(sm.Eq(z, 1))", TYPE, r"what a Holonomic constraint keeps at zero .* found Eq\(z, 1\); write z -"
        ),
        Wrong(
            "HybridModel(driven.source, [], constraints=[Holonomic(z - w, 'gear')])",
            VALUE,
            r"holonomic constraint 'gear' contains v\(t\), but positions alone are expected.*nonholonomic constraint",
        ),
        Wrong(
            "HybridModel(driven.source, [], constraints=[e - 1])",
            VALUE,
            r"contains no coordinate \(found e - 1 = 0\), so that no motion can meet it",
        ),
        Wrong(
            "HybridModel(driven.source, [], constraints=[Nonholonomic(w**2 - 1, 'fast')])",
            VALUE,
            r"nonholonomic constraint 'fast' is not linear in the speeds; expected A u \+ a = 0",
        ),
        Wrong(
            "HybridModel(driven.source, [], constraints=[Nonholonomic(w.diff() - 1, 'late')])",
            VALUE,
            r"'late' contains the acceleration .*, but speeds alone are expected in it",
        ),
        Wrong(
            "HybridModel(driven.source, [], constraints=[BallClosure(A, O.locatenew('B', N.x))])",
            VALUE,
            r"'A to B' \(along x\) cannot be met by any motion: no speed changes it, and it is not zero",
        ),
        Wrong(
            "HybridModel(driven.source, [], constraints=[Holonomic(z - 1, 'shelf')])",
            VALUE,
            r"the constraints 'shelf' leave no freedom: 1 equations determine all 1 speeds; remove",
        ),
        Wrong(
            "HybridModel(driven.source, [], constraints=z)",
            TYPE,
            r"expected a list of constraints or expressions",
        ),
        Wrong("BallClosure(A, A)", VALUE, r"a ball closure joins two points; found 'A' twice"),
        Wrong(
            "PinClosure(O, A, N.z, 2 * N.z)", VALUE, r"axis of the pin closure 'O to A' has the length 2, expected 1"
        ),
        Wrong("LineClosure(O, A, 'z')", TYPE, r"axis of the line closure 'O to A' is a sympy Vector.*found 'z'"),
        Wrong("WeldClosure(O, A, N, None)", TYPE, r"frame of the weld closure 'O to A' is None, expected a sympy Ref"),
        Wrong("RodClosure(O, A, 0)", VALUE, r"length of the rod closure 'O to A' is 0, expected a positive length"),
    ],
    "Models": [
        Wrong(
            "HybridModel('pendulum', [])", TYPE, r"System, KanesMethod, LagrangesMethod or SymbolicSystem; found a str"
        ),
        Wrong("HybridModel(System(N, O), [])", VALUE, r"(?s)no generalized speeds.*no bodies; add a RigidBody"),
        Wrong(
            "HybridModel(LagrangesMethod(kinetic**2, [q]), [])",
            VALUE,
            r"Lagrangian is not quadratic in the derivatives of the coordinates.*expected L = T - V",
        ),
        Wrong("HybridModel(LagrangesMethod(-g * q, [q]), [])", VALUE, r"no kinetic energy of .*q.*add the term"),
        Wrong(
            "HybridModel(LagrangesMethod(kinetic, [q], hol_coneqs=[q - 1]), [])",
            VALUE,
            r"the constraints 'holonomic 1' leave no freedom: 1 equations determine all 1 speeds; remove",
        ),
        Wrong(
            "HybridModel(LagrangesMethod(kinetic, [q]), [Contact(P, floor, restitution=1, friction=1)])",
            VALUE,
            r"'P on O' is given by points and vectors.*without frame= has no inertial frame; give it frame=N",
        ),
        Wrong(
            "HybridModel(SymbolicSystem([q, z], sm.Matrix([z, -q])), [])",
            VALUE,
            r"states .* are neither coordinates nor speeds; say which is which",
        ),
        Wrong(
            "HybridModel(System(N, O), floor)",
            TYPE,
            r"contacts: expected a list of Contact, CompliantContact, Limit or String objects; found",
        ),
        Wrong(
            "HybridModel(System(N, O), [floor])",
            TYPE,
            r"contacts: expected Contact, .* objects.*Plane",
        ),
        Wrong("HybridModel(System(N, O), [], impact=0.5)", TYPE, r"impact: expected ImpactLaw objects; found 0\.5"),
        Wrong("HybridModel(System(N, O), [], resolution='all')", TYPE, r"expected Resolution objects; found 'all'"),
        Wrong("HybridModel(System(N, O), [], painleve='go')", TYPE, r"expected EndOfRun or ImpactWith.* found 'go'"),
        Wrong("HybridModel(System(N, O), [], attitude='Euler')", VALUE, r"attitude is 'Euler', expected one of 'quat"),
        Wrong("HybridModel(System(N, O), [], formulation='index 3')", TYPE, r"expected a Formulation such as Proj"),
        Wrong("Baumgarte(-1.0)", VALUE, r"alpha of Baumgarte is -1\.0, expected a number of 1/s that is not negative"),
        Wrong("HybridModel(driven.source, [], formulation=Direct())", VALUE, r"is for models with bilateral"),
        Wrong("Partitioning(growth=1.0)", VALUE, r"growth of Partitioning is 1\.0, expected a finite number above 1"),
        Wrong("NullSpace('lu')", VALUE, r"basis of NullSpace is 'lu', expected one of 'qr', 'svd', 'gram-schmidt'"),
        Wrong("NullSpace('zero-eigenvalues')", VALUE, r"basis 'zero-eigenvalues' of NullSpace is basis 'svd': "),
        Wrong("model.contact('foot')", KEY, r"no contact 'foot'; the model's contacts are 'ball'"),
        Wrong("model.jump_map('foot')", KEY, r"no contact 'foot'; the model's contacts are 'ball'"),
        Wrong("model.formulas('mass')", VALUE, r"no formulas \['mass'\]; the model has \['kinematics', 'mass_matrix'"),
        Wrong("model.operations('mass')", VALUE, r"no formula 'mass'; the model has \['kinematics', 'mass_matrix'"),
    ],
    "Start and parameters of a model": [
        Wrong("model.simulate(span, {z: 1}, numbers)", VALUE, r"x0 do not match.*missing \[v\(t\)\]; the model has"),
        Wrong("model.simulate(span, {**x0, y: 3}, numbers)", VALUE, r"x0 do not match.*unknown \[y\]; the model has"),
        Wrong(
            "model.simulate(span, {'height': 1, 'v': 0}, numbers)",
            VALUE,
            r"missing \[z\(t\)\], unknown \[height\] \('height' is the name of none of them, in model.x\)",
        ),
        Wrong("model.simulate(span, [1, 0, 0], numbers)", VALUE, r"x0 has the shape \(3,\), expected \(2,\)"),
        Wrong("model.simulate(span, None, numbers)", VALUE, r"x0: None is not made of real numbers"),
        Wrong("model.simulate(span, 'down', numbers)", VALUE, r"x0: 'down' is not made of real numbers"),
        Wrong("model.simulate(span, ['1', 0], numbers)", VALUE, r"x0: z\(t\) = '1' is text; expected real numbers"),
        Wrong("model.simulate(span, [10**400, 0], numbers)", VALUE, r"x0: z\(t\) = .* is beyond 1\.8e308, the"),
        Wrong(
            "model.simulate(span, np.ma.array([1, 0], mask=[1, 0]), numbers)",
            VALUE,
            r"(?s)x0: .* is not made of real numbers: entries of it are masked \(1\); fill them or leave them out",
        ),
        Wrong("model.simulate(span, {**x0, z: 1j}, numbers)", VALUE, r"x0: z\(t\) = 1j is complex; expected real"),
        Wrong("model.simulate(span, [1, float('nan')], numbers)", VALUE, r"x0: v\(t\) = nan; expected finite"),
        Wrong(
            "model.simulate(span, [-1, 0], numbers)",
            VALUE,
            r"1 m below.*a gap >= 0; is the normal of the surface",
        ),
        Wrong("model.simulate(span, x0, {m: 1})", VALUE, r"parameters do not match.*missing \[e, g\]; the model has"),
        Wrong("model.simulate(span, x0, [0.8, 9.8, 1.0])", TYPE, r"in their order, \[e, g, m\], that would be \{e: 0"),
        Wrong("model.compare_impacts(0, x0, [0.8])", TYPE, r"expected a mapping of .* that would be \{e: \.\.\., g: "),
        Wrong(
            "model.simulate(span, x0, {'e': 0.8, 'g': 9.8, 'M': 1})",
            VALUE,
            r"missing \[m\], unknown \[M\] \('M' is the name",
        ),
        Wrong(
            "model.simulate(span, x0, {**numbers, sm.Symbol('m', integer=True): 1})",
            VALUE,
            r"unknown \[m\] \(m is another symbol than the m here, which has positive=True; take the one",
        ),
        Wrong("model.simulate(span, x0, {**numbers, y: 1})", VALUE, r"parameters do not match.*unknown \[y\]"),
        Wrong(
            "model.simulate(span, x0, {**numbers, m: 'heavy'})",
            VALUE,
            r"parameters: m = 'heavy' is text; expected real",
        ),
        Wrong("model.simulate(span, x0, {**numbers, m: float('inf')})", VALUE, r"parameters: m = inf; expected finite"),
        Wrong("model.simulate(span, x0, {**numbers, m: 0})", VALUE, r"no positive inertia resists v\(t\); give"),
        Wrong(
            "model.simulate(span, x0, {**numbers, e: 2})", VALUE, r"restitution of the contact 'ball' is 2, expected"
        ),
        Wrong("model.simulate(span, x0, numbers, inputs=[2.0])", TYPE, r"inputs is \[2\.0\], expected a mapping"),
        Wrong("model.simulate(span, x0, numbers, inputs={y: 2.0})", VALUE, r"unknown \['y'\]; the model has \[\]"),
    ],
    "Assembly": [
        Wrong(
            "bead.assemble({z: 1}, {M: 1})",
            VALUE,
            r"x0 do not match the model: unknown \[z\(t\)\]; the model has \[a\(t\)",
        ),
        Wrong(
            "bead.assemble([1, 0, 0, 0], {M: 1}, keep=[z])", VALUE, r"keep has unknown states \[z\(t\)\]; the model has"
        ),
        Wrong("bead.assemble([1, 0, 0, 0], {M: 1}, keep=a)", TYPE, r"keep is a\(t\), expected states that must not"),
        Wrong(
            "bead.assemble([1, 0, 0, 0], {M: 1}, keep={a: -1})", VALUE, r"weight of a\(t\) in keep is -1, expected a"
        ),
        Wrong("bead.assemble([1, 0, 0, 0], {M: 1}, keep=bead.x)", VALUE, r"keep names all states, so that nothing is"),
        Wrong("bead.assemble({a: 1}, {M: 1}, keep=[b])", VALUE, r"keep names \[b\(t\)\], for which x0 has no value"),
        Wrong(
            "bead.assemble([2, 1, 0, 0], {M: 1}, keep=[a])",
            VALUE,
            r"no state near.*'holonomic 1' by 3, which b\(t\) should change; keep fewer than \[a\(t\)\]",
        ),
        Wrong("model.assemble(x0, numbers)", VALUE, r"no bilateral constraints, so that there is nothing to assemble"),
        Wrong(
            "bead.simulate(span, [0.6, 0.9, 0, 0], {M: 1}, consistent='refuse')",
            VALUE,
            r"violates the constraints, expected 0, but 'holonomic 1' is 0\.17; model\.assemble\(x0, parameters\)",
        ),
        Wrong("model.simulate(span, x0, numbers, consistent=1)", VALUE, r"consistent is 1, expected one of 'project'"),
    ],
    "Sampled control": [
        Wrong("Sampled(0, w)", VALUE, r"the period of Sampled is 0 s, expected a positive time"),
        Wrong("Sampled(-0.01, w)", VALUE, r"the period of Sampled is -0\.01 s, expected a positive time"),
        Wrong("Sampled(float('nan'), w)", VALUE, r"the period of Sampled is nan, expected a finite number"),
        Wrong("Sampled('fast', w)", TYPE, r"the period of Sampled is 'fast', expected a number"),
        Wrong(
            "Sampled(0.01, w, phase=0.01)", VALUE, r"phase is 0\.01 s, expected a time from 0 to less than the period"
        ),
        Wrong(
            "Sampled(0.01, w, delay=-0.001)", VALUE, r"delay is -0\.001 s, expected a time from 0 to that between two"
        ),
        Wrong("Sampled(0.01, w, delay=0.02)", VALUE, r"delay is 0\.02 s, expected a time from 0 to that between two"),
        Wrong("Sampled(0.01, w, quantum=0)", VALUE, r"quantum is 0, expected a positive number"),
        Wrong(
            "Sampled(0.01, w, limits=(1, -1))", VALUE, r"limits is \(1, -1\), expected the least value before a larger"
        ),
        Wrong("Sampled(0.01, w, limits=2)", TYPE, r"limits is 2, expected a pair \(least, largest\)"),
        Wrong(
            "Controller(law={F: 1})", VALUE, r"either a period, every=0\.01, or times, at=\[0\.5, 1\.0\]; expected one"
        ),
        Wrong("Controller(at=[0.5, 0.5])", VALUE, r"at is \[0\.5, 0\.5\], expected at least one time \(s\), each fi"),
        Wrong(
            "Controller(at=[])", VALUE, r"at is \[\], expected at least one time \(s\), each finite and later than the"
        ),
        Wrong(
            "Controller(every=0.1, commands=[F])", VALUE, r"with the commands \['F\(t\)'\] has no law; expected a map"
        ),
        Wrong("Controller(every=0.1, law=w)", TYPE, r"expected a mapping of commands and memory to expressions, or a"),
        Wrong(
            "Controller(every=0.1, law=lambda t: 1)", VALUE, r"needs commands=\[F, \.\.\.\]: the inputs that it returns"
        ),
        Wrong(
            "Controller(every=0.1, law=fall, commands=[F])",
            VALUE,
            r"'fall' is called as law\(t, x\); expected law\(t, m",
        ),
        Wrong(
            "Controller(every=0.1, law={F: 1}, commands=[F, F])", VALUE, r"lists F\(t\) more than once; expected each"
        ),
        Wrong(
            "Controller(every=0.1, law={F: 1}, commands=[r])",
            VALUE,
            r"has the commands \['F\(t\)'\], and commands= lis",
        ),
        Wrong("Controller(every=0.1, law={F: 1}, measure=[w])", VALUE, r"measure= is for a law that is a Python func"),
        Wrong(
            "Controller(every=0.1, law={F: 1}, limits={r: (0, 1)})", VALUE, r"limits contains r\(t\); expected the comm"
        ),
        Wrong(
            "act(Controller(every=0.1, law={F: q}))",
            VALUE,
            r"controller of F\(t\) contains q\(t\); expected time, coordi",
        ),
        Wrong(
            "act(Controller(every=0.1, law={F: w.diff().diff()}))",
            VALUE,
            r"contains Derivative\(v\(t\), \(t, 2\)\); expected time, coor",
        ),
        Wrong(
            "act(Controller(every=0.1, law={F: 1, q: 2}))",
            VALUE,
            r"controller of F\(t\), q\(t\) sets q\(t\), which is no in",
        ),
        Wrong(
            "act(Controller(every=0.1, law={F: 1}, memory={z: 0}))",
            VALUE,
            r"contains z\(t\), which the model has; expec",
        ),
        Wrong(
            "act(Controller(every=0.1, law={F: 1}), also={F: 2})",
            VALUE,
            r"F\(t\) is commanded twice: in inputs and by a",
        ),
        Wrong("act(*2 * [Controller(every=0.1, law={F: 1})])", VALUE, r"F\(t\) is commanded twice: by two controllers"),
        Wrong(
            "act(*2 * [Controller(every=0.1, record=True)])", VALUE, r"two controllers are called 'time'; give each its"
        ),
        Wrong(
            "act(Controller(every=0.1, law={F: 1}, name='A on T'))",
            VALUE,
            r"a controller and a contact are both called 'A on T'; give the controller another name=",
        ),
        Wrong(
            "act(Controller(every=1e-9, law={F: 1}))",
            VALUE,
            r"has 1e\+09 periods in this run, expected at most 10,000,000",
        ),
        Wrong(
            "act(Sampled(0.1, w))", TYPE, r"controllers contains Sampled\(every 0\.1 s\), expected Controller objects"
        ),
        Wrong("drive(Controller(every=0.1, law={F: 1}))", VALUE, r"expected it in controllers=\[\.\.\.\]"),
        Wrong(
            "drive(height=Sampled(0.1, 1))", VALUE, r"r\(t\) is sampled, and the equations contain its rate: it moves"
        ),
        Wrong("drive(Sampled(0.1, lambda t, x: [1, 2]))", VALUE, r"returned 2 commands at t = 0, expected 1: \[F"),
        Wrong(
            "drive(Sampled(0.1, lambda t, x: 'up'))",
            TYPE,
            r"the law of Controller\(F\(t\), every 0\.1 s\) returned 'up' as commands at t = 0, expected real numbers",
        ),
        Wrong(
            "drive(Sampled(0.1, lambda t, x: float('nan')))",
            VALUE,
            r"the law of Controller\(F\(t\), every 0\.1 s\) gives F\(t\) = nan at t = 0, expected a finite number",
        ),
        Wrong(
            "act(Controller(every=0.1, law=lambda t, y, old: [1], commands=[F], memory={v: 0}))",
            TYPE,
            r"has memory and returned \[1\] at t = 0, expected the pair \(commands, memory\)",
        ),
        Wrong(
            "driven.linearize([1, 0], {m: 1, e: 0.5}, inputs={F: Sampled(0.1, w), r: 0})",
            VALUE,
            r"Sampled\(every 0\.1 s\), which only a run has; give its value here",
        ),
    ],
    "Inputs": [
        Wrong("drive('fast')", VALUE, r"F\(t\) is given as 'fast', expected a number, a SymPy expression of time"),
        Wrong("drive(([0, 1], [2, 3]))", VALUE, r"times and values: write Interpolated\(times, values\); expected"),
        Wrong("drive([2, 3, 4])", VALUE, r"without times: write Interpolated\(times, values\); expected"),
        Wrong("drive(sm.I)", VALUE, r"F\(t\) is given as I, but that is no real number"),
        Wrong("drive(y)", VALUE, r"F\(t\) is given as y, but the model cannot read y"),
        Wrong("drive(2 * F)", VALUE, r"contains an input that is made of it, F\(t\) -> F\(t\); expected time"),
        Wrong(
            "drive(height=sm.floor(3 * sm.Symbol('t')))", VALUE, r"with jumps of floor, and the equations contain its"
        ),
        Wrong("drive(height=z / 2)", VALUE, r"contains z\(t\), and the equations contain its derivative .* body"),
        Wrong("drive(lambda t, k=2: k)", VALUE, r"with one and with two arguments; write lambda t: f\(t\) for"),
        Wrong("drive(lambda: 2)", VALUE, r"it is called as f\(\); expected a function f\(t\) of time or f\(t, x\)"),
        Wrong("drive(lambda t: None)", TYPE, r"the input F\(t\) returned None at t = 0, expected one real"),
        Wrong("drive(lambda t: [1, 2])", VALUE, r"F\(t\) returned an array of shape \(2,\) at t = 0, expected"),
        Wrong("drive(height=lambda t: t)", VALUE, r"missing \['Derivative\(r\(t\), t\)', "),
        Wrong("drive(float('inf'))", VALUE, r"the input F\(t\) is inf, expected a finite number"),
        Wrong("drive(Interpolated([0, 0.5], [1, 2]))", VALUE, r"go from t = 0 to 0\.5, but are needed from 0 to 1"),
        Wrong("drive(height=Interpolated([0, 0.5, 1], [0, 1, 0]))", VALUE, r"a rate that jumps at t = 0\.5"),
        Wrong("drive(height=Interpolated([0, 0.5], [0, 1], 'hold'))", VALUE, r"have a value that jumps at t = 0\.5"),
        Wrong("driven.simulate(span, {z: 1, w: 0}, {m: 1, e: 0.5})", VALUE, r"missing \['F\(t\)', 'r\(t\)'"),
        Wrong("driven.simulate(span, {z: 1, w: 0}, {m: 1, e: 0.5}, inputs={'G': 1})", VALUE, r"'G' is the name of"),
        Wrong("Interpolated([0, 1], [1])", VALUE, r"there are 2 times and 1 values, expected a value for each time"),
        Wrong("Interpolated([0], [1])", VALUE, r"there are 1 times, expected at least two to interpolate between"),
        Wrong("Interpolated([0, 1, 1], [1, 2, 3])", VALUE, r"times\[2\] = 1 does not come after times\[1\] = 1;"),
        Wrong("Interpolated([0, float('nan')], [1, 2])", VALUE, r"times\[1\] is nan, expected finite numbers"),
        Wrong("Interpolated([[0, 1]], [1, 2])", VALUE, r"times has the shape \(1, 2\), expected \(n,\)"),
        Wrong("Interpolated('now', [1])", TYPE, r"times: 'now' is not made of real numbers: 'now' is text"),
        Wrong("Interpolated([0, 1], [1, 2], kind='spline')", VALUE, r"kind is 'spline', expected one of 'linear'"),
        Wrong("Interpolated([0, 1], [1, 2])(3)", VALUE, r"the data go from t = 0 to 1, but are needed from 3 to 3"),
    ],
    "Events and transitions": [
        Wrong("ball.simulate(events='w')", TYPE, r"events is 'w', expected a mapping of names"),
        Wrong("Stop(w, occurrences=0)", VALUE, r"occurrences=0\): expected 1 to end the run at the first event"),
        Wrong("ball.simulate(events={'ball': w})", VALUE, r"called 'ball', as a contact, a latch or a transition is"),
        Wrong("ball.simulate(events={3: w})", VALUE, r"an event is called 3; expected a text"),
        Wrong("ball.simulate(events={'far': y - 1})", VALUE, r"'far' contains y, which the model does not have"),
        Wrong(
            "ball.simulate(events={'far': fall})",
            VALUE,
            r"the event 'far' returned an array of shape \(2,\), expected one real number",
        ),
        Wrong("ball.simulate(events={'far': 'z > 1'})", VALUE, r"'far' is 'z > 1', expected an expression"),
        Wrong("ball.simulate(events={'far': 3})", VALUE, r"'far' is 3, expected an expression"),
        Wrong("ball.simulate(events={'far': sm.Eq(z, 1)})", VALUE, r"which no motion meets for longer than an instant"),
        Wrong("ball.simulate(events={'far': sm.true})", VALUE, r"'far' is always True"),
        Wrong("ball.simulate(events={'late': sm.floor(z) - 1})", VALUE, r"with jumps of floor that no step would show"),
        Wrong("Crossing(z, direction=2)", VALUE, r"direction=2\): expected 1 where the expression increases"),
        Wrong("ball.simulate(events={'up': w}, method='moreau', max_step=0.1)", VALUE, r"does not search for events"),
        Wrong(
            "driven.simulate(span, [1, 0], {m: 1, e: 1}, inputs={F: abs, r: 0}, events={'strong': F})",
            VALUE,
            r"'strong' contains F\(t\), given as a Python function whose rate is unknown",
        ),
        Wrong(
            "Contact(P, floor, restitution=1, friction=0, active=z)",
            TYPE,
            r"active of the contact 'P on O' is .*, expected a condition such as q > 0",
        ),
        Wrong("Latch(chained.q[0])", VALUE, r"the latch 'q_pin' neither closes nor opens; give it closes= or opens="),
        Wrong(
            "Latch(chained.q[0], closes=chained.u[0] > 1, closed=2)",
            TYPE,
            r"closed of the latch 'q_pin' is 2, expected True or False",
        ),
        Wrong(
            "Latch(BallClosure(O, P), closes=chained.u[0] > 1)",
            VALUE,
            r"keeps the offset of the ball closure 'O to P' in no frame of a body; give the closure frame=",
        ),
        Wrong(
            "HybridModel(chained, [], latches=[Latch(chained.q[0], closed=True, opens=Reaction('pin') > 3)])",
            VALUE,
            r"contains kappa\(pin\), the reaction of a bilateral constraint; those of the model are 'q_pin'",
        ),
        Wrong(
            "HybridModel(chained, [], latches=[Latch(chained.q[0], opens=Reaction('q_pin', 'force') > 3)])",
            VALUE,
            r"does not say at which points it acts, so that it has multipliers, and no force at a point",
        ),
        Wrong(
            "HybridModel(chained, [], latches=[Latch(chained.q[0], opens=Reaction('q_pin', 'along x') > 3)])",
            VALUE,
            r"'q_pin' has one equation; its multiplier is Reaction\('q_pin'\)",
        ),
        Wrong("Reaction('q_pin', 1)", TYPE, r"the part of a Reaction is 1, expected a text"),
        Wrong(
            "HybridModel(chained, [Limit(chained.q[0], restitution=0, name='k')], latches=[latch])",
            VALUE,
            r"a latch and a contact are both called 'k'; give one of them another name=, by which events, forces and",
        ),
        Wrong(
            "HybridModel(chained, [], latches=[latch], "
            "transitions=[When([latch.state > 2], reinit={latch.state: 0}, name='k')])",
            VALUE,
            r"a latch and a transition are both called 'k'; give one of them another name=",
        ),
        Wrong("HybridModel(chained, [], latches=[3])", TYPE, r"latches: expected Latch objects; found 3"),
        Wrong("HybridModel(chained, [], latches=latch)", TYPE, r"expected a list of Latch objects"),
        Wrong("HybridModel(chained, [], latches=[latch, latch])", VALUE, r"several are called 'k'; give each its own"),
        Wrong(
            "HybridModel(chained, [], latches=[Latch(chained.q[0], closes='near')])",
            VALUE,
            r"'q_pin closes' is 'near', expected an expression of the model's symbols",
        ),
        Wrong(
            "HybridModel(chained, [], latches=[latch], formulation=Partitioning())",
            VALUE,
            r"completes states along directions that are chosen at the start of a step",
        ),
        Wrong(
            "HybridModel(chained, [], latches=[latch]).simulate(span, {'q_pin': 0, 'u_pin': 0, latch.state: 0.5}, {})",
            VALUE,
            r"is 0\.5, expected 1 for a closed latch or 0 for an open one",
        ),
        Wrong("HybridModel(chained, [], transitions=[3])", TYPE, r"expected Transition and When; found 3"),
        Wrong(
            "HybridModel(chained, [], transitions=[Transition('a', 'b', boundary=a, jump={chained.u[0]: 0})])",
            VALUE,
            r"leads from 'a' to 'b'; a model has no stages",
        ),
        Wrong(
            "HybridModel(chained, [], transitions=[Transition(boundary=chained.q[0], jump={z: 0})])",
            VALUE,
            r"changes z\(t\), which is no state of the model; expected some of q_pin",
        ),
        Wrong(
            "HybridModel(chained, [], transitions=[Transition(boundary=chained.q[0])])",
            VALUE,
            r"the jump of 'transition 1' is None; expected a mapping",
        ),
        Wrong(
            "HybridModel(chained, [], transitions=[When([], reinit={chained.u[0]: 0})])",
            VALUE,
            r"has no conditions; expected at least one",
        ),
        Wrong(
            "HybridModel(chained, [], transitions=[When([chained.q[0]], reinit={chained.u[0]: 0}, impact='no')])",
            VALUE,
            r"impact='no'; expected one of 'before', 'after', 'instead'",
        ),
        Wrong(
            "HybridModel(chained, [], transitions=[When([NormalForce('tip') > 1], reinit={chained.u[0]: 0})])",
            VALUE,
            r"contains lambda_N\(tip\); the contacts of the model are \[\]",
        ),
        Wrong(
            "HybridModel(chained, [], transitions=[When([chained.q[0]], reinit={chained.u[0]: NormalForce('tip')})])",
            VALUE,
            r"the jump 'transition 1' contains the force lambda_N\(tip\), which follows from the motion itself",
        ),
        Wrong(
            "HybridModel(chained, [], transitions=[Transition(boundary=lambda t, x: t - 1, jump=lambda t, x: x[:1])])"
            ".simulate((0, 2), [0, 0], {'wheel_ixx': 1})",
            VALUE,
            r"the jump of 'transition 1' returned an array of shape \(1,\), expected \(2,\)",
        ),
        Wrong("HybridModel(chained, [], discrete=[y])", TYPE, r"discrete contains y; expected functions of time"),
        Wrong("HybridModel(chained, [], discrete=[chained.q[0]])", VALUE, r"q_pin\(t\), which the model has already"),
        Wrong(
            "HybridModel(chained, [], discrete=[a], transitions=[Transition(boundary=a.diff(), jump={a: 1})])",
            VALUE,
            r"but a is a discrete state: it changes at events alone and has no rate",
        ),
    ],
    "Settings of a run": [
        Wrong("model.simulate((1, 0), x0, numbers)", VALUE, r"t_span is \(1, 0\), expected two finite times"),
        Wrong("model.simulate(5, x0, numbers)", VALUE, r"t_span is 5, expected two finite times"),
        Wrong("ball.simulate(method='rk45')", VALUE, r"method is 'rk45', expected one of DOP853, RK45"),
        Wrong("ball.simulate(method=['RK45'])", VALUE, r"method is \['RK45'\], expected one of DOP853"),
        Wrong("ball.simulate(method='RK4')", VALUE, r"'RK4' takes steps of one size: give it as max_step"),
        Wrong("ball.simulate(rtol=0)", VALUE, r"rtol is 0, expected at least 2\.2e-14"),
        Wrong("ball.simulate(rtol='small')", VALUE, r"rtol is 'small', expected at least 2\.2e-14"),
        Wrong("ball.simulate(atol=0)", VALUE, r"atol is 0, .*not zero: .* of a state at rest at zero; give one far"),
        Wrong("ball.simulate(atol='1e-9')", VALUE, r"atol: '1e-9' is not made of real numbers: '1e-9' is text"),
        Wrong("ball.simulate(atol=-1)", VALUE, r"atol is -1, expected a number or 2 numbers, not negative"),
        Wrong("ball.simulate(atol=[1e-9, 1e-9, 1e-9])", VALUE, r"atol is \[.*\], expected a number or 2 numbers"),
        Wrong("ball.simulate(max_step=None)", VALUE, r"max_step is None, expected a positive time"),
        Wrong("ball.simulate(max_step=-0.1)", VALUE, r"max_step is -0\.1, expected a positive time"),
        Wrong("ball.simulate(max_events=2.5)", VALUE, r"max_events is 2\.5, expected a positive whole number"),
        Wrong("ball.simulate(max_events=10**30)", VALUE, r"max_events is 10+, expected a positive whole number below"),
        Wrong("ball.simulate(max_step=10**400)", VALUE, r"max_step is 10+\.\.\.0+, expected a positive time"),
        Wrong("ball.simulate(engine='fast')", VALUE, "engine is 'fast', expected one of 'auto', 'any', 'compiled', "),
        Wrong("ball.simulate(max_steps=0)", VALUE, r"max_steps is 0, expected a positive whole number below 2\*\*63"),
        Wrong("ball.simulate(t_eval=[0, 99])", VALUE, r"t_eval must increase within the span from 0 to 5"),
        Wrong("ball.simulate(t_eval=100)", VALUE, r"t_eval is 100, expected a one-dim.*result\.sample\(dt\)"),
    ],
    "Ensembles": [
        Wrong(
            "ensemble(ball, span, {'z': [1.0, 2.0]}, {'e': [0.1, 0.2, 0.3]})",
            VALUE,
            r"numbers of runs differ: x0\[z\(t\)\] has 2, parameters\[e\] has 3",
        ),
        Wrong("ensemble(ball, span, {'z': 1.0})", VALUE, r"number of runs is not known: give runs="),
        Wrong("ensemble(ball, span, {'z': [1.0, np.nan]})", VALUE, r"x0 of 1 runs is not finite, first that of run 1"),
        Wrong("ensemble(ball, span, {'height': [1.0, 2.0]})", VALUE, r"unknown \[height\]"),
        Wrong(
            "ensemble(model, span, x0, numbers, runs=2, keep='all')", VALUE, r"keep is 'all', expected one of 'events'"
        ),
        Wrong("ensemble(model, span, x0, numbers, runs=2, seed=-1)", VALUE, r"seed is -1, expected a whole number"),
        Wrong("ensemble(model, span, x0, numbers, runs=2, workers=0)", VALUE, r"workers is 0, expected a positive"),
        Wrong(
            "ensemble(ball, span, {'z': [-1.0, -2.0]})", VALUE, r"starts of all 2 runs are refused.*below its surface"
        ),
        Wrong(
            "ensemble(result, span, x0, numbers, runs=2)", TYPE, r"expected a HybridModel, a HybridSystem, or a ready"
        ),
    ],
    "Processes of plain functions": [
        Wrong("HybridSystem([fall], [edge])", VALUE, r"flows is a list, expected a mapping from the name"),
        Wrong("HybridSystem({}, [])", VALUE, r"flows is empty; a process needs at least one stage"),
        Wrong("HybridSystem({'air': 9.81}, [edge])", VALUE, r"flow of stage 'air' is a float, expected a function"),
        Wrong("HybridSystem({'air': fall}, [bounce])", VALUE, r"transitions\[0\] is a function, expected a Transition"),
        Wrong("HybridSystem({'air': fall}, [edge], states=2)", VALUE, r"states is 2, expected a list with a name"),
        Wrong("HybridSystem({'air': fall}, [edge], states=['x', 'x'])", VALUE, r"name 'x' is given to several states"),
        Wrong(
            "HybridSystem({'air': fall}, [Transition('air', 'water', boundary=ground)])",
            VALUE,
            r"target of transition 'air -> water' is the unknown stage 'water'; the stages are \['air'\]",
        ),
        Wrong(
            "HybridSystem({'air': fall}, [Transition('air', ['air'], boundary=ground, jump=bounce)])",
            VALUE,
            r"target of transition .* is \['air'\], expected the name of a stage",
        ),
        Wrong(
            "HybridSystem({'air': fall}, [Transition('air', 'air', boundary=ground)])",
            VALUE,
            r"'air -> air' leads from 'air' to itself without a jump.*give it a jump",
        ),
        Wrong(
            "HybridSystem({'air': fall}, [Transition('air', 'air', boundary=None, jump=bounce)])",
            VALUE,
            r"boundary of transition 'air -> air' is a NoneType, expected a function",
        ),
        Wrong(
            "HybridSystem({'air': fall}, [Transition('air', 'air', boundary=ground, jump=bounce, name=3)])",
            VALUE,
            r"name of transition .* is 3, expected a text",
        ),
        Wrong("process.simulate(span, [5, 0], start='water')", VALUE, r"no stage 'water'.*stages are \['air'\]"),
        Wrong(
            "process.simulate(span, [5], start='air')", VALUE, r"x0 has 1 numbers, expected 2.*\['height', 'speed'\]"
        ),
        Wrong(
            "process.simulate(span, {'height': 5}, start='air')", VALUE, r"missing \['speed'\].*process has the states"
        ),
        Wrong("process.simulate(span, [5, 0], start='air', parameters=[1])", VALUE, r"Python functions take none"),
        Wrong(
            "HybridSystem({'air': lambda t, x: [1, 2]}, []).simulate(span, [0], start='air')",
            VALUE,
            r"flow of stage 'air' returned an array of shape \(2,\), expected \(1,\)",
        ),
        Wrong(
            "HybridSystem({'air': lambda t, x: ['1']}, []).simulate(span, [0], start='air')",
            VALUE,
            r"flow of stage 'air' returned \['1'\], expected one number for each state",
        ),
        Wrong(
            "HybridSystem({'air': lambda t, x: None}, []).simulate(span, [0], start='air')",
            VALUE,
            r"flow of stage 'air' returned None, expected one number for each state",
        ),
    ],
    "Processes of SymPy expressions": [
        Wrong("HybridSystem.from_sympy({'a': [-y]}, [], states=y)", VALUE, r"states is y, expected a list of symbols"),
        Wrong(
            "HybridSystem.from_sympy({'a': [-y]}, [], states=['y'])", VALUE, r"states is \['y'\], expected a list of"
        ),
        Wrong("HybridSystem.from_sympy({'a': [-y], 'b': {y: v}}, [])", VALUE, r"the stages \['a'\] do not name theirs"),
        Wrong("HybridSystem.from_sympy({'a': [v]}, [], states=[y], parameters=v)", VALUE, r"parameters is v, expected"),
        Wrong(
            "HybridSystem.from_sympy({'a': [-y]}, [], states=[y], time='t')", VALUE, r"time is 't', expected a symbol"
        ),
        Wrong(
            "HybridSystem.from_sympy({'a': [v]}, [], states=[y])", VALUE, r"flow of stage 'a': cannot read v: expected"
        ),
        Wrong(
            "HybridSystem.from_sympy({'a': [y * 10**400]}, [], states=[y])",
            VALUE,
            r"flow of stage 'a': the number 1\.00E\+400 is beyond 1\.8e308",
        ),
        Wrong("HybridSystem.from_sympy({'a': [v]}, [], states=[y, v])", VALUE, r"'a' has 1 expressions, expected 2"),
        Wrong("HybridSystem.from_sympy({'a': -y}, [], states=[y])", VALUE, r"flow of stage 'a' is -y, expected a list"),
        Wrong(
            "HybridSystem.from_sympy({'a': [-y]}, [Transition('a', 'a', boundary=y, jump={v: 1})], states=[y])",
            VALUE,
            r"jump of transition 'a -> a' gives values to \['v'\], which are no states; the states are \['y'\]",
        ),
        Wrong(
            "symbolic.simulate(span, [0, 1], start='air')", VALUE, r"parameters has the shape \(0,\), expected \(1,\)"
        ),
        Wrong(
            "symbolic.simulate(span, [0, 1], start='air', parameters={g: 'down'})",
            VALUE,
            r"parameters: \['down'\] is not made of real numbers",
        ),
    ],
    "Stages of processes": [
        Wrong(
            "HybridSystem.from_sympy({'a': {y: v}}, [], states=[y])",
            VALUE,
            r"flow of stage 'a': cannot read v: expected an expression of the symbols .*y; a further one has to be",
        ),
        Wrong(
            "HybridSystem.from_sympy({'a': {y: v, v: 1}, 'b': {y: v}}, [], states=[y, v])",
            VALUE,
            r"flow of stage 'b' contains \['v'\], which its stage does not have; its states are \['y'\]",
        ),
        Wrong(
            "HybridSystem.from_sympy({'a': {y: 1}, 'b': {y: v, v: 1}}, [Transition('a', 'b', boundary=y)],"
            " states=[y, v])",
            VALUE,
            r"jump of transition 'a -> b' gives no value to \['v'\], which the stage 'b' has and 'a' does not; give",
        ),
        Wrong(
            "HybridSystem.from_sympy({'a': {y: v, v: 1}, 'b': {y: 1}}, [Transition('a', 'b', boundary=y,"
            " jump={v: 0})], states=[y, v])",
            VALUE,
            r"jump of transition 'a -> b' gives values to \['v'\], which the stage 'b' does not have: \['y'\]",
        ),
        Wrong(
            "HybridSystem.from_sympy({'a': {y: v, v: 1}, 'b': {y: 1}}, [Transition('a', 'b', boundary=y,"
            " jump=[0, 0])], states=[y, v])",
            VALUE,
            r"jump of transition 'a -> b' has 2 expressions, expected 1, one for each of the states \['y'\]",
        ),
        Wrong(
            "HybridSystem.from_sympy({'a': [1], 'b': [1]}, [Transition('a', 'b', boundary=sm.floor(y) - 1)],"
            " states=[y])",
            VALUE,
            r"boundary of transition 'a -> b' is floor\(y\) - 1, which changes in jumps alone, so that it has no rate",
        ),
        Wrong("DiscreteTime({y: 1}, every=0)", VALUE, r"every is 0, expected a period above 0 \(s\), such as every"),
        Wrong("DiscreteTime({y: 1}, every=-0.1)", VALUE, r"every is -0\.1, expected a period above 0"),
        Wrong("DiscreteTime({y: 1}, every='1')", VALUE, r"every is '1', expected a period above 0"),
        Wrong("DiscreteTime({y: 1}, every=1, phase='0')", VALUE, r"phase is '0', expected a time \(s\), or None"),
        Wrong(
            "HybridSystem.from_sympy({'a': DiscreteTime({v: 1}, every=1)}, [], states=[y])",
            VALUE,
            r"update of stage 'a' gives values to \['v'\], which are no states; the states are \['y'\]",
        ),
        Wrong(
            "HybridSystem.from_sympy({'a': {a: a}, 'b': {a: b.diff(), b: 1}}, [], states=[a, b])",
            VALUE,
            r"flow of stage 'b' contains Derivative\(b\(t\), t\), and states have no rates there; write the",
        ),
        Wrong("HybridSystem({'a': DiscreteTime(fall, every=1)}, [])", VALUE, r"states is None, expected the names of"),
        Wrong(
            "HybridSystem({'a': fall, 'b': fall}, [], states={'a': ['x', 'y']})",
            VALUE,
            r"states has no list of symbols for the stages \['b'\]; expected one for each stage",
        ),
        Wrong(
            "HybridSystem.from_sympy({'a': [1]}, [], states=[y], sliding='utkin')",
            VALUE,
            r"sliding is 'utkin', expected None, 'filippov', or \{margin: 'filippov'\}",
        ),
        Wrong(
            "HybridSystem.from_sympy({'a': [-sm.sign(y)]}, [], states=[y], sliding={y - 1: 'filippov'})",
            VALUE,
            r"sliding names y - 1, which is the margin of no condition in a flow",
        ),
        Wrong("symbolic * symbolic", VALUE, r"the processes have no product: both have the states \['y', 'v'\]"),
        Wrong("HybridSystem({'air': fall}, []) * symbolic", VALUE, r"a process was built without names of its states"),
        Wrong(
            "HybridSystem({'a': Nested(process, start='sea')}, [])",
            VALUE,
            r"nested process of stage 'a' has no stage 'sea' to start in; it has \['air'\]",
        ),
        Wrong(
            "HybridSystem({'a': Nested(fall, start='a')}, [])",
            VALUE,
            r"process of stage 'a' is a function, expected a HybridSystem",
        ),
        Wrong(
            "process.stage('air')", VALUE, r"nothing is known of the stage 'air', a plain function; use HybridSystem"
        ),
    ],
    "Results": [
        Wrong("result('1')", VALUE, r"t: '1' is not made of real.*: '1' is text; expected one time or"),
        Wrong("result(99)", VALUE, r"t = 99 is outside this run, which goes from 0 to 2\.58"),
        Wrong("result('end')", VALUE, r"t: 'end' is not made.*; expected one time or a one-dimensional array of times"),
        Wrong("result([[0, 1]])", VALUE, r"t has the shape \(1, 2\); give one time or a one-dimensional array"),
        Wrong("result(0, side='before')", VALUE, r"side is 'before'; \"left\" means just before a jump"),
        Wrong("result.sample(0)", VALUE, r"dt is 0, expected a positive number"),
        Wrong("result.sample('1')", VALUE, r"dt is '1', expected a positive number"),
        Wrong("result['height']", KEY, r"no state and no output 'height'; states \['z', 'v'\], outputs \[\]"),
        Wrong("result[7]", INDEX, r"no state 7; the run has 2 states: \['z', 'v'\]"),
        Wrong("result[y]", VALUE, r"cannot read y: expected an expression of the symbols t, z\(t\), v\(t\), e, g, m; "),
        Wrong("result[sm.Symbol('z')]", VALUE, r"cannot read z: expected .*; did you mean z\(t\)\?"),
        Wrong("result[w + sm.zeta(z)]", VALUE, r"cannot read zeta\(z\(t\)\): expected an input of the model, a number"),
        Wrong("result[[0, 1]]", TYPE, r"cannot evaluate \[0, 1\], a list: expected one scalar expression"),
        Wrong("result.work['wall']", KEY, r"no work of 'wall'; what does work in this run is nothing"),
        Wrong("result + ball.simulate()", VALUE, r"do not follow on each other: the first ends at t = .*, the second"),
        Wrong("result.at_times([2, 1])", VALUE, r"t_eval must increase within the span"),
        Wrong("result.to_csv('run.csv', dt=0)", VALUE, r"dt is 0, expected a positive number"),
        Wrong(
            "HybridModel(driven.source, [], outputs={'z': w})", VALUE, r"'z' = v has the name of the state z\(t\), wh"
        ),
        Wrong(
            "ball.simulate(events=[lambda t: t])", VALUE, r"'event 1' is the function <lambda>\(t\); expected f\(t, x"
        ),
        Wrong("ball.simulate(keep='all')", VALUE, r"keep is 'all', expected 'run' for all steps, or 'events'"),
        Wrong("ball.simulate(observe={'top': 'z'})", TYPE, r"expected a mapping of names to Maximum, Minimum"),
        Wrong("result.plot(t_span=(2, 1))", VALUE, r"t_span is \(2, 1\), expected two times of this run"),
        Wrong("result.events[99]", INDEX, r"no event 99; there are 5 events"),
        Wrong("result.events['impact']", KEY, r"nothing in this run has the name 'impact'; events may have the"),
        Wrong("result.events[1.5]", TYPE, r"events are numbered from 0, or have names, found 1.5; those with impulses"),
        Wrong("result.events.of('wall')", KEY, r"nothing in this run has the name 'wall'; events may have the"),
        Wrong("result.table(max_rows=0)", VALUE, r"max_rows is 0, expected a positive whole number"),
        Wrong("plain['depth']", KEY, r"no state 'depth'; the states are \['height', 'speed'\]"),
        Wrong("plain[y]", TYPE, r"cannot evaluate y: it was made from plain functions.*has the states"),
        Wrong("plain.kinetic_energy", TYPE, r"no kinetic energy: it was made from plain functions.*compute it from"),
        Wrong("plain.normal_force", TYPE, r"no contact forces: it was made from plain functions.*run a HybridModel"),
        Wrong("result.to_xarray({'height': 'm'})", VALUE, r"units: unknown \['height'\]; a unit belongs to one of"),
        Wrong("result.plot(units={'height': 'm'})", VALUE, r"units: unknown \['height'\]; a unit belongs to one of"),
        Wrong("result.normal_force_at([99])", VALUE, r"t = 99 is outside this run, which goes from 0 to"),
        Wrong(
            "result.joint_force('pin')", VALUE, r"the model has no joints: .*need a System whose bodies are connected"
        ),
        Wrong("turned.joint_force('hinge')", KEY, r"there is no joint 'hinge'; the model's joints are 'pin'"),
        Wrong(
            "turned.joint_torque(PinJoint('pin', RigidBody('a'), RigidBody('b')))",
            KEY,
            r"the joint 'pin' belongs to another model; the joints of this one are 'pin'",
        ),
        Wrong(
            "turned.joint_torque('pin')",
            VALUE,
            r"joint 'pin' bears depends on wheel_ixy, wheel_izx, which has no value in this run.*among the parameters",
        ),
        Wrong("turned.joint_force('pin', frame='N')", TYPE, r"frame is 'N', expected a sympy ReferenceFrame of the"),
        Wrong(
            "turned.joint_force('pin', frame=ReferenceFrame('A'))",
            VALUE,
            r"frame 'A' has no orientation relative to 'ground_frame'.*before the model is made",
        ),
        Wrong("turned.joint_force('pin', t=[99])", VALUE, r"t = 99 is outside this run"),
        Wrong("plain.joint_force('pin')", TYPE, r"no forces in joints: it was made from plain functions.*HybridModel"),
        Wrong("plain.reaction", TYPE, r"no reactions of constraints: it was made from plain functions.*HybridModel"),
        Wrong("turned.reaction['rod']", KEY, r"no constraint 'rod': the model has no bilateral constraints"),
        Wrong("geared.reaction['rod']", KEY, r"no constraint 'rod'; those of this model are 'gear'"),
        Wrong(
            "geared.reaction[BallClosure(O, P)]",
            KEY,
            r"the constraint 'O to P' belongs to another model; those of this model are 'gear'",
        ),
        Wrong("geared.reaction.force('gear')", VALUE, r"'gear' does not say at which points it acts.*as a closure"),
        Wrong("geared.reaction.at([99])", VALUE, r"t = 99 is outside this run"),
        Wrong(
            "geared.joint_force('pin')", VALUE, r"'gear' is an expression that does not say.*joint 'pin' is not known"
        ),
        Wrong("plain.events[0].reaction_impulse", TYPE, r"no reactions of constraints: it was made from plain"),
        Wrong("plain.events[0].joint_impulse('pin')", TYPE, r"no forces in joints: it was made from plain functions"),
        Wrong("result.events[0].joint_impulse('pin')", VALUE, r"the model has no joints: the forces in joints need"),
    ],
    "Pictures": [
        Wrong("result.plot('energies')", VALUE, r"panels: unknown \['energies'\]; name some of \['states', 'outputs'"),
        Wrong("result.plot(['gaps', 'energy'])", VALUE, r"unknown \[\['gaps', 'energy'\]\]; .* one by one"),
        Wrong("result.plot('gaps', 'gaps')", VALUE, r"\['gaps', 'gaps'\] names one of them twice; name each once"),
        Wrong("result.plot(states=['height'])", VALUE, r"states to draw: unknown \['height'\]; name at least one of"),
        Wrong("result.plot(states=3)", VALUE, r"states to draw: unknown \['3'\]; name at least one of"),
        Wrong("result.plot(units='m')", TYPE, r"units is 'm', expected a mapping from names to texts"),
        Wrong("result.plot(units={z: 1})", TYPE, r"units is \{z\(t\): 1\}, expected a mapping from names to texts"),
        Wrong("result.plot(gaps='floor')", TYPE, r"gaps is 'floor', expected functions by their names"),
        Wrong("result.plot(width='wide')", VALUE, r"width is 'wide', expected the width of the figure in inches"),
        Wrong("result.plot('phase', phase='z')", VALUE, r"phase is 'z', expected pairs of states, such as"),
        Wrong("result.plot('phase', phase=[(z, y)])", VALUE, r"phase: unknown \['y'\]; name pairs of the states"),
        Wrong("plain.plot('gaps')", TYPE, r"'gaps' cannot be drawn: this result has no gaps.*functions of your own"),
        Wrong("plain.plot('energy')", TYPE, r"'energy' cannot be drawn: this result has no kinetic energy; run a"),
        Wrong("plain.plot('forces')", TYPE, r"'forces' cannot be drawn: this result has no contact forces"),
        Wrong("plain.plot('impulses')", TYPE, r"'impulses' cannot be drawn: this result has no impulses"),
    ],
    "Files": [
        Wrong("result.to_csv(None)", TYPE, r"path is None, expected the name of a file"),
        Wrong("result.to_csv('nowhere/run.csv')", FileNotFoundError, r"no folder 'nowhere' for 'run\.csv'; make it"),
        Wrong("result.save('nowhere/run.npz')", FileNotFoundError, r"no folder 'nowhere' for 'run\.npz'; make it"),
        Wrong("result.save('.')", IsADirectoryError, r"'\.' is a folder, expected the name of a file in it"),
        Wrong("result.report(3)", TYPE, r"path is 3, expected the name of a file"),
        Wrong("load(None)", TYPE, r"path is None, expected the name of a file"),
        Wrong("load('none.npz')", FileNotFoundError, r"no file 'none\.npz'"),
    ],
    "Animations and shapes": [
        Wrong("plain.animate('ball.gif')", TYPE, r"cannot be animated: .* plain functions.*run a HybridModel"),
        Wrong("result.animate('ball.avi')", VALUE, r"written as \.gif, \.mp4 or \.html; found 'ball\.avi'"),
        Wrong("result.animate('nowhere/ball.gif')", VALUE, r"no folder 'nowhere' to put the animation in; make it"),
        Wrong("result.animate(3)", TYPE, r"path is 3, expected the name of a file"),
        Wrong("result.animate(fps=0)", VALUE, r"fps is 0, expected a positive number of frames in a second"),
        Wrong("result.animate(speed=-1)", VALUE, r"speed is -1, expected a positive number of seconds"),
        Wrong("result.animate(slow=2)", VALUE, r"slow is 2, expected a number above 0 and up to 1"),
        Wrong("result.animate(view='left')", VALUE, r"view is 'left', expected azimuth and elevation in degrees"),
        Wrong("result.animate(shapes=[3])", TYPE, r"shapes: expected Box, Ball, Rod.*found 3"),
        Wrong("Ball(P, -1)", VALUE, r"radius of a Ball is -1, expected a positive length"),
        Wrong("Box('cube', (1, 1, 1))", TYPE, r"Box is tied to a RigidBody or a ReferenceFrame.*found 'cube'"),
        Wrong("Box(RigidBody('cube'), (1, 1))", VALUE, r"Box has three edges.*found 2: \(1, 1\)"),
        Wrong("Ground(P)", TYPE, r"Ground shows a surface of contacts, one of Plane, Sphere, Cylinder.*; found P"),
        Wrong("Rod(P, 3, 1)", TYPE, r"end of a Rod is a sympy Point or a body.*found 3"),
    ],
    "Impact laws": [
        Wrong("Newton(tangential=2)", VALUE, r"tangential restitution .* is 2, expected a number from 0 to 1"),
        Wrong("Newton(path='keller')", VALUE, r"path of Newton's law is 'keller', expected None .* or \"routh\""),
        Wrong("Newton(path='routh', tangential=1)", VALUE, r"tangential restitution 1 and the path 'routh'"),
        Wrong("Poisson(path=2)", VALUE, r"path of Poisson's law is 2, expected None"),
        Wrong("Newton(guard='yes')", TYPE, r"guard of Newton's law is 'yes', expected True or False"),
        Wrong("CustomLaw(0.5)", TYPE, r"function of an impact law is 0\.5, expected something that can be called"),
        Wrong("Sequential(order='random')", VALUE, r"order .* is 'random', expected one of fastest, first, last"),
        Wrong("Sequential(max_impacts=0)", VALUE, r"max_impacts is 0, expected a positive whole number"),
        Wrong("Sequential(max_impacts=10**30)", VALUE, r"max_impacts is 10+, expected a positive whole number below 2"),
        Wrong("ImpulseRatio(10**400, 1)", VALUE, r"a stiffness of ImpulseRatio is 10+\.\.\.0+, expected a positive"),
        Wrong("ImpulseRatio(0, 1.5)", VALUE, r"a stiffness of ImpulseRatio is 0, expected a positive number"),
        Wrong("ImpulseRatio(1, 'Hertz')", VALUE, r"exponent of ImpulseRatio is 'Hertz', expected a positive number"),
        Wrong(
            "HybridModel(System(N, O), [], resolution=ImpulseRatio(1, 1.5))",
            VALUE,
            r"defined with impact=Energetic\(\) only; found Newton\(\)",
        ),
        Wrong("solve_impact([[1]], [[1]], [-1], 2)", VALUE, r"restitution: \[2\.0\] outside the range from 0 to 1"),
        Wrong("solve_impact('m', [[1]], [-1], 1)", VALUE, r"mass matrix: 'm' is not made of real numbers"),
        Wrong("solve_impact([[1]], [[1]], [-1], 1, friction=0.1)", VALUE, r"missing: tangent_jacobian, slip_minus"),
        Wrong(
            "solve_impact([[1]], [[0.6]], [-0.6], 0.5, tangent_jacobian=[[0.8]], slip_minus=[-0.8], friction=1)",
            VALUE,
            r"the contact 0 locks: friction prevents every solution.*Newton\(guard=True\), Poisson\(\)",
        ),
        Wrong("solve_impact([[1]], [[1]], [-1], 1, law=0.5)", TYPE, r"solved by a law and a resolution.*found 0\.5"),
        Wrong("compare_impacts([[1]], [[1]], [-1], 1, pairs=[Newton()])", TYPE, r"expected a list of pairs.*Newton"),
        Wrong("model.impact(0, [1, -1], numbers)", VALUE, r"no contact touches.*nearest gap is 1 m .*'ball'"),
        Wrong("model.impact(0, [0, -1], numbers, law=0.5)", TYPE, r"solved by a law and a resolution.*found 0\.5"),
        Wrong("model.compare_impacts(0, [1, -1], numbers)", VALUE, r"no contact touches.*nearest gap is 1 m .*'ball'"),
    ],
    "Linearisation and equilibrium": [
        Wrong("model.linearize([1.0], numbers)", VALUE, r"x0 has the shape \(1,\), expected \(2,\)"),
        Wrong("model.linearize([-1, 0], numbers)", VALUE, r"contact 'ball' is open, but its gap is -1 m.*closed=\(\)"),
        Wrong(
            "model.linearize([0, 0], numbers, closed='ball')", TYPE, r"closed is 'ball', expected a list of contacts"
        ),
        Wrong("model.linearize([0, 0], numbers, closed=['wall'])", KEY, r"no contact 'wall'; the model's contacts are"),
        Wrong("model.linearize([1, 0], numbers, closed=['ball'])", VALUE, r"named as closed, but its gap is 1 m"),
        Wrong("model.linearize([0, -1], numbers, closed=['ball'])", VALUE, r"closed, but its gap changes at -1 m/s"),
        Wrong("model.linearize([1, 0], numbers, t='now')", VALUE, r"t is 'now', expected a time, a finite number"),
        Wrong("model.linearize(result, numbers, t=99)", VALUE, r"t = 99 is outside this run"),
        Wrong(
            "model.linearize([1, 0], numbers).to_state_space()", VALUE, r"no inputs, which scipy\.signal\.StateSpace"
        ),
        Wrong("driven.linearize([1, 0], {m: 1, e: 0.5})", VALUE, r"inputs do not match the model: missing \['F\(t\)'"),
        Wrong(
            "driven.linearize([1, 0], {m: 1, e: 0.5}, inputs={F: lambda t, x: x[0], r: 0})",
            VALUE,
            r"input F\(t\) is given as a Python function of the state, whose derivatives are unknown",
        ),
        Wrong(
            "driven.linearize([0, 0], {m: 1, e: 0.5}, inputs={F: 20, r: 0})",
            VALUE,
            r"touches at this state, but would have to pull with 20 N",
        ),
        Wrong(
            "driven.linearize([1, 0], {m: 1, e: 0.5}, inputs={F: -sm.Abs(w), r: 0})",
            VALUE,
            r"equations change their branch at this state.*on one side",
        ),
        Wrong(
            "bead.linearize([0.6, 0.9, 0, 0], {M: 1})",
            VALUE,
            r"state violates the constraints at t = 0: expected 0, but 'holonomic 1' is 0\.17; model\.assemble",
        ),
        Wrong(
            "bead.linearize([1, 0, 0, 0], {M: 1}, independent=[a])",
            VALUE,
            r"coordinates \[a\(t\)\] are not independent: the constraints.*leave 1 of 2 coordinates.*such as b\(t\)",
        ),
        Wrong(
            "bead.linearize([1, 0, 0, 0], {M: 1}, independent=[z])", VALUE, r"independent has unknown states \[z\(t\)"
        ),
        Wrong("bead.linearize([1, 0, 0, 0], {M: 1}, independent=[b, b])", VALUE, r"independent has a state twice"),
        Wrong(
            "bead.linearize([1, 0, 0, 0], {M: 1}, independent=b)", TYPE, r"independent is b\(t\), expected a list of"
        ),
        Wrong(
            "cross.linearize([0, 0, 0, 0], {M: 1})",
            VALUE,
            r"rank of the constraints 'holonomic 1' changes at this state.*give a state beside it",
        ),
        Wrong("model.equilibrium([1, 0], numbers)", VALUE, r"guess has the shape \(2,\), expected \(1,\)"),
        Wrong(
            "model.equilibrium({w: 0}, numbers)", VALUE, r"guess do not match.*missing \[z\(t\)\], unknown \[v\(t\)\]"
        ),
        Wrong(
            "model.equilibrium([1], numbers, speeds={z: 1})",
            VALUE,
            r"speeds do not match the model: unknown \[z\(t\)\]",
        ),
        Wrong("model.equilibrium([1], numbers, speeds=[0])", TYPE, r"speeds is \[0\], expected a mapping"),
        Wrong("model.equilibrium([1], numbers, max_step=0)", VALUE, r"max_step is 0, expected a positive number"),
        Wrong(
            "model.equilibrium([1], numbers, closed=())",
            NoEquilibrium,
            r"no equilibrium was found.*-9\.81 in v\(t\).*other closed contacts",
        ),
        Wrong(
            "driven.equilibrium([1], {m: 1, e: 0.5}, inputs={F: 20, r: 0}, closed=driven.contacts)",
            NoEquilibrium,
            r"the forces balance, but the contact .* would have to pull with 20 N",
        ),
    ],
    "Names and codes": [
        Wrong("Status.from_code(99)", VALUE, r"no status has the code 99; the codes are \[0, 1, 2"),
        Wrong("bouncing_ball(restitution=2).simulate()", VALUE, r"restitution of the contact 'ball' is 2, expected"),
    ],
    **{title: [Wrong(*line) for line in lines] for title, lines in BEGINNERS.items()},
}
"""All of them by the place where they are made."""

_HEAD = """\
Errors
======

An error message names the object, the value found and the value expected, and often a remedy. One error reports all
faults that can be found together. This page lists wrong inputs with their error messages; the test suite raises every
one of them and compares.
"""


def message(error: BaseException) -> str:
    """The sentence of an error; a `KeyError` keeps it in its first argument."""
    return str(error.args[0]) if isinstance(error, KeyError) else str(error)


def setting() -> dict[str, object]:
    """The names that the lines use."""
    names: dict[str, object] = {}
    exec(compile(SETTING, "the setting of the wrong inputs", "exec"), names)
    return names


def error_of(wrong: Wrong, names: dict[str, object]) -> Exception | None:
    """What the line raises."""
    try:
        eval(compile(wrong.code, "a wrong input", "eval"), names)
    except Exception as error:
        return error
    return None


def page(names: dict[str, object]) -> str:
    """The list as reStructuredText, with the sentences as they are now."""
    parts = [_HEAD, "The lines assume these definitions:\n", _block(SETTING)]
    for title, wrongs in WRONG.items():
        errors = [error_of(wrong, names) for wrong in wrongs]
        lines = [
            f">>> {wrong.code}\n{type(error).__name__}: {message(error)}\n"
            for wrong, error in zip(wrongs, errors, strict=True)
        ]
        parts += [f"{title}\n{'-' * len(title)}\n", _block("\n".join(lines), "pycon")]
    return "\n".join(parts)


def _block(code: str, language: str = "python") -> str:
    indented = "".join(f"   {line}".rstrip() + "\n" for line in code.splitlines())
    return f".. code-block:: {language}\n\n{indented}"


if __name__ == "__main__":
    PAGE.write_text(page(setting()), encoding="utf-8")
