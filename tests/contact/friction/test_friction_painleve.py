"""Painleve's paradox: a rod that slides on one end, where friction presses it the more the more the floor pushes."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from sympy import Expr, Piecewise, symbols
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia
from trajectory import checked_run

from sympact import Contact, EndOfRun, HybridModel, ImpactWithoutCollision, Plane, load
from sympact.contact import PainleveRule
from sympact.integrate.problem.status import Status
from sympact.integrate.result import Result

GRAVITY, HALF = 9.81, 0.5  # m/s^2, half the length of a rod of 1 kg (m)
NOW = dynamicsymbols._t


@cache
def rod(
    painleve: PainleveRule,
    floor: Expr = 0,
    lift: Expr = 0,
    restitution: float = 0,
    height: Expr = 0,
    top: float = -1,
    lean: tuple = (),
    stands: tuple = (),
):
    """The model, its states and its letters; where the floor is along x and z, and a force that lifts the rod.

    Its top strikes the floor with the restitution `top` where that is not negative, its centre, with one half, a plane
    with the normal `lean` through the place `stands`, along x and z, where there is one.
    """
    m, g, l, mu = letters = symbols("m g l mu", positive=True)
    x, z, theta, v_x, v_z, omega = states = dynamicsymbols("x z theta v_x v_z omega")
    N, O, B, C = ReferenceFrame("N"), Point("O"), ReferenceFrame("B"), Point("C")
    B.orient_axis(N, theta, -N.y)  # theta above the horizontal, in the plane of x and z
    B.set_ang_vel(N, -omega * N.y)
    C.set_pos(O, x * N.x + z * N.z)
    body = RigidBody("rod", C, B, m, (inertia(B, 0, m * l**2 / 3, 0), C))
    system = System(N, O)
    system.add_bodies(body)
    system.add_coordinates(x, z, theta)
    system.add_speeds(v_x, v_z, omega)
    system.add_kdes(v_x - x.diff(), v_z - z.diff(), omega - theta.diff())
    system.apply_uniform_gravity(-g * N.z)
    if lift != 0:
        system.add_loads(Force(C, lift * N.z))
    tip = C.locatenew("tip", -l * B.x)
    ground = O.locatenew("ground", floor * N.x + height * N.z)
    contacts = [Contact(tip, Plane(ground, N.z), restitution=restitution, friction=mu, name="tip on O")]
    if top >= 0:
        contacts.append(Contact(C.locatenew("top", l * B.x), Plane(ground, N.z), restitution=top, friction=0))
    if lean:
        plane = Plane(O.locatenew("stands", stands[0] * N.x + stands[1] * N.z), lean[0] * N.x + lean[1] * N.z)
        contacts.append(Contact(C, plane, restitution=0.5, friction=0))
    return HybridModel(system, contacts, painleve=painleve), states, letters


def slide(
    painleve: PainleveRule,
    theta: float,
    mu: float,
    speed: float,
    span: float = 0.05,
    spin: float = 0.0,
    **options: Expr,
) -> Result:
    """The rod leans by theta to the right of its tip, which slides with `speed` along x while theta' = spin."""
    model, states, letters = rod(painleve, **options)
    s, c = np.sin(theta), np.cos(theta)
    start = (HALF * c, HALF * s, theta, speed - HALF * s * spin, HALF * c * spin, spin)
    numbers = dict(zip(letters, (1.0, GRAVITY, HALF, mu), strict=True))
    kinked = {"floor", "height", "lift"} & options.keys()  # `left_out_of_the_check`
    simulate = HybridModel.simulate if kinked or painleve.makes_impact else checked_run
    return simulate(model, (0, span), dict(zip(states, start, strict=True)), numbers)


def inverse_mass(theta: float, mu: float, speed: float) -> float:
    """The acceleration of the gap by a unit of normal force with its friction (1/kg)."""
    arm = 3 * np.cos(theta) * (np.cos(theta) + mu * np.sign(speed) * np.sin(theta))
    return 1 + arm


@pytest.mark.parametrize(("theta", "mu", "speed"), [(np.pi / 4, 2.0, -1.0), (1.0, 2.5, -3.0), (0.9, 1.6, -0.5)])
def test_where_no_force_holds_the_rod_the_run_says_so(theta, mu, speed):
    assert inverse_mass(theta, mu, speed) < 0
    result = slide(EndOfRun(), theta, mu, speed)
    assert result.status is Status.PAINLEVE
    assert result.t[-1] == 0
    assert "Painleve" in result.status.value


@pytest.mark.parametrize(("theta", "mu", "speed"), [(np.pi / 4, 2.0, 1.0), (np.pi / 4, 1.0, -1.0), (1.5, 2.0, -1.0)])
def test_elsewhere_the_rod_slides(theta, mu, speed):
    assert inverse_mass(theta, mu, speed) > 0
    result = slide(EndOfRun(), theta, mu, speed, span=1e-3)
    assert result.status is Status.FINISHED
    assert result.path[-1] == "tip on O slips"
    force = result.normal_force[0, 1]  # g'' = 0 with no spin yet: lambda = m g / (1 + 3 cos(theta) (cos(theta) + ...))
    assert abs(force - GRAVITY / inverse_mass(theta, mu, speed)) < 1e-9


@pytest.mark.parametrize(("theta", "mu", "speed"), [(np.pi / 4, 2.0, -1.0), (1.0, 2.5, -3.0), (0.9, 1.6, -0.5)])
def test_an_impact_without_collision_stops_the_slip(theta, mu, speed):
    """The impulses are those that bring slip and gap rate to zero: Lambda = -(W^T M^-1 W)^-1 gamma."""
    result = slide(ImpactWithoutCollision(), theta, mu, speed, span=1e-3)
    apply_impact = next(event for event in result.events if event.kind == "impact")
    assert apply_impact.t == 0
    s, c = np.sin(theta), np.cos(theta)
    delassus = np.array([[1 + 3 * c * c, -3 * s * c], [-3 * s * c, 1 + 3 * s * s]])  # normal, along x
    normal, along = -np.linalg.solve(delassus, [0.0, speed])
    assert abs(apply_impact.impulse[0] - normal) < 1e-8
    assert abs(apply_impact.friction_impulse[0][0] - along) < 1e-8
    assert abs(along) < mu * normal
    assert apply_impact.energy < 0
    lost = 0.5 * speed**2 / (delassus[1, 1] - delassus[0, 1] ** 2 / delassus[0, 0])
    assert abs(apply_impact.energy + lost) < 1e-7
    inertia = np.array([1, 1, HALF**2 / 3])
    gained = 0.5 * inertia @ (apply_impact.x_plus[3:] ** 2 - apply_impact.x_minus[3:] ** 2)
    assert abs(apply_impact.energy - gained) < 1e-14 * speed**2


@pytest.mark.parametrize("painleve", [EndOfRun(), ImpactWithoutCollision()])
@pytest.mark.parametrize("sinks", [1e-5, 1e-7])
def test_a_tip_that_leaves_in_a_low_hop_is_struck_where_it_comes_back(painleve, sinks):
    """At 10 ms the floor turns back, so that A < 0, and sinks: no force has to hold what leaves, be it for 20 ns."""
    early = NOW < 0.01
    there = Piecewise((-20 * NOW, early), (20 * NOW - 0.4, True))
    height = Piecewise((0, early), (-sinks * (NOW - 0.01), True))
    result = slide(painleve, 1.0, 2.5, -3.0, span=0.011, floor=there, height=height)
    assert result.status is Status.FINISHED
    leaves, apply_impact = (event for event in result.events if event.t > 0.009)
    assert (leaves.kind, apply_impact.kind) == ("open", "impact")
    _, free, _ = sliding(*leaves.x_plus[[2, 5]], 2.5)
    assert apply_impact.t - leaves.t == pytest.approx(-2 * sinks / free, rel=1e-3, abs=1e-12)
    assert apply_impact.energy < 0


def test_an_impact_without_collision_has_no_rebound_and_no_hops_that_die_away():
    """Nothing approached: restitution has nothing to act on, and the motion after is that with e = 0."""
    plain, bouncy = (slide(ImpactWithoutCollision(), 1.0, 2.5, -3.0, span=1e-3, restitution=e) for e in (0, 0.5))
    assert [event.kind for event in bouncy.events] == [event.kind for event in plain.events]
    assert bouncy.events[0].kind == "impact"
    assert np.isnan(bouncy.events[0].t_inf)
    assert (bouncy.events[0].x_plus == plain.events[0].x_plus).all()


def test_an_impact_without_collision_stops_what_touches_and_leaves_at_its_instant():
    """A plane at the centre, which leaves it along the floor, is in the way of what the impact on the tip would do.

    Slip, gap rates and thus all speeds end: the plane pushes with P n, the tip with K along the rod, (c, s), because
    nothing else turns it: K s + P n_z = 0, K c + P n_x = -m v.
    """
    theta, speed, lean = 1.0, -3.0, np.array([-0.4, -np.sqrt(0.84)])
    s, c = np.sin(theta), np.cos(theta)
    model, states, letters = rod(ImpactWithoutCollision(), lean=tuple(lean), stands=(HALF * c, HALF * s))
    start = dict(zip(states, (HALF * c, HALF * s, theta, speed, 0.0, 0.0), strict=True))
    result = model.simulate((0, 1e-3), start, dict(zip(letters, (1.0, GRAVITY, HALF, 2.5), strict=True)))
    assert lean[0] * speed > 0
    apply_impact = next(event for event in result.events if event.kind == "impact")
    push, pressed = np.linalg.solve([[c, lean[0]], [s, lean[1]]], [-speed, 0.0])
    assert pressed > 0
    assert c < 2.5 * s
    assert apply_impact.t == 0
    assert apply_impact.impulse == pytest.approx([push * s, pressed], abs=1e-7)
    assert apply_impact.friction_impulse[0][0] == pytest.approx(push * c, abs=1e-7)
    assert np.abs(apply_impact.x_plus[3:]).max() < 1e-8
    assert apply_impact.energy == pytest.approx(-0.5 * speed**2, abs=1e-7)


# --- the plane of theta and theta' (Genot and Brogliato 1999)


def critical_angle(mu: float) -> float:
    """The smaller angle at which the inverse mass of a rod that slides with speed < 0 vanishes."""
    steepest = 0.5 * (np.pi - np.arctan(mu))  # where d/dtheta cos(theta) (cos(theta) - mu sin(theta)) = 0
    return brentq(inverse_mass, 0.0, steepest, args=(mu, -1.0), xtol=1e-15)


def sliding(theta: float, spin: float, mu: float) -> tuple[float, float, float]:
    """(inverse mass A, free acceleration b of the gap, theta'') while the rod slides on: A lambda + b = 0."""
    a, b = inverse_mass(theta, mu, -1.0), HALF * spin**2 * np.sin(theta) - GRAVITY
    arm = np.cos(theta) - mu * np.sin(theta)
    return a, b, 3 / HALF * arm * b / a  # I theta'' = -l lambda (cos - mu sin), I = l^2/3


@pytest.mark.parametrize("mu", [1.2, 1.45])
@pytest.mark.parametrize(("theta", "spin"), [(0.3, 3.0), (0.5, 2.0), (0.3, 5.0)])
def test_with_less_friction_the_rod_lifts_off_where_its_own_spin_carries_it(mu, theta, spin):
    """mu = 1.2: A > 0 everywhere. mu = 1.45 > 4/3: A < 0 between two angles, but the rod leaves the floor before."""
    result = slide(EndOfRun(), theta, mu, -30.0, spin=spin, span=0.4)

    def lifts(t, y):
        return sliding(*y, mu)[1]

    lifts.terminal = True
    truth = solve_ivp(
        lambda t, y: (y[1], sliding(*y, mu)[2]), (0, 0.4), (theta, spin), "DOP853", rtol=1e-12, atol=1e-12, events=lifts
    )
    event = next(event for event in result.events if event.kind == "open")
    assert event.t == pytest.approx(truth.t_events[0][0], abs=2e-8)
    assert event.x_minus[[2, 5]] == pytest.approx(truth.y_events[0][0], abs=2e-7)
    assert result.status is Status.FINISHED


@pytest.mark.parametrize(("theta", "spin"), [(0.3, 3.0), (0.5, 2.0), (0.4, 3.0)])
@pytest.mark.parametrize("mu", [1.7, 2.0])
def test_with_more_friction_the_rod_slides_into_the_singular_point(mu, theta, spin):
    """Where A vanishes b does, too, but more slowly: from A' = A_theta theta' and b' = 2 l theta' sin(theta) theta''

    with theta'' = lambda / (l cos(theta)) follows db/dA = gamma b/A, gamma = -2 tan(theta) / A_theta < 1, so that the
    force grows as A^(gamma - 1) without bound. No motion goes on, and none goes beyond with b < 0.
    """
    result = slide(EndOfRun(), theta, mu, -30.0, spin=spin, span=0.4)
    assert result.status is Status.PAINLEVE
    angle, speed = result.x[[2, 5], -1]
    end = critical_angle(mu)
    slope = -3 * np.sin(2 * end) - 3 * mu * np.cos(2 * end)
    gamma = -2 * np.tan(end) / slope
    assert 0 < gamma < 1
    assert inverse_mass(angle, mu, -1.0) == pytest.approx(1e-6 * (1 + 3 * np.cos(end) ** 2), rel=0.01)
    assert angle == pytest.approx(end, abs=1e-5)
    assert sliding(angle, speed, mu)[1] < 0
    share, force = np.array([inverse_mass(x, mu, -1.0) for x in result.x[2]]), result.normal_force[0]
    near = (share < 1e-4) & (force > 0)
    assert np.polyfit(np.log(share[near]), np.log(force[near]), 1)[0] == pytest.approx(gamma - 1, abs=5e-3)


def test_two_kinds_of_motion_part_at_the_known_coefficient():
    """gamma = 1 at mu = 8 / (3 sqrt 3): below it the force at the singular point is bounded, above it is not."""

    def gamma(mu):
        end = critical_angle(mu)
        return -2 * np.tan(end) / (-3 * np.sin(2 * end) - 3 * mu * np.cos(2 * end))

    assert brentq(lambda mu: gamma(mu) - 1, 1.4, 1.9) == pytest.approx(8 / (3 * np.sqrt(3)), abs=1e-9)


def test_the_message_names_the_contact_and_its_inverse_mass(tmp_path):
    theta, mu = 1.0, 2.5
    result = slide(EndOfRun(), theta, mu, -3.0)
    share = inverse_mass(theta, mu, -1.0) / inverse_mass(theta, 0.0, -1.0)
    words = f"contact 'tip on O' slips and has no admissible force: with friction its inverse mass is {share:.3g} times"
    assert f"t = 0, {words}" in result.message
    result.save(tmp_path / "run.npz")
    assert words in load(tmp_path / "run.npz").message
    grown = slide(EndOfRun(), 0.3, 2.0, -30.0, spin=3.0, span=0.2).message
    assert "has a force that grows without bound" in grown


@pytest.mark.parametrize(("theta", "spin"), [(0.3, 3.0), (0.3, 5.0)])
def test_at_the_singular_point_the_impact_without_collision_stops_the_slip(theta, spin):
    """A = 0: the slip ends while the normal velocity stays zero, with friction at the edge of its cone."""
    result = slide(ImpactWithoutCollision(), theta, 2.0, -30.0, spin=spin, span=0.15)
    apply_impact = next(event for event in result.events if event.kind == "impact")
    x = apply_impact.x_minus
    s, c = np.sin(x[2]), np.cos(x[2])
    delassus = np.array([[1 + 3 * c * c, -3 * s * c], [-3 * s * c, 1 + 3 * s * s]])
    truth = -np.linalg.solve(delassus, [0.0, x[3] + HALF * s * x[5]])
    assert (apply_impact.impulse[0], apply_impact.friction_impulse[0][0]) == pytest.approx(truth, rel=1e-7)
    assert truth[1] / truth[0] == pytest.approx(2.0, rel=1e-5)
    assert apply_impact.energy < 0


@pytest.mark.parametrize("painleve", [EndOfRun(), ImpactWithoutCollision()])
def test_where_the_rod_may_lift_off_or_jam_the_run_says_so(painleve):
    """At 10 ms the floor turns back, so that A < 0, and a force begins to lift the rod, b > 0: lambda = 0 and -b/A."""
    early = NOW < 0.01
    there = Piecewise((-20 * NOW, early), (20 * NOW - 0.4, True))
    result = slide(painleve, 1.0, 2.0, -3.0, span=0.02, floor=there, lift=Piecewise((0, early), (15, True)))
    assert result.path[1].startswith("tip on O slips")
    if painleve.makes_impact:
        assert result.status is Status.FINISHED
        apply_impact = next(event for event in result.events if event.impulse.any())
        assert apply_impact.t == pytest.approx(0.01, abs=1e-15)
        slip = [
            state[3] + HALF * np.sin(state[2]) * state[5] - 20 for state in (apply_impact.x_minus, apply_impact.x_plus)
        ]
        assert slip[0] < -20
        assert abs(slip[1]) < 1e-6
        return
    assert inverse_mass(result.x[2, -1], 2.0, -1.0) < 0 < 15.0 - GRAVITY
    assert result.status is Status.PAINLEVE
    assert result.t[-1] == pytest.approx(0.01, abs=1e-15)
    assert "may slide on, lift off or lock" in result.message


def test_a_rod_that_no_force_holds_yet_lifts_off_where_it_may():
    """A < 0 < b at the start: what was open before flies, as without contact."""
    result = slide(EndOfRun(), 1.0, 2.0, -30.0, spin=7.0, span=0.01)
    assert inverse_mass(1.0, 2.0, -1.0) < 0 < HALF * 49 * np.sin(1.0) - GRAVITY
    assert result.path == ("free",)


def test_forces_that_grow_without_bound_leave_no_trace_in_what_counts_as_a_low_hop():
    """At the singular point the top accelerates 1e3 times as fast as in flight; hops that end are of 1e-10 m."""
    model, states, letters = rod(ImpactWithoutCollision(), top=0.5)
    start = (HALF * np.cos(0.3), HALF * np.sin(0.3), 0.3, -30 - HALF * 3 * np.sin(0.3), HALF * 3 * np.cos(0.3), 3.0)
    numbers = dict(zip(letters, (1.0, GRAVITY, HALF, 2.0), strict=True))
    result = model.simulate((0, 5), dict(zip(states, start, strict=True)), numbers)
    assert result.status is Status.FINISHED
    assert np.abs(result.normal_force).max() > 1e4
    ends = next(event for event in result.events if event.kind == "accumulation")
    theta, v_z, omega = ends.x_minus[[2, 4, 5]]
    assert 0 < -0.5 * (v_z + HALF * np.cos(theta) * omega) < np.sqrt(2e-10 * 10 * GRAVITY)


# --- several contacts

WIDTH, HEIGHT, INERTIA = 0.5, 0.45, 0.02  # m, m, kg m^2


def box(mu: float) -> Result:
    """A box of 1 kg that slides on two corners with 5 m/s."""
    x, z, theta, v_x, v_z, omega = states = dynamicsymbols("x z theta v_x v_z omega")
    N, O, B, C = ReferenceFrame("N"), Point("O"), ReferenceFrame("B"), Point("C")
    B.orient_axis(N, theta, -N.y)
    B.set_ang_vel(N, -omega * N.y)
    C.set_pos(O, x * N.x + z * N.z)
    system = System(N, O)
    system.add_bodies(RigidBody("box", C, B, 1, (inertia(B, 0, INERTIA, 0), C)))
    system.add_coordinates(x, z, theta)
    system.add_speeds(v_x, v_z, omega)
    system.add_kdes(v_x - x.diff(), v_z - z.diff(), omega - theta.diff())
    system.apply_uniform_gravity(-GRAVITY * N.z)
    corners = [C.locatenew(name, side * B.x - HEIGHT * B.z) for name, side in (("rear", WIDTH), ("front", -WIDTH))]
    contacts = [Contact(corner, Plane(O, N.z), restitution=0, friction=mu) for corner in corners]
    start = dict(zip(states, (0, HEIGHT, 0, -5.0, 0, 0), strict=True))
    return checked_run(HybridModel(system, contacts), (0, 0.2), start, {})


@pytest.mark.parametrize("mu", [0.3, 1.05])
def test_a_box_slides_on_while_both_corners_bear(mu):
    """No acceleration upwards and no torque: -mu g along the floor; N_rear - N_front = -mu HEIGHT g / WIDTH."""
    result = box(mu)
    assert result.status is Status.FINISHED
    assert result.x[3, -1] == pytest.approx(-5.0 + mu * GRAVITY * 0.2, abs=1e-9)
    rear, front = result.normal_force[:, 1]
    assert (rear + front, front - rear) == pytest.approx((GRAVITY, mu * HEIGHT * GRAVITY / WIDTH), abs=1e-9)


@pytest.mark.parametrize(("mu", "jams"), [(1.15, False), (1.3, True)])
def test_a_box_that_tips_over_its_front_corner_jams_when_it_is_light_far_out(mu, jams):
    """Beyond mu HEIGHT = WIDTH the rear corner leaves; the front one alone has 1/m + w (w - mu h) / I."""
    alone = 1 + WIDTH * (WIDTH - mu * HEIGHT) / INERTIA
    assert (alone < 0) == jams
    assert mu * HEIGHT > WIDTH
    result = box(mu)
    if jams:
        assert result.status is Status.PAINLEVE
        share = alone / (1 + WIDTH**2 / INERTIA)
        words = f"'front on O' slips and has no admissible force: with friction its inverse mass is {share:.3g}"
        assert words in result.message
    else:
        assert result.events[0].kind == "close"
        assert result.normal_force[1, 1] == pytest.approx(GRAVITY / alone, rel=1e-9)


@pytest.mark.parametrize("opening", [0.3, 0.7, 1.2])
@pytest.mark.parametrize("part", [0.5, 0.9, 1.1, 2.0])
def test_a_belt_jams_a_particle_in_a_wedge_that_neither_surface_jams_alone(opening, part):
    """A floor without friction, a ceiling that runs into the wedge, mu = part tan(opening), a push into the wedge.

    E = [[1, -(c + mu s)], [-c, 1]] has det E = s^2 (1 - mu c/s), det G = s^2; beyond mu = tan(opening) nothing solves
    0 <= lambda _|_ E lambda + b >= 0 with b < 0.
    """
    s, c, mu, push = np.sin(opening), np.cos(opening), part * np.tan(opening), 60.0
    x, z, v_x, v_z = states = dynamicsymbols("x z v_x v_z")
    N, O, C = ReferenceFrame("N"), Point("O"), Point("C")
    C.set_pos(O, x * N.x + z * N.z)
    system = System(N, O)
    system.add_bodies(Particle("bead", C, 1))
    system.add_coordinates(x, z)
    system.add_speeds(v_x, v_z)
    system.add_kdes(v_x - x.diff(), v_z - z.diff())
    system.add_loads(Force(C, -push * N.x - GRAVITY * N.z))
    belt = O.locatenew("belt", -NOW * (c * N.x + s * N.z))
    contacts = [
        Contact(C, Plane(O, N.z), restitution=0, friction=0, name="floor"),
        Contact(C, Plane(belt, s * N.x - c * N.z), restitution=0, friction=mu, name="ceiling"),
    ]
    result = checked_run(HybridModel(system, contacts, length=1), (0, 0.1), dict.fromkeys(states, 0), {})
    if part < 1:
        assert result.status is Status.FINISHED
        matrix, b = np.array([[1, -(c + mu * s)], [-c, 1]]), np.array([-GRAVITY, GRAVITY * c - push * s])
        assert result.normal_force[:, -1] == pytest.approx(-np.linalg.solve(matrix, b), rel=1e-9)
        return
    assert result.status is Status.PAINLEVE
    assert "contact 'ceiling' slips and has no admissible force" in result.message
    assert f"with friction its inverse mass is {1 - part:.3g} times" in result.message


@pytest.mark.parametrize(("word", "rule"), [("stop", EndOfRun()), ("impact", ImpactWithoutCollision())])
def test_the_words_of_before_answer_with_a_warning_that_gives_the_rule(word, rule):
    source = rod(EndOfRun())[0].source
    with pytest.warns(DeprecationWarning, match=rf"painleve='{word}' is painleve={type(rule).__name__}\(\)") as caught:
        model = HybridModel(source, [], painleve=word)
    assert caught[0].filename == __file__
    assert model.painleve == rule
