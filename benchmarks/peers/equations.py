"""Problems with smooth stages and instantaneous jumps as functions of plain numbers, for engines that integrate.

The equations come from SymPy, as its users write them (`baseline_scipy.py`): the careful one solves for the
accelerations by hand into one function of Python's `math`, the usual one solves a linear system in each evaluation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from problems import BALL, ENDS

import baseline_scipy  # isort: skip  # of the folder above, which `problems` puts on the path
import systems  # isort: skip


def case_of(problem: str) -> systems.Case:
    """The System of a problem, with its numbers."""
    return systems.two_links() if problem == "links" else systems.cube("quaternion" if problem == "drops" else "omega")


def form_of(problem: str) -> str:
    """The form of its states, see `problems.quantities`."""
    return {"ball": "ball", "links": "links", "cube": "angles", "drops": "quaternion"}[problem]


class BallProblem:
    """The ball: its flow depends on a stage, which its jumps change."""

    def __init__(self) -> None:
        self.t_end, self.start = ENDS["ball"], np.array([0.0, BALL["v"]])
        self.stiffness = 0.0
        self.gaps = [self._ceiling, self._zero]
        for gap in (self._ceiling, self._zero):
            gap.__func__.terminal, gap.__func__.direction = True, -1

    def flow(self, t: float, x: np.ndarray) -> list[float]:
        """y', v'."""
        y, v = float(x[0]), float(x[1])
        return [v, -BALL["g"] - (BALL["c"] * v + self.stiffness * y) / BALL["m"]]

    def _ceiling(self, t: float, x: np.ndarray) -> float:
        return BALL["h"] - x[0]

    def _zero(self, t: float, x: np.ndarray) -> float:
        return x[0] if self.stiffness == 0.0 else -x[0]

    def jump(self, x: np.ndarray, hit: int) -> np.ndarray:
        """The state after a transition; the one at zero changes the stage."""
        if hit == 0:
            return np.array([x[0], -BALL["eta"] * x[1]])
        self.stiffness = BALL["k"] if self.stiffness == 0.0 else 0.0
        return np.array(x)

    def begin(self) -> None:
        """Back to the first stage."""
        self.stiffness = 0.0


def problem_of(problem: str, user: str):
    """A `baseline_scipy.Problem`, or the ball, for the careful, the usual user or the one who substitutes."""
    if problem == "ball":
        return BallProblem()
    case, t_end = case_of(problem), ENDS[problem]
    if user == "subs":
        return substituted(case, t_end)
    return {"careful": baseline_scipy.careful, "usual": baseline_scipy.usual}[user](case, t_end)


def substituted(case: systems.Case, t_end: float) -> baseline_scipy.Problem:
    """The source document's own way: `.subs` of all numbers into the equations, in every evaluation."""
    model = baseline_scipy._Symbolic.of(case)
    rates, jump = model.rates, baseline_scipy._newton(model)

    def flow(t, x):
        numbers = dict(zip(model.states, x, strict=True))
        mass = np.array(model.mass_matrix.subs(numbers).tolist(), dtype=float)
        forcing = np.array(model.forcing.subs(numbers).tolist(), dtype=float).ravel()
        first = [float(rate.subs(numbers)) for rate in rates]
        return np.concatenate([first, np.linalg.solve(mass, forcing)])

    def gap(index: int) -> Callable:
        def height(t, x):
            return float(model.gaps[index].subs(dict(zip(model.states, x, strict=True))))

        height.terminal, height.direction = True, -1
        return height

    return baseline_scipy.Problem(flow, [gap(i) for i in range(len(model.gaps))], jump, model.start, t_end)
