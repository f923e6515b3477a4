"""What happens at one time is one event, whatever caused it, in whichever of two runs that follow on each other."""

import math

import numpy as np
import pytest
from fuzz.cuts import after_cut, cuts_of, in_pieces
from fuzz.scenes import END, scenes
from quick_members import members
from sympy import Piecewise
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import (
    Contact,
    Controller,
    HybridModel,
    Interpolated,
    Latch,
    Limit,
    Plane,
    Reaction,
    Sampled,
    Stop,
    Transition,
    When,
)

T = dynamicsymbols._t
X, U, Y, V, F, G, N = dynamicsymbols("x u y v F G n")


def carts(contacts=(), **given):
    """Two carts of 1 kg on a line, pulled by F and G."""
    ground, a, b = RigidBody("ground"), Particle("a", mass=1.0), Particle("b", mass=1.0)
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("J", ground, a, X, U), PrismaticJoint("K", ground, b, Y, V))
    system.add_loads(Force(a.masscenter, F * ground.x), Force(b.masscenter, G * ground.x))
    return HybridModel(system, contacts, **given)


@pytest.fixture(scope="module")
def free():
    return carts()


AT_REST = {X: 0, U: 0, Y: 1, V: 0}


@pytest.mark.parametrize(
    ("given", "end"),
    [
        ({"inputs": {F: Sampled(0.1, X, start=1.0), G: 0.0}}, 0.79),
        ({"inputs": {G: 0.0}, "controllers": [Controller(every=0.1, law={F: 5.0}, start={F: 1.0})]}, 0.79),
        ({"inputs": {G: 0.0}, "controllers": [Controller(at=[0.5], law={F: 5.0}, start={F: 1.0})]}, 0.79),
        ({"inputs": {G: 0.0}, "controllers": [Controller(at=[2.0], law={F: 5.0}, start={F: 1.0})]}, 0.79),
    ],
)
def test_a_span_without_a_sample_is_a_span_like_any_other(free, given, end):
    """The command is that of the start, 1 N."""
    result = free.simulate((0.71, end), AT_REST, {}, **given)
    assert result.status.name == "FINISHED"
    np.testing.assert_allclose(result[U][-1], end - 0.71, rtol=1e-12)


def test_the_tail_of_a_run_without_a_sample_holds_the_last_command(free):
    given = {"inputs": {G: 0.0}, "controllers": [Controller(every=0.1, law={F: T})]}
    first = free.simulate((0, 0.71), AT_REST, {}, **given)
    tail = free.simulate((0.71, 0.79), first, {}, **given)
    np.testing.assert_allclose(tail[U][-1] - first[U][-1], 0.7 * 0.08, rtol=1e-9)


CUTS = [0.4, math.nextafter(0.5, 0), 0.5, math.nextafter(0.5, 1), 0.6]


@pytest.mark.parametrize("cut", members(CUTS, slow=[0.4, 0.6]))
def test_a_sample_at_the_joint_of_two_runs_opens_a_latch(cut):
    """From 0.5 s on the second cart is alone, with 5, 10 and 15 N of half a second each: y = 9.75 m, v = 15 m/s."""
    hook = Latch(Y - X - 1, closed=True, opens=-Reaction("hook") > 2, name="hook")
    model, motor = carts(latches=[hook]), [Controller(every=0.5, law={G: 10.0 * T})]

    def run(span, x0):
        return model.simulate(span, x0, {}, inputs={F: 0.0}, controllers=motor)

    first = run((0, cut), AT_REST)
    second = run((cut, 2), first)
    assert [event.contacts for event in (first + second).events] == [("hook opens",)]
    np.testing.assert_allclose([second[Y][-1], second[V][-1]], [9.75, 15.0], rtol=1e-9)


@pytest.mark.parametrize("cut", [0.4, 0.5, 0.6])
def test_a_sample_at_the_joint_of_two_runs_causes_transitions_and_events(cut):
    model = carts(transitions=[Transition(boundary=G > 2, jump={N: N + 1}, name="step")], discrete=[N])

    def run(span, x0):
        motor = [Controller(every=0.5, law={G: 10.0 * T})]
        return model.simulate(span, x0, {}, inputs={F: 0.0}, controllers=motor, events={"strong": G > 4})

    first = run((0, cut), AT_REST | {N: 0})
    second = run((cut, 2), first)
    assert [(event.t, event.contacts) for event in (first + second).events] == [(0.5, ("step", "strong"))]
    assert second[N][-1] == 1


@pytest.mark.parametrize("cut", [0.4, math.nextafter(0.5, 0), 0.5, math.nextafter(0.5, 1)])
def test_conditions_of_one_transition_that_data_make_true_at_the_joint_of_two_runs(cut):
    """G becomes 3 N at 0.5 s, where two of the three conditions come true and cause one jump."""
    model = carts(transitions=[When([G > 1, G > 5, G > 2], reinit={N: N + 1}, name="step")], discrete=[N])

    def run(span, x0):
        return model.simulate(span, x0, {}, inputs={F: 0.0, G: Interpolated([0.0, 0.5], [0.0, 3.0], kind="hold")})

    first = run((0, cut), AT_REST | {N: 0})
    second = run((cut, 1), first)
    assert [(event.t, event.contacts) for event in (first + second).events] == [(0.5, ("step", "step"))]
    assert second[N][-1] == 1


def test_a_condition_that_is_true_where_a_run_begins_from_numbers_is_no_event(free):
    motor = [Controller(every=0.5, law={G: 10.0})]
    result = free.simulate((0, 1), AT_REST, {}, inputs={F: 0.0}, controllers=motor, events={"strong": G > 4})
    assert not len(result.events)


@pytest.mark.parametrize("period", [0.1, 0.3, 0.01])
def test_an_event_at_a_sample_is_recorded_once(free, period):
    given = {"inputs": {F: Sampled(period, -X), G: 0.0}}
    start = {X: 1, U: 0.1, Y: 0, V: 0}
    assert free.simulate((0, 3), start, {}, events={"late": T > 1.2}, **given).events["late"].t.tolist() == [1.2]
    stop = {"late": Stop(T > 1.2, occurrences=2)}
    assert free.simulate((0, 3), start, {}, events=stop, **given).status.name == "FINISHED"


@pytest.mark.parametrize("law", [None, {F: 1.0}])
@pytest.mark.parametrize("cut", [0.4, 0.5, 1.0])
def test_an_event_of_time_at_the_joint_is_in_one_of_two_runs(free, law, cut):
    clock = [Controller(every=0.5, law=law, record=True, name="clock")]
    inputs = {G: 0.0} if law else {F: 1.0, G: 0.0}

    def run(span, x0):
        return free.simulate(span, x0, {}, inputs=inputs, controllers=clock)

    first = run((0, cut), AT_REST)
    assert (first + run((cut, 2), first)).events.t.tolist() == [0.5, 1.0, 1.5]


PRESSED = {
    "data": {"inputs": {F: Interpolated([0.0, 1.0], [-2.0, 3.0], kind="hold"), G: 0.0}},
    "samples": {
        "inputs": {G: 0.0},
        "controllers": [Controller(every=0.5, law={F: Piecewise((3.0, T > 0.75), (-2.0, True))})],
    },
}
"""A cart is pressed against its stop by 2 N until 1 s, and pulled away by 3 N from then on."""
AROUND = [0.7, math.nextafter(1.0, 0), 1.0, math.nextafter(1.0, 2)]


@pytest.fixture(scope="module")
def stopped():
    """Two carts, the first one at a stop."""
    return carts(contacts=[Limit(X, restitution=0.5, name="stop")])


@pytest.mark.parametrize("drive", PRESSED)
@pytest.mark.parametrize("cut", AROUND)
def test_a_contact_that_is_closed_at_the_joint_of_two_runs_opens_once_and_closes_never_again(stopped, drive, cut):
    """From 1 s on x = 3 (t - 1)^2 / 2."""

    def run(span, x0):
        return stopped.simulate(span, x0, {}, **PRESSED[drive])

    first = run((0, cut), {X: 0, U: 0, Y: 9, V: 0})
    second = run((cut, 2), first)
    events = (first + second).events
    assert [event.kind for event in events] == ["close", "open"]
    assert events.t.tolist() == pytest.approx([0.0, 1.0], abs=1e-15)
    assert [event.kind for event in second.events] == ["open"] * (1 - first.events.of("stop").t.tolist().count(1.0))
    np.testing.assert_allclose(second[X][-1], 1.5, rtol=1e-9)


@pytest.mark.parametrize("cut", AROUND)
def test_a_contact_that_sticks_at_the_joint_of_two_runs_slips_once(cut):
    """A block of 1 kg on a floor, mu = 0.3, is pushed by 2 N until 1 s, by 5 N from then on."""
    system = System.from_newtonian(RigidBody("ground"))
    point = system.fixed_point.locatenew("P", X * system.frame.x + Y * system.frame.y)
    point.set_vel(system.frame, U * system.frame.x + V * system.frame.y)
    system.add_bodies(Particle("block", point, 1.0))
    system.add_coordinates(X, Y)
    system.add_speeds(U, V)
    system.add_kdes(U - X.diff(), V - Y.diff())
    system.add_loads(Force(point, F * system.frame.x - 10.0 * system.frame.y))
    floor = Contact(point, Plane(system.fixed_point, system.frame.y), restitution=0.5, friction=0.3, name="floor")
    model = HybridModel(system, [floor], length=1.0)

    def run(span, x0):
        return model.simulate(span, x0, {}, inputs={F: Interpolated([0.0, 1.0], [2.0, 5.0], kind="hold")})

    first = run((0, cut), {X: 0, Y: 0, U: 0, V: 0})
    second = run((cut, 2), first)
    assert [event.kind for event in (first + second).events] == ["close", "slip"]
    assert [event.kind for event in second.events] == ["slip"] * (cut <= 1.0)
    np.testing.assert_allclose(second[X][-1], 1.0, rtol=1e-9)


def test_a_run_that_ends_early_has_its_end_as_the_last_sample(free):
    """A fall of 100 m ends after sqrt(2 100 / 9.81) s; a run that reaches its span has the times asked for alone."""
    start, times = {X: 100, U: 0, Y: 0, V: 0}, np.linspace(0, 60, 61)
    given = {"inputs": {F: -9.81, G: 0.0}, "t_eval": times}
    result = free.simulate((0, 60), start, {}, events={"ground": Stop(X)}, **given)
    np.testing.assert_allclose(result.t, [0, 1, 2, 3, 4, math.sqrt(200 / 9.81)])
    np.testing.assert_allclose(result[X][-1], 0, atol=1e-9)
    assert np.array_equal(free.simulate((0, 60), start, {}, **given).t, times)


def sampled(scene):
    """The times at which controllers of a scene act."""
    periods = [one.every for one in (*scene.controllers, *scene.inputs.values()) if hasattr(one, "every")]
    return np.unique(np.concatenate([np.arange(1, int(END / period) + 1) * period for period in periods]))


def check_cuts(scene, most):
    """Cut the run of a scene at some of its events and samples, one rounding before and after them, and in pieces."""
    whole = scene.run((0, END))
    cuts = np.array([*cuts_of(whole, sampled(scene))])
    for cut in np.random.default_rng(0).permutation(cuts)[:most]:
        assert not after_cut(scene.run, whole, float(cut)), (scene.kind, scene.seed, cut)
    period = next(one.every for one in scene.controllers)
    pieces = np.arange(1, int(3 * END / period)) * period / 3
    joined = in_pieces(scene.run, whole, pieces[pieces < END])
    settings, until = whole.settings, float(np.append(whole.events.t, END)[:5][-1])
    times = np.linspace(0, until, 8)[:-1]
    own = whole(times)
    tolerance = 100 * (settings["atol"] + settings["rtol"] * np.abs(own)) * len(pieces)
    assert (np.abs(joined(times) - own) <= tolerance).all(), (scene.kind, scene.seed)


@pytest.mark.parametrize("kind", [31, 37])
def test_a_run_cut_at_its_events_and_samples_goes_on_as_the_whole(kind):
    for scene in scenes(range(kind, kind + 1), 1):
        check_cuts(scene, 8)


@pytest.mark.slow
@pytest.mark.parametrize("kind", range(30, 70))
def test_many_runs_cut_at_their_events_and_samples_go_on_as_the_whole(kind):
    for scene in scenes(range(kind, kind + 1), 3):
        check_cuts(scene, 12)
