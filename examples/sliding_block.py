"""A block on a slope: the angle at which it starts to slide, how far it slides on the level, and up and down a slope.

    python examples/sliding_block.py [PICTURE]

On a table that is tilted ever more, the block at the pivot starts to slide where tan(alpha) = mu_s. Thrown with the
speed v on the level it stops after v^2/(2 mu g). Thrown up a slope with tan(alpha) > mu_s it reverses and returns with
the speed v sqrt((tan(alpha) - mu)/(tan(alpha) + mu)); a slope between keeps it where it turns.
"""

import sys
from math import atan, sqrt, tan

import numpy as np
from matplotlib.figure import Figure

from sympact.models import sliding_block

SPEED, STEEP = 2.0, 0.6
"""m/s, rad."""


def returning(result):
    """The time and the speed with which the block comes back to where it was thrown (s, m/s)."""
    turn = next(event.t for event in result.events if event.kind == "slip")
    low, high = turn, result.t_span[1]
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if result(middle)[0] < 0 else (low, middle)
    return high, result(high)[2]


def draw(tilted, level, thrown):
    """The speed on the tilting table, and the place on the level and on the slope."""
    figure = Figure(figsize=(9, 3.5), layout="constrained")
    panels = figure.subplots(1, 3)
    titles = ("speed on a tilting table", "thrown on the level", "thrown up a slope")
    for panel, result, row, title in zip(panels, (tilted, level, thrown), (2, 0, 0), titles, strict=True):
        times = np.linspace(*result.t_span, 1000)
        panel.plot(times, result(times)[row])
        for event in result.events:
            if event.kind in ("slip", "stick"):
                panel.axvline(event.t, color="tab:red", linewidth=0.8)
                panel.annotate(f" {event.kind}", (event.t, 0.5), xycoords=("data", "axes fraction"), color="tab:red")
        panel.set(xlabel="t (s)", ylabel="v_x (m/s)" if row == 2 else "x (m)", title=title)
    return figure


def main(picture="sliding_block.png"):
    """Run the three and compare each with its formula."""
    ready = sliding_block()
    p = ready.named_parameters()
    tilted = ready.simulate(rtol=1e-12, atol=1e-14)
    print(tilted.events)
    start = next(event for event in tilted.events if event.kind == "slip")
    print(f"\nIt starts to slide at the slope {p['nu'] * start.t:.12f}, atan(mu_s) is {atan(p['mu_s']):.12f}.")
    level = sliding_block(tilting=0.0, speed=SPEED).with_numbers(t_span=(0, 1)).simulate(rtol=1e-12, atol=1e-14)
    stops = SPEED**2 / (2 * p["mu"] * p["g"])
    print(f"On the level it stops after {level.x[0, -1]:.12f} m, by the formula {stops:.12f} m.")
    uphill = sliding_block(STEEP, tilting=0.0, speed=-SPEED).with_numbers(t_span=(0, 1))
    thrown = uphill.simulate(rtol=1e-12, atol=1e-14)
    _, speed = returning(thrown)
    formula = SPEED * sqrt((tan(STEEP) - p["mu"]) / (tan(STEEP) + p["mu"]))
    print(f"Thrown up the slope it comes back with {speed:.12f} m/s, by the formula {formula:.12f} m/s.")
    draw(tilted, level, thrown).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
