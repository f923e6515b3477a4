"""A rod between wall and floor: guided by constraints, and supported by contacts that may open.

    python examples/guided_rod.py [PICTURE]

A uniform rod leans against a smooth wall at 30 degrees from it and is released on a smooth floor. Constraints keep the
upper end on the wall and the lower end on the floor, such as rollers in slots: the angle alpha from the wall obeys
omega^2 = 3 g/l (cos(alpha_0) - cos(alpha)) until the rod falls flat on a stop. Contacts only push: the wall is left
where cos(alpha) has decreased to 2/3 of its start, which is where the force of the slot changes its sign. Until there
both motions are one.
"""

import sys
from math import acos, cos, pi, sin, sqrt

import numpy as np
from matplotlib.figure import Figure
from sympy.physics.mechanics import Point, ReferenceFrame, RigidBody, System, dynamicsymbols, inertia

from sympact import Contact, Holonomic, HybridModel, Limit, Plane

LENGTH, START, G = 2.0, pi / 6, 9.81


def rod(guided):
    """The rod with constraints at both ends, or with contacts there."""
    q, u = dynamicsymbols("x y alpha"), dynamicsymbols("v_x v_y omega")
    N, F, O = ReferenceFrame("N"), ReferenceFrame("F"), Point("O")
    F.orient_axis(N, q[2], N.z)  # -F.y points from the upper end A to the lower end B
    C = O.locatenew("C", q[0] * N.x + q[1] * N.y)
    body = RigidBody("rod", C, F, 1, (inertia(F, 0, 0, LENGTH**2 / 12), C))
    system = System(N, O)
    system.add_bodies(body)
    system.add_coordinates(*q)
    system.add_speeds(*u)
    system.add_kdes(*(place.diff(dynamicsymbols._t) - speed for place, speed in zip(q, u, strict=True)))
    system.apply_uniform_gravity(-G * N.y)
    A, B = C.locatenew("A", LENGTH / 2 * F.y), C.locatenew("B", -LENGTH / 2 * F.y)
    if guided:
        slots = [Holonomic(A.pos_from(O).dot(N.x), "wall"), Holonomic(B.pos_from(O).dot(N.y), "floor")]
        return HybridModel(system, [Limit(pi / 2 - q[2], restitution=0, name="flat")], constraints=slots)
    planes = {"wall": (A, Plane(O, N.x)), "floor": (B, Plane(O, N.y)), "end on floor": (A, Plane(O, N.y))}
    contacts = [Contact(end, plane, restitution=0, friction=0, name=name) for name, (end, plane) in planes.items()]
    return HybridModel(system, contacts)


def simulate(guided, t_end):
    """A run from rest at the start."""
    start = [LENGTH / 2 * sin(START), LENGTH / 2 * cos(START), START, 0, 0, 0]
    return rod(guided).simulate((0, t_end), start, {}, rtol=1e-12, atol=1e-14)


def ends(x):
    """The upper and the lower end, each of shape (2,), for a state."""
    arm = LENGTH / 2 * np.array([-np.sin(x[2]), np.cos(x[2])])
    return x[:2] + arm, x[:2] - arm


def draw(runs, leaves):
    """Pictures of both rods, and their angular speeds."""
    figure = Figure(figsize=(9.5, 4), layout="constrained")
    panels = figure.subplots(1, 3)
    for panel, (name, run) in zip(panels, runs.items(), strict=False):
        for t in np.arange(0.0, 0.75, 0.1):
            panel.plot(*np.transpose(ends(run(t))), color="tab:blue", alpha=0.3 + 0.6 * t)
        panel.plot(*np.transpose(ends(run(leaves))), color="tab:red", label="wall left" if name == "contacts" else None)
        panel.axhline(0, color="0.3", linewidth=3)
        panel.axvline(0, color="0.3", linewidth=3)
        panel.set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title=f"{name}, every 0.1 s", xlim=(-0.1, 2.6))
    panels[1].legend(loc="upper right")
    for name, run in runs.items():
        panels[2].plot(run.t, run.x[5], ".-" if name == "contacts" else "-", label=name, markersize=3)
    panels[2].axvline(leaves, color="tab:red", linewidth=0.8)
    panels[2].set(xlabel="t (s)", ylabel="omega (rad/s)", title="angular speed")
    panels[2].legend()
    return figure


def main(picture="guided_rod.png"):
    """Run both rods and compare them with the formulas."""
    free = simulate(guided=False, t_end=1.0)
    opens = next(event for event in free.events if event.kind == "open" and "wall" in event.contacts)
    print(free.events.table(max_rows=8))
    print(f"\nThe wall is left at the angle {opens.x_plus[2]:.12f} rad, by the formula", end=" ")
    print(f"{acos(2 / 3 * cos(START)):.12f} rad.")
    guided = simulate(guided=True, t_end=1.0)
    print(f"There the guided rod is at the angle {guided(opens.t)[2]:.12f} rad.")
    (lies,) = [event for event in guided.events if event.kind == "impact"]
    exact = sqrt(3 * G / LENGTH * cos(START))
    print(f"It falls flat at t = {lies.t:.12f} s with {lies.x_minus[5]:.12f} rad/s, by the formula {exact:.12f} rad/s.")
    draw({"constraints": guided, "contacts": free}, opens.t).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
