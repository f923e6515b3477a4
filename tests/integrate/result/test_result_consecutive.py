"""Consecutive runs as one: the numbers are those of one long run, and of the two runs wherever each of them was."""

from __future__ import annotations

import tempfile
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
import sympy as sm
from dropped_ball import dropped_ball
from quick_members import members
from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

import sympact
from sympact import HybridModel, HybridSystem, Transition, models

READY = ("bouncing_ball", "two_links", "rod_on_wall", "tumbling_cube", "dice", "belt_oscillator", "rimless_wheel")


PAGES = ("bouncing_ball", "tumbling_cube", "belt_oscillator")


@cache
def ready_model(name):
    return getattr(models, name)()


@cache
def split(name):
    """A run of a ready model in two parts."""
    ready = ready_model(name)
    start, end = ready.t_span
    middle = start + 0.4 * (end - start)
    first = ready.model.simulate((start, middle), ready.start, ready.parameters)
    return first, ready.model.simulate((middle, end), first(middle), ready.parameters)


@pytest.mark.parametrize("name", members(READY, slow=["dice"]))
def test_joined_runs_have_the_events_of_one_long_run(name):
    (first, second), whole = split(name), ready_model(name).simulate()
    joined = first + second
    assert joined.t_span == whole.t_span
    assert joined.status is second.status
    # a restart among impacts that accumulate delays by some of them when that is found
    assert [kind for kind, _ in groupby(joined.events.kinds())] == [kind for kind, _ in groupby(whole.events.kinds())]
    assert joined.path == whole.path
    # an event after many impacts amplifies the error of the steps, rtol = 1e-9
    np.testing.assert_allclose(joined.events.t[:20], whole.events.t[:20], rtol=1e-6)
    np.testing.assert_allclose(
        [node["time"] for _, node in joined.modes.nodes(data=True)],
        [node["time"] for _, node in whole.modes.nodes(data=True)],
        atol=1e-5 * whole.t_span[1],
    )
    assert joined.steps == first.steps + second.steps


@pytest.mark.parametrize("name", members(PAGES, slow=("tumbling_cube", "belt_oscillator")))
def test_joined_runs_have_a_report(name):
    first, second = split(name)
    assert "<h1>" in _report(first + second)


def _report(result) -> str:
    with tempfile.TemporaryDirectory() as folder:
        result.report(f"{folder}/joined.html")
        return Path(folder, "joined.html").read_text(encoding="utf-8")


def test_steps_of_one_size_give_the_numbers_of_one_long_run():
    """With steps of 1/64 s the parts have the same steps as the whole, to the last bit."""
    ground, block = RigidBody("ground"), Particle("block", mass=1)
    system = System.from_newtonian(ground)
    x, v = dynamicsymbols("x v")
    system.add_joints(PrismaticJoint("rail", ground, block, x, v, joint_axis=ground.x))
    system.add_loads((block.masscenter, -sm.sin(x) * ground.x))
    model = HybridModel(system, [])
    options = {"method": "RK4", "max_step": 1 / 64}
    whole = model.simulate((0, 4), [1.0, 0.5], {}, **options)
    first = model.simulate((0, 1.5), [1.0, 0.5], {}, **options)
    joined = first + model.simulate((1.5, 4), first.x[:, -1], {}, **options)
    assert np.array_equal(joined.t, whole.t)
    assert np.array_equal(joined.x, whole.x)
    times = np.linspace(0, 4, 333)
    assert np.array_equal(joined(times), whole(times))
    # the work is a sum of the same numbers in another order
    np.testing.assert_allclose(joined.work.total, whole.work.total, rtol=0, atol=1e-15 * 4 * len(whole.t))


@pytest.mark.parametrize("name", READY)
def test_each_quantity_is_that_of_its_run(name):
    first, second = split(name)
    joined = first + second
    for part, inside in [(first, joined.t < first.t_span[1]), (second, joined.t > first.t_span[1])]:
        own = (part.t < first.t_span[1]) if part is first else (part.t > first.t_span[1])
        for quantity in ("kinetic_energy", "potential_energy", "normal_force", "gaps"):
            assert np.array_equal(getattr(joined, quantity)[..., inside], getattr(part, quantity)[..., own]), quantity
        assert np.array_equal(joined.x[:, inside], part.x[:, own])
        assert np.array_equal(joined.friction_force[..., inside], part.friction_force[..., own])
    middle = first.t_span[1]
    assert np.array_equal(joined.normal_force_at([middle / 3]), first.normal_force_at([middle / 3]))
    np.testing.assert_array_equal(joined(middle, side="left"), first.x[:, -1])
    change = joined.energy - joined.work.total
    booked = np.nansum(joined.events.columns()["energy"])
    assert change[-1] - change[0] == pytest.approx(booked, abs=1e-7 * max(1.0, np.abs(joined.energy).max()))


@pytest.mark.parametrize("name", READY)
def test_a_file_of_joined_runs_is_read_back(name, tmp_path):
    first, second = split(name)
    joined = first + second
    joined.save(tmp_path / "joined.npz")
    read = sympact.load(tmp_path / "joined.npz")
    times = np.linspace(*joined.t_span, 101)
    assert np.array_equal(read.x, joined.x)
    assert np.array_equal(read(times), joined(times))
    assert read.path == joined.path
    assert np.array_equal(read.energy, joined.energy)
    first.save(tmp_path / "first.npz")
    later = sympact.load(tmp_path / "first.npz") + second
    assert np.array_equal(later.x, joined.x)


def test_three_runs_with_other_inputs_and_methods():
    ground, block = RigidBody("ground"), Particle("block", mass=2)
    system = System.from_newtonian(ground)
    x, v, force = dynamicsymbols("x v F")
    system.add_joints(PrismaticJoint("rail", ground, block, x, v, joint_axis=ground.x))
    system.add_loads((block.masscenter, force * ground.x))
    model = HybridModel(system, [], outputs={"power": force * v})
    parts, start = [], [0.0, 0.0]
    for k, (law, method) in enumerate([(1.0, "DOP853"), (lambda t: -t, "RK45"), (sm.sin(x), "RadauIIA")]):
        parts.append(model.simulate((k, k + 1), start, {}, inputs={force: law}, method=method))
        start = parts[-1].x[:, -1]
    joined = sum(parts[1:], parts[0])
    assert joined.settings["method"] == "DOP853, then RK45, then RadauIIA"
    assert joined.settings["t_span"] == [0.0, 3.0]
    first, second = joined.t < 1.0, (joined.t > 1.0) & (joined.t < 2.0)
    assert (joined[force][first] == 1.0).all()
    np.testing.assert_array_equal(joined[force][second], -joined.t[second])
    np.testing.assert_allclose(joined[v.diff()][second], -joined.t[second] / 2, rtol=1e-15)
    np.testing.assert_allclose(joined.work.total, joined.kinetic_energy, atol=1e-9)
    assert np.array_equal(joined["power"], (joined[force] * joined[v]))
    figure = joined.plot("energy", "states")
    assert len(figure.axes) > 3


def test_processes_are_joined():
    system = HybridSystem(
        flows={"on": lambda t, x: [2.0], "off": lambda t, x: [-1.0]},
        transitions=[
            Transition("on", "off", boundary=lambda t, x: x[0] - 22.0),
            Transition("off", "on", boundary=lambda t, x: 20.0 - x[0]),
        ],
    )
    whole = system.simulate((0, 5), [21.0], start="on")
    first = system.simulate((0, 2), [21.0], start="on")
    joined = first + system.simulate((2, 5), first(2.0), start="off")
    assert joined.path == whole.path
    np.testing.assert_allclose(joined.events.t, whole.events.t, atol=1e-12)


def test_runs_that_do_not_follow_are_refused():
    ball = models.bouncing_ball()
    first = ball.model.simulate((0, 1), ball.start, ball.parameters)
    with pytest.raises(ValueError, match=r"the first ends at t = 1, the second starts at t = 2"):
        first + ball.model.simulate((2, 3), first(1.0), ball.parameters)
    with pytest.raises(ValueError, match=r"the state 0 is .* at the end of the first and 5 at the start of the second"):
        first + ball.model.simulate((1, 2), [5.0, 0.0], ball.parameters)
    moon = {symbol: 1.62 if symbol.name == "g" else value for symbol, value in ball.parameters.items()}
    with pytest.raises(ValueError, match=r"the parameter g is 9.81 in the first and 1.62 in the second"):
        first + ball.model.simulate((1, 2), first(1.0), moon)
    with pytest.raises(ValueError, match=r"the first has the states"):
        first + models.two_links().simulate()
    with pytest.raises(ValueError, match=r"the first has the states"):
        first + dropped_ball()
    with pytest.raises(TypeError):
        first + 1.0
