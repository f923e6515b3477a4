"""Impacts of mechanisms, where normal and tangents of a contact depend on each other: jams, and Routh's path."""

import math
from itertools import product

import numpy as np
import pytest
import sympy as sm
from impact_problems import planar
from quick_members import members
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from single_contacts import LAWS, OneContact, judge, random_problem
from sympy.physics.mechanics import (
    Particle,
    PinJoint,
    PrismaticJoint,
    RigidBody,
    SphericalJoint,
    System,
    dynamicsymbols,
    inertia,
)
from trajectory import checked_run

from sympact import (
    Contact,
    Energetic,
    HybridModel,
    ImpulseRatio,
    Newton,
    Plane,
    Plastic,
    Poisson,
    Sequential,
    Simultaneous,
    Status,
    UnsolvedImpact,
    solve_impact,
)

STOPPING = [Newton(guard=True), Poisson(), Poisson(path="routh"), Energetic(), Plastic()]
"""Laws under which a contact that jams stops."""


# --- models


def lever(law, e, mu, resolution=None, tips=1) -> tuple[HybridModel, dict]:
    """A rod of 1 kg and 1 m on a pin, 0.8 m above a floor that its tip strikes: one freedom.

    More tips are beside each other along the pin.
    """
    angle, rate = dynamicsymbols("angle rate")
    ground, rod = RigidBody("ground"), RigidBody("rod", mass=1.0)
    rod.central_inertia = inertia(rod.frame, 0, 0, 1 / 12)
    system = System.from_newtonian(ground)
    pin = PinJoint("pin", ground, rod, angle, rate, joint_axis=ground.z, child_point=-0.5 * rod.x)
    system.add_joints(pin)
    system.apply_uniform_gravity(-9.81 * ground.y)
    floor = Plane(ground.masscenter.locatenew("floor", -0.8 * ground.y), ground.y)
    names = ["tip", *(f"tip{k}" for k in range(2, tips + 1))]
    places = [rod.masscenter.locatenew(name, 0.5 * rod.x + k * rod.z / 10) for k, name in enumerate(names)]
    options = {} if resolution is None else {"resolution": resolution}
    contacts = [Contact(place, floor, restitution=e, friction=mu) for place in places]
    model = HybridModel(system, contacts, impact=law, **options)
    return model, {angle: 0, rate: 0}


def hung_rod(law, e, mu) -> tuple[HybridModel, dict]:
    """A rod of 2 kg on a ball joint falls on a rough floor: its tip has two freedoms."""
    ground, rod = RigidBody("ground"), RigidBody("rod", mass=2.0)
    rod.central_inertia = inertia(rod.frame, 1 / 6, 1 / 6, 1 / 60)
    q, u = dynamicsymbols("q1:4"), dynamicsymbols("u1:4")
    system = System.from_newtonian(ground)
    joint = {"rot_order": "xyz", "child_point": -0.5 * rod.x}
    system.add_joints(SphericalJoint("joint", ground, rod, list(q), list(u), **joint))
    system.apply_uniform_gravity(-9.81 * ground.z)
    floor = Plane(ground.masscenter.locatenew("floor", -0.5 * ground.z), ground.z)
    tip = rod.masscenter.locatenew("tip", 0.5 * rod.x)
    model = HybridModel(system, [Contact(tip, floor, restitution=e, friction=mu)], impact=law)
    return model, dict(zip((*q, *u), (0.1, 0.2, 0.3, 0, 0, 1.0), strict=True))


ALIKE = [(law, 0) for law in STOPPING[1:4]]
"""Without restitution laws differ least: Newton's and the plastic one are left."""


@pytest.mark.parametrize(("law", "e"), members(product(STOPPING, [0, 0.5]), slow=ALIKE), ids=repr)
def test_a_pinned_rod_that_jams_on_the_floor_stops(law, e):
    """At the floor W_N : W_T = 0.6 : 0.8, so that mu = 1 jams: whatever the law, the only motion is none."""
    model, start = lever(law, e, 1.0)
    result = checked_run(model, (0, 1), start, {})
    assert result.status is Status.FINISHED
    hit = result.events[0]
    assert hit.kind == "impact"
    assert abs(hit.x_plus[1]) < 1e-9
    turns = 0.6 * hit.impulse[0] + 0.8 * hit.friction_impulse[0, 0]  # about the pin, the tip at (0.6, -0.8)
    assert turns == pytest.approx(-hit.x_minus[1] / 3, rel=1e-9)
    assert hit.factor == (0.0 if e and not isinstance(law, (Poisson, Plastic)) else 1.0)


@pytest.mark.parametrize("law", [Energetic(), Poisson(), Newton(guard=True)], ids=repr)
@pytest.mark.parametrize("resolution", [Sequential(), ImpulseRatio(1, 1.5)], ids=repr)
def test_a_jam_has_the_same_end_under_every_resolution(law, resolution):
    if isinstance(resolution, ImpulseRatio) and law != Energetic():
        return
    model, start = lever(law, 0.5, 1.0, resolution)
    result = checked_run(model, (0, 0.5), start, {})
    assert result.status is Status.FINISHED
    assert abs(result.events[0].x_plus[1]) < 1e-9


@pytest.mark.parametrize("tips", [1, 2])
@pytest.mark.parametrize("resolution", [Simultaneous(), Sequential(), ImpulseRatio(1, 1.5)], ids=repr)
def test_a_jam_without_loss_of_its_own_stops_at_once(resolution, tips):
    """e = 1, but friction gives nothing back: the rounding of the approach is no hop that never ends."""
    model, start = lever(Energetic(), 1.0, 1.0, resolution, tips)
    result = checked_run(model, (0, 0.5), start, {})
    assert result.status is Status.FINISHED
    assert [event.kind for event in result.events] == ["impact"]
    assert abs(result.events[0].x_plus[1]) < 1e-12


STRIKES = [*((law, 3.0) for law in STOPPING), (Energetic(), 0.6), (Poisson(path="routh"), 0.6)]


@pytest.mark.parametrize(
    ("law", "mu"), members(STRIKES, slow=[(Poisson(), 3.0), (Energetic(), 3.0), (Poisson(path="routh"), 0.6)]), ids=repr
)
def test_a_rod_on_a_ball_joint_strikes_with_impulses_of_its_own_size(law, mu):
    """2 kg that fall 0.5 m have a few N s; where mu = 0.6 the tip rests, as friction of 0.577 of the force holds it."""
    model, start = hung_rod(law, 0.5, mu)
    result = checked_run(model, (0, 1.5), start, {})
    assert result.status is Status.FINISHED
    assert max(np.abs(event.impulse).max() for event in result.events if event.kind == "impact") < 20.0
    if mu == 0.6:
        (ends,) = (event.t for event in result.events if event.kind == "accumulation")
        assert result.stages[-1].startswith("tip on floor sticks")
        assert result.events[-1].t - ends < 1e-6


def test_a_jam_under_newtons_law_names_the_contact_and_laws_that_have_a_solution():
    model, start = lever(Newton(), 0.5, 1.0)
    result = model.simulate((0, 1), start, {})
    assert result.status is Status.UNSOLVED_IMPACT
    found = result.infeasibility
    assert (found.kind, found.contacts) == ("jam", ("tip on floor",))
    assert found.laws == ("Newton(guard=True)", "Poisson()", "Energetic()", "Plastic()")
    assert found.power < 0.0
    for words in ("'tip on floor' locks", "friction prevents every solution", *found.laws):
        assert words in result.message
    assert model.simulate((0, 0.3), start, {}).infeasibility is None
    for law in (Newton(guard=True), Poisson(), Energetic(), Plastic()):
        assert repr(law) in found.laws


@pytest.mark.parametrize("law", [Newton(), Newton(guard=True), Poisson(), Energetic(), Plastic()], ids=repr)
def test_a_wall_that_drives_a_jam_is_named(law):
    """A lever of one freedom, rows 0.6 : 0.8, mu = 1, before a wall that comes with 1 m/s: nothing can give way."""
    problem = OneContact(np.eye(1), np.array([[0.6], [0.8], [0.0]]), np.zeros(1), np.array([-1.0, 0, 0]), 0.5, 1.0)
    with pytest.raises(
        UnsolvedImpact, match=r"contact 0 locks while a moving surface drives on.*under any law"
    ) as raised:
        problem.solve(law)
    assert raised.value.infeasibility.kind == "driven jam"
    assert raised.value.infeasibility.laws == ()


@pytest.mark.parametrize("law", [Newton(), Newton(guard=True), Poisson(), Energetic(), Plastic()], ids=repr)
@pytest.mark.parametrize("small", [1e-3, 1e-6])
def test_an_impact_that_a_dead_point_makes_too_large_for_numbers_names_it(law, small):
    """A lever that friction jams, rows 0.6 : 0.8, but for a second freedom that moves it along nu = (0.8, -0.6).

    Newton's rebound, nu . b = -0.24 m/s, takes 0.24 / small^2 N s along nu; the laws that stop the lever need none.
    No more energy than before, 0.5 J, bounds a rebound by small / 0.8.
    """
    rows = np.array([[0.6, 0.8 * small], [0.8, -0.6 * small], [0.0, 0.0]])
    problem = OneContact(np.eye(2), rows, np.array([-1.0, 0.0]), np.zeros(3), 0.5, 1.0)
    if repr(law) == "Newton()" and small < 1e-4:
        with pytest.raises(UnsolvedImpact, match="contact 0 is nearly at a dead point") as raised:
            problem.solve(law)
        assert raised.value.infeasibility.kind == "dead point"
        assert raised.value.infeasibility.laws == ("Newton(guard=True)", "Poisson()", "Energetic()", "Plastic()")
        assert raised.value.infeasibility.power < 0.0
    else:
        after = rows @ (problem.u + problem.solve(law).speed_change)
        assert after[1] == pytest.approx(0.0, abs=1e-9)
        rebound = (0.3 - 1e-6, 0.3 + 1e-6) if repr(law) == "Newton()" else (-1e-12, 1.25 * small)
        assert rebound[0] <= after[0] <= rebound[1]


def test_walls_that_crush_are_named():
    """A press: a block between a floor at rest and a plate that comes down."""
    ground, block = RigidBody("ground"), Particle("block", mass=1)
    x, v, t = *dynamicsymbols("x v"), dynamicsymbols._t
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("slide", ground, block, x, v, joint_axis=ground.z))
    origin, plate = ground.masscenter, sm.Symbol("plate")
    top = origin.locatenew("plate", (1 - plate * t) * ground.z)
    top.set_vel(ground.frame, -plate * ground.z)
    contacts = [
        Contact(block.masscenter, Plane(origin, ground.z), restitution=0, friction=0, name="floor"),
        Contact(block.masscenter, Plane(top, -ground.z), restitution=0, friction=0, name="press"),
    ]
    result = HybridModel(system, contacts, length=1).simulate((0, 3), {x: 0, v: 0}, {plate: 0.5})
    assert result.status is Status.UNSOLVED_IMPACT
    assert result.infeasibility.kind == "crush"
    assert set(result.infeasibility.contacts) == {"floor", "press"}
    assert "moving surfaces close in at" in result.message


# --- random contacts of rank one and two


@pytest.mark.parametrize("seeds", members([range(30), range(30, 200)], slow=[range(30, 200)]), ids=str)
@pytest.mark.parametrize("name", LAWS)
def test_single_contacts_of_low_rank_are_solved_or_refused_rightly(name, seeds):
    found = [judge(random_problem(seed), LAWS[name]) for seed in seeds]
    assert {*found} <= {"solved", "refused", "open"}, [(k, f) for k, f in enumerate(found) if len(f) > 8]
    assert found.count("open") <= len(seeds) / 100
    assert found.count("solved") > (0.3 if "guard" not in name and "Newton" in name else 0.8) * len(seeds)


@pytest.mark.parametrize("mu", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("belt", [1e-3, 0.3, 10.0])
def test_friction_on_a_belt_across_lets_a_contact_of_one_freedom_leave(belt, mu):
    """Rows 0.28 : -0.96 : 0, mass 1, a gap rate of -1 m/s, a belt across that no impulse changes.

    Compression ends with slip across alone. Expansion has P_N = e / 0.28^2 and
    u+ = 0.28 P_N - 0.96 mu P_N (0.96 u+) / |slip|, which always has one root u+ > 0.
    """
    rows, least = np.array([[0.28], [-0.96], [0.0]]), 0.5 / 0.28**2
    hit = OneContact(np.eye(1), rows, -np.ones(1) / 0.28, np.array([0.0, 0.0, belt]), 0.5, mu).solve(Poisson())
    leaves = brentq(lambda u: (0.28 - 0.96**2 * mu * u / math.hypot(0.96 * u, belt)) * least - u, 0.0, 0.28 * least)
    assert hit.gap_rate_plus[0] == pytest.approx(0.28 * leaves, rel=1e-8)


def test_a_contact_near_a_jam_on_a_belt_leaves():
    assert judge(random_problem(2004454), Poisson()) == "solved"


# --- Routh's path


def followed(problem: OneContact, law, softness: float = 1e-6) -> np.ndarray | None:
    """v+ along dv/dp = G f, Coulomb's jump made steep, f_T = -mu s / sqrt(s^2 + little^2), by a stiff integrator.

    None where the path does not end: in a jam nothing moves any more.
    """
    g, mu, e, before = problem.delassus, problem.mu, problem.e, problem.before
    speed = np.abs(before).max()

    def slopes(p, y):
        s = y[1:3]
        force = np.array([1.0, *(-mu * s / math.hypot(*s, softness * speed))])
        return [*(g @ force), -y[0], 1.0]

    def jacobian(p, y):  # by differences it overflows where nothing moves, in a jam, and nothing depends on p
        s = y[1:3]
        size, rows = math.hypot(*s, softness * speed), np.zeros((5, 5))
        rows[:3, 1:3] = -mu / size * g[:, 1:] @ (np.eye(2) - np.outer(s, s) / size**2)
        rows[3, 0] = -1.0
        return rows

    def leaves(p, y):
        return y[0]

    leaves.terminal, leaves.direction = True, 1
    tight = {"method": "Radau", "rtol": 1e-9, "atol": 1e-12 * speed, "jac": jacobian}
    most = 300 * speed / np.trace(g)
    end = solve_ivp(slopes, (0, most), [*before, 0.0, 0.0], events=leaves, **tight)
    if not end.t_events[0].size:
        return None
    middle = end.y_events[0][0]

    def back(p, y):
        if isinstance(law, Energetic):
            return y[3] - (1 - e * e) * middle[3]
        return y[4] - (1 + e) * middle[4] if isinstance(law, Poisson) else y[0] + e * before[0]

    back.terminal = True
    if e == 0.0:
        return middle[:3]
    end = solve_ivp(slopes, (end.t[-1] + 1e-9 * end.t[-1], 2 * most), middle, events=back, **tight)
    return end.y_events[0][0][:3] if end.t_events[0].size else None


@pytest.mark.parametrize("seeds", members([range(4), range(4, 60)], slow=[range(4, 60)]), ids=str)
@pytest.mark.parametrize(
    "law", members([Energetic(), Poisson(path="routh"), Newton(path="routh")], slow=[Poisson(path="routh")]), ids=repr
)
def test_rouths_path_follows_an_independent_integration(law, seeds):
    """The integrator, and not the law, takes the time of the many problems."""
    compared = 0
    for seed in seeds:
        problem = random_problem(seed, walls=False)
        try:
            hit = problem.solve(law)
        except UnsolvedImpact:
            continue
        expected = followed(problem, law)
        after = np.array([hit.gap_rate_plus[0], *hit.slip_plus[0]])
        if expected is None:  # a jam, or nearly one, in which tiny motions take large impulses
            large = hit.impulses[0] > 20 * np.abs(problem.before).max() / np.trace(problem.delassus)
            assert large or np.abs(after).max() < 1e-6 * np.abs(problem.before).max()
            continue
        compared += 1
        assert after == pytest.approx(expected, abs=2e-4 * np.abs(problem.before).max()), seed
    assert compared >= len(seeds) / 3


@pytest.mark.parametrize(("c", "mu"), [(0.5, 0.4), (0.5, 0.8), (-1.5, 0.4)])
@pytest.mark.parametrize("slip", [0.2, 1.2, 20.0])
def test_planar_impacts_under_poissons_and_newtons_law_have_closed_forms(c, mu, slip):
    """Over the normal impulse p the rates are lines that bend where the slip ends (Routh; Wang and Mason 1992).

    Slip that slides on, that sticks and that reverses, in either phase.
    """
    a, b, rate, e = 2.0, 3.0, -1.0, 0.6
    first, slowing = a - mu * c, c - mu * b
    stops = -slip / slowing if slowing < 0 else math.inf
    sticks = mu >= abs(c) / b
    turned = -c / b if sticks else math.copysign(mu, -c)
    second = a + c * turned

    def speeds(p):
        after = max(p - stops, 0.0)
        along = -mu * min(p, stops) + turned * after
        return rate + a * p + c * along, slip + c * p + b * along

    def impulse(v):
        p = (v - rate) / first
        return p if p <= stops else stops + (v - rate - first * stops) / second

    compression = impulse(0.0)
    poisson = planar(a, b, c, rate, slip, e, mu).solve(Poisson(path="routh"))
    newton = planar(a, b, c, rate, slip, e, mu).solve(Newton(path="routh"))
    for hit, p in ((poisson, (1 + e) * compression), (newton, impulse(-e * rate))):
        assert hit.impulses[0] == pytest.approx(p, rel=1e-12)
        assert [hit.gap_rate_plus[0], hit.slip_plus[0, 0]] == pytest.approx(speeds(p), rel=1e-11, abs=1e-12)
    assert newton.gap_rate_plus[0] == pytest.approx(0.6, rel=1e-12)


@pytest.mark.parametrize("mu", [0.3, 0.7])
def test_a_pinned_rod_has_closed_forms_under_the_three_laws(mu):
    """One freedom, rows (3, 4), M = 1, mu < 3/4: slip and approach end together, and friction turns round there.

    v_N has the slope k1 = 3 (3 + 4 mu) in compression and k2 = 3 (3 - 4 mu) after it.
    """
    e, came = 0.5, 3.0
    k1, k2 = 3 * (3 + 4 * mu), 3 * (3 - 4 * mu)
    problem = OneContact(np.eye(1), np.array([[3.0], [4.0], [0.0]]), np.array([-1.0]), np.zeros(3), e, mu)
    leaves = {
        Poisson(path="routh"): e * came * k2 / k1,
        Energetic(): e * came * math.sqrt(k2 / k1),
        Newton(path="routh"): e * came,
    }
    for law, rate in leaves.items():
        hit = problem.solve(law)
        assert hit.gap_rate_plus[0] == pytest.approx(rate, rel=1e-12)
        assert hit.impulses[0] == pytest.approx(came / k1 + rate / k2, rel=1e-12)
        assert hit.slip_plus[0, 0] == pytest.approx(4 / 3 * rate, rel=1e-12)


def test_the_two_forms_of_poissons_law_differ_where_the_slip_reverses():
    impact = planar(2.0, 3.0, -1.5, -1.0, 1.3, 0.8, 0.4)
    phases, path = impact.solve(Poisson()), impact.solve(Poisson(path="routh"))
    assert abs(phases.gap_rate_plus[0] - path.gap_rate_plus[0]) > 0.02
    central = planar(2.0, 7.0, 0.0, -3.0, 40.0, 0.6, 0.3)  # a ball on a wall: they agree
    one, other = central.solve(Poisson()), central.solve(Poisson(path="routh"))
    assert one.speed_change == pytest.approx(other.speed_change, rel=1e-13)


def test_the_guard_along_the_path_takes_just_enough():
    """A pinned rod near its jam: Newton's rebound would take more than the approach brought."""
    problem = OneContact(np.eye(1), np.array([[3.0], [4.0], [0.0]]), np.array([-1.0]), np.zeros(3), 1.0, 0.5)
    free, guarded = problem.solve(Newton(path="routh")), problem.solve(Newton(path="routh", guard=True))
    assert free.gap_rate_plus[0] == pytest.approx(3.0, rel=1e-12)
    assert guarded.energy <= 1e-12
    assert guarded.factor == 1.0  # one freedom that returns with its own speed gains nothing


def test_several_contacts_at_once_have_the_phases():
    mass, rows, rates = np.diag([1.0, 0.7]), np.array([[1.0, -1.0], [1.0, 1.0]]), np.array([-0.9, -1.0])
    along = {"tangent_jacobian": np.zeros((2, 2, 2)), "slip_minus": np.zeros((2, 2)), "friction": 0.3}
    for one, other in ((Poisson(), Poisson(path="routh")), (Newton(), Newton(path="routh"))):
        plain, path = (solve_impact(mass, rows, rates, 0.6, law=law, **along) for law in (one, other))
        assert (plain.speed_change == path.speed_change).all()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Poisson(path="keller"), r"the path of Poisson's law is 'keller', expected None .* or \"routh\""),
        (lambda: Newton(path=1), "the path of Newton's law is 1"),
        (lambda: Newton(path="routh", tangential=0.5), "tangential restitution 0.5 and the path 'routh'"),
    ],
)
def test_wrong_paths_are_named(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
