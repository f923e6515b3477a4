"""Ensembles: what a run costs, how much of it is not the loop, how right the impacts are, and what two cores give.

`python benchmarks/ensembles.py [--count 10000] [--pairs 30]` drops cubes for 3 s from random attitudes with random
spins (e = 0.8), compares their first three impacts with the exact flight of `oracles.free_cube`, and drops dice with
friction until they rest. Where MuJoCo or heyoka is installed, its own way of many runs is timed in the same process.
"""

import cProfile
import importlib.util
import pstats
import threading
import time
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import contextmanager
from statistics import median

import numpy as np
from engine import hybrid_model
from measure import ABSOLUTE, show, timed
from oracles.free_cube import Cube, Drops, impacts, rotation_quaternion
from peers.batches import heyoka_batch, mujoco_rollout
from systems import CUBE_SPEEDS, RESTITUTION, cube

from sympact import SympactWarning, ensemble
from sympact.analysis import Ensemble
from sympact.integrate.batch import batch_worker, lane_worker
from sympact.integrate.loop import prepared_run
from sympact.models import dice

SPAN, HEIGHT, SPIN = (0.0, 3.0), 5.0, 5.0  # s, m, rad/s
LONGER = (0.0, 8.0)  # s: runs of about 200 us at TIGHT
TIGHT = 1e-13
FIRST = 3  # impacts that are compared
CASE = cube("quaternion")
assert "quaternion" in CUBE_SPEEDS, "the coordinates of the free body"


def starts(count: int, seed: int = 0) -> tuple[np.ndarray, Drops]:
    """Random drops as rows of states, and for the oracle."""
    random = np.random.default_rng(seed)
    turn = random.normal(size=(count, 4))
    turn /= np.linalg.norm(turn, axis=1, keepdims=True)
    spin, rest = random.uniform(-SPIN, SPIN, (count, 3)), np.zeros((count, 3))
    position = np.tile([0.0, 0.0, HEIGHT], (count, 1))
    rotation = rotation_quaternion(turn)
    drops = Drops(np.zeros(count), position, rest, rotation, np.einsum("nij,nj->ni", rotation, spin))
    return np.column_stack([position, turn, rest, spin]), drops


def dropped(model, rows: np.ndarray, rtol: float, workers: int = 1, span: tuple[float, float] = SPAN) -> Ensemble:
    """The ensemble of the drops."""
    return ensemble(model, span, rows, CASE.parameters, rtol=rtol, atol=ABSOLUTE * rtol, workers=workers)


class Timed:
    """A function that adds up its CPU time in this thread."""

    def __init__(self, call: Callable[[int], int]) -> None:
        self._call, self.seconds = call, 0.0

    def __call__(self, address: int) -> int:
        """Call it."""
        began = time.thread_time()
        answer = self._call(address)
        self.seconds += time.thread_time() - began
        return answer


@contextmanager
def timed_unit(module, name: str):
    """The CPU time of a unit, which the package calls by this name of a module."""
    unit, watched = getattr(module, name), Timed(getattr(module, name).callable())
    fields = {"callable": lambda self: watched, "address": lambda self: unit.address()}
    setattr(module, name, type("Watched", (), fields)())
    try:
        yield watched
    finally:
        setattr(module, name, unit)


def compared(found: Ensemble, drops: Drops) -> list[list[object]]:
    """The first impacts against the exact flight."""
    shape = Cube(mass=1, edge=1, restitution=CASE.parameters[RESTITUTION], gravity=9.8)
    exact = impacts(shape, drops, FIRST).t.astype(float)
    within = exact < SPAN[1]
    errors = np.abs(found.events.impacts.first(FIRST) - exact)[within]
    return [
        ["impacts compared", int(within.sum())],
        ["of these not found within 1 ms", int((~(errors < 1e-3)).sum())],
        ["error of their times, 99.9th percentile (s)", float(np.nanquantile(errors, 0.999))],
        ["worst error (s)", float(np.nanmax(errors))],
    ]


def in_the_loop(model, rows: np.ndarray, rtol: float, span: tuple[float, float] = SPAN) -> float:
    """The CPU time of the loop of one run (s), of runs one after the other in the memory of one."""
    compiled = model.compile()
    p, options = compiled.parameters(CASE.parameters), {"rtol": rtol, "atol": ABSOLUTE * rtol}
    compiled.waiting.clear()  # a memory of earlier runs knows the unit already
    with timed_unit(prepared_run, "LOOP") as loop:
        for row in rows:
            compiled.simulate(span, row, p, **options)
    return loop.seconds / len(rows)


def one_core(model, count: int, rtol: float) -> list[list[object]]:
    """The cost of a run, and its parts."""
    rows, drops = starts(count)
    found = dropped(model, rows, rtol)
    seconds = min(timed(lambda: dropped(model, rows, rtol))[1] for _ in range(5)) / count
    with timed_unit(batch_worker, "CHUNK") as alone, timed_unit(lane_worker, "IN_LANES") as together:
        _, whole = timed(lambda: dropped(model, rows, rtol))
    return [
        ["CPU time of a run (us)", 1e6 * seconds],
        ["time with Python's interpreter lock (%)", 100 * (1 - (alone.seconds + together.seconds) / whole)],
        [
            "loop of a run by itself, in Python's loop (us)",
            1e6 * min(in_the_loop(model, rows[:2000], rtol) for _ in range(3)),
        ],
        ["impacts of a run", float(found.events.impacts.counts.mean())],
        *compared(found, drops),
    ]


def overhead(model, rows: np.ndarray, pairs: int) -> list[list[object]]:
    """The unit of a batch against the loops in it, in pairs; and Python calls of a run."""
    ratios, count = [], len(rows)
    for _ in range(pairs):
        loop = in_the_loop(model, rows, TIGHT, LONGER)
        ratios.append(timed(lambda: dropped(model, rows, TIGHT, span=LONGER))[1] / count / loop)
    calls = [python_calls(lambda k=k: dropped(model, np.tile(rows, (k, 1)), TIGHT, span=LONGER)) for k in (1, 5)]
    return [
        [f"loop of a run of {LONGER[1]:g} s at rtol {TIGHT:g} (us)", 1e6 * loop],
        [f"ensemble over loops, median of {pairs} pairs", median(ratios)],
        ["Python calls of a further run", (calls[1] - calls[0]) / (4 * count)],
    ]


def python_calls(call: Callable[[], object]) -> float:
    """The Python calls in all threads."""
    profiles: list[cProfile.Profile] = []

    def begin(*event: object) -> None:
        profiles.append(cProfile.Profile())
        profiles[-1].enable()

    threading.setprofile(begin)
    begin()
    call()
    threading.setprofile(None)
    profiles[0].disable()
    return sum(pstats.Stats(one).total_calls for one in profiles if one.getstats())


def several_cores(model, rows: np.ndarray, rtol: float) -> list[list[object]]:
    """Wall-clock rates and CPU times of one and two workers, in turns, and whether the bits agree.

    On a machine that others use, the rate says what they leave; the CPU time says what two threads cost each other.
    """
    best, spent, ends = {1: np.inf, 2: np.inf}, {1: np.inf, 2: np.inf}, {}
    for _ in range(7):
        for workers in best:
            began, used = time.perf_counter(), time.process_time()
            ends[workers] = dropped(model, rows, rtol, workers).x
            best[workers] = min(best[workers], time.perf_counter() - began)
            spent[workers] = min(spent[workers], time.process_time() - used)
    same = np.array_equal(ends[1], ends[2])
    return [
        ["rate of two workers over that of one", best[1] / best[2]],
        ["CPU time of two workers over that of one", spent[2] / spent[1]],
        ["same bits", str(same)],
    ]


def to_rest(count: int) -> list[list[object]]:
    """Dice with friction until they rest: the ensemble against the loop of single runs."""
    ready, random = dice(), np.random.default_rng(3)
    ready.model.compile().waiting.clear()
    spins = {f"omega_{i}": random.normal(0, 30, count) for i in (1, 2, 3)}
    seconds = min(timed(lambda: ensemble(ready, x0=spins, workers=1))[1] for _ in range(3))
    with timed_unit(prepared_run, "LOOP") as loop:
        for k in range(count):
            ready.with_numbers(start={name: float(values[k]) for name, values in spins.items()}).simulate()
    found = ensemble(ready, x0=spins, workers=1)
    return [
        ["CPU time of a throw (us)", 1e6 * seconds / count],
        ["over the loops of single runs", seconds / loop.seconds],
        ["at rest (%)", 100.0 * float(found.at_rest.mean())],
    ]


def peers(model, rtol: float) -> list[list[object]]:
    """Other engines in the same process."""
    rows, found = starts(800)[0], []
    many = starts(10_000)[0]
    own = min(timed(lambda: dropped(model, many, rtol))[1] for _ in range(3)) / len(many)
    ways: list[tuple[str, str, Callable[[], float]]] = [
        ("mujoco", "MuJoCo's rollout, dt 0.002", lambda: mujoco_rollout(rows[:200])),
        ("heyoka", "heyoka's batch of 4, tol 1e-10", lambda: heyoka_batch(rows, 4)),
        ("heyoka", "heyoka's batch of 8, tol 1e-10", lambda: heyoka_batch(rows, 8)),
    ]
    for package, name, measure in ways:
        if importlib.util.find_spec(package) is None:
            found.append([name, "not installed", ""])
            continue
        seconds = measure()
        found.append([name, 1e6 * seconds, seconds / own])
    return found


def arguments() -> Namespace:
    """What the command line asks for."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--rtol", type=float, default=1.5e-10)
    return parser.parse_args()


def main() -> None:
    """Print the tables."""
    warnings.simplefilter("ignore", SympactWarning)  # corners of dice that hit nearly together
    asked, model = arguments(), hybrid_model(CASE)
    rows = starts(asked.count)[0]
    head = ["", f"rtol {asked.rtol:g}"]
    show(
        f"{asked.count} cubes dropped from {HEIGHT:g} m for 3 s, one worker",
        head,
        one_core(model, asked.count, asked.rtol),
    )
    show("What is not the loop", ["", ""], overhead(model, starts(500)[0], asked.pairs))
    show("Two workers", ["", ""], several_cores(model, rows, asked.rtol))
    show("Dice with friction to rest", ["", ""], to_rest(100))
    show("Others", ["", "CPU time of a drop (us)", "times ours"], peers(model, asked.rtol))


if __name__ == "__main__":
    main()
