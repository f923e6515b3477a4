"""How long Ctrl-C takes: from the signal, sent by another process at a random moment, until `simulate` has returned.

`python benchmarks/interrupt.py [--count 50] [--longest 3]` interrupts each of four endless runs so many times, between
0.05 s and `longest` seconds after their start, and prints the median and the worst, and the samples of the results.
"""

import json
import os
import random
import signal
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from statistics import median
from time import CLOCK_MONOTONIC, clock_gettime, sleep

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


CASES = {"tumbling cube": cube, "bouncing ball": ball, "chain of 40 links": chain, "plain functions": plain}


def child(name: str, count: int) -> None:
    """Run the case so many times; a line before each run, and one that says when it returned and what it has."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    run = CASES[name]()
    run(0.01)  # what is compiled is compiled by now
    for _ in range(count):
        print("running", flush=True)
        result = run(1e9)
        now = clock_gettime(CLOCK_MONOTONIC)
        print(json.dumps([now, len(result.t), result.status.name]), flush=True)
        del result


def interrupted(name: str, count: int, longest: float) -> list[tuple[float, int]]:
    """Latency (s) and number of samples of each run of the case.

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
            pressed = clock_gettime(CLOCK_MONOTONIC)
            process.send_signal(signal.SIGINT)
            returned, samples, status = json.loads(process.stdout.readline())
            if status != "INTERRUPTED":
                raise RuntimeError(f"{name}: the run ended as {status}")
            found.append((returned - pressed, samples))
    return found


def main() -> None:
    """Interrupt every case and print how long it took."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--longest", type=float, default=3.0)
    parser.add_argument("--child", choices=CASES)
    asked = parser.parse_args()
    if asked.child:
        child(asked.child, asked.count)
        return
    rows = []
    for name in CASES:
        took, samples = zip(*interrupted(name, asked.count, asked.longest), strict=True)
        rows.append([name, 1e3 * median(took), 1e3 * max(took), median(samples), max(samples)])
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    head = ["", "median (ms)", "worst (ms)", "samples, median", "samples, most"]
    show(f"{asked.count} interrupts of each run; load of the machine {load}", head, rows)


if __name__ == "__main__":
    main()
