"""The promise: models, processes, runs and events travel by pickle, copy and new processes, with the same bits."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
import sympy as sm
from contact_models import ball
from island_models import dice_beside_each_other
from quick_members import KINDS_OF_READY, members
from sympy.physics.mechanics import dynamicsymbols

from sympact import (
    Controller,
    Crossing,
    CustomLaw,
    HybridModel,
    HybridSystem,
    Interpolated,
    Sampled,
    Transition,
    ensemble,
    models,
)
from sympact.integrate.trajectory.trajectory import Origin

WAYS = {"pickle": lambda thing: pickle.loads(pickle.dumps(thing)), "deepcopy": copy.deepcopy}
READY = [name for name in models.__all__ if name[0].islower()]
FORCE = dynamicsymbols("F")


def same(one, other) -> bool:
    """Whether samples, states between them and events have the same bits."""
    between = np.linspace(*one.t_span, 23)
    pairs = [(one.t, other.t), (one.x, other.x), (one(between), other(between)), (one.events.t, other.events.t)]
    return all(np.array_equal(a, b) for a, b in pairs) and one.path == other.path and one.status is other.status


def flow(t, x):
    """A ball in the air."""
    return [x[1], -10.0]


def ground(t, x):
    """Its floor."""
    return -x[0]


def bounce(t, x):
    """Its jump."""
    return [0.0, -0.5 * x[1]]


def heights(name: str) -> np.ndarray:
    """The states of a run in another process."""
    return getattr(models, name)().simulate().x


def states_of(ready) -> np.ndarray:
    """The states of a run of a model that has travelled."""
    return ready.simulate(max_events=5).x


@pytest.mark.parametrize("name", members(READY, slow={*READY} - KINDS_OF_READY))
def test_every_ready_model_travels(name):
    ready = getattr(models, name)()
    there = pickle.loads(pickle.dumps(ready))
    assert there.named_start() == ready.named_start()
    assert there.named_parameters() == ready.named_parameters()
    if isinstance(ready.model, HybridModel):
        assert there.model.compile().hash == ready.model.compile().hash, "the same graph has the same bits"
        assert [type(one) for one in there.shapes or ()] == [type(one) for one in ready.shapes or ()]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("name", ["bouncing_ball", "tumbling_cube", "rolling_ball", "ball_ceiling_spring"])
def test_runs_of_what_has_travelled_have_the_same_bits(name, way):
    ready = getattr(models, name)().with_numbers(t_span=(0, 1))
    result = ready.simulate()
    assert same(result, way(ready).simulate())
    assert same(result, way(result))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_result_has_the_forces_and_energies_of_its_run(way):
    result = models.dice().with_numbers(t_span=(0, 0.6)).simulate()
    there = way(result)
    assert np.array_equal(there.normal_force, result.normal_force)
    assert np.array_equal(there.friction_force, result.friction_force)
    assert np.array_equal(there.kinetic_energy, result.kinetic_energy)
    assert there.warnings == () or str(there.warnings[0]) == str(result.warnings[0])
    event = way(result.events[3])
    assert event.contacts == result.events[3].contacts
    assert np.array_equal(event.x_plus, result.events[3].x_plus)
    assert way(result.events.impacts).t.tolist() == result.events.impacts.t.tolist()
    assert pickle.loads(pickle.dumps(there)).table() == result.table()


@pytest.mark.parametrize("value", [2.0, Interpolated([0.0, 0.5, 1.0], [1.0, 3.0, 0.0])], ids=["number", "data"])
def test_a_run_with_inputs_travels(value):
    case = ball(load=FORCE)
    result = case.model.simulate((0, 1), [1.0, 0.0], case.parameters(g=9.81), inputs={FORCE: value})
    there = pickle.loads(pickle.dumps(result))
    assert same(result, there)
    assert np.array_equal(there.kinetic_energy, result.kinetic_energy)
    assert np.array_equal(there.normal_force, result.normal_force)


def test_a_run_of_islands_and_one_on_request_at_times_travel():
    model, start, numbers = dice_beside_each_other([0, 1], mu=0.0)
    result = model.simulate((0, 0.7), start, numbers)
    there = pickle.loads(pickle.dumps(result))
    assert same(result, there)
    assert np.array_equal(there.normal_force, result.normal_force)
    wanted = models.bouncing_ball().simulate(t_eval=[0.1, 0.2])
    assert np.array_equal(pickle.loads(pickle.dumps(wanted)).x, wanted.x)


def test_a_compiled_model_travels_and_one_with_inputs_is_told():
    ready = models.pendulum()
    compiled = ready.model.compile()
    there = pickle.loads(pickle.dumps(compiled))
    x, p = compiled.state(ready.start), compiled.parameters(ready.parameters)
    assert np.array_equal(there.flow(0.0, x, p), compiled.flow(0.0, x, p))
    assert same(there.simulate((0, 1), x, p), compiled.simulate((0, 1), x, p))
    with pytest.raises(TypeError, match="this CompiledModel cannot travel"):
        pickle.dumps(models.tumbling_cube().model.turning.model.compiled)


def test_processes_travel_by_their_functions_or_expressions():
    plain = HybridSystem({"up": flow}, [Transition("up", "up", boundary=ground, jump=bounce)], states=["y", "v"])
    y, v, g = sm.symbols("y v g")
    edge = Transition("up", "up", boundary=-y, jump={v: -v / 2}, name="floor")
    symbolic = HybridSystem.from_sympy({"up": [v, -g]}, [edge], states=[y, v], parameters=[g])
    for process, parameters in ((plain, None), (symbolic, {g: 10.0})):
        for way in WAYS.values():
            result = process.simulate((0, 1.2), [5.0, 0.0], start="up", parameters=parameters)
            assert same(result, way(process).simulate((0, 1.2), [5.0, 0.0], start="up", parameters=parameters))
            assert same(result, way(result))
    assert np.array_equal(pickle.loads(pickle.dumps(result))[v**2 / 2 + g * y], result[v**2 / 2 + g * y])


def test_what_cannot_travel_is_named():
    process = HybridSystem({"up": lambda t, x: [1.0]}, [])
    with pytest.raises(TypeError, match=r"the flow of stage 'up', '<lambda>', cannot travel .* with def at the top"):
        pickle.dumps(process)
    assert copy.deepcopy(process).stages == process.stages
    law = CustomLaw(lambda *numbers: 0.0)
    with pytest.raises(TypeError, match="the function of CustomLaw, '<lambda>', cannot travel"):
        pickle.dumps(law)
    result = process.simulate((0, 1), [0.0], start="up")
    assert same(result, pickle.loads(pickle.dumps(result))), "the run of plain functions is numbers alone"


def test_functions_of_a_run_that_cannot_travel_are_named():
    command, plain = FORCE, ball(load=FORCE)
    model, numbers = plain.model, plain.parameters(g=9.81)
    options = {
        "the law of the controller 'thrust'": {
            "controllers": [Controller(every=0.1, law=lambda t, x, m: [1.0], commands=[command], name="thrust")]
        },
        "the law of Sampled": {"inputs": {command: Sampled(0.1, lambda t: 1.0)}},
        r"the input F\(t\)": {"inputs": {command: lambda t: 1.0}},
        "the event 'low'": {"inputs": {command: 1.0}, "events": {"low": lambda t, x: x[0] - 0.5}},
    }
    for name, given in options.items():
        result = model.simulate((0, 0.3), [1.0, 0.0], numbers, **given)
        with pytest.raises(
            TypeError, match=f"{name}, '<lambda>', cannot travel to another process; define it with def"
        ):
            pickle.dumps(result)
        assert same(copy.deepcopy(result), result)
    jumps = [Transition(boundary=lambda t, x: x[0] - 2.0, jump=lambda t, x: x, name="leap")]
    with pytest.raises(TypeError, match="the boundary of transition 'leap', '<lambda>', cannot travel"):
        pickle.dumps(HybridModel(model.source, model.contacts, transitions=jumps))


def test_a_run_with_events_of_its_own_travels():
    case = ball(load=FORCE)
    (z, v) = case.model.x
    events = {"apex": Crossing(v, -1), "low": z < 0.5}
    given = {"inputs": {FORCE: 1.0}, "events": events}
    result = case.model.simulate((0, 1), [1.0, 2.0], case.parameters(g=9.81), **given)
    there = pickle.loads(pickle.dumps(result))
    assert same(result, there)
    assert np.array_equal(there[v**2], result[v**2])
    assert np.array_equal(there.events["apex"].t, result.events["apex"].t)


@pytest.mark.parametrize("forced", [False, True])
def test_a_run_that_keeps_its_events_travels_with_its_times(forced):
    """Its samples are those of events and of `t_eval`, so that the run that is made again has to know the times."""
    case, given = (ball(load=FORCE), {"inputs": {FORCE: 1.0}}) if forced else (ball(), {})
    v, times = case.model.u[0], [0.1, 0.7, 2]
    result = case.model.simulate((0, 2), [1.0, 2.0], case.parameters(g=9.81), keep="events", t_eval=times, **given)
    there = pickle.loads(pickle.dumps(result))
    assert np.array_equal(there.t, result.t)
    assert np.array_equal(there.x, result.x)
    assert np.array_equal(there[v**2], result[v**2])
    assert np.array_equal(there.kinetic_energy, result.kinetic_energy)


def test_a_pickle_that_does_not_know_a_number_of_events_is_read():
    """As one of an earlier version: the number is NaN, and a run that goes on has its own."""
    ready = models.bouncing_ball()
    model, numbers = ready.model, ready.parameters
    result = model.simulate((0, 1), ready.start, numbers)
    there = pickle.loads(pickle.dumps(result))
    record = there._run.piece.record
    known = [name for name in record.event_numbers.dtype.names if name != "approach"]
    object.__setattr__(record, "event_numbers", record.event_numbers[known])
    assert np.isnan(there.events.columns()["approach"]).all()
    assert there.events[0].energy == result.events[0].energy
    whole = there + model.simulate((1, 2), result, numbers)
    own = (result + model.simulate((1, 2), result, numbers)).events.columns()
    assert np.array_equal(whole.events.columns()["energy"], own["energy"])
    assert np.array_equal(whole.events.columns()["approach"][1:], own["approach"][1:])


def test_a_run_that_cannot_be_repeated_says_so(monkeypatch):
    ball = models.bouncing_ball()
    there = pickle.loads(pickle.dumps(ball.model.simulate(ball.t_span, ball.start, ball.parameters)))
    origin = there._run.origin
    other = Origin(origin.simulate, (origin.arguments[0], (0.0, 1.0), *origin.arguments[2:]), origin.options)
    there._run.origin = other
    with pytest.raises(RuntimeError, match="has other bits than the one that travelled"):
        _ = there.kinetic_energy
    assert there.t[-1] == 5.0, "the numbers are there"


@pytest.mark.slow
@pytest.mark.as_machine_code
def test_models_travel_to_new_processes():
    """In a quick run `test_ensemble_executors` sends models to such processes."""
    ready = models.tumbling_cube()
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        there = pool.submit(states_of, ready).result(timeout=300)
    assert np.array_equal(there, states_of(ready))


def test_an_ensemble_travels():
    found = ensemble(models.bouncing_ball(), (0, 1), {"z": np.array([1.0, 2.0])})
    there = pickle.loads(pickle.dumps(found))
    assert np.array_equal(there.x, found.x)
    assert np.array_equal(there.events.t, found.events.t)
    assert same(there[1], found[1])
