"""A jack in a box: a cross of two rods in a square box that moves up and down and rocks.

    python examples/jack_in_a_box.py [PICTURE]

Each of the four tips may touch each of the four walls, which move: sixteen gaps between moving points and moving
surfaces, all derived from the points and frames of the model. A wall that moves does work at an impact; the energy
printed with each impact is the energy dissipated in the contact, in the frame of the wall.
"""

import sys

import numpy as np
from matplotlib.figure import Figure

from sympact.models import jack_in_a_box


def corners_of_the_box(t):
    """The corners of the box at a time, in order and closed, shape (2, 5) (m)."""
    numbers = {symbol.name: value for symbol, value in jack_in_a_box().parameters.items()}
    angle = numbers["B"] * np.sin(numbers["nu"] * t) + np.pi / 4 + np.pi / 2 * np.arange(5)
    reach = numbers["w"] / np.sqrt(2)
    return reach * np.cos(angle), reach * np.sin(angle) + numbers["A"] * np.sin(numbers["omega"] * t)


def tips_of_the_jack(x):
    """The tips of the jack, east, north, west and south, for a state, shape (2, 4) (m)."""
    angle = x[2] + np.pi / 2 * np.arange(4)
    return x[0] + np.cos(angle) / 2, x[1] + np.sin(angle) / 2


def draw(result, count=8):
    """The box and the jack at the first impacts, with the tip that hits."""
    figure = Figure(figsize=(10, 6), layout="constrained")
    tips = ("east tip", "north tip", "west tip", "south tip")
    for axes, event in zip(figure.subplots(2, count // 2, sharex=True, sharey=True).flat, result.events, strict=False):
        before = np.linspace(max(event.t - 0.1, 0), event.t, 50)
        for tip in range(4):
            trace = np.array([np.array(tips_of_the_jack(result(time, side="left")))[:, tip] for time in before])
            axes.plot(*trace.T, color="tab:blue", linewidth=0.6, alpha=0.6)
        x, y = tips_of_the_jack(event.x_minus)
        axes.plot(*corners_of_the_box(event.t), color="0.3")
        axes.plot(x[[0, 2]], y[[0, 2]], x[[1, 3]], y[[1, 3]], color="tab:blue", linewidth=2)
        for name in event.contacts:
            hit = tips.index(name.partition(" on ")[0])
            axes.plot(x[hit], y[hit], "o", color="tab:red")
        axes.set(aspect="equal", title=f"t = {event.t:.3f} s")
    figure.supxlabel("x (m)")
    figure.supylabel("y (m)")
    return figure


def main(picture="jack_in_a_box.png"):
    """Shake the box for five seconds, print the impacts and draw the first of them."""
    result = jack_in_a_box().simulate(rtol=1e-12, atol=1e-14)
    print(result.events.table())
    draw(result).savefig(picture, dpi=150)
    print("\nThe picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
