"""SciPy's `solve_ivp` with terminal events and a restart after each jump: careful, usual, and the document's own way.

careful: accelerations solved by hand, one function of Python's `math`, DOP853 (the fastest of SciPy's methods here, see
`baseline_scipy.py`), rtol 1e-9; usual: lambdified M and f, a linear solve in each evaluation, DOP853, rtol 1e-9; subs:
`.subs` of all numbers in each evaluation, RK45, rtol 1e-6, as the source document prints it.
"""

from __future__ import annotations

from time import process_time

import numpy as np
import scipy
from equations import form_of, problem_of
from problems import Outcome, best, drop_starts, main

from baseline_scipy import Setting, simulate  # isort: skip

SETTINGS = {"careful": Setting("DOP853", 1e-9), "usual": Setting("DOP853", 1e-9), "subs": Setting("RK45", 1e-6)}


def solve(problem: str, setting: str) -> Outcome:
    """One run, or forty of the drops."""
    how, began = SETTINGS[setting], process_time()
    given = problem_of(problem, "careful" if problem == "ball" else setting)
    setup = process_time() - began
    told = f"solve_ivp, {how.method}, rtol {how.rtol:g}"
    if problem == "drops":
        return drops(given, how, setup, told)

    def run():
        if problem == "ball":
            given.begin()
        return simulate(given, how)

    repeats = 1 if setting == "subs" else 3
    seconds, (impacts, t, x) = best(run, repeats=repeats)
    return Outcome(told, scipy.__version__, setup, seconds, impacts, form_of(problem), t, x.T)


def drops(given, how: Setting, setup: float, told: str) -> Outcome:
    """Forty of the drops: each takes the same work."""
    from dataclasses import replace

    rows = drop_starts(40)
    began = process_time()
    firsts = []
    for row in rows:
        impacts, _, _ = simulate(replace(given, start=row, t_end=3.0), how)
        firsts.append([*impacts[:3], *[np.nan] * (3 - len(impacts[:3]))])
    return Outcome(
        told + ", 40 drops", scipy.__version__, setup, process_time() - began, of_runs=len(rows), firsts=firsts
    )


if __name__ == "__main__":
    main(solve)
