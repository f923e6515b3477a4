"""A ball hits the middle one of three stacked blocks, which slides between the other two until friction stops all.

    python examples/struck_stack.py [PICTURE]

The ball, half as heavy as a block and with e = 1/2, stops and leaves the middle block with the speed V = v/2. During
the impact the other blocks stay at rest, because no normal impulse acts on their faces. Then friction from below and
from above decelerates the middle block with 3 mu g, the upper one accelerates with mu g, and both have V/4 after the
time V/(4 mu g); from then on they stick to each other and decelerate with mu g for the same duration. The lowest block
never moves.
"""

import sys

import numpy as np
from matplotlib.figure import Figure

from sympact.models import struck_stack
from sympact.models.balls.struck_stack import AWAY, HEIGHT, WIDTHS

SPEED = 3.0
"""Of the ball (m/s)."""


def expected(p):
    """When the upper block sticks and when all is still (s), and where both blocks end (m), by the formulas."""
    speed, braking, blow = SPEED / 2, p["mu"] * p["g"], AWAY / SPEED
    together = speed / (4 * braking)
    places = (3 / 16 * speed**2 / braking, speed**2 / (16 * braking))
    return blow + together, blow + 2 * together, places


def outline(i, x):
    """The corners of block i for a state, in order and closed, shape (2, 5) (m)."""
    across, up = WIDTHS[i] / 2 * np.array([-1, 1, 1, -1, -1]), HEIGHT / 2 * np.array([-1, -1, 1, 1, -1])
    place, turn = x[2 + 3 * i : 4 + 3 * i], x[4 + 3 * i]
    return place[0] + np.cos(turn) * across - np.sin(turn) * up, place[1] + np.sin(turn) * across + np.cos(turn) * up


def draw(ready, result):
    """The blocks before and after, and their speeds."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    blocks, speeds = figure.subplots(1, 2, width_ratios=[3, 2])
    radius = ready.named_parameters()["r"]
    for x, color, name in ((result.x[:, 0], "0.6", "at the start"), (result.x[:, -1], "tab:blue", "at the end")):
        for i in range(len(WIDTHS)):
            blocks.plot(*outline(i, x), color=color, label=name if i == 0 else None)
        turns = np.linspace(0, 2 * np.pi, 50)
        blocks.plot(x[0] + radius * np.cos(turns), x[1] + radius * np.sin(turns), color=color)
    blocks.axhline(0, color="0.3", linewidth=3)
    blocks.set(aspect="equal", xlabel="x (m)", ylabel="y (m)")
    blocks.legend(loc="upper right")
    times = np.linspace(0, 0.3, 2000)
    x = result(times)
    for i in range(len(WIDTHS)):
        speeds.plot(times, x[13 + 3 * i], label=f"block {i + 1}")
    speeds.set(xlabel="t (s)", ylabel="v (m/s)")
    speeds.legend()
    return figure


def main(picture="struck_stack.png"):
    """Let the ball fly, print the events and compare times and places with the formulas."""
    ready = struck_stack(hit=2, speed=SPEED)
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    print(result.events)
    sticks, rests, places = expected(ready.named_parameters())
    found = [event.t for event in result.events if event.kind == "stick"]
    print(f"\nThe upper block sticks at t = {found[0]:.12f} s, by the formula {sticks:.12f} s;")
    print(f"all is still at t = {found[1]:.12f} s, by the formula {rests:.12f} s.")
    print(f"The middle block ends at {result.x[5, -1]:.12f} m, by the formula {places[0]:.12f} m,")
    print(f"the upper block ends at {result.x[8, -1]:.12f} m, by the formula {places[1]:.12f} m.")
    draw(ready, result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
