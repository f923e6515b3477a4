"""A load on a crane swings, and the pin that holds it shears.

    python examples/overload.py [PICTURE]

The trolley of a crane starts with a constant acceleration, and its load swings back on a rod. The rod is fixed by a
shear pin: a `Latch` that opens by its own `Reaction`, where the force of the rod reaches what the pin bears. The load
flies on and lands on the floor, at which the run ends: a `Stop` that the force of the floor causes.

On the trolley the load is a pendulum in a field that is inclined by atan(a / g). At the angle phi the rod pulls with
m (3 g cos(phi) + 3 a sin(phi) - 2 g), so that the angle at which the pin shears is known. It is printed beside that of
the run, and so is the place at which the load lands.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import brentq
from sympy import symbols
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

from sympact import Contact, HybridModel, Latch, NormalForce, Plane, Reaction, RodClosure, Stop

MASS, LENGTH, HEIGHT = 200.0, 4.0, 6.0
"""The load (kg), its rod, and the trolley above the floor (m)."""

GRAVITY, ACCELERATION, LIMIT = 9.81, 8.0, 3500.0
"""In m/s^2, and the force that the pin bears (N)."""

NAMES = symbols("m l h g a F")
NUMBERS = dict(zip(NAMES, (MASS, LENGTH, HEIGHT, GRAVITY, ACCELERATION, LIMIT), strict=True))

x, y, u, v = dynamicsymbols("x y u v")
"""The place of the load, and its rates."""


def crane():
    """The trolley, whose motion is given, and the load: the model and the latch."""
    m, l, h, g, a, F = NAMES
    t, N, O = dynamicsymbols._t, ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    trolley, load = O.locatenew("trolley", a * t**2 / 2 * N.x + h * N.y), O.locatenew("load", x * N.x + y * N.y)
    trolley.set_vel(N, a * t * N.x)
    load.set_vel(N, u * N.x + v * N.y)
    rod = RodClosure(trolley, load, l, name="rod")
    pin = Latch(rod, closed=True, opens=Reaction(rod, "force") > F, name="pin")
    floor = Contact(load, Plane(O, N.y), restitution=0, friction=0.6, name="floor")
    bodies, loads = [Particle("load", load, m)], [(load, -m * g * N.y)]
    kane = KanesMethod(N, [x, y], [u, v], [u - x.diff(), v - y.diff()], bodies=bodies, forcelist=loads)
    return HybridModel(kane, [floor], latches=[pin], bodies=bodies, loads=loads), pin


def run():
    """From rest under the trolley to the landing: the model, the latch and the result."""
    model, pin = crane()
    start = {x: 0.0, y: HEIGHT - LENGTH, u: 0.0, v: 0.0}
    landing = Stop(NormalForce("floor") > 0)
    settings = {"events": {"lands": landing}, "rtol": 1e-11, "atol": 1e-13}
    return model, pin, model.simulate((0, 9), start, NUMBERS, **settings)


def pull(phi):
    """The force of the rod (N) where the load has swung back to an angle (rad)."""
    return MASS * (3 * GRAVITY * np.cos(phi) + 3 * ACCELERATION * np.sin(phi) - 2 * GRAVITY)


def angle(t, at):
    """The angle (rad) by which the load hangs behind the trolley."""
    return np.arctan2(ACCELERATION * t**2 / 2 - at[x], HEIGHT - at[y])


def draw(model, pin, result):
    """The path of the load with the rod at times and at the break, and the force of the rod."""
    figure = Figure(figsize=(10, 4), layout="constrained")
    plane, force = figure.subplots(1, 2, width_ratios=[1, 1.5])
    shears = result.events["pin opens"][0]
    times = np.union1d(np.linspace(*result.t[[0, -1]], 800), result.t)
    at = dict(zip(model.x, result(times), strict=True))
    for t in np.linspace(0, shears.t, 6):
        one = dict(zip(model.x, result(t, side="left"), strict=True))
        colour = "#c8372d" if t == shears.t else "#b8b8b8"
        place = ACCELERATION * t**2 / 2
        plane.plot([place, one[x]], [HEIGHT, one[y]], color=colour, linewidth=1.5)
        plane.plot(place, HEIGHT, "s", color=colour, markersize=7)
    plane.plot(at[x], at[y], color="#2f5d8a", linewidth=1.5, label="load")
    plane.axhline(0, color="k", linewidth=1)
    plane.set(
        xlabel="x (m)", ylabel="y (m)", xlim=(-0.5, 3.5), aspect="equal", title="The pin shears, and the load flies on"
    )
    plane.legend(loc="center right")
    force.plot(times, np.linalg.norm(result.reaction.at(times).force(pin), axis=0), color="#3b8f5a", label="rod")
    force.axhline(LIMIT, color="#c8372d", linestyle="--", linewidth=1, label="what the pin bears")
    force.set(xlabel="t (s)", ylabel="force (N)", title="The force of the rod")
    force.legend()
    return figure


def main(picture="overload.png"):
    """The break and the landing, beside their closed forms."""
    model, pin, result = run()
    print(result.events.table())
    shears, lands = result.events
    before = dict(zip(model.x, shears.x_minus, strict=True))
    expected = brentq(lambda phi: pull(phi) - LIMIT, 0, np.arctan(ACCELERATION / GRAVITY), xtol=1e-15)
    print(f"the pin shears at {angle(shears.t, before):.12f} rad (closed form {expected:.12f})")
    fall = (before[v] + np.sqrt(before[v] ** 2 + 2 * GRAVITY * before[y])) / GRAVITY
    place = before[x] + before[u] * fall
    end = dict(zip(model.x, lands.x_minus, strict=True))
    print(f"the load lands at {end[x]:.9f} m, {lands.t:.9f} s (parabola {place:.9f}, {shears.t + fall:.9f})")
    draw(model, pin, result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
