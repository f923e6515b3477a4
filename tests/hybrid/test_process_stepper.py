"""Processes that are stepped from outside: the events of one run, saved runs, what is refused."""

import pickle

import numpy as np
import pytest
import sympy as sm

from sympact import HybridSystem, Status, Stop, Transition

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


def test_what_is_refused():
    process, x0, parameters = ball()
    run = process.stepper(x0, parameters, start="air")
    run.step(0.1)
    with pytest.raises(ValueError, match="its parameters are those of the whole run"):
        run.step(0.1, {g: 1.0})
    with pytest.raises(KeyError, match="there is no state 'z'"):
        run["z"]
    other, x0, _ = thermostat()
    with pytest.raises(ValueError, match="the saved run is one of another model"):
        other.stepper(x0, start="on").restore(run.save())
