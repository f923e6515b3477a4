"""A rod is dropped at an angle: its ends hit the floor in turn, faster and faster, until it lies flat.

    python examples/falling_rod.py [PICTURE]

The floor is smooth, so that the middle of the rod stays above one point. An end that hits at the angle theta to the
horizontal has the effective mass m/(1 + 3 cos(theta)^2), and its impact accelerates the other end down. The impacts
accumulate: infinitely many of them end at a finite time, and from then on both ends are closed contacts.
"""

import sys
from math import cos, sin, sqrt

import numpy as np
from matplotlib.figure import Figure

from sympact.models import falling_rod


def ends(numbers, x):
    """The heights of both ends, shape (2, k) (m), for states x of shape (6, k)."""
    reach = numbers["l"] / 2 * np.sin(x[2])
    return np.array([x[1] - reach, x[1] + reach])


def first_impulse(numbers, start):
    """The impulse of the first hit by the formula (N s)."""
    m, l, g, e = (numbers[name] for name in "mlge")
    speed = sqrt(2 * g * (start["y"] - l / 2 * sin(start["theta"])))
    return (1 + e) * m * speed / (1 + 3 * cos(start["theta"]) ** 2)


def draw(numbers, result):
    """The heights of the ends, and the impulses of their hits."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    heights, impulses = figure.subplots(2, 1, sharex=True)
    times = np.linspace(*result.t_span, 4000)
    for name, height in zip("AB", ends(numbers, result(times)), strict=True):
        heights.plot(times, height, label=f"end {name}")
        hits = [(event.t, event.impulse[event.contacts.index(name)]) for event in result.events if _hit(event, name)]
        impulses.semilogy(*zip(*hits, strict=True), ".", label=f"end {name}")
    last = result.events[-1].t
    heights.axvline(last, color="0.6", linewidth=0.8)
    heights.set(ylabel="height (m)", title=f"Falling rod: the last event at t = {last:.3f} s", xlim=(0, last + 0.3))
    impulses.set(xlabel="t (s)", ylabel="impulse (N s)")
    heights.legend()
    impulses.legend()
    return figure


def _hit(event, name):
    return event.kind == "impact" and name in event.contacts


def main(picture="falling_rod.png"):
    """Drop the rod, print its events, and compare the first impulse with the formula."""
    ready = falling_rod()
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    print(result.events.table(max_rows=12))
    numbers = ready.named_parameters()
    formula = first_impulse(numbers, ready.named_start())
    print(f"\nThe first impulse is {result.events[0].impulse[0]:.9f} N s, by the formula {formula:.9f} N s.")
    print("At the end both ends are at the heights", ends(numbers, result.x[:, -1]).round(12) + 0.0, "m.")
    draw(numbers, result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
