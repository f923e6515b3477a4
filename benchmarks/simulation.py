"""The tumbling cube (5 s) and two links above a floor (10 s): sympact against SciPy, at the same measured error.

Cube: every engine at the coarsest rtol that keeps the error of the first five impact times within 5e-9 s; turned by
angles and their rates as in the source document, by angles and body spin, and by a quaternion, which needs a tenth of
the steps in either engine. Two links: every engine at the fastest setting that finds all 19 impacts.

`python benchmarks/simulation.py` prints CPU times and how many times faster sympact is, called with arrays
(`model.compile().simulate`) and with everything included (`model.simulate`, then the times, states and events of the
result).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import systems
from baseline_scipy import (
    CUBE_ERROR,
    CUBE_TOLERANCES,
    TWO_LINK_TOLERANCES,
    careful,
    five_impact_error,
    matched_cube,
    simulate,
    two_link_error,
    two_link_settings,
    usual,
)
from engine import hybrid_model, parameters
from measure import ABSOLUTE, best, best_of_each, coarsest, show

METHODS = ("DOP853", "RK45")


@dataclass(frozen=True)
class Run:
    """A way to run a case at given tolerances: `call` does it, `error` measures the impact times it gives."""

    name: str
    setting: str
    call: Callable[[], object]
    error: float


class Engine:
    """A case as a sympact model, called with arrays or through the whole of `model.simulate`."""

    def __init__(self, case: systems.Case, t_end: float):
        self.case, self.t_end = case, t_end
        self.model = hybrid_model(case)
        self.numbers = parameters(self.model, case)
        self.compiled = self.model.compile()
        self.x, self.p = self.compiled.state(case.start), self.compiled.parameters(self.numbers)

    def with_arrays(self, method: str, rtol: float) -> object:
        """The compiled call."""
        return self.compiled.simulate((0, self.t_end), self.x, self.p, **_options(method, rtol))

    def with_result(self, method: str, rtol: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """`model.simulate` from mappings, and what a user reads from it: impact times, times, states."""
        result = self.model.simulate((0, self.t_end), self.case.start, self.numbers, **_options(method, rtol))
        return np.array([event.t for event in result.events]), result.t, result.x

    def runs(self, method: str, rtol: float, error: float) -> list[Run]:
        """Both ways at one setting."""
        setting = f"{method} {rtol:.1e}"
        return [
            Run("sympact, arrays", setting, lambda: self.with_arrays(method, rtol), error),
            Run("sympact, simulate()", setting, lambda: self.with_result(method, rtol), error),
        ]


def _options(method: str, rtol: float) -> Mapping[str, object]:
    return {"method": method, "rtol": rtol, "atol": ABSOLUTE * rtol}


def cube_runs(speeds: str) -> list[Run]:
    """The careful and the usual SciPy user, then sympact, for one choice of coordinates and speeds."""
    runs = []
    for name, user in (("SciPy, careful", careful), ("SciPy, usual", usual)):
        problem = user(systems.cube(speeds), systems.CUBE_END)
        setting = matched_cube(problem)
        error = five_impact_error(simulate(problem, setting)[0])
        label = f"{setting.method} {setting.rtol:.1e}"
        runs.append(Run(name, label, lambda problem=problem, setting=setting: simulate(problem, setting), error))
    engine = Engine(systems.cube(speeds), systems.CUBE_END)
    errors = {rtol: five_impact_error(engine.with_result("DOP853", rtol)[0]) for rtol in CUBE_TOLERANCES}
    rtol = coarsest(errors, CUBE_ERROR)
    return [*runs, *engine.runs("DOP853", rtol, errors[rtol])]


def two_link_runs() -> list[Run]:
    """SciPy's fastest setting that finds all 19 impacts, then sympact's."""
    problem = careful(systems.two_links(), systems.TWO_LINK_END)
    _, setting, error = two_link_settings(problem)[0]
    label = f"{setting.method} {setting.rtol:.1e}, max_step {setting.max_step}"
    scipy = Run("SciPy, careful", label, lambda: simulate(problem, setting), error)
    engine = Engine(systems.two_links(), systems.TWO_LINK_END)
    settings = [(method, rtol) for method in METHODS for rtol in TWO_LINK_TOLERANCES]
    errors = {setting: two_link_error(engine.with_result(*setting)[0]) for setting in settings}
    finding_all = [setting for setting in settings if np.isfinite(errors[setting])]
    fastest = min(finding_all, key=lambda setting: best(lambda: engine.with_arrays(*setting), repeats=3))
    return [scipy, *engine.runs(*fastest, errors[fastest])]


def table(title: str, runs: list[Run], baselines: int) -> None:
    """Print the CPU times of `runs`, and how many times faster each is than the first `baselines` of them."""
    seconds = best_of_each([run.call for run in runs])
    rows = []
    for run, took in zip(runs, seconds, strict=True):
        rows.append([run.name, run.setting, run.error, 1e3 * took, *(slow / took for slow in seconds[:baselines])])
    head = ["", "method, rtol", "error (s)", "CPU (ms)", *(f"x {run.name}" for run in runs[:baselines])]
    show(title, head, rows)


def main() -> None:
    """Print the tables."""
    for speeds in systems.CUBE_SPEEDS:
        table(f"Cube ({speeds}), 5 s, error of the first five impact times", cube_runs(speeds), baselines=2)
    table("Two links, 10 s, worst error of the 19 impact times", two_link_runs(), baselines=1)


if __name__ == "__main__":
    main()
