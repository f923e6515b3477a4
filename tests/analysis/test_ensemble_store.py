"""Promises of an ensemble on disk: same bits, whole runs or none after a kill, no other ensemble, lazy reading."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from contact_models import ball, rod
from counted_balls import assert_same, balls, press_ctrl_c
from quick_members import members
from scipy.stats import norm, uniform
from sympy.physics.mechanics import dynamicsymbols

from sympact import Ensemble, HybridSystem, Interpolated, Status, SympactWarning, Transition, ensemble
from sympact.analysis.store import run_store
from sympact.models import bouncing_ball, superball, tumbling_cube, two_links

STORES = find_spec("zarr") is not None and find_spec("xarray") is not None
pytestmark = pytest.mark.skipif(not STORES, reason="stores need zarr and xarray, the extra `store`")


def opened_by_xarray(path: Path):
    """A store as xarray reads it. What few tests need is imported by them: each worker collects all tests."""
    import xarray

    return xarray.open_zarr(path, chunks=None)


def ended(path: Path) -> int:
    """How many runs are there, as xarray reads it."""
    with opened_by_xarray(path) as found:
        return int((found.status != Status.INTERRUPTED.code).sum())


@pytest.mark.parametrize("keep", ["events", "end", [0.0, 0.5, 3.0]], ids=["events", "end", "times"])
def test_a_store_has_the_bits_of_the_ensemble_in_memory(tmp_path, keep):
    here, stored = balls(keep=keep), balls(keep=keep, store=tmp_path / "runs.zarr")
    assert_same(here, stored)
    assert repr(here) == repr(stored)
    opened = Ensemble.open(tmp_path / "runs.zarr", bouncing_ball())
    assert_same(here, opened)
    assert_same(here, pickle.loads(pickle.dumps(opened)))
    assert np.array_equal(opened[7].x[:, -1], here.x[7])
    assert np.array_equal(opened.value("z"), here.x[:, 0])
    assert opened.seed == 5
    assert opened.why_alone == here.why_alone
    assert opened.alone == here.alone


@pytest.mark.as_machine_code
def test_models_in_other_coordinates_and_of_several_bodies_are_stored(tmp_path):
    start = {"psi": uniform(-20, 40), "theta": uniform(-9, 18), "phi": norm(0, 9), "omega_phi": norm(0, 5)}
    runs = {"runs": 24, "seed": 2}
    assert_same(
        ensemble(tumbling_cube(), (0, 2), start, **runs),
        ensemble(tumbling_cube(), (0, 2), start, **runs, store=tmp_path / "cubes.zarr"),
    )
    lengths = {name: np.linspace(1.0, 1.3, 20) for name in two_links().named_parameters() if name.startswith("l")}
    assert_same(
        ensemble(two_links(), (0, 1), None, lengths),
        ensemble(two_links(), (0, 1), None, lengths, store=tmp_path / "links.zarr"),
    )


def test_refused_starts_and_warnings_are_stored(tmp_path):
    radii = {"r": np.array([0.025, -0.025, 0.03])}
    here, there = (ensemble(superball(), (0, 0.5), None, radii, store=at) for at in (None, tmp_path / "balls.zarr"))
    assert list(there.refused) == [1]
    assert_same(here, there)
    with pytest.raises(KeyError):
        there.refused[0]
    case, spins = rod(), np.array([0.0, 1.5, 2.5])
    starts = np.zeros((3, 6))
    starts[:, 4], starts[:, 5] = -spins / 6, spins
    given = (case.model, (0, 0.1), starts, case.parameters(e_A=0.0, e_B=1.0, g=0.0))
    with pytest.warns(SympactWarning, match="2 of 3 runs give the warning 'gain of energy'"):
        found = ensemble(*given, max_events=1, store=tmp_path / "rods.zarr")
    assert found.warnings["gain of energy"].tolist() == [1, 2]


def test_processes_are_stored(tmp_path):
    bounces = Transition("up", "up", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]], name="floor")
    process = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [bounces])
    starts = np.linspace([5.0, 0.0], [1.25, 0.0], 12)
    here, there = (ensemble(process, (0, 1.5), starts, start="up", store=at) for at in (None, tmp_path / "up.zarr"))
    assert_same(here, there)
    assert_same(here, Ensemble.open(tmp_path / "up.zarr", process))
    fewer = HybridSystem({"up": lambda t, x: [x[1], -10.0]}, [])
    with pytest.raises(ValueError, match="runs of another model"):
        Ensemble.open(tmp_path / "up.zarr", fewer)


def test_a_store_of_runs_with_inputs_is_opened_with_these_alone(tmp_path):
    force = dynamicsymbols("F")
    case, way = ball(load=force), Interpolated([0.0, 0.5, 1.0], [1.0, 3.0, 0.0])
    given = (case.model, (0, 1), np.linspace([1.0, 0.0], [2.0, 0.0], 5), case.parameters(g=9.81))
    found = ensemble(*given, inputs={force: way}, store=tmp_path / "pushed.zarr")
    assert_same(found, ensemble(*given, inputs={force: way}))
    opened = Ensemble.open(tmp_path / "pushed.zarr", case.model, inputs={force: way})
    assert np.array_equal(opened[3].x[:, -1], found.x[3])
    for other in (Interpolated([0.0, 0.5, 1.0], [1.0, 3.0, 0.1]), 2.0):
        with pytest.raises(ValueError, match="with other inputs"):
            Ensemble.open(tmp_path / "pushed.zarr", case.model, inputs={force: other})
        with pytest.raises(ValueError, match="holds another ensemble: it is of another model"):
            ensemble(*given, inputs={force: other}, store=tmp_path / "pushed.zarr")


def test_xarray_reads_a_store_lazily_with_names_and_units(tmp_path):
    found, times = balls(), np.linspace(0, 4, 5)
    balls(store=tmp_path / "events.zarr")
    with opened_by_xarray(tmp_path / "events.zarr") as table:
        assert not any(table[name].variable._in_memory for name in table.data_vars), "nothing is read before"
        assert dict(table.sizes) == {"run": 60, "state": 2, "contact": 1, "event": len(found.events), "column": 12}
        assert table.state.values.tolist() == ["z", "v"]
        assert table.contact.values.tolist() == list(found.events.contact_names)
        assert table.t.attrs["units"] == table.event_t.attrs["units"] == "s"
        assert table.event_impulse.attrs["units"] == "N s"
        assert np.array_equal(table.x.sel(state="z"), found.x[:, 0])
        order = np.argsort(table.event_run.values, kind="stable")
        assert np.array_equal(table.event_t.values[order], found.events.t)
        kinds = np.array(table.event_kind.attrs["flag_meanings"].split())
        assert kinds[table.event_kind.values[order]].tolist() == found.events.kind.tolist()
        assert table.status.attrs["flag_meanings"].split()[0] == "FINISHED"
        assert table.n_events.attrs["sample_dimension"] == "event"
        assert np.array_equal(table.parameter_e, next(iter(p for p in found.parameters.values() if np.ndim(p))))
    balls(store=tmp_path / "times.zarr", keep=times)
    with opened_by_xarray(tmp_path / "times.zarr") as table:
        assert table.samples.dims == ("run", "state", "time")
        assert np.array_equal(table.time, times)
        assert table.time.attrs["units"] == "s"


class Killed(Exception):
    """Stands for the end of the process."""


WRITES = (0, 1, 3, 7, 12, 18, 23, 25, 29, 34, 41, 53)


@pytest.mark.parametrize("writes", members(WRITES, slow=(0, 1, 3, 7, 18, 23, 25, 29, 34, 41, 53)))
def test_after_a_kill_between_any_two_writes_a_run_is_there_whole_or_not_at_all(tmp_path, monkeypatch, writes):
    """Files are replaced as a whole, so that a kill leaves some of them new and the others old."""
    whole, path = balls(), tmp_path / "runs.zarr"
    balls(store=tmp_path / "made.zarr", runs=1)  # what is loaded on first use
    import zarr

    plain, left = zarr.storage.LocalStore.set, [10_000]

    async def put(self, key, value, *more):
        if not left[0]:
            raise Killed
        left[0] -= 1
        return await plain(self, key, value, *more)

    monkeypatch.setattr(zarr.storage.LocalStore, "set", put)
    begun = run_store.RunStore.__init__

    def begin(self, *arguments):
        left[0] = 10_000
        begun(self, *arguments)
        left[0] = writes

    with monkeypatch.context() as changed:
        changed.setattr(run_store.RunStore, "__init__", begin)
        with pytest.raises(Killed):
            balls(store=path)
    left[0] = 10_000
    found = Ensemble.open(path, bouncing_ball())
    there = found.status != Status.INTERRUPTED
    assert there.sum() == ended(path) < 60
    assert np.array_equal(found.x[there], whole.x[there])
    assert np.isnan(found.x[~there]).all()
    of_these = whole.events[there[whole.events.run]]
    assert np.array_equal(found.events.t, of_these.t)
    assert np.array_equal(found.events.run, of_these.run)
    if not there.all():
        with pytest.raises(ValueError, match="has not ended; call ensemble"):
            found[int(np.flatnonzero(~there)[0])]
    assert_same(balls(store=path), whole)


@pytest.mark.parametrize("name", members(["event_run", "event_t", "event_kind"], slow=["event_t", "event_kind"]))
def test_a_kill_before_the_events_of_a_second_part_are_written_changes_no_run_of_the_first(tmp_path, monkeypatch, name):
    """Rows that are not written are zero: they named run 0, which had events that nobody had written."""
    path, whole = tmp_path / "runs.zarr", balls()
    balls(store=path)
    leave_first(path, 30)
    from zarr.storage import LocalStore

    plain = LocalStore.set

    async def put(self, key, value, *more):
        if key.startswith(f"{name}/") and not key.endswith((".zarray", ".zattrs")):
            raise Killed
        return await plain(self, key, value, *more)

    with monkeypatch.context() as changed:
        begin = run_store.RunStore.__init__

        def then(self, *arguments):
            begin(self, *arguments)
            changed.setattr(LocalStore, "set", put)

        changed.setattr(run_store.RunStore, "__init__", then)
        with pytest.raises(Killed):
            balls(store=path)
    assert_same(balls(store=path), whole)


def leave_first(path, runs):
    """A store as it was when this many runs were there."""
    import zarr

    arrays = zarr.open_group(str(path), mode="r+", zarr_format=2, use_consolidated=False)
    arrays["status"][runs:] = Status.INTERRUPTED.code
    kept = arrays["event_run"][:] < runs
    for name in ("event_run", "event_t", "event_kind", "event_contacts", "event_impulse"):
        array = arrays[name]
        array[:] = np.concatenate([array[:][kept], np.zeros_like(array[:][~kept])])
        array.resize((kept.sum(), *array.shape[1:]))


@pytest.mark.slow
@pytest.mark.as_machine_code
def test_a_process_that_was_killed_is_continued_with_the_same_bits(tmp_path):
    """In a quick run the kills between writes, above, leave the same files."""
    path, runs = tmp_path / "runs.zarr", 30_000
    program = f"from counted_balls import balls; balls({runs}, store={str(path)!r}, workers=2)"
    killed = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": ":".join(sys.path)})
    while not path.exists() or ended(path) < 200:
        assert killed.poll() is None
        time.sleep(0.02)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    before = ended(path)
    assert 200 <= before < runs
    assert_same(balls(runs, store=path), balls(runs))


@pytest.mark.as_machine_code
def test_ctrl_c_stores_what_is_done(tmp_path, monkeypatch):
    path, runs = tmp_path / "runs.zarr", 8_000
    with monkeypatch.context() as changed:
        press_ctrl_c(changed, 3)
        found = balls(runs, store=path)
    done = found.success
    assert 0 < done.sum() < runs
    assert set(found.status[~done]) == {Status.INTERRUPTED}
    whole = balls(runs)
    assert np.array_equal(found.x[done], whole.x[done])
    assert_same(balls(runs, store=path), whole)


def test_ctrl_c_of_runs_made_one_by_one_stores_what_is_done(tmp_path):
    def height(rng):
        made.append(rng.uniform(1, 2))
        if len(made) == 35:
            signal.raise_signal(signal.SIGINT)
        return {"z": made[-1]}

    made: list[float] = []
    options = {"x0": height, "keep": [0.0, 1.0], "store": tmp_path / "runs.zarr", "t_end": 1.0}
    found = balls(40, **options)
    assert 0 < found.success.sum() < 40
    assert_same(balls(40, **options), balls(40, **{**options, "store": None}))


@pytest.fixture(scope="module")
def ten_balls(tmp_path_factory):
    """A store of ten runs, which no test changes."""
    path = tmp_path_factory.mktemp("ten") / "runs.zarr"
    balls(10, store=path)
    return path


def test_no_second_process_writes_a_store(tmp_path):
    """Runs with samples are made in this thread, so that the second call comes while the first one writes."""
    calls = []

    def counted(rng):
        calls.append(1)
        if len(calls) == 6:
            with pytest.raises(ValueError, match="another process writes the store"):
                balls(3, store=tmp_path / "runs.zarr", x0=counted, keep=[0.0], t_end=0.1)
        return {"z": 1.0}

    balls(3, store=tmp_path / "runs.zarr", x0=counted, keep=[0.0], t_end=0.1)
    assert len(calls) > 6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": 6}, "seed is '5' there and '6' here"),
        ({"runs": 11}, "runs is 10 there and 11 here"),
        ({"rtol": 1e-8}, "rtol is 1e-09 there and 1e-08 here"),
        ({"method": "RK45"}, "method is 'DOP853' there and 'RK45' here"),
        ({"t_end": 3.0}, r"t_span is \[0.0, 4.0\] there and \[0.0, 3.0\] here"),
        ({"keep": "end"}, "events is True there and False here"),
        ({"x0": {"z": uniform(0.5, 2.1)}}, "its x0 is another"),
        ({"x0": {"z": np.linspace(1, 2, 10)}}, "its x0 is another"),
    ],
)
def test_another_ensemble_is_refused(ten_balls, change, said):
    with pytest.raises(ValueError, match=rf"runs\.zarr holds another ensemble: .*{said}.*; give the arguments it was"):
        balls(**{"runs": 10, **change}, store=ten_balls)


def test_another_model_is_refused_and_the_seed_of_a_store_is_taken(tmp_path):
    path = tmp_path / "runs.zarr"
    first = balls(10, store=path, seed=None)
    assert_same(first, balls(10, store=path, seed=None))
    with pytest.raises(ValueError, match="holds another ensemble: it is of another model"):
        ensemble(superball(), (0, 4), runs=10, store=path)
    with pytest.raises(ValueError, match="holds runs of another model"):
        Ensemble.open(path, superball())
    with pytest.raises(ValueError, match=r"there is no store .*; ensemble\(\.\.\., store=.*\) makes one"):
        Ensemble.open(tmp_path / "none.zarr", bouncing_ball())
    import zarr

    zarr.open_group(tmp_path / "other.zarr", mode="w", zarr_format=2)
    with pytest.raises(ValueError, match="is a Zarr group, but no store of an ensemble"):
        Ensemble.open(tmp_path / "other.zarr", bouncing_ball())
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match="is no store of an ensemble"):
        balls(10, store=tmp_path / "folder")
    with pytest.raises(ValueError, match='keep="run" keeps results in memory'):
        balls(10, store=tmp_path / "run.zarr", keep="run")


def test_a_store_names_the_extra_that_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "zarr", None)
    with pytest.raises(ImportError, match=r"pip install 'sympact\[store\]'"):
        balls(10, store=tmp_path / "runs.zarr")
