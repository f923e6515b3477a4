"""Compliant contacts against closed relations, conserved energies, loads written by hand, and rigid contacts."""

from __future__ import annotations

import math
import pickle
import re

import numpy as np
import pytest
import sympy as sm
from scipy.special import lambertw
from sympy.physics.mechanics import (
    LagrangesMethod,
    Particle,
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
)

import sympact
from sympact import (
    CompliantContact,
    Contact,
    Crossing,
    HuntCrossley,
    HybridModel,
    Implicit,
    KelvinVoigt,
    LankaraniNikravesh,
    Limit,
    NormalForce,
    Plane,
    Sphere,
    Status,
    ensemble,
)

RADIUS, V = 0.1, 2.0
TIGHT = {"rtol": 1e-11, "atol": 1e-12}
REBOUNDS = {0.3: 3.087081981130, 0.5: 1.432750533271, 0.7: 0.634828281266, 0.9: 0.166481950685}
"""a v of Hunt and Crossley's law by the restitution, 13 digits; from `set_valued_references`, by two ways."""


def ball(law, *, gravity=0.0, mass=1.0, surface=None, further=()):
    """A ball above a floor that moves up and down, and its contact."""
    ground, body = RigidBody("ground"), Particle("ball", mass=mass)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("z", ground, body, joint_axis=ground.z))
    system.apply_uniform_gravity(-gravity * ground.z)
    plane = surface or Plane(ground.masscenter, ground.z)
    contact = CompliantContact(Sphere(body.masscenter, RADIUS), plane, law=law, friction=0, name="soft")
    return HybridModel(system, [contact, *further]), contact


def thrown(law, speed=V, **options):
    """A run of a ball thrown down, and its contact."""
    model, contact = ball(law)
    return model.simulate((0, 1.0), [2 * RADIUS, -speed], {}, **TIGHT | options), contact


@pytest.mark.parametrize("e", REBOUNDS)
@pytest.mark.parametrize(("stiffness", "exponent"), [(1e6, 1.5), (2e5, 1), (3e7, 2.2)])
def test_the_rebound_is_that_of_the_relation_whatever_the_law_of_the_spring(e, stiffness, exponent):
    law = HuntCrossley.from_restitution(stiffness, exponent, e, V)
    assert float(law.damping) * V == pytest.approx(REBOUNDS[e], rel=1e-11)
    result, contact = thrown(law)
    assert result.x[1, -1] / V == pytest.approx(e, abs=1e-9)
    assert len(result.events) == len(result.events.of(contact)) == 2
    assert result.work[contact][-1] == pytest.approx(-(1 - e**2) * V**2 / 2, abs=1e-8)
    assert np.ptp(result.energy - result.work.total) < 1e-8
    assert (result[NormalForce(contact)] >= 0).all()


@pytest.mark.parametrize("e", [1e-6, 0.01, 0.99, 1 - 1e-9])
def test_the_damping_of_a_restitution_gives_it_back(e):
    """By Lambert's function, near its ends with 40 digits."""
    import mpmath

    with mpmath.workdps(80):
        z = mpmath.mpf(float(HuntCrossley.from_restitution(1, 1, e, 1).damping))
        back = (1 + mpmath.lambertw(-(1 + z) * mpmath.exp(-(1 + z)))) / z
    assert abs(back - e) <= 4e-16 * (1 - e)
    if 0.1 < e < 0.9:
        assert (1 + lambertw(-(1 + float(z)) * math.exp(-1 - float(z))).real) / float(z) == pytest.approx(e)


def test_lankarani_and_nikraveshs_formula_rebounds_faster_than_it_says():
    for e, rebound in {0.3: 0.684, 0.5: 0.725, 0.7: 0.796, 0.9: 0.913}.items():
        result, _ = thrown(LankaraniNikravesh(1e6, 1.5, restitution=e, speed=V))
        assert result.x[1, -1] / V == pytest.approx(rebound, abs=5e-4)


def test_a_spring_and_a_damper_release_the_ball_before_they_pull():
    """zeta = 0.2: e = exp(-zeta acos(2 zeta^2 - 1) / sqrt(1 - zeta^2)); pulling until d = 0 would give 0.5266."""
    zeta = 0.2
    root = math.sqrt(1 - zeta**2)
    result, contact = thrown(KelvinVoigt(100, 2 * zeta * 10), 1.0)
    assert result.x[1, -1] == pytest.approx(0.5717400275847768, abs=1e-10)
    touch, release, apart = result.events.t
    assert release - touch == pytest.approx(math.acos(2 * zeta**2 - 1) / (10 * root), abs=1e-10)
    assert apart > release
    assert [event.contacts for event in result.events.of(contact)][1] == ("force of soft > 0",)
    assert (result[NormalForce(contact)] >= 0).all()
    assert np.ptp(result.energy - result.work.total) < 1e-9


def test_a_law_of_ones_own_is_the_same_load_written_by_hand():
    """A Piecewise of the coordinate has the same events and states."""
    model, contact = ball(lambda d, rate: 1e4 * d + 30 * d * rate, gravity=9.81)
    (z,), (u,) = model.q, model.u
    ground, body = RigidBody("ground"), Particle("ball", mass=1)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("z", ground, body, joint_axis=ground.z, coordinates=z, speeds=u))
    d, rate = RADIUS - z, -u
    force = sm.Piecewise((sm.Max(1e4 * d + 30 * d * rate, 0), d > 0), (0, True)) - 9.81
    system.add_loads((body.masscenter, force * ground.z))
    start = [2 * RADIUS, -1.0]
    runs = [one.simulate((0, 1.0), start, {}, **TIGHT) for one in (model, HybridModel(system, []))]
    assert len(runs[0].events) == len(runs[1].events) > 5
    assert runs[0].events.t == pytest.approx(runs[1].events.t, abs=1e-9)
    assert runs[0].x[:, -1] == pytest.approx(runs[1].x[:, -1], abs=1e-8)
    assert -runs[0].work[contact][-1] > 0


def test_stiffer_contacts_approach_newtons_rebound():
    """The difference of the state after the rebound falls with the duration, as k^(-1/(n + 1))."""
    e, n, stiffnesses = 0.6, 1.5, 10.0 ** np.array([7, 8, 9])
    ground, body = RigidBody("ground"), Particle("ball", mass=1)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("z", ground, body, joint_axis=ground.z))
    system.apply_uniform_gravity(-9.81 * ground.z)
    floor = Plane(ground.masscenter, ground.z)
    rigid = HybridModel(system, [Contact(Sphere(body.masscenter, RADIUS), floor, restitution=e, friction=0)])
    truth = rigid.simulate((0, 0.3), [2 * RADIUS, -V], {}, **TIGHT).x[0, -1]
    speed = math.sqrt(V**2 + 2 * 9.81 * RADIUS)
    errors = []
    for stiffness in stiffnesses:
        model, _ = ball(HuntCrossley.from_restitution(stiffness, n, e, speed), gravity=9.81)
        errors.append(abs(model.simulate((0, 0.3), [2 * RADIUS, -V], {}, **TIGHT).x[0, -1] - truth))
    slopes = np.diff(np.log(errors)) / np.diff(np.log(stiffnesses))
    assert slopes == pytest.approx(-1 / (n + 1), abs=0.01)


def test_a_contact_takes_at_most_450_evaluations_at_a_tolerance_of_one_in_1e9():
    """By a linear law; by Hertz's, which is less smooth at touch, it takes half as many more."""
    model, contact = ball(HuntCrossley.from_restitution(1e6, 1, 0.7, 4.0), gravity=9.81)
    result = model.simulate((0, 3.0), [1.0, 0.0], {}, rtol=1e-9)
    contacts = len(result.events.of(contact)) // 2
    assert contacts >= 5
    assert result.counts["flow"] <= 450 * contacts


def rod(law, point, surface_of):
    """A rod that moves in a plane, with a compliant contact of its end."""
    N, O = ReferenceFrame("N"), Point("O")
    x, y, a = dynamicsymbols("x y a")
    ux, uy, ua = dynamicsymbols("ux uy ua")
    A = N.orientnew("A", "Axis", (a, N.z))
    G = O.locatenew("G", x * N.x + y * N.y)
    O.set_vel(N, 0)
    G.set_vel(N, ux * N.x + uy * N.y)
    A.set_ang_vel(N, ua * N.z)
    body = RigidBody("rod", G, A, 2, (sm.Rational(1, 6) * sm.Integer(1) * _dyad(A), G))
    system = System(N, O)
    system.add_bodies(body)
    system.add_coordinates(x, y, a)
    system.add_speeds(ux, uy, ua)
    system.add_kdes(ux - x.diff(), uy - y.diff(), ua - a.diff())
    system.add_loads((G, -2 * 9.81 * N.y))
    end = G.locatenew("end", point * A.x)
    end.v2pt_theory(G, N, A)
    contact = CompliantContact(end, surface_of(O, N), law=law, friction=0, name="end")
    return HybridModel(system, [contact]), contact


def _dyad(A):
    return (A.x | A.x) + (A.y | A.y) + (A.z | A.z)


SURFACES = {
    "plane": lambda O, N: Plane(O, N.y),
    "sphere": lambda O, N: Sphere(O, 0.2),
    "implicit": lambda O, N: Implicit(O, N, lambda x, y, z: y - x**2 / 4),
}


@pytest.mark.parametrize("surface", SURFACES)
def test_without_damping_the_energy_of_a_rod_is_kept(surface):
    model, contact = rod(HuntCrossley(1e5, 1.5, 0), 0.5, SURFACES[surface])
    result = model.simulate((0, 1.5), [-0.2, 1.0, -1.1, 0, 0, 0.2], {}, **TIGHT)
    assert result.status is Status.FINISHED
    assert len(result.events.of(contact)) >= 2
    assert np.ptp(result.energy) < 1e-8 * np.ptp(result.kinetic_energy)


def test_the_force_acts_on_both_bodies():
    """Two balls on a line keep their momentum; the heavier one is hit from behind."""
    ground, one, two = RigidBody("ground"), Particle("one", mass=1), Particle("two", mass=3)
    system = System.from_newtonian(ground)
    for name, body in (("a", one), ("b", two)):
        system.add_joints(PrismaticJoint(name, ground, body, joint_axis=ground.x))
    law = HuntCrossley.from_restitution(1e6, 1.5, 0.4, 2.0)
    pair = CompliantContact(Sphere(one.masscenter, 0.1), Sphere(two.masscenter, 0.1), law=law, friction=0)
    result = HybridModel(system, [pair]).simulate((0, 1), [0, 0.5, 2.0, 0.0], {}, **TIGHT)
    a, b = result.x[2:, -1]
    assert a + 3 * b == pytest.approx(2.0, abs=1e-10)
    assert b - a == pytest.approx(0.4 * 2.0, abs=1e-9)


def test_a_floor_that_moves_does_work():
    w = 7.0
    ground, body = RigidBody("ground"), Particle("ball", mass=1)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("z", ground, body, joint_axis=ground.z))
    system.apply_uniform_gravity(-9.81 * ground.z)
    table = ground.masscenter.locatenew("table", 0.05 * sm.sin(w * dynamicsymbols._t) * ground.z)
    contact = CompliantContact(body.masscenter, Plane(table, ground.z), law=HuntCrossley(1e5, 1.5, 0.1), friction=0)
    result = HybridModel(system, [contact]).simulate((0, 2), [0.3, 0], {}, **TIGHT)
    assert len(result.events) > 4
    assert set(result.work) == {contact.name, "prescribed motion"}
    assert np.abs(result.energy - result.work.total - result.energy[0]).max() < 1e-7


def test_a_floor_moved_by_an_input_is_one_moved_by_its_expression():
    h, t = dynamicsymbols("h"), dynamicsymbols._t
    ends = []
    for height, inputs in ((h, {h: 0.05 * sm.sin(7 * t)}), (0.05 * sm.sin(7 * t), {})):
        ground, body = RigidBody("ground"), Particle("ball", mass=1)
        system = System.from_newtonian(ground)
        system.add_joints(PrismaticJoint("z", ground, body, joint_axis=ground.z))
        system.apply_uniform_gravity(-9.81 * ground.z)
        table = ground.masscenter.locatenew("table", height * ground.z)
        contact = CompliantContact(body.masscenter, Plane(table, ground.z), law=KelvinVoigt(1e4, 30), friction=0)
        ends.append(HybridModel(system, [contact]).simulate((0, 1.5), [0.3, 0], {}, inputs=inputs, **TIGHT).x[:, -1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_a_lagrangian_has_the_same_motion():
    q = dynamicsymbols("q")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", q * N.z)
    P.set_vel(N, q.diff() * N.z)
    body = Particle("ball", P, 1)
    method = LagrangesMethod(q.diff() ** 2 / 2 - sm.Float(9.81) * q, [q], bodies=[body], frame=N)
    law = KelvinVoigt(1e4, 20)
    contact = CompliantContact(Sphere(P, RADIUS), Plane(O, N.z), law=law, friction=0, name="soft")
    lagrange = HybridModel(method, [contact]).simulate((0, 1), [2 * RADIUS, 0], {}, **TIGHT)
    model, _ = ball(law, gravity=9.81)
    kane = model.simulate((0, 1), [2 * RADIUS, 0], {}, **TIGHT)
    assert lagrange.events.t == pytest.approx(kane.events.t, abs=1e-10)
    assert np.ptp(lagrange.energy - lagrange.work.total) < 1e-9


def test_it_rests_where_its_spring_carries_the_weight():
    k, c = sm.symbols("k c")
    model, _ = ball(KelvinVoigt(k, c), gravity=10.0)
    assert model.parameters == (c, k)
    place = model.equilibrium([0.095], {k: 1e3, c: 5.0})
    assert place.x[0] == pytest.approx(RADIUS - 10 / 1e3, abs=1e-12)
    modes = model.linearize(place.x, {k: 1e3, c: 5.0}).eigenvalues()
    assert sorted(modes.imag) == pytest.approx([-math.sqrt(1e3 - 2.5**2), math.sqrt(1e3 - 2.5**2)])
    assert modes.real == pytest.approx([-2.5, -2.5])


def test_rigid_and_compliant_contacts_are_in_one_model():
    """A ball between a soft floor and a hard ceiling; its force is in a condition, an output and a load."""
    ground, body = RigidBody("ground"), Particle("ball", mass=1)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("z", ground, body, joint_axis=ground.z))
    (z,) = system.q
    soft = CompliantContact(
        body.masscenter, Plane(ground.masscenter, ground.z), law=HuntCrossley(1e4, 1, 0), friction=0
    )
    force = NormalForce(soft)
    system.add_loads((body.masscenter, -force / 2 * ground.z))  # half of the force is lost: a spring of k/2
    model = HybridModel(system, [soft, Limit(1 - z, restitution=1, name="ceiling")], outputs={"F": force})
    strong = Crossing(force - 100, +1)
    result = model.simulate((0, 5), [0.5, -1.0], {}, events={"strong": strong}, **TIGHT)
    period = math.pi / math.sqrt(5e3) + 2.0  # half an oscillation, and the way up and down
    assert np.diff(result.events.of("ceiling").t) == pytest.approx(period, abs=1e-8)
    assert result["F"].max() == pytest.approx(1e4 / math.sqrt(5e3), rel=1e-2)
    first = result.events["strong"].t[0]
    assert first == pytest.approx(0.5 + math.asin(0.01 * math.sqrt(5e3)) / math.sqrt(5e3), abs=1e-8)


@pytest.mark.parametrize("law", [HuntCrossley(1e4, 1.5, 0.5), KelvinVoigt(1e3, 20)])
def test_a_ball_that_is_put_down_settles(law):
    """It touches at the start, without speed: the oscillation about the place of rest is damped and never separates."""
    model, contact = ball(law, gravity=9.81)
    result = model.simulate((0, 60), [RADIUS, 0.0], {}, **TIGHT)
    assert result.status is Status.FINISHED
    assert len(result.events.of(contact)) <= 2
    assert result[NormalForce(contact)][-1] == pytest.approx(9.81, rel=1e-2)
    assert result.x[0].max() <= RADIUS


def test_runs_travel_and_go_on(tmp_path):
    model, contact = ball(HuntCrossley(1e5, 1.5, 0.2), gravity=9.81)
    whole = model.simulate((0, 2), [0.5, 0], {}, **TIGHT)
    path = tmp_path / "soft.npz"
    whole.save(path)
    again = sympact.load(path, model=model)
    assert np.array_equal(again[NormalForce(contact)], whole[NormalForce(contact)])
    assert np.array_equal(sympact.load(path).events.t, whole.events.t)
    twin = pickle.loads(pickle.dumps(model))
    assert np.array_equal(twin.simulate((0, 2), [0.5, 0], {}, **TIGHT).x, whole.x)
    middle = 0.5 * (whole.events.t[2] + whole.events.t[3])  # within a contact
    first = model.simulate((0, middle), [0.5, 0], {}, **TIGHT)
    rest = model.simulate((middle, 2), first, {}, **TIGHT)
    assert rest.events.t == pytest.approx(whole.events.t[whole.events.t > middle], abs=1e-9)


def test_members_of_an_ensemble_are_the_runs_alone():
    k = sm.Symbol("k")
    model, _ = ball(HuntCrossley(k, 1.5, 0.2), gravity=9.81)
    values = np.geomspace(1e4, 1e6, 6)
    runs = ensemble(model, (0, 1), [0.5, 0], {k: values})
    for i, value in enumerate(values):
        alone = model.simulate((0, 1), [0.5, 0], {k: value})
        assert np.array_equal(runs.x[i], alone.x[:, -1])


def test_a_pendulum_is_stopped_by_a_buffer_of_its_joint_frame():
    """A contacting point that a pin turns: the generalized force is the moment of F."""
    ground, body = RigidBody("ground"), RigidBody("body", mass=1)
    system = System.from_newtonian(ground)
    pin = PinJoint("pin", ground, body, joint_axis=ground.z, child_point=-0.5 * body.x)
    system.add_joints(pin)
    system.apply_uniform_gravity(-9.81 * ground.y)
    tip = body.masscenter.locatenew("tip", 0.5 * body.x)
    wall = Plane(ground.masscenter.locatenew("foot", -0.8 * ground.y), ground.y)
    contact = CompliantContact(tip, wall, law=KelvinVoigt(2e4, 0), friction=0)
    model = HybridModel(system, [contact])
    numbers = dict.fromkeys(model.parameters, 0.1)
    result = model.simulate((0, 2), [0.0, 0.0], numbers, **TIGHT)
    assert len(result.events.of(contact)) >= 2
    assert np.ptp(result.energy) < 1e-8
    inertia = 0.1 + 0.25
    q = result.x[0]
    moment = result[NormalForce(contact)] * np.cos(q) - 9.81 * 0.5 * np.cos(q)
    assert result[model.u[0].diff()] == pytest.approx(moment / inertia, abs=1e-9)


def test_it_is_drawn_and_in_the_summary(tmp_path):
    model, contact = ball(HuntCrossley(1e5, 1.5, 0.2), gravity=9.81)
    assert "compliant contacts soft" in " ".join(str(model).split())
    assert model.compliant_contacts == (contact,)
    assert model.contacts == ()
    result = model.simulate((0, 1), [0.5, 0], {})
    figure = result.snapshots()
    assert sum(len(axes.patches) + len(axes.collections) for axes in figure.axes) > 1
    page = tmp_path / "soft.html"
    result.report(page)
    assert "gap of soft" in page.read_text(encoding="utf-8")


WRONG = {
    "friction": (
        lambda s: CompliantContact(*s, law=KelvinVoigt(1, 1), friction=0.3),
        "friction of the compliant contact",
    ),
    "law": (lambda s: CompliantContact(*s, law=3, friction=0), "is a ContactLaw"),
    "arguments": (lambda s: CompliantContact(*s, law=lambda d: d, friction=0), "and its rate, law(d, rate)"),
    "text": (lambda s: CompliantContact(*s, law=lambda d, rate: "stiff", friction=0), "a number or a sympy expression"),
    "class": (lambda s: CompliantContact(*s, law=KelvinVoigt, friction=0), "is a ContactLaw"),
    "stiffness": (lambda s: KelvinVoigt(-1, 1), "the stiffness of a KelvinVoigt is -1"),
    "damping": (lambda s: HuntCrossley(1, 1, -2), "the damping of a HuntCrossley is -2"),
    "restitution": (lambda s: HuntCrossley.from_restitution(1, 1, 0, 1), "above 0"),
    "formula": (lambda s: LankaraniNikravesh(1, 1, restitution=2, speed=1), "from 0 to 1"),
    "names": (
        lambda s: HybridModel(
            ball(KelvinVoigt(1, 1))[0].source,
            [CompliantContact(*s, law=KelvinVoigt(1, 1), friction=0, name="a")] * 2,
        ),
        "2 contacts are called 'a'",
    ),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_fault_is_named_in_a_sentence(fault):
    made, sentence = WRONG[fault]
    ground = RigidBody("ground")
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        made((ground.masscenter, Plane(ground.masscenter, ground.z)))
