"""A block is tilted on a corner, falls back on the other, and rocks from one to the other until it stands.

    python examples/rocking_block.py [PICTURE]

The floor is smooth, so that the corner slides and the centre of the block moves vertically down. While it falls on a
corner that stays closed its energy is conserved, which gives the angular velocity at the first impact:

    omega^2 ((a^2 + b^2)/12 + a^2/4) = g (a sin(theta) - b (1 - cos(theta)))

with the width a, the height b and the tilt theta at the start.

On a floor with enough friction, and without restitution, the block turns about its corners, which is Housner's block:
each time it changes corners it keeps the part 1 - (3/2) sin(alpha)^2 of its angular velocity, tan(alpha) = a/b. With
p^2 = 3 g/(2 sqrt(a^2 + b^2)) it falls flat from the tilt theta after the integral from 0 to theta of

    1/sqrt(2 p^2 (cos(alpha - theta) - cos(alpha - phi))) dphi,

which for small angles is acosh(1/(1 - theta/alpha))/p.
"""

import sys
from math import acosh, atan2, cos, hypot, sin, sqrt

import numpy as np
from matplotlib.figure import Figure
from scipy.integrate import quad

from sympact.models import rocking_block


def first_rate(numbers, tilt):
    """The angular velocity with which the block falls flat for the first time, by the formula (rad/s)."""
    a, b, g = (numbers[name] for name in "abg")
    return -sqrt(g * (a * sin(tilt) - b * (1 - cos(tilt))) / ((a**2 + b**2) / 12 + a**2 / 4))


def housner(numbers, tilt):
    """The part of the angular velocity that is kept, and the time to fall flat: exact, and for small angles (s)."""
    a, b, g = (numbers[name] for name in "abg")
    alpha, p = atan2(a, b), sqrt(1.5 * g / hypot(a, b))

    def integrand(s):  # phi = theta (1 - s^2) takes away the root at the start
        phi = tilt * (1 - s**2)
        return 2 * tilt * s / sqrt(2 * p**2 * (cos(alpha - tilt) - cos(alpha - phi))) if s else limit

    limit = 2 * tilt / sqrt(2 * p**2 * tilt * sin(alpha - tilt))
    exact, _ = quad(integrand, 0, 1, epsabs=1e-13, epsrel=1e-13)
    return 1 - 1.5 * sin(alpha) ** 2, exact, acosh(1 / (1 - tilt / alpha)) / p


def outline(numbers, x):
    """The corners of the block for a state, in order and closed, shape (2, 5) (m)."""
    across = numbers["a"] / 2 * np.array([-1, 1, 1, -1, -1])
    up = numbers["b"] / 2 * np.array([-1, -1, 1, 1, -1])
    c, s = cos(x[2]), sin(x[2])
    return x[0] + c * across - s * up, x[1] + s * across + c * up


def draw(numbers, result, sticking):
    """The block at its start and when it hits, its tilt on both floors, the heights of its corners on the smooth."""
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    panels = figure.subplot_mosaic([["block", "tilt"], ["block", "corners"]], width_ratios=[2, 3])
    impacts = [event for event in result.events if event.kind == "impact"]
    for x, color, name in ((result.x[:, 0], "tab:blue", "at the start"), (impacts[0].x_minus, "tab:red", "first hit")):
        panels["block"].plot(*outline(numbers, x), color=color, label=name)
    panels["block"].axhline(0, color="0.3", linewidth=3)
    panels["block"].set(aspect="equal", xlabel="x (m)", ylabel="y (m)", ylim=(-0.05, 1.35), title="Rocking block")
    panels["block"].legend(loc="upper right")
    times = np.linspace(*result.t_span, 3000)
    x = result(times)
    panels["tilt"].plot(times, x[2], label="smooth floor, e = 0.7")
    later = np.linspace(*sticking.t_span, 3000)
    panels["tilt"].plot(later, sticking(later)[2], label="Housner's block")
    panels["tilt"].set(ylabel="tilt (rad)")
    panels["tilt"].legend(loc="upper right")
    across, low = numbers["a"] / 2 * np.sin(x[2]), x[1] - numbers["b"] / 2 * np.cos(x[2])
    panels["corners"].plot(times, low - across, label="left")
    panels["corners"].plot(times, low + across, label="right")
    panels["corners"].set(xlabel="t (s)", ylabel="height (m)")
    panels["corners"].legend()
    return figure


def main(picture="rocking_block.png"):
    """Let the block go, print its events, and compare the first hit with the formula."""
    ready = rocking_block(tilt=0.3)
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    print(result.events.table(max_rows=12))
    numbers = ready.named_parameters()
    found = next(event for event in result.events if event.kind == "impact").x_minus[5]
    print(f"\nIt falls flat with {found:.9f} rad/s, by the formula {first_rate(numbers, 0.3):.9f} rad/s.")
    block = rocking_block(tilt=0.3, friction=1.0, restitution=0.0).with_numbers(t_span=(0, 5))
    sticking = block.simulate(rtol=1e-12, atol=1e-14)
    hits = [event for event in sticking.events if event.kind == "impact"]
    part, time, small = housner(numbers, 0.3)
    print(f"With friction it falls flat after {hits[0].t:.9f} s, by the integral {time:.9f} s, roughly {small:.3f} s;")
    for hit in hits[:3]:
        print(f"it keeps {hit.x_plus[5] / hit.x_minus[5]:.9f} of its angular velocity, by the formula {part:.9f}.")
    draw(numbers, result, sticking).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
