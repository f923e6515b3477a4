"""Crossings too shallow for a sign check: an oscillator of amplitude 1 + d meets an elastic wall at 1, fourteen times.

`python benchmarks/grazing.py` prints how many of the fourteen each stepper finds, and the worst error in time, which
grows as 1/|g'| = 1/sqrt(2 d) for the same error of the motion. Below d ~ rtol a crossing is not decided by the numbers.
"""

from math import pi

import numpy as np
from engine import hybrid_model
from measure import ABSOLUTE, show
from oracles.closed_forms import grazing_times
from scipy.integrate import solve_ivp
from systems import oscillator

HITS = 14
DEPTHS = (1e-2, 1e-4, 1e-6, 1e-8)
TOLERANCES = (1e-6, 1e-9, 1e-12)
ADAPTIVE = ("DOP853", "RK45")
SAME_HIT = pi / 8


def sympact_hits(depth: float, method: str, rtol: float) -> np.ndarray:
    """The impact times that sympact finds."""
    case = oscillator(start=-1 - depth, wall=1.0, restitution=1.0)
    end = grazing_times(depth, HITS)[-1] + 1
    options = {"method": method, "rtol": rtol, "atol": ABSOLUTE * rtol}
    result = hybrid_model(case).simulate((0, end), case.start, case.parameters, **options)
    return np.array([event.t for event in result.events])


def scipy_hits(depth: float, method: str, rtol: float) -> np.ndarray:
    """The impact times of a restart loop around `solve_ivp`."""

    def wall(t, x):
        return x[0] - 1

    wall.terminal, wall.direction = True, 1
    t, x, end = 0.0, np.array([-1 - depth, 0.0]), grazing_times(depth, HITS)[-1] + 1
    hits = []
    while t < end and len(hits) <= HITS:
        options = {"method": method, "rtol": rtol, "atol": ABSOLUTE * rtol}
        run = solve_ivp(lambda t, x: (x[1], -x[0]), (t, end), x, events=wall, **options)
        t, x = run.t[-1], run.y[:, -1] * [1, -1]
        if run.status == 1:
            hits.append(t)
    return np.array(hits)


def count(hits: np.ndarray, depth: float) -> tuple[int, float]:
    """How many of the fourteen are among `hits` up to the first that is missed, and the worst error of these (s)."""
    expected = grazing_times(depth, HITS)
    found = 0
    while found < min(len(hits), HITS) and abs(hits[found] - expected[found]) < SAME_HIT:
        found += 1
    return found, float(np.abs(hits[:found] - expected[:found]).max(initial=0.0))


def main() -> None:
    """Print the table."""
    rows = []
    for engine, hits in (("sympact", sympact_hits), ("SciPy", scipy_hits)):
        for method in ADAPTIVE:
            for rtol in TOLERANCES:
                found = [count(hits(depth, method, rtol), depth) for depth in DEPTHS]
                rows.append(
                    [engine, method, rtol, *(f"{number} ({error:.0e})" if number else 0 for number, error in found)]
                )
    head = ["engine", "method", "rtol", *(f"d = {depth:g}" for depth in DEPTHS)]
    show(f"Hits found of {HITS} (worst error in time, s)", head, rows)


if __name__ == "__main__":
    main()
