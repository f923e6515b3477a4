"""The order of every stepper, fitted to its error against the step, without events and through an impact.

The motion is x'' = -x from x = 1 at rest, with a wall at x = -1/2 (`oracles.closed_forms.WalledOscillator`): first on
a span that ends before the impact, then through it. An adaptive method takes steps of one size when its tolerances ask
for nothing and `max_step` for everything. SciPy's implicit methods choose their steps and orders themselves; for them
the exponent of rtol is fitted. `python benchmarks/convergence.py` prints both, and the textbook table of
y' = x - y + 1.
"""

from collections.abc import Callable

import numpy as np
import sympy as sm
from measure import ABSOLUTE, show
from oracles.closed_forms import TEACHING_TABLE, WalledOscillator

from sympact import HybridSystem, Transition

SPANS = {"no event": 2.0, "through an impact": 4.0}
"""The impact is at 2 pi/3 = 2.094, the second after 6.4."""
STEPS = {
    "Euler": (1, np.geomspace(2e-4, 2e-3, 7)),
    "improved Euler": (2, np.geomspace(1e-3, 2e-2, 7)),
    "RK4": (4, np.geomspace(1e-2, 1e-1, 7)),
    "RK45": (5, np.geomspace(3e-2, 2e-1, 7)),
    "DOP853": (8, np.geomspace(2e-1, 1, 7)),
}
"""The order that theory promises, and the steps (s): above rounding, below the first wiggle of the curve."""
TOLERANCES = 10.0 ** -np.arange(4, 11)
IMPLICIT = ("Radau", "BDF", "LSODA")


class Wall:
    """The oscillator as a process, next to its exact motion.

    A model with a contact would take a rebound that is noise beside such tolerances for none.
    """

    def __init__(self):
        self.exact = WalledOscillator(0.8)
        q, u = sm.symbols("q u")
        edge = Transition("free", "free", boundary=self.exact.wall - q, jump={u: -0.8 * u})
        self.process = HybridSystem.from_sympy({"free": [u, -q]}, [edge], states=[q, u])

    def error(self, t_end: float, **options) -> float:
        """Distance from the exact state at `t_end`."""
        result = self.process.simulate((0, t_end), [1.0, 0.0], start="free", **options)
        return float(np.linalg.norm(result.x[:, -1] - self.exact.state(t_end)))


def slope(abscissa: np.ndarray, errors: list[float]) -> float:
    """The fitted exponent of `errors` as a power of `abscissa`."""
    return float(np.polyfit(np.log(abscissa), np.log(errors), 1)[0])


def fitted(wall: Wall, abscissa: np.ndarray, options: Callable[[float], dict[str, object]]) -> list[float]:
    """The exponent on each span, where `options` turns an abscissa into the settings of a run."""
    return [slope(abscissa, [wall.error(t_end, **options(value)) for value in abscissa]) for t_end in SPANS.values()]


def step_orders(wall: Wall) -> list[list[object]]:
    """A row for each explicit stepper: its name, the order of theory, the fitted orders."""
    rows = []
    for method, (order, steps) in STEPS.items():
        fixed = {"method": method, "rtol": 0.5, "atol": 1e6}
        rows.append([method, order, *fitted(wall, steps, lambda step, fixed=fixed: {**fixed, "max_step": step})])
    return rows


def tolerance_orders(wall: Wall) -> list[list[object]]:
    """A row for each method that controls its error: its name and the fitted exponents of rtol."""
    rows = []
    for method in ("RK45", "DOP853", *IMPLICIT):
        chosen = {"method": method}
        fits = fitted(wall, TOLERANCES, lambda rtol, chosen=chosen: {**chosen, "rtol": rtol, "atol": ABSOLUTE * rtol})
        rows.append([method, *fits])
    return rows


def teaching_rows() -> list[list[object]]:
    """y' = x - y + 1, y(0) = 1, h = 0.1: sympact's values over the textbook's."""
    line = HybridSystem(flows={"line": lambda x, y: [x - y[0] + 1]}, transitions=[])
    rows = []
    for method, key in (("improved Euler", "improved_euler"), ("RK4", "rk4")):
        result = line.simulate((0, 0.5), [1.0], start="line", method=method, max_step=0.1)
        rows.append([method, *(f"{value:.6f}" for value in result.x[0, 1:])])
        rows.append(["  textbook", *(f"{value:.6f}" for value in TEACHING_TABLE[key])])
    return rows


def main() -> None:
    """Print the three tables."""
    wall = Wall()
    show("Order in the step", ["method", "theory", *SPANS], step_orders(wall))
    show("Exponent of rtol", ["method", *SPANS], tolerance_orders(wall))
    show("y' = x - y + 1, y(0) = 1", ["x", *(f"{0.1 * step:.1f}" for step in range(1, 6))], teaching_rows())


if __name__ == "__main__":
    main()
