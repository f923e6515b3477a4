"""A block is placed at rest on a moving belt: it slides, tips, rocks, and finally moves with the belt.

    python examples/block_on_belt.py [PICTURE]

With the width a and the height b the friction tips the block where mu > a/b; a low friction lets it slide upright for
the time w/(mu g), during which half of the work of the belt becomes heat. Friction at the belt is the only horizontal
force, so that the work of the belt is w times the momentum it gives, w m v_x. It is the kinetic energy of the block,
the heat of sliding, which is the force of friction times the slip, and the energy lost in impacts.
"""

import sys

import numpy as np
from matplotlib.figure import Figure

from sympact.models import block_on_belt

LOW, HIGH = 0.3, 0.6
"""Coefficients of friction below and above a/b = 0.4."""


def account(ready, result):
    """Where the work of the belt goes until the end (J): the work itself, motion, heat of sliding, impacts."""
    p = ready.named_parameters()
    work = p["w"] * p["m"] * result.x[3, -1]
    motion = result.energy[-1] - result.energy[0]
    slip = p["w"] - result.x[3] - result.x[5] * result.x[1]  # at the height of the belt
    power = result.friction_force[:, 0].sum(axis=0) * slip
    impacts = sum(event.energy for event in result.events if event.kind in ("impact", "accumulation"))
    return work, motion, np.trapezoid(power, result.t), abs(impacts)


def outline(p, x):
    """The corners of the block for a state, in order and closed, shape (2, 5) (m)."""
    across, up = p["a"] / 2 * np.array([-1, 1, 1, -1, -1]), p["b"] / 2 * np.array([-1, -1, 1, 1, -1])
    c, s = np.cos(x[2]), np.sin(x[2])
    return x[0] + c * across - s * up, x[1] + s * across + c * up


def draw(ready, results):
    """The block with high friction at some times, and the angle and the speed of both."""
    figure = Figure(figsize=(9, 5), layout="constrained")
    panels = figure.subplot_mosaic([["block", "block"], ["tilt", "speed"]], height_ratios=[3, 2])
    for t in np.linspace(0, 2, 5):
        panels["block"].plot(
            *outline(ready.named_parameters(), results[HIGH](t)), color="tab:blue", alpha=0.3 + 0.3 * t
        )
    panels["block"].axhline(0, color="0.3", linewidth=3)
    panels["block"].set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title=f"mu = {HIGH}, half a second apart")
    for mu, result in results.items():
        times = np.linspace(*result.t_span, 3000)
        panels["tilt"].plot(times, result(times)[2], label=f"mu = {mu}")
        panels["speed"].plot(times, result(times)[3], label=f"mu = {mu}")
    panels["tilt"].set(xlabel="t (s)", ylabel="tilt (rad)")
    panels["speed"].set(xlabel="t (s)", ylabel="v_x (m/s)")
    panels["speed"].legend()
    return figure


def main(picture="block_on_belt.png"):
    """Run both frictions, print the events of the second, and the energies."""
    results = {}
    for mu in (LOW, HIGH):
        ready = block_on_belt(friction=mu)
        results[mu] = ready.simulate(rtol=1e-12, atol=1e-14, max_step=5e-4)
    print(results[HIGH].events.table(max_rows=12))
    p = ready.named_parameters()
    reached = results[LOW].events[-1].t
    print(f"\nWith mu = {LOW} it has the belt's speed at {reached:.12f} s, w/(mu g) is {p['w'] / LOW / p['g']:.12f} s.")
    for mu, result in results.items():
        work, motion, heat, lost = account(ready, result)
        print(
            f"mu = {mu}: the belt's work {work:.6f} J = motion {motion:.6f} + sliding {heat:.6f} + impacts {lost:.6f}"
        )
    draw(ready, results).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
