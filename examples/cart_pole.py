"""A cart with a pole that falls over moves between two walls.

    python examples/cart_pole.py [PICTURE]

The cart rolls without resistance, and the pole swings in front of the rail. Only the walls exert horizontal forces,
so that the momentum (M + m) v + m l/2 omega cos(theta) changes at impacts only, each time by the impulse of the wall:
of the cart's side, or of the tip of the pole.
"""

import sys

import numpy as np
from matplotlib.figure import Figure

from sympact.models import cart_pole


def momentum(numbers, x):
    """The horizontal momentum for states x of shape (4, k), shape (k,) (kg m/s)."""
    M, m, l = (numbers[name] for name in "Mml")
    _, theta, v, omega = x
    return (M + m) * v + m * l / 2 * omega * np.cos(theta)


def draw(numbers, result):
    """Where the sides of the cart and the tip of the pole are, and the momentum."""
    b, w, l = (numbers[name] for name in "bwl")
    figure = Figure(figsize=(8, 5), layout="constrained")
    places, moments = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    times = np.linspace(*result.t_span, 2000)
    x, theta = result(times)[:2]
    places.fill_between(times, x - b / 2, x + b / 2, color="0.8", label="cart")
    places.plot(times, x + l * np.sin(theta), label="tip of the pole")
    for event in result.events:
        places.axvline(event.t, color="tab:red", linewidth=0.5)
    for wall in (-w, w):
        places.axhline(wall, color="0.3", linewidth=3)
    places.set(ylabel="x (m)", title="Cart with a pole between two walls; red: impacts")
    places.legend(loc="lower right")
    moments.plot(result.t, momentum(numbers, result.x))
    moments.set(xlabel="t (s)", ylabel="momentum (kg m/s)")
    return figure


def main(picture="cart_pole.png"):
    """Run the cart, print its events, and compare the change of the momentum with the impulses."""
    ready = cart_pole()
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    print(result.events.table(max_rows=12))
    numbers = ready.named_parameters()
    away = {"left": 1, "right": -1}
    pushed = sum(
        away[name.split()[-1]] * impulse
        for event in result.events
        for name, impulse in zip(event.contacts, event.impulse, strict=True)
    )
    before, after = momentum(numbers, result.x[:, 0]), momentum(numbers, result.x[:, -1])
    print(f"\nThe momentum changes by {after - before:.9f} kg m/s; the walls gave {pushed:.9f} N s.")
    draw(numbers, result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
