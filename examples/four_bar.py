"""A four-bar linkage whose rocker hits a stop: a limit in a closed loop.

    python examples/four_bar.py [PICTURE]

Crank, coupler and rocker are a chain of SymPy joints, and a `BallClosure` pins the end of the rocker to the ground. A
constant torque turns the crank, until the rocker hits a stop at the angle `STOP`: a `Limit` on the sum of the three
joint angles. The closure stays closed in every impact. The rebounds decrease, and at last the torque holds the rocker
at its stop. Which torque the stop then exerts follows from the principle of virtual work, with the ratio of the
rotations of rocker and crank.
"""

import sys

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import brentq
from sympy import Float
from sympy.physics.mechanics import PinJoint, Point, ReferenceFrame, RigidBody, System, Torque, inertia

from sympact import BallClosure, HybridModel, Limit

LENGTHS = {"crank": 0.2, "coupler": 0.6, "rocker": 0.5}
BASE, TORQUE, G = 0.7, 3.0, 9.81
"""The distance of the two pins on the ground (m), and the torque on the crank (N m)."""
STOP = 1.85
"""The smallest angle of the rocker from the line of the two pins (rad)."""


def linkage():
    """The model; its coordinates are the angles of the three joints."""
    ground = RigidBody("ground")
    system, parent, place = System.from_newtonian(ground), ground, ground.masscenter
    for name, length in LENGTHS.items():
        frame, centre, mass = ReferenceFrame(name), Point(f"centre of {name}"), 2 * length
        body = RigidBody(name, centre, frame, mass, (inertia(frame, 0, 0, mass * length**2 / 12), centre))
        near = centre.locatenew(f"near end of {name}", -length / 2 * frame.x)
        joint = PinJoint(name, parent, body, parent_point=place, child_point=near, joint_axis=ground.z)
        system.add_joints(joint)
        parent, place = body, centre.locatenew(f"far end of {name}", length / 2 * frame.x)
    system.apply_uniform_gravity(-Float(G) * ground.y)
    system.add_loads(Torque(system.bodies[1].frame, TORQUE * ground.z))
    pin = system.fixed_point.locatenew("pin", BASE * ground.x)
    # the rocker points from its end on the coupler to the pin: its angle from the base is the sum of all, and pi
    stop = Limit(sum(system.q) + np.pi - STOP, restitution=0.5, name="stop")
    return HybridModel(system, [stop], constraints=[BallClosure(pin, place, name="pin")])


def angles(crank):
    """The angles of the joints for the angle of the crank (rad), the coupler above the base."""
    end = LENGTHS["crank"] * np.array([np.cos(crank), np.sin(crank)])
    away = np.array([BASE, 0]) - end
    reach, coupler, rocker = np.hypot(*away), LENGTHS["coupler"], LENGTHS["rocker"]
    lift = np.arccos((reach**2 + coupler**2 - rocker**2) / (2 * reach * coupler))
    first = np.arctan2(away[1], away[0]) + lift
    last = np.arctan2(*(np.array([BASE, 0]) - end - coupler * np.array([np.cos(first), np.sin(first)]))[::-1])
    return np.array([crank, first - crank, last - first])


def rocker(crank):
    """The angle of the rocker for that of the crank (rad)."""
    return angles(crank).sum() + np.pi


def at_rest():
    """The angle of the crank where the rocker is at its stop, and the torque of the stop by virtual work (N m)."""
    crank = brentq(lambda angle: rocker(angle) - STOP, -1.2, 0.4, xtol=1e-15)
    small = 1e-5

    def height(angle):
        """The sum of masses times heights of their centres."""
        place, turned, total = np.zeros(2), 0.0, 0.0
        for joint, length in zip(angles(angle), LENGTHS.values(), strict=True):
            turned += joint
            arm = length * np.array([np.cos(turned), np.sin(turned)])
            total += 2 * length * (place + arm / 2)[1]
            place = place + arm
        return total

    ratio = (rocker(crank + small) - rocker(crank - small)) / (2 * small)
    weight = G * (height(crank + small) - height(crank - small)) / (2 * small)
    return crank, (weight - TORQUE) / ratio


def joints(x):
    """The four joints, shape (2, 4), for a state."""
    turned = np.cumsum(x[:3])
    arms = np.array([*LENGTHS.values()]) * np.array([np.cos(turned), np.sin(turned)])
    return np.concatenate([[[0], [0]], np.cumsum(arms, axis=1)], axis=1)


def draw(result):
    """Pictures of the linkage, and the angle of the rocker with its stop."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    panel, turns = figure.subplots(1, 2)
    first = result.events[0].t
    for t in np.linspace(0, first, 7):
        panel.plot(*joints(result(t)), ".-", color="tab:blue", alpha=0.25 + 0.5 * t / first)
    panel.plot(*joints(result.x[:, -1]), "o-", color="tab:red", label="at the stop")
    panel.plot([0, BASE], [0, 0], "^", color="0.3", markersize=10)
    panel.set(aspect="equal", xlabel="x (m)", ylabel="y (m)", title="up to the first impact")
    panel.legend()
    times = np.linspace(*result.t_span, 2000)
    turns.plot(times, result(times)[:3].sum(axis=0) + np.pi)
    turns.axhline(STOP, color="0.3", linewidth=2)
    turns.set(xlabel="t (s)", ylabel="rocker (rad)", title="angle of the rocker and its stop")
    return figure


def main(picture="four_bar.png"):
    """Run the linkage, print its events, and compare where it rests with the statics."""
    model = linkage()
    start = angles(-1.2)
    result = model.simulate((0, 2), [*start, 0, 0, 0], {}, rtol=1e-11, atol=1e-13)
    print(result.events.table(max_rows=8))
    x, y = joints(result.x[:, -1])[:, -1]
    crank, torque = at_rest()
    print(f"\nAt rest the crank is at {result.x[0, -1]:.10f} rad, by the geometry {crank:.10f} rad;")
    print(f"the stop holds with {result.normal_force[0, -1]:.7f} N m, by virtual work {torque:.7f} N m.")
    print(f"The last joint is {np.hypot(x - BASE, y):.0e} m from its pin.")
    draw(result).savefig(picture, dpi=150)
    print("The picture is in", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
