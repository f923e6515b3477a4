"""A rimless wheel walks down a slope on its spokes: its speed converges from impact to impact.

    python examples/rimless_wheel.py [PICTURE]

A foot that hits the ground sticks without a rebound, and the one behind it lifts off. With the angle 2 alpha between
spokes of the length l and j = J/(m l^2), an impact leaves the part eta = (cos(2 alpha) + j)/(1 + j) of the angular
velocity omega, and gravity adds 4 g sin(alpha) sin(slope)/(l (1 + j)) to its square before the next one. From impact to
impact

    omega_next^2 = eta^2 omega^2 + 4 g sin(alpha) sin(slope)/(l (1 + j)),

which converges to the square root of the last term divided by 1 - eta^2.
"""

import sys
from itertools import pairwise
from math import cos, pi, sin, sqrt

import numpy as np
from matplotlib.figure import Figure

from sympact.models import rimless_wheel

SPOKES = 8


def kept(p):
    """The part eta of the angular velocity that an impact leaves, by the formula."""
    j = p["J"] / p["m"] / p["l"] ** 2
    return (cos(2 * pi / SPOKES) + j) / (1 + j)


def gained(p):
    """What gravity adds to the square of the angular velocity between impacts, by the formula (rad^2/s^2)."""
    j = p["J"] / p["m"] / p["l"] ** 2
    return 4 * p["g"] * sin(pi / SPOKES) * sin(p["beta"]) / p["l"] / (1 + j)


def draw(result, impacts, limit):
    """The angular velocity over time, and over the angle of the foot that stands."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    time, portrait = figure.subplots(1, 2)
    times = np.linspace(*result.t_span, 4000)
    x = result(times)
    time.plot(times, x[5])
    time.axhline(limit, color="tab:red", linewidth=0.8, label="limit, before an impact")
    time.set(xlabel="t (s)", ylabel="omega (rad/s)", xlim=result.t_span, title="speeds up to and down at each impact")
    time.legend()
    edges = [0.0, *[impact.t for impact in impacts], result.t_span[1]]
    for k in range(len(edges) - 1):
        part = (times >= edges[k]) & (times < edges[k + 1])
        portrait.plot(x[2, part] - 2 * pi / SPOKES * k, x[5, part], color="tab:blue", alpha=0.3 + 0.7 * k / len(edges))
    portrait.set(xlabel="angle since the last impact (rad)", ylabel="omega (rad/s)", title="towards the limit cycle")
    return figure


def main(picture="rimless_wheel.png"):
    """Let the wheel walk, print its impacts and compare each with the formula."""
    ready = rimless_wheel(SPOKES)
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    p = ready.named_parameters()
    print(result.events.table(max_rows=8))
    impacts = [event for event in result.events if event.kind == "impact"]
    print("\nAngular velocity before each impact, and by the formula from the one before (rad/s):")
    for one, other in pairwise(impacts):
        print(f"    {other.x_minus[5]:.12f} {sqrt((kept(p) * one.x_minus[5]) ** 2 + gained(p)):.12f}")
    limit = sqrt(gained(p) / (1 - kept(p) ** 2))
    print(f"An impact keeps {impacts[0].x_plus[5] / impacts[0].x_minus[5]:.12f}, by the formula {kept(p):.12f};")
    print(f"the speed converges to {limit:.12f} rad/s.")
    draw(result, impacts, limit).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
