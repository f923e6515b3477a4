"""A superball: thrown on a floor it alternates between two motions, thrown under a table it returns.

    python examples/superball.py [PICTURE]

A homogeneous ball of rubber leaves a rough floor with its slip reversed. On the floor its spin and its horizontal
velocity change at each impact and have their initial values after two. Under a table the floor gives it a spin with
which the underside of the table reverses its velocity: after floor, table and floor it has 333/343 of its velocity
backwards (Garwin 1969). A rough ball without restitution of slip loses its slip at each impact, and continues forwards.
"""

import sys
from fractions import Fraction

import numpy as np
from matplotlib.figure import Figure

from sympact.models import superball


def backwards(impacts):
    """v_x after impacts with floor and table in turn, as a part of the first.

    In each, the impulse of friction is -(4/7) m s with the slip s = v + a on the floor and s = v - a on the table; a is
    the speed that the spin gives to the lowest place.
    """
    v, a, side = Fraction(1), Fraction(0), 1
    for _ in range(impacts):
        slip = v + side * a
        v, a, side = v - Fraction(4, 7) * slip, a - side * Fraction(10, 7) * slip, -side
    return v


def path(panel, result, title):
    """The way of the middle of the ball, with its impacts."""
    times = np.linspace(*result.t_span, 2000)
    x, _, z = result(times)[:3]
    panel.plot(x, z, linewidth=1.2)
    panel.plot(*[[event.x_plus[row] for event in result.events] for row in (0, 2)], ".", color="tab:red")
    panel.axhline(0, color="black", linewidth=0.8)
    panel.set(ylabel="z (m)", title=title)


def draw(hopping, thrown, rough, ready):
    """The ways on the floor and under the table."""
    figure = Figure(figsize=(7, 8), layout="constrained")
    panels = figure.subplots(3, 1)
    path(panels[0], hopping, "a superball thrown on a floor")
    path(panels[1], thrown, "a superball thrown under a table")
    path(panels[2], rough, "a rough ball without restitution of slip")
    for panel in panels[1:]:
        panel.axhline(ready.named_parameters()["h"], color="black", linewidth=0.8)
    panels[2].set(xlabel="x (m)")
    return figure


def main(picture="superball.png"):
    """Throw the ball three times and compare with the formulas."""
    hopping = superball().simulate(rtol=1e-12, atol=1e-14)
    print("v_x after the impacts on the floor:", *[f"{event.x_plus[7]:.9f}" for event in hopping.events], "m/s")
    ready = superball(table=True)
    thrown = ready.simulate(rtol=1e-12, atol=1e-14)
    print(thrown.events)
    speed = ready.named_start()["v_x"]
    for number, event in enumerate(thrown.events, start=1):
        part = backwards(number)
        formula = f"{part} of {speed} m/s: {float(part) * speed:.12f} m/s"
        print(f"After impact {number}: v_x = {event.x_plus[7]:.12f} m/s, {formula}")
    rough = superball(tangential=0.0, table=True).simulate(rtol=1e-12, atol=1e-14)
    print(f"Without restitution of slip it goes on with {rough.events[0].x_plus[7]:.12f} m/s: 5/7 of {speed} m/s.")
    draw(hopping, thrown, rough, ready).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
