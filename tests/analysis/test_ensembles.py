"""Promises of an ensemble: right ends, the same bits for any workers and alone, failures as rows, Ctrl-C."""

from __future__ import annotations

import signal
import sys
from types import FunctionType

import numpy as np
import pytest
import sympy as sm
from contact_models import rod
from island_models import dice_beside_each_other
from scipy.stats import norm, uniform
from sympy.physics.mechanics import Force, LagrangesMethod, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import (
    Contact,
    HybridModel,
    HybridSystem,
    Interpolated,
    Plane,
    Status,
    SympactWarning,
    Transition,
    ensemble,
)
from sympact.analysis.ensemble_progress import RunsProgress
from sympact.integrate.batch import batch_worker
from sympact.models import bouncing_ball, dice, kane_pendulum, rolling_ball, superball, tumbling_cube, two_links

G = 9.81


def balls(runs=60, **options):
    """Balls dropped from random heights on a floor, with random restitutions."""
    heights, restitutions = {"z": uniform(0.5, 2.0)}, {"e": uniform(0.3, 0.4)}
    return ensemble(bouncing_ball(), (0, 4), heights, restitutions, **{"runs": runs, "seed": 5, **options})


def cubes(runs=12, t_end=3.0, **options):
    """Cubes with random attitudes, given by angles of several turns, and random rates."""
    start = {"psi": uniform(-20, 40), "theta": uniform(-9, 18), "phi": norm(0, 9), "omega_phi": norm(0, 5)}
    return ensemble(tumbling_cube(), (0, t_end), start, **{"runs": runs, "seed": 2, **options})


def symbol(ready, name):
    """A parameter of a ready model."""
    return next(letter for letter in ready.parameters if letter.name == name)


def assert_same_as_alone(found, which):
    """Rows and events of some runs have the bits of these runs alone."""
    for k in which:
        alone = found[k]
        assert alone.status is found.status[k]
        assert np.array_equal(alone.x[:, -1], found.x[k])
        assert alone.t[-1] == found.t[k]
        events = found.events[found.events.run == k]
        assert np.array_equal(alone.events.t, events.t)
        assert alone.events.kinds() == events.kind.tolist()
        record, n = alone._record, len(found.events.contact_names)
        assert np.array_equal(record.event_impulse[:, :n], events.impulse)
        assert np.array_equal(record.event_fired[:, :n], events.contacts)
        assert found.steps[k] == alone.steps


def test_times_of_impacts_are_those_of_the_closed_form():
    """t_n = t_1 (1 + 2 e + ... + 2 e^n), and all comes to rest at t_1 (1 + e) / (1 - e)."""
    found = balls()
    e, first = found.parameters[symbol(bouncing_ball(), "e")], np.sqrt(2 * found.x0[:, 0] / G)
    times = found.events.impacts.first(4)
    exact = first[:, np.newaxis] * (1 + 2 * np.cumsum(e[:, np.newaxis] ** np.arange(1, 4), axis=1))
    assert np.abs(times[:, 0] - first).max() < 1e-9  # the tolerance of the runs, over speeds above 3 m/s
    assert np.nanmax(np.abs(times[:, 1:] - exact)) < 1e-8
    rest = first * (1 + e) / (1 - e)
    assert np.array_equal(found.at_rest, rest < 4.0)
    # contacts close when rebounds are lower than 1e-10 of 2.5 m: the rest takes 2 sqrt(2 h / g) / (1 - e)
    closing = 2 * np.sqrt(2 * 2.5e-10 / G) / (1 - e)
    assert (np.abs(found.rest_time - rest)[found.at_rest] < closing[found.at_rest]).all()
    assert found.success.all()
    assert not found.warnings


@pytest.mark.parametrize("make", [balls, cubes])
def test_bits_are_the_same_for_any_number_of_workers(make):
    one, *others = (make(workers=workers) for workers in (1, 2, 8))
    for other in others:
        assert np.array_equal(one.x, other.x)
        assert np.array_equal(one.events.t, other.events.t)
        assert np.array_equal(one.events.impulse, other.events.impulse)


def test_a_run_is_the_same_whatever_other_runs_there_are():
    few, many = balls(7), balls(30)
    assert np.array_equal(few.x, many.x[:7])
    assert np.array_equal(few.x0, many.x0[:7])


def pendulum_in_coordinates():
    """A pendulum in Cartesian coordinates: a bilateral constraint."""
    (x, y), m, g = dynamicsymbols("x y"), *sm.symbols("m g")
    energy = m * (x.diff() ** 2 + y.diff() ** 2) / 2 - m * g * y
    model = HybridModel(LagrangesMethod(energy, [x, y], hol_coneqs=[x**2 + y**2 - 1]), [])
    angles = np.linspace(-1.2, 1.2, 5)
    starts = np.column_stack([np.sin(angles), -np.cos(angles), 0 * angles, 0 * angles])
    return model, starts, {m: 1.0, g: G}


def test_rows_have_the_bits_of_runs_alone():
    assert_same_as_alone(balls(20), range(0, 20, 3))
    found = cubes()
    assert found.why_alone == ""
    assert_same_as_alone(found, range(12))


@pytest.mark.as_machine_code
@pytest.mark.parametrize("ready", [dice(), kane_pendulum(), two_links()], ids=["dice", "pendulum", "links"])
def test_rows_of_models_with_friction_and_several_bodies_have_the_bits_of_runs_alone(ready):
    starts = np.array(list(ready.start.values()), dtype=float) * (1 + 1e-3 * np.arange(5)[:, np.newaxis])
    if len(ready.start) == 13:  # a unit quaternion
        starts[:, 3:7] /= np.linalg.norm(starts[:, 3:7], axis=1, keepdims=True)
    found = ensemble(ready, (0, 0.4), starts)
    assert found.why_alone == ""
    assert_same_as_alone(found, range(5))


def test_rows_of_a_model_with_constraints_have_the_bits_of_runs_alone():
    model, starts, numbers = pendulum_in_coordinates()
    found = ensemble(model, (0, 2), starts, numbers)
    assert found.why_alone == ""
    assert_same_as_alone(found, range(5))
    starts[2, 0] += 1e-3  # off its circle
    assert_same_as_alone(ensemble(model, (0, 1), starts, numbers), range(5))


@pytest.mark.as_machine_code
def test_a_run_through_a_gimbal_lock_has_the_angles_of_the_run_alone():
    """theta passes zero, where only the states between the samples tell how the angles go on."""
    start = {"theta": np.array([0.02, 0.5]), "omega_theta": -3.0, "omega_psi": 0.0, "omega_phi": 0.0}
    found = ensemble(tumbling_cube(), (0, 1), start)
    assert_same_as_alone(found, range(2))
    assert (found.value("theta") < 0.0).all()


def test_buffers_grow_within_a_run_and_within_a_chunk(monkeypatch):
    """Thousands of bounces of a ball that loses nothing, and more events than the first columns hold."""
    monkeypatch.setattr(batch_worker, "_EVENTS", 512)
    found = ensemble(bouncing_ball(), (0, 400), {"z": np.linspace(0.5, 1.0, 12)}, {"e": 1.0}, workers=1)
    assert found.n_events.min() > 400
    assert len(found.events) > 8 * 512
    assert np.array_equal(found.events.counts, found.n_events)
    assert_same_as_alone(found, [0, 11])


def test_numbers_are_drawn_as_the_manual_says():
    found = ensemble(
        bouncing_ball(), (0, 0.1), {"v": norm(0, 2), "z": uniform(1, 2)}, {"e": uniform(0, 1)}, runs=4, seed=9
    )
    for k in range(4):
        z, v, e = np.random.default_rng([9, k]).random(3)  # the order of the states, then of the parameters
        assert found.x0[k].tolist() == [uniform(1, 2).ppf(z), norm(0, 2).ppf(v)]
        assert found.parameters[symbol(bouncing_ball(), "e")][k] == e


def test_functions_of_a_generator_give_starts_and_parameters():
    def start(rng):
        return {"z": rng.uniform(1, 2)}

    def numbers(rng):
        return {"e": rng.uniform(0, 1)}

    found = ensemble(bouncing_ball(), (0, 0.1), start, numbers, runs=3, seed=4)
    rng = np.random.default_rng([4, 2])
    assert found.x0[2, 0] == rng.uniform(1, 2)
    assert found.parameters[symbol(bouncing_ball(), "e")][2] == rng.uniform(0, 1)
    assert_same_as_alone(found, [2])


def test_parameters_that_change_the_length_of_a_model_are_those_of_the_runs_alone():
    ready = two_links()
    names = [name for name in ready.named_parameters() if name.startswith("l")]
    found = ensemble(ready, (0, 1), None, {name: np.array([1.0, 1.1, 1.3]) for name in names})
    assert found.why_alone == ""
    assert_same_as_alone(found, range(3))


def pushed_ball():
    """A ball on which a force acts, above a floor."""
    height, speed, force, m, e = *dynamicsymbols("z w"), dynamicsymbols("F"), *sm.symbols("m e")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, height * N.z)
    system = System(N, O)
    system.add_bodies(Particle("ball", P, m))
    system.add_coordinates(height)
    system.add_speeds(speed)
    system.add_kdes(speed - height.diff())
    system.add_loads(Force(P, force * N.z))
    return HybridModel(system, [Contact(P, Plane(O, N.z), restitution=e, friction=0)]), force, (m, e)


@pytest.mark.parametrize(
    "way",
    [-9.81, lambda t: -9.81, Interpolated([0.0, 0.3, 2.0], [-9.0, -12.0, -9.0])],
    ids=["number", "function", "data"],
)
def test_inputs_are_those_of_simulate(way):
    model, force, (m, e) = pushed_ball()
    numbers = {m: np.array([1.0, 1.5, 2.0]), e: 0.5}
    found = ensemble(model, (0, 1), {model.x[0]: 1.0, model.x[1]: 0.0}, numbers, inputs={force: way})
    assert bool(found.why_alone) == isinstance(way, FunctionType)
    assert_same_as_alone(found, range(3))
    if not isinstance(way, Interpolated):
        assert found.events.impacts.first(1)[:, 0] == pytest.approx(np.sqrt(2 * np.array([1, 1.5, 2]) / G), abs=1e-9)


def test_a_run_that_fails_is_a_row_with_its_status():
    found = ensemble(bouncing_ball(), (0, 2), {"z": np.array([1.0, -1.0, 2.0])}, {"e": np.array([0.5, 0.5, 0.9])})
    assert [status.name for status in found.status] == ["FINISHED", "REFUSED", "FINISHED"]
    assert np.isnan(found.x[1]).all()
    assert "1 m below its surface" in found.refused[1]
    with pytest.raises(ValueError, match="below its surface"):
        found[1]
    few = ensemble(bouncing_ball(), (0, 2), {"z": np.array([1.0, 100.0])}, max_events=3)
    assert [status.name for status in few.status] == ["MAX_EVENTS", "FINISHED"]
    assert_same_as_alone(few, range(2))


def test_a_radius_that_is_not_positive_is_refused():
    found = ensemble(superball(), (0, 0.5), None, {"r": np.array([0.025, -0.025, 0.03])})
    assert [status.name for status in found.status] == ["FINISHED", "REFUSED", "FINISHED"]
    assert "radius" in found.refused[1]
    assert set(found.events.run) == {0, 2}
    assert_same_as_alone(found, [0, 2])


def test_starts_that_are_all_refused_are_an_error():
    with pytest.raises(ValueError, match=r"the starts of all 2 runs are refused, the first one because .* below its"):
        ensemble(bouncing_ball(), (0, 2), {"z": np.array([-1.0, -2.0])})


def test_a_process_of_plain_functions_runs_one_by_one():
    bounces = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]], name="floor")
    process = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounces])
    starts = np.array([[5.0, 0.0], [1.25, 0.0]])
    found = ensemble(process, (0, 1.5), starts, start="up")
    assert "process" in found.why_alone
    assert found.events.of("floor").first(2) == pytest.approx(np.array([[1.0, np.nan], [0.5, 1.0]]), nan_ok=True)
    for k in range(2):
        assert np.array_equal(found[k].x[:, -1], found.x[k])


def test_a_function_that_raises_is_a_row():
    def flow(t, x):
        if x[0] > 3.0:
            raise ArithmeticError("too high")
        return [1.0]

    process = HybridSystem({"up": flow}, [])
    found = ensemble(process, (0, 1), np.array([[0.0], [2.5], [1.0]]), start="up")
    assert [status.name for status in found.status] == ["FINISHED", "FAULT", "FINISHED"]
    assert found.t[1] < 1.0


@pytest.mark.as_machine_code
def test_models_of_islands_and_with_conditions_run_one_by_one():
    model, start, numbers = dice_beside_each_other([0, 1], mu=0.0)
    found = ensemble(model, (0, 0.8), np.array([[start[state] for state in model.x]] * 2), numbers)
    assert found.why_alone == "parts of the model, 2 in all, are integrated with steps of their own"
    assert_same_as_alone(found, [1])
    rolling = ensemble(rolling_ball(), (0, 0.2), runs=2)
    assert "conditions" in rolling.why_alone
    assert_same_as_alone(rolling, [1])


@pytest.mark.as_machine_code
def test_a_method_of_scipy_runs_one_by_one_and_others_in_the_batch():
    for method, alone in (("BDF", True), ("RadauIIA", False), ("RK4", False), ("moreau", False)):
        found = balls(3, method=method, max_step=0.01)
        assert bool(found.why_alone) == alone
        assert_same_as_alone(found, range(3))


def test_warnings_are_counted_by_kind_with_their_runs():
    """Both ends of a rod hit together, one plastic, one elastic: Newton's law gains energy."""
    case, spins = rod(), np.array([0.0, 1.5, 2.5])
    starts = np.zeros((3, 6))
    starts[:, 4], starts[:, 5] = -spins / 6, spins
    with pytest.warns(SympactWarning, match=r"2 of 3 runs give the warning 'gain of energy', first run 1"):
        found = ensemble(case.model, (0, 0.1), starts, case.parameters(e_A=0.0, e_B=1.0, g=0.0), max_events=1)
    assert found.warnings["gain of energy"].tolist() == [1, 2]


def test_samples_on_a_grid_and_whole_runs_are_those_of_the_runs_alone():
    times = np.linspace(0, 4, 9)
    found = balls(4, keep=times)
    for k in range(4):
        assert np.array_equal(found.samples[k], found[k](times))
    assert np.array_equal(balls(4).x, found.x)
    assert found.bands("z", [0.5]).shape == (1, 9)
    whole = balls(3, keep="run")
    assert whole[1] is whole[1]
    assert np.array_equal(whole[1].x[:, -1], balls(3).x[1])


def test_what_is_not_kept_is_told():
    found = balls(3, keep="end")
    assert np.array_equal(found.n_events, balls(3).n_events)
    with pytest.raises(AttributeError, match='keep="events"'):
        found.events  # noqa: B018
    with pytest.raises(AttributeError, match="keep=times"):
        found.samples  # noqa: B018


def test_outputs_and_expressions_at_the_ends():
    ready = bouncing_ball()
    z, v = ready.model.x
    found = balls(5)
    m, g = symbol(ready, "m"), symbol(ready, "g")
    assert np.array_equal(found.value("z"), found.x[:, 0])
    assert found.value(m * v**2 / 2 + m * g * z) == pytest.approx(found.x[:, 1] ** 2 / 2 + G * found.x[:, 0])
    assert found.value(symbol(ready, "e")) == pytest.approx(found.parameters[symbol(ready, "e")])
    with pytest.raises(ValueError, match="no state or output 'height'"):
        found.value("height")


@pytest.mark.as_machine_code
def test_ctrl_c_keeps_what_is_done(monkeypatch):
    def press(line, ended):
        if ended and not pressed:
            pressed.append(ended)
            signal.raise_signal(signal.SIGINT)

    pressed: list[int] = []
    monkeypatch.setattr(RunsProgress, "show", press)
    runs, options = 200_000, {"x0": {"z": uniform(0.5, 2.0)}, "runs": 20_000, "seed": 5}
    whole = ensemble(bouncing_ball(), (0, 40), **options, keep="end")
    options |= {"runs": runs, "x0": np.tile(whole.x0, (10, 1))}
    found = ensemble(bouncing_ball(), (0, 40), **options, keep="end", progress=True)
    done = found.success
    assert 0 < done.sum() < runs
    assert set(found.status[~done]) == {Status.INTERRUPTED}
    assert np.isnan(found.x[~done]).all()
    assert np.array_equal(found.x[done], np.tile(whole.x, (10, 1))[done])


def test_progress_is_a_line(capsys):
    balls(3, progress=True)
    line = capsys.readouterr().err
    assert "100%" in line
    assert "3 of 3 runs" in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            {"x0": {"z": np.ones(2)}, "parameters": {"e": np.full(3, 0.5)}},
            r"runs differ: x0\[z\(t\)\] has 2, parameters\[e\] has 3",
        ),
        ({"x0": {"z": 1.0}}, "the number of runs is not known"),
        ({"x0": {"z": 1.0}, "runs": 0}, "runs is 0, expected a positive"),
        ({"x0": {"z": 1.0}, "runs": 2.5}, "runs is 2.5, expected"),
        ({"x0": np.ones((3, 5))}, r"x0 has the shape \(3, 5\), expected \(runs, 2\)"),
        ({"x0": {"height": np.ones(3)}}, r"unknown \[height\]"),
        ({"x0": {"z": np.array([1.0, np.nan])}}, "x0 of 1 runs is not finite, first that of run 1"),
        ({"x0": {"z": np.ones(3)}, "seed": -1}, "seed is -1, expected a whole number"),
        ({"x0": {"z": np.ones(3)}, "keep": "everything"}, "keep is 'everything', expected one of 'events'"),
        ({"x0": {"z": np.ones(3)}, "keep": [0.0, 99.0]}, "keep: t_eval must increase within the span from 0 to 1"),
        ({"x0": {"z": np.ones(3)}, "workers": 0}, "workers is 0, expected"),
        ({"x0": {"z": np.ones(3)}, "method": "DOP5"}, "method is 'DOP5'"),
        ({"x0": {"z": np.ones(3)}, "start": "air"}, "start is 'air', expected none"),
        ({"x0": lambda rng: {"z": "high"}, "runs": 2}, "the function given as x0 returned numbers that do not fit"),
    ],
)
def test_wrong_arguments_are_told(arguments, said):
    with pytest.raises(ValueError, match=said):
        ensemble(bouncing_ball(), (0, 1), **arguments)


def test_other_objects_are_no_models():
    with pytest.raises(TypeError, match="expected a HybridModel, a HybridSystem, or a ready model"):
        ensemble("ball", (0, 1), [1.0])


def test_tables_name_the_extra_that_is_missing(monkeypatch):
    found = balls(3)
    assert list(found.to_dataframe().columns) == ["t", "status", "events", "at_rest", "e", "z", "v"]
    assert found.events.to_dataframe().run.tolist() == found.events.run.tolist()
    table = found.to_xarray()
    assert table.sizes["run"] == 3
    assert np.array_equal(table.x, found.x)
    assert table.event_t.attrs["units"] == "s"
    for package in ("pandas", "xarray"):
        monkeypatch.setitem(sys.modules, package, None)
    for call in (found.to_dataframe, found.events.to_dataframe, found.to_xarray):
        with pytest.raises(ImportError, match=r"pip install 'sympact\[tables\]'"):
            call()
