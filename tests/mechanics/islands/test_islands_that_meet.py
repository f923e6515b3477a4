"""Bodies that contacts may connect: divided into islands, which meet and part, they move as with one step for all."""

from __future__ import annotations

import signal

import numpy as np
import pytest
import sympy as sm
import sympy.physics.mechanics as me
from island_models import balls_in_a_box, balls_in_a_row
from quick_members import members

from sympact import Contact, HybridModel, Plane, Sphere, Status, load
from sympact.mechanics.islands import asynchronous
from sympact.mechanics.islands.asynchronous import Asynchronous
from sympact.mechanics.islands.islands import Islands, islands_of

TOLERANCES = {"rtol": 1e-10, "atol": 1e-12}


@pytest.fixture
def divided_at_once(monkeypatch):
    """Models of a few bodies are divided, from the first step on."""
    monkeypatch.setattr(asynchronous, "_UNDIVIDED", 1)
    monkeypatch.setattr(asynchronous, "_CLOSED", 0)


def divided(built):
    """A built model whose components are islands until they meet."""
    model, start, parameters = built
    model._made[islands_of] = Islands(model, fewest=2)
    return model, start, parameters


def together(built):
    """A built model with one step for all."""
    model, start, parameters = built
    model._made[islands_of] = None
    return model, start, parameters


@pytest.mark.parametrize(
    ("seed", "mu"), members([(0, 0.0), (1, 0.0), (2, 0.0), (1, 0.3)], slow=[(0, 0.0), (1, 0.0), (2, 0.0)])
)
@pytest.mark.usefixtures("divided_at_once")
def test_balls_that_meet_have_the_events_of_one_run(seed, mu):
    span, (model, start, parameters) = (0.0, 0.9), divided(balls_in_a_box(3, mu=mu, seed=seed))
    whole_model, whole_start, whole_parameters = together(balls_in_a_box(3, mu=mu, seed=seed))
    whole = whole_model.simulate(span, whole_start, whole_parameters, **TOLERANCES)
    found = model.simulate(span, start, parameters, **TOLERANCES)
    assert found.settings["islands"] >= 2
    assert [event.contacts for event in found.events] == [event.contacts for event in whole.events]
    np.testing.assert_allclose(found.events.t, whole.events.t, rtol=0, atol=1e-8)
    assert any("_b" in name for event in found.events for name in event.contacts), "two balls have met"
    times = np.linspace(*span, 101)
    np.testing.assert_allclose(found(times), whole(times), rtol=0, atol=1e-6)


@pytest.mark.usefixtures("divided_at_once")
def test_where_an_island_would_be_large_all_go_on_as_one_with_the_same_events(monkeypatch):
    """Here islands of three balls are large: of four balls none but those of one, of two and of all are derived."""
    monkeypatch.setattr(asynchronous, "_LARGEST", 2)
    span, (model, start, parameters) = (0.0, 0.7), divided(balls_in_a_box(4, mu=0.0, seed=1))
    whole_model, whole_start, whole_parameters = together(balls_in_a_box(4, mu=0.0, seed=1))
    whole = whole_model.simulate(span, whole_start, whole_parameters, **TOLERANCES)
    found = model.simulate(span, start, parameters, **TOLERANCES)
    sizes = {len(components) for components in model.islands._known}
    assert {4} < sizes <= {1, 2, 4}
    assert [event.contacts for event in found.events] == [event.contacts for event in whole.events]
    np.testing.assert_allclose(found.events.t, whole.events.t, rtol=0, atol=1e-8)
    times = np.linspace(*span, 101)
    np.testing.assert_allclose(found(times), whole(times), rtol=0, atol=1e-6)


@pytest.mark.usefixtures("divided_at_once")
def test_balls_that_touch_at_the_start_are_one_island():
    model, start, parameters = balls_in_a_box(2, mu=0.0)
    x0, x1, z0, y0, y1 = (
        next(q for q in model.q if q.func.__name__ == name) for name in ("x0", "x1", "z0", "y0", "y1")
    )
    z1 = next(q for q in model.q if q.func.__name__ == "z1")
    start |= {x1: start[x0] + 0.2, y1: start[y0], z1: start[z0]}
    model._made[islands_of] = Islands(model, fewest=2)
    result = model.simulate((0.0, 0.5), start, parameters, **TOLERANCES)
    assert result.status.name == "FINISHED"
    apart = np.linalg.norm(result.x[7:10] - result.x[0:3], axis=0)
    assert (apart >= 0.2 - 1e-9).all()


@pytest.mark.usefixtures("divided_at_once")
def test_balls_that_start_in_each_other_are_refused():
    model, start, parameters = balls_in_a_box(2, mu=0.0)
    start[next(q for q in model.q if q.func.__name__ == "x1")] = 0.25
    model._made[islands_of] = Islands(model, fewest=2)
    with pytest.raises(ValueError, match=r"contact 'b1_b0' starts .* below|expected a gap >= 0"):
        model.simulate((0.0, 0.5), start, parameters)


@pytest.mark.usefixtures("divided_at_once")
def test_a_row_of_balls_on_a_floor_passes_its_motion_on():
    """Equal balls without friction and with e = 1: each stops the one before; the floor carries all throughout."""
    count, gap, speed, radius = 5, 0.05, 2.0, 0.1
    model, start, parameters = divided(balls_in_a_row(count, gap=gap, speed=speed))
    result = model.simulate((0.0, 0.2), start, parameters, **TOLERANCES)
    assert result.settings["islands"] == count
    struck = [event for event in result.events if event.kind == "impact"]
    assert [event.contacts for event in struck] == [(f"b{i + 1}_b{i}",) for i in range(count - 1)]
    np.testing.assert_allclose([event.t for event in struck], gap / speed * np.arange(1, count), rtol=0, atol=1e-12)
    closed = [event for event in result.events if event.kind != "impact"]
    assert {event.kind.value for event in closed} == {"close"}
    assert all(event.t == 0.0 for event in closed), "an island that goes on keeps its closed contacts"
    np.testing.assert_allclose(result.normal_force[:, -1].sum(), count * 0.1 * 9.8, rtol=1e-12)
    last = next(q for q in model.q if q.func.__name__ == f"x{count - 1}")
    left = 0.2 - (count - 1) * gap / speed
    assert result[last][-1] == pytest.approx((count - 1) * (2 * radius + gap) + speed * left, abs=1e-12)


def sliders_with_a_ball_that_passes() -> tuple[HybridModel, dict, dict]:
    """Two sliders move a point in a plane whose normal lies within its cone; a ball passes it closely.

    Loads push the point off, and friction holds it; no force at all is a solution as well. As it has stuck, the least
    force that holds it is -p1 F1/l1 - p2 F2/l2.
    """
    x, y, a, b, h, v = me.dynamicsymbols("x y a b h v")
    frame, origin, t = me.ReferenceFrame("N"), me.Point("O"), me.dynamicsymbols._t
    across = np.sqrt(0.5)
    one = across * frame.x + 0.5 * frame.y + 0.5 * frame.z
    two = -across * frame.x + 0.5 * frame.y + 0.5 * frame.z
    point = origin.locatenew("P", 0.3 * x * one + 2.0 * y * two)
    ball = origin.locatenew("H", h * frame.x + (0.3 - 1e-12) * frame.z)
    points = [origin.locatenew("X", x * frame.x), origin.locatenew("Y", y * frame.y), ball]
    system = me.System(frame, origin)
    system.add_bodies(*(me.Particle(one.name, one, 1) for one in points))
    system.add_coordinates(x, y, h)
    system.add_speeds(a, b, v)
    system.add_kdes(a - x.diff(t), b - y.diff(t), v - h.diff(t))
    system.add_loads((points[0], -frame.x), (points[1], t * frame.y))
    contacts = [
        Contact(point, Plane(origin, frame.z), restitution=0, friction=3, name="held"),
        Contact(point, Sphere(ball, sm.Rational(3, 10), frame=frame), restitution=0, friction=0.5, name="passed"),
    ]
    return HybridModel(system, contacts, length=1), {x: 0, y: 0, h: -1.9, a: 0, b: 0, v: 4.0}, {}


@pytest.mark.usefixtures("divided_at_once")
def test_friction_with_several_answers_goes_on_with_its_own_where_a_body_passes():
    model, start, parameters = divided(sliders_with_a_ball_that_passes())
    result = model.simulate((0.0, 1.0), start, parameters, **TOLERANCES)
    assert result.status is Status.FINISHED
    assert result.settings["islands"] == 2
    assert len(result._run.piece._parts) > 3, "the ball has joined the sliders and left them"
    times = np.linspace(0.0, 1.0, 41)
    held = np.array([result.normal_force_at(time)[0, 0] for time in times])
    np.testing.assert_allclose(held, 0.5 * (1 / 0.3 - times / 2.0), rtol=1e-9)
    assert {event.kind.value for event in result.events} == {"close"}


def test_a_short_run_has_the_bits_of_one_step_for_all():
    options = {"rtol": 1e-8, "atol": 1e-10}
    results = []
    for prepare in (lambda built: built, together):
        model, start, parameters = prepare(balls_in_a_box(6, mu=0.3))
        results.append(model.simulate((0.0, 0.6), start, parameters, **options))
    found, whole = results
    assert found.steps + found.rejected < asynchronous._UNDIVIDED
    assert np.array_equal(found.t, whole.t)
    assert np.array_equal(found.x, whole.x)
    assert "islands" not in found.settings


def test_a_long_run_with_closed_contacts_is_divided():
    model, start, parameters = balls_in_a_box(6, mu=0.3)
    result = model.simulate((0.0, 1.3), start, parameters, rtol=1e-8, atol=1e-10)
    assert result.steps + result.rejected > asynchronous._UNDIVIDED
    assert result.settings["islands"] > 1
    energy = result.energy
    assert (np.diff(energy) <= 1e-9 * abs(energy).max()).all()


@pytest.mark.usefixtures("divided_at_once")
def test_limits_are_those_of_the_whole_run():
    model, start, parameters = divided(balls_in_a_box(3, mu=0.3))
    whole = model.simulate((0.0, 0.9), start, parameters, **TOLERANCES)
    few = model.simulate((0.0, 0.9), start, parameters, max_events=9, **TOLERANCES)
    assert few.status is Status.MAX_EVENTS
    np.testing.assert_allclose(few.events.t, whole.events.t[:9], rtol=0, atol=1e-9)
    assert few.t[-1] == few.events.t[-1]
    short = model.simulate((0.0, 0.9), start, parameters, max_steps=30, **TOLERANCES)
    assert short.status is Status.MAX_STEPS
    assert short.t[-1] < whole.t[-1]


@pytest.mark.usefixtures("divided_at_once")
def test_ctrl_c_between_islands_keeps_the_run_so_far(monkeypatch):
    model, start, parameters = divided(balls_in_a_box(3, mu=0.0))
    check, calls = Asynchronous._check, []

    def interrupted(self, group):
        calls.append(group)
        if len(calls) == 4:
            signal.raise_signal(signal.SIGINT)
        check(self, group)

    monkeypatch.setattr(Asynchronous, "_check", interrupted)
    result = model.simulate((0.0, 0.9), start, parameters, **TOLERANCES)
    assert result.status is Status.INTERRUPTED
    assert 0.0 < result.t[-1] < 0.9
    monkeypatch.setattr(Asynchronous, "_check", check)
    whole = model.simulate((0.0, 0.9), start, parameters, **TOLERANCES)
    np.testing.assert_allclose(result(result.t[-1]), whole(result.t[-1]), rtol=0, atol=1e-8)


@pytest.mark.usefixtures("divided_at_once")
def test_a_file_and_the_forces_are_those_of_one_run(tmp_path):
    model, start, parameters = divided(balls_in_a_box(3, mu=0.3, seed=1))
    whole_model, whole_start, whole_parameters = together(balls_in_a_box(3, mu=0.3, seed=1))
    result = model.simulate((0.0, 0.9), start, parameters, **TOLERANCES)
    whole = whole_model.simulate((0.0, 0.9), whole_start, whole_parameters, **TOLERANCES)
    result.save(tmp_path / "run.npz")
    read, times = load(tmp_path / "run.npz"), np.linspace(0.0, 0.9, 37)
    np.testing.assert_allclose(read(times), result(times), rtol=0, atol=1e-10)
    assert read.path == result.path
    assert result.path[-1] == whole.path[-1]
    forces = [np.array([run.normal_force_at(time) for time in times]) for run in (result, whole)]
    np.testing.assert_allclose(*forces, rtol=1e-5, atol=1e-6)
