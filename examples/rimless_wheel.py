"""A wheel without a rim walks down a slope on its spokes: its speed settles from strike to strike.

    python examples/rimless_wheel.py [PICTURE]

A foot that strikes sticks without a rebound, and the one behind it lifts. With the angle 2 alpha between spokes of the
length l and j = J/(m l^2), a strike leaves the part eta = (cos(2 alpha) + j)/(1 + j) of the angular velocity omega, and
gravity gives back 4 g sin(alpha) sin(slope)/(l (1 + j)) of its square on the way to the next one. From strike to strike

    omega_next^2 = eta^2 omega^2 + 4 g sin(alpha) sin(slope)/(l (1 + j)),

which settles at the square root of the last term divided by 1 - eta^2.
"""

import sys
from itertools import pairwise
from math import cos, pi, sin, sqrt

import numpy as np
from matplotlib.figure import Figure

from sympact.models import rimless_wheel

SPOKES = 8


def kept(p):
    """The part eta of the angular velocity that a strike leaves, by the formula."""
    j = p["J"] / p["m"] / p["l"] ** 2
    return (cos(2 * pi / SPOKES) + j) / (1 + j)


def gained(p):
    """What gravity adds to the square of the angular velocity between strikes, by the formula (rad^2/s^2)."""
    j = p["J"] / p["m"] / p["l"] ** 2
    return 4 * p["g"] * sin(pi / SPOKES) * sin(p["beta"]) / p["l"] / (1 + j)


def draw(result, strikes, settled):
    """The angular velocity over time, and over the angle of the foot that stands."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    time, portrait = figure.subplots(1, 2)
    times = np.linspace(*result.t_span, 4000)
    x = result(times)
    time.plot(times, x[5])
    time.axhline(settled, color="tab:red", linewidth=0.8, label="settled, before a strike")
    time.set(xlabel="t (s)", ylabel="omega (rad/s)", xlim=result.t_span, title="speeds up to and down at each strike")
    time.legend()
    edges = [0.0, *[strike.t for strike in strikes], result.t_span[1]]
    for k in range(len(edges) - 1):
        part = (times >= edges[k]) & (times < edges[k + 1])
        portrait.plot(x[2, part] - 2 * pi / SPOKES * k, x[5, part], color="tab:blue", alpha=0.3 + 0.7 * k / len(edges))
    portrait.set(xlabel="angle since the last strike (rad)", ylabel="omega (rad/s)", title="towards the limit cycle")
    return figure


def main(picture="rimless_wheel.png"):
    """Let the wheel walk, print its strikes and compare each with the formula."""
    ready = rimless_wheel(SPOKES)
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    p = ready.named_parameters()
    print(result.events.table(max_rows=8))
    strikes = [event for event in result.events if event.kind == "impact"]
    print("\nAngular velocity before each strike, and by the formula from the one before (rad/s):")
    for one, other in pairwise(strikes):
        print(f"    {other.x_minus[5]:.12f} {sqrt((kept(p) * one.x_minus[5]) ** 2 + gained(p)):.12f}")
    settled = sqrt(gained(p) / (1 - kept(p) ** 2))
    print(f"A strike keeps {strikes[0].x_plus[5] / strikes[0].x_minus[5]:.12f}, by the formula {kept(p):.12f};")
    print(f"the speed settles at {settled:.12f} rad/s.")
    draw(result, strikes, settled).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
