"""Runs with bilateral constraints: against multiplier equations in NumPy, minimal coordinates, conserved quantities."""

import warnings

import numpy as np
import pytest
import sympy as sm
from constrained_models import four_bar, rolling_disc, slider_crank
from hypothesis import strategies as st
from quick_members import examples, members
from sympy.physics.mechanics import Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import (
    Baumgarte,
    Contact,
    Direct,
    GearGuptaLeimkuhler,
    HybridModel,
    Limit,
    Newton,
    NullSpace,
    Partitioning,
    Plane,
    Poisson,
    Projection,
    Status,
    TangentSpace,
)
from sympact.integrate.problem.warning import SympactWarning
from sympact.mechanics.read.constraint import Holonomic, Nonholonomic

t = dynamicsymbols._t
G = 9.81


def planar_system(letters):
    """A system in a plane with coordinates of these names, their derivatives as speeds; the coordinates, the speeds."""
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    q = dynamicsymbols(letters)
    u = dynamicsymbols(" ".join(f"u_{name}" for name in letters.split()))
    system = System(frame=N, fixed_point=O)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(t) - speed for place, speed in zip(q, u, strict=True)))
    return system, q, u


def net(rng, particles, extra, **options):
    """Particles in a plane, each tied by a rod to one before it or to the origin, and further rods that close loops."""
    names = " ".join(f"x{i} y{i}" for i in range(particles))
    system, q, _ = planar_system(names)
    N, O = system.frame, system.fixed_point
    points, places = [O], [np.zeros(2)]
    for i in range(particles):
        point = O.locatenew(f"P{i}", q[2 * i] * N.x + q[2 * i + 1] * N.y)
        system.add_bodies(Particle(f"p{i}", point, rng.uniform(0.5, 2.0)))
        points.append(point)
        places.append(places[rng.integers(len(places))] + rng.normal(size=2))
    ties = [(i, int(rng.integers(i))) for i in range(1, particles + 1)]
    ties += [tuple(rng.choice(particles + 1, 2, replace=False)) for _ in range(extra)]
    rods = []
    for k, (i, j) in enumerate(ties):
        away = points[i].pos_from(points[j])
        rods.append(Holonomic(away.dot(away) - ((places[i] - places[j]) ** 2).sum(), f"rod {k}"))
    system.apply_uniform_gravity(-G * N.y)
    model = HybridModel(system, [], constraints=rods, **options)
    start = np.concatenate([*places[1:], np.zeros(2 * particles)])
    return model, start


def multiplier_equations(compiled, x, p):
    """u' by the augmented system of M, f, A and A' u + a', of least norm where rows are dependent."""
    n, m = len(compiled.model.q), len(compiled.model.u)
    out = compiled.raw("equations", 0.0, x, p)
    k = len(compiled.model.derivation.constraints)
    parts = np.split(out, np.cumsum([n, m * m, m, k, k, k]))
    mass, forcing, bias, rows = parts[1].reshape(m, m), parts[2], parts[5], parts[6].reshape(k, m)
    left = np.block([[mass, -rows.T], [rows, np.zeros((k, k))]])
    return parts[0], np.linalg.lstsq(left, np.concatenate([forcing, -bias]), rcond=1e-11)[0][:m], parts[3:5]


@examples(8, 25, st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(0, 3))
def test_rates_are_those_of_the_multiplier_equations(seed, particles, extra):
    rng = np.random.default_rng(seed)
    model, start = net(rng, particles, extra)
    compiled = model.compile()
    p = compiled.all_parameters(compiled.parameters({}))
    n = len(model.q)
    start[n:] = rng.normal(size=n)
    state = compiled.constraints(p).assembled(0.0, start)
    rates, accelerations, (phi, gamma) = multiplier_equations(compiled, state, p)
    assert np.abs(phi).max() <= 1e-13 * max(1.0, np.abs(state).max() ** 2)
    assert np.abs(gamma).max() <= 1e-12 * max(1.0, np.abs(start).max() ** 2)
    found = compiled.flow(0.0, state, compiled.parameters({}))
    assert found[:n] == pytest.approx(rates, rel=1e-13)
    assert found[n:] == pytest.approx(accelerations, abs=1e-7 * max(1.0, np.abs(accelerations).max()))


@examples(5, 15, st.integers(0, 2**32 - 1))
def test_a_projected_state_is_the_closest_in_the_mass_metric(seed):
    """The change of the speeds is M^-1 of a combination of the rows, and a second projection changes nothing."""
    rng = np.random.default_rng(seed)
    model, start = net(rng, 3, 1)
    compiled = model.compile()
    p = compiled.all_parameters(compiled.parameters({}))
    constraints, n = compiled.constraints(p), len(model.q)
    start[n:] = rng.normal(size=n)
    state = constraints.assembled(0.0, start)
    k = len(model.derivation.constraints)
    out = compiled.raw("equations", 0.0, state, p)
    mass, rows = out[n : n + n * n].reshape(n, n), out[n + n * n + n + 3 * k :].reshape(k, n)
    force = mass @ (state[n:] - start[n:])
    left = force - rows.T @ np.linalg.lstsq(rows.T, force, rcond=1e-9)[0]
    assert np.abs(left).max() <= 1e-8 * np.abs(force).max()
    assert constraints.assembled(0.0, state) == pytest.approx(state, abs=1e-13 * np.abs(state).max())


@pytest.mark.parametrize(("alpha", "beta"), [(3.0, None), (10.0, 2.0), (0.0, 0.0)])
def test_baumgarte_returns_violations_as_a_damped_oscillator(alpha, beta):
    """phi'' + 2 alpha phi' + beta^2 phi = 0 at any state, with phi'' = 2 (u . u + x . u') of a pendulum's rod."""
    rng = np.random.default_rng(7)
    model, _ = net(rng, 1, 0, formulation=Baumgarte(alpha, beta))
    length = (model.derivation.constraints, model.compile())[1]
    for _ in range(10):
        state = rng.normal(size=4)
        acceleration = length.flow(0.0, state, length.parameters({}))[2:]
        out = length.raw("equations", 0.0, state, length.all_parameters(length.parameters({})))
        phi, rate = out[2 + 4 + 2], out[2 + 4 + 2 + 1]
        assert rate == pytest.approx(2.0 * state[:2] @ state[2:], rel=1e-13)
        second = 2.0 * (state[2:] @ state[2:] + state[:2] @ acceleration)
        wanted = -2.0 * alpha * rate - (alpha if beta is None else beta) ** 2 * phi
        assert second == pytest.approx(wanted, abs=1e-12 * (1.0 + abs(wanted) + state[2:] @ state[2:]))


def two_links(constrained, mu, law):
    """Two rods on a pin whose tip falls on a floor: joints in the coordinates, or constraints, one redundant."""
    names = "a b x1 y1 x2 y2" if constrained else "a b"
    system, q, u = planar_system(names)
    N, O = system.frame, system.fixed_point
    frames = []
    for k in range(2):
        frame = N.orientnew(f"B{k}", "Axis", [q[k], N.z])
        frame.set_ang_vel(N, u[k] * N.z)
        frames.append(frame)
    first, second = frames
    if constrained:
        centres = [O.locatenew("C1", q[2] * N.x + q[3] * N.y), O.locatenew("C2", q[4] * N.x + q[5] * N.y)]
    else:
        centres = [O.locatenew("C1", first.x / 2), O.locatenew("C2", first.x + second.x / 2)]
    for frame, centre in zip(frames, centres, strict=True):
        spin = inertia(frame, 0, 0, sm.Rational(1, 12))
        system.add_bodies(RigidBody(frame.name, centre, frame, 1, (spin, centre)))
    if constrained:
        pin = centres[0].locatenew("near", -first.x / 2).pos_from(O)
        elbow = centres[1].locatenew("elbow", -second.x / 2).pos_from(centres[0].locatenew("far", first.x / 2))
        rows = [pin.dot(N.x), pin.dot(N.y), elbow.dot(N.x), elbow.dot(N.y)]
        system.add_holonomic_constraints(*rows, rows[0] + 2 * rows[2])
    system.apply_uniform_gravity(-G * N.y)
    tip, floor = centres[1].locatenew("tip", second.x / 2), Plane(O.locatenew("F", -1.2 * N.y), N.y)
    model = HybridModel(system, [Contact(tip, floor, restitution=0.5, friction=mu, name="tip")], impact=law)
    start = np.array([0.0, 0.0, 0.5, 0.0, 1.5, 0.0][: len(q)] + [0.0] * len(q))
    return model, start


@pytest.mark.parametrize(
    ("mu", "law"), [(0.0, Newton()), (0.3, Newton()), (0.3, Poisson())], ids=["smooth", "rough", "poisson"]
)
def test_constraints_are_worth_joints(mu, law):
    """The same events, impulses and motion as with the joints in the coordinates, through impacts, slip and rest."""
    runs = []
    for constrained in (False, True):
        model, start = two_links(constrained, mu, law)
        runs.append(model.simulate((0.0, 2.0), start, {}, rtol=1e-10))
    joints, constraints = runs
    assert constraints.status is joints.status is Status.FINISHED
    hits = [[event for event in run.events if event.kind.value == "impact"][:8] for run in runs]
    for one, other in zip(*hits, strict=True):
        assert other.t == pytest.approx(one.t, abs=1e-10)
        assert other.impulse == pytest.approx(one.impulse, abs=1e-9)
        assert other.friction_impulse == pytest.approx(one.friction_impulse, abs=1e-9)
        assert other.energy == pytest.approx(one.energy, abs=1e-9)
    assert constraints.x[:2, -1] == pytest.approx(joints.x[:2, -1], abs=1e-8)
    kinds = [{event.kind.value for event in run.events} for run in runs]
    assert kinds[0] == kinds[1]


def crank(names, **options):
    """A slider-crank whose rod has an angle of its own, or is a distance, with a wall for the slider."""
    system, q, u = planar_system(names)
    N, O = system.frame, system.fixed_point
    turned = N.orientnew("C", "Axis", [q[0], N.z])
    turned.set_ang_vel(N, u[0] * N.z)
    centre, slider = O.locatenew("centre", turned.x / 10), O.locatenew("slider", q[1] * N.x)
    system.add_bodies(RigidBody("crank", centre, turned, 1, (inertia(turned, 0, 0, 0.01), centre)))
    system.add_bodies(Particle("block", slider, 0.5))
    away = slider.pos_from(O.locatenew("pin", turned.x / 5))
    if len(q) == 3:
        rod = N.orientnew("R", "Axis", [q[2], N.z])
        gap = away - rod.x / 2
        system.add_holonomic_constraints(gap.dot(N.x), gap.dot(N.y))
    else:
        system.add_holonomic_constraints(away.dot(away) - sm.Rational(1, 4))
    system.apply_uniform_gravity(-G * N.y)
    wall = Plane(O.locatenew("W", 0.69 * N.x), -N.x)
    contact = Contact(slider, wall, restitution=0.6, friction=0.2, name="wall")
    return HybridModel(system, [contact], **options)


def test_an_angle_that_only_closes_a_loop_needs_no_inertia():
    """A massless rod with its own angle moves the slider-crank as the constant distance of its ends does."""
    angle = 2.0
    place = 0.2 * np.cos(angle) + np.sqrt(0.25 - (0.2 * np.sin(angle)) ** 2)
    rod = np.arctan2(-0.2 * np.sin(angle), place - 0.2 * np.cos(angle))
    by_angle, by_distance = crank("a x b"), crank("a x")
    first = by_angle.simulate((0.0, 4.0), [angle, place, rod, 0.0, 0.0, 0.0], {}, rtol=1e-10)
    second = by_distance.simulate((0.0, 4.0), [angle, place, 0.0, 0.0], {}, rtol=1e-10)
    assert first.status is second.status is Status.FINISHED
    assert len(first.events) == len(second.events) > 2
    for one, other in zip(first.events, second.events, strict=True):
        assert (one.kind, one.contacts) == (other.kind, other.contacts)
        assert one.t == pytest.approx(other.t, abs=1e-9)
    assert first.x[:2, -1] == pytest.approx(second.x[:2, -1], abs=1e-8)


@pytest.mark.parametrize("law", [Newton(), Poisson()], ids=["newton", "poisson"])
def test_impacts_keep_the_constraints_to_rounding(law):
    model = crank("a x b", impact=law)
    compiled = model.compile()
    p = compiled.all_parameters(compiled.parameters({}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SympactWarning)
        run = model.simulate((0.0, 5.0), [2.0, 0.38, -0.37, 0.0, 0.0, 0.0], {}, rtol=1e-9)
    hits = [event for event in run.events if event.kind.value == "impact"]
    assert len(hits) >= 3
    for event in hits:
        rate, rows = np.split(compiled.raw("constraints", event.t, event.x_plus.copy(), p)[2:], [2])
        assert np.abs(rate).max() <= 1e-13 * (np.abs(rows.reshape(2, 3)) @ np.abs(event.x_plus[3:])).max()
        assert event.energy <= 0.0


def parallelogram(**options):
    """A four-bar of equal links that turns, and its start."""
    system, q, u = planar_system("a b c")
    N, O = system.frame, system.fixed_point
    frames = [N.orientnew(f"B{k}", "Axis", [q[k], N.z]) for k in range(3)]
    for k, frame in enumerate(frames):
        frame.set_ang_vel(N, u[k] * N.z)
    left, coupler, right = frames
    far = O.locatenew("far", left.x)
    ground = O.locatenew("ground", N.x)
    for frame, root in zip(frames, (O, far, ground), strict=True):
        centre = root.locatenew(f"{frame.name}_centre", frame.x / 2)
        system.add_bodies(RigidBody(frame.name, centre, frame, 1, (inertia(frame, 0, 0, sm.Rational(1, 12)), centre)))
    gap = far.locatenew("end", coupler.x).pos_from(ground.locatenew("top", right.x))
    system.add_holonomic_constraints(gap.dot(N.x), gap.dot(N.y))
    system.apply_uniform_gravity(-G * N.y)
    return HybridModel(system, [], **options), np.array([np.pi / 2, 0.0, np.pi / 2, -1.0, 0.0, -1.0])


@pytest.mark.parametrize("rtol", [1e-6, 1e-9, 1e-11])
def test_a_parallelogram_passes_its_flat_positions(rtol):
    """The four-bar of equal links turns through the configurations where its constraints are dependent.

    Its coupler stays parallel to the ground: in these positions the motion is determined by continuity.
    """
    model, start = parallelogram()
    run = model.simulate((0.0, 10.0), start, {}, rtol=rtol)
    assert run.status is Status.FINISHED
    assert np.ptp(run.energy) <= 1e4 * rtol + 5e-6  # DOP853 of SciPy, with one angle, has 3e3 rtol; ten passes the rest
    assert len(run.t) <= 500
    assert run.x[0, -1] < -8.0 * np.pi
    assert np.abs(run.x[1]).max() <= 1e-8
    assert run.x[2] == pytest.approx(run.x[0], abs=1e-8)


def test_runs_that_do_not_keep_constraints_tell_where_these_become_dependent():
    """A flat parallelogram: from there on a kite is a motion of the same constraints."""
    model, start = parallelogram(formulation=Direct())
    with pytest.warns(SympactWarning, match="constraints become dependent for an instant"):
        run = model.simulate((0.0, 10.0), start, {}, rtol=1e-9)
    assert run.counts["unmet"] > 0
    assert [warning.kind for warning in run.warnings] == ["dependent constraints"]


def test_without_projection_constraints_drift_with_the_square_of_time_and_with_it_they_do_not():
    """Direct integrates phi'' = 0, where errors add up twice; projected runs stay."""
    start = np.array([1.0, 0.0, 0.0, 0.0])
    drift = {}
    for formulation in (Direct(), Projection(), Baumgarte(20.0)):
        system, q, _ = planar_system("x y")
        N, O = system.frame, system.fixed_point
        system.add_bodies(Particle("p", O.locatenew("P", q[0] * N.x + q[1] * N.y), 1))
        system.add_holonomic_constraints(q[0] ** 2 + q[1] ** 2 - 1)
        system.apply_uniform_gravity(-G * N.y)
        run = HybridModel(system, [], formulation=formulation).simulate((0.0, 40.0), start, {}, rtol=1e-7)
        drift[type(formulation)] = np.abs(np.hypot(*run.x[:2]) - 1.0)
        assert run.status is Status.FINISHED
    assert drift[Projection].max() <= 4e-16
    assert drift[Direct][-1] > 30.0 * drift[Direct][: len(drift[Direct]) // 8].max() > 0.0
    assert drift[Projection].max() < drift[Baumgarte].max() < drift[Direct].max()


def test_a_driven_constraint_follows_its_time():
    """A bead on a turning straight wire, y = x tan(w t) in the plane: x(t) = r0 cosh(w t) along the wire."""
    system, q, _ = planar_system("x y")
    N, O = system.frame, system.fixed_point
    w = sm.Symbol("w")
    system.add_bodies(Particle("p", O.locatenew("P", q[0] * N.x + q[1] * N.y), 1))
    system.add_holonomic_constraints(q[0] * sm.sin(w * t) - q[1] * sm.cos(w * t))
    run = HybridModel(system, []).simulate((0.0, 2.0), [0.3, 0.0, 0.0, 0.3 * 1.5], {w: 1.5}, rtol=1e-11)
    radius = 0.3 * np.cosh(1.5 * run.t)
    assert run.x[0] == pytest.approx(radius * np.cos(1.5 * run.t), abs=1e-9)
    assert run.x[1] == pytest.approx(radius * np.sin(1.5 * run.t), abs=1e-9)


def test_a_limit_in_a_loop_holds_a_load_at_rest():
    """A crank falls on its stop and stays there, with e = 0: the torque of the stop is that of gravity."""
    model = crank("a x b")
    system, q = model.source, model.q
    stopped = HybridModel(system, [Limit(q[0] + sm.pi / 3, restitution=0, name="stop")])
    angle = 0.5
    place = 0.2 * np.cos(angle) + np.sqrt(0.25 - (0.2 * np.sin(angle)) ** 2)
    rod = np.arctan2(-0.2 * np.sin(angle), place - 0.2 * np.cos(angle))
    run = stopped.simulate((0.0, 3.0), [angle, place, rod, 0.0, 0.0, 0.0], {}, rtol=1e-9)
    assert run.status is Status.FINISHED
    assert run.x[0, -1] == pytest.approx(-np.pi / 3, abs=1e-12)
    assert np.abs(run.x[3:, -1]).max() == 0.0
    assert run.normal_force[0, -1] == pytest.approx(G * 0.1 * np.cos(np.pi / 3), rel=1e-9)


@pytest.mark.parametrize(
    "name", members(["four_bar", "slider_crank", "rolling_disc"], slow=["four_bar", "slider_crank"])
)
def test_mechanisms_of_sympy_keep_their_energy(name):
    made = {"four_bar": four_bar, "slider_crank": slider_crank, "rolling_disc": rolling_disc}[name]()
    model = HybridModel(made.source, [])
    rng = np.random.default_rng(3)
    numbers = dict(zip(model.parameters, rng.uniform(0.8, 1.2, len(model.parameters)), strict=True))
    start = rng.uniform(-0.5, 0.5, len(model.x))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SympactWarning)
        run = model.simulate((0.0, 3.0), start, numbers, rtol=1e-10)
    assert run.status is Status.FINISHED
    assert np.ptp(run.energy) <= 1e-7 * max(1.0, np.abs(run.kinetic_energy).max())


def test_formulations_are_for_constrained_models():
    system, q, _ = planar_system("x y")
    N, O = system.frame, system.fixed_point
    system.add_bodies(Particle("p", O.locatenew("P", q[0] * N.x + q[1] * N.y), 1))
    with pytest.raises(ValueError, match="for models with bilateral constraints"):
        HybridModel(system, [], formulation=Direct())
    with pytest.raises(ValueError, match="alpha of Baumgarte is -1"):
        Baumgarte(-1.0)
    with pytest.raises(TypeError, match="formulation"):
        HybridModel(system, [], formulation="direct")


@pytest.mark.parametrize("contacts", [False, True])
def test_a_prescribed_speed_that_jumps_is_an_impact(contacts):
    """A cart is driven by x' = 0, then 2 m/s from t = 1 on; its hanging pendulum swings to the height of m L^2 w^2 / 2.

    The pin's jump sets the bob at rest against the angular momentum about the pin: w = -2 / L.
    """
    system, q, u = planar_system("x a")
    N, O = system.frame, system.fixed_point
    cart = O.locatenew("cart", q[0] * N.x)
    bob = cart.locatenew("bob", 3 * sm.sin(q[1]) * N.x - 3 * sm.cos(q[1]) * N.y)
    system.add_bodies(Particle("block", cart, 5), Particle("bob", bob, 2))
    system.apply_uniform_gravity(-G * N.y)
    floor = Plane(O.locatenew("floor", -10 * N.y), N.y)
    touching = [Contact(bob, floor, restitution=1, friction=0, name="bob")] if contacts else []
    drive = Nonholonomic(u[0] - sm.Piecewise((0, t < 1), (2, True)), "drive")
    model = HybridModel(system, touching, constraints=[drive])
    run = model.simulate((0.0, 3.0), [0.0, 0.0, 0.0, 0.0], {}, rtol=1e-10)
    assert run.status is Status.FINISHED
    assert [event.kind.value for event in run.events] == ["impact"]
    event = run.events[0]
    assert event.t == pytest.approx(1.0, abs=1e-14)
    assert event.x_plus[2:] == pytest.approx([2.0, -2.0 / 3.0], abs=1e-13)
    assert event.energy == pytest.approx(-0.5 * 5 * 2.0**2, abs=1e-12)
    relative = 0.5 * (3.0 * run.x[3]) ** 2 - G * 3.0 * np.cos(run.x[1])
    after = run.t > 1.0
    assert relative[after] == pytest.approx(0.5 * 2.0**2 - G * 3.0, abs=1e-8)


FIXED_STEPS = {
    "Euler": (1, (1600, 3200, 6400)),
    "improved Euler": (2, (100, 200, 400)),
    "RK4": (4, (50, 100, 200)),
    "RK45": (5, (20, 40, 80)),
    "DOP853": (8, (6, 9, 12, 18)),
}
"""Orders of methods, and numbers of steps in 1.6 s."""


@pytest.mark.parametrize("method", FIXED_STEPS)
def test_methods_keep_their_order_through_an_impact(method):
    """A pendulum in Cartesian coordinates rebounds from a wall; the fitted order of the error at the end."""
    system, q, _ = planar_system("x y")
    N, O = system.frame, system.fixed_point
    place = O.locatenew("P", q[0] * N.x + q[1] * N.y)
    system.add_bodies(Particle("p", place, 1))
    system.add_holonomic_constraints(q[0] ** 2 + q[1] ** 2 - 1)
    system.apply_uniform_gravity(-G * N.y)
    wall = Contact(place, Plane(O.locatenew("W", -0.5 * N.x), N.x), restitution=0.8, friction=0, name="wall")
    model = HybridModel(system, [wall], length=1)
    span, start = (0.0, 1.6), [1.0, 0.0, 0.0, 0.0]
    reference = model.simulate(span, start, {}, rtol=1e-13, atol=1e-15)
    assert len(reference.events) == 1
    order, counts = FIXED_STEPS[method]
    errors = []
    for count in counts:
        run = model.simulate(span, start, {}, method=method, max_step=1.6 / count, rtol=0.5, atol=0.5)
        errors.append(np.abs(run.x[:, -1] - reference.x[:, -1]).max())
    assert -np.polyfit(np.log(counts), np.log(errors), 1)[0] >= 0.9 * order


EVERY = (
    Projection(),
    Direct(),
    Baumgarte(20.0),
    Partitioning(),
    TangentSpace(),
    NullSpace("qr"),
    GearGuptaLeimkuhler(),
)


@pytest.mark.parametrize("formulation", EVERY, ids=str)
def test_formulations_agree_with_minimal_coordinates(formulation):
    """Within 10 times the tolerance times the growth of a small error of the start, over 10 s of a chaotic motion."""
    joints, start = two_links(False, 0.0, Newton())
    constraints, placed = two_links(True, 0.0, Newton())
    minimal, tolerance = HybridModel(joints.source, []), 1e-9
    fine = {"rtol": 1e-13, "atol": 1e-15}
    reference = minimal.simulate((0.0, 10.0), start, {}, **fine).x[:, -1]
    moved = [minimal.simulate((0.0, 10.0), start + 1e-8 * one, {}, **fine).x[:, -1] for one in np.eye(4)]
    growth = max(np.abs(end - reference).max() for end in moved) / 1e-8
    model = HybridModel(constraints.source, [], formulation=formulation)
    end = model.simulate((0.0, 10.0), placed, {}, rtol=tolerance, atol=tolerance).x[:, -1]
    assert np.abs(end[[0, 1, 6, 7]] - reference).max() <= 10.0 * tolerance * growth
