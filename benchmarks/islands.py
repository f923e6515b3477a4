"""Many bodies: dice thrown beside each other, and balls thrown into a box.

`python benchmarks/islands.py dice 1 2 4 8 16` runs dice (edge 1 m, e = 1/2, mu = 0.3) for 3 s, to rest, and fits the
exponent of the time in their number. `python benchmarks/islands.py balls 2 4 8 [--mu 0.3] [--end 2]` throws balls of
0.1 m into a box; `--by events moreau mujoco` says by which: from event to event, by time stepping with steps of 1 ms,
by MuJoCo with steps of 2 ms, whose contacts are soft. `--together` integrates all with one step, `--runs 1` stops after
the first run. CPU times, in one process.
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
from sympact.mechanics.islands.islands import islands_of


def timed_run(built, span: tuple[float, float], *, together: bool, runs: int) -> tuple[Result, float, float]:
    """The result, and the CPU time of the first and the best of the further runs (s)."""
    model, start, parameters = built
    if together:
        model._made[islands_of] = None
    times = []
    for _ in range(runs):
        began = process_time()
        result = model.simulate(span, start, parameters, rtol=1e-8, atol=1e-10)
        times.append(process_time() - began)
    return result, times[0], min(times[1:] or times)


def dice(asked: Namespace) -> None:
    """Dice beside each other, each seed another throw."""
    best = []
    for count in asked.counts:
        began = process_time()
        built = dice_beside_each_other(range(count), mu=asked.mu)
        derived = process_time() - began
        result, first, again = timed_run(built, (0.0, 3.0), together=asked.together, runs=asked.runs)
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
        if "events" in asked.by:
            result, first, again = timed_run(built, (0.0, asked.end), together=asked.together, runs=asked.runs)
            speed = np.abs(result.x[len(built[0].q) :, -1]).max()
            print(
                f"{count:4d} balls: derived {derived:6.2f} s, first run {first:6.2f} s, run {1e3 * again:9.1f} ms, "
                f"{len(result.events):6d} events, {result.steps:7d} steps, fastest at the end {speed:.1e} m/s, "
                f"{result.status.name} at {result.t[-1]:.3f} s",
                flush=True,
            )
        if "moreau" in asked.by:
            time_stepping(built, asked.end)
        if "mujoco" in asked.by:
            soft(built, count, asked.mu, asked.end)


def time_stepping(built, end: float) -> None:
    """Moreau's time stepping, after a first step."""
    model, start, parameters = built
    for until in (1e-3, end):
        began = process_time()
        result = model.simulate((0.0, until), start, parameters, method="moreau", max_step=1e-3)
        took = process_time() - began
    print(f"     moreau, 1 ms: {1e3 * took:9.1f} ms, {result.status.name} at {result.t[-1]:.3f} s", flush=True)


def soft(built, count: int, mu: float, end: float) -> None:
    """MuJoCo."""
    model, start, parameters = built
    try:
        import mujoco
    except ImportError:
        print("     MuJoCo is not installed")
        return
    width = next(value for symbol, value in parameters.items() if symbol.name == "L")
    wall = f'<geom type="plane" size="0 0 1" friction="{mu} 0 0" '
    bodies = "".join(
        f'<body pos="{" ".join(str(start[q]) for q in model.q[7 * i : 7 * i + 3])}"><freejoint/>'
        f'<geom type="sphere" size="0.1" mass="0.1" friction="{mu} 0 0"/></body>'
        for i in range(count)
    )
    world = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="0.002" cone="elliptic"/><worldbody>{wall} pos="0 0 0"/>'
        f'{wall} pos="0 0 0" zaxis="1 0 0"/>{wall} pos="{width} 0 0" zaxis="-1 0 0"/>'
        f'{wall} pos="0 0 0" zaxis="0 1 0"/>{wall} pos="0 {width} 0" zaxis="0 -1 0"/>{bodies}</worldbody></mujoco>'
    )
    data = mujoco.MjData(world)
    for i in range(count):
        data.qvel[6 * i : 6 * i + 6] = [start[u] for u in model.u[6 * i : 6 * i + 6]]
    began = process_time()
    for _ in range(round(end / 0.002)):
        mujoco.mj_step(world, data)
    print(f"     MuJoCo, 2 ms: {1e3 * (process_time() - began):9.1f} ms, {data.ncon} contacts at the end", flush=True)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["dice", "balls"])
    parser.add_argument("counts", type=int, nargs="+")
    parser.add_argument("--mu", type=float, default=0.3)
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--by", nargs="+", choices=["events", "moreau", "mujoco"], default=["events"])
    parser.add_argument("--end", type=float, default=2.0)
    given = parser.parse_args()
    {"dice": dice, "balls": balls}[given.what](given)
