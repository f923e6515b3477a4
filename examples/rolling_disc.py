"""A disc that rolls and wobbles: by nonholonomic constraints, and by friction in a contact.

    python examples/rolling_disc.py [PICTURE]

A thin disc is set rolling on a plane, leaning and turning. In the first model it has three constraints: its rim stays
on the plane (holonomic), and the point that touches has no velocity (two nonholonomic ones). In the second the rim is a
`Disc` in contact with the plane, mu = 0.8. As long as friction is sufficient, both roll the same way; the forces of the
contact show how much of it is needed: more than mu = 0.3, with which the disc slips.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, Disc, Holonomic, HybridModel, Nonholonomic, Plane

RADIUS, MASS, G = 0.1, 0.5, 9.81
LEAN, TURNS = 0.35, (2.0, 0.5, 9.0)
"""The lean at the start (rad), and the rates of yaw, lean and spin there (rad/s)."""


def disc(mu=None):
    """The model with constraints, or with a contact of this friction."""
    t = dynamicsymbols._t
    q = dynamicsymbols("x y z yaw lean spin")
    u = dynamicsymbols("v_x v_y v_z w_yaw w_lean w_spin")
    N, Y, L, D, O = ReferenceFrame("N"), ReferenceFrame("Y"), ReferenceFrame("L"), ReferenceFrame("D"), Point("O")
    Y.orient_axis(N, q[3], N.z)
    L.orient_axis(Y, q[4], Y.x)
    D.orient_axis(L, q[5], L.y)
    C = O.locatenew("C", q[0] * N.x + q[1] * N.y + q[2] * N.z)
    moment = MASS * RADIUS**2 / 4
    system = System(N, O)
    system.add_bodies(RigidBody("disc", C, D, MASS, (inertia(D, moment, 2 * moment, moment), C)))
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(t) - speed for place, speed in zip(q, u, strict=True)))
    system.apply_uniform_gravity(-G * N.z)
    if mu is not None:
        rim = Contact(Disc(C, D.y, RADIUS), Plane(O, N.z), restitution=0, friction=mu, name="rim")
        return HybridModel(system, [rim])
    turning = u[3] * N.z + u[4] * Y.x + u[5] * L.y
    material = u[0] * N.x + u[1] * N.y + u[2] * N.z + turning.cross(-RADIUS * L.z)
    height = (C.pos_from(O) - RADIUS * L.z).dot(N.z)
    rolls = [Nonholonomic(material.dot(axis), f"rolls along {axis}") for axis in (N.x, N.y)]
    return HybridModel(system, [], constraints=[Holonomic(height, "rim"), *rolls])


def start():
    """A state that rolls: the velocity of the centre is that of the rotation about the point that touches."""
    yaw, lean, spin = TURNS
    up = np.array([0, -np.sin(LEAN), np.cos(LEAN)])  # from the point that touches to the centre, over the radius
    turning = np.array([lean, spin * np.cos(LEAN), yaw + spin * np.sin(LEAN)])
    return np.concatenate([RADIUS * up, [0, LEAN, 0], np.cross(turning, RADIUS * up), TURNS])


def touching(x):
    """The point on the plane for states x of shape (12, k), shape (2, k)."""
    yaw, lean = x[3:5]
    return x[:2] - RADIUS * np.array([np.sin(yaw) * np.sin(lean), -np.cos(yaw) * np.sin(lean)])


def draw(runs):
    """The traces on the plane, the lean, and what friction is needed."""
    figure = Figure(figsize=(9, 4.8), layout="constrained")
    panels = figure.subplot_mosaic([["trace", "lean"], ["trace", "ratio"]], width_ratios=[3, 2])
    times = np.linspace(*runs["constraints"].t_span, 3000)
    styles = {"constraints": ("C0", "-", 4, 0.35), "mu = 0.8": ("C1", "-", 1, 1), "mu = 0.3": ("C3", "--", 1, 1)}
    for name, run in runs.items():
        colour, line, width, alpha = styles[name]
        look = {"color": colour, "linestyle": line, "linewidth": width, "alpha": alpha, "label": name}
        panels["trace"].plot(*touching(run(times)), **look)
        panels["lean"].plot(times, run(times)[4], **look)
    run = runs["mu = 0.8"]
    closed = run.normal_force[0] > 0
    needed = np.hypot(*run.friction_force[0][:, closed]) / run.normal_force[0, closed]
    panels["ratio"].plot(run.t[closed], needed, color="C1")
    panels["ratio"].axhline(0.3, color="C3", linewidth=0.8)
    panels["trace"].set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title="trace on the plane")
    panels["trace"].legend()
    panels["lean"].set(ylabel="lean (rad)")
    panels["ratio"].set(xlabel="t (s)", ylabel="friction / normal force")
    return figure


def main(picture="rolling_disc.png"):
    """Run the disc by constraints and by friction and compare them."""
    runs = {}
    for name, mu in (("constraints", None), ("mu = 0.8", 0.8), ("mu = 0.3", 0.3)):
        runs[name] = disc(mu).simulate((0, 3), start(), {}, rtol=1e-11, atol=1e-13)
        kinds = [f"{event.kind} at {event.t:.6f} s" for event in runs[name].events]
        print(f"{name:>12}: {', '.join(kinds[:3]) or 'no events'}")
    rolled, held = runs["constraints"], runs["mu = 0.8"]
    apart = max(np.abs(held(t)[:6] - rolled(t)[:6]).max() for t in np.linspace(0, 3, 200))
    print(f"\nBy constraints and with mu = 0.8 places and angles differ by up to {apart:.0e} (m, rad);")
    for name in ("constraints", "mu = 0.8", "mu = 0.3"):
        print(f"the energy changes by {runs[name].energy[-1] - runs[name].energy[0]:.1e} J ({name})")
    draw(runs).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
