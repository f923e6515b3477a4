"""PathSim: a block of an ordinary differential equation with events of zero crossings; RKDP87, tolerances of 1e-10."""

from __future__ import annotations

from time import process_time

import numpy as np
import pathsim
from equations import form_of, problem_of
from pathsim import Simulation
from pathsim.blocks import ODE
from pathsim.events import ZeroCrossingDown
from pathsim.solvers import RKDP87
from problems import Outcome, best, main


def solve(problem: str, setting: str) -> Outcome:
    """One run."""
    began = process_time()
    given = problem_of(problem, "careful")
    setup = process_time() - began
    seconds, (impacts, t, x) = best(lambda: integrated(given), repeats=3)
    told = "RKDP87, tolerances 1e-10, ZeroCrossingDown events with tolerance 1e-10"
    return Outcome(told, pathsim.__version__, setup, seconds, impacts, form_of(problem), t, x)


def integrated(given) -> tuple[list[float], list[float], list[np.ndarray]]:
    """Impact times, and times and states of all steps."""
    if hasattr(given, "begin"):
        given.begin()
    impacts, times, states = [], [], []
    block = ODE(lambda x, u, t: np.array(given.flow(t, x)), np.array(given.start))

    def event(i: int) -> ZeroCrossingDown:
        def act(t):
            impacts.append(float(t))
            block.engine.set(given.jump(np.array(block.engine.get()), i))

        return ZeroCrossingDown(
            func_evt=lambda t: given.gaps[i](t, np.array(block.engine.get())), func_act=act, tolerance=1e-10
        )

    simulation = Simulation(
        [block], [], [event(i) for i in range(len(given.gaps))], dt=1e-3, Solver=RKDP87, log=False,
        tolerance_lte_abs=1e-12, tolerance_lte_rel=1e-10,
    )  # fmt: skip
    simulation.reset()
    while simulation.time < given.t_end and len(impacts) < 400:
        simulation.run(min(0.02, given.t_end - simulation.time), reset=False, adaptive=True)
        times.append(float(simulation.time))
        states.append(np.array(block.engine.get()))
    return impacts, times, states


if __name__ == "__main__":
    main(solve)
