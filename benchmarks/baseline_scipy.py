"""What SciPy users write for the same systems, done with care: the yardstick of `simulation.py`.

Two users, one restart loop (`solve_ivp` with a terminal event, a jump, `solve_ivp` again):

- *careful*: solves M u' = f by hand into an explicit right-hand side, one `lambdify` with common subexpressions to
  Python's `math`, plain floats;
- *usual*: `lambdify` of M and of f to NumPy, `np.linalg.solve` in the right-hand side.

Both have one terminal event per contact, all fed from one evaluation of every gap. (The lowest gap as a single event is
cheaper but loses impacts: it starts at zero after each jump, so a second corner that comes down within the first step
gives no change of sign.) `python benchmarks/baseline_scipy.py` prints the sweeps.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf

import numpy as np
import sympy as sm
import systems
from measure import ABSOLUTE, best, coarsest, impact_times, show
from scipy.integrate import solve_ivp

CUBE_ERROR = 5e-9
"""What "the same error" means for the cube: of the first five impact times (s)."""
SAME_IMPACT = 0.05
"""A two-link impact within this of the reference's is that impact (s); the closest two are 0.2 s apart."""
CUBE_TOLERANCES = tuple(10 ** -(exponent / 4) for exponent in range(28, 45))
TWO_LINK_TOLERANCES = tuple(10.0**-exponent for exponent in range(3, 11))
MOST_EVENTS = 200


@dataclass(frozen=True)
class Problem:
    """A system with impacts as functions of plain numbers, for a restart loop around `solve_ivp`.

    Attributes
    ----------
    flow : callable
        (t, x) -> x', shape (n,).
    gaps : sequence of callable
        (t, x) -> the gap of a contact; the attributes `terminal` and `direction` are set.
    jump : callable
        (x before the impact, index of the contact) -> x after it, shape (n,).
    start : ndarray, shape (n,)
    t_end : float
    """

    flow: Callable
    gaps: Sequence[Callable]
    jump: Callable
    start: np.ndarray
    t_end: float


@dataclass(frozen=True)
class Setting:
    """One way to call `solve_ivp`."""

    method: str
    rtol: float
    max_step: float = inf


def simulate(problem: Problem, setting: Setting) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Impact times, and the whole run: times, shape (m,), and states, shape (n, m)."""
    t, x = 0.0, problem.start
    impacts, times, states = [], [], []
    while len(impacts) < MOST_EVENTS:
        run = solve_ivp(
            problem.flow,
            (t, problem.t_end),
            x,
            method=setting.method,
            events=problem.gaps,
            rtol=setting.rtol,
            atol=ABSOLUTE * setting.rtol,
            max_step=setting.max_step,
        )
        times.append(run.t)
        states.append(run.y)
        if run.status != 1:
            break
        hit = next(index for index, found in enumerate(run.t_events) if found.size)
        t, x = run.t[-1], problem.jump(run.y[:, -1], hit)
        impacts.append(t)
    return np.array(impacts), np.concatenate(times), np.concatenate(states, axis=1)


def careful(case: systems.Case, t_end: float) -> Problem:
    """An explicit right-hand side in Python's `math` from one stacked `lambdify`, simplified where that is shorter."""
    model = _Symbolic.of(case)
    solved = [*model.rates, *model.mass_matrix.LUsolve(model.forcing)]
    solved = min(solved, [sm.trigsimp(sm.simplify(value)) for value in solved], key=_shared_operations)
    function = sm.lambdify(model.states, solved, modules="math", cse=True)
    return Problem(lambda t, x: function(*x.tolist()), _events(model), _newton(model), model.start, t_end)


def _shared_operations(expressions: list) -> int:
    replacements, reduced = sm.cse(expressions)
    return sm.count_ops([value for _, value in replacements] + reduced)


def usual(case: systems.Case, t_end: float) -> Problem:
    """Lambdified M and f, solved in the right-hand side."""
    model = _Symbolic.of(case)
    rates = sm.lambdify([model.states], model.rates, cse=True)
    mass_matrix = sm.lambdify([model.states], model.mass_matrix, cse=True)
    forcing = sm.lambdify([model.states], list(model.forcing), cse=True)

    def flow(t, x):
        return np.concatenate([rates(x), np.linalg.solve(mass_matrix(x), forcing(x))])

    return Problem(flow, _events(model), _newton(model), model.start, t_end)


@dataclass(frozen=True)
class _Symbolic:
    """The equations q' = rates, M u' = f of a case with its numbers put in."""

    states: list
    rates: list
    mass_matrix: sm.Matrix
    forcing: sm.Matrix
    gaps: list
    restitution: float
    start: np.ndarray

    @classmethod
    def of(cls, case: systems.Case) -> "_Symbolic":
        system, numbers = case.system, case.parameters
        system.form_eoms()
        names = dict(zip(case.states, sm.symbols(f"s:{len(case.states)}"), strict=True))
        plain = {symbol: sm.Float(value) if value % 1 else sm.Integer(value) for symbol, value in numbers.items()}

        def put(expr):
            return expr.xreplace(plain).xreplace(names)

        gaps = [put(gap) for gap in case.gaps]
        known_rates = system.eom_method.kindiffdict()
        rates = [put(known_rates[coordinate.diff()]) for coordinate in system.q]
        start = np.array([case.start[state] for state in case.states])
        mass_matrix, forcing = put(system.mass_matrix), put(system.forcing)
        return cls(list(names.values()), rates, mass_matrix, forcing, gaps, numbers[systems.RESTITUTION], start)


def _events(model: _Symbolic) -> list[Callable]:
    """One terminal event per contact; the first that is asked at a time evaluates the gaps of all."""
    heights = sm.lambdify(model.states, model.gaps, modules="math", cse=True)
    known_at, known = None, ()

    def event(index: int) -> Callable:
        def gap(t, x):
            nonlocal known_at, known
            if t != known_at:
                known_at, known = t, heights(*x.tolist())
            return known[index]

        gap.terminal, gap.direction = True, -1
        return gap

    return [event(index) for index in range(len(model.gaps))]


def _newton(model: _Symbolic) -> Callable:
    """Newton's impact law for one contact: u+ = u- - (1+e) (w u-)/(w M^-1 w) M^-1 w, with w = d(gap)/dq d(q')/du."""
    n = len(model.rates)
    coordinates, speeds = model.states[:n], model.states[n:]
    rows = sm.Matrix(model.gaps).jacobian(coordinates) * sm.Matrix(model.rates).jacobian(speeds)
    jacobian = sm.lambdify([model.states], rows, cse=True)
    mass_matrix = sm.lambdify([model.states], model.mass_matrix, cse=True)

    def jump(x, hit):
        w, u = jacobian(x)[hit], x[n:]
        mobility = np.linalg.solve(mass_matrix(x), w)
        return np.concatenate([x[:n], u - (1 + model.restitution) * (w @ u) / (w @ mobility) * mobility])

    return jump


def five_impact_error(impacts: np.ndarray) -> float:
    """Largest error of the cube's first five impact times (s); infinite when it has other than five."""
    expected = impact_times("tumbling_cube")
    return float(np.abs(impacts - expected).max()) if len(impacts) == len(expected) else inf


def two_link_error(impacts: np.ndarray) -> float:
    """Largest error of the 19 impact times of the two links (s); infinite when one is missed or invented."""
    expected = impact_times("two_link_floor")
    if len(impacts) != len(expected):
        return inf
    error = float(np.abs(impacts - expected).max())
    return error if error < SAME_IMPACT else inf


def run_seconds(problem: Problem, setting: Setting) -> float:
    """CPU time of a run (s)."""
    return best(lambda: simulate(problem, setting), repeats=3)


def matched_cube(problem: Problem, method: str = "DOP853") -> Setting:
    """The coarsest setting whose error of the first five impact times is, and stays, within `CUBE_ERROR`."""
    errors = {rtol: five_impact_error(simulate(problem, Setting(method, rtol))[0]) for rtol in CUBE_TOLERANCES}
    return Setting(method, coarsest(errors, CUBE_ERROR))


def two_link_settings(problem: Problem) -> list[tuple[float, Setting, float]]:
    """Every setting of the sweep that finds all 19 impacts: CPU time of a run (s), setting, error; fastest first."""
    found = []
    for method in ("RK45", "DOP853", "LSODA"):
        for rtol in TWO_LINK_TOLERANCES:
            for max_step in (inf, 0.1, 0.05, 0.02):
                setting = Setting(method, rtol, max_step)
                if (error := _two_link_run_error(problem, setting)) < inf:
                    found.append((run_seconds(problem, setting), setting, error))
    return sorted(found, key=lambda row: row[0])


def _two_link_run_error(problem: Problem, setting: Setting) -> float:
    try:
        return two_link_error(simulate(problem, setting)[0])
    except ValueError:
        # SciPy gives up ("f(a) and f(b) must have different signs") where a step starts exactly on an event.
        return inf


def main() -> None:
    """Print the sweeps."""
    rows = []
    for speeds, (name, user) in product(systems.CUBE_SPEEDS, {"careful": careful, "usual": usual}.items()):
        problem = user(systems.cube(speeds), systems.CUBE_END)
        for method in ("DOP853", "RK45"):
            setting = matched_cube(problem, method)
            error = five_impact_error(simulate(problem, setting)[0])
            rows.append([speeds, name, method, setting.rtol, error, 1e3 * run_seconds(problem, setting)])
    head = ["speeds", "user", "method", "rtol", "error of 5 impacts (s)", "CPU (ms)"]
    show(f"Cube, 5 s: the coarsest settings with an error of at most {CUBE_ERROR}", head, rows)
    ranking = two_link_settings(careful(systems.two_links(), systems.TWO_LINK_END))
    rows = [[s.method, s.rtol, s.max_step, error, 1e3 * seconds] for seconds, s, error in ranking[:8]]
    head = ["method", "rtol", "max_step", "worst error of 19 impacts (s)", "CPU (ms)"]
    show("Two links, 10 s: the fastest settings that find all 19 impacts (careful user)", head, rows)


if __name__ == "__main__":
    main()
