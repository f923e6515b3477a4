"""Stages in discrete time: the cost of an update, and whether a million instants are exact.

python benchmarks/processes.py [--instants N]
"""

import argparse
from time import process_time

import numpy as np
import sympy as sm
from measure import show

from sympact import DiscreteTime, HybridSystem, Transition

n, k, x, v = sm.symbols("n k x v")
t = sm.Symbol("t")
EVERY = 0.1


def counters():
    """Stages in discrete time: alone, with a boundary that is followed, and beside a pendulum."""
    alone = HybridSystem.from_sympy({"count": DiscreteTime({n: n + 1}, every=EVERY)}, [], states=[n])
    wraps = [Transition("count", "count", boundary=n - 1000, jump={n: 0})]
    bounded = HybridSystem.from_sympy({"count": DiscreteTime({n: n + 1}, every=EVERY)}, wraps, states=[n])
    pendulum = HybridSystem.from_sympy({"swing": [v, -sm.sin(x)]}, [], states=[x, v])
    return {
        "alone": (alone, {n: 0}, "count"),
        "with a boundary": (bounded, {n: 0}, "count"),
        "beside a pendulum": (pendulum * alone, {x: 1, v: 0, n: 0}, "swing, count"),
    }


def updates(instants):
    """The CPU time of an update beyond that of the steps that it ends, and whether all instants are exact."""
    rows = []
    for name, (process, start, stage) in counters().items():
        process.simulate((0, 1), start, start=stage)
        span = (0, EVERY * instants)
        begun = process_time()
        result = process.simulate(span, start, start=stage)
        spent = process_time() - begun
        twice = result.t[1:][np.diff(result.t) == 0]
        met = np.unique(twice)[: instants + 1]
        exact = np.arange(1, instants + 1) * EVERY
        rows.append([name, f"{1e6 * spent / instants:.2f}", result.steps, bool(np.isin(exact, met).all())])
    return rows


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--instants", type=int, default=1_000_000)
    instants = parser.parse_args().instants
    show(
        f"{instants} updates every {EVERY} s",
        ["stage", "CPU of each (microseconds)", "steps", "exact multiples"],
        updates(instants),
    )


if __name__ == "__main__":
    main()
