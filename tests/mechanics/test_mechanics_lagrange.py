"""The promise: of a Lagrangian M, f, u' and the impacts are those of SymPy's own Lagrange's equations and of Kane's."""

import math
import warnings

import numpy as np
import pytest
import sympy as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from mechanics_oracle import assert_same_equations, chain, evaluate, states
from quick_members import examples, members
from sympy.physics.mechanics import (
    Force,
    KanesMethod,
    LagrangesMethod,
    Lagrangian,
    Particle,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)
from trajectory import check_trajectory

from sympact import Contact, HybridModel, Limit, Plane, String, load
from sympact.mechanics import derive, describe

t = dynamicsymbols._t


def double_pendulum():
    """Two rods, with their angles from the vertical, damped by a torque and pushed by a force at the tip."""
    N, O = ReferenceFrame("N"), Point("O")
    q = dynamicsymbols("q1 q2")
    m, l, g, c, F = sm.symbols("m l g c F", positive=True)
    bodies, above = [], O
    O.set_vel(N, 0)
    for i, angle in enumerate(q):
        frame = ReferenceFrame(f"A{i}")
        frame.orient_axis(N, angle, N.z)
        centre, end = above.locatenew(f"C{i}", -l / 2 * frame.y), above.locatenew(f"P{i}", -l * frame.y)
        for point in (centre, end):
            point.v2pt_theory(above, N, frame)
        rod = RigidBody(f"rod{i}", centre, frame, m, (inertia(frame, 0, 0, m * l**2 / 12), centre))
        rod.potential_energy = m * g * centre.pos_from(O).dot(N.y)
        bodies.append(rod)
        above = end
    loads = [(bodies[0].frame, -c * q[0].diff() * N.z), (above, F * N.x)]
    numbers = {m: 1.3, l: 0.8, g: 9.81, c: 0.05, F: 0.4}
    return N, O, q, bodies, above, loads, numbers


def by_lagrange(**options):
    N, O, q, bodies, tip, loads, numbers = double_pendulum()
    method = LagrangesMethod(Lagrangian(N, *bodies), q, forcelist=loads, bodies=bodies, frame=N, **options)
    return method, O, q, tip, numbers


def by_kane():
    """The same in SymPy's `System`, whose speeds are q'; gravity as loads, not as potential energies."""
    N, O, q, bodies, tip, loads, numbers = double_pendulum()
    system = System(frame=N, fixed_point=O)
    weight = next(iter(bodies)).mass * next(letter for letter in numbers if letter.name == "g")
    for body in bodies:
        body.potential_energy = 0
    system.add_bodies(*bodies)
    system.add_coordinates(*q)
    system.add_speeds(*(angle.diff() for angle in q))
    system.add_loads(*loads, *(Force(body.masscenter, -weight * N.y) for body in bodies))
    return system, O, q, tip, numbers


def test_equations_of_a_double_pendulum_are_sympys():
    method, *_ = by_lagrange()
    derivation = derive(describe(method))
    method.form_lagranges_equations()
    assert_same_equations(derivation, method.mass_matrix, method.forcing)


@pytest.mark.parametrize(("n", "kind"), [(3, "planar"), (2, "spatial")])
def test_kanes_and_lagranges_equations_are_the_same(n, kind):
    """Of one chain of rigid bodies, once as bodies and once as L = T - V with q' in place of u; M, f and u'."""
    system, _ = chain(n, kind)
    N, g = system.frame, sm.Symbol("g")
    rates = {u: q.diff() for u, q in zip(system.u, system.q, strict=True)}
    energies = [body.kinetic_energy(N) for body in system.bodies[1:]]
    heights = [body.masscenter.pos_from(system.fixed_point).dot(N.y) * body.mass for body in system.bodies[1:]]
    L = sm.Add(*energies).xreplace(rates) - g * sm.Add(*heights)
    kane, lagrange = derive(describe(system)), derive(describe(LagrangesMethod(L, list(system.q))))
    places = [kane.symbols.parameters.index(letter) for letter in lagrange.symbols.parameters]

    def equations(derivation):
        M, f = derivation.equations.mass_matrix, derivation.equations.forcing
        return [entry for row in M for entry in row] + list(f)

    for x, p, time in states(kane):
        theirs = evaluate(kane.graph, equations(kane), x, p, time)
        ours = evaluate(lagrange.graph, equations(lagrange), x, p[places], time)
        (M, f), (K, h) = ((one[: n * n].reshape(n, n), one[n * n :]) for one in (ours, theirs))
        assert np.abs(M - K).max() <= 1e-12 * np.abs(K).max()
        assert np.abs(f - h).max() <= 1e-12 * np.abs(h).max()
        u = np.linalg.solve(K, h)
        assert np.abs(np.linalg.solve(M, f) - u).max() <= 1e-12 * np.linalg.cond(K) * np.abs(u).max()


def test_a_double_pendulum_with_a_limit_and_a_floor_moves_by_both_methods_alike():
    """Impacts at an end stop, and of the tip on a floor with friction: points of the bodies are known."""
    results = []
    for method, O, q, tip, numbers in (by_lagrange(), by_kane()):
        floor = Plane(O.locatenew("F", -1.35 * (N := _frame(method)).y), N.y)
        e = sm.Symbol("e")
        model = HybridModel(
            method,
            [Limit(q[0] + 0.3, restitution=e, name="stop"), Contact(tip, floor, restitution=e, friction=0.2)],
        )
        start = {q[0]: 0.9, q[1]: 1.6, q[0].diff(): 0.0, q[1].diff(): 0.0}
        result = model.simulate((0, 1.2), start, {**numbers, e: 0.6})
        check_trajectory(result, model, {**numbers, e: 0.6})
        results.append(result)
    one, other = results
    assert {contact for event in one.events for contact in event.contacts} == {"stop", "P1 on F"}
    assert one.path == other.path
    # both are integrated to rtol = 1e-9; a pendulum that hits a floor amplifies a small error some hundredfold
    np.testing.assert_allclose(one.events.t, other.events.t, rtol=0, atol=1e-6)
    np.testing.assert_allclose(one.x[:, -1], other.x[:, -1], rtol=0, atol=1e-5)
    np.testing.assert_allclose(one.kinetic_energy[-1], other.kinetic_energy[-1], rtol=1e-5)


def _frame(source):
    return source.inertial if isinstance(source, LagrangesMethod) else source.frame


def mass_on_a_spring():
    """A mass on a spring with a stop at a distance below, by hand: no bodies, no frame."""
    x = dynamicsymbols("x")
    m, k, a, e = sm.symbols("m k a e", positive=True)
    L = m * x.diff() ** 2 / 2 - k * x**2 / 2
    return LagrangesMethod(L, [x]), x, (m, k, a, e)


@examples(
    8,
    25,
    omega=st.floats(0.5, 5.0),
    stop=st.floats(0.1, 0.9),
    e=st.floats(0.3, 1.0),
)
def test_a_mass_on_a_spring_hits_its_stop_when_its_closed_form_says(omega, stop, e):
    """x = cos(w t) until cos(w t) = -s; then x = -s cos(w s') + (e v / w) sin(w s') with v = w sqrt(1 - s^2)."""
    method, x, (m, k, a, e_) = mass_on_a_spring()
    model = _SPRING.setdefault("model", HybridModel(method, [Limit(x + a, restitution=e_)]))
    (x, rate), (m, k, a, e_) = model.x, (_letter(model, name) for name in ("m", "k", "a", "e"))
    numbers = {m: 2.0, k: 2.0 * omega**2, a: stop, e_: e}
    first = math.acos(-stop) / omega
    second = _next_hit(first, omega, stop, e)
    result = model.simulate((0, 0.5 * (second + first) + 0.6 * (second - first)), {x: 1.0, rate: 0.0}, numbers)
    check_trajectory(result, model, numbers)
    impacts = [event for event in result.events if event.kind == "impact"]
    np.testing.assert_allclose([event.t for event in impacts[:2]], [first, second], rtol=1e-8)
    speed = omega * math.sqrt(1 - stop**2)
    np.testing.assert_allclose(impacts[0].x_plus, [-stop, e * speed], rtol=1e-8)
    np.testing.assert_allclose(impacts[0].impulse, [2.0 * (1 + e) * speed], rtol=1e-8)
    free = result.t <= first
    np.testing.assert_allclose(result.energy[free], omega**2, rtol=1e-8)  # m w^2 / 2 with m = 2


_SPRING: dict[str, HybridModel] = {}


def _letter(model, name):
    return next(letter for letter in model.parameters if letter.name == name)


def _next_hit(first, omega, stop, e):
    """From -s with the speed e v upwards: the phase d of x = R cos(w t' - d), back at -s after (2 pi - 2 (pi - d')).

    R cos d = -s and R sin d = e v / w; x is -s again at w t' = 2 d.
    """
    phase = math.atan2(e * math.sqrt(1 - stop**2), -stop)
    return first + 2 * phase / omega


def test_a_damped_mass_under_a_force_is_its_closed_form():
    """m x'' + c x' + k x = 0 from rest: the envelope of e^(-d t); forces of `forcelist` with a point and a frame."""
    x = dynamicsymbols("x")
    m, k, c = sm.symbols("m k c", positive=True)
    N, O = ReferenceFrame("N"), Point("O")
    P = O.locatenew("P", x * N.x)
    O.set_vel(N, 0)
    L = m * x.diff() ** 2 / 2 - k * x**2 / 2
    model = HybridModel(LagrangesMethod(L, [x], forcelist=[(P, -c * x.diff() * N.x)], frame=N), [])
    result = model.simulate((0, 8), {x: 1.0, x.diff(): 0.0}, {m: 2.0, k: 8.0, c: 0.8}, rtol=1e-11)
    d, w = 0.2, math.sqrt(4 - 0.04)
    truth = np.exp(-d * result.t) * (np.cos(w * result.t) + d / w * np.sin(w * result.t))
    np.testing.assert_allclose(result[x], truth, rtol=0, atol=1e-9)
    check_trajectory(result, model, {m: 2.0, k: 8.0, c: 0.8}, rtol=1e-11)
    np.testing.assert_allclose(result.energy, result["x'"] ** 2 + 4 * result["x"] ** 2, rtol=1e-12)  # of L, with m = 2


def test_a_weight_has_the_same_potential_energy_in_the_lagrangian_and_among_the_forces():
    z = dynamicsymbols("z")
    m, g = sm.symbols("m g", positive=True)
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", z * N.z)
    T, floor = m * z.diff() ** 2 / 2, Contact(P, Plane(O, N.z), restitution=0.5, friction=0)
    runs = []
    for method in (
        LagrangesMethod(T - m * g * z, [z], frame=N),
        LagrangesMethod(T, [z], forcelist=[(P, -m * g * N.z)], frame=N),
    ):
        model = HybridModel(method, [floor])
        runs.append(model.simulate((0, 0.8), {z: 1.0, z.diff(): 0.0}, {m: 2.0, g: 9.81}))
        check_trajectory(runs[-1], model, {m: 2.0, g: 9.81})
    np.testing.assert_allclose(runs[0].energy[[0, -1]], [19.62, 19.62 / 4], rtol=1e-9)
    np.testing.assert_array_equal(runs[0].energy, runs[1].energy)


def hoop():
    """A bead on a hoop of radius r that turns at the rate w about its vertical diameter; its height is -r cos(q)."""
    q = dynamicsymbols("q")
    m, r, g, w = sm.symbols("m r g omega", positive=True)
    N, O = ReferenceFrame("N"), Point("O")
    A = N.orientnew("A", "Axis", [w * t, N.z])
    B = A.orientnew("B", "Axis", [q, A.y])
    P = O.locatenew("P", -r * B.z)
    O.set_vel(N, 0)
    P.vel(N)
    return q, (m, r, g, w), N, O, P


def test_a_bead_on_a_rotating_hoop_keeps_jacobis_integral_and_finds_its_equilibrium():
    """cos(q) = g / (r w^2) is one; without bodies T is the quadratic part of L, and T + V Jacobi's integral."""
    q, (m, r, g, w), *_ = hoop()
    L = m * r**2 * (q.diff() ** 2 + w**2 * sm.sin(q) ** 2) / 2 + m * g * r * sm.cos(q)
    model = HybridModel(LagrangesMethod(L, [q]), [Limit(1.2 - q, restitution=0.7, name="stop")])
    numbers = {m: 0.3, r: 0.5, g: 9.81, w: 6.0}
    still = math.acos(9.81 / (0.5 * 36))
    assert np.abs(model.compile().flow(0.0, [still, 0.0], [numbers[p] for p in model.parameters])).max() < 1e-13
    result = model.simulate((0, 4), {q: 0.2, q.diff(): 0.0}, numbers)
    check_trajectory(result, model, numbers)
    impacts = [event for event in result.events if event.kind == "impact"]
    assert len(impacts) > 2
    lost = sum(event.energy for event in impacts)
    assert result.energy[-1] - result.energy[0] == pytest.approx(lost, abs=1e-8)
    assert impacts[0].energy == pytest.approx(-(1 - 0.49) * 0.3 * 0.25 * impacts[0].x_minus[1] ** 2 / 2, rel=1e-10)


def test_a_bead_on_a_hoop_with_time_in_its_positions_is_that_of_kanes_method():
    """The frames turn with time; with the bead as a body T is its whole kinetic energy, and V that of its weight."""
    q, (m, r, g, w), N, O, P = hoop()
    bead = Particle("bead", P, m)
    bead.potential_energy = m * g * P.pos_from(O).dot(N.z)
    lagrange = HybridModel(LagrangesMethod(Lagrangian(N, bead), [q], bodies=[bead], frame=N), [_table(O, N, P)])
    u = dynamicsymbols("u")
    kane = KanesMethod(N, [q], [u], kd_eqs=[q.diff() - u])
    kane.kanes_equations([Particle("bead", P, m)], [(P, -m * g * N.z)])
    other = HybridModel(kane, [_table(O, N, P)])
    numbers = {m: 0.3, r: 0.5, g: 9.81, w: 2.0}
    one = lagrange.simulate((0, 3), {q: 1.2, q.diff(): 0.0}, numbers)
    two = other.simulate((0, 3), {q: 1.2, u: 0.0}, numbers)
    check_trajectory(one, lagrange, numbers)
    assert one.path == two.path
    assert len(one.events) > 2
    np.testing.assert_allclose(one.events.t, two.events.t, rtol=1e-9)
    np.testing.assert_allclose(one.x[:, -1], two.x[:, -1], rtol=0, atol=1e-8)
    np.testing.assert_allclose(one(1.0), two(1.0), rtol=0, atol=1e-8)
    for energy in ("kinetic_energy", "potential_energy"):
        np.testing.assert_allclose(getattr(one, energy)[-1], getattr(two, energy)[-1], rtol=1e-8)


def _table(O, N, P):
    """A table below the middle of the hoop, at a tenth of its radius above the lowest point."""
    return Contact(P, Plane(O.locatenew("T", -0.45 * N.z), N.z), restitution=0.8, friction=0, name="table")


def test_a_driven_support_needs_the_rate_of_its_input():
    """The point of suspension moves as s(t): m x'' = -k (x - s), here with s = A sin(w t): a closed form."""
    x, s = dynamicsymbols("x s")
    m, k = sm.symbols("m k")
    L = m * (x.diff() + s.diff()) ** 2 / 2 - k * x**2 / 2  # x is the stretch, s the support
    model = HybridModel(LagrangesMethod(L, [x]), [])
    assert model.inputs == (s.diff(t, 2),)
    result = model.simulate((0, 5), {x: 0.0, x.diff(): 0.0}, {m: 1.0, k: 4.0}, inputs={s: 0.3 * sm.sin(t)}, rtol=1e-11)
    # x'' + 4 x = 0.3 sin t from rest: x = 0.1 sin t - 0.05 sin 2 t
    truth = 0.1 * np.sin(result.t) - 0.05 * np.sin(2 * result.t)
    np.testing.assert_allclose(result[x], truth, rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match="no kinetic energy: the Lagrangian has terms linear in the derivatives"):
        _ = result.kinetic_energy
    with pytest.raises(ValueError, match="no potential energy: the Lagrangian has terms linear"):
        _ = result.energy


def test_a_string_and_a_contact_need_the_points_of_a_frame_alone():
    """No bodies: positions of points follow from the coordinates; a ball on a string above a floor, slack at first."""
    x, y = dynamicsymbols("x y")
    m, g = sm.symbols("m g", positive=True)
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x + y * N.y)
    L = m * (x.diff() ** 2 + y.diff() ** 2) / 2 - m * g * y
    floor = Plane(O.locatenew("F", -0.9 * N.y), N.y)
    contacts = [String(O, P, 1, restitution=0.5, name="string"), Contact(P, floor, restitution=0.5, friction=0.3)]
    model = HybridModel(LagrangesMethod(L, [x, y], frame=N), contacts)
    start = {x: 0.7, y: 0.0, x.diff(): 0.0, y.diff(): 0.0}
    result = model.simulate((0, 1.5), start, {m: 0.5, g: 9.81})
    check_trajectory(result, model, {m: 0.5, g: 9.81})
    assert {contact for event in result.events for contact in event.contacts} == {"string", "P on F"}
    friction = [event.friction_impulse for event in result.events if event.contacts == ("P on F",)]
    assert np.abs(friction[0]).max() > 0


def test_conditions_in_a_lagrangian_are_events():
    """A mass that meets a spring which only pushes: half a period in contact is pi sqrt(m / k)."""
    x = dynamicsymbols("x")
    m, k = sm.symbols("m k", positive=True)
    L = m * x.diff() ** 2 / 2 - sm.Piecewise((k * x**2 / 2, x < 0), (0, True))
    model = HybridModel(LagrangesMethod(L, [x]), [])
    result = model.simulate((0, 4), {x: 1.0, x.diff(): -1.0}, {m: 1.0, k: 9.0}, rtol=1e-11)
    assert [event.kind for event in result.events] == ["switch", "switch"]
    np.testing.assert_allclose(result.events.t, [1.0, 1.0 + math.pi / 3], rtol=1e-10)
    np.testing.assert_allclose(result.energy, 0.5, rtol=1e-10)


@pytest.mark.parametrize("number", members([3, 30], slow=[30]))
def test_the_equations_of_any_quadratic_lagrangian_are_sympys(number):
    """SymPy takes half a second for each of them."""
    settings(max_examples=number, deadline=None)(given(data=st.data())(equations_of_a_lagrangian_are_sympys))()


def equations_of_a_lagrangian_are_sympys(data):
    """L = q' A(q) q' / 2 + b(q) q' - V(q, t) with random polynomials and sines, two coordinates, a load on a point."""
    q = dynamicsymbols("q1 q2")
    numbers = st.integers(-3, 3)
    parts = [sm.S.One, *q, sm.sin(q[0]), q[0] * q[1], sm.cos(q[1] - t), sm.Symbol("a") * q[1] ** 2]

    def drawn():
        return sm.Add(*(data.draw(numbers) * part for part in parts))

    rates, (a, b, c) = sm.Matrix([angle.diff() for angle in q]), (drawn() for _ in range(3))
    A = sm.Matrix([[a**2 + 5, b], [b, b**2 + 7]])
    L = (rates.T * A * rates)[0] / 2 + c * rates[0] + q[0] * c * rates[1] - drawn()
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", sm.sin(q[0]) * N.x + q[1] * q[0] * N.y)
    P.set_vel(N, P.pos_from(O).diff(t, N))
    method = LagrangesMethod(L, q, forcelist=[(P, drawn() * N.x + rates[1] * N.y)], frame=N)
    derivation = derive(describe(method))
    method.form_lagranges_equations()
    assert_same_equations(derivation, method.mass_matrix, method.forcing)


def test_the_users_method_is_left_as_it_was():
    method, *_ = by_lagrange()
    before = (
        method._L.copy(),
        method.eom,
        dict(method.bodies[0].frame._dcm_dict),
        dict(method.bodies[0].masscenter._vel_dict),
    )
    HybridModel(method, [])
    after = (method._L, method.eom, method.bodies[0].frame._dcm_dict, method.bodies[0].masscenter._vel_dict)
    assert before == after


def test_a_potential_energy_of_a_body_counts_once_and_without_a_warning():
    """In a LagrangesMethod it is part of L: no second weight acts, and the warning of a KanesMethod is not due."""
    method, *_ = by_lagrange()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = HybridModel(method, [])
    method.form_lagranges_equations()
    assert sm.simplify(model.forcing - method.forcing) == sm.zeros(2, 1)


def test_speeds_that_are_rates_are_those_of_sympys_lagranges_method():
    """A `System` and a `KanesMethod` whose speeds are q' themselves; SymPy forms the former by Lagrange's method."""
    system, _, q, *_ = by_kane()
    method, *_ = by_lagrange()
    method.form_lagranges_equations()
    derivation = derive(describe(system))
    assert_same_equations(derivation, method.mass_matrix, method.forcing)
    N = system.frame
    kane = KanesMethod(N, list(q), [angle.diff() for angle in q])
    derivation = derive(describe(kane, system.bodies, system.loads))
    assert_same_equations(derivation, method.mass_matrix, method.forcing)


def test_a_joint_that_is_given_a_rate_as_speed():
    """And beside it one with a speed of its own, u = 2 q2'; names, keys and formulas are q1, q2, q1' and u."""
    wall, cart, bob = RigidBody("wall"), RigidBody("cart"), RigidBody("bob")
    (a, b), u, (m, n, k, e) = dynamicsymbols("a b"), dynamicsymbols("u"), sm.symbols("cart_mass bob_mass k e")
    system = System.from_newtonian(wall)
    system.add_joints(PrismaticJoint("A", wall, cart, a, a.diff()), PrismaticJoint("B", cart, bob, b, u))
    system.kdes = [u - 2 * b.diff()]
    system.add_loads(Force(cart.masscenter, -k * a * wall.x), Force(bob.masscenter, -k * b * wall.x))
    model = HybridModel(system, [Limit(b + sm.Rational(1, 2), restitution=e)], outputs={"speed": a.diff() + b.diff()})
    assert model.mass_matrix == sm.Matrix([[m + n, n / 2], [n / 2, n / 4]])
    assert model.x == (a, b, a.diff(), u)
    numbers = {m: 2.0, n: 1.0, k: 9.0, e: 0.5}
    result = model.simulate((0, 2), {a: 0.3, b: 1.0, a.diff(): 0.0, u: 0.0}, numbers)
    check_trajectory(result, model, numbers)
    assert result.state_names == ("a", "b", "a'", "u")
    np.testing.assert_array_equal(result["a'"], result[a.diff()])
    np.testing.assert_allclose(result["speed"], result["a'"] + result["u"] / 2, rtol=1e-14)
    assert ("a", "a'") in model.compile().pairs


def test_a_rate_as_speed_in_inputs_files_and_pictures(tmp_path):
    """An input that contains q', a saved run, the phase portrait, the film, the report and the notebook."""
    q = dynamicsymbols("q")
    F, (m, e) = dynamicsymbols("F"), sm.symbols("m e")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", q * N.x)
    method = LagrangesMethod(m * q.diff() ** 2 / 2, [q], [(P, F * N.x)], [Particle("mass", P, m)], N)
    model = HybridModel(method, [Contact(P, Plane(O, N.x), restitution=e, friction=0)])
    numbers = {m: 2.0, e: 0.5}
    result = model.simulate((0, 3), {q: 1.0, q.diff(): 0.0}, numbers, inputs={F: -8 * q - sm.Rational(4, 5) * q.diff()})
    first = result.t <= result.events.t[0]
    d, w = 0.2, math.sqrt(4 - 0.04)
    truth = np.exp(-d * result.t) * (np.cos(w * result.t) + d / w * np.sin(w * result.t))
    np.testing.assert_allclose(result[q][first], truth[first], rtol=0, atol=1e-8)
    result.save(tmp_path / "run.npz")
    np.testing.assert_array_equal(load(tmp_path / "run.npz")["q'"], result["q'"])
    assert result.plot("phase").axes[0].get_ylabel() == "q'"
    result.animate(tmp_path / "run.html")
    result.report(tmp_path / "report.html")
    assert r"\dot{q}" in model._repr_html_() or "q&#x27;" in model._repr_html_()
    assert model.draw() is not None


def test_the_length_is_in_the_gap_of_a_limit():
    """Of a Lagrangian without points: l_1 in h - l_1 cos q, not the largest excursion of what is thrown."""
    q = dynamicsymbols("q")
    m, l1, g, h = sm.symbols("m l_1 g h", positive=True)
    pendulum = LagrangesMethod(m * l1**2 * q.diff() ** 2 / 2 + m * g * l1 * sm.cos(q), [q])
    model = HybridModel(pendulum, [Limit(h - l1 * sm.cos(q), restitution=0.5, name="floor")])
    result = model.simulate((0, 1), [1.0, 0.0], {m: 1, l1: 0.7, g: 9.81, h: 0.6})
    assert len(result.events) > 0
    assert result.settings["length"] == 0.7
    assert "the largest length in the gap of a limit" in repr(model)
