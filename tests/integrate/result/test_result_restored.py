"""Runs read from files together with their models: the same bits as before they were saved."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
import sympy as sm
from quick_members import members
from sympy.physics.mechanics import Particle, PinJoint, PrismaticJoint, RigidBody, System, dynamicsymbols, inertia

import sympact
from sympact import Contact, Count, HybridModel, HybridSystem, Interpolated, Plane, Transition, models

CONTACTS = ("rod_on_wall", "two_links", "belt_oscillator", "tumbling_cube", "dice", "rolling_ball", "rimless_wheel")
PAGES = ("rod_on_wall", "tumbling_cube", "mass_spring_damper")
"""Those whose reports are compared."""

WITHOUT = ("pendulum", "cart_pole", "mass_spring_damper", "kane_pendulum")


def saved(result, tmp_path, **options):
    """The run read back."""
    result.save(tmp_path / "run.npz")
    return sympact.load(tmp_path / "run.npz", **options)


@pytest.mark.parametrize("name", members(CONTACTS + WITHOUT, slow=("dice", "rimless_wheel", "pendulum")))
def test_a_run_with_its_model_has_the_same_bits(name, tmp_path):
    ready = getattr(models, name)()
    result = ready.simulate()
    again = saved(result, tmp_path, model=ready)
    times = np.linspace(*result.t_span, 57)
    for quantity in ("kinetic_energy", "potential_energy", "gaps"):
        assert np.array_equal(getattr(again, quantity), getattr(result, quantity)), quantity
    if ready.model.contacts:
        for quantity in ("normal_force", "friction_force"):
            assert np.array_equal(getattr(again, quantity), getattr(result, quantity)), quantity
        assert np.array_equal(again.normal_force_at(times), result.normal_force_at(times))
    speed = ready.model.u[-1]
    assert np.array_equal(again[speed.diff()], result[speed.diff()])
    assert np.array_equal(again[speed**2], result[speed**2])
    assert np.array_equal(again.work.total, result.work.total)
    assert np.array_equal(again(times), result(times))
    twice = saved(again, tmp_path, model=ready.model)
    assert np.array_equal(twice[speed.diff()], result[speed.diff()])


@pytest.mark.parametrize("name", members(PAGES, slow=("rod_on_wall", "tumbling_cube")))
def test_its_report_is_the_same(name, tmp_path):
    ready = getattr(models, name)()
    result = ready.simulate()
    assert _page(saved(result, tmp_path, model=ready), tmp_path) == _page(result, tmp_path)


def _page(result, tmp_path) -> str:
    result.report(tmp_path / "report.html")
    return (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_file_that_was_read_without_the_model_is_saved_with_all_that_it_contains(tmp_path):
    ready = models.tumbling_cube()
    result = ready.simulate(observe={"impacts": Count()})
    twice = saved(saved(result, tmp_path), tmp_path)
    assert np.array_equal(twice.energy, result.energy)
    assert np.array_equal(twice.gaps, result.gaps)
    again = saved(twice, tmp_path, model=ready)
    assert twice.observed == again.observed == result.observed
    assert np.array_equal(again.normal_force, result.normal_force)


def test_islands_are_restored_to_rounding(tmp_path):
    ready = models.newtons_cradle()
    result = ready.simulate()
    again = saved(result, tmp_path, model=ready.model)
    assert np.array_equal(again.energy, result.energy)
    np.testing.assert_allclose(again.normal_force, result.normal_force, rtol=1e-9, atol=1e-9)


def test_a_restored_run_is_animated_and_joined(tmp_path):
    ready = models.rod_on_wall()
    start, end = ready.t_span
    middle = (start + end) / 2
    first = ready.model.simulate((start, middle), ready.start, ready.parameters)
    again = saved(first, tmp_path, model=ready.model)
    again.animate(tmp_path / "rod.gif", fps=5)
    assert (tmp_path / "rod.gif").stat().st_size > 1000
    second = ready.model.simulate((middle, end), again(middle), ready.parameters)
    joined = again + second
    assert np.array_equal(joined.normal_force, (first + second).normal_force)
    whole = saved(joined, tmp_path, model=ready.model)
    assert np.array_equal(whole.normal_force, joined.normal_force)
    assert np.array_equal(whole.work.total, joined.work.total)


@cache
def driven():
    """A block on a rail over a floor, pulled by a force that is an input, with constraints and joints to ask for."""
    ground, block, rod = RigidBody("ground"), Particle("block", mass=2), RigidBody("rod", mass=1)
    rod.central_inertia = inertia(rod.frame, 1, 1, 1)
    x, v, q, u, force = dynamicsymbols("x v q u F")
    system = System.from_newtonian(ground)
    system.add_joints(
        PrismaticJoint("rail", ground, block, x, v, joint_axis=ground.x),
        PinJoint("pin", ground, rod, q, u, child_point=rod.y, joint_axis=ground.z),
    )
    system.add_loads((block.masscenter, (force - v) * ground.x))
    system.apply_uniform_gravity(-9.81 * ground.y)
    wall = Contact(block.masscenter, Plane(ground.masscenter, ground.x), restitution=0.5, friction=0, name="wall")
    model = HybridModel(system, [wall], constraints=[sm.sin(q) - x / 10], outputs={"power": force * v, "pull": force})
    return model, force, v


@pytest.mark.parametrize("given", members(["expression", "data", "function"], slow=["expression"]))
def test_runs_with_inputs_are_restored_with_them(given, tmp_path):
    model, force, v = driven()
    time = dynamicsymbols._t
    data = Interpolated(np.linspace(0, 3, 7), [-3, 1, -4, 2, -6, 0, -3], kind="hold")
    law = {"expression": -3 - sm.cos(2 * time) - v / 7, "data": data, "function": lambda t: -3 - t}[given]
    start = model.assemble(dict(zip(model.x, [1.0, 0.1, 0.0, 0.0], strict=True)), {}, inputs={force: 0.0})
    result = model.simulate((0, 3), start, {}, inputs={force: law})
    assert len(result.events) > 1
    again = saved(result, tmp_path, model=model, **({"inputs": {force: law}} if given == "function" else {}))
    constraint = model.description.constraints[0].name
    assert np.array_equal(again.reaction[constraint], result.reaction[constraint])
    event = next(k for k, one in enumerate(result.events) if one.kind == "impact")
    impulses = [run.events[event].reaction_impulse[constraint] for run in (again, result)]
    assert np.array_equal(*impulses)
    assert np.array_equal(again["power"], result["power"])
    assert np.array_equal(again[v.diff()], result[v.diff()])
    assert np.array_equal(again.work.total, result.work.total)
    if given == "function":
        with pytest.raises(
            ValueError, match=r"the input F\(t\) of .* a Python function.*model=model, inputs={F\(t\): \.\.\."
        ):
            sympact.load(tmp_path / "run.npz", model=model)
    else:
        with pytest.raises(ValueError, match="the inputs are not those of the run in the file"):
            sympact.load(tmp_path / "run.npz", model=model, inputs={force: 1.5})


@pytest.mark.parametrize("given", members(["expression", "data", "function"], slow=["data"]))
def test_outputs_are_in_the_file(given, tmp_path):
    """Without the model: by name and as the expression, with the same bits."""
    model, force, v = driven()
    data = Interpolated([0, 1, 3], [-3, 1, -4], kind="linear")
    law = {"expression": -3 * sm.cos(dynamicsymbols._t), "data": data, "function": lambda t: -3 - t}[given]
    start = model.assemble(dict(zip(model.x, [1.0, 0.1, 0.0, 0.0], strict=True)), {}, inputs={force: 0.0})
    for times in (None, [0.0, 0.7, 2.0]):
        result = model.simulate((0, 3), start, {}, inputs={force: law}, t_eval=times)
        again = saved(result, tmp_path)
        assert again.output_names == result.output_names == ("power", "pull")
        for key in ("power", "pull", force * v, v * force):
            assert np.array_equal(again[key], result["pull" if key == "pull" else "power"])
        with pytest.raises(KeyError, match=r"no state and no output .*outputs .*power.*pull"):
            again["none"]
        with pytest.raises(TypeError, match=r"without a symbolic model.*outputs"):
            again[v**3]
        assert again.to_xarray()["power"].shape == result.t.shape


def test_symbolic_processes_are_restored(tmp_path):
    y, v, g, e = sm.symbols("y v g e")
    bounce = Transition("air", "air", boundary=-y, jump={v: -e * v}, name="ground")
    ball = HybridSystem.from_sympy({"air": [v, -g]}, [bounce], states=[y, v], parameters=[g, e])
    result = ball.simulate((0, 1.5), {y: 5, v: 0}, start="air", parameters={g: 10, e: 0.5})
    again = saved(result, tmp_path, model=ball)
    assert np.array_equal(again[y * g + v**2 / 2], result[y * g + v**2 / 2])
    other = HybridSystem.from_sympy({"air": [v, -2 * g]}, [bounce], states=[y, v], parameters=[g, e])
    with pytest.raises(ValueError, match="another process"):
        sympact.load(tmp_path / "run.npz", model=other)


def test_another_model_is_refused(tmp_path):
    ready = models.two_links()
    result = ready.simulate()
    with pytest.raises(ValueError, match="the run in the file is one of another model"):
        saved(result, tmp_path, model=models.rod_on_wall().model)
    with pytest.raises(TypeError, match="expected the HybridModel or the HybridSystem of the run"):
        sympact.load(tmp_path / "run.npz", model="two links")
    with pytest.raises(ValueError, match="inputs or controllers without a model"):
        sympact.load(tmp_path / "run.npz", inputs={sm.Symbol("F"): 1.0})
    assert sympact.load(tmp_path / "run.npz", model=models.two_links().model).normal_force.shape[0] == 1


@pytest.mark.parametrize("wrong", ["modes", "mode", "row"])
def test_modes_that_are_none_are_refused(wrong, tmp_path):
    """Anybody can write a file: what is copied into memory is checked first."""
    ready = models.rod_on_wall()
    result = ready.simulate()
    stored = json.loads(json.dumps(result._model.stored()))
    if wrong == "mode":
        numbers, arrays = stored["run"]["mode"]  # kernels that run as Python have guard words between the arrays
        stored["run"]["mode"] = [numbers, [10**6 if number in (0, 1) else number for number in arrays]]
    else:
        stored["modes"] = [[1, 99, 0, 0]] * 9 if wrong == "modes" else [[0]]
    with pytest.raises(ValueError, match="in the file"):
        ready.model.restored(stored, result._record, {})


def test_runs_with_events_of_their_own_and_with_sampled_inputs(tmp_path):
    model, force, v = driven()
    start = model.assemble(dict(zip(model.x, [1.0, 0.1, 0.0, 0.0], strict=True)), {}, inputs={force: 0.0})
    result = model.simulate((0, 2), start, {}, inputs={force: -3.0}, events={"apex": v})
    again = saved(result, tmp_path, model=model.watching({"apex": v}), inputs={force: -3.0})
    assert np.array_equal(again.events["apex"].t, result.events["apex"].t)
    assert np.array_equal(again.work.total, result.work.total)
    sampled = {force: sympact.Sampled(0.1, -3 - v)}
    result = model.simulate((0, 2), start, {}, inputs=sampled, observe={"force": sympact.Minimum(force)})
    booked = np.nansum(result.events.columns()["energy"])
    change = np.ptp((result.energy - result.work.total)[[0, -1]])
    assert change == pytest.approx(-booked, abs=1e-8)
    again = saved(result, tmp_path, model=model, inputs=sampled)
    times = np.linspace(0, 2, 57)
    assert np.array_equal(again[force], result[force])
    assert np.array_equal(again.work.total, result.work.total)
    assert np.array_equal(again(times), result(times))
    assert np.array_equal(saved(result, tmp_path)["power"], result["power"])
    for other, told in (
        ({force: -3.0}, "has sampled inputs or controllers; give inputs= and controllers="),
        ({force: sympact.Sampled(0.2, -3 - v)}, "the controllers are not those of the run in the file"),
    ):
        with pytest.raises(ValueError, match=told):
            saved(result, tmp_path, model=model, inputs=other)
