"""Newton's cradle: a blow that goes through five balls.

    python examples/newtons_cradle.py [PICTURE]

The balls hang a millimetre apart. The first is lifted and let go; it stops, and the last one flies off. In between each
ball hands on the part (1 + e)/2 of its speed and keeps the rest, so that with each blow all balls swing a little more
together. The formula holds for balls that hang straight down; they hit a millimetre or so aside, which changes speeds
by some parts in a thousand.
"""

import sys

import numpy as np
from matplotlib.figure import Figure

from sympact.models import newtons_cradle


def handed_on(result, count):
    """The speed of the ball that is hit, as a part of the speed of the ball that hits, at the first impacts."""
    impacts = [event for event in result.events if event.kind == "impact"][:count]
    n = len(impacts[0].x_minus) // 2
    return [event.x_plus[n + i + 1] / event.x_minus[n + i] for i, event in enumerate(impacts)]


def draw(result):
    """The angles of the strings over time, a line above the other, and the energy."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    angles, energy = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    times = np.linspace(*result.t_span, 3000)
    n = len(result.state_names) // 2
    for i, angle in enumerate(result(times)[:n]):
        angles.plot(times, angle + 0.4 * i)
    angles.set(ylabel="angle (rad), each 0.4 higher", title="Newton's cradle: the strings of ball 1, below, to ball 5")
    energy.plot(result.t, result.energy - result.potential_energy.min())
    energy.set(xlabel="t (s)", ylabel="energy (J)", ylim=(0, 2))
    return figure


def main(picture="newtons_cradle.png"):
    """Let the first ball go, print the impacts, and compare what is handed on with the formula."""
    ready = newtons_cradle(balls=5, gap=0.001)
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    print(result.events.table(max_rows=12))
    formula = (1 + ready.named_parameters()["e"]) / 2
    parts = ", ".join(f"{part:.6f}" for part in handed_on(result, count=4))
    print(f"\nEach ball hands on {parts} of its speed; (1 + e)/2 is {formula:.6f}.")
    draw(result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
