"""Coefficients of friction that depend on place, time, inputs and the slip, against closed forms."""

from __future__ import annotations

import math
from functools import cache, partial

import numpy as np
import pytest
import sympy as sm
from free_particle import free_particle, v_x, x, y
from quick_members import members
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols
from trajectory import checked_run

from sympact import Contact, Holonomic, HybridModel, Plane, Result, Status, Transition, ensemble, load, slip_speed

GRAVITY, MU, B, V = 9.81, 0.3, 0.5, 2.0
t = dynamicsymbols._t
alpha, pull = sm.symbols("alpha pull")
TIGHT = {"rtol": 1e-12, "atol": 1e-14}


@cache
def particle(mu, static=None, force=sm.S.Zero, belt=sm.S.Zero, e=0) -> HybridModel:
    """A particle of 1 kg on a plane that slopes by alpha and moves with `belt` along x, with a force along x."""
    weight = GRAVITY * sm.sin(alpha), 0, GRAVITY * sm.cos(alpha)
    system, body, N, O = free_particle((force - weight[0], pull, -weight[2]))
    plane = Plane(O.locatenew("Q", belt * t * N.x), N.z)
    return HybridModel(
        system, [Contact(body.masscenter, plane, restitution=e, friction=mu, static_friction=static, name="P")]
    )


def slide(mu, span=3.0, start=(0, 0, 0, V, 0, 0), numbers=(0.0, 0.0), static=None, force=0, belt=0, e=0, **options):
    """A run, looked at by the oracle of trajectories; it does not know on which side of a condition a sample is."""
    model = particle(sm.sympify(mu), static, sm.sympify(force), sm.sympify(belt), e)
    numbers = dict(zip((alpha, pull), numbers, strict=True))
    run = model.simulate if sm.sympify(mu).has(sm.Piecewise) else partial(checked_run, model)
    return run((0, span), start, numbers, **{**TIGHT, **options})


def kinds(result: Result) -> list[str]:
    return [str(event.kind) for event in result.events]


def root(function, low, high) -> float:
    return float(sm.nsolve(function, (low, high), solver="bisect", prec=30))


s = sm.Symbol("s")
STOPS = {
    # v' = -g mu (1 + b x): a vibration about x = -1/b
    "place": (MU * (1 + B * x), math.atan(V * math.sqrt(B / (MU * GRAVITY))) / math.sqrt(MU * GRAVITY * B)),
    # v = V - g mu (t + b (1 - cos t))
    "time": (MU * (1 + B * sm.sin(t)), root(V - MU * GRAVITY * (s + B * (1 - sm.cos(s))), 0.1, 2)),
    # the integral of dv/(1 + b exp(-v/w)) is w ln(exp(v/w) + b)
    "Stribeck": (
        MU * (1 + B * sm.exp(-slip_speed / 0.2)),
        0.2 / (MU * GRAVITY) * math.log((math.exp(V / 0.2) + B) / (1 + B)),
    ),
    "viscous share": (MU + B * slip_speed, math.log1p(B * V / MU) / (B * GRAVITY)),
    # the integral of dv/(1 + b sqrt(v)) is 2/b (w - ln(1 + b w)/b) with w = sqrt(v)
    "a root of the slip": (
        MU * (1 + B * sm.sqrt(slip_speed)),
        2 / (MU * GRAVITY * B) * (math.sqrt(V) - math.log1p(B * math.sqrt(V)) / B),
    ),
    "ice": (
        sm.Piecewise((MU, x < 0.2), (MU / 6, x < 0.4), (MU, True)),
        (V - (v1 := math.sqrt(V**2 - 0.4 * MU * GRAVITY))) / (MU * GRAVITY)
        + (v1 - (v2 := math.sqrt(v1**2 - 0.4 * MU / 6 * GRAVITY))) / (MU / 6 * GRAVITY)
        + v2 / (MU * GRAVITY),
    ),
    "less above a speed": (
        sm.Piecewise((MU / 2, slip_speed > 1), (MU, True)),
        (V - 1) / (MU / 2 * GRAVITY) + 1 / (MU * GRAVITY),
    ),
}


TURNED = [(name, turn) for name in STOPS for turn in (0.0, 0.7, 2.5) if turn == 0 or not STOPS[name][0].has(x)]


@pytest.mark.parametrize(("name", "turned"), members(TURNED, slow=[pair for pair in TURNED if pair[1] == 2.5]))
def test_a_particle_slides_to_rest(name, turned):
    mu, stops = STOPS[name]
    result = slide(mu, start=(0, 0, 0, V * math.cos(turned), V * math.sin(turned), 0))
    assert result.events[-1].t == pytest.approx(stops, rel=1e-11)
    assert [kind for kind in kinds(result) if kind != "switch"] == ["close", "stick"]


@pytest.mark.parametrize("method", ["RK45", "Radau", "BDF"])
def test_methods_find_the_end_of_a_slip_that_weakens(method):
    mu, stops = STOPS["Stribeck"]
    result = slide(mu, method=method, rtol=1e-9, atol=1e-11)
    assert kinds(result) == ["close", "stick"]
    assert result.events[-1].t == pytest.approx(stops, rel=2e-7 if method == "BDF" else 2e-9)


def test_time_stepping_goes_to_the_same_place_with_its_order():
    mu, _ = STOPS["Stribeck"]
    far = slide(mu)(3.0)[0]
    model, numbers = particle(sm.sympify(mu)), {alpha: 0.0, pull: 0.0}
    missed = [
        abs(model.simulate((0, 1), (0, 0, 0, V, 0, 0), numbers, method="moreau", max_step=h)(1.0)[0] - far)
        for h in (1e-2, 1e-3)
    ]
    assert missed[0] < 1e-3
    assert missed[1] < 0.15 * missed[0]


def test_a_turning_slip_does_not_depend_on_the_axes():
    mu = MU * (1 + B * sm.exp(-slip_speed / 0.2))
    along = slide(mu, start=(0, 0, 0, V, 0, 0), numbers=(0.0, -1.5))
    across = slide(mu, start=(0, 0, 0, 0, V, 0), numbers=(0.0, 0.0), force=1.5)
    assert across.events[-1].t == pytest.approx(along.events[-1].t, rel=1e-10)
    np.testing.assert_allclose(across(3.0)[:2], [-along(3.0)[1], along(3.0)[0]], rtol=1e-10)


def test_a_body_at_rest_wakes_when_friction_has_become_too_small():
    result = slide(0.6 * (1 - t / 4), start=(0,) * 6, numbers=(0.3, 0.0))
    assert kinds(result) == ["close", "slip"]
    assert result.events[-1].t == pytest.approx(4 * (1 - math.tan(0.3) / 0.6), rel=1e-13)


def test_a_body_at_rest_wakes_when_friction_drops():
    result = slide(sm.Piecewise((0.6, t < 1), (0.1, True)), 2.0, start=(0,) * 6, numbers=(0.3, 0.0))
    assert kinds(result) == ["close", "slip"]
    assert result.events[-1].t == 1.0
    assert result(2.0)[0] == pytest.approx(-0.5 * GRAVITY * (math.sin(0.3) - 0.1 * math.cos(0.3)), rel=1e-12)


@pytest.mark.parametrize(
    "mu", [MU, MU + 0.1 * sm.exp(-slip_speed / 0.5), MU + 0.1 * slip_speed], ids=["constant", "weaker", "stronger"]
)
def test_the_onset_of_slip_at_no_acceleration_is_one_event(mu):
    begins = GRAVITY * float(sm.sympify(mu).subs(slip_speed, 0))
    before, after = (
        slide(mu, end, start=(0,) * 6, force=t, rtol=1e-9, atol=1e-11) for end in (begins - 0.01, begins + 0.01)
    )
    assert kinds(before) == ["close"]
    assert kinds(after) == ["close", "slip"]
    assert after.events[-1].t == pytest.approx(begins, rel=1e-13)
    assert after.evaluations - before.evaluations <= 30


def test_stribeck_on_a_belt_has_its_limit_cycle():
    """m = k = 1, N = 10, a belt of 0.1 m/s, mu = 0.3 + 0.1 exp(-s/0.5): one slip and the period, by two integrations of
    the slip in 25 digits that agree to 1e-11."""
    mu = (MU + 0.1 * sm.exp(-slip_speed / 0.5)) * 10 / GRAVITY
    result = slide(mu, 110.0, start=(0, 0, 0, 0.1, 0, 0), force=-x, belt=sm.Rational(1, 10))
    begun, ended = ([event for event in result.events if event.kind == kind] for kind in ("slip", "stick"))
    assert len(begun) == 4
    assert len(result.events) == len(begun) + len(ended) + 1
    for first, last in zip(begun, ended, strict=False):
        assert last.t - first.t == pytest.approx(4.49174728640966189, rel=1e-11)
        assert last.x_plus[0] == pytest.approx(2.44603860243684899, rel=1e-11)
    np.testing.assert_allclose(np.diff([event.t for event in begun]), 20.031361262041172, rtol=1e-11)
    assert result.evaluations < 6000


def test_reversals_of_all_methods_agree():
    mu = MU + 0.1 * sm.exp(-slip_speed / 0.1) + 0.02 * slip_speed
    one, other = (
        slide(mu, 5.0, start=(0,) * 6, force=8 * sm.sin(5 * t), rtol=1e-10, atol=1e-12, method=method)
        for method in ("DOP853", "Radau")
    )
    assert len(one.events) > 8
    assert kinds(one) == kinds(other)
    np.testing.assert_allclose([e.t for e in one.events], [e.t for e in other.events], atol=1e-9)


def test_an_impact_takes_mu_of_the_slip_before_it():
    result = slide(MU * (1 + sm.exp(-slip_speed)), 0.02, start=(0, 0, 0.005, V, 0, -1.0), e=0.5)
    event = result.events[0]
    assert event.friction_impulse[0, 0] == pytest.approx(-MU * (1 + math.exp(-V)) * event.impulse[0], rel=1e-15)


def test_mu_may_be_an_input():
    friction = dynamicsymbols("F")
    model = particle(friction)
    numbers, inputs = {alpha: 0.0, pull: 0.0}, {friction: lambda at: MU * (1 + B * math.sin(at))}
    fed = model.simulate((0, 3), (0, 0, 0, V, 0, 0), numbers, inputs=inputs, **TIGHT)
    assert fed.events[-1].t == pytest.approx(STOPS["time"][1], rel=1e-11)


def test_mu_may_contain_a_discrete_state_that_a_transition_changes():
    """mu until x = 0.2, then mu (1 + exp(-v)): the integral of dv/(1 + exp(-v)) is ln(exp(v) + 1)."""
    rough = dynamicsymbols("rough")
    system, body, N, O = free_particle((0, 0, -GRAVITY))
    contact = Contact(body.masscenter, Plane(O, N.z), restitution=0, friction=MU * (1 + rough * sm.exp(-slip_speed)))
    change = Transition(boundary=x - 0.2, jump={rough: 1})
    model = HybridModel(system, [contact], transitions=[change], discrete=[rough])
    start = dict.fromkeys(model.x, 0.0) | {v_x: V}
    result = model.simulate((0, 3), start, {}, **TIGHT)
    speed = math.sqrt(V**2 - 2 * MU * GRAVITY * 0.2)
    stops = (V - speed + math.log((math.exp(speed) + 1) / 2)) / (MU * GRAVITY)
    assert kinds(result) == ["close", "transition", "stick"]
    assert result.events[-1].t == pytest.approx(stops, rel=1e-11)


def test_a_bead_on_a_circle_stops_where_a_straight_slide_does():
    mu, stops = STOPS["Stribeck"]
    system, body, N, O = free_particle((0, 0, -GRAVITY))
    contact = Contact(body.masscenter, Plane(O, N.z), restitution=0, friction=mu)
    model = HybridModel(system, [contact], constraints=[Holonomic(x**2 + y**2 - 1)])
    result = model.simulate((0, 3), [1, 0, 0, 0, V, 0], {}, **TIGHT)
    assert kinds(result) == ["close", "stick"]
    assert result.events[-1].t == pytest.approx(stops, rel=1e-11)


def test_members_of_an_ensemble_files_and_runs_that_go_on_are_the_run(tmp_path):
    mu = sm.sympify(STOPS["Stribeck"][0])
    model, numbers = particle(mu, e=sm.Rational(1, 2)), {alpha: 0.0, pull: 0.0}
    starts = [[0, 0, 0.1 * k, v, 0.3 * v, 0] for v in (1.0, 3.0) for k in range(3)]
    many = ensemble(
        model, (0, 2), dict(zip(model.x, np.transpose(starts), strict=True)), numbers, keep="run", rtol=1e-9, atol=1e-12
    )
    for k, start in enumerate(starts):
        alone = model.simulate((0, 2), start, numbers, rtol=1e-9, atol=1e-12)
        assert np.array_equal(alone.x, many[k].x)
        assert alone.events.t.tolist() == many[k].events.t.tolist()
    alone.save(tmp_path / "run.npz")
    assert np.array_equal(load(tmp_path / "run.npz")(0.37), alone(0.37))
    first = model.simulate((0, 0.8), start, numbers, rtol=1e-9, atol=1e-12)
    rest = model.simulate((0.8, 2), first, numbers, rtol=1e-9, atol=1e-12)
    assert kinds(first) + kinds(rest) == kinds(alone)
    np.testing.assert_allclose(rest(2.0), alone(2.0), atol=1e-8)


def test_bodies_whose_friction_depends_on_each_other_are_one_island():
    def model(own: bool) -> HybridModel:
        q, u = dynamicsymbols("x_0 x_1 z_0 z_1"), dynamicsymbols("u_0 u_1 w_0 w_1")
        N, O = ReferenceFrame("N"), Point("O")
        bodies = [Particle(f"b{k}", O.locatenew(f"P{k}", q[k] * N.x + q[2 + k] * N.z), 1) for k in range(2)]
        system = System(N, O)
        system.add_bodies(*bodies)
        system.add_coordinates(*q)
        system.add_speeds(*u)
        system.add_kdes(*(one - other.diff() for one, other in zip(u, q, strict=True)))
        system.add_loads(*(Force(body.masscenter, -GRAVITY * N.z) for body in bodies))
        mu = [MU, MU * (1 + B * q[1 if own else 0])]
        floor = Plane(O, N.z)
        contacts = [
            Contact(body.masscenter, floor, restitution=0, friction=friction, name=body.name)
            for body, friction in zip(bodies, mu, strict=True)
        ]
        return HybridModel(system, contacts)

    apart, together = model(True), model(False)
    assert apart.islands is not None
    assert together.islands is None
    start = (0, 0, 0, 0, 1.0, V, 0, 0)
    result = apart.simulate((0, 3), start, {}, **TIGHT)
    assert result.events[-1].t == pytest.approx(STOPS["place"][1], rel=1e-11)
    # b0 stops at t = v/(mu g), x = v^2/(2 mu g), until when b1 has mu of its place
    ends = 1 / (MU * GRAVITY)
    slowed = V - MU * GRAVITY * (ends + B * (ends**2 / 2 - MU * GRAVITY * ends**3 / 6))
    later = ends + slowed / (MU * (1 + B * ends / 2) * GRAVITY)
    result = together.simulate((0, 3), start, {}, **TIGHT)
    assert result.events[-1].t == pytest.approx(later, rel=1e-11)


def test_a_steady_slip_that_weakens_is_linearized_with_the_slope_of_mu():
    k, w, belt = 4.0, 0.2, 0.5
    model = particle(MU * (1 + B * sm.exp(-slip_speed / w)), None, -k * x, sm.Rational(1, 2))
    mu = MU * (1 + B * math.exp(-belt / w))
    found = model.linearize([mu * GRAVITY / k, 0, 0, 0, 0, 0], {alpha: 0.0, pull: 0.0}).A
    slope = MU * B / w * math.exp(-belt / w) * GRAVITY  # slip is v - belt < 0, so that mu grows with v
    expected = [[0, 0, 1, 0], [0, 0, 0, 1], [-k, 0, slope, 0], [0, 0, 0, -mu * GRAVITY / belt]]
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_coefficient_that_becomes_negative_ends_the_run_with_its_contact():
    model, numbers = particle(MU - t), {alpha: 0.0, pull: 0.0}
    result = model.simulate((0, 2), (0, 0, 0, 9, 0, 0), numbers)
    assert result.status is Status.NEGATIVE_FRICTION
    assert result.t[-1] < MU
    assert "of 'P'" in result.message
    assert "Max(0, mu - C*slip_speed)" in result.message
    lands = model.simulate((0, 2), (0, 0, 1, 9, 0, 0), numbers)
    assert lands.status is Status.NEGATIVE_FRICTION
    assert len(lands.events) == 0
    stepped = model.simulate((0, 2), (0, 0, 0, 9, 0, 0), numbers, method="moreau", max_step=0.01)
    assert stepped.status is Status.NEGATIVE_FRICTION
    assert stepped.t[-1] == pytest.approx(MU, abs=0.01)


WRONG = {
    "static below": (0.3 + 0.1 * sm.exp(-slip_speed), 0.35, "less than its friction 0.4 where its slip is 0"),
    "static with slip": (0.3, 0.5 + slip_speed, "expected an expression without slip_speed"),
    "no value at rest": (0.3 + 0.1 * sm.log(slip_speed), None, "no finite value at the slip 0"),
}


@pytest.mark.parametrize(("mu", "static", "words"), WRONG.values(), ids=WRONG)
def test_bad_coefficients_are_refused(mu, static, words):
    with pytest.raises(ValueError, match=words):
        particle(mu, static)


def test_a_start_with_a_negative_coefficient_is_refused():
    with pytest.raises(ValueError, match=r"the friction of the contact 'P' is -1.7, expected a number >= 0"):
        particle(MU - slip_speed).simulate((0, 1), (0, 0, 0, V, 0, 0), {alpha: 0, pull: 0})


def test_a_static_coefficient_is_no_less_than_the_kinetic_one_without_slip():
    """mu = 0.5 - t/4 is above the static 0.2 until t = 1.2: the slope of tan(alpha) = 0.31 lets go by mu."""
    model = particle(0.5 - t / 4, sm.Rational(1, 5))
    result = model.simulate((0, 2), (0,) * 6, {alpha: 0.3, pull: 0}, **TIGHT)
    assert kinds(result) == ["close", "slip"]
    assert result.events[-1].t == pytest.approx(4 * (0.5 - math.tan(0.3)), rel=1e-12)
