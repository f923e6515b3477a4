"""How many runs an hour a cluster makes: costs of chunks measured here, workers simulated.

    python benchmarks/cluster_rate.py [RUNS]

Measured is the CPU time of balls, in interleaved pairs: by threads, and by a LocalCluster of two processes; and what a
chunk costs the process that hands chunks out, receives and stores them, which has the scheduler in it, too. With these
costs many workers that take chunks from one queue are simulated.
"""

from __future__ import annotations

import heapq
import os
import shutil
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from distributed import Client, LocalCluster
from scipy.stats import uniform

import sympact
from sympact.analysis.scheduling.chunk_sizes import ChunkSizes
from sympact.models import bouncing_ball

PAIRS = 3
HOUR = 3600.0


def balls(runs, **options):
    """Balls dropped from random heights on a floor, with random restitutions."""
    numbers = {"z": uniform(0.5, 2.0)}, {"e": uniform(0.3, 0.4)}
    return sympact.ensemble(bouncing_ball(), (0, 4), *numbers, runs=runs, seed=5, **options)


class Count:
    """How many chunks ensembles have."""

    def __init__(self):
        self.chunks = 0
        learn = ChunkSizes.learn

        def learned(sizes, chunk, cost):
            self.chunks += 1
            learn(sizes, chunk, cost)

        ChunkSizes.learn = learned


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


def measured(client, pids, runs, folder, count):
    """CPU times (s) of threads and of a cluster, what its workers use when idle, and chunks."""
    began, there, wall = time.process_time(), cpu_of(pids), time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        balls(runs, executor=pool, store=folder and folder / "threads.zarr")
    threads, idle = time.process_time() - began, (cpu_of(pids) - there) / (time.perf_counter() - wall)
    began, there, wall, chunks = time.process_time(), cpu_of(pids), time.perf_counter(), count.chunks
    balls(runs, executor=client, store=folder and folder / "cluster.zarr")
    here, away, wall = time.process_time() - began, cpu_of(pids) - there, time.perf_counter() - wall
    if folder:
        shutil.rmtree(folder / "threads.zarr")
        shutil.rmtree(folder / "cluster.zarr")
    return threads, here, away, idle * wall, count.chunks - chunks


def main(runs=150_000):
    """Measure, simulate and print."""
    count, costs = Count(), {}
    balls(2000)
    with (
        LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        balls(2000, executor=client)
        pids = list(client.run(os.getpid).values())
        for name in ("memory", "store"):
            folder = None if name == "memory" else Path(tempfile.mkdtemp())
            pairs = [measured(client, pids, runs, folder, count) for _ in range(PAIRS)]
            rate = [threads / (here + away) for threads, here, away, idle, _ in pairs]
            without = [threads / (here + away - idle) for threads, here, away, idle, _ in pairs]
            costs[name] = statistics.median(here / chunks for _, here, _, _, chunks in pairs)
            run = statistics.median(away / runs for _, _, away, _, _ in pairs)
            print(f"{runs:,} runs into a {name}: a run costs a worker {1e6 * run:.0f} us of CPU time, a chunk this")
            print(f"  process {1e3 * costs[name]:.0f} ms ({pairs[0][-1]} chunks); rate of the cluster over threads")
            print(f"  {statistics.median(rate):.2f}, {statistics.median(without):.2f} without what idle workers use")
    for name, cost in costs.items():
        print(f"\nworkers   chunk (s)    busy   runs of 1 ms an hour ({name})   with chunks of 1 s")
        for workers in (2, 16, 64, 256, 1024):
            chunk = max(1.0, cost / 0.05, workers * cost / 0.25)  # as `ChunkSizes` has it
            rate = workers * HOUR / 1e-3
            share, short = simulated(workers, chunk, cost), simulated(workers, 1.0, cost)
            print(f"{workers:7d} {chunk:11.1f} {share:7.3f} {share * rate:30.2g} {short * rate:20.2g}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
