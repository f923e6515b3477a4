"""Processes that are stepped from outside: the events of one run, saved runs, what is refused."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
import sympy as sm
from quick_members import members

from sympact import HybridSystem, Status, Stop, Transition, load

y, v, g, e = sm.symbols("y v g e")


def ball():
    """A ball that bounces, with symbols."""
    bounce = Transition("air", "air", boundary=-y, jump={v: -e * v}, name="floor")
    return (
        HybridSystem.from_sympy({"air": [v, -g]}, [bounce], states=[y, v], parameters=[g, e]),
        [1.0, 0.0],
        [9.81, 0.8],
    )


def thermostat():
    """Two stages of plain functions."""
    flows = {"on": lambda t, x: [2.0 - 0.1 * x[0]], "off": lambda t, x: [-0.1 * x[0]]}
    edges = [
        Transition("on", "off", boundary=lambda t, x: x[0] - 10.0),
        Transition("off", "on", boundary=lambda t, x: 9.0 - x[0]),
    ]
    return HybridSystem(flows, edges), [9.5], None


PROCESSES = {"ball": (ball, "air"), "thermostat": (thermostat, "on")}


@pytest.mark.parametrize("name", PROCESSES)
def test_events_of_steps_are_those_of_a_run(name):
    make, start = PROCESSES[name]
    process, x0, parameters = make()
    run, met = process.stepper(x0, parameters, start=start), []
    for _ in range(150):
        run.step(0.013)
        met += [event.t for event in run.events]
    whole = process.simulate((0, run.t), x0, parameters, start=start)
    assert len(met) > 1
    assert np.allclose(met, [event.t for event in whole.events], rtol=1e-9)
    assert np.allclose(run.x, whole.x[:, -1], atol=1e-8)
    assert run.result.path == whole.path


@pytest.mark.parametrize("name", PROCESSES)
def test_a_saved_process_goes_on_with_the_same_bits(name):
    make, start = PROCESSES[name]
    process, x0, parameters = make()
    run = process.stepper(x0, parameters, start=start, t_end=5.0)
    for k in range(80):
        if k == 37:
            saved = run.save()
        run.step(0.02)
    other = process.stepper(x0, parameters, start=start, t_end=5.0)
    other.restore(pickle.loads(pickle.dumps(saved)) if name == "ball" else saved)
    for _ in range(37, 80):
        other.step(0.02)
    assert np.array_equal(other.x, run.x)
    assert np.array_equal(other.result.x, run.result.x)
    run.restore(saved)
    assert run.t < other.t


def test_the_end_and_a_stop():
    process, x0, parameters = ball()
    run = process.stepper(x0, parameters, start="air", t_end=0.05)
    assert [run.step(0.03), run.step(0.03), run.step(0.03)] == [None, Status.FINISHED, Status.FINISHED]
    run = process.stepper(x0, parameters, start="air", events={"low": Stop(y - sm.Rational(1, 2))})
    while run.step(0.05) is None:
        pass
    assert run.status is Status.STOPPED
    assert np.isclose(run["y"], 0.5)
    assert np.isclose(run[y * v], run.x[0] * run.x[1])


LAW = {10: {g: 3.0}, 25: {g: 20.0, "e": 0.9}, 60: {e: 0.85}, 61: {g: 9.81}}
"""The parameters that a step gives."""


def stepped(run, steps=range(90)):
    """The times of the events of these steps."""
    met = []
    for k in steps:
        run.step(0.02, LAW.get(k))
        met += [event.t for event in run.events]
    return met


def test_parameters_change_between_steps():
    """As runs of their own, each with its parameters, that go on from each other."""
    process, x0, parameters = ball()
    run = process.stepper(x0, parameters, start="air")
    met, present, ends = stepped(run), dict(zip((g, e), parameters, strict=True)), [*LAW, 90]
    part, times = process.simulate((0, 0.2), x0, parameters, start="air"), []
    times += [event.t for event in part.events]
    for first, last in pairwise(ends):
        present |= {{"e": e}.get(key, key): value for key, value in LAW[first].items()}
        span = part.t_span[1], 0.02 * last
        part = process.simulate(span, part, [present[g], present[e]])
        times += [event.t for event in part.events]
    assert len(met) > 3
    np.testing.assert_allclose(met, times, rtol=1e-9)
    np.testing.assert_allclose(run.x, part.x[:, -1], atol=1e-8)
    assert (run[g], run[e]) == (9.81, 0.85)


def test_a_result_has_the_parameters_of_its_times(tmp_path):
    process, x0, parameters = ball()
    run = process.stepper(x0, parameters, start="air")
    stepped(run)
    result, energy = run.result, v**2 / 2 + g * y
    expected = np.select([result.t < 0.2, result.t < 0.5, result.t < 1.22], [9.81, 3.0, 20.0], 9.81)
    inside = ~np.isin(result.t.round(9), [0.2, 0.5, 1.22])
    assert np.array_equal(result[g][inside], expected[inside])
    np.testing.assert_allclose(result[energy], result["v"] ** 2 / 2 + result[g] * result["y"], rtol=1e-15)
    assert result.t_span == (0.0, run.t)
    result.save(tmp_path / "ball.npz")
    again = load(tmp_path / "ball.npz", model=process)
    assert np.array_equal(again[energy], result[energy])
    assert np.array_equal(again(result.t), result(result.t))


@pytest.mark.parametrize("record", [True, False])
@pytest.mark.parametrize("at", members([5, 26, 61, 80], slow=[26, 61]))
def test_a_saved_process_goes_on_after_its_parameters_have_changed(record, at):
    process, x0, parameters = ball()
    run = process.stepper(x0, parameters, start="air", record=record)
    stepped(run, range(at))
    saved = pickle.loads(pickle.dumps(run.save()))
    met = stepped(run, range(at, 90))
    other = ball()[0].stepper([2.0, 1.0], [1.0, 0.1], start="air", record=record)
    other.restore(saved)
    assert stepped(other, range(at, 90)) == met
    assert np.array_equal(other.x, run.x)
    assert other[g * y] == run[g * y]
    if record:
        assert np.array_equal(other.result.x, run.result.x)
        assert np.array_equal(other.result[g * v], run.result[g * v])
    assert stepped(other.reset()) == stepped(run.reset())
    assert np.array_equal(other.x, run.x)


def test_parameters_may_change_before_the_first_step():
    process, x0, parameters = ball()
    run, other = process.stepper(x0, parameters, start="air"), process.stepper(x0, [3.0, 0.8], start="air")
    run.step(0.5, {g: 3.0}), other.step(0.5)
    assert np.array_equal(run.x, other.x)
    run.reset().step(0.1)
    assert run[g] == 9.81


def test_a_boundary_that_parameters_move_beyond_the_state_ends_the_run_as_at_a_start():
    """The floor is raised above the ball: no motion has crossed it."""
    h = sm.Symbol("h")
    land = Transition("air", "ground", boundary=h - y, jump={y: h, v: 0}, name="landing")
    process = HybridSystem.from_sympy({"air": [v, -1], "ground": [0, 0]}, [land], states=[y, v], parameters=[h])
    run = process.stepper([1.0, 0.0], [0.0], start="air")
    run.step(0.5)
    assert run.n_events == 0
    run.step(0.5, {h: 0.95})
    part = process.simulate((0, 0.5), [1.0, 0.0], [0.0], start="air")
    after = process.simulate((0.5, 1.0), part, [0.95])
    assert run.status is after.status is Status.BEYOND_BOUNDARY
    assert np.array_equal(run.x, after.x[:, -1])
    assert run.result.message == after.message


def test_what_is_refused():
    process, x0, parameters = ball()
    run = process.stepper(x0, parameters, start="air")
    run.step(0.1)
    with pytest.raises(ValueError, match=r"'h' is no parameter of the process; expected some of \['g', 'e'\]"):
        run.step(0.1, {"h": 1.0})
    for wrong in (np.nan, "1", None, 1j):
        with pytest.raises(ValueError, match=r"the parameter e is .*, expected a finite number"):
            run.step(0.1, {g: 1.0, e: wrong})
    assert run.t == pytest.approx(0.1)
    assert run[g] == 9.81
    with pytest.raises(ValueError, match="Python functions take none"):
        thermostat()[0].stepper([9.5], start="on").step(0.1, {0: 1.0})
    with pytest.raises(KeyError, match="there is no state 'z'"):
        run["z"]
    other, x0, _ = thermostat()
    with pytest.raises(ValueError, match="the saved run is one of another model"):
        other.stepper(x0, start="on").restore(run.save())
