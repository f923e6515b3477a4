"""What closed contacts cost: a die thrown until it rests, a cube that slides on its face, a coin that wobbles, a chain.

`python benchmarks/closed_contacts.py [--repeats 15] [--case die]` prints the CPU time of each run, the least of
several, its steps and events, and what one step costs.
"""

from argparse import ArgumentParser
from functools import partial

import numpy as np
import sympy as sm
import sympy.physics.mechanics as me
from measure import show, timed

from sympact import Contact, Disc, HybridModel, Plane, models

COIN_RADIUS, COIN_MASS, COIN_TILT, COIN_SPIN, COIN_HEIGHT = 0.012, 0.006, 0.5, 12.0, 0.005
"""m, kg, rad, rad/s, and the height of the lowest point of its rim (m)."""
RODS, LENGTH = 10, 3.0
"""Rods of the chain, and its length (m)."""


def die() -> tuple:
    """A die of 2 cm thrown on a table, mu = 0.3."""
    ready = models.dice()
    return ready.model, ready.start, ready.parameters, 3.0, {}


def cube(friction: float) -> tuple:
    """A cube of 1 m that slides on its lower face at 5 m/s, in steps of 1 ms."""
    ready = models.dropped_cube("tilted", friction=friction)
    values = {"e_0": 1.0, "z": 0.5, "v_x": 5.0}
    start = {state: values.get(state.name, 0.0) for state in ready.start}
    return ready.model, start, ready.parameters, 0.5, {"max_step": 1e-3}


def coin() -> tuple:
    """A coin that drops tilted, with a spin about its axis, and wobbles, e = 0.3, mu = 0.3."""
    N, B, O, C = me.ReferenceFrame("N"), me.ReferenceFrame("B"), me.Point("O"), me.Point("C")
    place, turn = me.dynamicsymbols("x y z"), me.dynamicsymbols("e_0 e_1 e_2 e_3")
    v, spin = me.dynamicsymbols("v_x v_y v_z"), me.dynamicsymbols("omega_1 omega_2 omega_3")
    t = me.dynamicsymbols._t
    B.orient_quaternion(N, tuple(turn))
    turning = [B.ang_vel_in(N).dot(axis) for axis in B]
    B.set_ang_vel(N, sum((w * axis for w, axis in zip(spin, B, strict=True)), start=0 * B.x))
    C.set_pos(O, sum((q * axis for q, axis in zip(place, N, strict=True)), start=0 * N.x))
    moment = COIN_MASS * COIN_RADIUS**2 / 4
    system = me.System(N, O)
    system.add_bodies(me.RigidBody("coin", C, B, COIN_MASS, (me.inertia(B, moment, moment, 2 * moment), C)))
    system.add_coordinates(*place, *turn)
    system.add_speeds(*v, *spin)
    unit = sum(e * e.diff(t) for e in turn)
    rates = [a - b.diff(t) for a, b in zip(v, place, strict=True)] + [a - b for a, b in zip(turning, spin, strict=True)]
    system.add_kdes(*rates, unit)
    system.apply_uniform_gravity(-9.81 * N.z)
    rim = Contact(Disc(C, B.z, COIN_RADIUS), Plane(O, N.z), restitution=0.3, friction=0.3, name="rim")
    start = dict.fromkeys([*place, *turn, *v, *spin], 0.0)
    start[place[2]] = COIN_RADIUS * np.sin(COIN_TILT) + COIN_HEIGHT
    start[turn[0]], start[turn[1]], start[spin[2]] = np.cos(COIN_TILT / 2), np.sin(COIN_TILT / 2), COIN_SPIN
    return HybridModel(system, [rim]), start, {}, 3.0, {}


def chain(friction: float) -> tuple:
    """Free rods in a plane, joined by pins, that drop on a floor: eleven contacts, e = 0.4."""
    m, l, g, e, mu = sm.symbols("m l g e mu", positive=True)
    angles, spins = me.dynamicsymbols(f"a:{RODS}"), me.dynamicsymbols(f"w:{RODS}")
    q, u = [*me.dynamicsymbols("x y"), *angles], [*me.dynamicsymbols("v_x v_y"), *spins]
    N, O = me.ReferenceFrame("N"), me.Point("O")
    system = me.System(N, O)
    tip = O.locatenew("P0", q[0] * N.x + q[1] * N.y)
    tip.set_vel(N, u[0] * N.x + u[1] * N.y)
    tips = [tip]
    for number, (angle, spin) in enumerate(zip(angles, spins, strict=True)):
        B = me.ReferenceFrame(f"B{number}")
        B.orient_axis(N, angle, N.z)
        B.set_ang_vel(N, spin * N.z)
        centre = tips[-1].locatenew(f"C{number}", l / 2 * B.x)
        system.add_bodies(me.RigidBody(f"rod{number}", centre, B, m, (me.inertia(B, 0, 0, m * l**2 / 12), centre)))
        tips.append(tips[-1].locatenew(f"P{number + 1}", l * B.x))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(a.diff() - b for a, b in zip(q, u, strict=True)))
    system.apply_uniform_gravity(-g * N.y)
    floor, coefficient = Plane(O, N.y), mu if friction else 0
    model = HybridModel(
        system, [Contact(tip, floor, restitution=e, friction=coefficient, name=tip.name) for tip in tips]
    )
    bent = [0.3 * (-1) ** number * (1 + 0.1 * number) for number in range(RODS)]
    start = dict(zip([*q, *u], [0.0, 1.0, *bent, 0.5, *[0.0] * (RODS + 1)], strict=True))
    numbers = {m: 1.0, l: LENGTH / RODS, g: 9.81, e: 0.4, mu: friction}
    return model, start, {symbol: numbers[symbol] for symbol in model.parameters}, 6.0, {"rtol": 1e-8, "atol": 1e-10}


CASES = {
    "die": die,
    "sliding cube, mu = 0": partial(cube, 0.0),
    "sliding cube, mu = 0.3": partial(cube, 0.3),
    "coin": coin,
    "chain, mu = 0": partial(chain, 0.0),
    "chain, mu = 0.4": partial(chain, 0.4),
}


def measured(name: str, repeats: int) -> list[object]:
    """A row of the table."""
    model, start, parameters, end, options = CASES[name]()
    compiled = model.compile()
    x, p = compiled.state(start), compiled.parameters(parameters)
    runs = [timed(lambda: compiled.simulate((0.0, end), x, p, **options)) for _ in range(repeats)]
    result, seconds = runs[0][0], min(spent for _, spent in runs)
    counts = result.counts
    return [
        name,
        1e3 * seconds,
        counts["steps"],
        counts["rejected"],
        1e6 * seconds / counts["steps"],
        counts["flow"],
        counts["boundary"],
        len(result.events),
        result.status.name,
    ]


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--case", default="", help="only cases whose names contain this")
    arguments = parser.parse_args()
    head = ["case", "ms", "steps", "rejected", "us a step", "flows", "margins and gaps", "events", "status"]
    names = [name for name in CASES if arguments.case in name]
    show("closed contacts", head, [measured(name, arguments.repeats) for name in names])


if __name__ == "__main__":
    main()
