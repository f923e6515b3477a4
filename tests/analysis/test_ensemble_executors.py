"""Promises of executors: threads, processes and clusters make the same bits; what is lost is made again."""

from __future__ import annotations

import ast
import logging
import multiprocessing
import os
import re
import signal
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from counted_balls import CountedHeights, assert_same, balls, deadly, ends_of, press_ctrl_c, states_of
from hypothesis import strategies as st
from quick_members import examples
from scipy.stats import norm, uniform

from sympact import HybridSystem, Status, ensemble
from sympact.analysis.draws import Given, Table, drawn
from sympact.analysis.run_rows import Keep, Rows
from sympact.analysis.scheduling.chunk_job import Chunk
from sympact.analysis.scheduling.chunk_sizes import ChunkSizes
from sympact.models import bouncing_ball, tumbling_cube


def spawned(workers=2):
    """Processes that begin anew."""
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


@pytest.fixture(scope="module")
def processes():
    """Two of them for several tests: each takes seconds to begin."""
    with spawned() as pool:
        yield pool


@pytest.mark.parametrize("keep", ["events", "end", [0.0, 0.5, 3.0], "run"], ids=["events", "end", "times", "run"])
def test_threads_of_an_executor_make_the_same_bits(keep):
    with ThreadPoolExecutor(3) as pool:
        found = balls(keep=keep, executor=pool)
    assert_same(found, balls(keep=keep))
    assert np.array_equal(found[5].x[:, -1], found.x[5])


@pytest.mark.as_machine_code
def test_new_processes_make_the_same_bits_also_into_a_store(processes, tmp_path):
    start = {"psi": uniform(-20, 40), "theta": uniform(-9, 18), "phi": norm(0, 9), "omega_phi": norm(0, 5)}
    heights = CountedHeights(tmp_path / "drawn.txt")
    assert_same(balls(400, executor=processes), balls(400))
    cubes = ensemble(tumbling_cube(), (0, 1), start, runs=20, seed=2, executor=processes)
    assert_same(cubes, ensemble(tumbling_cube(), (0, 1), start, runs=20, seed=2))
    counted = balls(400, heights, executor=processes)
    assert sum(heights.counts().values()) == 400
    assert os.getpid() not in heights.counts()
    assert_same(counted, balls(400, heights))


@pytest.mark.as_machine_code
def test_arrays_travel_with_their_chunks(processes, tmp_path):
    pytest.importorskip("zarr", reason="stores need zarr, the extra `store`")
    starts = np.column_stack([np.linspace(0.5, 2.5, 300), np.zeros(300)])
    e = {"e": np.linspace(0.3, 0.7, 300)}
    here = ensemble(bouncing_ball(), (0, 4), starts, e)
    assert_same(here, ensemble(bouncing_ball(), (0, 4), starts, e, executor=processes, store=tmp_path / "runs.zarr"))


@pytest.mark.slow
@pytest.mark.as_machine_code
def test_joblib_makes_the_same_bits():
    """Its pool is an executor as the one above; `test_travel` sends models and runs to processes and back."""
    joblib = pytest.importorskip("joblib", reason="a package of the tests")
    with joblib.externals.loky.ProcessPoolExecutor(1) as pool:
        assert_same(balls(200, executor=pool), balls(200))
    with joblib.parallel_config(backend="loky", n_jobs=2):
        whole = joblib.Parallel()(joblib.delayed(ends_of)(runs) for runs in (3, 40))
        alone = joblib.Parallel()(joblib.delayed(states_of)(bouncing_ball(), height) for height in (1.0, 2.0))
    assert np.array_equal(whole[0], whole[1][:3])
    assert np.array_equal(whole[1], balls(40).x)
    assert np.array_equal(alone[1], states_of(bouncing_ball(), 2.0))


@pytest.mark.as_machine_code
def test_a_pool_that_loses_a_process_is_told_and_the_store_goes_on(tmp_path, monkeypatch):
    pytest.importorskip("zarr", reason="stores need zarr, the extra `store`")
    monkeypatch.setenv("COUNTED_BALLS", str(os.getpid()))
    options = {"x0": deadly, "store": tmp_path / "runs.zarr"}
    with (
        spawned(1) as pool,
        pytest.raises(
            RuntimeError, match=r"the executor has lost a process: .* call ensemble again with the same store"
        ),
    ):
        balls(40, executor=pool, **options)
    assert_same(balls(40, **options), balls(40, deadly))


def test_what_cannot_travel_is_named():
    with spawned(1) as pool:
        with pytest.raises(TypeError, match="the function given as x0, '<lambda>', cannot travel to another process"):
            balls(x0=lambda rng: {"z": 1.0}, executor=pool)
        process = HybridSystem({"up": lambda t, x: [1.0]}, [])
        with pytest.raises(TypeError, match=r"the flow of stage 'up', '<lambda>', cannot travel"):
            ensemble(process, (0, 1), np.zeros((3, 1)), start="up", executor=pool)


def test_other_objects_are_no_executors():
    with pytest.raises(TypeError, match=r"executor is 'dask', expected a concurrent\.futures\.Executor or a dask"):
        balls(executor="dask")


def test_starts_that_are_not_finite_are_refused_before_any_run():
    with (
        ThreadPoolExecutor(1) as pool,
        pytest.raises(ValueError, match="x0 of 1 runs is not finite, first that of run 2"),
    ):
        balls(3, {"z": np.array([1.0, 1.0, np.nan])}, executor=pool)


def test_ctrl_c_ends_draws_within_a_hundred_runs():
    def height(rng):
        heights.append(rng.uniform(1, 2))
        return heights[-1:]

    def look():
        if len(heights) > 100:
            raise KeyboardInterrupt

    heights: list[float] = []
    starts = Given("x0", ("z",), np.asarray, function=height)
    with pytest.raises(KeyboardInterrupt):
        drawn(starts, Given("parameters", (), np.asarray), 10_000, seed=1, look=look)
    assert 100 < len(heights) <= 200


def test_the_job_of_the_manual_for_slurm_makes_a_worker_of_each_core():
    slurm = pytest.importorskip("dask_jobqueue", reason="jobs of SLURM are those of dask-jobqueue")
    page = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "clusters.rst"
    call = re.search(r"SLURMCluster\((.*)\)\n", page.read_text(encoding="utf-8")).group(1)
    options = {one.arg: ast.literal_eval(one.value) for one in ast.parse(f"f({call})", mode="eval").body.keywords}
    job = slurm.SLURMCluster(**options)
    try:
        script = job.job_script()
    finally:
        job.close()
    for line in ("#SBATCH -p compute", "#SBATCH --cpus-per-task=32", "#SBATCH -t 04:00:00"):
        assert line in script
    assert "--nthreads 1 " in script
    assert "--nworkers 32 " in script


def test_a_fault_of_a_chunk_is_raised():
    def height(rng):
        drawn.append(rng.uniform(1, 2))
        return {"z": np.nan if len(drawn) > 30 else drawn[-1]}

    drawn: list[float] = []
    with (
        ThreadPoolExecutor(1) as pool,
        pytest.raises(ValueError, match=r"returned numbers that do not fit: x0: .* = nan"),
    ):
        balls(100, height, executor=pool)


@pytest.mark.as_machine_code
def test_ctrl_c_keeps_what_an_executor_has_done(processes, monkeypatch):
    with ThreadPoolExecutor(2) as threads:
        balls(40, executor=processes)
        for pool in (processes, threads):
            with monkeypatch.context() as changed:
                press_ctrl_c(changed, 2)
                found = balls(200_000, keep="end", executor=pool)
            done = found.success
            assert 0 < done.sum() < len(found)
            assert set(found.status[~done]) == {Status.INTERRUPTED}
            most = int(np.flatnonzero(done)[-1]) + 1
            assert np.array_equal(found.x[:most][done[:most]], balls(most, keep="end").x[done[:most]])


@contextmanager
def cluster_of(workers, **options):
    """A client of Dask and its cluster."""
    distributed = pytest.importorskip("distributed", reason="clusters need Dask, the extra `dask`")
    logging.getLogger("distributed").setLevel(logging.ERROR)
    with (
        distributed.LocalCluster(workers, threads_per_worker=1, dashboard_address=None, **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.mark.as_machine_code
def test_a_cluster_makes_the_same_bits():
    """Its worker is in this process, which takes a tenth of the time of processes."""
    with cluster_of(1, processes=False) as client:
        assert_same(balls(100, executor=client), balls(100))


@pytest.mark.slow
@pytest.mark.as_machine_code
def test_a_cluster_makes_the_bits_of_threads_and_repeats_the_chunk_of_a_killed_worker(tmp_path):
    """Quick is one without processes, above, and the lost process of another pool."""
    pytest.importorskip("zarr", reason="stores need zarr, the extra `store`")
    runs, heights = 20_000, CountedHeights(tmp_path / "drawn.txt")
    with cluster_of(2, processes=True) as client:
        assert_same(balls(100, executor=client), balls(100))
        killer = threading.Thread(target=_kill_one, args=(heights, runs // 4), daemon=True)
        killer.start()
        found = balls(runs, heights, executor=client, store=tmp_path / "runs.zarr")
        killer.join()
    repeated = sum(heights.counts().values()) - runs
    assert len(heights.counts()) >= 2
    # what the worker was making, and what waited in it for this process to fetch: the killed one had no other runs
    assert 0 <= repeated < runs // 4
    assert_same(found, balls(runs, heights))


def _kill_one(heights: CountedHeights, after: int) -> None:
    """Kill a worker of a cluster when so many runs have begun."""
    while sum((counts := heights.counts()).values()) < after:
        threading.Event().wait(0.02)
    os.kill(min(counts), signal.SIGKILL)


def chunk_of(first: int, runs: int, seconds: float, states: int) -> Chunk:
    """A chunk that has taken some time."""
    rows = Rows.empty(runs, states, Keep())
    rows.status[:] = Status.FINISHED.code
    return Chunk(first, rows, Table(np.zeros((runs, states)), np.zeros((1, 1)), runs), seconds)


@examples(
    33,
    100,
    gaps=st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), max_size=4),
    workers=st.integers(1, 64),
    pace=st.floats(1e-7, 10.0),
    cost=st.floats(0.0, 1.0),
    states=st.integers(1, 100),
)
def test_chunks_have_every_run_once_whatever_runs_cost(gaps, workers, pace, cost, states):
    wanted = [(100_000 * i + first, 100_000 * i + first + n) for i, (first, n) in enumerate(gaps)]
    sizes, seen = ChunkSizes(wanted, workers), []
    while (piece := sizes.take()) is not None:
        first, end = piece
        assert any(start <= first < end <= stop for start, stop in wanted)
        seen += range(first, end)
        sizes.learn(chunk_of(first, end - first, pace * (end - first), states), cost)
    assert seen == [k for first, end in wanted for k in range(first, end)]
    assert sizes.left == 0


def test_an_executor_that_was_shut_down_is_named():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(RuntimeError, match=r"the executor <.*ThreadPoolExecutor.*> takes no runs: .*has not been shut"):
        balls(10, executor=pool)


def test_an_exception_of_a_start_names_its_run():
    def height(rng):
        drawn.append(1)
        return {"z": 1.0 / (4 - len(drawn))}

    drawn: list[int] = []
    with pytest.raises(ZeroDivisionError) as caught:
        balls(10, height)
    assert caught.value.__notes__ == ["raised by the function given as x0, for run 3"]
