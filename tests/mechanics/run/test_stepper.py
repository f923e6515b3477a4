"""Runs that are stepped from outside: the bits of one run, what is given, what is saved, what is refused."""

import pickle
import subprocess
import sys
import threading
from math import inf, nan

import numpy as np
import pytest
import sympy as sm
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import Controller, HybridModel, Limit, Sampled, Status, Stop, load, models

DT = 0.01


def cart_on_a_rail(**options):
    """A cart with a stop at its end, friction of a spring that is no one's, and a force F that pushes it."""
    rail, m, k, e, force = RigidBody("rail"), *sm.symbols("m k e"), dynamicsymbols("F")
    cart = Particle("cart", mass=m)
    system = System.from_newtonian(rail)
    system.add_joints(PrismaticJoint("slide", rail, cart))
    (x,), (v,) = system.q, system.u
    system.add_loads(Force(cart, (force - k * x) * rail.x))
    model = HybridModel(system, [Limit(sm.Rational(1, 5) - x, restitution=e, name="stop")], **options)
    return model, {m: 1, k: 4, e: sm.Rational(1, 2)}, (x, v, force, m, k)


@pytest.fixture(scope="module")
def cart():
    return cart_on_a_rail()


def law(t):
    """Commands that change with every step."""
    return 3.0 * np.sin(7.0 * t)


def test_commands_of_steps_are_those_of_a_sampled_input(cart):
    model, numbers, (_, _, force, *_) = cart
    whole = model.simulate((0, 1), [0, 0], numbers, inputs={force: Sampled(DT, law)})
    run = model.stepper([0, 0], numbers, inputs={force: 0.0}, t_end=1.0)
    times = np.array([k * DT for k in range(101)])
    for k in range(100):
        assert run.step(times[k + 1] - run.t if k else DT, {force: law(run.t)}) in (None, Status.FINISHED)
    assert run.status is Status.FINISHED
    result = run.result
    assert len(whole.events) == len(result.events) > 0
    assert np.abs(whole.x[:, -1] - run.x).max() < 1e-9
    at = np.linspace(0, 1, 37)
    assert np.abs(whole(at) - result(at)).max() < 1e-9
    assert np.abs(whole[force][-5:] - result[force][-5:]).max() < 1e-9
    assert np.allclose(whole.energy[-1], result.energy[-1], atol=1e-9)


@pytest.mark.parametrize("name", ["bouncing_ball", "two_links", "tumbling_cube", "belt_oscillator", "woodpecker"])
def test_steps_with_numbers_have_the_bits_of_a_run_whose_steps_end_there(name):
    """A number that a step gives, here the same again, is a sample as those of a controller are."""
    ready, count, dt = getattr(models, name)(), 30, 0.04
    parameter, value = next(iter(ready.parameters.items()))
    times = [0.0]
    for _ in range(count):
        times.append(times[-1] + dt)
    run = ready.model.stepper(ready.start, ready.parameters, t_end=times[-1])
    for k in range(count):
        run.step(dt, {parameter: value} if k else None)
    clock = Controller(at=times[1:-1], record=True, name="clock")
    whole = ready.model.simulate((0.0, times[-1]), ready.start, ready.parameters, controllers=[clock])
    assert run.t == whole.t[-1]
    assert np.array_equal(run.x, whole.x[:, -1])
    assert [event.t for event in run.result.events] == [event.t for event in whole.events if event.kind != "time"]
    assert np.array_equal(run.x, run.result.x[:, -1])


@pytest.mark.parametrize("name", ["bouncing_ball", "two_links", "tumbling_cube", "belt_oscillator", "dice"])
def test_steps_alone_change_no_more_than_the_tolerance(name):
    ready, count, dt = getattr(models, name)(), 40, 0.02
    run = ready.model.stepper(ready.start, ready.parameters)
    for _ in range(count):
        run.step(dt)
    whole = ready.model.simulate((0.0, run.t), ready.start, ready.parameters)
    assert np.abs(run.x - whole.x[:, -1]).max() < 1e-6
    assert [event.contacts for event in run.result.events] == [event.contacts for event in whole.events]
    assert np.array_equal(run.x, run.result.x[:, -1])


def test_events_of_the_last_step_alone():
    ball = models.bouncing_ball()
    run, met = ball.model.stepper(ball.start, ball.parameters), []
    for _ in range(100):
        run.step(DT)
        assert run.n_events == len(run.events)
        met += [event.t for event in run.events]
    whole = ball.model.simulate((0, 1), ball.start, ball.parameters)
    assert np.allclose(met, [event.t for event in whole.events], rtol=1e-12)


def test_a_parameter_that_changes_is_that_of_two_runs(cart):
    model, numbers, (_, v, force, _, k) = cart
    run = model.stepper([0.1, 0], numbers, inputs={force: 0.0}, t_end=2.0)
    for i in range(200):
        run.step(DT, {k: 9.0} if i == 100 else None)
    first = model.simulate((0, run._steps[0][0] * 100), [0.1, 0], numbers, inputs={force: 0.0})
    second = model.simulate((first.t[-1], 2), first.x[:, -1], {**numbers, k: 9}, inputs={force: 0.0})
    assert np.abs(run.x - second.x[:, -1]).max() < 1e-9
    result = run.result
    assert np.isclose(result.energy[0], first.energy[0])
    assert np.isclose(run[v.diff()], second[v.diff()][-1], atol=1e-8)


@pytest.mark.parametrize("record", [True, False])
def test_each_step_ends_at_its_time_whatever_is_given(cart, record):
    model, numbers, (x, _, force, _, k) = cart
    run, t = model.stepper([0.1, 0], numbers, inputs={force: 0.0}, t_end=5.0, record=record), 0.0
    for i in range(40):
        given = {force: 0.1 * i} if i % 3 == 1 else {k: 4.0 + i / 10} if i % 7 == 3 else None
        assert run.step(DT, given) is None
        t += DT
        assert run.t == t
    assert np.isclose(run[force - k * x], 3.7 - 7.8 * run.x[0])


def test_numbers_before_the_first_step_are_those_of_the_start(cart):
    model, numbers, (_, _, force, m, _) = cart
    run = model.stepper([0, 0], numbers, inputs={force: 0.0}, t_end=0.5)
    run.step(0.1, {force: 1.0, m: 2.0})
    other = model.stepper([0, 0], {**numbers, m: 2.0}, inputs={force: 1.0}, t_end=0.5)
    other.step(0.1)
    assert np.array_equal(run.x, other.x)
    assert run[force] == 1.0
    run.reset()
    assert run[force] == 0.0
    assert run.t == 0.0


def test_expressions_at_the_present_time(cart):
    model, numbers, (x, v, force, _, k) = cart
    run = model.stepper({x: 0.1, v: 0.0}, numbers, inputs={force: 0.0})
    run.step(0.1, {"F": 2.0})
    assert run[x] == run["q_slide"] == run.x[0]
    assert np.isclose(run[force - k * x], 2.0 - 4.0 * run.x[0])
    assert np.isclose(run[v.diff()], 2.0 - 4.0 * run.x[0])


def test_a_stop_ends_the_run_and_a_further_step_says_so(cart):
    model, numbers, (x, _, force, *_) = cart
    run = model.stepper([0, 0], numbers, inputs={force: 1.0}, events={"there": Stop(x - sm.Rational(1, 10))})
    while run.step(DT) is None:
        pass
    assert run.status is Status.STOPPED
    assert np.isclose(run.x[0], 0.1)
    t = run.t
    assert run.step(DT) is Status.STOPPED
    assert run.t == t
    assert run.result.status is Status.STOPPED


def test_a_run_ends_at_its_end():
    ball = models.bouncing_ball()
    run = ball.model.stepper(ball.start, ball.parameters, t_end=0.25)
    assert [run.step(0.1), run.step(0.1), run.step(0.1)] == [None, None, Status.FINISHED]
    assert run.t == 0.25


def with_controller():
    model, numbers, (x, v, force, *_) = cart_on_a_rail()
    memory = sm.Symbol("total")
    law = {force: -3 * x - v + memory, memory: memory + x / 10}
    return model, numbers, Controller(every=0.03, law=law, commands=[force], memory={memory: 0.5}, name="hold")


SAVED = {
    "friction": lambda: models.two_links(),
    "turned": lambda: models.tumbling_cube(),
    "conditions": lambda: models.belt_oscillator(),
    "many": lambda: models.dice(2),
    "rest": lambda: models.rocking_block(),
}


@pytest.mark.parametrize("name", SAVED)
def test_a_saved_run_goes_on_with_the_same_bits(name):
    ready = SAVED[name]()
    run, saved, further = ready.model.stepper(ready.start, ready.parameters, t_end=2.0), {}, {}
    for k in range(40):
        if k % 7 == 3:
            saved[k] = pickle.dumps(run.save())
        run.step(0.03)
        further[k] = run.x
    other = ready.model.stepper(ready.start, ready.parameters, t_end=2.0)
    for k, content in reversed(saved.items()):  # back in time, too
        other.restore(pickle.loads(content))
        for later in range(k, 40):
            other.step(0.03)
            assert np.array_equal(other.x, further[later]), (k, later)
    assert np.array_equal(other.result.x, run.result.x)
    assert [one.t for one in other.result.events] == [one.t for one in run.result.events]


def test_controllers_go_on_where_a_run_was_saved():
    model, numbers, controller = with_controller()
    run = model.stepper([0.15, 0], numbers, controllers=[controller], t_end=1.0)
    for k in range(50):
        if k == 23:
            saved = pickle.loads(pickle.dumps(run.save()))
        run.step(DT)
    whole = model.simulate((0, 1), [0.15, 0], numbers, controllers=[controller])
    assert np.abs(whole(run.t) - run.x).max() < 1e-9
    other = model.stepper([0.15, 0], numbers, controllers=[controller], t_end=1.0)
    other.restore(saved)
    for _ in range(23, 50):
        other.step(DT)
    assert np.array_equal(other.x, run.x)


def test_a_fresh_process_goes_on_with_the_same_bits(tmp_path):
    ready = models.two_links()
    run = ready.model.stepper(ready.start, ready.parameters, t_end=2.0)
    for k in range(60):
        if k == 31:
            (tmp_path / "saved").write_bytes(pickle.dumps(run.save()))
        run.step(0.03)
    program = (
        "import pickle, sys; from pathlib import Path; from sympact.models import two_links\n"
        "ready = two_links(); run = ready.model.stepper(ready.start, ready.parameters, t_end=2.0)\n"
        "run.restore(pickle.loads(Path(sys.argv[1]).read_bytes()))\n"
        "for _ in range(31, 60): run.step(0.03)\n"
        "print(*(number.hex() for number in run.x))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "saved")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [number.hex() for number in run.x.tolist()]


def test_a_result_of_steps_travels_and_is_stored(tmp_path, cart):
    model, numbers, (_, _, force, *_) = cart
    run = model.stepper([0, 0], numbers, inputs={force: 0.0}, t_end=1.0)
    for k in range(60):
        run.step(DT, {force: law(k * DT)})
    result = run.result
    again = pickle.loads(pickle.dumps(result))
    assert np.array_equal(again.x, result.x)
    assert np.array_equal(again[force], result[force])
    result.save(tmp_path / "steps.npz")
    found = load(tmp_path / "steps.npz", model=model, inputs={force: 0.0})
    assert np.array_equal(found[force], result[force])
    assert np.array_equal(found.normal_force, result.normal_force)


def test_without_a_record_memory_does_not_grow():
    ball = models.bouncing_ball()
    run = ball.model.stepper(ball.start, ball.parameters, record=False)
    other = ball.model.stepper(ball.start, ball.parameters)
    for _ in range(700):
        run.step(DT), other.step(DT)
        assert [one.t for one in run.events] == [one.t for one in other.events]
        assert run._session.samples < 300
    assert np.array_equal(run.x, other.x)
    assert other._session.samples > 700
    with pytest.raises(ValueError, match="record=True"):
        run.result  # noqa: B018


@pytest.mark.parametrize("reads", [True, False])
def test_without_a_record_angles_follow_from_the_step_before(reads):
    """The cube turns on, so that its angles leave (-pi, pi): only those of the step before tell the turns."""
    ready = models.tumbling_cube()
    run = ready.model.stepper(ready.start, ready.parameters, record=False)
    other, met = ready.model.stepper(ready.start, ready.parameters), 0
    for _ in range(60):
        run.step(0.07), other.step(0.07)
        if reads:
            assert np.array_equal(run.x, other.x)
            assert np.array_equal([one.x_minus for one in run.events], [one.x_minus for one in other.events])
            met += run.n_events
    assert np.array_equal(run.x, other.x)
    assert np.abs(run.x).max() > 2 * np.pi
    assert met > 3 or not reads


def test_without_a_record_events_and_values_have_the_numbers_that_steps_gave(cart):
    model, numbers, (_, v, force, m, _) = cart
    run, other = (model.stepper([0, 0], numbers, inputs={force: 0.0}, record=one) for one in (False, True))
    met = 0
    for k in range(600):
        given = {force: 5 + law(k), m: 1 + (k % 3) / 2} if k % 2 else None
        run.step(DT, given), other.step(DT, given)
        assert [one.energy for one in run.events] == [one.energy for one in other.events]
        met += run.n_events
        if k % 50 == 49:
            assert run[v.diff()] == other[v.diff()]
    assert met > 10
    assert run._session.samples < 300


def test_a_result_outlives_the_memory_that_a_reset_leaves_to_the_next_run():
    ready, dt = models.two_links(), 0.03
    run = ready.model.stepper(ready.start, ready.parameters)
    for _ in range(40):
        run.step(dt)
    result, x = run.result, run.x
    run.reset(1.1 * np.array(x))
    for _ in range(50):
        run.step(dt)
    run.reset(ready.start)
    for _ in range(40):
        run.step(dt)
    assert np.array_equal(run.x, x)
    assert np.array_equal(result(result.t), run.result(result.t))
    assert np.array_equal(result.normal_force, run.result.normal_force)


def test_each_thread_steps_its_own_run():
    ready, found = models.two_links(), {}

    def go(k):
        run = ready.model.stepper(ready.start, ready.parameters)
        for _ in range(40):
            run.step(0.02)
        found[k] = run.x

    threads = [threading.Thread(target=go, args=(k,)) for k in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert all(np.array_equal(found[0], one) for one in found.values())


@pytest.mark.parametrize(
    ("dt", "given", "words"),
    [
        (0.0, None, "dt is 0.0, expected a positive, finite time"),
        (-1.0, None, "dt is -1.0"),
        (nan, None, "dt is nan"),
        (inf, None, "dt is inf"),
        ("1", None, "dt is '1'"),
        (1e-30, None, "does not change t"),
        (0.1, {"G": 1.0}, "'G' is no input or parameter of the model"),
        (0.1, {"F": nan}, "F is nan, expected a finite number"),
        (0.1, {"F": "3"}, "F is '3', expected a finite number"),
        (0.1, {"F": True}, "F is True, expected a finite number"),
        (0.1, {"e": 2.0}, "the restitution of"),
        (0.1, 3.0, "given is 3.0, expected a mapping"),
    ],
)
def test_wrong_steps_are_refused_and_change_nothing(cart, dt, given, words):
    model, numbers, (_, _, force, *_) = cart
    run = model.stepper([0.1, 0], numbers, inputs={force: 0.0})
    run.step(0.1)
    before = run.x
    with pytest.raises((ValueError, TypeError), match=words.replace("(", r"\(")):
        run.step(dt, given)
    assert run.t == 0.1
    run.step(0.1)
    other = model.stepper([0.1, 0], numbers, inputs={force: 0.0})
    other.step(0.1)
    assert np.array_equal(before, other.x)
    other.step(0.1)
    assert np.array_equal(run.x, other.x)


def test_an_input_that_is_determined_cannot_be_given(cart):
    model, numbers, (_, _, force, *_) = cart
    run = model.stepper([0, 0], numbers, inputs={force: lambda t: t}, t_end=1.0)
    with pytest.raises(ValueError, match=r"was given as .* which determines it"):
        run.step(0.1, {force: 1.0})
    with pytest.raises(ValueError, match="t_end is infinite"):
        model.stepper([0, 0], numbers, inputs={force: lambda t: t})


def test_saved_runs_of_others_are_refused(cart):
    model, numbers, (_, _, force, *_) = cart
    run = model.stepper([0, 0], numbers, inputs={force: 0.0})
    run.step(0.1)
    ball = models.bouncing_ball()
    with pytest.raises(ValueError, match="the saved run is one of another model"):
        ball.model.stepper(ball.start, ball.parameters).restore(run.save())
    with pytest.raises(TypeError, match="restore takes what save has returned"):
        run.restore(3)
    scipys = model.stepper([0, 0], numbers, inputs={force: 0.0}, method="LSODA")
    scipys.step(0.1)
    with pytest.raises(ValueError, match="cannot be saved"):
        scipys.save()


def test_an_exception_of_the_users_has_the_run_so_far(cart):
    model, numbers, (_, _, force, *_) = cart

    def push(t):
        if t > 0.25:
            raise ArithmeticError("no more")
        return 0.1

    run = model.stepper([0, 0], numbers, inputs={force: push}, t_end=1.0)
    run.step(0.1), run.step(0.1)
    with pytest.raises(ArithmeticError, match="no more") as raised:
        run.step(0.1)
    assert 0.2 <= raised.value.result.t[-1] <= 0.25
    assert run.step(0.1) is Status.FAULT
