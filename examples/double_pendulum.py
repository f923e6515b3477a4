"""A double pendulum beside a wall: regular for small oscillations, and unpredictable after some impacts.

    python examples/double_pendulum.py [PICTURE]

Two particles hang from massless rods. With small angles they swing together or against each other, with the frequencies
omega^2 = (2 -+ sqrt(2)) g/l of the textbooks. Released nearly upright, they turn over and hit a wall; a second pendulum
whose initial angle is larger by 1e-9 moves in the same way for a while, and then differently.
"""

import sys
from math import pi, sqrt

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import brentq

from sympact.models import double_pendulum

SMALL, APART = 1e-3, 1e-9  # rad
HIGH, WALL = 3.0, 1.5  # rad, m


def quarter_period(sign):
    """How long the pendulum takes from rest to its first passage of the vertical (s); sign 1 or -1 is the mode."""
    start = {"theta_1": SMALL, "theta_2": sign * sqrt(2) * SMALL, "omega_1": 0.0, "omega_2": 0.0}
    result = double_pendulum().with_numbers(start=start, t_span=(0, 1)).simulate(rtol=1e-12, atol=1e-14)
    return brentq(lambda t: result(t)[0], 0.1, 0.7, xtol=1e-14)


def tips(x):
    """The lower particle, shape (2, k) (m), for states x of shape (4, k)."""
    return np.array([np.sin(x[0]) + np.sin(x[1]), -np.cos(x[0]) - np.cos(x[1])])


def let_go(angle):
    """The pendulum let go nearly upright beside a wall that takes little, with this angle of the upper rod (rad)."""
    ready = double_pendulum().with_numbers({"w": WALL, "e": 0.95}, {"theta_1": angle, "theta_2": HIGH}, t_span=(0, 15))
    return ready.simulate(rtol=1e-12, atol=1e-14)


def draw(first, second):
    """The paths of the lower particles beside the wall, and how far they are apart."""
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    paths, gap = figure.subplots(1, 2)
    times = np.linspace(*first.t_span, 6000)
    for result, style in ((first, "-"), (second, "--")):
        paths.plot(*tips(result(times)), style, linewidth=0.7)
    paths.axvline(-WALL, color="0.3", linewidth=3)
    paths.set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title="the lower particle, of both pendulums")
    gap.semilogy(times, np.linalg.norm(tips(first(times)) - tips(second(times)), axis=0), linewidth=0.9)
    for event in first.events:
        gap.axvline(event.t, color="tab:red", linewidth=0.6)
    gap.set(xlabel="t (s)", ylabel="apart (m)", title=f"started {APART:g} rad apart; red: impacts", ylim=(1e-11, 10))
    return figure


def main(picture="double_pendulum.png"):
    """Compare the small swings with the textbook, then let two pendulums go and see them part."""
    g = double_pendulum().named_parameters()["g"]
    for sign, name in ((1, "together"), (-1, "against each other")):
        formula = pi / 2 / sqrt((2 - sign * sqrt(2)) * g)
        print(f"A quarter of a small swing {name}: {quarter_period(sign):.9f} s, linearised {formula:.9f} s.")

    first, second = let_go(HIGH), let_go(HIGH + APART)
    print("\nLet go nearly upright:")
    print(first.events.table())
    print(f"\n{APART:g} rad further:")
    print(second.events.table())
    draw(first, second).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
