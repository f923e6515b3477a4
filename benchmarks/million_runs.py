"""A million bouncing balls on disk: memory while they run, and the bits after a kill halfway.

    python benchmarks/million_runs.py [RUNS]

A process makes an ensemble with a store, which is killed by SIGKILL when half of its runs are on disk, and then called
again. Another store is made without a kill. Shown are the memory of the process from the first tenth of the runs on,
and whether both stores have the same bits.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import zarr
from measure import show

from sympact import Status

MEGABYTE = 1e6
PROGRAM = """
import sys, sympact
from scipy.stats import uniform
from sympact.models import bouncing_ball
sympact.ensemble(bouncing_ball(), (0, 4), {{"z": uniform(0.5, 2.0)}}, {{"e": uniform(0.3, 0.4)}}, runs={runs}, seed=5,
                 store={path!r}, workers=2)
"""


def begun(runs: int, path: Path) -> subprocess.Popen:
    """The process of the ensemble."""
    return subprocess.Popen([sys.executable, "-c", PROGRAM.format(runs=runs, path=str(path))])


def resident(pid: int) -> float:
    """The memory of a process that is its own (bytes): without files that are mapped."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
    return 1024.0 * float(next(line for line in lines if line.startswith("RssAnon")).split()[1])


def on_disk(path: Path) -> int:
    """How many runs have ended in the store."""
    try:
        return int((np.asarray(zarr.open_group(path, mode="r")["status"]) != Status.INTERRUPTED.code).sum())
    except (KeyError, FileNotFoundError, zarr.errors.GroupNotFoundError):
        return 0


def watched(process: subprocess.Popen, path: Path, runs: int, until: float) -> list[tuple[int, float]]:
    """(runs on disk, memory) each second, until the process ends or this part of the runs is on disk."""
    found = []
    while process.poll() is None:
        time.sleep(1.0)
        try:
            found.append((on_disk(path), resident(process.pid)))
        except (FileNotFoundError, StopIteration, ProcessLookupError):
            break  # it has ended meanwhile
        if found[-1][0] >= until * runs:
            break
    return found


def digest(path: Path) -> str:
    """Of every number in the store, the events in the order of their runs."""
    group, total = zarr.open_group(path, mode="r"), hashlib.sha256()
    order = np.argsort(np.asarray(group["event_run"]), kind="stable")
    for name, array in sorted(group.members(max_depth=None)):
        numbers = np.asarray(array)
        total.update(name.encode())
        total.update((numbers[order] if name.startswith("event_") else numbers).tobytes())
    return total.hexdigest()


def main(runs: int) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        whole, killed = Path(folder, "whole.zarr"), Path(folder, "killed.zarr")
        began = time.perf_counter()
        memory = watched(begun(runs, whole), whole, runs, 2.0)
        took = time.perf_counter() - began
        process = begun(runs, killed)
        watched(process, killed, runs, 0.5)
        process.send_signal(signal.SIGKILL)
        process.wait()
        half = on_disk(killed)
        begun(runs, killed).wait()
        later = [size for done, size in memory if done >= 0.1 * runs]
        rows = [
            ["runs", runs],
            ["wall time with a store (s)", took],
            ["memory after a tenth of the runs (MB)", later[0] / MEGABYTE],
            ["most after it (MB)", max(later) / MEGABYTE],
            ["growth (MB)", (max(later) - later[0]) / MEGABYTE],
            ["runs on disk when killed", half],
            ["same bits after it was called again", digest(whole) == digest(killed)],
        ]
        show(f"{runs:,} bouncing balls; processors: {os.cpu_count()}", ["", "value"], rows)


if __name__ == "__main__":
    main(int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000)
