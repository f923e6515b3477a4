"""Runs read from files with what they were given: inputs, controllers and events, without giving them again.

The truth is the run itself: the same bits, and the same commands.
"""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest
import sympy as sm
from contact_models import ball
from scipy.interpolate import CubicSpline
from sympy.physics.mechanics import dynamicsymbols

import sympact
from sympact import Controller, Crossing, HybridModel, Interpolated, NormalForce, Sampled, Stop
from sympact.integrate.export.archive import _checksum

FORCE, MEMORY, T = dynamicsymbols("F"), sm.Symbol("kept"), dynamicsymbols._t
TIMES = np.linspace(0.0, 1.0, 9)


@pytest.fixture(scope="module")
def case():
    return ball(load=FORCE)


def run(case, **given):
    """A ball that a force lifts."""
    return case.model.simulate((0, 1), [1.0, 0.5], case.parameters(g=9.81, e=0.7), **given)


def read(result, tmp_path, **options):
    result.save(tmp_path / "run.npz")
    return sympact.load(tmp_path / "run.npz", **options)


def values(case):
    """Inputs of every kind that a file contains."""
    z, v = case.model.x
    return {
        "number": 1.25,
        "zero": 0.0,
        "rational": sm.Rational(1, 3),
        "numpy": np.float64(0.1),
        "expression": 2 - sm.cos(3 * T) - v / 7 + sm.Max(z, 0.25) * case.model.parameters[0],
        "linear": Interpolated(TIMES, np.sin(9 * TIMES)),
        "cubic": Interpolated(TIMES, np.sin(9 * TIMES), kind="cubic"),
        "spline": CubicSpline(TIMES, np.cos(9 * TIMES)),
        "sampled": Sampled(0.1, -8.0 * z - 2.0 * v, delay=0.05, quantum=0.25, limits=(-3, 1.0)),
    }


@pytest.mark.parametrize(
    "kind", ["number", "zero", "rational", "numpy", "expression", "linear", "cubic", "spline", "sampled"]
)
def test_inputs_are_in_the_file(case, tmp_path, kind):
    result = run(case, inputs={FORCE: values(case)[kind]})
    again = read(result, tmp_path, model=case.model)
    for key in (FORCE, case.model.x[1].diff(), FORCE * case.model.x[0]):
        assert np.array_equal(again[key], result[key])
    assert np.array_equal(again.work.total, result.work.total)
    twice = read(again, tmp_path, model=case.model)
    assert np.array_equal(twice[FORCE], result[FORCE])


def test_controllers_are_in_the_file_and_a_run_goes_on_with_them(case, tmp_path):
    z, v = case.model.x
    law = {FORCE: 4.0 * (1 - z) + 2.0 * MEMORY, MEMORY: MEMORY + 0.1 * (1 - z)}
    motor = Controller(every=0.1, law=law, memory={MEMORY: 0.25}, delay=0.05, limits={FORCE: (-2, 9)}, name="motor")
    at = Controller(at=[0.25, 0.5], record=True, name="clock")
    result = run(case, controllers=[motor, at])
    again = read(result, tmp_path, model=case.model)
    for key in (FORCE, MEMORY, v.diff()):
        assert np.array_equal(again[key], result[key])
    goes = [
        case.model.simulate((1, 1.5), one, case.parameters(g=9.81, e=0.7), controllers=[motor, at])
        for one in (result, again)
    ]
    assert np.array_equal(goes[0].x, goes[1].x)
    joined = read(result + goes[0], tmp_path, model=case.model)
    assert np.array_equal(joined[FORCE], (result + goes[0])[FORCE])


def test_events_are_in_the_file(case, tmp_path):
    z, v = case.model.x
    contact = NormalForce(case.model.contacts[0])
    events = {"apex": Crossing(v, -1), "low": z < 0.5, "far": Stop(z - 5, occurrences=2), "pressed": contact > 3}
    for given in ({"inputs": {FORCE: 1.0 - z}}, {"inputs": {FORCE: 0.0}}):
        result = run(case, events=events, **given)
        again = read(result, tmp_path, model=case.model)
        assert np.array_equal(again.events["apex"].t, result.events["apex"].t)
        assert len(again.events["low"]) > 0
        assert np.array_equal(again[v.diff()], result[v.diff()])
        assert np.array_equal(again.normal_force, result.normal_force)
        assert np.array_equal(read(again, tmp_path, model=case.model.watching(events))[z], result[z])
    within = case.model.watching({"low": z < 0.5})
    result = within.simulate((0, 1), [1, 0], case.parameters(g=9.81), inputs={FORCE: 0.5}, events={"apex": v})
    for model in (case.model, within, within.watching({"apex": v})):
        assert np.array_equal(read(result, tmp_path, model=model)[FORCE], result[FORCE])
    free = sympact.models.bouncing_ball()
    (u,) = free.model.u
    result = free.model.simulate((0, 1), free.start, free.parameters, events={"apex": Crossing(u, -1)})
    assert np.array_equal(read(result, tmp_path, model=free)[u.diff()], result[u.diff()])


def test_functions_are_named_with_the_call_that_gives_them(case, tmp_path):
    z, _ = case.model.x
    thrust = {FORCE: lambda t: 1.0 + t}
    result = run(case, inputs=thrust)
    with pytest.raises(
        ValueError, match=r"the input F\(t\) of the run .*: load\(path, model=model, inputs=\{F\(t\): \.\.\.\}"
    ):
        read(result, tmp_path, model=case.model)
    assert np.array_equal(read(result, tmp_path, model=case.model, inputs=thrust)[FORCE], result[FORCE])
    acting = [Controller(every=0.1, law=lambda t, x, memory: [t], commands=[FORCE])]
    result = run(case, controllers=acting)
    with pytest.raises(
        ValueError, match=r"a controller of the run .*load\(path, model=model, controllers=\[\.\.\.\]\)"
    ):
        read(result, tmp_path, model=case.model)
    assert np.array_equal(read(result, tmp_path, model=case.model, controllers=acting)[FORCE], result[FORCE])
    events = {"low": lambda t, x: x[0] - 0.5}
    result = run(case, inputs={FORCE: 1.0}, events=events)
    with pytest.raises(ValueError, match=r"the event 'low' of the run .*load\(path, model=model\.watching\(events\)\)"):
        read(result, tmp_path, model=case.model)
    assert np.array_equal(read(result, tmp_path, model=case.model.watching(events))[z], result[z])


def changed(path, change) -> None:
    """The file with another header, and with the checksum of that."""
    with np.load(path) as found:
        arrays = {name: found[name] for name in found.files if name != "checksum"}
    header = json.loads(str(arrays["header"]))
    change(header["model"], arrays)
    arrays["header"] = np.array(json.dumps(header))
    np.savez(path, checksum=np.array(_checksum(arrays)), **arrays)


def put(*keys, value):
    def change(model, arrays):
        for key in keys[:-1]:
            model = model[key]
        model[keys[-1]] = value

    return change


ATTACKS = {
    "a name": put("given", "rows", 0, value=["__import__", "os"]),
    "a text": put("given", "rows", 0, value=["sympify", "__import__('os').abort()"]),
    "rows": put("given", "rows", value="__import__('os').abort()"),
    "no rows": put("given", "rows", value=None),
    "no inputs": put("given", "inputs", value=7),
    "a value": put("given", "inputs", 0, value=[0, {"row": "0"}]),
    "a negative row": put("given", "inputs", 0, value=[0, {"row": -1}]),
    "another letter": put("given", "inputs", 0, value=[1, {"row": 1}]),
    "an array": put("given", "inputs", 0, value=[0, {"times": {"array of the file": "header", "shape": []}}]),
    "a shape": put("given", "inputs", 0, value=[0, {"times": {"array of the file": "stored_0", "shape": [10**12]}}]),
    "a member": lambda model, arrays: arrays.update(stored_5=np.array(["text"])),
    "controllers": put("given", "controllers", value=[{"every": "0x1p-3"}]),
    "given": put("given", value=[1, 2]),
    "events": put("watched", value={"of": 1}),
    "an event": put("watched", 0, "events", 0, value=["apex", 10**6, 1, 0, 0]),
    "an event's rows": put("watched", 0, "rows", 0, value=["eval", "1"]),
    "a sense": put("watched", 0, "events", 0, 2, value=17),
    "a force": put("watched", 0, "forces", value=[["a", "b", "c"]]),
    "a deep list": put("given", "inputs", value=json.loads("[" * 900 + "]" * 900)),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_file_is_refused_by_a_sentence(case, tmp_path, attack):
    path = tmp_path / "run.npz"
    data = Interpolated(TIMES, np.sin(TIMES))
    run(case, inputs={FORCE: data}, events={"apex": case.model.x[1]}).save(path)
    changed(path, ATTACKS[attack])
    with pytest.raises(ValueError, match=r"run\.npz|in the file|match the model|are unreadable"):
        sympact.load(path, model=case.model)


def test_the_signature_has_no_private_default():
    assert len(str(inspect.signature(sympact.load))) < 250
    assert "Evaluator" not in str(inspect.signature(sympact.load))
    assert HybridModel.restored.__doc__
