"""Boxes with friction dropped at random until they lie still: does every one rest, what is gained, what does it cost?

`python benchmarks/friction_drops.py [--count 1000] [--some 200] [--boxes 100] [--span 20]` drops cubes (edge 1,
mu = 0.3, e = 1/2), cubes with e = 0.8 with and without the guard of Newton's law, and boxes of edges 1, 2, 8,
from 2 m, at random orientation, with a spin of up to 8 rad/s and a horizontal speed of up to 0.5 m/s per axis. Gaps
are looked at in every accepted step. The same cubes without friction run for comparison.
"""

import warnings
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from functools import cache

import numpy as np
from measure import show, timed

from sympact import HybridModel, ImpactWarning, Newton
from sympact.integrate.problem.status import Status
from sympact.models import dropped_cube

SPIN, SPEED, HEIGHT = 8.0, 0.5, 2.0
"""Largest spin (rad/s) and horizontal speed (m/s) at the start, and the height of the centre (m)."""
TOUCHING = 1e-9
"""Gap of a corner that lies on the floor, in units of the longest edge."""
ROUNDING = 1e-10
"""Energy gained in an impact that is rounding (J)."""
OPTIONS = {"rtol": 1e-9, "atol": 1e-11, "max_events": 5000}


@dataclass(frozen=True)
class Kind:
    """Boxes of three edges (m) with one restitution and coefficient of friction."""

    restitution: float = 0.5
    friction: float = 0.3
    edges: tuple[float, float, float] = (1.0, 1.0, 1.0)
    guard: bool = False


@cache
def compiled(has_friction: bool, guard: bool):
    """The box as machine code."""
    ready = dropped_cube(friction=0.3) if has_friction else dropped_cube()
    model = ready.model
    return HybridModel(model.source, model.contacts, impact=Newton(guard=True)).compile() if guard else model.compile()


def numbers(kind: Kind) -> np.ndarray:
    """The parameters of a box."""
    code = compiled(kind.friction > 0, kind.guard)
    values = {"m": 1.0, "g": 9.8, "e": kind.restitution, "mu": kind.friction}
    values |= dict(zip("abc", kind.edges, strict=True))
    return code.parameters({letter: values[letter.name] for letter in code.model.parameters})


def start(kind: Kind, seed: int) -> np.ndarray:
    """A random start: [position, quaternion, velocity, spin in the body]."""
    random = np.random.default_rng(seed)
    turn, axis = random.normal(size=4), random.normal(size=3)
    spin = SPIN * random.random() * axis / np.linalg.norm(axis)
    height = max(HEIGHT, 0.6 * float(np.linalg.norm(kind.edges)))
    return np.array([0, 0, height, *turn / np.linalg.norm(turn), *random.uniform(-SPEED, SPEED, 2), 0, *spin])


def study(kind: Kind, count: int, span: float) -> float:
    """Drop `count` boxes and print what they came to; returns the median of the CPU time up to the last event."""
    code, p = compiled(kind.friction > 0, kind.guard), numbers(kind)
    code.simulate((0.0, span), start(kind, 0), p, **OPTIONS)
    lying, lowest, gains, events, seconds, rest, rates = 0, 0.0, [], [], [], 0.0, []
    for seed in range(count):
        x0 = start(kind, seed)
        result, taken = timed(lambda x0=x0: code.simulate((0.0, span), x0, p, **OPTIONS))
        record = result._record
        gaps = np.array(code.gaps_along(record.t, np.ascontiguousarray(record.x.T), code.all_parameters(p))[:8])
        gaps /= max(kind.edges)
        still = not record.x[-1, 7:].any() or kind.friction == 0
        lying += result.status is Status.FINISHED and still and (np.abs(gaps[:, -1]) < TOUCHING).sum() == 4
        lowest, rest = min(lowest, gaps.min()), max(rest, record.event_t[-1])
        gains.append(record.event_numbers["energy"].max())
        events.append(len(record.event_t))
        seconds.append(taken)
        rates.append(taken / record.event_t[-1])
    gained = np.array(gains) > ROUNDING
    rows = [
        ("not at rest on a face", count - lying),
        ("events, median and most", f"{np.median(events):.0f} {max(events)}"),
        ("lowest gap in any accepted step, of the length", lowest),
        ("drops with an impact that gained energy", int(gained.sum())),
        ("largest energy gained in an impact (J)", max(0.0, *gains)),
        ("last event (s)", rest),
        ("CPU per drop, median and most (ms)", f"{1e3 * np.median(seconds):.2f} {1e3 * max(seconds):.2f}"),
        ("CPU per simulated second up to rest, median (ms)", 1e3 * float(np.median(rates))),
    ]
    what = f"e = {kind.restitution}, mu = {kind.friction}" + (", guard" if kind.guard else "")
    show(f"{count} boxes of edges {kind.edges}, {span:g} s", ["", what], rows)
    return float(np.median(rates))


def arguments() -> Namespace:
    """What the command line asks for."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="cubes")
    parser.add_argument("--some", type=int, default=200, help="cubes of other restitution or friction")
    parser.add_argument("--boxes", type=int, default=100, help="boxes of each restitution")
    parser.add_argument("--span", type=float, default=20.0, help="simulated time (s)")
    return parser.parse_args()


def main() -> None:
    """Run the study and print its tables."""
    asked = arguments()
    warnings.simplefilter("ignore", ImpactWarning)  # gains are counted here
    smooth = study(Kind(friction=0.0), asked.some, asked.span)
    rough = study(Kind(), asked.count, asked.span)
    print(f"with friction a simulated second costs {rough / smooth:.2f} times as much as without\n")
    for kind in (Kind(restitution=0.8), Kind(restitution=0.8, guard=True), Kind(friction=0.8), Kind(friction=0.05)):
        study(kind, asked.some, asked.span)
    for restitution in (0.0, 0.5):
        study(Kind(restitution=restitution, edges=(1.0, 2.0, 8.0)), asked.boxes, asked.span)


if __name__ == "__main__":
    main()
