"""A ball on a vibrating table: its period-one motion, where it doubles, and the way to chaos.

    python examples/table_bifurcations.py [PICTURE]

With Gamma = A omega^2/g, the largest acceleration of the table in units of g, the motion that meets the table once a
period, at the phase phi with

    cos(phi) = pi (1 - e)/(Gamma (1 + e)),

exists for Gamma > pi (1 - e)/(1 + e). With exact times between impacts the derivative of its return map has the trace
1 + e^2 - (1 + e)^2 Gamma sin(phi) and the determinant e^2: a multiplier passes -1, and the period doubles, where
Gamma sin(phi) = 2 (1 + e^2)/(1 + e)^2 [1]_.

.. [1] A. C. J. Luo, R. P. S. Han, "The dynamics of a bouncing ball with a sinusoidally vibrating table revisited",
   *Nonlinear Dynamics* 10 (1996) 1-18; P. J. Holmes, "The dynamics of repeated impacts with a sinusoidally vibrating
   table", *Journal of Sound and Vibration* 84 (1982) 173-189, has the approximation of high bounces.
"""

import sys
from math import acos, hypot, pi, sin

import numpy as np

from sympact import bifurcation_diagram, find_orbit
from sympact.models import shaking_table

E, PERIOD, G = 0.8, 0.2, 9.81
OMEGA = 2 * pi / PERIOD
BORN = pi * (1 - E) / (1 + E)
DOUBLED = hypot(BORN, 2 * (1 + E**2) / (1 + E) ** 2)


def amplitude(gamma):
    """The amplitude of the table (m)."""
    return gamma * G / OMEGA**2


def period_one(gamma):
    """The phase of the period-one motion (rad), and its multipliers, by the formulas above."""
    phase = acos(BORN / gamma)
    trace = 1 + E**2 - (1 + E) ** 2 * gamma * sin(phase)
    return phase, np.roots([1, -trace, E**2])


def orbit(gamma):
    """The period-one motion by Newton's method, from a state near it."""
    phase, _ = period_one(gamma)
    table = shaking_table(1.0, E).with_numbers({"A": amplitude(gamma)})
    start = {"z": amplitude(gamma) * sin(phase) + 1e-4, "v": G * PERIOD / 2}
    return find_orbit(table, "ball", start, t_max=1.5 * PERIOD, t_start=phase / OMEGA, period=PERIOD)


def diagram(values=300, periods=300, kept=60):
    """The impacts for each acceleration of the table, followed upwards from the period-one motion."""
    first = 0.8
    phase, _ = period_one(first)
    top = phase / OMEGA + PERIOD / 2  # half way between two impacts, where the ball is highest
    return bifurcation_diagram(
        shaking_table(1.0, E),
        "ball",
        {"A": amplitude(np.linspace(first, 1.45, values))},
        (top, top + periods * PERIOD),
        {"z": amplitude(first) * sin(phase) + G * PERIOD**2 / 8, "v": 0.0},
        transient=(periods - kept) * PERIOD,
        follow="up",
        period=PERIOD,
    )


def draw(found):
    """The phases of the impacts against Gamma, with the closed form."""
    figure = found.plot(found.phase(PERIOD) * OMEGA, label="phase of the impact (rad)", parameter_label="A (m)")
    (axes,) = figure.axes
    gammas = np.linspace(0.8, 1.45, 200)
    axes.plot(amplitude(gammas), [period_one(gamma)[0] for gamma in gammas], color="tab:orange", label="period one")
    axes.axvline(amplitude(DOUBLED), color="tab:red", linewidth=0.8, label="doubles, closed form")
    top = axes.secondary_xaxis("top", functions=(lambda a: a * OMEGA**2 / G, amplitude))
    top.set_xlabel(r"$\Gamma = A\omega^2/g$")
    axes.set_title("")
    axes.legend(loc="upper left")
    return figure


def main(picture="table_bifurcations.png"):
    """Compare orbits and multipliers with the closed form, and draw the diagram."""
    print(f"period one exists above Gamma = {BORN:.6f} and doubles at {DOUBLED:.6f}")
    for gamma in (0.6, 0.9, 1.2):
        found, (phase, multipliers) = orbit(gamma), period_one(gamma)
        print(f"Gamma = {gamma:.4f}: {'stable' if found.stable else 'unstable'}, ", end="")
        print(f"the phase differs from the formula by {abs(found.t * OMEGA - phase):.0e} rad, ", end="")
        largest = np.abs(multipliers).max()
        print(f"largest multiplier {abs(found.multipliers[0]):.6f}, by the formula {largest:.6f}")
    found = diagram()
    print(found)
    draw(found).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
