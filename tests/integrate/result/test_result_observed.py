"""What is observed of a run, and runs that keep the states at events alone: the numbers are those of whole runs."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sm
from quick_members import members
from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

import sympact
from sympact import Contact, Count, HybridModel, Integral, Interpolated, Maximum, Minimum, Plane, models

GRAVITY = 9.81


def oscillator():
    """x'' = -4 x of 1 kg, with a force that is an input."""
    ground, block = RigidBody("ground"), Particle("block", mass=1)
    x, v, force = dynamicsymbols("x v F")
    system = System.from_newtonian(ground)
    system.add_joints(PrismaticJoint("rail", ground, block, x, v, joint_axis=ground.x))
    system.add_loads((block.masscenter, (force - 4 * x) * ground.x))
    return HybridModel(system, []), x, v, force


def test_extremes_are_those_of_the_motion_and_not_of_the_samples():
    """x = cos 2 t with samples at any times; the extremes of x, v and x'' are 1, 2 and 4."""
    model, x, v, force = oscillator()
    observe = {"x": Minimum(x), "v": Maximum(v), "a": Maximum(v.diff()), "sum": Integral(v**2), "name": Maximum("v")}
    result = model.simulate((0, 3), [1.0, 0.0], {}, inputs={force: 0.0}, observe=observe, rtol=1e-11)
    observed = result.observed
    # the dense output deviates from the motion by some tens of the tolerance
    assert observed["x"].value == pytest.approx(-1.0, abs=1e-9)
    assert observed["x"].t == pytest.approx(math.pi / 2, abs=1e-4)  # the square root of that
    assert observed["v"].value == pytest.approx(2.0, abs=1e-9) == observed["name"].value
    assert observed["a"].value == pytest.approx(4.0, abs=1e-9)
    assert observed["sum"].value == pytest.approx(6.0 - math.sin(12.0) / 2, abs=1e-9)
    assert result["x"].min() > -1.0 + 1e-6
    assert float(observed["v"]) == observed["v"].value


@pytest.mark.parametrize("seed", range(3))
def test_extremes_agree_with_a_fine_grid(seed):
    ready = models.double_pendulum()
    result = ready.simulate()
    first, second = ready.model.u
    expression = [first * second, sm.sin(3 * first) + second, first**2 - second][seed]
    times = np.linspace(*result.t_span, 100_001)
    fine = result.at_times(times)[expression]
    sides = result[expression]  # of the impacts, too, at which it may be largest
    fine = np.concatenate([fine, sides])
    for observer, extreme in ((Maximum, fine.max()), (Minimum, fine.min())):
        found = observer(expression).of(result)
        sign = 1.0 if observer is Maximum else -1.0
        assert sign * (found.value - extreme) >= -1e-14 * np.abs(fine).max()
        assert abs(found.value - extreme) < 1e-6 * np.ptp(fine)


READY = ("bouncing_ball", "two_links", "rod_on_wall", "tumbling_cube", "belt_oscillator", "rimless_wheel", "pendulum")


@pytest.mark.parametrize("name", members(READY, slow=("rod_on_wall", "rimless_wheel", "pendulum")))
def test_a_run_that_keeps_its_events_has_the_same_ones(name, tmp_path):
    ready = getattr(models, name)()
    speed = ready.model.u[0]
    observe = {"most": Maximum(speed), "least": Minimum(speed.diff()), "sum": Integral(speed**2), "events": Count()}
    whole, kept = (ready.simulate(keep=keep, observe=observe) for keep in ("run", "events"))
    assert np.array_equal(kept.events.t, whole.events.t)
    assert kept.path == whole.path
    for one, other in zip(kept.events, whole.events, strict=True):
        assert np.array_equal(one.x_minus, other.x_minus)
        assert np.array_equal(one.x_plus, other.x_plus)
        assert np.array_equal(one.impulse, other.impulse)
    assert np.array_equal(kept.x[:, [0, -1]], whole.x[:, [0, -1]])
    assert len(kept.t) <= 2 + 2 * len(kept.events)
    assert kept.status is whole.status
    assert kept.steps == whole.steps
    for key, observation in whole.observed.items():
        assert kept.observed[key].value == pytest.approx(observation.value, rel=1e-12), key
        assert kept.observed[key].t == pytest.approx(observation.t, abs=1e-9)
    assert kept.observed["events"].value == len(whole.events)
    gap = int(np.argmax(np.diff(kept.t)))
    middle = kept.t[gap : gap + 2].mean()
    with pytest.raises(ValueError, match=r"this run has no state at t = .*keep='events'"):
        kept(middle)
    kept.save(tmp_path / "kept.npz")
    again = sympact.load(tmp_path / "kept.npz")
    assert again.observed == kept.observed
    assert np.array_equal(again.x, kept.x)
    with pytest.raises(ValueError, match="keep='events'"):
        again(middle)


def test_long_runs_are_taken_in_parts_with_the_same_numbers():
    """Thousands of steps: many parts, an input of each kind, events, and times on a grid."""
    model, x, v, force = oscillator()
    time = dynamicsymbols._t
    wall = HybridModel(
        model.source,
        [
            Contact(
                model.description.bodies[1].masscenter,
                Plane(model.description.bodies[0].masscenter, model.description.bodies[0].x),
                restitution=0.9,
                friction=0,
                name="wall",
            )
        ],
        outputs={"power": force * v},
    )
    knots = np.linspace(0, 30, 31)
    times = np.linspace(0, 30, 121)
    laws = [3 * sm.sin(2.1 * time), lambda t: 3 * math.sin(2.1 * t), Interpolated(knots, np.sin(knots), kind="cubic")]
    for law in laws:
        options = {"inputs": {force: law}, "max_step": 0.01, "t_eval": times}
        options["observe"] = {"far": Maximum(x), "work": Integral("power"), "hits": Count("wall", kind="impact")}
        whole, kept = (wall.simulate((0, 30), [1.0, 0.0], {}, keep=keep, **options) for keep in ("run", "events"))
        assert whole.steps > 2500
        assert np.array_equal(kept.x, whole.x)
        assert np.array_equal(kept.events.t, whole.events.t)
        assert kept.observed["hits"] == whole.observed["hits"]
        assert kept.observed["far"] == whole.observed["far"]
        assert kept.observed["work"].value == pytest.approx(whole.observed["work"].value, rel=1e-12)
        assert len(kept._record.t) <= 2 + 2 * len(kept.events) + len(times)
        assert np.array_equal(kept["power"], whole["power"])


def test_what_cannot_be_observed_is_refused_before_the_run():
    ready = models.bouncing_ball()
    for observe, kind, sentence in [
        ({"far": "z"}, TypeError, "expected a mapping of names to Maximum, Minimum, Integral and Count"),
        ([Maximum("z")], TypeError, "expected a mapping of names"),
        ({"far": Maximum("height")}, KeyError, "no state and no output 'height'"),
        ({"far": Maximum(sm.Symbol("height"))}, ValueError, "height"),
        ({"hits": Count("wall")}, ValueError, r"events may have the participants \['ball'\]"),
    ]:
        with pytest.raises(kind, match=sentence):
            ready.simulate(observe=observe)
    with pytest.raises(ValueError, match="kind is 'hit', expected one of transition, impact"):
        Count("ball", kind="hit")
    with pytest.raises(ValueError, match="keep is 'all', expected 'run' for all steps, or 'events'"):
        ready.simulate(keep="all")
    with pytest.raises(ValueError, match="keep='events' is for runs event by event"):
        ready.simulate(keep="events", method="moreau", max_step=0.01)


def test_what_was_observed_of_consecutive_runs_is_merged():
    model, x, v, force = oscillator()
    observe = {"far": Minimum(x), "sum": Integral(v**2)}
    parts = [model.simulate((0, 3), [1.0, 0.0], {}, inputs={force: 0.0}, observe=observe)]
    parts.append(model.simulate((3, 5), parts[0].x[:, -1], {}, inputs={force: 0.0}, observe=observe))
    joined = parts[0] + parts[1]
    assert joined.observed["far"] == parts[0].observed["far"]
    assert joined.observed["sum"].value == pytest.approx(sum(part.observed["sum"].value for part in parts), rel=1e-15)
    assert joined.observed["sum"].t == 5.0
