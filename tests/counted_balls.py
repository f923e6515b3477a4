"""Balls whose runs are counted in a file, in whatever process they are made."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
from scipy.stats import uniform

from sympact import Ensemble, ensemble
from sympact.analysis.scheduling.chunk_sizes import ChunkSizes
from sympact.models import bouncing_ball
from sympact.models.ready import ReadyModel

RESTITUTION = {"e": uniform(0.3, 0.4)}


class CountedHeights:
    """Draws the height of each ball, and appends the process that did to a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, rng: np.random.Generator) -> dict[str, float]:
        height = float(rng.uniform(0.5, 2.5))
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(file, f"{os.getpid()} {height!r}\n".encode())
        os.close(file)
        return {"z": height}

    def counts(self) -> dict[int, int]:
        """How many runs each other process has begun."""
        if not self.path.exists():
            return {}
        pids = [int(line.split()[0]) for line in self.path.read_text(encoding="utf-8").splitlines()]
        pids = [pid for pid in pids if pid != os.getpid()]
        return {pid: pids.count(pid) for pid in set(pids)}


def balls(runs: int = 60, x0=None, t_end: float = 4.0, **options) -> Ensemble:
    """Balls dropped from random heights on a floor, with random restitutions."""
    heights = {"z": uniform(0.5, 2.0)} if x0 is None else x0
    return ensemble(bouncing_ball(), (0, t_end), heights, RESTITUTION, **{"runs": runs, "seed": 5, **options})


def press_ctrl_c(monkeypatch, chunks: int) -> None:
    """Have Ctrl-C come when so many chunks have arrived, in whatever time that is."""
    arrived, learn = [0], ChunkSizes.learn

    def learned(sizes, chunk, cost):
        arrived[0] += 1
        if arrived[0] == chunks:
            signal.raise_signal(signal.SIGINT)
        learn(sizes, chunk, cost)

    monkeypatch.setattr(ChunkSizes, "learn", learned)


def assert_same(one: Ensemble, other: Ensemble) -> None:
    """Two ensembles have the same bits."""
    for name in ("x", "t", "x0", "status", "n_events", "steps", "rejected", "at_rest"):
        assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name in ("x", "t", "x0")), name
    for letter, values in one.parameters.items():
        assert np.array_equal(values, other.parameters[letter])
    assert one.refused == dict(other.refused)
    assert {kind: runs.tolist() for kind, runs in one.warnings.items()} == {
        kind: runs.tolist() for kind, runs in other.warnings.items()
    }
    if one.keep.events:
        for name in ("run", "t", "codes", "contacts", "impulse"):
            assert np.array_equal(getattr(one.events, name), getattr(other.events, name), equal_nan=name == "impulse")
    if one.keep.times is not None:
        assert np.array_equal(one.samples, other.samples, equal_nan=True)


def deadly(rng: np.random.Generator) -> dict[str, float]:
    """Ends the process in which it is called, but for the one of the test."""
    if os.environ.get("COUNTED_BALLS") != str(os.getpid()):
        os._exit(1)
    return {"z": float(rng.uniform(0.5, 2.5))}


def ends_of(runs: int) -> np.ndarray:
    """The last states of some runs, all of which one process makes."""
    return balls(runs).x


def states_of(ready: ReadyModel, height: float) -> np.ndarray:
    """The states of one run of a model that has travelled."""
    return ready.model.simulate(ready.t_span, [height, 0.0], ready.parameters).x
