"""A mass on a spring and a damper hits a stop, by Lagrange's method.

    python examples/mass_spring_damper.py [PICTURE]

The model is the Lagrangian L = m x'^2/2 - k x^2/2 in SymPy's `LagrangesMethod`, with the damper among the forces; the
state is [x, x'], and the stop is the condition x + a >= 0. Between its impacts the mass moves by the closed form of a
damped oscillation, with which the times of the impacts are compared. A hard stop takes energy at an instant, the damper
all the time.
"""

import sys
from math import atan2, cos, exp, hypot, pi, sin, sqrt

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import brentq

from sympact.models import mass_spring_damper


def closed_form(numbers, place):
    """The times of all impacts, each from the closed form of the oscillation since the one before."""
    m, k, c, a, e = (numbers[name] for name in "mkcae")
    d = c / (2 * m)
    w = sqrt(k / m - d**2)
    t, speed, found = 0.0, 0.0, []
    while True:
        size, phase = hypot(place, (speed + d * place) / w), atan2((speed + d * place) / w, place)

        def gap(s, size=size, phase=phase):
            return size * exp(-d * s) * cos(w * s - phase) + a

        middle, lowest = (phase + pi / 2) / w, (phase + pi - atan2(d, w)) / w
        if gap(lowest) > 0:
            return found
        s = brentq(gap, middle, lowest, xtol=1e-15, rtol=1e-14)
        rate = -size * exp(-d * s) * (d * cos(w * s - phase) + w * sin(w * s - phase))
        t, place, speed = t + s, -a, -e * rate
        found.append(t)


def draw(result, a):
    """The place of the mass with the stop, and the energy of L, which falls by the damper and in steps."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    places, energies = figure.subplots(2, 1, sharex=True, height_ratios=[3, 2])
    t = np.linspace(*result.t_span, 3000)
    places.plot(t, result(t)[0])
    places.axhline(-a, color="0.3", linewidth=3)
    hits = result.events.t
    places.plot(hits, np.full(len(hits), -a), "o", color="tab:red", label="hits the stop")
    places.set(ylabel="x (m)", title="Mass on a spring with a damper and a stop")
    places.legend(loc="upper right")
    energies.plot(result.t, result.energy, label="T + V")
    energies.plot(result.t, result.potential_energy, linewidth=0.7, label="V")
    energies.set(xlabel="t (s)", ylabel="energy (J)")
    energies.legend(loc="upper right")
    return figure


def main(picture="mass_spring_damper.png"):
    """Run the mass, print its events and compare their times with the closed form."""
    ready = mass_spring_damper()
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    print(result.table())
    numbers = ready.named_parameters()
    exact = closed_form(numbers, ready.named_start()["x"])
    print(f"\nThe mass hits the stop {len(result.events)} times, the last time at t = {result.events[-1].t:.12f} s;")
    print(f"by the closed form {len(exact)} times, the last time at t = {exact[-1]:.12f} s.")
    draw(result, numbers["a"]).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
