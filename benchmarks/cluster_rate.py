"""How many runs an hour a cluster makes: costs of chunks measured here, workers simulated.

    python benchmarks/cluster_rate.py [RUNS]

Measured are the CPU time of a run, by the loop of threads and by a LocalCluster of two processes; what a chunk costs
this process, the scheduler and the store; and how the rates compare in interleaved pairs. With these costs a simulation
of events has many workers take chunks from one queue, each of which costs the one process that hands them out and
stores them a time of its own.
"""

from __future__ import annotations

import heapq
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from scipy.stats import uniform

import sympact
from sympact.analysis.scheduling.chunk_sizes import ChunkSizes
from sympact.analysis.store.run_store import RunStore
from sympact.models import bouncing_ball

PAIRS = 5
HOURS = 3600.0


def balls(runs, **options):
    """Balls dropped from random heights on a floor, with random restitutions."""
    numbers = {"z": uniform(0.5, 2.0)}, {"e": uniform(0.3, 0.4)}
    return sympact.ensemble(bouncing_ball(), (0, 4), *numbers, runs=runs, seed=5, **options)


class Costs:
    """What a chunk costs this process, taken down while ensembles are made."""

    def __init__(self):
        self.store, self.chunks, self.seconds = [], 0, []
        learn, write = ChunkSizes.learn, RunStore.write

        def learned(sizes, chunk, cost):
            self.chunks += 1
            self.seconds.append(chunk.seconds / chunk.runs)
            learn(sizes, chunk, cost)

        def written(store, chunk):
            began = time.perf_counter()
            write(store, chunk)
            self.store.append(time.perf_counter() - began)

        ChunkSizes.learn, RunStore.write = learned, written


def cpu_of(pids):
    """The CPU time of some processes so far (s)."""
    ticks = os.sysconf("SC_CLK_TCK")
    fields = [Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split() for pid in pids]
    return sum(int(one[11]) + int(one[12]) for one in fields) / ticks


def simulated(workers, chunk, cost):
    """The share of the time that workers compute, where each chunk costs the one process a time (s)."""
    free = [(0.0, k) for k in range(workers)]
    heapq.heapify(free)
    busy, desk, end = 0.0, 0.0, 20 * max(chunk, workers * cost)
    while free[0][0] < end:
        ready, k = heapq.heappop(free)
        desk = max(desk, ready) + cost
        heapq.heappush(free, (desk + chunk, k))
        busy += chunk
    return busy / (workers * max(when for when, _ in free))


def main(runs=40_000):
    """Measure, simulate and print."""
    from distributed import Client, LocalCluster

    folder, costs = Path(tempfile.mkdtemp()), Costs()
    balls(2000)
    with (
        LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        balls(2000, executor=client)
        pids = list(client.run(os.getpid).values())
        ratios, walls = [], []
        for _ in range(PAIRS):
            began, wall = time.process_time(), time.perf_counter()
            balls(runs, workers=2, store=folder / "threads.zarr")
            threads, wall_threads = time.process_time() - began, time.perf_counter() - wall
            began, there, wall = time.process_time(), cpu_of(pids), time.perf_counter()
            balls(runs, executor=client, store=folder / "cluster.zarr")
            total = time.process_time() - began + cpu_of(pids) - there
            ratios.append(threads / total)
            walls.append(wall_threads / (time.perf_counter() - wall))
            shutil.rmtree(folder / "threads.zarr")
            shutil.rmtree(folder / "cluster.zarr")
        began, count = time.process_time(), 300
        wall = time.perf_counter()
        for future in [client.submit(int, k, pure=False) for k in range(count)]:
            future.result()
        task, task_wall = (time.process_time() - began) / count, (time.perf_counter() - wall) / count
    shutil.rmtree(folder)
    run, store = statistics.median(costs.seconds), statistics.median(costs.store)
    print(f"rate of the cluster of two over that of two threads, by CPU time: {statistics.median(ratios):.2f} {ratios}")
    print(f"the same by the clock: {statistics.median(walls):.2f} {walls}")
    print(f"an empty task: {1e3 * task:.2f} ms of CPU time, {1e3 * task_wall:.2f} ms by the clock")
    print(f"a chunk stored: {1e3 * store:.1f} ms; a run: {1e6 * run:.0f} us by the clock of its worker")
    cost = task_wall + store
    print("\nworkers   chunk (s)   busy   runs of 100 us an hour   the same with chunks of 1 s")
    for workers in (2, 16, 64, 256, 1024):
        chunk = max(1.0, workers * cost / 0.05)
        share, short = simulated(workers, chunk, cost), simulated(workers, 1.0, cost)
        rate = workers * HOURS / 100e-6
        print(f"{workers:7d} {chunk:11.1f} {share:6.3f} {share * rate:24.3g} {short * rate:29.3g}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
