"""A slider-crank whose piston slides with friction on a floor and hits a wall.

    python examples/slider_crank.py [PICTURE]

A `PinClosure` joins the rod on the crank to the piston, a block on a rough floor that it may leave. A wall stands a
little closer than its farthest place. The spinning crank drives the piston against the wall, which throws it off the
floor; it lands, slides back and stops where friction holds it. The energy decreases by the work of friction, which the
script integrates, and at impacts.
"""

import sys
from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure
from sympy import Rational
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, HybridModel, PinClosure, Plane

CRANK, ROD, WALL, MU, G = 0.2, 0.5, 0.69, 0.2, 9.81
"""Lengths (m), the place of the wall (m), the coefficient of friction, and g (m/s^2)."""


def slider_crank():
    """The model: angles of crank and rod, place of the piston; the closure is between rod and piston."""
    q, u = dynamicsymbols("alpha beta x y"), dynamicsymbols("u_alpha u_beta v_x v_y")
    N, O = ReferenceFrame("N"), Point("O")
    system, place = System(N, O), O
    for name, length, angle in (("crank", CRANK, q[0]), ("rod", ROD, q[1])):
        frame = ReferenceFrame(name)
        frame.orient_axis(N, angle, N.z)
        centre = place.locatenew(f"centre of {name}", length / 2 * frame.x)
        moment = inertia(frame, 0, 0, length**2 / 12)
        system.add_bodies(RigidBody(name, centre, frame, 1, (moment, centre)))
        place = place.locatenew(f"end of {name}", length * frame.x)
    piston = O.locatenew("piston", q[2] * N.x + q[3] * N.y)
    system.add_bodies(RigidBody("piston", piston, N, 1, (inertia(N, 0, 0, Rational(1, 1000)), piston)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(a.diff(dynamicsymbols._t) - b for a, b in zip(q, u, strict=True)))
    system.apply_uniform_gravity(-G * N.y)
    floor, wall = Plane(O, N.y), Plane(O.locatenew("wall", WALL * N.x), -N.x)
    contacts = [
        Contact(piston, floor, restitution=0, friction=MU, name="floor"),
        Contact(piston, wall, restitution=0.6, friction=0, name="wall"),
    ]
    return HybridModel(system, contacts, constraints=[PinClosure(place, piston, N.z, N.z, name="pin")])


def start(alpha, spin):
    """The state with the piston on the floor and the crank at alpha, turning with `spin`."""
    beta = -np.arcsin(CRANK / ROD * np.sin(alpha))
    turn = -CRANK * np.cos(alpha) * spin / (ROD * np.cos(beta))
    reach = CRANK * np.cos(alpha) + ROD * np.cos(beta)
    speed = -CRANK * np.sin(alpha) * spin - ROD * np.sin(beta) * turn
    return [alpha, beta, reach, 0, spin, turn, speed, 0]


def friction_work(result, pieces=60):
    """The work of the friction force of the run, by Gauss's rule on parts between the events (J)."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    times, total = [result.t_span[0], *sorted({event.t for event in result.events}), result.t_span[1]], 0.0
    for begin, end in pairwise(times):
        width = (end - begin) / pieces
        for left in begin + width * np.arange(pieces):
            t = left + width * (1 + nodes) / 2
            total += width / 2 * weights @ (result.friction_force_at(t)[0, 0] * result(t)[6])
    return total


def draw(result):
    """The mechanism at some times, the place of the piston, and the energy."""
    figure = Figure(figsize=(9, 5.5), layout="constrained")
    scene, place, energy = figure.subplots(3, 1, height_ratios=[3, 2, 2])
    for t in np.linspace(0, 0.45, 7):
        alpha, _, x, y = result(t)[:4]
        pin = CRANK * np.cos(alpha), CRANK * np.sin(alpha)
        scene.plot([0, pin[0], x], [0, pin[1], y], ".-", color="tab:blue", alpha=0.3 + 1.4 * t)
    scene.axvline(WALL, color="0.3", linewidth=3)
    scene.plot([0.25, WALL], [0, 0], color="0.3", linewidth=2)
    scene.set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title="the first 0.45 s")
    times = np.linspace(*result.t_span, 2000)
    place.plot(times, result(times)[2])
    place.axhline(WALL, color="0.3", linewidth=2)
    place.set(ylabel="piston (m)")
    energy.plot(result.t, result.energy)
    energy.set(xlabel="t (s)", ylabel="energy (J)")
    place.sharex(energy)
    return figure


def main(picture="slider_crank.png"):
    """Run the mechanism, print its events, and compare the energy with the work of friction and of the impacts."""
    model = slider_crank()
    result = model.simulate((0, 2.5), start(2.0, 4.0), {}, rtol=1e-10, atol=1e-12)
    print(result.events.table(max_rows=12))
    impacts = sum(event.energy for event in result.events)
    print(f"\nThe energy changes by {result.energy[-1] - result.energy[0]:.9f} J; friction did", end=" ")
    print(f"{friction_work(result):.9f} J of work, impacts took {-impacts:.9f} J.")
    alpha, beta, x, y = result.x[:4]
    pin = np.hypot(CRANK * np.cos(alpha) + ROD * np.cos(beta) - x, CRANK * np.sin(alpha) + ROD * np.sin(beta) - y)
    print(f"The pin is open by up to {pin.max():.0e} m.")
    draw(result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
