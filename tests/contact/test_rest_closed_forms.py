"""Contacts that close, hold and open, against formulas: balls, a rod, a bead, a shaken table, cubes."""

from __future__ import annotations

from functools import cache
from math import cos, hypot, sin, sqrt

import numpy as np
import pytest
from oracles.closed_forms import bouncing_ball_accumulation, bouncing_ball_times
from oracles.shaken_ball import ShakenBall
from oracles.sliding import Bead, Rod
from quick_members import members
from rest_runs import changed, gaps_along, names_and_kinds, numbers, of_kind, simulate
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, Plane, Poisson, Status
from sympact.integrate.result import Result
from sympact.models import bead_on_hill, bouncing_ball, dropped_cube, rod_on_wall, shaking_table

HEIGHT, GRAVITY = 1.0, 9.81
AT_REST = 1e4
"""For how long a body that has come to rest is watched (s)."""


@cache
def bounces(e: float) -> Result:
    return simulate(changed(bouncing_ball(e), t_end=bouncing_ball_accumulation(HEIGHT, GRAVITY, e) + AT_REST))


@pytest.mark.parametrize("e", members([0.5, 0.8, 0.99], slow=[0.99]))
def test_every_bounce_of_a_ball_is_in_time(e):
    times = [event.t for event in of_kind(bounces(e), "impact")]
    assert len(times) >= 10
    np.testing.assert_allclose(times, bouncing_ball_times(HEIGHT, GRAVITY, e, len(times)), rtol=0, atol=1e-10)


@pytest.mark.parametrize("e", members([0.5, 0.8, 0.99], slow=[0.99]))
def test_bounces_accumulate_where_the_series_says(e):
    (event,) = of_kind(bounces(e), "accumulation")
    assert event.t_inf_error <= 1e-6
    assert abs(event.t_inf - bouncing_ball_accumulation(HEIGHT, GRAVITY, e)) <= event.t_inf_error
    # closed where a hop is lower than 1e-10 m: what is left of them lasts 2 v/(g (1 - e)) with v = sqrt(2 g 1e-10 m)
    assert 0 <= event.t_inf - event.t <= 1e-5 / (1 - e)
    assert event.contacts == ("ball",)
    assert bounces(e).events[-1].t == event.t, "nothing happens after it"


def test_where_friction_takes_part_of_each_rebound_the_error_of_the_end_covers_it():
    """A bead on a wire strikes a rough plane aslant, with Poisson's law: one speed v, gap rate v c, slip v s.

    The least impulse that stops it is along the wire, with the normal part P = c m v; expansion gives back e P against
    friction at the edge of its cone: hops shrink by r = e c (c - mu s), not by e, and end after
    sqrt(2 h / g) (1 + r) / (1 - r).
    """
    c, s, e, mu = 0.8, 0.6, 0.8, 1.2
    y, v = dynamicsymbols("y v")
    N, O, C = ReferenceFrame("N"), Point("O"), Point("C")
    wire = s * N.x + c * N.z
    C.set_pos(O, y * wire)
    C.set_vel(N, v * wire)
    system = System(N, O)
    system.add_bodies(Particle("bead", C, 1))
    system.add_coordinates(y)
    system.add_speeds(v)
    system.add_kdes(v - y.diff())
    system.add_loads(Force(C, -GRAVITY * wire))
    contact = Contact(C, Plane(O, N.z), restitution=e, friction=mu)
    model = HybridModel(system, [contact], impact=Poisson(), length=1)
    result = model.simulate((0, 1), {y: HEIGHT, v: 0}, {})
    first, second, *_ = (event.x_plus[1] for event in result.events)
    r = e * c * (c - mu * s)
    assert second / first == pytest.approx(r, rel=1e-9)
    (event,) = of_kind(result, "accumulation")
    end = sqrt(2 * HEIGHT / GRAVITY) * (1 + r) / (1 - r)
    assert abs(event.t_inf - end) <= event.t_inf_error <= event.t_inf - event.t


@pytest.mark.parametrize("e", members([0.5, 0.8, 0.99], slow=[0.99]))
def test_a_ball_at_rest_stays_for_ten_thousand_seconds_with_the_same_bits(e):
    result = bounces(e)
    assert result.status is Status.FINISHED
    closed = of_kind(result, "accumulation")[0].t
    at = np.linspace(closed, result.t_span[1], 1001)
    states = result(at)
    assert np.array_equal(states, np.repeat(states[:, :1], len(at), axis=1))
    np.testing.assert_allclose(states[:, 0], [0, 0], rtol=0, atol=1e-12)
    assert result.normal_force[0, -1] == pytest.approx(GRAVITY, rel=1e-12)


def test_an_elastic_ball_bounces_a_thousand_times_and_keeps_its_energy():
    period = 2 * sqrt(2 * HEIGHT / GRAVITY)
    result = simulate(changed(bouncing_ball(1.0), t_end=1000 * period))
    assert {kind for kind, _ in names_and_kinds(result)} == {"impact"}
    assert len(result.events) == 1000
    np.testing.assert_allclose(result.events.t, period * (np.arange(1000) + 0.5), rtol=0, atol=1e-8)
    energy = result.kinetic_energy + GRAVITY * result["z"]
    np.testing.assert_allclose(energy, GRAVITY * HEIGHT, rtol=1e-10)


def test_a_plastic_ball_stays_where_it_falls():
    result = simulate(bouncing_ball(0.0))
    assert {event.t for event in result.events} == {result.events[0].t}
    assert result.events.t[0] == pytest.approx(sqrt(2 * HEIGHT / GRAVITY), abs=1e-12)
    assert not of_kind(result, "accumulation")
    assert result.status is Status.FINISHED
    assert result(5.0).tolist() == result(result.events.t[0]).tolist()
    assert result.events[-1].x_plus[1] == 0


def test_a_ball_that_starts_on_the_floor_is_closed_at_once():
    result = simulate(changed(bouncing_ball(), start={"z": 0.0}))
    assert names_and_kinds(result) == [("close", ("ball",))]
    assert result.events.t.tolist() == [0.0]
    assert np.array_equal(result.x, np.zeros_like(result.x))
    np.testing.assert_allclose(result.normal_force[0, 1:], GRAVITY, rtol=1e-14)


def test_a_ball_that_starts_upward_from_the_floor_flies():
    result = simulate(changed(bouncing_ball(), start={"z": 0.0, "v": 3.0}))
    first = result.events[0]
    assert first.kind == "impact"
    assert first.t == pytest.approx(6 / GRAVITY, abs=1e-12)


def test_a_ball_that_starts_into_the_floor_bounces_at_once():
    result = simulate(changed(bouncing_ball(), start={"z": 0.0, "v": -3.0}))
    first = result.events[0]
    assert (first.kind, first.t) == ("impact", 0.0)
    assert first.x_plus.tolist() == pytest.approx([0.0, 2.4], rel=1e-14)


def rod_truth() -> Rod:
    known, start = numbers(rod_on_wall()), rod_on_wall().start
    angle = next(value for letter, value in start.items() if str(letter).startswith("theta"))
    return Rod(known["l"], known["g"], angle)


@cache
def rod() -> Result:
    return simulate(rod_on_wall())


def opening(result: Result, contact: str) -> int:
    """The index of the one event at which a contact opens."""
    (found,) = [k for k, event in enumerate(result.events) if event.kind == "open" and contact in event.contacts]
    return found


def test_rod_leaves_the_wall_at_the_angle_and_time_of_the_energy_integral():
    truth, leaving = rod_truth(), rod().events[opening(rod(), "A on wall")]
    assert leaving.t == pytest.approx(float(truth.leaving_time), abs=1e-9)
    assert leaving.x_minus[2] == pytest.approx(float(truth.leaving_angle), abs=1e-9)
    assert leaving.x_plus[5] == pytest.approx(-float(truth.falling(truth.leaving_angle)), abs=1e-8)
    assert leaving.x_plus[3] == pytest.approx(float(truth.sliding_speed), abs=1e-8)
    rounding = 4 * np.spacing(np.abs(leaving.x_minus))  # the rate of the floor's contact is removed
    assert (np.abs(leaving.x_plus - leaving.x_minus) <= rounding).all()


def test_rod_presses_on_wall_and_floor_as_newton_says():
    truth, result = rod_truth(), rod()
    model, leaving = rod_on_wall().model, rod().events[opening(rod(), "A on wall")].t
    touching = (result.t > 0) & (result.t < leaving)
    angles = result["theta"][touching]
    wall, floor = (result.normal_force[model.contact(name)][touching] for name in ("A on wall", "B on floor"))
    np.testing.assert_allclose(wall, [float(truth.wall_force(angle)) for angle in angles], rtol=0, atol=1e-8)
    np.testing.assert_allclose(floor, [float(truth.floor_force(angle)) for angle in angles], rtol=0, atol=1e-8)
    sides = result.normal_force[:, result.t == leaving]
    np.testing.assert_allclose(sides[model.contact("A on wall")], 0, atol=1e-8)
    np.testing.assert_allclose(sides[model.contact("B on floor")], GRAVITY / 4, rtol=0, atol=1e-7)


def test_rod_slides_away_at_a_constant_speed_and_falls_on_the_floor():
    truth, result = rod_truth(), rod()
    after = result.t > float(truth.leaving_time) + 1e-9
    np.testing.assert_allclose(result["v_x"][after], float(truth.sliding_speed), rtol=0, atol=1e-9)
    landing = of_kind(result, "impact")[0]
    assert "A on floor" in landing.contacts
    assert landing.t == pytest.approx(float(truth.landing_time), abs=1e-9)
    assert landing.x_minus[5] == pytest.approx(-float(truth.falling_free(0.0)), abs=1e-8)
    assert result.status is Status.FINISHED
    np.testing.assert_allclose(result(3.0)[[1, 2, 4, 5]], 0, atol=1e-9)


@pytest.mark.parametrize("speed", [0.0, 0.5])
def test_bead_leaves_the_hill_and_lands_where_the_energy_integral_says(speed):
    angle = 0.1
    velocity = {"v_x": speed * cos(angle), "v_y": -speed * sin(angle)}
    result = simulate(changed(bead_on_hill(), start={"x": sin(angle), "y": cos(angle), **velocity}))
    truth = Bead(1.0, GRAVITY, angle, speed)
    leaving = result.events[opening(result, "hill")]
    assert leaving.t == pytest.approx(float(truth.leaving_time), abs=1e-9)
    assert np.arctan2(*leaving.x_plus[:2]) == pytest.approx(float(truth.leaving_angle), abs=1e-9)
    assert hypot(*leaving.x_plus[2:]) == pytest.approx(float(truth.leaving_speed), abs=1e-8)
    landing = of_kind(result, "impact")[0]
    assert landing.contacts == ("ground",)
    assert [landing.t, landing.x_minus[0]] == pytest.approx([float(part) for part in truth.landing], abs=1e-9)
    assert result.status is Status.FINISHED
    assert of_kind(result, "accumulation")[0].contacts == ("ground",)
    np.testing.assert_allclose(result(3.0)[[1, 3]], 0, atol=1e-12)


def shaken_truth(ready) -> ShakenBall:
    known = numbers(ready)
    return ShakenBall(known["A"], known["omega"], known["g"], known["e"])


@pytest.mark.parametrize("strength", members([0.5, 0.9, 0.999], slow=[0.9]))
def test_below_g_the_table_never_loses_the_ball(strength):
    """For a hundred periods: it moves as the table does, and presses with g less what the table falls."""
    ready = changed(shaking_table(strength), t_end=20.0)
    result, known = simulate(ready), numbers(ready)
    assert names_and_kinds(result) == [("close", ("ball",))]
    np.testing.assert_allclose(gaps_along(result, ready, np.linspace(0, 20, 2000)), 0, atol=1e-11)
    pull = known["A"] * known["omega"] ** 2 * np.sin(known["omega"] * result.t[1:])
    np.testing.assert_allclose(result.normal_force[0, 1:], GRAVITY - pull, rtol=0, atol=1e-9)


@pytest.mark.parametrize("strength", [1.001, 1.2, 1.5, 2.5])
def test_above_g_the_ball_leaves_where_the_table_falls_with_g(strength):
    ready = shaking_table(strength)
    result, truth = simulate(ready), shaken_truth(ready)
    leaving = of_kind(result, "open")[0]
    assert leaving.t * truth.omega == pytest.approx(float(truth.leaving_phase), abs=1e-9)
    speed = truth.amplitude * truth.omega * sqrt(1 - 1 / strength**2)
    assert leaving.x_plus[1] == pytest.approx(speed, abs=1e-9)


SHAKEN = [(1.2, 0.5), (1.5, 0.5), (3.0, 0.5), (1.5, 0.0), (2.5, 0.0)]


@pytest.mark.parametrize(("strength", "e"), members(SHAKEN, slow=[(1.2, 0.5), (1.5, 0.5), (2.5, 0.0)]))
def test_the_ball_sticks_and_flies_in_the_rhythm_of_the_exact_flights(strength, e):
    """Departures and landings for ten periods and more; where bounces accumulate, the time extrapolated for them."""
    ready = changed(shaking_table(strength, e), t_end=4.0)
    result, kinds = simulate(ready), ("open", "accumulation", "impact" if e == 0 else "accumulation")
    found = [event for event in of_kind(result, *kinds) if e > 0 or event.kind in ("open", "impact")]
    exact = [
        happening
        for happening in shaken_truth(ready).run(40, bounces=False)
        if happening.kind in ("open", "accumulation", "close") and happening.t < 3.99
    ]
    assert len(found) >= len(exact) >= 4
    for event, happening in zip(found, exact, strict=False):
        if happening.kind == "accumulation":
            assert event.kind == "accumulation"
            assert abs(event.t_inf - float(happening.t)) <= max(event.t_inf_error, 1e-9)
        else:
            assert (event.kind == "open") == (happening.kind == "open")
            assert event.t == pytest.approx(float(happening.t), abs=1e-9)


def test_the_first_bounces_of_a_lively_ball_are_the_exact_ones():
    """Chaotic: an error grows by about two from bounce to bounce."""
    ready = changed(shaking_table(4.5, 0.8), t_end=8.0)
    result, exact = simulate(ready), shaken_truth(ready).run(12)
    found = of_kind(result, "open", "impact")
    for k, (event, happening) in enumerate(zip(found, exact, strict=False)):
        assert event.kind == happening.kind
        assert event.t == pytest.approx(float(happening.t), abs=1e-11 * 2.0**k)
    assert len(found) >= 12


@cache
def dropped(orientation: str) -> Result:
    return simulate(dropped_cube(orientation))


def lying(result: Result, ready) -> np.ndarray:
    """Which corners touch the floor at the end."""
    return np.flatnonzero(gaps_along(result, ready, np.array([result.t_span[1]]))[:, 0] < 1e-9)


def test_a_cube_dropped_flat_is_a_ball():
    """Four corners at once, the impulses shared evenly; it turns by nothing, to the end."""
    result = dropped("flat")
    impacts = of_kind(result, "impact")
    times = bouncing_ball_times(1.0, GRAVITY, 0.5, len(impacts))
    np.testing.assert_allclose([event.t for event in impacts], times, rtol=0, atol=1e-10)
    assert all(len(event.contacts) == 4 and np.ptp(event.impulse) <= 1e-12 for event in impacts)
    for name in ("x", "y", "e_1", "e_2", "e_3", "v_x", "v_y", "omega_1", "omega_2", "omega_3"):
        np.testing.assert_allclose(result[name], 0, atol=1e-12)
    (event,) = of_kind(result, "accumulation")
    assert abs(event.t_inf - bouncing_ball_accumulation(1.0, GRAVITY, 0.5)) <= event.t_inf_error <= 1e-4
    assert result(5.0)[2] == pytest.approx(0.5, abs=1e-12)
    np.testing.assert_allclose(
        result.normal_force[result.normal_force[:, -1] > 0, -1], np.full(4, GRAVITY / 4), rtol=1e-10
    )


def test_a_cube_dropped_on_an_edge_stays_a_planar_motion():
    """Nothing moves across the edge, to the end, where it lies on a face."""
    result = dropped("edge")
    for name in ("x", "e_2", "e_3", "v_x", "omega_2", "omega_3"):
        np.testing.assert_allclose(result[name], 0, atol=1e-12)
    assert result.status is Status.FINISHED
    assert len(lying(result, dropped_cube("edge"))) == 4
    assert result(5.0)[2] == pytest.approx(0.5, abs=1e-9)


def check_settled(result: Result, ready) -> None:
    assert result.status is Status.FINISHED
    assert len(lying(result, ready)) == 4
    model, p = ready.model, ready.model.compile().parameters(ready.parameters)
    end = result(result.t_span[1])
    rates = np.asarray(model.quantities(model.gap_rates)(result.t_span[1], end, model.compile().all_parameters(p)))
    np.testing.assert_allclose(rates[lying(result, ready)], 0, atol=1e-9)


EDGES = [[1.0, 1.0, 1.0], [1.0, 2.0, 8.0], [8.0, 1.0, 2.0]]


@pytest.mark.filterwarnings("ignore::sympact.mechanics.run.equation_audit.ImpactWarning")
@pytest.mark.parametrize("edges", members(EDGES, slow=EDGES[1:2]))
def test_a_tilted_box_comes_to_rest_on_a_face(edges):
    ready = changed(dropped_cube("tilted", edges), t_end=20.0)
    result = simulate(ready)
    check_settled(result, ready)
    energy = result.kinetic_energy + GRAVITY * result["z"]
    assert np.diff(energy).max() <= 1e-9, "no energy is made, in flight, at impacts, by closing"


@pytest.mark.filterwarnings("ignore::sympact.mechanics.run.equation_audit.ImpactWarning")
def test_a_lively_cube_dropped_nearly_flat_comes_to_rest():
    tilt = 1e-2
    attitude = {"e_0": cos(tilt / 2), "e_1": sin(tilt / 2) * 0.6, "e_2": sin(tilt / 2) * 0.8}
    ready = changed(dropped_cube("flat"), t_end=20.0, start=attitude | {"z": 1.6}, e=0.8)
    check_settled(simulate(ready), ready)


def test_a_cube_at_rest_lies_with_the_same_bits():
    result = simulate(changed(dropped_cube("flat"), t_end=AT_REST))
    closed = of_kind(result, "accumulation")[0].t
    states = result(np.linspace(closed, AT_REST, 101))
    assert np.array_equal(states, np.repeat(states[:, :1], 101, axis=1))


def test_a_low_rebound_whose_end_would_stop_a_fast_motion_goes_on():
    """A rod falls with the table that it touches at two near points P, Q; its far point R hits the floor slowly.

    P presses on the table and keeps its rate zero, Q separates at some 4e-5 m/s, slower than rebounds that end. But Q
    is so near to P that the rod turns fast: were Q closed, it would stop turning without an impulse.
    """
    y, theta, s, v, omega, r = dynamicsymbols("y theta s v omega r")
    N, O, B, C, T = ReferenceFrame("N"), Point("O"), ReferenceFrame("B"), Point("C"), Point("T")
    O.set_vel(N, 0)
    B.orient_axis(N, theta, N.z)
    C.set_pos(O, y * N.y)
    T.set_pos(O, s * N.y)
    system = System(N, O)
    system.add_bodies(RigidBody("rod", C, B, 1, (inertia(B, 0, 1 / 12, 1 / 12), C)), Particle("table", T, 1))
    system.add_coordinates(y, theta, s)
    system.add_speeds(v, omega, r)
    system.add_kdes(v - y.diff(), omega - theta.diff(), r - s.diff())
    system.apply_uniform_gravity(-GRAVITY * N.y)
    places = {"P": -1 / 12 - 0.0003, "Q": -1 / 12 + 0.0007, "R": 1.0}
    surfaces = {"P": Plane(T, N.y), "Q": Plane(T, N.y), "R": Plane(O.locatenew("F", -5.2e-5 * N.y), N.y)}
    contacts = [
        Contact(C.locatenew(name, place * B.x), surfaces[name], restitution=0.5, friction=0)
        for name, place in places.items()
    ]
    result = HybridModel(system, contacts).simulate((0, 4e-3), np.zeros(6), {})

    (event,) = result.events
    before = event.x_minus[3:]
    rows = np.array([[1, places["P"], -1], [1, places["R"], 0]])
    by_mass = rows @ np.diag([1, 12, 1])
    impulses = np.linalg.solve(by_mass @ rows.T, -np.array([1.0, 1.5]) * (rows @ before))
    np.testing.assert_allclose(event.x_plus[3:], before + by_mass.T @ impulses, rtol=0, atol=1e-14)
    assert event.target == "P on T"
    np.testing.assert_allclose(result.x[4, -1], event.x_plus[4], rtol=0, atol=1e-12)
