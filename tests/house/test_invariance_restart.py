"""Continued from any of its own events, a run meets the same next events."""

from __future__ import annotations

import numpy as np
import pytest
from invariance import (
    EXAMPLES,
    MODELS,
    READY,
    THIRDS,
    case_of,
    chosen,
    example_cases,
    following,
    last_of_instants,
    restart,
)
from quick_members import members
from sympy import cos, sin, symbols
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Plane, Sphere, models

FEW = 4
"""Events of each model in a quick run; the slow test takes all."""


def test_all_ready_made_models_but_processes_are_asked():
    assert sorted({*READY} - {*MODELS}) == ["ball_ceiling_spring"]
    assert len(MODELS) >= 26


def check_restarts(name: str, count: int | None) -> None:
    case = case_of(name)
    assert len(case.result.events)
    for k in chosen(last_of_instants(case.result), count):
        difference = restart(case, k)
        assert difference is None or difference.worst <= 1.0, (name, k, difference)


@pytest.mark.parametrize("name", members(MODELS, slow={*MODELS} - {*THIRDS[0]}))
def test_the_next_events_are_those_of_the_whole_run(name):
    check_restarts(name, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_the_next_events_are_those_of_the_whole_run_from_each_event(name):
    check_restarts(name, None)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_runs_of_examples_go_on_from_their_events(name, tmp_path):
    for case in example_cases(name, tmp_path)[:8]:
        for k in chosen(last_of_instants(case.result), 10):
            difference = restart(case, k)
            assert difference is None or difference.worst <= 1.0, (name, k, difference)


def particle(coordinates, forces, walls, *, frame=None, radius=None, restitution=0.7, mass=1.0):
    """A particle, or a ball given by its centre, among planes; speeds are the rates of the coordinates."""
    N, O = frame or ReferenceFrame("N"), Point("O")
    axes = (N.x, N.y, N.z)[: len(coordinates)]
    speeds = dynamicsymbols(" ".join(f"v{i}" for i in range(len(coordinates))) + ",")
    P = O.locatenew("P", sum((q * axis for q, axis in zip(coordinates, axes, strict=True)), 0 * N.x))
    P.set_vel(N, sum((u * axis for u, axis in zip(speeds, axes, strict=True)), 0 * N.x))
    system = System(N, O)
    system.add_bodies(Particle("b", P, mass))
    system.add_coordinates(*coordinates)
    system.add_speeds(*speeds)
    system.add_kdes(*(q.diff() - u for q, u in zip(coordinates, speeds, strict=True)))
    system.add_loads(Force(P, forces(N, O)))
    touching = P if radius is None else Sphere(P, radius)
    contacts = [
        Contact(touching, wall, restitution=restitution, friction=0, name=f"wall {i}")
        for i, wall in enumerate(walls(N, O))
    ]
    return HybridModel(system, contacts), (*coordinates, *speeds)


def all_restarts_hold(model, x, start, parameters, t_end):
    """Every continuation meets the events that are left, at the same times."""
    whole = model.simulate((0, t_end), dict(zip(x, start, strict=True)), parameters)
    assert len(whole.events) > 5
    for k, event in enumerate(whole.events):
        again = model.simulate((event.t, t_end), event.x_plus, parameters)
        np.testing.assert_allclose(again.events.t[:5], whole.events.t[k + 1 : k + 6], rtol=1e-8)
        assert again.events.kinds()[:5] == whole.events.kinds()[k + 1 : k + 6]
        assert len(again.events) == len(whole.events) - k - 1
    return whole


@pytest.mark.parametrize("restitution", [0.7, 0.95])
def test_a_mass_on_a_spring_meets_the_wall_after_each_of_its_events(restitution):
    """At every impact the spring has its rest length: the acceleration there is rounding, and tells no length.

    The motion is known: half periods pi/2 apart, for between two impacts lies half a swing.
    """
    q, k = dynamicsymbols("x"), symbols("k")
    model, x = particle((q,), lambda N, O: -k * q * N.x, lambda N, O: [Plane(O, N.x)], restitution=restitution)
    whole = all_restarts_hold(model, x, [1.0, 0.0], {k: 4}, 20.0)
    np.testing.assert_allclose(np.diff(whole.events.t), np.pi / 2, rtol=1e-9)
    assert 0.3 < whole.settings["length"] <= 1.0


@pytest.mark.parametrize("radius", [None, 0.1])
@pytest.mark.parametrize("turn", [0.0, np.pi / 2, np.pi, 1.0])
def test_a_ball_in_a_turned_box_keeps_bouncing(turn, radius):
    """Gravity is turned by a parameter, so that its part along a wall is rounding at a right angle."""
    coordinates = dynamicsymbols("x y")
    w, g, alpha = symbols("w g alpha")

    def walls(N, O):
        far = O.locatenew("far", w * N.x + w * N.y)
        return [Plane(O, N.x), Plane(O, N.y), Plane(far, -N.x), Plane(far, -N.y)]

    model, x = particle(
        coordinates, lambda N, O: g * (sin(alpha) * N.x - cos(alpha) * N.y), walls, radius=radius, restitution=0.9
    )
    start, numbers = [0.4, 0.5, 1.3, 0.4], {w: 1.0, g: 9.81, alpha: turn}
    run = all_restarts_hold(model, x, start, numbers, 3.0)
    assert run.settings["length"] == pytest.approx(radius or np.sqrt(2.0))
    assert run.events.kinds()[0] == "impact"


def test_a_box_turned_by_a_right_angle_has_the_same_events():
    """A quarter turn of gravity and the start changes the names of the walls alone."""
    coordinates, (g, alpha) = dynamicsymbols("x y"), symbols("g alpha")

    def walls(N, O):
        far = O.locatenew("far", N.x + N.y)
        return [Plane(O, N.x), Plane(O, N.y), Plane(far, -N.x), Plane(far, -N.y)]

    model, x = particle(coordinates, lambda N, O: g * (-cos(alpha) * N.y - sin(alpha) * N.x), walls)
    upright, turned = (  # (x, y) becomes (y, 1 - x)
        model.simulate((0, 1.5), dict(zip(x, start, strict=True)), {g: 9.81, alpha: turn})
        for turn, start in ((0.0, [0.4, 0.5, 1.3, 0.4]), (np.pi / 2, [0.5, 0.6, 0.4, -1.3]))
    )
    np.testing.assert_allclose(upright.events.t[:12], turned.events.t[:12], rtol=1e-9)


def test_the_woodpecker_goes_on_from_an_edge_that_opens():
    bird = models.woodpecker()
    whole = bird.simulate()
    opens = [k for k, event in enumerate(whole.events) if event.kind == "open" and event.t < 0.5]
    for k in opens:
        event = whole.events[k]
        again = bird.model.simulate((event.t, event.t + 0.1), event.x_plus, bird.parameters)
        assert again.settings["length"] == whole.settings["length"] == 0.0201
        met, expected = following(again, event.t, 1)[0], following(whole, event.t, 1)[0]
        assert (met.kind, met.contacts) == (expected.kind, expected.contacts)
        assert met.t == pytest.approx(expected.t, abs=1e-7)


def test_a_ball_on_a_shaking_table_starts_from_each_of_its_states():
    table = models.shaking_table()
    whole = table.simulate()
    assert len(whole.events) > 100
    for event in whole.events:
        for state in (event.x_minus, event.x_plus):
            table.model.simulate((event.t, event.t + 1e-4), state, table.parameters)


@pytest.mark.parametrize(("depth", "starts"), [(1e-12, True), (1e-8, False), (1e-3, False)])
@pytest.mark.parametrize("place", [0.0, 1e3, -1e6])
def test_a_start_may_lie_below_a_surface_by_rounding_alone(depth, starts, place):
    """By the rounding of the height itself too, which a million metres away is 1e-10 m."""
    q, g, h = dynamicsymbols("z"), *symbols("g h")
    model, x = particle(
        (q,), lambda N, O: -g * N.x, lambda N, O: [Plane(O.locatenew("floor", h * N.x), N.x)], radius=0.1
    )
    start = {x[0]: place + 0.1 - depth - 2 * np.spacing(abs(place)), x[1]: 0.0}
    if starts:
        result = model.simulate((0, 1), start, {g: 9.81, h: place})
        assert abs(result.x[0, -1] - place - 0.1) < 1e-11 + 10 * np.spacing(abs(place))
    else:
        with pytest.raises(ValueError, match="below its surface"):
            model.simulate((0, 1), start, {g: 9.81, h: place})


def test_a_length_is_no_quotient_of_roundings():
    """A free particle at a wall, with loads that cancel but for rounding: L stays what was met."""
    q, a, b = dynamicsymbols("x"), *symbols("a b")
    model, x = particle(
        (q,), lambda N, O: (a / 3 - b) * N.x, lambda N, O: [Plane(O, N.x), Plane(O.locatenew("far", b * N.x), -N.x)]
    )
    for start, speed in ((0.0, 1.0), (0.1, 1.0), (0.1, -1e-3)):
        run = model.simulate((0, 5), {x[0]: start, x[1]: speed}, {a: 0.9, b: 0.3})
        assert run.settings["length"] == pytest.approx(0.3)


def test_the_motion_of_a_particle_tells_its_length():
    """Hops of a ball: L is the height of the first one, from the start on or from the first impact on."""
    q, g = dynamicsymbols("z"), symbols("g")
    model, x = particle((q,), lambda N, O: -g * N.x, lambda N, O: [Plane(O, N.x)], restitution=0.5)
    for height, speed, top in ((1.0, 0.0, 1.0), (0.0, 3.0, 9.0 / 19.62), (2.0, -1.0, 2.0)):
        run = model.simulate((0, 3), {x[0]: height, x[1]: speed}, {g: 9.81})
        assert run.settings["length"] == pytest.approx(top, rel=0.5)
        assert run.settings["rebound_height"] == pytest.approx(1e-10 * run.settings["length"])
        assert f"length {run.settings['length']:.4g} m" in repr(run)
