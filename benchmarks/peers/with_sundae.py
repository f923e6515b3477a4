"""SUNDIALS' CVODE by scikit-SUNDAE, with its root finding: the Adams method for what is not stiff, rtol 1e-10."""

from __future__ import annotations

from dataclasses import replace
from time import process_time

import numpy as np
import sksundae
from equations import form_of, problem_of
from problems import Outcome, best, drop_starts, main
from sksundae.cvode import CVODE

RTOL = 1e-10


def solve(problem: str, setting: str) -> Outcome:
    """One run, or forty of the drops."""
    began = process_time()
    given = problem_of(problem, "careful")
    setup = process_time() - began
    told = f"CVODE, Adams, rtol {RTOL:g}, restarted at each root"
    if problem == "drops":
        began, firsts = process_time(), []
        rows = drop_starts(40)
        for row in rows:
            impacts = integrated(replace(given, start=row, t_end=3.0))[0]
            firsts.append([*impacts[:3], *[np.nan] * (3 - len(impacts[:3]))])
        return Outcome(
            told + ", 40 drops", sksundae.__version__, setup, process_time() - began, of_runs=len(rows), firsts=firsts
        )
    seconds, (impacts, t, x) = best(lambda: integrated(given))
    return Outcome(told, sksundae.__version__, setup, seconds, impacts, form_of(problem), t, x)


def integrated(given) -> tuple[list[float], np.ndarray, np.ndarray]:
    """Impact times, and times and states of all steps."""
    if hasattr(given, "begin"):
        given.begin()

    def rates(t, y, yp):
        yp[:] = given.flow(t, np.array(y))

    def roots(t, y, values):
        for i, gap in enumerate(given.gaps):
            values[i] = gap(t, np.array(y))

    count = len(given.gaps)
    roots.terminal, roots.direction = [True] * count, [-1] * count
    solver = CVODE(rates, method="Adams", rtol=RTOL, atol=1e-3 * RTOL, eventsfn=roots, num_events=count,
                   max_num_steps=100_000)  # fmt: skip
    t, x, impacts, times, states = 0.0, given.start, [], [], []
    while t < given.t_end and len(impacts) < 400:
        found = solver.solve(np.array([t, given.t_end]), x)
        times.append(found.t)
        states.append(found.y)
        t, x = found.t[-1], found.y[-1]
        if t >= given.t_end or found.i_events is None or not len(found.i_events):
            break
        hit = int(np.flatnonzero(np.atleast_2d(found.i_events)[-1])[0])
        x = given.jump(x, hit)
        impacts.append(float(t))
    return impacts, np.concatenate(times), np.concatenate(states)


if __name__ == "__main__":
    main(solve)
