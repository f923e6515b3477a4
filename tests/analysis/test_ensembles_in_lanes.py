"""Runs that take steps together, in lanes of vectors, have the bits of runs that follow each other."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sm
from quick_members import members
from scipy.stats import norm, uniform
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Contact, HybridModel, Interpolated, Plane, Status, ensemble
from sympact.analysis import run_rows
from sympact.integrate.batch import batch_worker
from sympact.integrate.batch.batch_run import Chunks
from sympact.integrate.batch.batch_worker import Worker
from sympact.integrate.batch.lane_memory import LANES
from sympact.integrate.batch.lane_worker import LaneWorker
from sympact.models import bouncing_ball, dice, kane_pendulum, tumbling_cube

pytestmark = [pytest.mark.as_machine_code, pytest.mark.filterwarnings("ignore::sympact.SympactWarning")]


def cubes(runs, **options):
    """Cubes with random attitudes, rates and restitutions."""
    start = {"psi": uniform(-20, 40), "theta": uniform(-9, 18), "phi": norm(0, 9), "omega_phi": norm(0, 5)}
    numbers = {"e": uniform(0.3, 0.6)}
    return ensemble(tumbling_cube(), (0, 3.0), start, numbers, **{"runs": runs, "seed": 2, "workers": 1, **options})


@pytest.fixture
def both(monkeypatch):
    """The function that makes an ensemble in lanes and without them: (in lanes, without, steps taken in lanes)."""
    taken = []

    def run(self, first, last, *, plain=LaneWorker.run):
        columns = plain(self, first, last)
        taken.append(self.taken)
        return columns

    monkeypatch.setattr(LaneWorker, "run", run)

    def make(build):
        monkeypatch.setattr(run_rows, "_ENOUGH", 0)
        in_lanes = build()
        monkeypatch.setattr(run_rows, "_ENOUGH", 10**9)
        return in_lanes, build(), max(taken, default=0)

    return make


def assert_same(one, other):
    """All that is kept has the same bits."""
    for name in ("x", "t", "steps", "rejected", "n_events", "at_rest"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert list(one.status) == list(other.status)
    for name in ("run", "t", "kind", "contacts", "impulse"):
        np.testing.assert_array_equal(getattr(one.events, name), getattr(other.events, name))
    assert {kind: runs.tolist() for kind, runs in one.warnings.items()} == {
        kind: runs.tolist() for kind, runs in other.warnings.items()
    }


OPTIONS = [{}, {"method": "RK45", "rtol": 1e-6}, {"rtol": 1e-13}, {"max_step": 0.02}]


@pytest.mark.parametrize("options", members(OPTIONS, slow=OPTIONS[2:]))
def test_cubes_have_the_bits_of_runs_one_after_the_other(both, options):
    """Some 10,000 steps each, of which most are quiet; trials of rejected steps are repeated in the lanes."""
    found, expected, taken = both(lambda: cubes(150, **options))
    assert_same(found, expected)
    assert taken > 0.7 * found.steps.sum()
    assert found.rejected.sum() > 0


def test_runs_that_slide_roll_and_rest_come_back_to_their_lanes(both):
    """Dice with friction until they rest: sliding corners are none of the lanes' business, rebounds between are."""
    spins = {f"omega_{i}": np.random.default_rng(i).normal(0, 30, 12) for i in (1, 2, 3)}
    found, expected, taken = both(lambda: ensemble(dice(), x0=spins, workers=1))
    assert_same(found, expected)
    assert found.at_rest.all()
    assert taken > 12


@pytest.mark.parametrize("make", [lambda: bouncing_ball(), lambda: kane_pendulum()], ids=["ball", "pendulum"])
def test_models_whose_steps_are_not_quiet_keep_their_bits(both, make):
    """A ball has no length but its own excursions, the gap of a pendulum is enclosed."""
    ready = make()
    starts = np.array(list(ready.start.values()), dtype=float) * (1 + 1e-3 * np.arange(9)[:, np.newaxis])
    found, expected, _ = both(lambda: ensemble(ready, (0, 0.8), starts, workers=1))
    assert_same(found, expected)


def pushed_cube():
    """A point with a length on which a force acts, above a floor."""
    height, speed, force, m, e, l = *dynamicsymbols("z w"), dynamicsymbols("F"), *sm.symbols("m e l", positive=True)
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    P.set_pos(O, height * N.z)
    system = System(N, O)
    system.add_bodies(Particle("ball", P, m))
    system.add_coordinates(height)
    system.add_speeds(speed)
    system.add_kdes(speed - height.diff())
    system.add_loads(Force(P, (force - m * speed**3 * sm.cos(height / l)) * N.z))
    return HybridModel(system, [Contact(P, Plane(O, N.z), restitution=e, friction=0)], length=l), force, (m, e, l)


@pytest.mark.parametrize("end", [0.9, 2.0])
def test_inputs_given_as_data_and_parameters_of_each_run_reach_the_lanes(both, end):
    """Each run begins with the first piece of the data, where the one before has ended with the last."""
    model, force, (m, e, l) = pushed_cube()
    numbers = {m: np.linspace(1, 2, 20), e: np.linspace(0.2, 0.9, 20), l: 0.5}
    data = Interpolated([0.0, 0.3, 0.7, 2.0], [-9.0, -12.0, -7.0, -9.0])
    start = {model.x[0]: np.linspace(0.5, 1.0, 20), model.x[1]: 0.0}
    found, expected, taken = both(lambda: ensemble(model, (0, end), start, numbers, inputs={force: data}, workers=1))
    assert found.why_alone == ""
    assert_same(found, expected)
    for k in (1, 6, 19):
        np.testing.assert_array_equal(found[k].x[:, -1], found.x[k])
    assert taken > 0


def test_runs_that_end_early_are_rows(both):
    """By the limits of events and steps, and by starts that are refused."""
    tall = {"z": np.where(np.arange(40) % 7 == 3, -1.0, np.linspace(3, 6, 40))}
    for limits in ({"max_events": 2}, {"max_steps": 45}):
        found, expected, _ = both(lambda limits=limits: ensemble(tumbling_cube(), (0, 3), tall, workers=1, **limits))
        assert_same(found, expected)
        assert {Status.REFUSED, Status.MAX_EVENTS if "max_events" in limits else Status.MAX_STEPS} <= set(found.status)
        assert found.refused.keys() == expected.refused.keys()


def test_buffers_grow_within_a_run_and_within_a_chunk(both, monkeypatch):
    """More samples than the first buffers hold, and more events than the first columns."""
    monkeypatch.setattr(batch_worker, "_EVENTS", 128)
    found, expected, _ = both(lambda: cubes(LANES + 3, max_step=2.5e-3))
    assert_same(found, expected)
    assert found.steps.min() > 1024
    found, expected, _ = both(lambda: cubes(250, keep="events"))
    assert_same(found, expected)


def test_ends_of_steps_are_not_stored(both, monkeypatch):
    """Runs of thousands of steps need no larger buffers, and the states beside their events are those of runs alone."""
    monkeypatch.setattr(Worker, "make_room_for_run", lambda self: pytest.fail("a buffer of the run is full"))
    model, force, (m, e, l) = pushed_cube()
    numbers = {m: 1.0, e: np.linspace(0.4, 0.7, 6), l: 0.5}
    start, data = {model.x[0]: 1.0, model.x[1]: 0.0}, Interpolated([0.0, 2.0], [-9.0, -9.0])
    options = {"keep": "states", "workers": 1, "max_step": 5e-4, "inputs": {force: data}}
    found, expected, taken = both(lambda: ensemble(model, (0, 1.5), start, numbers, **options))
    assert_same(found, expected)
    assert found.steps.min() > 2000 < taken
    for k in (0, 5):
        alone, own = found[k], found.events.run == k
        assert own.sum() == len(alone.events) > 1
        np.testing.assert_array_equal(found.events.x_minus[own], [event.x_minus for event in alone.events])
        np.testing.assert_array_equal(found.events.x_plus[own], [event.x_plus for event in alone.events])


def test_events_are_in_the_order_of_their_runs_in_memory_and_in_a_store(both, tmp_path):
    """Runs of several lanes end in turns."""
    zarr = pytest.importorskip("zarr", reason="stores need zarr, the extra `store`")
    found, expected, _ = both(lambda: cubes(60))
    assert_same(found, expected)
    assert (np.diff(found.events.run) >= 0).all()
    stored, _, _ = both(lambda: cubes(60, store=tmp_path / "cubes.zarr"))
    run = zarr.open_group(tmp_path / "cubes.zarr", mode="r")["event_run"][:]
    np.testing.assert_array_equal(run, found.events.run)
    assert_same(stored, expected)


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_take_all_runs_in_chunks_that_do_not_become_tiny(workers):
    chunks, taken = Chunks(10_000, workers), []
    while (piece := chunks.take(640.0)) is not None:
        taken.append(piece)
    assert [first for first, _ in taken] == [0, *(last for _, last in taken[:-1])]
    assert taken[-1][1] == 10_000
    sizes = [last - first for first, last in taken]
    assert min(sizes[:-1]) >= (640 if workers == 1 else 20)
    assert workers == 1 or max(sizes[-2:]) <= 20


def test_bits_are_the_same_for_any_number_of_workers(both):
    one, _, _ = both(lambda: cubes(100))
    three, _, _ = both(lambda: cubes(100, workers=3))
    assert_same(one, three)
