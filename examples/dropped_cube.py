"""A cube is dropped flat, on an edge and tilted, until it is at rest.

    python examples/dropped_cube.py [PICTURE]

Dropped flat, four corners hit at once: more contacts than necessary to stop the cube. The impulses of minimum norm
distribute the impact evenly, so that the cube does not turn and bounces like a ball. Dropped on an edge, two corners
hit at once and the motion stays in a plane. Tilted, the corners hit one by one, an impact at one corner accelerates its
neighbours up or down, and impacts follow each other ever faster while the cube comes to rest: all corners have to close
together. If two corners hit nearly at once a warning reports this, because the outcome then depends on their order. On
a smooth floor a cube on its face may still slide and spin about the vertical; with friction it comes to rest
completely.
"""

import sys

import numpy as np
from matplotlib.figure import Figure

from sympact.models import dropped_cube

ORIENTATIONS = ("flat", "edge", "tilted")
FRICTION = 0.3


def drop(orientation):
    """Drop the unit cube from one metre; return its run."""
    return dropped_cube(orientation).simulate(rtol=1e-12, atol=1e-14)


def heights_of_corners(orientation, result, times):
    """The gaps of the eight corners, shape (8, k) (m)."""
    ready = dropped_cube(orientation)
    compiled = ready.model.compile()
    p = compiled.all_parameters(compiled.parameters(ready.parameters))
    return np.asarray(ready.model.quantities(ready.model.gaps)(times, result(times), p))


def draw(results):
    """The heights of all corners over time, one panel for each way to drop the cube."""
    figure = Figure(figsize=(7, 7), layout="constrained")
    for axes, (orientation, result) in zip(figure.subplots(3, 1, sharex=True), results.items(), strict=True):
        times = np.linspace(*result.t_span, 2000)
        axes.plot(times, heights_of_corners(orientation, result, times).T, linewidth=0.9)
        axes.axvline(result.events[-1].t, color="0.6", linewidth=0.8)
        axes.set(
            ylabel="corners (m)",
            title=f"dropped {orientation}: the last of {len(result.events)} events at t = {result.events[-1].t:.3f} s",
        )
    axes.set(xlabel="t (s)", xlim=(0, 0.5 + max(result.events[-1].t for result in results.values())))
    return figure


def main(picture="dropped_cube.png"):
    """Drop the cube in three ways, print how each run ends and draw the corners."""
    results = {orientation: drop(orientation) for orientation in ORIENTATIONS}
    for orientation, result in results.items():
        end = result(result.t_span[1])
        print(f"Dropped {orientation}: {len(result.events)} events, the last at t = {result.events[-1].t:.9f} s")
        print("    the first:", ", ".join(result.events[0].contacts))
        print("    height of the centre at the end:", end[2].round(9), "m; spin:", (end[-3:] + 0.0).round(9), "rad/s")
    rough = dropped_cube("tilted", friction=FRICTION).simulate(rtol=1e-12, atol=1e-14)
    print(
        f"With the friction {FRICTION}, tilted: {len(rough.events)} events, the last at t = {rough.events[-1].t:.9f} s"
    )
    print("    height of the centre at the end:", rough.x[2, -1].round(9), "m; spin:", rough.x[-3:, -1] + 0.0, "rad/s")
    print("    it has moved by", rough.x[:2, -1].round(6), "m and lies still:", rough.events[-1].target)
    draw(results).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
