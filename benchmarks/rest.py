"""Boxes dropped at random until they lie still: does every one come to rest on a face, and what does it cost?

`python benchmarks/rest.py [--count 1000] [--boxes 200] [--span 20]` drops cubes (edge 1, e = 1/2) and boxes of edges
1, 2, 8 (e = 0, 1/2, 0.8) without friction from 2 m, at random orientation, with a spin of up to 5 rad/s and a
horizontal speed of up to 0.5 m/s. Gaps are looked at in every accepted step.
"""

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from functools import cache

import numpy as np
from engine import hybrid_model
from measure import ABSOLUTE, show, timed
from oracles.free_cube import rotation_quaternion
from systems import RESTITUTION, box

from sympact.integrate.problem.status import Status
from sympact.integrate.result import Result

SPIN, SPEED, HEIGHT = 5.0, 0.5, 2.0
"""Largest spin (rad/s) and horizontal speed (m/s) at the start, and the height of the centre (m)."""
TOUCHING = 1e-9
"""Gap (m) and gap rate (m/s) of a contact that is at rest."""


@dataclass(frozen=True)
class Kind:
    """Boxes of three edges (m) with one restitution."""

    edges: tuple[float, float, float]
    restitution: float

    @property
    def inertia(self) -> np.ndarray:
        """The principal moments of a box of 1 kg (kg m^2)."""
        squares = np.square(self.edges)
        return (squares.sum() - squares) / 12

    @property
    def height(self) -> float:
        """Of the centre at the start: a long box needs room to turn."""
        return max(HEIGHT, 0.6 * float(np.linalg.norm(self.edges)))


@cache
def compiled():
    """The box as machine code, and its parameters by name."""
    model = hybrid_model(box())
    return model.compile(), {symbol.name: symbol for symbol in model.parameters}


def numbers(kind: Kind) -> np.ndarray:
    """The parameters of a box."""
    code, named = compiled()
    edges = dict(zip("abc", kind.edges, strict=True))
    values = {"m": 1.0, "g": 9.8, RESTITUTION.name: kind.restitution} | edges
    return code.parameters({named[name]: value for name, value in values.items()})


def start(kind: Kind, seed: int) -> np.ndarray:
    """A random start: [position, quaternion, velocity, spin in the body]."""
    random = np.random.default_rng(seed)
    turn, axis = random.normal(size=4), random.normal(size=3)
    spin = SPIN * random.random() * axis / np.linalg.norm(axis)
    speed = random.uniform(-SPEED, SPEED, 2)
    return np.array([0.0, 0.0, kind.height, *turn / np.linalg.norm(turn), *speed, 0.0, *spin])


def vertical_spin(kind: Kind, x: np.ndarray) -> float:
    """The angular momentum about the vertical (kg m^2/s), which a frictionless floor leaves as it is."""
    return float((rotation_quaternion(x[3:7]) @ (kind.inertia * x[10:13]))[2])


def judged(kind: Kind, result: Result, x0: np.ndarray, p: np.ndarray) -> dict[str, float]:
    """What one drop came to."""
    code, _ = compiled()
    record, everything = result._record, code.all_parameters(p)
    x = np.ascontiguousarray(record.x.T)
    gaps = np.array(code.gaps_along(record.t, x, everything)[: len(code.contact_names)])
    gap, rate = code.gaps(record.t[-1], record.x[-1], p)
    lowest = np.argsort(gap)[:4]
    name = result.path[-1]
    settled = result.status is Status.FINISHED and name.count(",") == 3
    still = settled and np.abs(gap[lowest]).max() < TOUCHING and np.abs(rate[lowest]).max() < TOUCHING
    change = np.abs(record.x[-1, 7:9] - x0[7:9]).max()
    turned = abs(vertical_spin(kind, record.x[-1]) - vertical_spin(kind, x0)) / kind.inertia.max()
    return {
        "settled": float(still),
        "events": len(record.event_t),
        "steps": result.counts["steps"],
        "lowest gap": gaps.min(),
        "gain": record.event_numbers["energy"].max(initial=-np.inf),
        "speed": change,
        "spin": turned,
        "rest": record.event_t[-1],
    }


def study(kind: Kind, count: int, span: float, rtol: float) -> None:
    """Drop `count` boxes and print what they came to."""
    code, _ = compiled()
    p = numbers(kind)
    options = {"rtol": rtol, "atol": ABSOLUTE * rtol}
    code.simulate((0.0, span), start(kind, 0), p, **options)
    drops, seconds, settled = [], [], []
    for seed in range(count):
        x0 = start(kind, seed)
        result, taken = timed(lambda x0=x0: code.simulate((0.0, span), x0, p, **options))
        drops.append(judged(kind, result, x0, p))
        seconds.append(taken)
        if seed < 50 and drops[-1]["settled"]:
            settled.append(shares(result, drops[-1]["rest"], span, p, options))
    worst = {name: np.array([drop[name] for drop in drops]) for name in drops[0]}
    flight, after = np.median(settled, axis=0) if settled else (np.nan, np.nan)
    rows = [
        ("not at rest on a face", int((worst["settled"] == 0).sum())),
        ("events, median and most", f"{np.median(worst['events']):.0f} {worst['events'].max():.0f}"),
        ("steps, median and most", f"{np.median(worst['steps']):.0f} {worst['steps'].max():.0f}"),
        ("lowest gap in any accepted step (m)", worst["lowest gap"].min()),
        ("largest energy gained in an event (J)", worst["gain"].max()),
        ("change of horizontal speed (m/s)", worst["speed"].max()),
        ("change of spin about the vertical (rad/s)", worst["spin"].max()),
        ("last event (s)", worst["rest"].max()),
        ("CPU per drop, median and most (ms)", f"{1e3 * np.median(seconds):.2f} {1e3 * max(seconds):.2f}"),
        ("CPU per simulated second in flight, and settled (ms)", f"{1e3 * flight:.3f} {1e3 * after:.3f}"),
    ]
    show(f"{count} boxes of edges {kind.edges}, {span:g} s", ["restitution", kind.restitution], rows)


def shares(result: Result, rest: float, span: float, p: np.ndarray, options: dict) -> tuple[float, float]:
    """CPU per simulated second of the first flight, and of the time after rest."""
    code, _ = compiled()
    first = float(result.events.t[0])
    states = result._record.x[0], result._record.x[-1]
    _, flight = timed(lambda: code.simulate((0.0, 0.999 * first), states[0], p, **options))
    _, after = timed(lambda: code.simulate((rest, span), states[1], p, **options))
    return flight / first, after / (span - rest)


def arguments() -> Namespace:
    """What the command line asks for."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="cubes")
    parser.add_argument("--boxes", type=int, default=200, help="boxes of each restitution")
    parser.add_argument("--rtol", type=float, default=1e-10)
    parser.add_argument("--span", type=float, default=20.0, help="simulated time (s)")
    return parser.parse_args()


def main() -> None:
    """Run the study and print its tables."""
    asked = arguments()
    study(Kind((1.0, 1.0, 1.0), 0.5), asked.count, asked.span, asked.rtol)
    for restitution in (0.0, 0.5, 0.8):
        study(Kind((1.0, 2.0, 8.0), restitution), asked.boxes, asked.span, asked.rtol)


if __name__ == "__main__":
    main()
