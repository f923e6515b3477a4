"""A ball on a shaking table: it never leaves, or sticks and lifts off in turn, or bounces chaotically.

    python examples/shaking_table.py [PICTURE]

The table's height is A sin(omega t), so that its largest acceleration downward is A omega^2. Below g the ball stays on
the table for ever. Above g it lifts off at the phase asin(g/(A omega^2)) and bounces; if the impacts accumulate before
the table accelerates away again, the ball stays on the table until the same phase occurs, and the motion repeats. With
a larger amplitude and a larger restitution the impacts never accumulate, and two initial states a millionth of a
millimetre apart soon lead to entirely different motions.
"""

import sys
from dataclasses import replace
from math import asin, pi

import numpy as np
from matplotlib.figure import Figure

from sympact.models import shaking_table

CASES = {"never leaves": (0.9, 0.5), "sticks and flies": (1.5, 0.5), "chaotic": (4.5, 0.8)}
"""The table's largest acceleration in units of g, and the coefficient of restitution."""

APART = 1e-9
"""How far apart two starts of the chaotic case are (m)."""


def shake(strength, restitution, t_end=2.0, height=0.0):
    """Run the ball from `height` above the table (m), with the velocity of the table, until `t_end` (s)."""
    ready = shaking_table(strength, restitution)
    z, v = ready.model.x
    start = {z: height, v: ready.start[v]}
    return replace(ready, start=start, t_span=(0, t_end)).simulate(rtol=1e-12, atol=1e-14)


def table_height(strength, times):
    """A sin(omega t) of the ready-made table (m)."""
    numbers = {symbol.name: value for symbol, value in shaking_table(strength).parameters.items()}
    return numbers["A"] * np.sin(numbers["omega"] * times)


def phases_of_leaving(result):
    """Where in its period the table was when the ball left it (rad)."""
    omega = 2 * pi * 5.0
    return np.array([omega * event.t % (2 * pi) for event in result.events if event.kind == "open"])


def draw(results):
    """Ball and table over time for each case, and how two close starts of the chaotic one part."""
    figure = Figure(figsize=(8, 8), layout="constrained")
    *panels, last = figure.subplots(4, 1)
    for axes, (name, result) in zip(panels, results.items(), strict=True):
        strength, restitution = CASES[name]
        times = np.linspace(*result.t_span, 4000)
        axes.plot(times, 1e3 * table_height(strength, times), color="0.6", label="table")
        axes.plot(times, 1e3 * result(times)[0], label="ball")
        axes.set(ylabel="height (mm)", title=f"{name}: {strength} g, e = {restitution}")
    panels[-1].legend(loc="upper right")
    last.semilogy(*apart(t_end=10.0))
    last.set(xlabel="t (s)", ylabel="apart (m)", title=f"chaotic: two balls dropped {APART} m apart")
    return figure


def apart(t_end):
    """Times, and how far apart two balls are that are dropped from nearly the same height on the chaotic table (m)."""
    one, other = (shake(*CASES["chaotic"], t_end, height) for height in (0.1, 0.1 + APART))
    times = np.linspace(0, t_end, 2000)
    return times, np.abs(one(times)[0] - other(times)[0])


def main(picture="shaking_table.png"):
    """Shake the ball in three ways, print what happens and draw it."""
    results = {name: shake(*numbers) for name, numbers in CASES.items()}
    for name, result in results.items():
        strength = CASES[name][0]
        kinds = [str(event.kind) for event in result.events]
        print(f"{name}: {', '.join(f'{kinds.count(kind)} {kind}' for kind in dict.fromkeys(kinds))}")
        if strength > 1:
            print(f"    leaves at the phase {phases_of_leaving(result)[0]:.12f} rad;", end=" ")
            print(f"asin(g/(A omega^2)) is {asin(1 / strength):.12f} rad")
    draw(results).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
