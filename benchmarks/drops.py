"""Ten thousand random cube drops up to their first five impacts, against the exact flight of `oracles.free_cube`.

`python benchmarks/drops.py [--count 10000] [--speeds quaternion|omega|rates] [--rtol 1e-12]` prints how many drops miss
an impact, invent one or take another corner, the worst error in time, and what a drop costs.
"""

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from math import pi

import numpy as np
from engine import hybrid_model
from measure import ABSOLUTE, show, timed
from oracles.free_cube import Cube, Drops, Impacts, impacts, rotation_313, rotation_quaternion, spin_313
from systems import CUBE_SPEEDS, RESTITUTION, Case, cube

IMPACTS = 5
LONGEST = 60.0
"""No drop takes that long (s)."""
NUDGE = 1e-12
"""A change of the speeds at the start (m/s, rad/s), to see how an exact flight amplifies errors."""
SAME_TIME = 1e-3
"""Impacts of one corner within this are the same impact (s)."""


def random_drops(count: int, speeds: str, seed: int) -> tuple[np.ndarray, Drops]:
    """The same random drops as states [q, u] of the model, shape (count, n), and for the oracle."""
    random = np.random.default_rng(seed)
    position = np.column_stack([np.zeros((count, 2)), random.uniform(1, 5, count)])
    velocity = random.uniform(-2, 2, (count, 3))
    speed = random.uniform(-8, 8, (count, 3))
    if speeds == "quaternion":
        turn = random.standard_normal((count, 4))
        turn /= np.linalg.norm(turn, axis=1, keepdims=True)
        rotation = rotation_quaternion(turn)
    else:
        turn = random.uniform([-pi, 0.2, -pi], [pi, pi - 0.2, pi], (count, 3))
        rotation = rotation_313(turn)
    spin = spin_313(turn, speed) if speeds == "rates" else np.einsum("nij,nj->ni", rotation, speed)
    states = np.column_stack([position, turn, velocity, speed])
    return states, Drops(np.zeros(count), position, velocity, rotation, spin)


def sensitivity(shape: Cube, drops: Drops, exact: Impacts) -> float:
    """Worst change of an exact impact time when every start moves by `NUDGE` (s): what no integrator can better."""
    nudged = replace(drops, velocity=drops.velocity + NUDGE, spin=drops.spin + NUDGE)
    return float(np.abs(impacts(shape, nudged, IMPACTS).t - exact.t).max())


def simulated(case: Case, states: np.ndarray, rtol: float) -> tuple[np.ndarray, np.ndarray]:
    """Times and corners of the first five impacts by sympact, shape (count, 5); infinite and -1 where missing."""
    compiled = hybrid_model(case).compile()
    numbers = compiled.parameters(case.parameters)
    corner_of = {point.name: number for number, point in enumerate(case.points)}
    t, corner = np.full((len(states), IMPACTS), np.inf), np.full((len(states), IMPACTS), -1)
    options = {"rtol": rtol, "atol": ABSOLUTE * rtol, "max_events": IMPACTS}
    for row, state in enumerate(states):
        for column, event in enumerate(compiled.simulate((0, LONGEST), state, numbers, **options).events):
            t[row, column], corner[row, column] = event.t, corner_of[event.contacts[0]]
    return t, corner


def arguments() -> Namespace:
    """What the command line asks for."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--speeds", choices=CUBE_SPEEDS, default="quaternion")
    parser.add_argument("--rtol", type=float, default=1e-12)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def compared(t: np.ndarray, corner: np.ndarray, exact: Impacts) -> list[tuple[str, object]]:
    """Each drop judged at its first impact that differs from the exact flight; errors over the impacts that agree."""
    late = (t - exact.t).astype(float)
    same = (corner == exact.corner) & (np.abs(late) < SAME_TIME)
    differing = np.flatnonzero(~same.all(axis=1))
    first_late = late[differing, same[differing].argmin(axis=1)]
    missed, invented = first_late >= SAME_TIME, first_late <= -SAME_TIME
    errors = np.abs(late[same])
    return [
        ("drops that miss an impact", int(missed.sum())),
        ("drops that invent an impact", int(invented.sum())),
        ("drops that take another corner", int((~missed & ~invented).sum())),
        ("worst error in time (s)", float(errors.max(initial=0.0))),
        ("median error in time (s)", float(np.median(errors))),
        ("shortest time between two impacts (s)", float(np.diff(exact.t, axis=1).min())),
        ("lowest second corner at an impact (m)", float(exact.clearance.min())),
    ]


def main() -> None:
    """Run the drops and print the comparison."""
    asked = arguments()
    case = cube(asked.speeds)
    states, drops = random_drops(asked.count, asked.speeds, asked.seed)
    shape = Cube(mass=1, edge=1, restitution=case.parameters[RESTITUTION], gravity=9.8)
    exact, oracle_seconds = timed(lambda: impacts(shape, drops, IMPACTS))
    simulated(case, states[:1], asked.rtol)
    (t, corner), seconds = timed(lambda: simulated(case, states, asked.rtol))
    rows = compared(t, corner, exact)
    rows.append((f"change of the exact flight by {NUDGE:g} at the start (s)", sensitivity(shape, drops, exact)))
    rows.append(("CPU time per drop (ms)", 1e3 * seconds / asked.count))
    rows.append(("CPU time of the oracle per drop (ms)", 1e3 * oracle_seconds / asked.count))
    show(f"{asked.count} drops of a cube ({asked.speeds}), {IMPACTS} impacts each", ["rtol", asked.rtol], rows)


if __name__ == "__main__":
    main()
