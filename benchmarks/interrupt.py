"""How long Ctrl-C takes: from the signal, sent by another process at a random moment, until `simulate` has returned.

    python benchmarks/interrupt.py [--count 50] [--longest 3] [--only CASE ...]

interrupts endless runs, and ensembles in memory and with stores, so many times, between 0.05 s and `longest` seconds
after their start. It prints the median and the worst by the clock, and what the result has: samples, or runs that have
ended. The clock has the other work of the machine in it, so that it also prints what Ctrl-C costs the process itself:
its CPU time in all threads from the signal to the return, which is more than an idle machine takes where threads work
beside each other. On Linux alone, for it reads the clock of another process.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable
from itertools import count as numbers_from
from pathlib import Path
from statistics import median
from time import CLOCK_MONOTONIC, clock_gettime, process_time, sleep

import numpy as np
from measure import show

ENDLESS = {"max_events": 10**9}


def cube() -> Callable[[float], object]:
    """A tumbling cube that loses nothing, turned by a quaternion: impacts for ever."""
    from sympact.models import dropped_cube

    return of_model(dropped_cube("tilted"), {"e": 1.0})


def ball() -> Callable[[float], object]:
    """A bouncing ball in steps of a millisecond: some million samples a second."""
    from sympact.models import bouncing_ball

    return of_model(bouncing_ball(1.0), {}, max_step=1e-3)


def chain() -> Callable[[float], object]:
    """A hanging chain of forty links, of which a step takes long."""
    from sympact.models import pendulum

    return of_model(pendulum(links=40), {"e": 1.0})


def plain() -> Callable[[float], object]:
    """A ball written as plain Python functions."""
    from sympact import HybridSystem, Transition

    bounce = Transition("air", "air", boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -x[1]])
    process = HybridSystem({"air": lambda t, x: [x[1], -9.81]}, [bounce])
    return lambda t_end: process.simulate((0, t_end), [1.0, 0.0], start="air", **ENDLESS)


def of_model(ready, parameters: dict[str, float], **options) -> Callable[[float], object]:
    """A ready-made model with other parameters, to be run until a time."""
    return lambda t_end: ready.with_numbers(parameters, t_span=(0, t_end)).simulate(**ENDLESS, **options)


def in_memory() -> Callable[[float], object]:
    """Two million balls whose heights are given."""
    heights = np.linspace(0.5, 2.5, 2_000_000)
    return lambda t_end: _balls(heights if t_end > 1 else heights[:10])


def stored() -> Callable[[float], object]:
    """Balls of which heights and restitutions are drawn, with their events, into a store."""
    from scipy.stats import uniform

    folder, number = Path(tempfile.mkdtemp()), numbers_from()
    drawn = {"z": uniform(0.5, 2.0)}, {"e": uniform(0.3, 0.4)}

    def run(t_end: float):
        options = {"runs": 2_000_000 if t_end > 1 else 10, "seed": 5}
        return _balls(*drawn, store=folder / f"{next(number)}.zarr", **options)

    return run


def stored_alone() -> Callable[[float], object]:
    """Sampled balls, made one by one, into a store."""
    heights, folder, number = np.linspace(0.5, 2.5, 200_000), Path(tempfile.mkdtemp()), numbers_from()

    def run(t_end: float):
        given = {"z": heights if t_end > 1 else heights[:10]}
        return _balls(given, keep=np.linspace(0, 4, 101), store=folder / f"{next(number)}.zarr")

    return run


def _balls(start, numbers=None, **options):
    import sympact
    from sympact.models import bouncing_ball

    given = start if isinstance(start, dict) else {"z": start}
    return sympact.ensemble(bouncing_ball(), (0, 4), given, numbers, **options)


CASES = {
    "tumbling cube": cube,
    "bouncing ball": ball,
    "chain of 40 links": chain,
    "plain functions": plain,
    "ensemble": in_memory,
    "ensemble with a store": stored,
    "samples with a store": stored_alone,
}


def child(name: str, count: int) -> None:
    """Run the case so many times; a line before each run, and one that says when it returned and what it has."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    run = CASES[name]()
    run(0.01)  # what is compiled is compiled by now
    for _ in range(count):
        print("running", flush=True)
        result = run(1e9)
        now, cpu = clock_gettime(CLOCK_MONOTONIC), process_time()
        print(json.dumps([now, cpu, *kept(result)]), flush=True)
        del result


def kept(result) -> tuple[int, bool]:
    """The samples of a result, or the runs of an ensemble that have ended; and whether Ctrl-C has ended it."""
    from sympact import Ensemble, Status

    if isinstance(result, Ensemble):
        ended = int(np.isfinite(result.t).sum())
        return ended, ended < len(result)
    return len(result.t), result.status is Status.INTERRUPTED


def interrupted(name: str, count: int, longest: float) -> list[tuple[float, float, int]]:
    """Latency by the clock and in CPU time (s), and number of samples of each run of the case.

    Raises
    ------
    RuntimeError
        If a run ends otherwise.
    """
    moments, found = random.Random(0), []
    command = [sys.executable, __file__, "--child", name, "--count", str(count)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(count):
            if process.stdout.readline() != "running\n":
                raise RuntimeError(f"{name}: the run did not start")
            sleep(moments.uniform(0.05, longest))
            pressed, used = clock_gettime(CLOCK_MONOTONIC), clock_gettime(cpu_clock(process.pid))
            process.send_signal(signal.SIGINT)
            returned, cpu, samples, stopped = json.loads(process.stdout.readline())
            if not stopped:
                raise RuntimeError(f"{name}: the run ended by itself")
            found.append((returned - pressed, cpu - used, samples))
    return found


def cpu_clock(pid: int) -> int:
    """The clock of the CPU time of a process, as `clock_getcpuclockid` of Linux has it."""
    return (~pid << 3) | 2


def main() -> None:
    """Interrupt every case and print how long it took."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--longest", type=float, default=3.0)
    parser.add_argument("--only", nargs="+", default=list(CASES), choices=CASES)
    parser.add_argument("--child", choices=CASES)
    asked = parser.parse_args()
    if asked.child:
        child(asked.child, asked.count)
        return
    rows = []
    for name in asked.only:
        took, cpu, samples = zip(*interrupted(name, asked.count, asked.longest), strict=True)
        times = [1e3 * one for one in (median(took), max(took), median(cpu), max(cpu))]
        rows.append([name, *times, median(samples), max(samples)])
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    head = ["", "median (ms)", "worst (ms)", "CPU, median (ms)", "CPU, worst (ms)", "kept, median", "kept, most"]
    show(f"{asked.count} interrupts of each run; load of the machine {load}", head, rows)


if __name__ == "__main__":
    main()
