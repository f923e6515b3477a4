"""A rod slides down a wall, separates from it, and falls flat on the floor.

    python examples/rod_on_wall.py [PICTURE]

A slender rod leans against a smooth wall and is released. While both ends touch it has one degree of freedom, its
angle, and the wall pushes it away with the force (3/4) m g cos(theta) (3 sin(theta) - 2 sin(theta_0)). The force
becomes zero when the upper end has descended to two thirds of its height, and the contact opens there: a wall cannot
pull. At this time the floor carries a quarter of the weight, whatever the start. Then the rod slides away at a constant
speed, falls, and comes to rest on the floor.
"""

import sys
from math import asin, sin

import numpy as np
from matplotlib.figure import Figure

from sympact.models import rod_on_wall
from sympact.models.blocks.rod_on_wall import LENGTH, START_ANGLE


def ends(x):
    """The upper and the lower end of the rod, each of shape (2, k), for states x of shape (6, k)."""
    centre, arm = x[:2], LENGTH / 2 * np.array([np.cos(x[2]), -np.sin(x[2])])
    return centre - arm, centre + arm


def leaving(result):
    """The event at which the upper end leaves the wall."""
    return next(event for event in result.events if event.kind == "open" and "A on wall" in event.contacts)


def draw(result):
    """Pictures of the rod on its way down, and the forces at wall and floor."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    rods, forces = figure.subplots(1, 2, width_ratios=[3, 2])
    for time in np.arange(0.0, 0.85, 0.1):
        rods.plot(*zip(*ends(result(time)), strict=True), color="tab:blue", alpha=0.25 + 0.7 * time)
    rods.plot(*zip(*ends(leaving(result).x_plus), strict=True), color="tab:red", label="leaves the wall")
    rods.axhline(0, color="0.3", linewidth=3)
    rods.axvline(0, color="0.3", linewidth=3)
    rods.set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title="every tenth of a second")
    rods.legend(loc="upper right")
    shown = np.flatnonzero(result.t < leaving(result).t + 0.2)[1:]  # the first sample is the one before the ends close
    for name, force in zip(("A on wall", "A on floor", "B on wall", "B on floor"), result.force, strict=True):
        if name in ("A on wall", "B on floor"):
            forces.plot(result.t[shown], force[shown], ".-", label=name)
    forces.axvline(leaving(result).t, color="tab:red", linewidth=0.8)
    forces.set(xlabel="t (s)", ylabel="force (N)", title="contact forces")
    forces.legend()
    return figure


def main(picture="rod_on_wall.png"):
    """Let the rod go, print its events and compare where it leaves the wall with the formula."""
    result = rod_on_wall().simulate(rtol=1e-12, atol=1e-14)
    print(result.events.table(max_rows=12))
    event = leaving(result)
    print(f"\nThe wall is left at t = {event.t:.12f} s, at the angle {event.x_plus[2]:.12f} rad;")
    print(f"sin(theta) = 2/3 sin(theta_0) at {asin(2 / 3 * sin(START_ANGLE)):.12f} rad.")
    draw(result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
