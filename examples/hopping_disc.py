"""A disc rolls over the edge of a smooth hill and lifts off.

    python examples/hopping_disc.py [PICTURE]

The hill is given by an equation, y = a (1 - tanh(x/b))/2; sympact computes the contact point during the motion. Where
the slope of the hill increases the normal force decreases. The disc begins to slip when the friction force required for
rolling is more than mu times the normal force, and lifts off where the normal force is zero. Both points follow from
the energy of a rolling disc and from the single equation of motion of a sliding one, which the script solves
independently. Without friction the disc slides, and the energy alone determines where it lifts off.
"""

import sys
from math import cos, hypot, sin

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from sympact.models import hopping_disc


class Edge:
    """The motion of the disc over the hill as a function of the position x of its contact point."""

    def __init__(self, numbers):
        self.p = numbers

    def shape(self, x):
        """Height, angle downwards, and curvature of the hill."""
        a, b = self.p["a"], self.p["b"]
        tanh = np.tanh(x / b)
        slope, bend = -a * (1 - tanh**2) / (2 * b), a * tanh * (1 - tanh**2) / b**2
        return a * (1 - tanh) / 2, np.arctan(-slope), -bend / hypot(1, slope) ** 3

    @property
    def crest(self):
        """About where the curvature of the hill is largest; beyond it the normal force would increase again."""
        return -0.6 * self.p["b"]

    def centre(self, x):
        """Where the middle of the disc is."""
        height, angle, _ = self.shape(x)
        return np.array([x + self.p["r"] * sin(angle), height + self.p["r"] * cos(angle)])

    def pressure(self, x, square):
        """The normal force for each kg at a square of the speed (N/kg)."""
        _, angle, curvature = self.shape(x)
        return self.p["g"] * cos(angle) - square * curvature / (1 + self.p["r"] * curvature)

    def square(self, x, start, speed, inertia):
        """The square of the speed by the energy: inertia is 1 + k of a disc that rolls, 1 of one that slides."""
        return speed**2 + 2 * self.p["g"] * (self.centre(start) - self.centre(x))[1] / inertia

    def slips(self, start, speed):
        """Where rolling takes more friction than there is, and how fast the disc is there."""
        k, mu, g = (self.p[name] for name in ("k", "mu", "g"))

        def spare(x):
            needed = k / (1 + k) * g * sin(self.shape(x)[1])
            return mu * self.pressure(x, self.square(x, start, speed, 1 + k)) - needed

        x = brentq(spare, start, self.crest, xtol=1e-15)
        return x, self.square(x, start, speed, 1 + k) ** 0.5

    def leaves_sliding(self, start, speed, mu):
        """Where the pressure of a disc that slides vanishes: place and time after `start`."""
        r, g = self.p["r"], self.p["g"]

        def motion(t, state):
            x, v = state
            _, angle, curvature = self.shape(x)
            return [v * cos(angle) / (1 + r * curvature), g * sin(angle) - mu * self.pressure(x, v**2)]

        def pressure(t, state):
            return self.pressure(state[0], state[1] ** 2)

        pressure.terminal = True
        run = solve_ivp(motion, (0, 2), [start, speed], "DOP853", events=pressure, rtol=1e-13, atol=1e-15)
        return run.y_events[0][0][0], run.t_events[0][0]


def start_of(ready):
    """The place where the disc touches at the start, and its speed."""
    edge, start = Edge(ready.named_parameters()), ready.named_start()
    x = brentq(lambda x: edge.centre(x)[0] - start["x"], start["x"] - 0.1, start["x"] + 0.1, xtol=1e-15)
    return edge, x, hypot(start["v_x"], start["v_y"])


def first(result, kind):
    """The first event of a kind."""
    return next(event for event in result.events if event.kind == kind)


def draw(ready, result):
    """The way of the middle of the disc, and the force of the hill."""
    edge, start, _ = start_of(ready)
    figure = Figure(figsize=(9, 6), layout="constrained")
    panels = figure.subplots(2, 1, height_ratios=[3, 2])
    times = np.linspace(*result.t_span, 2000)
    x, y = result(times)[:2]
    ground = np.linspace(start - 0.3, x.max() + 0.3, 500)
    panels[0].fill_between(ground, -0.1, [edge.shape(place)[0] for place in ground], color="0.85")
    panels[0].plot(x, y, linewidth=1)
    for t in np.arange(*result.t_span, 0.07):
        panels[0].add_patch(Circle(result(t)[:2], ready.named_parameters()["r"], fill=False, color="C0", linewidth=0.7))
    panels[0].set(aspect="equal", xlabel="x (m)", ylabel="y (m)")
    early = times[times < 1.2 * first(result, "open").t]
    panels[1].plot(early, [result.force_at(t)[0] for t in early])
    for kind, what in (("slip", "slips"), ("open", "leaves")):
        t = first(result, kind).t
        panels[1].axvline(t, color="tab:red", linewidth=0.8)
        panels[1].annotate(f" {what}", (t, 8), color="tab:red")
    panels[1].set(xlabel="t (s)", ylabel="force of the hill (N)")
    return figure


def main(picture="hopping_disc.png"):
    """Run the disc with friction and without, and compare with the places worked out by themselves."""
    ready = hopping_disc()
    result = ready.simulate(rtol=1e-12, atol=1e-14)
    for event in list(result.events)[:4]:
        print(f"{event.t:.9f} s  {event.kind:<6}  x = {event.x_plus[0]:.9f} m  y = {event.x_plus[1]:.9f} m")
    edge, start, speed = start_of(ready)
    slips, fast = edge.slips(start, speed)
    leaves, later = edge.leaves_sliding(slips, fast, ready.named_parameters()["mu"])
    slip, away = first(result, "slip"), first(result, "open")
    print(f"\nIt slips at x = {slip.x_plus[0]:.12f} m, by the energy {edge.centre(slips)[0]:.12f} m.")
    print(f"It leaves at x = {away.x_plus[0]:.12f} m, by its own equation {edge.centre(leaves)[0]:.12f} m,")
    print(f"after {away.t - slip.t:.12f} s of slip, by its own equation {later:.12f} s.")

    smooth = ready.with_numbers({"mu": 0})
    away = first(smooth.simulate(rtol=1e-12, atol=1e-14), "open")
    leaves = brentq(lambda x: edge.pressure(x, edge.square(x, start, speed, 1)), start, edge.crest, xtol=1e-15)
    print(f"Without friction at x = {away.x_plus[0]:.12f} m, by the energy {edge.centre(leaves)[0]:.12f} m.")
    draw(ready, result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
