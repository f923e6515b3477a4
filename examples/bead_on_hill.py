"""A bead slides down a round hill, lifts off, lands and continues to slide.

    python examples/bead_on_hill.py [PICTURE]

A bead is released near the top of a smooth half cylinder. The contact force can push but not pull: the bead lifts off
where gravity alone can no longer keep it on the circle, at cos(theta) = 2/3 cos(theta_0) from the vertical, and moves
on a parabola to the ground. It bounces there until the impacts accumulate, and slides away.
"""

import sys
from math import acos, atan2, cos

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Wedge

from sympact.models import bead_on_hill
from sympact.models.balls.bead_on_hill import START_ANGLE


def leaving(result):
    """The event at which the bead leaves the hill."""
    return next(event for event in result.events if event.kind == "open")


def draw(result):
    """The path of the bead over the hill, with the places of its events."""
    figure = Figure(figsize=(8, 2.6), layout="constrained")
    axes = figure.subplots()
    x, y = result(np.linspace(*result.t_span, 3000))[:2]
    axes.add_patch(Wedge((0, 0), 1, 0, 180, facecolor="0.85"))
    axes.axhline(0, color="0.3", linewidth=2)
    axes.plot(x, y)
    axes.plot(*leaving(result).x_plus[:2], "o", label="leaves the hill")
    landings = np.array([event.x_plus[:2] for event in result.events if event.kind == "impact"])
    axes.plot(*landings.T, ".", label="hits the ground")
    axes.set(aspect="equal", xlim=(-1.1, 4.5), ylim=(-0.1, 1.1), xlabel="x (m)", ylabel="y (m)", title="Bead on a hill")
    axes.legend(loc="upper right")
    return figure


def main(picture="bead_on_hill.png"):
    """Let the bead go, print its events and compare where it leaves the hill with the formula."""
    result = bead_on_hill().simulate(rtol=1e-12, atol=1e-14)
    print(result.events.table(max_rows=12))
    event = leaving(result)
    print(f"\nThe hill is left at t = {event.t:.12f} s, at the angle {atan2(*event.x_plus[:2]):.12f} rad;")
    print(f"cos(theta) = 2/3 cos(theta_0) at {acos(2 / 3 * cos(START_ANGLE)):.12f} rad.")
    draw(result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
