"""The promise: gaps, gap rates, Jacobians and second derivatives are those of SymPy's own differentiation."""

import json
from pathlib import Path

import numpy as np
import pytest
import sympy as sm
from mechanics_oracle import body, chain, cube, evaluate, states
from quick_members import members
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    PinJoint,
    Point,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

from sympact import Contact, HybridModel, Plane, Sphere
from sympact.graph import Function, count, numpy_function
from sympact.mechanics import derive, describe

t = dynamicsymbols._t
REFERENCE = Path(__file__).parents[1] / "reference"


def contacts_with(points, plane):
    return [Contact(point, plane, restitution=sm.Symbol("e"), friction=0) for point in points]


def chain_above_floor():
    system, tips = chain(3, "spatial")
    floor = Plane(system.fixed_point.locatenew("floor", -5 * system.y), system.y)
    return system, contacts_with(tips, floor)


def cube_above_slope(speeds):
    system, corners = cube(speeds)
    slope = sm.Symbol("alpha")
    normal = sm.cos(slope) * system.z + sm.sin(slope) * system.x
    return system, contacts_with(corners[:3], Plane(system.fixed_point, normal))


def ball_on_a_moving_seesaw():
    """A plane that is fixed in a body that swings, on a base that moves as s(t) and turns with time."""
    N, O = ReferenceFrame("N"), Point("O")
    s, phi, x, y, w, vx, vy = dynamicsymbols("s phi x y w vx vy")
    l, d, rate, m = sm.symbols("l d Omega m")
    A = N.orientnew("A", "Axis", [rate * t, N.z])
    board = body("board", frame=A.orientnew("B", "Axis", [phi, A.z]))
    board.masscenter.set_pos(O, s * N.y + l * board.x)
    ball = Particle("ball", O.locatenew("P", x * N.x + y * N.y), m)
    top = board.masscenter.locatenew("top", d * board.y)
    system = System(frame=N, fixed_point=O)
    system.add_bodies(board, ball)
    system.add_coordinates(phi, x, y)
    system.add_speeds(w, vx, vy)
    system.add_kdes(*(a.diff(t) - b for a, b in ((phi, w), (x, vx), (y, vy))))
    return system, contacts_with([ball.masscenter], Plane(top, board.y))


def chain_in_a_drum():
    """A drum whose radius grows with time, about a point that an input moves."""
    system, tips = chain(3, "spatial")
    middle = system.fixed_point.locatenew("middle", dynamicsymbols("s") * system.x - system.y)
    return system, contacts_with(tips, Sphere(middle, 5 + sm.Symbol("R") * t**2, inside=True))


def cube_over_a_ball(speeds):
    system, corners = cube(speeds)
    return system, contacts_with(corners[:3], Sphere(system.fixed_point, sm.Symbol("R") / 4))


def ball_on_a_pendulum():
    """A sphere that a swinging body carries, on a pivot that moves as s(t) and turns with time."""
    system, contacts = ball_on_a_moving_seesaw()
    (contact,) = contacts
    return system, contacts_with([contact.point], Sphere(contact.surface.point, sm.Symbol("R") / 2))


MODELS = {
    "chain": chain_above_floor,
    "cube, Euler rates": lambda: cube_above_slope("rates"),
    "cube, angular velocity": lambda: cube_above_slope("spin"),
    "cube, quaternion": lambda: cube_above_slope("quaternion"),
    "seesaw": ball_on_a_moving_seesaw,
    "chain, drum": chain_in_a_drum,
    "cube, quaternion, ball": lambda: cube_over_a_ball("quaternion"),
    "pendulum, ball": ball_on_a_pendulum,
}


def coordinate_rates(system):
    """q' in terms of u: by SymPy's solution, for a quaternion by e' = e o (0, omega)/2, which SymPy is slow to find."""
    if len(system.q) == len(system.u):
        return KanesMethod(system.frame, system.q, system.u, kd_eqs=system.kdes).kindiffdict()
    (e0, e1, e2, e3), (w1, w2, w3) = system.q[3:], system.u[3:]
    half = sm.Rational(1, 2)
    slopes = [
        *system.u[:3],
        -half * (e1 * w1 + e2 * w2 + e3 * w3),
        half * (e0 * w1 + e2 * w3 - e3 * w2),
        half * (e0 * w2 + e3 * w1 - e1 * w3),
        half * (e0 * w3 + e1 * w2 - e2 * w1),
    ]
    return {q.diff(t): slope for q, slope in zip(system.q, slopes, strict=True)}


def sympy_gap(system, contact):
    if isinstance(contact.surface, Plane):
        return contact.point.pos_from(contact.surface.point).dot(contact.surface.normal.express(system.frame))
    away = contact.point.pos_from(contact.surface.center).express(system.frame)
    distance = sm.sqrt(away.dot(away)) - contact.surface.radius
    return -distance if contact.surface.inside else distance


def sympy_gaps(system, contacts):
    """g, g' as a function of q, u and t, its Jacobian and its value at rest, and g'' with q' and u' left in."""
    rates = coordinate_rates(system)
    gaps = sm.Matrix([sympy_gap(system, contact) for contact in contacts])
    gap_rates = gaps.diff(t).xreplace(rates)
    jacobian = gap_rates.jacobian(system.u)
    drift = gap_rates.xreplace(dict.fromkeys(system.u, sm.S.Zero))
    return gaps, gap_rates, jacobian, drift, gap_rates.diff(t)


LONG = ("chain", "cube, quaternion", "cube, angular velocity", "cube, quaternion, ball")
"""In a quick run the shared check of runs compares gaps and their rates of cubes in quaternions with SymPy's, too; the
chain is quick in its drum."""


@pytest.mark.parametrize("name", members(MODELS, slow=LONG))
def test_gaps_against_sympy(name):
    """At random states to 1e-12 relative; quaternions of unit norm, where R' = omega x R holds."""
    system, contacts = MODELS[name]()
    derivation = derive(describe(system), contacts)
    gaps = derivation.gaps
    nodes = [getattr(gap, part) for part in ("gap", "rate") for gap in gaps]
    nodes += [entry for gap in gaps for entry in gap.jacobian]
    nodes += [getattr(gap, part) for part in ("drift", "acceleration") for gap in gaps]
    ours = numpy_function(derivation.graph, Function("gaps", tuple(nodes), ("t", "x", "xdot", "p")))
    symbols = derivation.symbols
    speeds_slopes = [speed.diff(t) for speed in symbols.u]
    letters = [*symbols.inputs[::-1], *symbols.rates(), *speeds_slopes, *derivation.x, *symbols.parameters, t]
    dummies = [sm.Dummy() for _ in letters]
    known = dict(zip(letters, dummies, strict=True))
    written = [entry.xreplace(known) for matrix in sympy_gaps(system, contacts) for entry in matrix]
    theirs = sm.lambdify(dummies, written, cse=True, docstring_limit=0)
    rng, n = np.random.default_rng(5), len(symbols.parameters)
    for x, p, time in states(derivation):
        slopes = np.concatenate(
            [evaluate(derivation.graph, derivation.rates, x, p, time), rng.normal(size=len(symbols.u))]
        )
        found, truth = ours(time, x, slopes, p), np.array(theirs(*p[n:][::-1], *slopes, *x, *p[:n], time))
        assert found == pytest.approx(truth, rel=1e-11, abs=1e-11)


def test_a_fixed_plane_has_no_motion_of_its_own():
    """w_N is the node zero, not a small number."""
    system, contacts = chain_above_floor()
    derivation = derive(describe(system), contacts)
    assert [gap.drift for gap in derivation.gaps] == [derivation.graph.zero] * 3


def bead_and_circle(**options):
    """A particle that moves in a plane and a circle of radius R about the origin."""
    N, O = ReferenceFrame("N"), Point("O")
    x, y, v, w = dynamicsymbols("x y v w")
    bead = Particle("bead", O.locatenew("P", x * N.x + y * N.y), sm.Symbol("m"))
    system = System(frame=N, fixed_point=O)
    system.add_bodies(bead)
    system.add_coordinates(x, y)
    system.add_speeds(v, w)
    system.add_kdes(v - x.diff(t), w - y.diff(t))
    return system, contacts_with([bead.masscenter], Sphere(O, sm.Symbol("R"), **options))


@pytest.mark.parametrize(("inside", "sign"), [(False, 1), (True, -1)])
def test_gap_of_a_circle_in_closed_form(inside, sign):
    """In polar coordinates: g = r - R, g' = r', g'' = r'' = r-hat . a + (rate of turn)^2 r, to rounding."""
    system, contacts = bead_and_circle(inside=inside)
    derivation = derive(describe(system), contacts)
    gap = derivation.gaps[0]
    nodes = (*gap.along_the_flow(), *gap.jacobian, gap.drift)
    values = numpy_function(derivation.graph, Function("circle", nodes, ("t", "x", "xdot", "p")))
    (x, y), (v, w), (a, b) = (3.0, -4.0), (0.7, 0.2), (-0.3, 1.1)
    p = [{"R": 4.5}.get(symbol.name, 1.0) for symbol in derivation.symbols.parameters]
    found = values(0.0, [x, y, v, w], [v, w, a, b], p)
    radial, turn = (x * v + y * w) / 5, (x * w - y * v) / 25
    truth = [5 - 4.5, radial, (x * a + y * b) / 5 + 5 * turn**2, x / 5, y / 5, 0]
    assert found == pytest.approx(sign * np.array(truth), rel=1e-14, abs=1e-14)


def test_gap_of_a_sphere_is_differentiated_as_finite_differences_say():
    """Central differences of width h along the motion, whose error is h^2, and eps/h^2 for the second derivative."""
    system, contacts = chain_in_a_drum()
    derivation = derive(describe(system), contacts)
    gap, h = derivation.gaps[1], 1e-4
    values = numpy_function(derivation.graph, Function("gap", gap.along_the_flow(), ("t", "x", "xdot", "p")))
    n, m = len(derivation.symbols.q), len(derivation.symbols.parameters)
    rng = np.random.default_rng(8)
    q, u, slope, p = rng.uniform(-1, 1, n), rng.normal(size=n), rng.normal(size=n), rng.uniform(0.5, 1.5, m)

    def at(s):
        """q' = u and u' constant; the input s(t) = sin(t) with its derivatives."""
        time = 0.3 + s
        inputs = [np.sin(time), np.cos(time), -np.sin(time)]
        x = np.concatenate([q + s * u + s**2 / 2 * slope, u + s * slope])
        return values(time, x, np.concatenate([x[n:], slope]), np.concatenate([p, inputs]))

    before, now, after = at(-h), at(0.0), at(h)
    assert now[1] == pytest.approx((after[0] - before[0]) / (2 * h), abs=1e-6)
    assert now[2] == pytest.approx((after[0] - 2 * now[0] + before[0]) / h**2, abs=1e-5)


def test_gaps_of_spheres_stay_small():
    """Of a particle: two squares, a root and a difference; rate and acceleration share them."""
    system, contacts = bead_and_circle()
    derivation = derive(describe(system), contacts)
    gap = derivation.gaps[0]
    assert count(derivation.graph, [gap.gap]) == 5
    assert count(derivation.graph, [*gap.along_the_flow(), *gap.jacobian]) <= 35


def test_gap_far_from_the_origin_keeps_its_digits():
    """Point and plane on one body 1e8 m away: their distance is a parameter, not a difference of positions."""
    system, _ = cube("spin")
    cube_body = system.bodies[0]
    lid = cube_body.masscenter.locatenew("lid", sm.Symbol("h") * cube_body.z)
    point = cube_body.masscenter.locatenew("inside", sm.Symbol("h") * cube_body.z / 3)
    derivation = derive(describe(system), contacts_with([point], Plane(lid, -cube_body.z)))
    p = np.ones(len(derivation.symbols.parameters))
    x = np.array([1e8, 1e8, 1e8, 0.1, 0.2, 0.3, *np.zeros(6)])
    assert evaluate(derivation.graph, [derivation.gaps[0].gap], x, p)[0] == pytest.approx(2 / 3, abs=1e-15)


def two_links():
    """The model of the reference file: gravity along +y, inertia m l^2/3 about the mass centres, a floor at y = h."""
    m, l, g, h, e = sm.symbols("m l g h e")
    wall = RigidBody("wall")
    N, links, parent, place = wall.frame, [], wall, wall.masscenter
    system = System.from_newtonian(wall)
    for name in "12":
        frame, centre = ReferenceFrame(f"A{name}"), Point(f"C{name}")
        link = RigidBody(f"link{name}", centre, frame, m, (inertia(frame, m * l**2 / 3, 0, 0), centre))
        q, u = dynamicsymbols(f"q{name} u{name}")
        top = centre.locatenew(f"top{name}", -l / 2 * frame.y)
        system.add_joints(
            PinJoint(f"J{name}", parent, link, q, u, parent_point=place, child_point=top, joint_axis=parent.x)
        )
        parent, place = link, centre.locatenew(f"end{name}", l / 2 * frame.y)
        links.append(place)
    system.apply_uniform_gravity(g * N.y)
    floor = Plane(wall.masscenter.locatenew("floor", h * N.y), -N.y)
    return system, [Contact(links[-1], floor, restitution=e, friction=0, name="tip")]


def test_jump_map_of_two_links_against_the_reference():
    """All impacts of the reference run; the file gives 20 digits, the map is one division."""
    system, contacts = two_links()
    model = HybridModel(system, contacts)
    values = {"m": 1, "l": 1, "g": 9.8, "h": 1.5, "e": 0.8}
    after = sm.lambdify([*model.x, *model.parameters], model.jump_map("tip"), cse=True, docstring_limit=0)
    impacts = json.loads((REFERENCE / "two_link_floor.json").read_text())["reference"]["impacts"]
    assert len(impacts) == 19
    for impact in impacts:
        x = [float(impact[name]) for name in ("q1", "q2", "u1_minus", "u2_minus")]
        u_plus = after(*x, *(values[str(symbol)] for symbol in model.parameters)).ravel()
        assert u_plus == pytest.approx([float(impact["u1_plus"]), float(impact["u2_plus"])], rel=1e-12)


def test_jump_map_of_a_bouncing_ball_is_minus_e():
    N, O = ReferenceFrame("N"), Point("O")
    z, v = dynamicsymbols("z v")
    system = System(frame=N, fixed_point=O)
    system.add_bodies(Particle("ball", O.locatenew("P", z * N.z), sm.Symbol("m")))
    system.add_coordinates(z)
    system.add_speeds(v)
    system.add_kdes(z.diff(t) - v)
    e = sm.Symbol("e")
    model = HybridModel(system, [Contact(system.bodies[0].masscenter, Plane(O, N.z), restitution=e, friction=0)])
    assert sm.expand(model.jump_map("P")[0] + e * v) == 0


def test_jump_map_in_blocks_against_the_formula_for_a_free_body():
    """A corner of the cube: impulse -(1 + e) v_n / (1/m + |r x n|^2 / I) with one moment of inertia I."""
    system, contacts = cube_above_slope("spin")
    model = HybridModel(system, contacts)
    jump = model.jump_map(contacts[0])
    rng = np.random.default_rng(1)
    values = dict(zip(model.x, rng.uniform(-1, 1, 12), strict=True))
    values |= dict.fromkeys(model.parameters, 0.7)
    blocks = {block: np.array(sm.Matrix([part]).subs(values), dtype=float) for block, part in jump.blocks.items()}
    M, W, u, w, e = blocks.values()
    u_plus = u - (1 + e) * np.linalg.solve(M, W) @ (W.T @ u + w) / (W.T @ np.linalg.solve(M, W))
    mass, moment, gap_rate = 0.7, 0.7, float(model.gap_rates[0].subs(values))
    normal = np.array([np.sin(0.7), 0, np.cos(0.7)])
    corner = contacts[0].point.pos_from(system.bodies[0].masscenter).to_matrix(system.frame).subs(values)
    arm = np.array(corner, dtype=float).ravel()
    impulse = -(1 + 0.7) * gap_rate / (1 / mass + np.linalg.norm(np.cross(arm, normal)) ** 2 / moment)
    assert (u_plus - u)[:3].ravel() == pytest.approx(impulse * normal / mass, rel=1e-12)
    assert (W.T @ u_plus).item() == pytest.approx(-0.7 * gap_rate, rel=1e-12)
