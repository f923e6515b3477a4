"""Two engines for one model: event by event, and Moreau and Jean's time stepping. How far apart, and at what cost?

`python benchmarks/time_stepping.py [--count 60] [--seed 0]` prints the difference of the coordinates for steps that
fall by four, and then drops cubes (edge 1 m, mu = 0.3, e = 1/2) with both. Single drops part after some impacts, as
each multiplies what was different before; energies and times of rest over many drops should not.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import cache

import numpy as np
import sympy as sm
from measure import show, timed
from stepping_models import block, rod, stack
from systems import RESTITUTION, box

from sympact import Contact, HybridModel, Plane, models
from sympact.integrate.problem.status import Status
from sympact.integrate.result import Result

STEPS = (4e-3, 1e-3, 2.5e-4, 6.25e-5)
"""Of the comparison (s)."""
DROP_STEPS = (4e-3, 1e-3, 2.5e-4)
FRICTION, SPAN, HEIGHT, SPIN, SPEED = 0.3, 5.0, 2.0, 8.0, 0.5
"""Coefficient of friction; seconds; height of the centre (m); largest spin (rad/s) and horizontal speed (m/s)."""
TIMES = (1.0, 1.5, 2.0)
"""When the energies of the drops are compared (s)."""
STILL = 1e-4
"""Kinetic energy (J) below which a cube of 1 kg counts as at rest: hops lower than 0.01 mm."""


def examples() -> dict[str, tuple[Callable[..., Result], float, int]]:
    """For each example a run, the end of its comparison (s), and how many coordinates it has."""

    def of(case, start, parameters):
        return lambda end, **options: case.model.simulate((0, end), start, parameters, **options)

    thrown, tipped, column, links = rod(), block(), stack(3), models.two_links()
    return {
        "rod thrown on a floor, mu = 0.3": (of(thrown, [0, 1, 0.4, 1, 0, 1], thrown.parameters()), 1.2, 3),
        "block on a slope, mu = 0.3": (of(tipped, [0, 0.6, 0.2, 1, 0, 0], tipped.parameters(s=0.2)), 1.5, 3),
        "three balls in a column": (of(column, [0.5, 0.8, 1.3, 0, 0, 0], column.parameters()), 0.8, 3),
        "two links over a floor": (of(links, links.start, links.parameters), 2.0, 2),
    }


def compare() -> None:
    """The largest difference of a coordinate over the run, for each step."""
    rows = []
    for name, (run, end, n) in examples().items():
        times = np.linspace(0, end, 2001)
        run(end)
        exact, seconds = timed(lambda run=run, end=end: run(end))
        found = exact(times)[:n]
        errors, costs = [], []
        for step in STEPS:
            result, taken = timed(lambda run=run, end=end, step=step: run(end, method="moreau", max_step=step))
            if result.status is not Status.FINISHED:
                raise RuntimeError(f"{name} with steps of {step} s ended early: {result.message}")
            errors.append(float(np.abs(result(times)[:n] - found).max()))
            costs.append(f"{1e3 * taken:.1f}")
        order = float(np.polyfit(np.log(STEPS), np.log(errors), 1)[0])
        cells = [f"{error:.1e}" for error in errors]
        rows.append((name, len(exact.events), *cells, f"{order:.2f}", f"{1e3 * seconds:.1f}", " ".join(costs)))
    head = ["largest difference (m, rad)", "events", *(f"h = {step:g}" for step in STEPS), "order"]
    show("Event by event against steps of h", [*head, "CPU events (ms)", "CPU steps (ms)"], rows)


@cache
def cube() -> tuple:
    """The cube with friction as machine code, and its numbers."""
    case, mu = box(), sm.Symbol("mu")
    floor = Plane(case.plane_point, case.normal)
    contacts = [Contact(p, floor, restitution=RESTITUTION, friction=mu, name=p.name) for p in case.points]
    model = HybridModel(case.system, contacts)
    numbers = {symbol: {**case.parameters, mu: FRICTION}[symbol] for symbol in model.parameters}
    code = model.compile()
    return code, code.parameters(numbers)


def start(seed: int) -> np.ndarray:
    """A random start: [position, quaternion, velocity, spin in the body]."""
    random = np.random.default_rng(seed)
    turn, axis = random.normal(size=4), random.normal(size=3)
    spin = SPIN * random.random() * axis / np.linalg.norm(axis)
    return np.array([0, 0, HEIGHT, *turn / np.linalg.norm(turn), *random.uniform(-SPEED, SPEED, 2), 0, *spin])


def judged(result: Result) -> dict[str, float]:
    """What one drop came to."""
    kinetic = result.kinetic_energy
    moving = result.t[kinetic > STILL]
    finished = result.status is Status.FINISHED
    energies = {f"energy at {t:g} s (J)": np.interp(t, result.t, result.energy) for t in TIMES}
    return {
        "unfinished": float(not finished),
        "not at rest": float(finished and moving[-1] > SPAN - 0.1),
        "lowest gap (m)": result.gaps.min(),
        "time of rest (s)": moving[-1],
        "moved along the floor (m)": float(np.hypot(result.x[0, -1], result.x[1, -1])),
        "events": float(len(result.events)),
        **energies,
    }


def drops(count: int, first: int) -> None:
    """The same cubes by both engines."""
    code, p = cube()
    settings = {"event by event": {"rtol": 1e-9, "atol": 1e-11, "method": "RK45", "max_events": 3000}}
    settings |= {f"h = {step:g}": {"method": "moreau", "max_step": step} for step in DROP_STEPS}
    columns = {}
    for name, options in settings.items():
        code.simulate((0.0, SPAN), start(first), p, **options)
        runs = [
            timed(lambda s=seed, o=options: code.simulate((0.0, SPAN), start(s), p, **o))
            for seed in range(first, first + count)
        ]
        found = [judged(result) for result, _ in runs]
        column = {key: np.array([one[key] for one in found]) for key in found[0]}
        column["CPU per drop (ms)"] = 1e3 * np.array([seconds for _, seconds in runs])
        columns[name] = column
    rows = []
    for key in columns["event by event"]:
        rows.append((key, *(_said(key, column[key]) for column in columns.values())))
    show(f"{count} cubes dropped from {HEIGHT:g} m, mu = {FRICTION}, e = 0.5, {SPAN:g} s", ["", *columns], rows)


def _said(key: str, values: np.ndarray) -> str:
    """A count, the worst, the median and the largest, or the mean with its standard error."""
    if key in ("unfinished", "not at rest"):
        return f"{values.sum():.0f}"
    if key == "lowest gap (m)":
        return f"{values.min():.1e}"
    if key in ("events", "CPU per drop (ms)"):
        return f"{np.median(values):.3g} (most {values.max():.3g})"
    return f"{values.mean():.3f} +- {values.std() / np.sqrt(len(values)):.3f}"


def _arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60, help="cubes to drop")
    parser.add_argument("--seed", type=int, default=0, help="of the first cube")
    return parser.parse_args()


if __name__ == "__main__":
    chosen = _arguments()
    compare()
    drops(chosen.count, chosen.seed)
