"""Many bodies: dice thrown beside each other, and balls thrown into a box.

`python benchmarks/islands.py dice 1 2 4 8 16` runs dice (edge 1 m, e = 1/2, mu = 0.3) for 3 s, to rest, and fits the
exponent of the time in their number. `python benchmarks/islands.py balls 2 4 8 [--mu 0.3] [--together]` throws balls of
0.1 m into a box for 2 s; `--together` integrates all of them with one step. CPU times of a second run, in one process.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from time import process_time

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from island_models import balls_in_a_box, dice_beside_each_other

from sympact import Result


def timed_run(built, span: tuple[float, float], *, together: bool) -> tuple[Result, float, float]:
    """The result, and the CPU time of the first and the best of two further runs (s)."""
    model, start, parameters = built
    if together:
        model.__dict__["islands"] = None
    times = []
    for _ in range(3):
        began = process_time()
        result = model.simulate(span, start, parameters, rtol=1e-8, atol=1e-10)
        times.append(process_time() - began)
    return result, times[0], min(times[1:])


def dice(asked: Namespace) -> None:
    """Dice beside each other, each seed another throw."""
    best = []
    for count in asked.counts:
        began = process_time()
        built = dice_beside_each_other(range(count), mu=asked.mu)
        derived = process_time() - began
        result, first, again = timed_run(built, (0.0, 3.0), together=asked.together)
        best.append(again)
        print(
            f"{count:4d} dice: derived {derived:6.2f} s, first run {first:6.2f} s, run {1e3 * again:9.1f} ms, "
            f"{len(result.events):6d} events, {result.steps:7d} steps, {result.status.name}",
            flush=True,
        )
    if len(best) > 2:
        exponent = np.polyfit(np.log(asked.counts), np.log(best), 1)[0]
        print(f"time ~ count^{exponent:.2f}")


def balls(asked: Namespace) -> None:
    """Balls in a box."""
    for count in asked.counts:
        began = process_time()
        built = balls_in_a_box(count, mu=asked.mu)
        derived = process_time() - began
        result, first, again = timed_run(built, (0.0, 2.0), together=asked.together)
        speed = np.abs(result.x[len(built[0].q) :, -1]).max()
        print(
            f"{count:4d} balls: derived {derived:6.2f} s, first run {first:6.2f} s, run {1e3 * again:9.1f} ms, "
            f"{len(result.events):6d} events, {result.steps:7d} steps, fastest at the end {speed:.1e} m/s, "
            f"{result.status.name} at {result.t[-1]:.3f} s",
            flush=True,
        )


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["dice", "balls"])
    parser.add_argument("counts", type=int, nargs="+")
    parser.add_argument("--mu", type=float, default=0.3)
    parser.add_argument("--together", action="store_true")
    given = parser.parse_args()
    {"dice": dice, "balls": balls}[given.what](given)
